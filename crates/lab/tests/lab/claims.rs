//! How sure claims have to be: of several comparisons, and of games whose number nobody fixed.

use crate::replication::{judge, results};
use Judgement::{Confirmed, Open, Refuted};
use spielbaum_lab::replication::{Judgement, Replication};
use spielbaum_lab::{Outcome, Summary};

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
    let mut results = results(rule, [760, -1, 640]);
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
    assert_eq!(peeked(two, lost, false, |_| {}).0, Confirmed);
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
}

#[test]
fn games_of_several_parts_are_counted_together() {
    let pooled = r#"{below = 0.5, pooled = ["A[work=2].score", "A[work=3].score"]}"#;
    let third = |results: &mut spielbaum_lab::Results, pairs: [u64; 5]| {
        let Outcome::Match { summary, .. } = &mut results.parts[2].outcome else {
            panic!("a match")
        };
        summary.pairs = pairs.to_vec();
    };
    let judged = |pairs: [[u64; 5]; 2]| {
        let mut results = results(pooled, [760, 240, 240]);
        let Outcome::Match { summary, .. } = &mut results.parts[1].outcome else {
            panic!("a match")
        };
        summary.pairs = pairs[0].to_vec();
        third(&mut results, pairs[1]);
        let replication = Replication::of(&results).unwrap();
        (replication.claims[0].judgement, replication.claims[0].reason.clone())
    };
    let (judgement, reason) = judged([[300, 0, 160, 0, 40], [300, 0, 160, 0, 40]]);
    assert_eq!(judgement, Confirmed);
    assert!(reason.starts_with("2 parts together: 24.0 % ("), "{reason}");
    // A part that was not played leaves nothing to be said of all.
    assert_eq!(judged([[300, 0, 160, 0, 40], [0; 5]]).1, "1 values not measured yet");
    for (wrong, told) in [
        (r#"["A[work=1].score", "A[work=2].wins"]"#, "`wins` cannot be pooled here"),
        (r#"["A[work=1].plies", "A[work=2].plies"]"#, "`plies` cannot be pooled here"),
        ("[]", "`pooled` is an empty list"),
        (r#""A.score""#, "`pooled` is a text"),
    ] {
        let text = crate::replication::with_claim(&format!("{{below = 0.5, pooled = {wrong}}}"));
        let error = crate::experiment::parse(&text).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
