//! `analyze`: what a player thinks of a position.

use crate::args::{Budget, Place};
use crate::catalog;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::layout;
use crate::live::Live;
use crate::output::Output;
use clap::Args;
use serde::Serialize;
use spielbaum_core::{Bound, Proof, Report};
use spielbaum_lab::{Acting, AnyTable};

const AFTER_HELP: &str = "\
JSON: {\"best\", \"value\", \"pv\", \"depth\", \"iterations\", \"nodes\", \"seconds\",
       \"moves\": [{\"move\", \"visits\", \"value\", \"prior\", \"proven\"}],
       \"proven\", \"bytes\", \"note\"}
  Values are the expected payoff of the player to move; with \"bound\": \"upper\" a
  value is only known not to be higher; proven is \"win\", \"draw\"
  or \"loss\" for that player, or null. Ctrl-C ends the search with the best so far;
  without any budget it ends after 1000000 nodes.

Examples:
  spielbaum analyze gomoku:m=3,n=3,k=3 minimax --moves \"b2 a1\"
  spielbaum analyze gomoku uct --time 5s --live
  spielbaum analyze gomoku alphabeta:depth=4 --moves \"h8 h9\" --json";

/// Let a player think about a position
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Analyze {
    #[command(flatten)]
    place: Place,

    /// The player, such as `uct:c=0.9,iterations=20000`
    player: String,

    /// Consider these moves only
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    only: Option<String>,

    /// Seed of the player
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Show on standard error how the search goes; a terminal shows it anyway
    #[arg(long)]
    live: bool,

    /// Show at most so many moves in the table
    #[arg(long, value_name = "N", default_value_t = 12)]
    top: usize,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    budget: Budget,
}

#[derive(Serialize)]
struct Answer<'a> {
    best: &'a str,
    value: f32,
    pv: &'a [String],
    depth: u32,
    iterations: u64,
    nodes: u64,
    seconds: f64,
    moves: Vec<Row<'a>>,
    proven: Option<&'static str>,
    bytes: usize,
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    visits: u64,
    value: f32,
    prior: Option<f32>,
    proven: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
}

impl Analyze {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let found = self.place.find()?;
        let mut table = found.table;
        let player = catalog::player(found.game, &self.player)?;
        can_think(table.as_ref())?;
        let only = self.only(table.as_ref())?;
        table.sit(0, &player, self.seed)?;

        let stop = interrupt::on_ctrl_c("")?;
        let mut live = Live::new(self.live, self.json);
        let report = live.watch(|sink| table.think(0, self.budget.limits(), &only, &stop, sink));
        let report = report.map_err(|e| Failure::Task(format!("player `{player}` {e}")))?;

        let bytes = table.bytes(0);
        if self.json {
            out.json(&answer(&report, bytes))?;
        } else {
            out.text(&table.diagram())?;
            out.text(&Self::describe(table.as_ref(), &report, bytes, (self.top, "--top N")))?;
        }
        if stop.is_set() {
            out.flush()?;
            return Err(Failure::Interrupted("interrupted: this is the best so far".to_string()));
        }
        Ok(())
    }

    fn only(&self, table: &dyn AnyTable) -> Result<Vec<String>, Failure> {
        let words = self.only.iter().flat_map(|text| text.split([' ', ',']));
        let only: Vec<String> = words.filter(|w| !w.is_empty()).map(str::to_string).collect();
        let legal = table.moves();
        match only.iter().find(|m| !legal.contains(m)) {
            Some(m) => {
                let text = layout::wrap(&legal.join(" "), layout::WIDTH - 2).join("\n  ");
                Err(Failure::Input(format!(
                    "--only: `{m}` is not a legal move here\nlegal moves:\n  {text}"
                )))
            }
            None => Ok(only),
        }
    }

    /// The answer for people; a number of moves to show, and how to ask for more.
    pub(crate) fn describe(
        table: &dyn AnyTable,
        report: &Report<String>,
        bytes: usize,
        (top, more): (usize, &str),
    ) -> String {
        let mut text = String::from("\n");
        let rows: Vec<Vec<String>> = (report.lines.iter().take(top))
            .map(|line| {
                vec![
                    line.mv.clone(),
                    layout::count(line.visits),
                    format!(
                        "{}{}",
                        match line.bound {
                            Bound::Upper => "≤",
                            Bound::Lower => "≥",
                            Bound::Exact => "",
                        },
                        layout::value(line.value)
                    ),
                    line.prior.map_or_else(|| "-".to_string(), layout::value),
                    line.proven.map_or("-", Proof::name).to_string(),
                ]
            })
            .collect();
        if !rows.is_empty() {
            text += &layout::table(&["move", "visits", "value", "prior", "proven"], &rows);
            if report.lines.len() > rows.len() {
                text += &format!("  and {} more ({more})\n", report.lines.len() - rows.len());
            }
            text.push('\n');
        }
        let proven = report.proven.map(|p| format!(", proven {}", p.name())).unwrap_or_default();
        let value = layout::value(report.value);
        let whose = match table.acting() {
            Acting::Seat(seat) => format!(" for {}", table.seat_name(seat)),
            Acting::Chance | Acting::Over => String::new(),
        };
        let best = format!("{}{whose}, value {value}{proven}", report.best);
        text += &layout::hang(0, "best", 7, &best);
        text += &layout::hang(0, "line", 7, &report.pv.join(" "));
        let spent = format!(
            "depth {}, {} iterations, {} nodes in {}, {} nodes/s, {}",
            report.depth,
            layout::count(report.iterations),
            layout::count(report.nodes),
            layout::seconds(report.elapsed.as_secs_f64()),
            layout::short(report.nodes as f64 / report.elapsed.as_secs_f64()),
            layout::bytes(bytes as u64),
        );
        text += &layout::hang(0, "spent", 7, &spent);
        if let Some(note) = &report.note {
            text += &layout::hang(0, "note", 7, note);
        }
        text
    }
}

fn answer(report: &Report<String>, bytes: usize) -> Answer<'_> {
    Answer {
        best: &report.best,
        value: report.value,
        pv: &report.pv,
        depth: report.depth,
        iterations: report.iterations,
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        moves: (report.lines.iter())
            .map(|line| Row {
                mv: &line.mv,
                visits: line.visits,
                value: line.value,
                prior: line.prior,
                proven: line.proven.map(Proof::name),
                bound: match line.bound {
                    Bound::Upper => Some("upper"),
                    Bound::Lower => Some("lower"),
                    Bound::Exact => None,
                },
            })
            .collect(),
        proven: report.proven.map(Proof::name),
        bytes,
        note: report.note.as_deref(),
    }
}

/// A player is asked only where it has a move to choose.
pub(crate) fn can_think(table: &dyn AnyTable) -> Result<(), Failure> {
    match table.acting() {
        Acting::Seat(_) => Ok(()),
        Acting::Over => Err(Failure::Input(format!(
            "the game is over in this position, there is nothing to think about\n  {}",
            table.text()
        ))),
        Acting::Chance => {
            let outcomes: Vec<String> = table.outcomes().into_iter().map(|o| o.0).collect();
            let list = layout::wrap(&outcomes.join(" "), layout::WIDTH - 2).join("\n  ");
            Err(Failure::Input(format!(
                "chance decides in this position, not a player\n  {}\n\
                 play one of its outcomes with --moves:\n  {list}",
                table.text()
            )))
        }
    }
}
