//! `traps`: how treacherous a game is for searches that average.

use crate::args::count_to;
use crate::catalog;
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::{FORMAT, Output};
use crate::screen::{self, Screen};
use clap::Args;
use serde::Serialize;
use spielbaum_core::Rng;
use spielbaum_lab::traps::{self, LevelTraps, Probe, TrapProfile};
use spielbaum_lab::{self as lab, Plan};

const AFTER_HELP: &str = "\
The player plays against itself. In each position every move is searched exactly:
it is a trap of level k (1, 3, 5, ...) if the opponent can then force a win within
k plies, no less, and another move avoids a loss within k plies. (Ramanujan,
Sabharwal and Selman 2010; Baier and Winands 2014.) A position is at risk if it has
a trap up to level 3. Traps mislead a Monte-Carlo search as far as random playouts
behind them end well: a playout is wrong if the player who stepped in does not lose.
Intervals hold with 95 % and take games, not positions, as independent.

JSON: {\"games\", \"positions\", \"moves\", \"at_risk\", \"density\", \"density_ci\",
  \"levels\": [{\"level\", \"traps\", \"positions\", \"fallen\", \"wrong\", \"wrong_ci\"}], \"all\",
  \"plies\": [{\"first\", \"last\", \"positions\", \"at_risk\", \"density\", \"density_ci\"}], ...};
  shares are from 0 to 1; fallen is how often a trap was played although a move
  does not lose within K plies

Examples:
  spielbaum traps lion
  spielbaum traps gomoku:m=6,n=6,k=4 mcts-mr:iterations=200 --games 50 --levels 3";

/// Count the search traps along games, and how playouts misjudge them
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Traps {
    /// The game, such as `lion:rules=code`; for two players, without chance
    game: String,

    /// The player that plays against itself
    #[arg(default_value = "mcts-solver:iterations=1000")]
    player: String,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count_to(1_000_000))]
    games: u32,

    /// The highest level of traps, an odd number
    #[arg(long, value_name = "K", default_value = "5", value_parser = odd)]
    levels: u32,

    /// Random playouts after each trap
    #[arg(long, value_name = "R", default_value_t = 100, value_parser = count_to(1_000_000))]
    rollouts: u32,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

fn odd(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(levels) if levels % 2 == 1 && levels <= 15 => Ok(levels),
        _ => Err("an odd number from 1 to 15: the opponent makes the last move".to_string()),
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    game: String,
    player: String,
    openings: String,
    seed: u64,
    #[serde(flatten)]
    profile: &'a TrapProfile,
}

impl Traps {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let (game, plan) = self.plan()?;
        let seed = Rng::split(self.seed, u64::from_be_bytes(*b"playouts"));
        let probe = Probe { levels: self.levels, rollouts: self.rollouts, seed };
        let jobs = self.jobs.map_or_else(cores, usize::from);
        // On standard error, and only if that is a terminal.
        let (mut screen, seen) = (Screen::default(), Screen::is_there());
        let mut show = |done: u64| {
            if seen {
                let words = format!("{done}/{} games", self.games);
                screen.draw(&[screen::bar(done as f64 / f64::from(self.games.max(1)), &words)]);
            }
        };
        let profile = traps::profile(game, &plan, self.games.into(), &probe, jobs, &mut show);
        screen.clear();
        let profile = profile?;
        let answer = Answer {
            format: FORMAT,
            game: plan.game.to_string(),
            player: plan.players[0].to_string(),
            openings: plan.header().openings.clone(),
            seed: self.seed,
            profile: &profile,
        };
        if self.json { out.json(&answer) } else { Ok(out.text(&describe(&answer))?) }
    }

    fn plan(&self) -> Result<(&'static dyn lab::AnyGame, Plan), Failure> {
        let (game, args) = catalog::game(&self.game)?;
        if !game.has_traps() {
            let able = catalog::GAMES.iter().filter(|g| g.has_traps());
            let able: Vec<&str> = able.map(|g| g.schema().name).collect();
            let error = args.name_error("traps are of two players without chance");
            return Err(error.help(format!("games with traps: {}", able.join(", "))).into());
        }
        let player = catalog::player(game, &self.player)?;
        let request = lab::Match {
            seed: self.seed,
            games: self.games.into(),
            ..lab::Match::new(args, vec![player.clone(), player])
        };
        Ok((game, Plan::new(game, request)?))
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn describe(a: &Answer<'_>) -> String {
    let p = a.profile;
    let mut text = String::new();
    let mut line = |head: &str, rest: String| text.push_str(&layout::hang(0, head, 12, &rest));
    line("game", format!("{}, openings {}, seed {}", a.game, a.openings, a.seed));
    line("player", format!("{} against itself", a.player));
    let moves = p.moves as f64 / p.positions.max(1) as f64;
    let (positions, games) = (layout::count(p.positions), layout::count(p.games));
    line("positions", format!("{positions} in {games} games, {moves:.1} moves each"));
    let range = interval(p.density_ci).map_or(String::new(), |ci| format!(", 95 %: {ci}"));
    let (density, level) = (percent(p.density), p.risk_level);
    line("at risk", format!("{density} of them have a trap up to level {level}{range}"));

    let rows: Vec<Vec<String>> = (p.levels.iter().map(|l| level_row(&l.level.to_string(), l, p)))
        .chain([level_row("all", &p.all, p)])
        .collect();
    let heading = ["level", "traps", "positions", "fallen into", "playouts wrong", "95 %"];
    text.push('\n');
    text.push_str(&layout::table(&heading, &rows));

    let rows: Vec<Vec<String>> = (p.plies.iter())
        .map(|row| {
            let plies = match (row.first, row.last) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            };
            let share = row.density.unwrap_or(0.0);
            vec![plies, layout::count(row.positions), percent(row.density), bar(share)]
        })
        .collect();
    text.push('\n');
    text.push_str(&layout::table(&["plies", "positions", "at risk", ""], &rows));
    text
}

fn level_row(name: &str, l: &LevelTraps, p: &TrapProfile) -> Vec<String> {
    let share = (p.positions > 0).then(|| l.positions as f64 / p.positions as f64);
    let range = interval(l.wrong_ci).unwrap_or_else(|| "-".to_string());
    vec![
        name.to_string(),
        layout::count(l.traps),
        percent(share),
        layout::count(l.fallen),
        percent(l.wrong),
        range,
    ]
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |s| format!("{:.1} %", 100.0 * s))
}

fn interval(ci: Option<[f64; 2]>) -> Option<String> {
    ci.map(|[low, high]| format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high))
}

/// A bar of 40 columns for all.
fn bar(share: f64) -> String {
    const WIDTH: usize = 40;
    format!("{:WIDTH$}", "#".repeat((share * WIDTH as f64).round() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_odd() {
        assert_eq!(odd("3"), Ok(3));
        for wrong in ["0", "2", "17", "-1", "x", ""] {
            assert!(odd(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bars_have_one_width() {
        assert_eq!(bar(0.5).trim_end().len(), 20);
        assert!([0.0, 0.3, 1.0].iter().all(|&s| bar(s).len() == 40));
    }
}
