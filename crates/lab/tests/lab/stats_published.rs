//! The statistics of a published study, all of them: data/published/README.md.

use spielbaum_lab::stats::Wdl;
use spielbaum_lab::stats::elo::{elo, los};

const TABLES: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/published/xiangqi_elo.csv"));

/// What is wrong in print: table, line of the table, column, printed, right.
const MISPRINTS: [(&str, usize, &str, &str, &str); 8] = [
    ("4.1", 1, "los_a", "8.67", "8.68"), // 8.678, and its counterpart is printed 91.32
    ("B.2", 1, "wins_b", "2", "3"),      // 60 games, 5 %
    ("C.1", 1, "los_a", "89", "88.97"),  // rounded once more; its counterpart is 11.03
    ("C.1", 5, "los_a", "76.03", "76.02"), // 76.02499, rounded twice; its counterpart is 23.98
    ("C.2", 1, "los_b", "99.99", "99.98"), // 99.98497, rounded twice; its counterpart is 0.02
    ("D.2", 2, "elo", "389", "398"),     // figures swapped
    ("D.4", 3, "elo", "355", "354"),     // 354.498, rounded twice
    ("E.2", 1, "wins_b", "7", "6"),      // 60 games, 10 %
];

#[test]
fn elo_and_superiority_agree_with_every_printed_value() {
    let columns: Vec<&str> = TABLES.lines().next().unwrap().split(',').collect();
    let (mut table, mut line, mut used) = ("", 0, 0);
    let [mut elos, mut likelihoods] = [0; 2];
    for row in TABLES.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        line = if cells[0] == table { line + 1 } else { 1 };
        table = cells[0];
        let mut get = |name: &str| {
            let printed = cells[columns.iter().position(|c| *c == name).unwrap()];
            let slip = MISPRINTS.iter().find(|m| (m.0, m.1, m.2) == (table, line, name));
            slip.map_or(printed, |&(.., wrong, right)| {
                assert_eq!(printed, wrong, "{row}");
                used += 1;
                right
            })
        };
        let [games, wins, draws, losses] =
            ["games", "wins_a", "draws", "wins_b"].map(|name| get(name).parse::<u64>().unwrap());
        let a = Wdl::new(wins, draws, losses);
        let b = Wdl::new(losses, draws, wins);
        assert_eq!(a.total(), games, "{row}");
        let better = if get("elo_of") == "a" { &a } else { &b };
        let own = better.score().and_then(elo);
        match get("elo") {
            "undefined" => assert_eq!(own, None, "{row}"),
            printed => assert_eq!(format!("{:.0}", own.unwrap()), printed, "{row}"),
        }
        elos += 1;
        for (side, name) in [(&a, "los_a"), (&b, "los_b")] {
            let printed = get(name);
            if !printed.is_empty() {
                let printed: f64 = printed.parse().unwrap();
                let own = 100.0 * los(side);
                assert!((own - printed).abs() <= 0.005, "{own} is not {printed}: {row}");
                likelihoods += 1;
            }
        }
    }
    assert_eq!((elos, likelihoods, used), (98, 172, MISPRINTS.len()));
}
