//! `perft`: counting the move tree.

use crate::args::Place;
use crate::failure::Outcome;
use crate::layout;
use crate::output::Output;
use clap::Args;
use serde::Serialize;
use std::time::Instant;

const AFTER_HELP: &str = "\
Counts the sequences of exactly N moves, outcomes of chance included; games that
end earlier do not count. The last ply is counted in bulk.

JSON: {\"nodes\", \"seconds\"}, and \"divide\": [{\"move\", \"nodes\"}] with --divide

Examples:
  spielbaum perft gomoku:m=3,n=3,k=3 --depth 9
  spielbaum perft gomoku:m=3,n=3,k=3 --depth 5 --moves \"b2 a1\" --divide";

/// Count the move sequences of a length
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Perft {
    #[command(flatten)]
    place: Place,

    /// Length of the sequences, at most 100
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    depth: u32,

    /// Show the count apart for each move
    #[arg(long)]
    divide: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Part>>,
}

#[derive(Serialize)]
struct Part {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl Perft {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        let table = self.place.find()?.table;
        let started = Instant::now();
        let answer = if self.divide && self.depth > 0 {
            let parts = table.divide(self.depth);
            let parts: Vec<Part> =
                parts.into_iter().map(|(mv, nodes)| Part { mv, nodes }).collect();
            let nodes = parts.iter().map(|p| p.nodes).sum();
            Answer { nodes, seconds: started.elapsed().as_secs_f64(), divide: Some(parts) }
        } else {
            let nodes = table.perft(self.depth);
            Answer { nodes, seconds: started.elapsed().as_secs_f64(), divide: None }
        };
        if self.json {
            return out.json(&answer);
        }
        if let Some(parts) = &answer.divide {
            let rows: Vec<Vec<String>> =
                parts.iter().map(|p| vec![p.mv.clone(), layout::count(p.nodes)]).collect();
            out.text(&layout::table(&["move", "nodes"], &rows))?;
        }
        let rate = layout::short(answer.nodes as f64 / answer.seconds);
        let (nodes, time) = (layout::count(answer.nodes), layout::seconds(answer.seconds));
        Ok(out.text(&format!("{nodes} nodes in {time}, {rate} nodes/s"))?)
    }
}
