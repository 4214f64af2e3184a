//! What a report says of published numbers beside ours.

use crate::replication::{EXPERIMENT, results_of};
use spielbaum_lab::{Outcome, Results, Summary, report};

const RULE: &str = r#"{above = 0.5, of = "A[work=1].score"}"#;

/// The report of a run with one more published number, after a change of its part.
fn told(row: &str, complete: bool, change: impl Fn(&mut Summary)) -> String {
    let row = format!("[[experiment.published]]\nat = {{work = \"1\"}}\n{row}\n");
    let mut results: Results = results_of(&format!("{EXPERIMENT}{row}"), RULE, [760, 530, 700]);
    results.parts[0].complete = complete;
    let Outcome::Match { summary, .. } = &mut results.parts[0].outcome else { panic!("a match") };
    change(summary);
    spielbaum_document::text(&report(&results), 1000)
}

/// The line of the table that has this in it.
fn line<'a>(text: &'a str, with: &str) -> &'a str {
    text.lines().find(|line| line.contains(with)).unwrap_or_else(|| panic!("{with}: {text}"))
}

#[test]
fn an_elo_difference_agrees_only_if_its_score_is_known() {
    let elo = |pairs: [u64; 5]| {
        let row = "metric = \"elo\"\nvalue = 201\ngames = 100";
        let text = told(row, true, |summary| {
            let rounds: u64 = pairs.iter().sum();
            (summary.rounds, summary.games, summary.distinct) = (rounds, 2 * rounds, 2 * rounds);
            summary.pairs = pairs.to_vec();
        });
        line(&text, " elo ").to_string()
    };
    // The same score of 1000 games and of 50.
    assert!(elo([60, 0, 120, 0, 320]).contains(" agrees"), "{}", elo([60, 0, 120, 0, 320]));
    assert!(elo([3, 0, 6, 0, 16]).contains(" no contradiction"), "{}", elo([3, 0, 6, 0, 16]));
}

#[test]
fn a_mean_agrees_only_if_it_is_known_to_a_tenth() {
    let plies = |half: f64| {
        let row = "metric = \"plies\"\nvalue = 41\ngames = 100";
        let text = told(row, true, |summary| {
            summary.rounds = 500;
            (summary.plies, summary.plies_ci) = (Some(40.0), Some([40.0 - half, 40.0 + half]));
        });
        // What it is lent is told below the table.
        assert!(text.contains("no spread is printed; the interval has that of ours"), "{text}");
        line(&text, " plies ").to_string()
    };
    assert!(plies(1.9).contains(" agrees"), "{}", plies(1.9));
    assert!(plies(2.1).contains(" no contradiction"), "{}", plies(2.1));
    // Of a share the games tell the interval.
    let text = told("metric = \"wins\"\nvalue = 0.7\ngames = 100", true, |_| {});
    assert!(!text.contains("no spread is printed"), "{text}");
}

/// 35 % of 60 games beside 50 % of very many: what one look would tell, and none that was chosen.
#[test]
fn what_differs_after_many_looks_does_so_by_an_interval_for_all_of_them() {
    let row = "metric = \"score\"\nvalue = 0.501\ngames = 1000000";
    let words = |row: &str, with: &str, pairs: [u64; 5], stopped: bool| {
        let text = told(row, true, |summary| {
            let rounds: u64 = pairs.iter().sum();
            (summary.rounds, summary.games, summary.distinct) = (rounds, 2 * rounds, 2 * rounds);
            let points: u64 = pairs.iter().zip(0..).map(|(pairs, points)| pairs * points).sum();
            (summary.wins, summary.losses) = (points / 2, 2 * rounds - points / 2);
            (summary.pairs, summary.stopped) = (pairs.to_vec(), stopped);
            (summary.plies, summary.plies_ci) = (Some(40.0), Some([39.0, 41.0]));
        });
        // Charts have the numbers as well, tables what was measured.
        let mut lines = text.lines().filter(|line| line.contains(with));
        lines
            .find(|line| line.contains("ours") || line.contains("contra"))
            .unwrap_or(&text)
            .to_string()
    };
    let few = [9, 6, 10, 3, 2];
    let once = words(row, "50.1", few, false);
    assert!(once.contains("ours is lower"), "{once}");
    let often = words(row, "50.1", few, true);
    assert!(often.contains("no contradiction"), "{often}");
    let many = words(row, "50.1", [40, 0, 0, 0, 0], true);
    assert!(many.contains("ours is lower") && !many.contains("so far"), "{many}");
    // Of a mean no such interval is known.
    let plies = "metric = \"plies\"\nvalue = 60\ngames = 100";
    let told = words(plies, " plies ", few, true);
    assert!(told.contains("ours is lower so far"), "{told}");
}

#[test]
fn a_section_that_was_extended_says_so() {
    let text = |experiment: &str| {
        spielbaum_document::text(&report(&results_of(experiment, RULE, [760, 530, 700])), 1000)
    };
    let extended = EXPERIMENT.replace("[[experiment]]\n", "[[experiment]]\nextended = true\n");
    let told = |text: String| text.contains("More games were planned after a look");
    assert_eq!([text(EXPERIMENT), text(&extended)].map(told), [false, true]);
}

#[test]
fn what_differs_before_all_games_are_played_does_so_far() {
    let row = "metric = \"wins\"\nvalue = 0.3\ngames = 100";
    let words = |complete: bool| {
        let text = told(row, complete, |_| {});
        assert_eq!(
            text.contains(" that differ more than chance explains (1 of them so far), "),
            !complete
        );
        line(&text, " wins ").contains("ours is higher so far")
    };
    assert_eq!([words(true), words(false)], [false, true]);
}
