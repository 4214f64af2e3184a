//! How sure claims have to be: of several comparisons, and of games whose number nobody fixed.

use crate::replication::{judge, results};
use Judgement::{Confirmed, Open, Refuted};
use spielbaum_lab::replication::{Judgement, Replication};
use spielbaum_lab::stats::{Level, Rounds, anytime};
use spielbaum_lab::{Outcome, Results, Summary};

#[test]
fn one_error_confirms_no_claim_about_all_but_refutes_it() {
    // 53.2 and 46.8 %: above and below ½ with 95 % by themselves, but not as one of three.
    let alone = |wins: i64| judge(r#"{above = 0.5, of = "A[work=2].score"}"#, [760, wins, 640]).0;
    assert_eq!([alone(532), alone(468)], [Confirmed, Refuted]);
    let all = |wins: i64| judge(r#"{above = 0.5, of = "A.score"}"#, [760, wins, 640]);
    assert_eq!(all(532).0, Confirmed);
    let (judgement, reason) = all(468);
    assert_eq!(judgement, Open);
    assert!(reason.starts_with("undecided: A work 2: 46.8 % (43.1 to 50.6)"), "{reason}");
    // The interval that refutes is the wider one.
    let (judgement, reason) = all(460);
    assert_eq!((judgement, &reason[..]), (Refuted, "A work 2: 46.0 % (42.3 to 49.8)"));
    // Nested or listed, comparisons are as many.
    let all = |wins: i64, rest: &str| {
        let rule = format!(
            r#"{{all = [{{above = 0.5, of = "A[work=1].score"}}, {{all = [{{above = 0.5, of = "A[work=2].score"}}{rest}]}}]}}"#
        );
        judge(&rule, [760, wins, 640]).0
    };
    let third = r#", {above = 0.5, of = "A[work=3].score"}"#;
    assert_eq!([all(532, third), all(468, third), all(464, third)], [Confirmed, Open, Open]);
    assert_eq!([all(464, ""), all(460, third)], [Refuted, Refuted]);
}

#[test]
fn one_error_refutes_no_claim_about_any_but_confirms_it() {
    let any = |rule: &str, wins: i64| {
        let parts =
            [1, 2, 3].map(|work| format!(r#"{{{rule} = 0.5, of = "A[work={work}].score"}}"#));
        let any = format!("{{any = [{}]}}", parts.join(", "));
        let neither = format!("{{not = {any}}}");
        [judge(&any, [760, wins, 640]).0, judge(&neither, [760, wins, 640]).0]
    };
    assert_eq!(any("below", 468), [Open, Open]);
    assert_eq!(any("below", 460), [Confirmed, Refuted]);
    // That all are above takes no wider intervals.
    assert_eq!(any("below", 532), [Refuted, Confirmed]);
}

/// The claim of a run whose second part has these pairs of games by half points, after a change.
fn peeked(
    rule: &str,
    pairs: [u64; 5],
    complete: bool,
    change: impl Fn(&mut Summary),
) -> (Judgement, bool, String) {
    peeked_in(results(rule, [760, -1, 640]), pairs, complete, change)
}

fn peeked_in(
    mut results: Results,
    pairs: [u64; 5],
    complete: bool,
    change: impl Fn(&mut Summary),
) -> (Judgement, bool, String) {
    let Outcome::Match { summary, .. } = &mut results.parts[0].outcome else { panic!("a match") };
    summary.pairs = vec![120, 0, 0, 0, 380];
    results.parts[1].complete = complete;
    let Outcome::Match { summary, .. } = &mut results.parts[1].outcome else { panic!("a match") };
    let rounds: u64 = pairs.iter().sum();
    // What is neither one point nor one lost was won and lost.
    let (ll, ld, wl, wd, ww) = (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
    (summary.wins, summary.draws, summary.losses) = (2 * ww + wd + wl, ld + wd, 2 * ll + ld + wl);
    (summary.rounds, summary.games, summary.distinct) = (rounds, 2 * rounds, 2 * rounds);
    summary.pairs = pairs.to_vec();
    change(summary);
    let replication = Replication::of(&results).unwrap();
    let claim = &replication.claims[0];
    (claim.judgement, claim.provisional, claim.reason.clone())
}

#[test]
fn what_holds_whenever_one_looks_is_decided_before_all_games_are_played() {
    let rule = r#"{below = 0.5, of = "A[work=2].score"}"#;
    let so_far = |pairs| {
        let (judgement, provisional, _) = peeked(rule, pairs, false, |_| {});
        (judgement, provisional)
    };
    // All of 24 games lost.
    assert_eq!(so_far([12, 0, 0, 0, 0]), (Confirmed, false));
    // 35.8 % of 60: below ½ if these were all the games there are.
    assert_eq!(so_far([9, 6, 10, 3, 2]), (Confirmed, true));
    assert_eq!(so_far([2, 2, 5, 2, 1]), (Open, true));
    let (judgement, provisional, reason) = peeked(rule, [9, 6, 10, 3, 2], true, |_| {});
    assert_eq!((judgement, provisional), (Confirmed, false));
    assert!(reason.starts_with("A work 2: 35.8 % ("), "{reason}");
    // A match that its own results ended is one that was looked at again and again.
    let (judgement, provisional, _) = peeked(rule, [9, 6, 10, 3, 2], true, |s| s.stopped = true);
    assert_eq!((judgement, provisional), (Open, false));
    let (judgement, provisional, _) = peeked(rule, [12, 0, 0, 0, 0], true, |s| s.stopped = true);
    assert_eq!((judgement, provisional), (Confirmed, false));
}

#[test]
fn differences_and_means_of_unfinished_parts_claim_no_more_than_they_may() {
    let lost = [40, 0, 0, 0, 0];
    let two = r#"{greater = ["A[work=1].score", "A[work=2].score"]}"#;
    let (judgement, provisional, reason) = peeked(two, lost, false, |_| {});
    assert_eq!((judgement, provisional), (Confirmed, false));
    // The first part is complete, and is looked at as often as the second.
    let rounds = Rounds::from_counts(vec![120, 0, 0, 0, 380]);
    let ends = anytime::score_interval(&rounds, Level::P95.bonferroni(2)).unwrap();
    let [low, high] = ends.map(|x| 100.0 * x);
    let first = format!("A work 1: 76.0 % ({low:.1} to {high:.1}) against ");
    assert!(reason.starts_with(&first), "{reason}");
    // 60 % of 80 games against 76 % of 1000: more than two intervals for one look leave, less than these do.
    let (judgement, provisional, _) = peeked(two, [8, 0, 16, 0, 16], false, |_| {});
    assert_eq!((judgement, provisional), (Confirmed, true));
    // No interval of a mean is known that would hold at all times.
    let plies = r#"{above = 30, of = "A[work=2].plies"}"#;
    let long = |summary: &mut Summary| {
        (summary.plies, summary.plies_ci) = (Some(90.0), Some([89.0, 91.0]));
    };
    let (judgement, provisional, _) = peeked(plies, lost, false, long);
    assert_eq!((judgement, provisional), (Confirmed, true));
    assert!(!peeked(plies, lost, true, long).1);
    // A mean that did not vary may vary in games to come; a budget that is always spent does not.
    let steady = |metric: &str, value: f64| {
        let set = move |summary: &mut Summary| {
            summary.plies_ci = Some([39.0, 41.0]);
            summary.players[0].depth = Some(value);
            summary.players[0].nodes_per_move = Some(value);
        };
        let rule = format!(r#"{{above = 3, of = "A[work=2].{metric}"}}"#);
        let (judgement, provisional, _) = peeked(&rule, lost, false, set);
        assert_eq!(judgement, Confirmed);
        assert!(!peeked(&rule, lost, true, set).1);
        provisional
    };
    assert_eq!([steady("depth", 7.0), steady("nodes", 7.0)], [true, true]);
    assert!(!steady("nodes", 1_000_000.0), "the budget");
    // In games that are all of one length, too: their plies have no interval.
    let spent = |s: &mut Summary| s.players[0].nodes_per_move = Some(1_000_000.0);
    let rule = r#"{above = 3, of = "A[work=2].nodes"}"#;
    let (judgement, provisional, _) = peeked(rule, [40, 0, 0, 0, 0], false, spent);
    assert_eq!((judgement, provisional), (Confirmed, false));
}

/// What a match's own results ended has an Elo at any time: that of the score.
#[test]
fn elo_of_a_stopped_match_is_that_of_its_score() {
    let rule = r#"{below = 0, of = "A[work=2].elo"}"#;
    let stopped = |pairs| peeked(rule, pairs, true, |s| s.stopped = true);
    let (judgement, provisional, reason) = stopped([40, 0, 20, 0, 0]);
    assert_eq!((judgement, provisional), (Confirmed, false));
    assert!(reason.starts_with("A work 2: -280 (-4"), "{reason}");
    let (judgement, _, reason) = stopped([9, 6, 10, 3, 2]);
    assert_eq!(judgement, Open);
    assert!(!reason.contains("inf"), "{reason}");
    assert!(stopped([12, 0, 0, 0, 0]).2.starts_with("A work 2: ≤ -"));
    // Where nothing is known no ends are shown.
    let repeated = |s: &mut Summary| (s.stopped, s.distinct) = (true, 2);
    let score = r#"{below = 0.5, of = "A[work=2].score"}"#;
    let (judgement, _, reason) = peeked(score, [9, 6, 10, 3, 2], true, repeated);
    assert_eq!((judgement, &reason[..]), (Open, "undecided: A work 2: 35.8 %"));
}

#[test]
fn games_that_were_added_after_a_look_are_those_of_many_looks() {
    let rule = r#"{below = 0.5, of = "A[work=2].score"}"#;
    let extended = "[[experiment]]\nextended = true\n";
    let text = crate::replication::EXPERIMENT.replace("[[experiment]]\n", extended);
    let judged = |text: &str, pairs| {
        let results = crate::replication::results_of(text, rule, [760, -1, 640]);
        let (judgement, provisional, _) = peeked_in(results, pairs, true, |_| {});
        (judgement, provisional)
    };
    // 35.8 % of 60 games.
    assert_eq!(judged(crate::replication::EXPERIMENT, [9, 6, 10, 3, 2]), (Confirmed, false));
    assert_eq!(judged(&text, [9, 6, 10, 3, 2]), (Open, false));
    assert_eq!(judged(&text, [12, 0, 0, 0, 0]), (Confirmed, false));
    let parse = |text: &str| crate::experiment::parse(text);
    assert!(parse(&text).unwrap().sections[0].extended);
    let wrong = parse(&text.replace("extended = true", "extended = 3")).unwrap_err().to_string();
    assert!(wrong.contains("`extended` is a whole number"), "{wrong}");
}
