//! The solver proves what plain minimax finds.

use spielbaum_core::{
    Game, Limits, MAX_PLAYERS, ParseError, Payoffs, Player, Proof, Report, Reward, Rng, Task, Turn,
    ZeroEval,
};
use spielbaum_games::carcassonne::{Carcassonne, Move, Options, Order, Outlook, Weights};
use spielbaum_games::pig::Pig;
use spielbaum_search::minimax::maxn;
use spielbaum_search::solver::{Solver, SolverConfig};

fn game(tiles: &str, paper: bool, all_rotations: bool) -> Carcassonne {
    let tiles = Some(tiles);
    let options =
        Options { order: Order::Listed, tiles, paper, all_rotations, ..Options::default() };
    Carcassonne::new(&options).unwrap()
}

fn solver() -> Solver<Carcassonne> {
    let config = SolverConfig { memory: 1 << 20, ..SolverConfig::default() };
    Solver::new(&config, Box::new(Outlook::new(&Weights::default())))
}

fn solve(pos: &Carcassonne) -> Report<Move> {
    solver().think(pos, &mut Task::new(Limits::default())).unwrap()
}

/// The margin of the player to move.
fn minimax(pos: &Carcassonne) -> f32 {
    let seat = pos.turn().player().unwrap();
    maxn(pos, 99, Reward::Margin)[seat] as f32
}

fn agrees(pos: &Carcassonne) {
    let (report, value) = (solve(pos), minimax(pos));
    assert_eq!(report.value, value, "{pos}");
    let mut next = *pos;
    next.play(report.best);
    let reply = if next.is_over() {
        Reward::Margin.of(&next)[next.turn().player().unwrap()]
    } else {
        minimax(&next)
    };
    let own = if next.turn() == pos.turn() { reply } else { -reply };
    assert_eq!(own, value, "{} does not force it: {pos}", report.best);
    let proven = match value {
        v if v > 0.0 => Proof::Win,
        v if v < 0.0 => Proof::Loss,
        _ => Proof::Draw,
    };
    assert_eq!(report.proven, Some(proven));
}

#[test]
fn short_games_from_the_start() {
    agrees(&game("UJLB", true, false));
    for tiles in ["U", "UJ", "EU", "UJL", "JLB", "BOV", "HIL", "CXW", "SQA"] {
        for (paper, all_rotations) in [(true, false), (false, false), (false, true)] {
            agrees(&game(tiles, paper, all_rotations));
        }
    }
}

#[test]
fn the_last_three_tiles_of_longer_games() {
    let mut rng = Rng::new(21);
    let lists = ["UJLBOVSJKA", "HILWXIHVUE", "DJKOPSTFGE", "ABEWLUVMNQ"];
    for round in 0..24 {
        let tiles: String = lists[round % 4].chars().take(4 + rng.below(7)).collect();
        let mut pos = game(&tiles, rng.below(2) == 0, false);
        for _ in 0..tiles.len() - 3 {
            let Some(m) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
            pos.play(m);
        }
        if !pos.is_over() && pos.count_moves() < 90 {
            agrees(&pos);
        }
    }
}

/// The same game without bounds.
#[derive(Clone)]
struct Plain(Carcassonne);

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Game for Plain {
    type Move = Move;
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn moves(&self, out: &mut Vec<Move>) {
        self.0.moves(out);
    }
    fn play(&mut self, m: Move) {
        self.0.play(m);
    }
    fn payoffs(&self) -> Payoffs {
        self.0.payoffs()
    }
    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        self.0.scores()
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn code(&self, m: Move) -> usize {
        self.0.code(m)
    }
    fn codes(&self) -> usize {
        self.0.codes()
    }
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        self.0.parse(text).map(Plain)
    }
}

/// Bounds change what a proof costs and not what is proved.
#[test]
fn bounds_do_not_matter_either() {
    let pos = game("UJLBOV", true, false);
    let mut plain = Solver::new(&SolverConfig::default(), Box::new(ZeroEval));
    let report = plain.think(&Plain(pos), &mut Task::new(Limits::default())).unwrap();
    let bounded = solve(&pos);
    assert_eq!((report.value, bounded.value), (-1.0, -1.0));
    assert!(bounded.nodes * 4 < report.nodes, "{} against {}", bounded.nodes, report.nodes);
}

/// The shortened game of Kummer's study: the second player can force a win, by two points.
#[test]
#[ignore = "takes minutes"]
fn the_shortened_game() {
    let config = SolverConfig { memory: 1 << 30, ..SolverConfig::default() };
    let mut solver = Solver::new(&config, Box::new(Outlook::new(&Weights::default())));
    let pos = game("UJLBOVSJKA", true, false);
    let report = solver.think(&pos, &mut Task::new(Limits::default())).unwrap();
    assert_eq!((report.value, report.proven), (-2.0, Some(Proof::Loss)));
}

