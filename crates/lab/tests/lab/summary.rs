//! What people and programs read.

use crate::common::{GAME, request};
use spielbaum_core::Stop;
use spielbaum_lab::stats::{Model, Sprt};
use spielbaum_lab::{Match, Plan, Summary, run};

fn summary(request: Match) -> Summary {
    let plan = Plan::new(GAME, request).unwrap();
    run(GAME, &plan, None, 1, &Stop::new(), &mut |_| {}).unwrap().summary
}

#[test]
fn tables_for_people() {
    let sprt = Some(Sprt::new(0.0, 30.0, 0.05, 0.05, Model::Normalised).unwrap());
    let two = summary(Match { sprt, ..request("dice", &["greedy", "coin"], 20) });
    assert_eq!(two.table(None), TWO);
    let one = summary(request("dice:seats=1", &["greedy", "coin"], 20));
    assert_eq!(one.table(None), ONE);
    let five = summary(request("dice:seats=5", &["greedy", "faulty:after=0"], 60));
    assert_eq!(five.table(None), FIVE);
}

#[test]
fn json_for_programs() {
    let two = summary(request("dice", &["greedy", "faulty:after=0"], 20));
    let value: serde_json::Value = serde_json::from_str(&two.json().unwrap()).unwrap();
    for (key, expected) in [
        ("games", "20"),
        ("wins", "20"),
        ("draws", "0"),
        ("losses", "0"),
        ("score", "1.0"),
        ("elo", "null"),
        ("score_ci", "[0.722467,1.0]"),
        ("elo_ci", "[166.201527,null]"),
        ("los", "0.999996"),
        ("pairs", "[0,0,0,0,10]"),
    ] {
        assert_eq!(value[key].to_string(), expected, "{key}");
    }
    assert_eq!(serde_json::from_value::<Summary>(value).unwrap(), two);
}

const TWO: &str = "\
games       20 in 10 rounds
result      15 wins, 0 draws, 5 losses
score       75.0 %   95 %: 53.1 to 93.9 %
Elo         +191   95 % by rounds: +43 to +473
superiority 98.7 % likely
SPRT        LLR 0.80 in (-2.94, 2.94), undecided
plies       12.0 in a game (12 to 12)
A  greedy
     each move: 1 iterations, 10 nodes, 1.0 plies deep
     points 9.40   95 %: 7.392 to 11.408
B  coin
     points 2.40   95 %: -0.708 to 5.508
";
const ONE: &str = "\
games       20 in 10 rounds
result      9 wins, 1 draws, 0 losses
score       95.0 %   95 %: 65.5 to 100.0 %
Elo         +512   95 % by rounds: +284 to +∞
difference  +6.000   95 %: 3.639 to 8.361
superiority 99.9 % likely
plies       6.0 in a game (6 to 6)
A  greedy
     each move: 1 iterations, 10 nodes, 1.0 plies deep
     points 8.30   95 %: 4.978 to 11.622
B  coin
     points 2.30   95 %: -1.926 to 6.526
";
const FIVE: &str = "\
games       60 in 2 rounds
result      60 wins, 0 draws, 0 losses
score       100.0 %   95 %: 34.2 to 100.0 %
Elo         ≥ -113   95 % by rounds
difference  +0.100
plies       1.9 in a game (1 to 5)
A  greedy
     each move: 1 iterations, 10 nodes, 1.0 plies deep
     payoff 0.250 (an equal share: 0.200)
     points 1.01   95 %: -5.424 to 7.451
B  faulty:after=0
     payoff 0.150 (an equal share: 0.200)
     points 0.10   95 %: -8.794 to 8.994
     forfeited 60 games, the first: failed: the pipe is broken
";
