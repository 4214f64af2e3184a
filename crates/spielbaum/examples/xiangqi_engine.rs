//! A match against an engine that speaks UCI and knows xiangqi, such as Fairy-Stockfish.
//!
//! `xiangqi_engine ENGINE PLAYER NODES... [--games N] [--seed S] [--jobs J]`
//!
//! PLAYER is one of this program's, with its budget: `alphabeta:nodes=100k`. The engine plays with
//! one thread, without a network, and as many nodes a move as NODES says; several numbers are
//! several matches, from which follows with how many nodes the two are even. Games come in pairs from
//! openings of four random plies, sides swapped. In every position both sides must list the same moves,
//! and at the end they must agree on the result; what they do not agree on is printed.

use spielbaum_core::{Game, Limits, Player, Registered, Rng, Task, param};
use spielbaum_games::xiangqi::{End, Rules, Xiangqi};
use spielbaum_lab::stats::{Rounds, elo};
use spielbaum_search::spec;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// An engine behind pipes.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Result<Engine> {
        let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut engine = Engine { child, input, output };
        engine.send("uci")?;
        engine.until("uciok")?;
        for (name, value) in
            [("UCI_Variant", "xiangqi"), ("Use NNUE", "false"), ("Threads", "1"), ("Hash", "16")]
        {
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        engine.send("isready")?;
        engine.until("readyok")?;
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// The lines up to the one that begins so, which is the last.
    fn until(&mut self, begin: &str) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the engine left before `{begin}`").into());
            }
            lines.push(line.trim().to_string());
            if line.starts_with(begin) {
                return Ok(lines);
            }
        }
    }

    fn position(&mut self, moves: &[String]) -> Result<()> {
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position startpos{moves}"))
    }

    /// The legal moves, sorted.
    fn moves(&mut self, played: &[String]) -> Result<Vec<String>> {
        self.position(played)?;
        self.send("go perft 1")?;
        let lines = self.until("Nodes searched")?;
        let (_, lines) = lines.split_last().ok_or("no moves")?;
        let mut moves: Vec<String> =
            lines.iter().filter_map(|l| l.strip_suffix(": 1")).map(str::to_string).collect();
        moves.sort();
        Ok(moves)
    }

    fn best(&mut self, played: &[String], nodes: u64) -> Result<String> {
        self.position(played)?;
        self.send(&format!("go nodes {nodes}"))?;
        let lines = self.until("bestmove")?;
        let last = lines.last().and_then(|l| l.split(' ').nth(1));
        Ok(last.ok_or("no best move")?.to_string())
    }

    /// What the engine thinks of a move one ply deep, for the player who makes it.
    fn score(&mut self, played: &[String], m: &str) -> Result<String> {
        self.position(played)?;
        self.send(&format!("go depth 1 searchmoves {m}"))?;
        let lines = self.until("bestmove")?;
        let scored = lines.iter().rev().find_map(|l| l.split_once(" score ").map(|s| s.1));
        let mut words = scored.ok_or("no score")?.split(' ');
        Ok(format!("{} {}", words.next().unwrap_or(""), words.next().unwrap_or("")))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The child may be gone already, which is as well.
        let _ = self.send("quit");
        let _ = self.child.wait();
    }
}

/// How the engine would call the end of a game, or what it says instead.
fn agrees(engine: &mut Engine, played: &[String], pos: &Xiangqi) -> Result<Option<String>> {
    let Some((last, before)) = played.split_last() else { return Ok(None) };
    let mover = (played.len() % 2) ^ 1;
    let (expected, said) = match pos.end() {
        Some(End::Checkmate(_) | End::Stalemate(_)) => {
            let left = engine.moves(played)?.len();
            (
                "no moves left".to_string(),
                if left == 0 { "no moves left".into() } else { left.to_string() },
            )
        }
        Some(end) => {
            let said = engine.score(before, last)?;
            let said = match said.strip_prefix("mate ") {
                Some(plies) if plies.starts_with('-') => "loss".to_string(),
                Some(_) => "win".to_string(),
                None => said,
            };
            let expected = match end.winner() {
                Some(winner) if winner == mover => "win",
                Some(_) => "loss",
                None => "cp 0",
            };
            (expected.to_string(), said)
        }
        None => return Ok(None),
    };
    Ok((said != expected).then(|| format!("{:?}: {said}; {}", pos.end(), played.join(" "))))
}

