//! Claims about the games of several parts together.

use crate::common::folder;
use crate::experiment::{CATALOG, parse};
use crate::replication::{EXPERIMENT, claimed, results_of, with_claim};
use crate::studies::{carry_out, digest_of, interrupt, study};
use Judgement::{Confirmed, Open};
use spielbaum_lab::replication::{Judgement, Replication};
use spielbaum_lab::{Outcome, Results};

const POOLED: &str = r#"{below = 0.5, pooled = ["A[work=2].score", "A[work=3].score"]}"#;

/// The experiment without random openings, which its parts would share.
fn from_the_start() -> String {
    EXPERIMENT.replace("game = \"dice\"", "game = \"dice\"\nopenings = \"none\"")
}

/// The claim about the second and the third part, with these pairs of games by half points.
fn judged(pairs: [[u64; 5]; 2], complete: [bool; 2]) -> (Judgement, bool, String) {
    let mut results = results_of(&from_the_start(), POOLED, [760, 240, 240]);
    for (i, pairs) in pairs.iter().enumerate() {
        results.parts[1 + i].complete = complete[i];
        let Outcome::Match { summary, .. } = &mut results.parts[1 + i].outcome else {
            panic!("a match")
        };
        let rounds: u64 = pairs.iter().sum();
        let points: u64 = pairs.iter().zip(0..).map(|(pairs, points)| pairs * points).sum();
        (summary.rounds, summary.games, summary.distinct) = (rounds, 2 * rounds, 2 * rounds);
        (summary.wins, summary.losses) = (points / 2, 2 * rounds - points / 2);
        summary.pairs = pairs.to_vec();
    }
    let replication = Replication::of(&results).unwrap();
    let claim = &replication.claims[0];
    (claim.judgement, claim.provisional, claim.reason.clone())
}

