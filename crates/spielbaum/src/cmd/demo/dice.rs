//! Third scene: a decision under chance.

use super::screen::Screen;
use super::{SEED, bar, failed};
use crate::catalog;
use crate::failure::Outcome;
use spielbaum_core::{Limits, Report, Stop};
use std::time::{Duration, Instant};

const PLAYER: &str = "uct:iterations=100k";
const POTS: [u32; 6] = [5, 10, 15, 20, 25, 30];
const DWELL: Duration = Duration::from_millis(500);
const BAR: usize = 16;

pub(super) fn show(screen: &mut Screen<'_>) -> Outcome {
    let paint = screen.paint;
    let number = paint.dim("3");
    screen.say(&format!(
        " {number}  Pig, 40 points each, 100 win: roll on, or hold and take the pot?\n    \
         Every roll adds to the pot, but a one loses it and the turn.\n\n"
    ))?;
    let (game, args) = catalog::game("pig")?;
    let player = catalog::player(game, PLAYER)?;
    let heading = format!("    pot  {:<w$}{:<w$}", "if you roll", "if you hold", w = BAR + 11);
    let mut lines = vec![paint.dim(heading.trim_end())];
    let mut holds = None;
    for pot in POTS {
        let began = Instant::now();
        let mut table = game.open(&args)?;
        table.set_position(&format!("scores=40,40 turn=0 pot={pot}")).map_err(failed)?;
        table.sit(0, &player, SEED)?;
        let report = table.think(0, Limits::default(), &[], &Stop::new(), None).map_err(failed)?;
        if report.best == "hold" {
            holds = holds.or(Some(pot));
        }
        lines.push(row(screen, pot, &report));
        screen.frame(&lines)?;
        screen.pause(DWELL.saturating_sub(began.elapsed()));
    }
    let end = match holds {
        Some(pot) => format!("the search holds from a pot of {pot} on"),
        None => "the search rolls on, whatever is in the pot".to_string(),
    };
    lines.push(String::new());
    lines.push(format!("    {end}; an old rule of thumb says 20"));
    screen.last_frame(&lines)?;
    screen.say("")
}

fn row(screen: &Screen<'_>, pot: u32, report: &Report<String>) -> String {
    let paint = screen.paint;
    let mut row = format!("    {pot:>3}  ");
    for name in ["roll", "hold"] {
        let value = report.lines.iter().find(|line| line.mv == name).map(|line| line.value);
        let (full, empty) = bar(f64::from(value.unwrap_or(0.0)), BAR);
        let best = report.best == name;
        let full = if best { paint.good(&full) } else { full };
        let share = value.map_or("-".to_string(), |v| format!("{:.1} %", 100.0 * v));
        row += &format!("{full}{} {share:>7}   ", paint.dim(&empty));
    }
    row + &paint.good(&report.best)
}