/// One game; the points of our player. Disagreements are told.
fn play(
    engine: &mut Engine,
    player: &mut dyn Player<Xiangqi>,
    (ours, theirs): (Limits, u64),
    start: &[String],
    seat: usize,
    quarrels: &Mutex<Vec<String>>,
) -> Result<f32> {
    let quarrel = |text: String| {
        if let Ok(mut all) = quarrels.lock() {
            all.push(text);
        }
    };
    let mut pos = Xiangqi::new(Rules::OFFICIAL);
    let mut played = Vec::new();
    for m in start {
        pos.play(spielbaum_core::text::parse_move(&pos, m)?);
        played.push(m.clone());
    }
    engine.send("ucinewgame")?;
    player.restart(1);
    while !pos.is_over() {
        let mut legal = Vec::new();
        pos.moves(&mut legal);
        let mut legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        legal.sort();
        if engine.moves(&played)? != legal {
            quarrel(format!("moves after {}", played.join(" ")));
        }
        let m = if pos.turn().player() == Some(seat) {
            player.think(&pos, &mut Task::new(ours))?.best.to_string()
        } else {
            engine.best(&played, theirs)?
        };
        pos.play(spielbaum_core::text::parse_move(&pos, &m)?);
        played.push(m);
    }
    if let Some(text) = agrees(engine, &played, &pos)? {
        quarrel(text);
    }
    Ok(pos.payoffs()[seat])
}

/// What the command line asks for.
struct Order {
    engine: String,
    player: String,
    nodes: Vec<u64>,
    rounds: u64,
    seed: u64,
    jobs: usize,
}

fn order() -> Result<Order> {
    const USAGE: &str = "xiangqi_engine ENGINE PLAYER NODES... [--games N] [--seed S] [--jobs J]";
    let mut order = Order {
        engine: String::new(),
        player: String::new(),
        nodes: vec![],
        rounds: 50,
        seed: 1,
        jobs: 1,
    };
    let mut plain = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64> { Ok(args.next().ok_or(USAGE)?.parse()?) };
        match arg.as_str() {
            "--games" => order.rounds = number()?.div_ceil(2),
            "--seed" => order.seed = number()?,
            "--jobs" => order.jobs = number()?.max(1) as usize,
            _ => plain.push(arg),
        }
    }
    let [engine, player, nodes @ ..] = &plain[..] else { return Err(USAGE.into()) };
    (order.engine, order.player) = (engine.clone(), player.clone());
    order.nodes = nodes.iter().map(|n| n.parse()).collect::<std::result::Result<_, _>>()?;
    if order.nodes.is_empty() { Err(USAGE.into()) } else { Ok(order) }
}

/// The games of one thread: pairs by number until all are played.
fn work(
    order: &Order,
    nodes: u64,
    next: &AtomicU64,
    rounds: &Mutex<Rounds>,
    quarrels: &Mutex<Vec<String>>,
) -> Result<()> {
    let args = param::resolve(&order.player, "player", spec::PLAYERS).map_err(|e| e.to_string())?;
    let limits = args.limits();
    if limits.is_empty() {
        return Err("the player needs a budget, such as `alphabeta:nodes=100k`".into());
    }
    let built = spec::two_player::<Xiangqi>(&args, Xiangqi::EVALS).ok_or("not a player of this")?;
    let mut player = built.map_err(|e| e.to_string())?;
    let mut engine = Engine::start(&order.engine)?;
    loop {
        let round = next.fetch_add(1, Ordering::Relaxed);
        if round >= order.rounds {
            return Ok(());
        }
        let mut rng = Rng::new(Rng::split(Rng::split(order.seed, nodes), round));
        let mut pos = Xiangqi::new(Rules::OFFICIAL);
        let mut start = Vec::new();
        for _ in 0..4 {
            if let Some(m) = pos.random_move(&mut rng, &mut Vec::new()) {
                start.push(m.to_string());
                pos.play(m);
            }
        }
        let mut points = 0.0;
        for seat in 0..2 {
            points += play(&mut engine, &mut *player, (limits, nodes), &start, seat, quarrels)?;
        }
        if let Ok(mut rounds) = rounds.lock() {
            rounds.add((2.0 * points) as usize);
            eprintln!("{nodes} nodes: pairs by half points {:?}", rounds.counts());
        }
    }
}

