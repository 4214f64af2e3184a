//! `replay`: records checked against the rules, and looked at.

use crate::catalog::{GAMES, RECORDED};
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::{FORMAT, Output};
use clap::Args;
use serde::Serialize;
use spielbaum_lab::{self as lab, GameRecord, LabError, Plan, Store, Summary};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Plays the recorded moves by the rules: all must be legal, and length, result and
points what the record says. With --rerun the players play all games again, which
must give the same bytes; that needs budgets without wall time.

JSON: {\"format\", \"games\", \"units\", \"units_of_match\", \"moves\", \"verified\", \"rerun\",
       \"complete\", \"summary_agrees\", \"summary\": {...}}; with --game the game's record and its
       \"diagram\"

Examples:
  spielbaum match pig uct random --iterations 200 --games 20 --out pigs
  spielbaum replay pigs
  spielbaum replay pigs --rerun
  spielbaum replay pigs --game 3";

/// Verify the records of a match, or show one of its games
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Replay {
    /// The directory given to `match --out`
    dir: PathBuf,

    /// Let the players play all games again and compare
    #[arg(long)]
    rerun: bool,

    /// Show this game, counted from 0
    #[arg(long, value_name = "N", conflicts_with = "rerun")]
    game: Option<u64>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    games: u64,
    units: u64,
    units_of_match: u64,
    /// Whether moves are recorded and were verified.
    moves: bool,
    /// Games whose moves are.
    verified: u64,
    rerun: u64,
    complete: bool,
    summary_agrees: Option<bool>,
    summary: &'a Summary,
}

#[derive(Serialize)]
struct GameAnswer<'a> {
    format: u32,
    #[serde(flatten)]
    record: &'a GameRecord,
    players: Vec<&'a str>,
    diagram: String,
}

impl Replay {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        match self.game {
            Some(number) => self.show(number, out),
            None => self.verify(out),
        }
    }

    fn verify(&self, out: &mut Output) -> Outcome {
        let catalog = if self.rerun { GAMES } else { RECORDED };
        let replayed = lab::replay(&self.dir, catalog, self.rerun, &mut |_, _| {})?;
        let [units, all] = replayed.units;
        let answer = Answer {
            format: FORMAT,
            games: replayed.games,
            units,
            units_of_match: all,
            moves: replayed.moves == replayed.games,
            verified: replayed.moves,
            rerun: replayed.rerun,
            complete: replayed.summary_agrees.is_some(),
            summary_agrees: replayed.summary_agrees,
            summary: &replayed.summary,
        };
        if self.json {
            out.json(&answer)?;
        } else {
            out.text(&describe(&answer))?;
        }
        if replayed.summary_agrees == Some(false) {
            out.finish()?;
            let path = self.dir.join("summary.json");
            return Err(Failure::Task(format!("{} is not what the games say", path.display())));
        }
        Ok(())
    }

    fn show(&self, number: u64, out: &mut Output) -> Outcome {
        let header = lab::read_header(&self.dir)?;
        let (game, plan) = Plan::of_header(&header, RECORDED)?;
        Store::open(&self.dir, &plan).games_are_here()?;
        let record = find(&plan, &self.dir, number)?;
        if record.digest.is_some() {
            return Err(Failure::Input(format!("game {number} was recorded without its moves")));
        }
        game.verify(&plan, &record)?;

        let mut table = game.open(&plan.game)?;
        let wrong = |e| LabError::Replay { game: number, problem: format!("{e}") };
        if let Some(text) = &record.position {
            table.set_position(text).map_err(wrong)?;
        }
        table.play_moves(&record.moves).map_err(wrong)?;
        let players: Vec<&str> =
            record.seats.iter().map(|&p| header.players[p].spec.as_str()).collect();
        if self.json {
            let diagram = table.diagram();
            return out.json(&GameAnswer { format: FORMAT, record: &record, players, diagram });
        }
        let mut text = format!("game {number} of {}\n", header.game.spec);
        for (seat, player) in players.iter().enumerate() {
            let payoff = layout::value(record.payoffs[seat]);
            let points = record.scores.as_ref().map(|s| format!(", points {}", s[seat]));
            let result = format!("{player}: payoff {payoff}{}", points.unwrap_or_default());
            text += &layout::hang(2, &format!("player {}", seat + 1), 12, &result);
        }
        text += &layout::hang(2, "opening", 12, &format!("{} moves", record.opening));
        text += &layout::hang(2, "moves", 12, &record.moves);
        if let Some(forfeit) = &record.forfeit {
            let reason = format!("player {} {}", forfeit.seat + 1, forfeit.reason);
            text += &layout::hang(2, "forfeit", 12, &reason);
        }
        out.text(&text)?;
        Ok(out.text(&table.diagram())?)
    }
}

fn find(plan: &Plan, dir: &std::path::Path, number: u64) -> Result<GameRecord, Failure> {
    let games = plan.schedule.games();
    if number >= games {
        return Err(Failure::Input(format!(
            "no game {number}: the games of this match are 0 to {}",
            games - 1
        )));
    }
    let per_unit = plan.header().games_per_round * plan.header().rounds_per_unit;
    let records = Store::open(dir, plan).read(number / per_unit)?;
    let record = records.and_then(|r| r.into_iter().find(|record| record.game == number));
    record.ok_or_else(|| Failure::Input(format!("game {number} has not been played yet")))
}

fn describe(a: &Answer<'_>) -> String {
    let rerun = match a.rerun {
        0 => String::new(),
        n => format!(", {n} played again with the same bytes"),
    };
    let state = match (a.complete, a.units == a.units_of_match) {
        (true, true) => "complete".to_string(),
        (true, false) => "decided early by its test".to_string(),
        (false, _) => format!("unfinished, {} of {} units", a.units, a.units_of_match),
    };
    let verified = match a.verified {
        n if n == a.games => "verified".to_string(),
        0 => "recorded without their moves, which cannot be verified".to_string(),
        n => format!(
            "recorded, {n} verified and {} without their moves, which cannot be verified",
            a.games - n
        ),
    };
    format!(
        "{} games {verified}{rerun}; the match is {state}\n\n{}",
        a.games,
        a.summary.table(None)
    )
}