/// Another order of moves, another evaluation and a table that forgets find the same.
#[test]
fn order_and_memory_do_not_matter() {
    for (tiles, value) in [("UJLB", -2.0), ("UJLBO", 1.0), ("UJLBOV", -1.0), ("UJLBOVS", 3.0)] {
        let pos = game(tiles, true, false);
        assert_eq!(solve(&pos).value, value, "{tiles}");
        let config = SolverConfig { memory: 1 << 12, ..SolverConfig::default() };
        let mut other = Solver::new(&config, Box::new(ZeroEval));
        let report = other.think(&pos, &mut Task::new(Limits::default())).unwrap();
        assert_eq!(report.value, value, "{tiles}");
        assert!(Player::<Carcassonne>::bytes(&other) <= 1 << 12);
    }
}

#[test]
fn a_budget_ends_with_a_range_that_holds_the_value() {
    let pos = game("UJLBOV", true, false);
    for nodes in [1, 10, 300, 3_000, 30_000] {
        let report = solver().think(&pos, &mut Task::new(Limits::nodes(nodes))).unwrap();
        assert!(report.nodes <= nodes, "{} of {nodes}", report.nodes);
        let most = report.lines.iter().map(|l| l.value).fold(f32::MIN, f32::max);
        assert!(report.value <= -1.0 && most >= -1.0, "{nodes}: {} to {most}", report.value);
        assert!(report.note.unwrap().contains("the margin of Red"));
    }
}

/// Some of the moves are worth what the best of them is.
#[test]
fn a_choice_among_some_moves() {
    let pos = game("UJL", true, false);
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for pair in moves.chunks(2) {
        let mut task = Task::new(Limits::default()).only(pair);
        let report = solver().think(&pos, &mut task).unwrap();
        let best = pair.iter().map(|&m| {
            let mut next = pos;
            next.play(m);
            -minimax(&next)
        });
        assert_eq!(report.value, best.fold(f32::MIN, f32::max));
        assert!(pair.contains(&report.best));
        // Of the position only a win is proved by some of its moves.
        assert_eq!(report.proven, (report.value > 0.0).then_some(Proof::Win));
        assert!(report.note.unwrap().contains("with these moves alone"));
    }
}

/// One question may take for ever, so a number of them bounds nothing.
#[test]
fn a_number_of_questions_is_no_budget() {
    let bounds = |limits: Limits| solver().is_bounded_by(&limits);
    assert!(!bounds(Limits { iterations: Some(9), depth: Some(3), ..Limits::default() }));
    assert!(bounds(Limits::nodes(9)));
}

#[test]
fn it_says_what_it_cannot_prove() {
    let refuse = |pos: &Carcassonne| {
        let answer = solver().think(pos, &mut Task::new(Limits::nodes(1000)));
        answer.unwrap_err().to_string()
    };
    let three =
        Options { players: 3, order: Order::Listed, tiles: Some("UJL"), ..Options::default() };
    assert!(refuse(&Carcassonne::new(&three).unwrap()).contains("two players"));
    let mut hidden =
        Carcassonne::new(&Options { tiles: Some("UJL"), ..Options::default() }).unwrap();
    let m = hidden.random_move(&mut Rng::new(1), &mut Vec::new()).unwrap();
    hidden.play(m);
    assert!(refuse(&hidden).contains("chance"));
}

/// Before the game, and as it will see the game.
#[test]
fn it_refuses_games_with_chance_before_they_begin() {
    let fits = |order, sees_all| {
        let config = SolverConfig { memory: 1 << 20, sees_all };
        let mut solver = Solver::new(&config, Box::new(ZeroEval));
        let options = Options { order, tiles: Some("UJLB"), ..Options::default() };
        solver.fits(&Carcassonne::new(&options).unwrap())
    };
    // Tiles that are dealt before the first move are no chance in the game.
    for order in [Order::Listed, Order::Shuffled(1), Order::Dealt] {
        assert_eq!(fits(order, true), Ok(()), "{order:?}");
        assert!(fits(order, false).unwrap_err().contains("sees=all"), "{order:?}");
    }
    assert!(fits(Order::Hidden, true).unwrap_err().contains("chance"));
    let mut solver = Solver::new(&SolverConfig::default(), Box::new(ZeroEval));
    assert!(solver.fits(&Pig::new(2, 100).unwrap()).unwrap_err().contains("chance"));
}
