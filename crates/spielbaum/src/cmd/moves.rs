//! `moves`: what can be played in a position.

use crate::args::{Found, Place, in_text};
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::output::Output;
use clap::Args;
use serde::Serialize;
use spielbaum_lab::{Acting, AnyTable};
use std::io::BufRead;

const AFTER_HELP: &str = "\
JSON: {\"moves\": [...], \"turn\", \"over\", \"position\", \"payoffs\", \"scores\"}
  turn is the seat to move, counted from 0, \"chance\", or null when the game is
  over; where chance acts, \"weights\" holds the odds of the moves. scores is null
  in games without points.

With --stdin every line of standard input is a position and is answered by one
line of JSON at once; {\"error\": ...} answers a line that is none, and the exit
code is 2 in the end.

Examples:
  spielbaum moves gomoku:m=3,n=3,k=3 --moves \"b2 a1\"
  spielbaum moves pig --json
  spielbaum moves gomoku --stdin < positions.txt";

/// List the legal moves of a position
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Moves {
    #[command(flatten)]
    place: Place,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Read positions from standard input, one in a line
    #[arg(long, conflicts_with_all = ["position", "moves"])]
    stdin: bool,
}

/// Who acts, as JSON has it.
#[derive(Serialize)]
#[serde(untagged)]
enum Turn {
    Seat(usize),
    Chance(&'static str),
    Over(()),
}

#[derive(Serialize)]
struct Answer {
    moves: Vec<String>,
    turn: Turn,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<u32>>,
    position: String,
    payoffs: Vec<f32>,
    scores: Option<Vec<i32>>,
}

#[derive(Serialize)]
struct Mistake {
    error: String,
}

impl Answer {
    fn of(table: &dyn AnyTable) -> Self {
        let acting = table.acting();
        let chance = acting == Acting::Chance;
        Answer {
            moves: table.moves(),
            turn: match acting {
                Acting::Seat(seat) => Turn::Seat(seat),
                Acting::Chance => Turn::Chance("chance"),
                Acting::Over => Turn::Over(()),
            },
            over: acting == Acting::Over,
            weights: chance.then(|| table.outcomes().into_iter().map(|o| o.1).collect()),
            position: table.text(),
            payoffs: table.payoffs(),
            scores: table.scores(),
        }
    }
}

impl Moves {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let found = self.place.find()?;
        if self.stdin {
            return answer_lines(found, out);
        }
        let table = found.table.as_ref();
        if self.json {
            return out.json(&Answer::of(table));
        }
        out.text(&table.diagram())?;
        Ok(out.text(&describe(table))?)
    }
}

fn describe(table: &dyn AnyTable) -> String {
    let moves = table.moves();
    let n = moves.len();
    match table.acting() {
        Acting::Over => format!("the game is over; payoffs {:?}", table.payoffs()),
        Acting::Seat(seat) => {
            let head = format!("{} to move, {n} legal moves:\n", table.seat_name(seat));
            head + &layout::wrap(&moves.join(" "), layout::WIDTH).join("\n")
        }
        Acting::Chance => {
            let outcomes = table.outcomes();
            let total: u64 = outcomes.iter().map(|o| u64::from(o.1)).sum();
            let odds: Vec<String> =
                outcomes.iter().map(|(m, weight)| format!("{m} ({weight}/{total})")).collect();
            format!("chance decides, {n} outcomes with their odds:\n")
                + &layout::wrap(&odds.join(", "), layout::WIDTH).join("\n")
        }
    }
}

/// One object for each line, sent at once: the other side may wait for it.
fn answer_lines(found: Found, out: &mut Output) -> Outcome {
    let mut table = found.table;
    let mut errors = false;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        let answer = match std::str::from_utf8(&line) {
            Ok(text) => {
                let text = text.trim_end_matches('\r');
                table.set_position(text).map_err(|e| in_text("position", text, e))
            }
            Err(_) => Err(Failure::input("position: the line is not UTF-8")),
        };
        match answer {
            Ok(()) => out.json(&Answer::of(table.as_ref()))?,
            Err(failure) => {
                errors = true;
                out.json(&Mistake { error: failure.to_string() })?;
            }
        }
        out.flush()?;
    }
    if errors { Err(Failure::Told(2)) } else { Ok(()) }
}
