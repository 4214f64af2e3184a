//! The table of the commands that look at one position.

use crate::common::{GAME, game, player};
use spielbaum_core::{Forfeit, Limits, Stop};
use spielbaum_lab::{Acting, AnyTable};

fn table(text: &str) -> Box<dyn AnyTable> {
    GAME.open(&game(text)).unwrap()
}

#[test]
fn positions_moves_and_history() {
    let mut table = table("dice:length=2");
    assert_eq!((table.seats(), table.acting()), (2, Acting::Chance));
    assert_eq!(table.outcomes()[0], ("1".to_string(), 2));
    assert_eq!(table.moves(), ["1", "2", "3", "4"]);
    table.play_moves("3 take 4").unwrap();
    assert_eq!((table.text().as_str(), table.acting()), ("1 4 3,0", Acting::Seat(1)));
    assert_eq!(table.moves(), ["take"]);
    let error = table.play_moves("take 2 jump").unwrap_err();
    assert!(error.problem.starts_with("move 3: `jump`"), "{error}");
    assert_eq!(error.at, Some(7..11));
    assert_eq!(table.history(), ["3", "take", "4"], "nothing of a wrong sequence is played");
    assert!(table.play("leave").is_err());
    assert_eq!(table.undo().as_deref(), Some("4"));
    assert_eq!(table.scores(), Some(vec![3, 0]));
    assert_eq!(table.payoffs(), [1.0, 0.0]);

    table.set_position("3 2 5,1").unwrap();
    assert_eq!((table.history().len(), table.origin().as_deref()), (0, Some("3 2 5,1")));
    table.play("leave").unwrap();
    assert_eq!((table.acting(), table.moves().len()), (Acting::Over, 0));
    assert!(table.set_position("nonsense").is_err());
    assert_eq!(table.text(), "4 0 5,1");
    table.reset();
    assert_eq!((table.text().as_str(), table.undo()), ("0 0 0,0", None));
}

#[test]
fn taking_back_does_not_buy_another_throw() {
    let mut table = table("dice");
    table.seed(3);
    let first = table.roll().unwrap();
    assert_eq!(table.roll(), None, "a player is to move");
    for _ in 0..5 {
        assert_eq!(table.undo().as_deref(), Some(first.as_str()));
        assert_eq!(table.roll().as_deref(), Some(first.as_str()));
    }
}

#[test]
fn players_think_within_limits_and_report_in_text() {
    let mut table = table("dice");
    table.play("3").unwrap();
    table.sit(0, &player("greedy:work=500"), 1).unwrap();
    let mut live = Vec::new();
    let mut sink = |report: &spielbaum_core::Report<String>| live.push(report.best.clone());
    let none = Limits::default();
    let report = table.think(0, none, &[], &Stop::new(), Some(&mut sink)).unwrap();
    assert_eq!((report.best.as_str(), report.nodes, report.iterations), ("take", 500, 1));
    assert_eq!(live, ["take"]);
    let report = table.think(0, Limits::nodes(20), &[], &Stop::new(), None).unwrap();
    assert_eq!(report.nodes, 20);
    let stop = Stop::new();
    stop.set();
    assert!(table.think(0, none, &[], &stop, None).unwrap().nodes < 500);
    // Mistakes of the caller are answers, not panics.
    let only = ["jump".to_string()];
    assert!(matches!(table.think(0, none, &only, &stop, None), Err(Forfeit::Illegal(_))));
    assert!(matches!(table.think(4, none, &[], &stop, None), Err(Forfeit::Crashed(_))));
    table.play("take").unwrap();
    assert!(matches!(table.think(0, none, &[], &stop, None), Err(Forfeit::Illegal(_))));
}

#[test]
fn counting() {
    let table = table("dice:length=1");
    assert_eq!(table.perft(2), 7);
    assert_eq!(table.perft(4), 49);
    let parts = table.divide(2);
    assert_eq!(parts[3], ("4".to_string(), 1));
    assert_eq!(parts.iter().map(|(_, n)| n).sum::<u64>(), 7);
    assert_eq!(table.playouts(10, 1), 40);
    assert_eq!(table.text(), "0 0 0,0");
}
