//! `match`: players against each other, recorded and counted.

mod sprt;
mod summary;

use crate::args::{Budget, count, count_to};
use crate::catalog;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::watch::Watch;
use clap::{Args, ValueEnum};
use spielbaum_lab::{self as lab, Ending, Openings, Plan, Seating, Store};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
An opening file has one opening in each line, moves separated by blanks, or
`position: TEXT`; what follows `#` is a comment. They are used in order, again and
again.

Two players on a two-player game play each opening twice, with sides swapped. On a
one-player game each plays alone and meets the same chance events. At a table of
three to five all seatings are played. Games are rounded up to whole rounds.

With --out the games are recorded in DIR, and the same command continues a match
that was interrupted. The records are the same on any number of threads. A player
that needs a budget and has none gets 1000000 nodes for a move.

JSON, from the side of the first player:
  {\"games\", \"wins\", \"draws\", \"losses\", \"score\", \"score_ci\", \"elo\", \"elo_ci\",
   \"los\", \"plies\", ...}; intervals hold with 95 %, what is not finite is null

Examples:
  spielbaum match gomoku:m=6,n=6,k=4 uct:iterations=2000 random --games 200 --seed 7
  spielbaum match gomoku uct:c=0.7 uct:c=1.4 --nodes 200k --sprt elo0=0,elo1=20 --out tuning
  spielbaum match pig:players=3 uct uct:c=0.5 random --iterations 500";

/// Let players play a match and count the results
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Match {
    /// The game, such as `gomoku:m=6,n=6,k=4`
    game: String,

    /// The players; results are told from the side of the first
    #[arg(required = true, num_args = 1..=5, value_name = "PLAYER")]
    players: Vec<String>,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    games: u64,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Record the games in this directory, or continue the match recorded there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How games begin: `none`, `random:PLIES`, or a file with an opening in each line
    /// [default: the game's, see `list`]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,

    /// Settle a game as it stands after so many moves
    #[arg(long, value_name = "N", default_value_t = lab::MAX_PLIES, value_parser = count_to(u32::MAX))]
    max_plies: u32,

    /// Stop as soon as a sequential test has decided:
    /// elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalised|logistic|bayes
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Seatings at a table of three to five: every assignment of players to seats, or the
    /// order given, moved on by one seat from game to game
    #[arg(long, value_enum, default_value_t = Seatings::All)]
    seatings: Seatings,

    /// Do not show how the match goes
    #[arg(long, short)]
    quiet: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    budget: Budget,
}

#[derive(Clone, Copy, ValueEnum)]
enum Seatings {
    All,
    Rotate,
}

impl Match {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let (game, mut plan) = self.plan()?;
        if let Some(dir) = &self.out {
            plan = plan.as_recorded(dir);
        }
        let store = match &self.out {
            Some(dir) => Some(Store::create(dir, &plan)?),
            None => None,
        };
        let stop =
            interrupt::on_ctrl_c("finishing the games that are running (Ctrl-C again: give up)")?;
        let jobs = self.jobs.map_or_else(cores, usize::from);
        self.tell_rounding(&plan);
        let mut watch = Watch::new(vec![String::new()], self.quiet);
        let finished = lab::run(game, &plan, store.as_ref(), jobs, &stop, &mut |p| watch.show(p));
        watch.finish();
        let finished = finished?;

        if self.json {
            out.json(&summary::answer(&finished))?;
        } else {
            out.text(&summary::describe(&plan, &finished))?;
        }
        match finished.ending {
            Ending::Complete | Ending::Decided(_) | Ending::Narrow => Ok(()),
            Ending::Interrupted => {
                out.flush()?;
                Err(Failure::Interrupted(self.how_to_go_on()))
            }
        }
    }

    fn plan(&self) -> Result<(&'static dyn lab::AnyGame, Plan), Failure> {
        let (game, args) = catalog::game(&self.game)?;
        let players = (self.players.iter())
            .map(|text| catalog::player(game, text))
            .collect::<Result<Vec<_>, _>>()?;
        let request = lab::Match {
            limits: self.budget.limits(),
            openings: self.openings.as_deref().map(Openings::read).transpose()?,
            seed: self.seed,
            games: self.games,
            seating: match self.seatings {
                Seatings::All => Seating::All,
                Seatings::Rotate => Seating::Rotate,
            },
            max_plies: self.max_plies,
            sprt: self.sprt.as_deref().map(sprt::read).transpose()?,
            ..lab::Match::new(args, players)
        };
        Ok((game, Plan::new(game, request)?))
    }

    /// Whole rounds are played: who asked for fewer games should know.
    fn tell_rounding(&self, plan: &Plan) {
        let games = plan.schedule.games();
        if games != self.games && !self.quiet {
            let round = plan.header().games_per_round;
            let note = format!("note: a round has {round} games, so {games} games are played");
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }

    fn how_to_go_on(&self) -> String {
        match &self.out {
            Some(dir) => format!(
                "interrupted; what was finished is in {}, the same command continues:\n  {}",
                dir.display(),
                std::env::args().map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
            ),
            None => "interrupted; with --out DIR a match can be continued".to_string(),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+:,./%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("uct:c=0.9,time=2s"), "uct:c=0.9,time=2s");
        assert_eq!(quoted("uct:playout=mast(k=4)"), "'uct:playout=mast(k=4)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