/// The result of a match: nodes, mean score of a pair of games and the variance of that mean.
type Scored = (u64, f64, f64);

/// The nodes at which both score the same, with 95 % limits: where the line through the logits of the
/// scores by the logarithm of nodes, weighted by what is known of each, meets zero, and by Fieller's
/// theorem. `None` if it is not sure that more nodes score more.
fn even(scored: &[Scored]) -> Option<[f64; 3]> {
    const NORMAL: f64 = 1.96;
    let points: Vec<(f64, f64, f64)> = (scored.iter())
        .map(|&(nodes, score, variance)| {
            let slope = score * (1.0 - score);
            ((nodes as f64).ln(), (score / (1.0 - score)).ln(), slope * slope / variance)
        })
        .collect();
    let sum =
        |of: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(|p| p.2 * of(p)).sum::<f64>();
    let weight = sum(&|_| 1.0);
    let (x, y) = (sum(&|p| p.0) / weight, sum(&|p| p.1) / weight);
    let spread = sum(&|p| (p.0 - x) * (p.0 - x));
    let slope = sum(&|p| (p.0 - x) * (p.1 - y)) / spread;
    // (y + slope d)^2 = NORMAL^2 (1 / weight + d^2 / spread) for the distance d from x.
    let a = slope * slope - NORMAL * NORMAL / spread;
    let (b, c) = (y * slope, y * y - NORMAL * NORMAL / weight);
    let root = (b * b - a * c).max(0.0).sqrt();
    let sure = slope < 0.0 && a > 0.0;
    sure.then(|| [(-b - root) / a, -y / slope, (-b + root) / a].map(|d| (x + d).exp()))
}

fn main() -> Result<()> {
    let order = order()?;
    let mut scored: Vec<Scored> = Vec::new();
    for &nodes in &order.nodes {
        let next = AtomicU64::new(0);
        let rounds = Mutex::new(Rounds::new(2));
        let quarrels = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let job = || work(&order, nodes, &next, &rounds, &quarrels);
            let jobs: Vec<_> = (0..order.jobs).map(|_| scope.spawn(job)).collect();
            jobs.into_iter()
                .try_for_each(|j| j.join().unwrap_or_else(|_| Err("a thread died".into())))
        })?;
        let rounds = rounds.into_inner()?;
        let (score, variance) = rounds.moments().ok_or("no games")?;
        // Pairs that all ended alike, and perfect scores, are not known better than by half a game.
        let pairs = rounds.total() as f64;
        let least = 0.25 / pairs;
        scored.push((nodes, score.clamp(least, 1.0 - least), variance.max(1.0 / 64.0) / pairs));
        let [low, high] = elo::score_interval(&rounds).unwrap_or([0.0, 1.0]);
        let quarrels = quarrels.into_inner()?;
        println!(
            "{} against {nodes} nodes: {:.1} % [{:.1}, {:.1}] of {} games, pairs by half points {:?}, {} disagreements",
            order.player,
            100.0 * score,
            100.0 * low,
            100.0 * high,
            2 * rounds.total(),
            rounds.counts(),
            quarrels.len()
        );
        quarrels.iter().for_each(|q| println!("  {q}"));
    }
    match even(&scored) {
        Some([low, at, high]) => println!("even at {at:.0} nodes [{low:.0}, {high:.0}]"),
        None => println!("no even point can be told from these matches"),
    }
    Ok(())
}
