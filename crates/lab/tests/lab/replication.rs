//! Published numbers beside ours, anchors and claims.

use crate::experiment::{CATALOG, parse};
use spielbaum_lab::replication::{Agreement, Anchor, Judgement, Replication};
use spielbaum_lab::stats::Level;
use spielbaum_lab::{MeanText, Outcome, Results, report};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) const EXPERIMENT: &str = r#"
game = "dice"
games = 1000
format = "gauntlet"
opponents = "coin"
[paper]
id = "P"
anchor = "A/1"
[[experiment]]
id = "A"
players = "greedy:work=[1,2,3]"
[[experiment.published]]
at = {work = "1"}
metric = "score"
value = 0.755
games = 1000
[[experiment.published]]
at = {work = "2"}
metric = "score"
relation = "<"
value = 0.5
[[experiment.published]]
at = {work = "3"}
metric = "score"
value = 0.6
games = 1000
"#;

/// The run of a paper with one claim, whose parts have these wins of 1000 games; a negative
/// number is a part that was not played.
pub(crate) fn results(rule: &str, wins: [i64; 3]) -> Results {
    results_of(EXPERIMENT, rule, wins)
}

/// The file of the paper with a claim.
pub(crate) fn with_claim(rule: &str) -> String {
    claimed(EXPERIMENT, rule)
}

pub(crate) fn claimed(experiment: &str, rule: &str) -> String {
    format!("{experiment}[[claim]]\nid = \"c\"\ntext = \"It is so.\"\nrule = {rule}\n")
}

pub(crate) fn results_of(experiment: &str, rule: &str, wins: [i64; 3]) -> Results {
    let digest = serde_json::json!({
        "format": 1, "version": "0", "options": {"quick": false, "paper_time": false},
        "name": "p.toml", "experiment": claimed(experiment, rule), "parts": [],
    });
    // Tests run side by side.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let file = format!("replication-{}.json", NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, digest.to_string()).unwrap();
    let mut results = Results::read_digest(&path, CATALOG).unwrap();
    for (part, wins) in results.parts.iter_mut().zip(wins) {
        part.complete = wins >= 0;
        let Outcome::Match { summary, .. } = &mut part.outcome else { panic!("a match") };
        if let Ok(wins) = u64::try_from(wins) {
            summary.distinct = 1000;
            (summary.games, summary.wins, summary.losses) = (1000, wins, 1000 - wins);
        }
    }
    results
}

pub(crate) fn judge(rule: &str, wins: [i64; 3]) -> (Judgement, String) {
    let results = results(rule, wins);
    let replication = Replication::of(&results).unwrap();
    (replication.claims[0].judgement, replication.claims[0].reason.clone())
}

const WINS: [i64; 3] = [760, 240, 640];