#[test]
fn games_of_several_parts_are_counted_together() {
    let (judgement, _, reason) = judged([[300, 0, 160, 0, 40]; 2], [true; 2]);
    assert_eq!(judgement, Confirmed);
    assert!(reason.starts_with("2 parts together: 24.0 % ("), "{reason}");
    // A part that was not played leaves nothing to be said of all.
    let (judgement, _, reason) = judged([[300, 0, 160, 0, 40], [0; 5]], [true, false]);
    assert_eq!((judgement, &reason[..]), (Open, "undecided: 1 of 2 parts not played yet"));
    let pool =
        |terms: &str| claimed(&from_the_start(), &format!("{{below = 0.5, pooled = {terms}}}"));
    for (wrong, told) in [
        (r#"["A[work=1].score", "A[work=2].wins"]"#, "`wins` cannot be pooled here"),
        (r#"["A[work=1].plies", "A[work=2].plies"]"#, "`plies` cannot be pooled here"),
        ("[]", "`pooled` is an empty list"),
        (r#""A.score""#, "`pooled` is a text"),
        (r#"["A[work=2].score", "A[work=2].score"]"#, "part `A-002` is pooled twice"),
        (r#"["A[work=3].score", "A.score"]"#, "part `A-003` is pooled twice"),
    ] {
        let error = parse(&pool(wrong)).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Of parts with different means the mean of all games moves with how many each has.
#[test]
fn parts_that_are_unevenly_played_have_no_mean_of_all() {
    let (lost, won) = ([40, 0, 0, 0, 0], [0, 0, 0, 0, 10]);
    let (judgement, _, reason) = judged([lost, won], [false; 2]);
    assert_eq!(judgement, Open);
    assert!(reason.contains("the parts are unevenly played, 10 to 40 rounds"), "{reason}");
    assert!(reason.contains("the single games of A-002 are not here"), "{reason}");
    // A part that is complete beside one that is not is no better.
    let all = [500, 0, 0, 0, 0];
    let reason = judged([all, won], [true, false]).2;
    assert!(reason.contains("unevenly played, 10 to 500 rounds"), "{reason}");
    let (judgement, provisional, reason) = judged([[20, 0, 0, 0, 0]; 2], [false; 2]);
    assert_eq!((judgement, provisional), (Confirmed, false));
    assert!(reason.starts_with("2 parts together: 0.0 % (0.0 to "), "{reason}");
}

const STUDY: &str = r#"
title = "Dice"
seed = 5
[paper]
id = "P"
no-anchor = "none"
[[experiment]]
id = "A"
game = "dice"
openings = "none"
format = "gauntlet"
games = 400
players = ["greedy:work=[1,2]"]
opponents = ["coin"]
[[claim]]
id = "c"
text = "It is so."
rule = {above = 0.5, pooled = ["A.score"]}
"#;

/// Where single games are there, in a directory or in a digest, the first rounds of each part are counted.
#[test]
fn of_parts_that_are_unevenly_played_the_first_rounds_count() {
    let dir = folder("pooled-uneven");
    carry_out(&dir, &study(STUDY), None);
    let reason = |results: &Results| Replication::of(results).unwrap().claims[0].reason.clone();
    let whole = reason(&Results::read(&dir, CATALOG).unwrap());
    assert!(whole.starts_with("2 parts together: "), "{whole}");
    // One complete, one not: the complete one has its games in the directory, not in a digest.
    interrupt(&dir, "A-002", 20);
    let first = reason(&Results::read(&dir, CATALOG).unwrap());
    assert!(first.starts_with("2 parts together, as far as evenly played ("), "{first}");
    let games = first.split_once(" games): ").map(|(told, _)| told.rsplit('(').next().unwrap());
    let games: u64 = games.unwrap().parse().unwrap();
    assert!((1..400).contains(&games), "{first}");
    let read = |name| Results::read_digest(&digest_of(&dir, name), CATALOG).unwrap();
    assert!(reason(&read("pooled-1.json")).contains("the single games of A-001 are not here"));
    // What is damaged is here, and told.
    let unit = dir.join("parts/A-001/units/000000.jsonl");
    let good = std::fs::read(&unit).unwrap();
    let results = Results::read(&dir, CATALOG).unwrap();
    std::fs::write(&unit, "nothing\n").unwrap();
    let damaged = reason(&results);
    assert!(damaged.contains("000000.jsonl") && !damaged.contains("not here"), "{damaged}");
    std::fs::write(&unit, good).unwrap();
    // Neither is complete: both have them, and say the same, that of the same rounds.
    interrupt(&dir, "A-001", 60);
    assert_eq!(reason(&Results::read(&dir, CATALOG).unwrap()), first);
    assert_eq!(reason(&read("pooled-2.json")), first);
    interrupt_again(&dir, "A-001", 20);
    let even = reason(&Results::read(&dir, CATALOG).unwrap());
    let evenly = format!("together, as far as evenly played ({games} games)");
    assert_eq!(even.replace("together", &evenly), first);
}

/// Round by round the parts of a file have the same random openings: their results are not independent.
#[test]
fn parts_with_the_same_random_openings_are_not_pooled() {
    let told = parse(&with_claim(POOLED)).unwrap_err().to_string();
    assert!(told.contains("parts `A-002` and `A-003` have the same random openings"), "{told}");
    let one = r#"{below = 0.5, pooled = ["A[work=2].score"]}"#;
    assert!(parse(&with_claim(one)).is_ok());
    let prepared = claimed(&from_the_start(), POOLED);
    assert!(parse(&prepared).is_ok());
    let (judgement, reason) = crate::replication::judge(one, [760, 240, 240]);
    assert_eq!(judgement, Open, "{reason}");
}

/// Leaves the first units of a part that has no statistics any more.
fn interrupt_again(dir: &std::path::Path, part: &str, units: usize) {
    for unit in units..60 {
        let file = format!("parts/{part}/units/{unit:06}.jsonl");
        let _ = std::fs::remove_file(dir.join(file));
    }
}
