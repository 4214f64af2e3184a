//! First scene: one game, both sides' thoughts beside the board.

use super::screen::Screen;
use super::{BOARD, SEED, bar, failed};
use crate::catalog;
use crate::failure::Outcome;
use crate::layout;
use spielbaum_core::{Limits, Proof, Report, Rng, Stop};
use spielbaum_lab::{Acting, AnyTable};
use std::time::{Duration, Instant};

const PLAYERS: [&str; 2] = ["uct:iterations=150k", "alphabeta:nodes=1M"];
const WHAT: [&str; 2] = ["samples games", "searches all lines"];
/// A move is shown at least so long.
const DWELL: Duration = Duration::from_millis(700);
/// Columns of a bar.
const BAR: usize = 24;

/// What is shown of a side.
#[derive(Clone, Default)]
struct Side {
    value: Option<f32>,
    told: String,
    line: String,
    spent: String,
    proven: Option<Proof>,
}

fn plays(n: u64) -> String {
    if n < 10_000 { layout::count(n) } else { layout::short(n as f64) }
}

impl Side {
    fn of(report: &Report<String>) -> Self {
        let told = match report.proven {
            Some(proof) => format!("a proven {}", proof.name()),
            None => format!("{:.0} %", 100.0 * report.value),
        };
        let line: Vec<&str> = report.pv.iter().map(String::as_str).take(7).collect();
        let more = if report.pv.len() > line.len() { " …" } else { "" };
        Side {
            value: Some(report.value),
            told,
            line: line.join(" ") + more,
            spent: format!("{} plays, {} deep", plays(report.nodes), report.depth),
            proven: report.proven,
        }
    }
}

pub(super) fn show(screen: &mut Screen<'_>) -> Outcome {
    let (game, args) = catalog::game(BOARD)?;
    let mut table = game.open(&args)?;
    for (seat, text) in PLAYERS.iter().enumerate() {
        let player = catalog::player(game, text)?;
        table.sit(seat, &player, Rng::split(SEED, seat as u64))?;
    }
    let number = screen.paint.dim("1");
    screen.say(&format!(" {number}  Four in a row on 6 x 6: two ways to look ahead\n\n"))?;

    let mut sides = [Side::default(), Side::default()];
    let mut told = Vec::new();
    let mut boards = vec![table.diagram()];
    while let Acting::Seat(seat) = table.acting() {
        let began = Instant::now();
        let now = (boards.last().cloned().unwrap_or_default(), seat);
        screen.frame(&frame(screen, &now.0, &sides, Some(seat)))?;
        let mut watch = |report: &Report<String>| {
            sides[seat] = Side::of(report);
            let lines = frame(screen, &now.0, &sides, Some(seat));
            // A terminal that went away is noticed by the next frame.
            let _ = screen.frame(&lines);
        };
        let report = table
            .think(seat, Limits::default(), &[], &Stop::new(), Some(&mut watch))
            .map_err(failed)?;
        sides[seat] = Side::of(&report);
        screen.frame(&frame(screen, &now.0, &sides, Some(seat)))?;
        screen.pause(DWELL.saturating_sub(began.elapsed()));
        table.play(&report.best).map_err(failed)?;
        told.push(Told { mv: report.best.clone(), side: sides[seat].clone() });
        boards.push(table.diagram());
    }
    if screen.live {
        let last = boards.last().cloned().unwrap_or_default();
        screen.last_frame(&frame(screen, &last, &sides, None))?;
    } else {
        film(screen, table.as_ref(), &told, &boards)?;
    }
    if let Some(story) = story(&told, &table.payoffs()) {
        screen.say(&format!("\n    {story}"))?;
    }
    screen.say("")
}

/// A move and what its player thought.
struct Told {
    mv: String,
    side: Side,
}

/// What the winner knew, and since when.
fn story(told: &[Told], payoffs: &[f32]) -> Option<String> {
    let winner = payoffs.iter().position(|&p| p == 1.0)?;
    let first = |proof: Proof| {
        let mut moves = told.iter().enumerate().skip(winner).step_by(2);
        moves.find(|(_, told)| told.side.proven == Some(proof)).map(|(ply, _)| ply + 1)
    };
    let names = ["X", "O"];
    let (name, other) = (names[winner % 2], names[1 - winner % 2]);
    match (first(Proof::Loss), first(Proof::Win)?) {
        (Some(loss), win) if loss < win => Some(format!(
            "{name} knew at move {loss} that it was lost, {other} did not; \
             at move {win} {name} knew better."
        )),
        (_, win) => Some(format!("{name} knew at move {win} that it would win.")),
    }
}

/// The board, and each side's thoughts beside it.
fn frame(screen: &Screen<'_>, board: &str, sides: &[Side; 2], mover: Option<usize>) -> Vec<String> {
    let paint = screen.paint;
    let names = ["X".to_string(), "O".to_string()];
    let mut panel = Vec::new();
    for (seat, side) in sides.iter().enumerate() {
        let state = if mover == Some(seat) { "thinking" } else { "" };
        let name = paint.seat(seat, &format!("{}  {:<21}", names[seat], PLAYERS[seat]));
        let what = paint.dim(&format!("{:<19}", WHAT[seat]));
        panel.push(format!("{name} {what} {}", paint.bold(state)));
        let (full, empty) = bar(f64::from(side.value.unwrap_or(0.5)), BAR);
        let bar = match side.value {
            Some(_) => paint.seat(seat, &full) + &paint.dim(&empty),
            None => paint.dim(&"░".repeat(BAR)),
        };
        panel.push(format!("   {bar} {}", side.told));
        panel.push(format!("   {}", side.line));
        panel.push(format!("   {}", paint.dim(&side.spent)));
    }
    let mut lines = Vec::new();
    for (i, row) in board.lines().enumerate() {
        let pad = " ".repeat(25usize.saturating_sub(row.chars().count()));
        let row = paint.board(row, &names);
        let thought = panel.get(i).map_or("", String::as_str);
        lines.push(format!("    {row}{pad}{thought}"));
    }
    lines
}

/// The game as text: the moves with what their players thought, and three boards.
fn film(
    screen: &mut Screen<'_>,
    table: &dyn AnyTable,
    told: &[Told],
    boards: &[String],
) -> Outcome {
    let names = [table.seat_name(0), table.seat_name(1)];
    for (seat, name) in names.iter().enumerate() {
        screen.say(&format!("    {name}  {:<21} {}", PLAYERS[seat], WHAT[seat]))?;
    }
    screen.say("\n    each move with the chance to win that its player sees\n\n")?;
    for (turn, pair) in told.chunks(2).enumerate() {
        let moves: Vec<String> = (pair.iter().zip(&names))
            .map(|(Told { mv, side }, name)| {
                format!("{:<22}", format!("{name} {mv}  {}", side.told))
            })
            .collect();
        screen.say(format!("    {:>2}. {}", turn + 1, moves.join(" ")).trim_end())?;
    }
    let last = boards.len() - 1;
    let chosen = [last / 3, last * 2 / 3, last];
    let rows = chosen.map(|i| boards[i].lines().collect::<Vec<_>>());
    let mut lines = vec![String::new()];
    for row in 0..rows[2].len() {
        let cells = rows.each_ref().map(|board| format!("{:<24}", board.get(row).unwrap_or(&"")));
        lines.push(format!("    {}", cells.concat()));
    }
    screen.last_frame(&lines)
}