#[test]
fn claims_are_decided_by_whole_intervals() {
    use Judgement::{Confirmed, Open, Refuted};
    let cases = [
        (r#"{above = 0.5, of = "A[work=1].score"}"#, Confirmed),
        (r#"{above = 0.74, of = "A[work=1].score"}"#, Open),
        (r#"{above = 0.9, of = "A[work=1].score"}"#, Refuted),
        (r#"{below = 0.5, of = "A[work=2].score"}"#, Confirmed),
        // Of several values all must be.
        (r#"{above = 0.2, of = "A.score"}"#, Confirmed),
        (r#"{above = 0.5, of = "A.score"}"#, Refuted),
        (r#"{greater = ["A[work=1].score", "A[work=3].score"]}"#, Confirmed),
        (r#"{greater = ["A[work=2].score", "A[work=3].score"]}"#, Refuted),
        (r#"{greater = ["A[work=1].score", "A[work=2].score"], factor = 2}"#, Confirmed),
        (r#"{greater = ["A[work=1].score", "A[work=2].score"], factor = 4}"#, Refuted),
        (r#"{near = ["A[work=1].score", "A[work=3].score"], within = 0.3}"#, Confirmed),
        (r#"{near = ["A[work=1].score", "A[work=3].score"], within = 0.01}"#, Refuted),
        (r#"{near = ["A[work=1].score", "A[work=3].score"], within = 0.12}"#, Open),
        (r#"{best = "A.score", at = {work = "1"}}"#, Confirmed),
        (r#"{best = "A.score", at = {work = "3"}}"#, Refuted),
        (r#"{not = {above = 0.5, of = "A[work=2].score"}}"#, Confirmed),
        (
            r#"{all = [{above = 0.5, of = "A[work=1].score"}, {above = 0.76, of = "A[work=1].score"}]}"#,
            Open,
        ),
        (
            r#"{any = [{above = 0.5, of = "A[work=2].score"}, {above = 0.5, of = "A[work=3].score"}]}"#,
            Confirmed,
        ),
    ];
    for (rule, expected) in cases {
        let (judgement, reason) = judge(rule, WINS);
        assert_eq!(judgement, expected, "{rule}: {reason}");
        assert!(reason.contains("A work "), "{reason}");
    }
}

#[test]
fn the_first_of_several_is_named_and_what_is_decided_makes_room() {
    use Judgement::{Confirmed, Open, Refuted};
    let all = r#"{first = ["A[work=2].score", "A[work=3].score", "A[work=1].score"], above = 0.5}"#;
    let (judgement, reason) = judge(all, WINS);
    assert_eq!(judgement, Confirmed, "{reason}");
    let words =
        ["the first is A work 3: 64.0 %", "; also above: A work 1", "; below: A work 2: 24.0 %"];
    assert!(words.iter().all(|w| reason.contains(w)), "{reason}");
    // 53.2 % is above ½ by itself and not as one of three, but the two others are decided.
    let (judgement, reason) = judge(all, [760, 532, 640]);
    assert_eq!(judgement, Confirmed);
    assert!(reason.starts_with("the first is A work 2: 53.2 %"), "{reason}");
    // With one of them undecided it has to be one of two.
    let (judgement, reason) = judge(all, [760, 532, 505]);
    assert_eq!(judgement, Confirmed, "the last of the three is above");
    assert!(reason.starts_with("the first is A work 1: 76.0 %"), "{reason}");
    assert!(reason.contains("; undecided: A work 2: 53.2 %"), "{reason}");
    // From whichever one on it should hold, it does not hold at the last.
    let falling = r#"{first = ["A[work=1].score", "A[work=2].score"], above = 0.5}"#;
    assert_eq!(judge(falling, WINS).0, Refuted);
    // One in between that is below leaves open from where on.
    let between =
        r#"{first = ["A[work=1].score", "A[work=2].score", "A[work=3].score"], above = 0.5}"#;
    assert_eq!(judge(between, WINS).0, Open);
    let none = r#"{first = ["A[work=2].score", "A[work=3].score"], above = 0.7}"#;
    assert_eq!(judge(none, WINS).0, Refuted);
    assert_eq!(judge(&format!("{{not = {none}}}"), WINS).0, Confirmed);
    // A selection that leaves an axis open is all of its values, in their order.
    // What is undecided or not played behind the first leaves it open.
    let (judgement, reason) = judge(r#"{first = ["A.score"], above = 0.5}"#, [760, -1, 505]);
    assert_eq!(judgement, Open, "{reason}");
    assert!(reason.starts_with("undecided: the first is A work 1: 76.0 %"), "{reason}");
    assert_eq!(judge(r#"{first = ["A.score"], above = 0.5}"#, [760, 640, 640]).0, Confirmed);
    let rest = r#"{first = ["A[work=2].score", "A[work=3].score"], above = 0.5}"#;
    let (judgement, reason) = judge(rest, [760, -1, 505]);
    assert_eq!(judgement, Open, "{reason}");
    let words = ["none is shown to be above", "undecided: A work 3", "1 value not measured yet"];
    assert!(words.iter().all(|w| reason.contains(w)), "{reason}");
}

#[test]
fn what_was_not_measured_is_open() {
    let (judgement, reason) = judge(r#"{above = 0.5, of = "A.score"}"#, [760, 640, -1]);
    assert_eq!(judgement, Judgement::Open);
    assert_eq!(reason, "1 value not measured yet");
    // But one refuted value is enough.
    let (judgement, _) = judge(r#"{above = 0.5, of = "A.score"}"#, [760, 240, -1]);
    assert_eq!(judgement, Judgement::Refuted);
}

#[test]
fn nothing_counts_before_the_anchor_is_met() {
    let rule = r#"{below = 0.5, of = "A[work=2].score"}"#;
    let state = |first: i64| {
        let results = results(rule, [first, 240, 640]);
        let replication = Replication::of(&results).unwrap();
        let claim = &replication.claims[0];
        (replication.anchor, claim.judgement, claim.provisional)
    };
    assert_eq!(state(760), (Anchor::Held, Judgement::Confirmed, false));
    assert_eq!(state(788), (Anchor::Near, Judgement::Confirmed, true));
    assert_eq!(state(850), (Anchor::Missed, Judgement::Open, false));
    assert_eq!(state(-1), (Anchor::Missing, Judgement::Open, false));
}

/// Games that are to come may meet an anchor that is missed, and miss one that holds.
#[test]
fn what_is_said_of_an_anchor_that_is_not_complete_is_provisional() {
    let rule = r#"{below = 0.5, of = "A[work=2].score"}"#;
    for (wins, anchor, says, judgement) in [
        (760, Anchor::Held, "The anchor holds so far", Judgement::Confirmed),
        (850, Anchor::Missed, "The anchor is missed so far", Judgement::Open),
    ] {
        for complete in [true, false] {
            let mut results = results(rule, [wins, 240, 640]);
            results.parts[0].complete = complete;
            let replication = Replication::of(&results).unwrap();
            let claim = &replication.claims[0];
            assert_eq!((replication.anchor, claim.judgement), (anchor, judgement));
            assert_eq!((replication.anchor_open, claim.provisional), (!complete, !complete));
            let text = spielbaum_document::text(&report(&results), 1000);
            assert_eq!(text.contains(says), !complete, "{text}");
            // The explanation of verdicts has the word once.
            assert_eq!(text.matches("provisional").count() > 1, !complete, "{text}");
            let because = claim.reason.contains("the anchor is missed so far: ");
            assert_eq!(because, anchor == Anchor::Missed && !complete, "{}", claim.reason);
        }
    }
}

#[test]
fn a_paper_may_say_why_it_has_no_anchor() {
    let rule = r#"{below = 0.5, of = "A[work=2].score"}"#;
    let waived = EXPERIMENT.replace(r#"anchor = "A/1""#, r#"no-anchor = "its players are lost""#);
    let results = results_of(&waived, rule, [850, 240, 640]);
    let replication = Replication::of(&results).unwrap();
    assert_eq!(replication.anchor, Anchor::Waived);
    let claim = &replication.claims[0];
    assert_eq!((claim.judgement, claim.provisional), (Judgement::Confirmed, false));
    let both = EXPERIMENT.replace(r#"id = "P""#, "id = \"P\"\nno-anchor = \"lost\"");
    let error = parse(&both);
    assert!(error.unwrap_err().to_string().contains("an anchor, and none"));
}

#[test]
fn repeated_games_are_counted_once() {
    let rule = r#"{above = 0.5, of = "A[work=3].score"}"#;
    let mut results = results(rule, WINS);
    let judgement = |results: &Results| Replication::of(results).unwrap().claims[0].judgement;
    assert_eq!(judgement(&results), Judgement::Confirmed);
    let Outcome::Match { summary, .. } = &mut results.parts[2].outcome else { panic!("a match") };
    // Each game twice is half of the evidence.
    summary.distinct = 500;
    let reason = Replication::of(&results).unwrap().claims[0].reason.clone();
    assert_eq!(reason, "A work 3: 64.0 % (59.7 to 68.1)");
    let Outcome::Match { summary, .. } = &mut results.parts[2].outcome else { panic!("a match") };
    summary.distinct = 20;
    assert_eq!(judgement(&results), Judgement::Open);
}

#[test]
fn published_numbers_agree_or_not() {
    let results = results(r#"{above = 0.5, of = "A[work=1].score"}"#, [790, 530, 700]);
    let replication = Replication::of(&results).unwrap();
    let found: Vec<_> = replication.comparisons.iter().map(|c| c.agreement).collect();
    // Both numbers err; a relation is tested by ours alone.
    assert_eq!(found, [Agreement::Agrees, Agreement::Open, Agreement::Higher]);
}

/// A mean that is printed without its spread is thought to vary as ours does.
#[test]
fn a_published_mean_of_few_games_need_not_be_ours() {
    let agreement = |games: u64, printed: f64| {
        let row = format!(
            "[[experiment.published]]\nat = {{work = \"1\"}}\nmetric = \"plies\"\nvalue = {printed}\ngames = {games}\n"
        );
        let rule = r#"{above = 0.5, of = "A[work=1].score"}"#;
        let mut results = results_of(&format!("{EXPERIMENT}{row}"), rule, [790, 530, 700]);
        let Outcome::Match { summary, .. } = &mut results.parts[0].outcome else { panic!() };
        // 500 rounds of two games: ours is known to 1, a mean of 20 games to 7.
        summary.rounds = 500;
        (summary.plies, summary.plies_ci) = (Some(40.0), Some([39.0, 41.0]));
        let row = &Replication::of(&results).unwrap().comparisons[3];
        (row.agreement, row.interval.map(|[low, high]| (high - low) / 2.0))
    };
    let (found, half) = agreement(20, 46.0);
    assert_eq!(found, Agreement::Agrees);
    assert!((half.unwrap() - 50f64.sqrt()).abs() < 1e-9, "{half:?}");
    assert_eq!(agreement(20, 48.0).0, Agreement::Lower);
    assert_eq!(agreement(1000, 46.0).0, Agreement::Lower);
}

/// What holds for all sections is told once, in the overview.
#[test]
fn the_basis_of_a_study_is_in_its_report() {
    let rule = r#"{above = 0.5, of = "A[work=1].score"}"#;
    let text = EXPERIMENT.replacen('\n', "\nbasis = \"Seconds are plays here\"\n", 1);
    let results = results_of(&text, rule, [790, 530, 700]);
    let told = spielbaum_document::text(&report(&results), 1000);
    assert_eq!(told.matches("Seconds are plays here").count(), 1, "{told}");
}

/// Of one part the summary, which may be changed before the claim is judged.
fn judge_with(rule: &str, change: impl Fn(&mut spielbaum_lab::Summary)) -> (Judgement, String) {
    let mut results = results(rule, WINS);
    let Outcome::Match { summary, .. } = &mut results.parts[0].outcome else { panic!("a match") };
    summary.rounds = 500;
    change(summary);
    let replication = Replication::of(&results).unwrap();
    // The anchor is measured in the same part.
    let anchored = replication.claims[0].reason.replace("the anchor is missed: ", "");
    (replication.claims[0].judgement, anchored)
}

#[test]
fn means_have_intervals_or_decide_nothing() {
    let rule = r#"{above = 30, of = "A[work=1].plies"}"#;
    let plies = |ci: Option<[f64; 2]>| {
        judge_with(rule, |summary| (summary.plies, summary.plies_ci) = (Some(32.0), ci))
    };
    assert_eq!(
        plies(Some([31.0, 33.0])),
        (Judgement::Confirmed, "A work 1: 32.0 (31.0 to 33.0)".to_string())
    );
    assert_eq!(plies(Some([29.0, 35.0])).0, Judgement::Open);
    // A record of an older version.
    assert_eq!(plies(None), (Judgement::Open, "undecided: A work 1: 32.0".to_string()));
    let rule = r#"{above = 900, of = "A[work=1].nodes"}"#;
    let nodes = |ci: Option<[f64; 2]>| {
        judge_with(rule, |summary| {
            summary.players[0].nodes_per_move = Some(1000.0);
            summary.players[0].nodes_ci = ci;
        })
    };
    assert_eq!(nodes(Some([990.0, 1010.0])).0, Judgement::Confirmed);
    assert_eq!(nodes(Some([890.0, 1110.0])).0, Judgement::Open);
    assert_eq!(nodes(None).0, Judgement::Open);
}

/// Records of the first versions do not tell how they vary. Of two who play alone each has half of the games.
#[test]
fn plays_of_a_game_stand_beside_published_ones() {
    let row =
        "[[experiment.published]]\nat = {work = \"1\"}\nmetric = \"game-nodes\"\nvalue = 25000\n";
    let rule = r#"{above = 0.5, of = "A[work=1].score"}"#;
    let plays = |seats: usize, games| {
        let mut results = results_of(&format!("{EXPERIMENT}{row}"), rule, [790, 530, 700]);
        let Outcome::Match { summary, .. } = &mut results.parts[0].outcome else { panic!() };
        summary.seats.truncate(seats);
        (summary.games, summary.players[0].moves) = (games, 25_000);
        summary.players[0].nodes_per_move = Some(1000.0);
        let row = &Replication::of(&results).unwrap().comparisons[3];
        let value = row.ours[0].at(Level::default()).map(|ours| ours.value);
        (row.agreement, value)
    };
    for (seats, games) in [(2, 1000), (1, 2000)] {
        assert_eq!(plays(seats, games), (Agreement::Beside, Some(25_000.0)));
    }
    for (seats, games) in [(1, 1), (2, 0)] {
        assert_eq!(plays(seats, games).1, None, "no game of its own");
    }
    let rule = r#"{above = 24000, of = "A[work=1].game-nodes"}"#;
    let judged = |ci| {
        let told = Some(MeanText { mean: 25_000.0, ci });
        judge_with(rule, |summary| summary.players[0].game_nodes = told)
    };
    let known = judged(Some([24_500.0, 25_500.0]));
    assert_eq!(known, (Judgement::Confirmed, "A work 1: 25 k (24.5 to 25.5)".to_string()));
    assert_eq!(judged(Some([23_500.0, 26_500.0])).0, Judgement::Open);
    let never_varied = judge_with(rule, |summary| {
        summary.players[0].game_nodes = Some(MeanText { mean: 25_000.0, ci: None });
        summary.plies_ci = Some([31.0, 33.0]);
    });
    assert_eq!(never_varied.0, Judgement::Confirmed);
}

#[test]
fn few_rounds_need_the_quantile_of_students_distribution() {
    // Of three rounds: t is 4.30 at 95 % and 7.65 for three intervals at once.
    let several = r#"{any = [{above = 0, of = "A[work=1].points"},
        {above = 1, of = "A[work=2].score"}, {above = 1, of = "A[work=3].score"}]}"#;
    let several = several.replace('\n', "");
    let points = |rule: &str, low: f64| {
        judge_with(rule, |summary| {
            summary.rounds = 3;
            let ci = Some([low, 20.0 - low]);
            summary.players[0].points = Some(MeanText { mean: 10.0, ci });
        })
    };
    assert_eq!(points(r#"{above = 0, of = "A[work=1].points"}"#, 4.0).0, Judgement::Confirmed);
    let (judgement, reason) = points(&several, 4.0);
    assert_eq!(judgement, Judgement::Open);
    // 7.6488 / 4.3027 · 6 either side: the two-sided 1 - 0.05/3 quantile with 2 degrees.
    assert!(reason.contains("A work 1: 10.0 (-0.7 to 20.7)"), "{reason}");
}

#[test]
fn a_perfect_score_bounds_its_elo() {
    let perfect = |summary: &mut spielbaum_lab::Summary| {
        (summary.games, summary.distinct, summary.rounds) = (1000, 1000, 500);
        (summary.wins, summary.losses) = (1000, 0);
        summary.pairs = vec![0, 0, 0, 0, 500];
    };
    let above =
        |limit: u32| judge_with(&format!(r#"{{above = {limit}, of = "A[work=1].elo"}}"#), perfect);
    // Wilson's lower end of 500 rounds, z² / (n + z²): -400 log₁₀ (3.8415 / 500).
    let (judgement, reason) = above(800);
    assert!(reason.contains("A work 1: ≥ +846"), "{reason}");
    // The anchor is gone, but what was found is told.
    assert_eq!(judgement, Judgement::Open);
    assert!(!reason.contains("undecided"), "{reason}");
    assert!(above(900).1.contains("undecided"), "{}", above(900).1);
    let (_, against) = judge_with(r#"{greater = ["A[work=1].elo", "A[work=2].elo"]}"#, perfect);
    assert_eq!(against, "1 value not measured yet", "part 2 has no rounds here");
}

#[test]
fn at_large_tables_rounds_are_the_evidence() {
    let rule = r#"{above = 0.5, of = "A[work=1].score"}"#;
    let large = |pairs: Vec<u64>| {
        judge_with(rule, |summary| {
            summary.seats = vec![None; 3];
            summary.rounds = pairs.iter().sum();
            summary.pairs = pairs.clone();
        })
    };
    // 760 of 1000 games, in ten rounds of a hundred that go all one way or all the other.
    let mut pairs = vec![0; 201];
    (pairs[200], pairs[0], pairs[120]) = (7, 2, 1);
    assert_eq!(large(pairs).0, Judgement::Open);
    let rule = r#"{above = 0.5, of = "A[work=1].wins"}"#;
    let wins = |seats: usize| {
        judge_with(rule, |summary| (summary.seats, summary.rounds) = (vec![None; seats], 10)).0
    };
    assert_eq!((wins(2), wins(3)), (Judgement::Confirmed, Judgement::Open));
}

#[test]
fn no_rule_rests_on_numbers_without_intervals() {
    for metric in ["time", "los"] {
        let text = with_claim(&format!(r#"{{above = 1, of = "A[work=1].{metric}"}}"#));
        let told = parse(&text).unwrap_err().to_string();
        assert!(told.contains(&format!("no rule can rest on `{metric}`")), "{told}");
    }
}
