//! Perft of xiangqi against an engine that speaks UCI, on the same positions:
//! `xiangqi_perft ENGINE POSITIONS.csv [SECONDS]`.
//!
//! POSITIONS has rows `position,depth,nodes`, such as `data/oracles/xiangqi_perft.csv`. Each of its
//! positions is counted by both sides to the least depth that takes this program a twentieth of a second, one
//! after the other, with the last ply in bulk and one thread on both sides, until so many seconds
//! (20) are spent here. The fastest of three runs counts. Counts must agree.

use spielbaum_core::{Game, perft::perft};
use spielbaum_games::xiangqi::Xiangqi;
use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const RUNS: usize = 3;
/// Shorter counts, in seconds, tell little.
const SHORT: f64 = 0.05;

/// An engine behind pipes.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Result<Engine> {
        let started = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|e| format!("{path}: {e}"))?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut engine = Engine { child, input, output };
        engine.send("uci")?;
        engine.until("uciok")?;
        // An engine that knows nothing but xiangqi has no such option and says so.
        engine.send("setoption name UCI_Variant value xiangqi")?;
        engine.send("isready")?;
        engine.until("readyok")?;
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// The rest of the line that begins so.
    fn until(&mut self, begin: &str) -> Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the engine left before `{begin}`").into());
            }
            if let Some(rest) = line.strip_prefix(begin) {
                return Ok(rest.trim().to_string());
            }
        }
    }

    fn perft(&mut self, position: &str, depth: u32) -> Result<u64> {
        self.send(&format!("position fen {position}"))?;
        self.send(&format!("go perft {depth}"))?;
        Ok(self.until("Nodes searched: ")?.parse()?)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The child may be gone already, which is as well.
        let _ = self.send("quit");
        let _ = self.child.wait();
    }
}

/// What the fastest run gave, and its seconds.
fn fastest(runs: usize, mut f: impl FnMut() -> Result<u64>) -> Result<(u64, f64)> {
    let mut best = f64::INFINITY;
    let mut nodes = 0;
    for _ in 0..runs {
        let begin = Instant::now();
        nodes = f()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok((nodes, best))
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [engine, file, more @ ..] = &args[..] else {
        return Err("xiangqi_perft ENGINE POSITIONS.csv [SECONDS]".into());
    };
    let most: f64 = more.first().map_or(Ok(20.0), |s| s.parse())?;
    let mut engine = Engine::start(engine)?;
    let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let mut positions: Vec<&str> =
        text.lines().skip(1).filter_map(|l| l.split(',').next()).collect();
    positions.dedup();
    let (mut ours, mut theirs, mut total, mut count) = (0.0, 0.0, 0, 0);
    let began = Instant::now();
    for position in positions {
        if began.elapsed().as_secs_f64() > most {
            break;
        }
        let pos = Xiangqi::default().parse(position).map_err(|e| e.to_string())?;
        let mut depth = 2;
        while depth < 8 && fastest(1, || Ok(perft(black_box(&pos), depth)))?.1 < SHORT {
            depth += 1;
        }
        let (nodes, our) = fastest(RUNS, || Ok(perft(black_box(&pos), depth)))?;
        let (counted, their) = fastest(RUNS, || engine.perft(position, depth))?;
        if counted != nodes {
            return Err(format!("{nodes} here, {counted} there: {position}, depth {depth}").into());
        }
        let [a, b] = [our, their].map(|s| nodes as f64 / s / 1e6);
        println!("{nodes:>11} {a:>7.1} {b:>7.1} M/s, ratio {:.2}  {depth} {position}", their / our);
        (ours, theirs, total, count) = (ours + our, theirs + their, total + nodes, count + 1);
    }
    println!(
        "{count} positions, {total} nodes: {:.1} M/s in {ours:.2} s against {:.1} M/s in {theirs:.2} s, {:.2} times as fast",
        total as f64 / ours / 1e6,
        total as f64 / theirs / 1e6,
        theirs / ours
    );
    Ok(())
}
