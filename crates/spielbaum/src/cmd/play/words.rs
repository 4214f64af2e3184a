//! What is said about a game, in words.

use super::sitting::Sitting;
use crate::layout;
use spielbaum_core::Report;

/// A value for people: a share of the payoff in percent, points where one plays alone.
pub(super) fn value(seats: usize, value: f32) -> String {
    if seats > 1 && (0.0..=1.0).contains(&value) {
        format!("{:.1} %", 100.0 * value)
    } else {
        layout::value(value)
    }
}

/// What a search thinks of its move.
pub(super) fn thought(seats: usize, report: &Report<String>) -> String {
    let mut parts = Vec::new();
    match report.proven {
        Some(proof) => parts.push(format!("a proven {}", proof.name())),
        // A player that does not search has no opinion either.
        None if report.nodes > 0 => parts.push(format!("value {}", value(seats, report.value))),
        None => {}
    }
    if report.nodes > 0 {
        let nodes = layout::short(report.nodes as f64);
        parts.push(format!("depth {}, {nodes} nodes", report.depth));
    }
    parts.join(", ")
}

/// The result of a game that is over.
pub(super) fn result(sitting: &Sitting) -> String {
    let names = sitting.names();
    let points = points(sitting);
    let told = |text: String| if points.is_empty() { text } else { format!("{text}, {points}") };
    if let Some((seat, forfeit)) = &sitting.forfeit {
        let name = &names[*seat];
        return match names.len() {
            1 => told("you stop here".to_string()),
            2 => told(format!("{name} {forfeit}; {} wins", names[1 - seat])),
            _ => told(format!("{name} {forfeit}, and the game ends")),
        };
    }
    if names.len() == 1 {
        let payoff = sitting.table.payoffs().first().copied().unwrap_or_default();
        return match points.is_empty() {
            true => format!("the game is over with {}", layout::value(payoff)),
            false => format!("the game is over with {points}"),
        };
    }
    let payoffs = sitting.table.payoffs();
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners: Vec<usize> = (0..names.len()).filter(|&s| payoffs[s] == best).collect();
    told(match (&winners[..], sitting.only_person()) {
        (all, _) if all.len() == names.len() => "a draw".to_string(),
        ([winner], Some(you)) if *winner == you => format!("{} wins: you win!", names[*winner]),
        ([winner], Some(_)) => format!("{} wins, you lose", names[*winner]),
        ([winner], None) => format!("{} wins", names[*winner]),
        (several, _) => {
            let several: Vec<&str> = several.iter().map(|&s| names[s].as_str()).collect();
            format!("{} share the win", several.join(" and "))
        }
    })
}

/// `102 : 87`, or `21 points` of one; empty in games without points.
fn points(sitting: &Sitting) -> String {
    match sitting.table.scores().as_deref() {
        None => String::new(),
        Some([points]) => format!("{points} points"),
        Some(scores) => scores.iter().map(i32::to_string).collect::<Vec<_>>().join(" : "),
    }
}
