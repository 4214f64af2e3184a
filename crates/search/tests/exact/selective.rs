//! The selective search: without knowledge it is the exact one, and what it proves is true.

use crate::oracle::{check_report, moves};
use spielbaum_core::synthetic::{Branch, Duel, Hashed, HashedEval, HashedOptions};
use spielbaum_core::{Eval, Game, Limits, Player, Rng, Task, TwoPlayer, zobrist};
use spielbaum_search::alphabeta::{AlphaBeta, AlphaBetaConfig, DepthRule, Method, Parts, Switch};
use spielbaum_search::minimax::negamax;
use spielbaum_search::score;

fn tree(rng: &mut Rng, transpositions: bool) -> Duel<Hashed> {
    let least = 1 + rng.below(3) as u8;
    HashedOptions {
        seed: rng.next(),
        branching: (least, least + rng.below(5) as u8),
        depth: 2 + rng.below(6) as u8,
        ending: [0, 24, 60][rng.below(3)],
        levels: [2, 3, 3, 5][rng.below(4)],
        transpositions,
        ..Default::default()
    }
    .two_player()
}

/// Where the game has nothing noisy, no check and no pass, only reductions and futility leave
/// anything out.
#[test]
fn without_knowledge_nothing_is_left_out() {
    let parts = Parts { reductions: false, futility: false, ..Parts::ALL };
    let default = AlphaBetaConfig {
        selective: Switch::On,
        depth_rule: DepthRule::Exact,
        parts,
        ..AlphaBetaConfig::default()
    };
    let mut rng = Rng::new(1);
    for i in 0..1500 {
        let root = tree(&mut rng, i % 2 == 0);
        let eval = HashedEval { seed: rng.next(), spread: [0, 2, 50, 700][rng.below(4)] };
        let depth = 1 + rng.below(7) as u32;
        for config in [
            default.clone(),
            AlphaBetaConfig { table: false, aspiration: Some(0), ..default.clone() },
            AlphaBetaConfig { selective_wins: true, ..default.clone() },
            AlphaBetaConfig { method: Method::AlphaBeta, memory: 512, ..default.clone() },
            AlphaBetaConfig { method: Method::Mtdf, ..default.clone() },
            AlphaBetaConfig {
                parts: Parts { quiescence: false, ..parts },
                killers: false,
                history: false,
                ..default.clone()
            },
        ] {
            let mut player = AlphaBeta::new(&config, Box::new(eval));
            let report = player.think(&root, &mut Task::new(Limits::depth(depth))).unwrap();
            check_report(&root, &eval, depth, &config, &report, player.score(), true);
        }
    }
}

/// Advice without sense: what is noisy, check or worth its exchange is made up by hashing.
#[derive(Clone, Copy)]
struct Erratic(HashedEval);

impl Erratic {
    fn says(&self, pos: &Duel<Hashed>, what: u64, share: u64) -> bool {
        zobrist::key(self.0.seed ^ pos.key(), what).is_multiple_of(share)
    }
}

impl Eval<Duel<Hashed>> for Erratic {
    fn eval(&self, pos: &Duel<Hashed>) -> i32 {
        self.0.eval(pos)
    }
    fn is_selective(&self) -> bool {
        true
    }
    fn order(&self, pos: &Duel<Hashed>, m: Branch) -> i32 {
        zobrist::key(self.0.seed ^ pos.key(), 50 + u64::from(m.0)) as i32 % 100
    }
    fn noisy(&self, pos: &Duel<Hashed>, m: Branch) -> bool {
        self.says(pos, 100 + u64::from(m.0), 3)
    }
    fn gains(&self, pos: &Duel<Hashed>, m: Branch, _least: i32) -> bool {
        self.says(pos, 200 + u64::from(m.0), 2)
    }
    fn in_check(&self, pos: &Duel<Hashed>) -> bool {
        self.says(pos, 1, 5)
    }
    fn gives_check(&self, pos: &Duel<Hashed>, m: Branch) -> bool {
        self.says(pos, 300 + u64::from(m.0), 4)
    }
}

/// Wins, losses and draws that a selective search claims are those of the whole game, whatever
/// it leaves out and however little it may spend.
#[test]
fn proofs_are_true_whatever_is_left_out() {
    let mut rng = Rng::new(2);
    let mut proven = 0;
    for i in 0..6000 {
        let root = tree(&mut rng, i % 2 == 0);
        let eval = Erratic(HashedEval { seed: rng.next(), spread: [0, 50, 700][rng.below(3)] });
        let truth = score::proof(negamax(&root, 250, &eval), true);
        let config = AlphaBetaConfig {
            table: i % 5 != 0,
            selective_wins: rng.below(2) == 0,
            ..AlphaBetaConfig::default()
        };
        let mut player = AlphaBeta::new(&config, Box::new(eval));
        let limits = Limits::nodes(20 + rng.below(3000) as u64);
        let report = player.think(&root, &mut Task::new(limits)).unwrap();
        assert!(moves(&root).contains(&report.best));
        if let Some(claim) = report.proven {
            proven += 1;
            assert_eq!(Some(claim), truth, "{root} {config:?}");
        }
        for line in report.lines.iter().filter(|l| l.proven.is_some()) {
            let mut next = root;
            next.play(line.mv);
            assert_eq!(line.proven, of_move(&root, &next, &eval), "{root} {}", line.mv);
        }
    }
    assert!(proven > 2000, "{proven} proofs");
}

/// The true result of a move for the player who makes it.
fn of_move<G: TwoPlayer>(pos: &G, next: &G, eval: &dyn Eval<G>) -> Option<spielbaum_core::Proof> {
    let seat = pos.turn().player().unwrap();
    let value = if next.is_over() {
        score::from_payoff(next.payoffs()[seat], 1)
    } else {
        -negamax(next, 250, eval)
    };
    score::proof(value, true)
}
