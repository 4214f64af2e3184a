//! What an alpha-beta search must agree on with plain minimax, for any game.

use spielbaum_core::{Eval, Game, Limits, Player, Proof, Report, Task, TwoPlayer};
use spielbaum_search::alphabeta::{
    AlphaBeta, AlphaBetaConfig, DepthRule::AtLeast, DepthRule::Equal, Guess, Method, Order,
};
use spielbaum_search::minimax::negamax;
use spielbaum_search::score::{self, to_root};
use spielbaum_search::table::Replace;

/// Every method with every order, without a table, with one and with some that are always full:
/// the value is the same by all of them.
pub(crate) fn configs() -> Vec<AlphaBetaConfig> {
    let pvs = AlphaBetaConfig::default();
    let plain = AlphaBetaConfig {
        method: Method::AlphaBeta,
        order: Order::Static,
        reuse: false,
        table: false,
        partial: false,
        ..pvs
    };
    let paper =
        AlphaBetaConfig { table: true, replace: Replace::Always, depth_rule: Equal, ..plain };
    let mtdf = AlphaBetaConfig { method: Method::Mtdf, ..pvs };
    vec![
        AlphaBetaConfig { method: Method::Minimax, ..plain.clone() },
        AlphaBetaConfig { order: Order::None, ..plain.clone() },
        plain,
        AlphaBetaConfig { memory: 512, ..paper.clone() },
        AlphaBetaConfig { narrow: true, ..paper.clone() },
        AlphaBetaConfig { method: Method::Mtdf, step: 100, memory: 1 << 20, ..paper },
        AlphaBetaConfig { guess: Guess::Parity, memory: 512, ..mtdf.clone() },
        AlphaBetaConfig { table: false, step: 7, ..mtdf.clone() },
        mtdf,
        AlphaBetaConfig { table: false, ..pvs.clone() },
        AlphaBetaConfig { method: Method::AlphaBeta, memory: 512, ..pvs.clone() },
        AlphaBetaConfig { aspiration: Some(20), ..pvs.clone() },
        AlphaBetaConfig { aspiration: Some(5), table: false, order: Order::None, ..pvs.clone() },
        pvs,
    ]
}

/// [`configs`] and those that may know more than their depth.
pub(crate) fn thorough() -> Vec<AlphaBetaConfig> {
    let mut all = configs();
    let default = AlphaBetaConfig::default();
    all.push(AlphaBetaConfig { depth_rule: AtLeast, ..default });
    all
}

pub(crate) fn moves<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

pub(crate) fn after<G: Game>(pos: &G, m: G::Move) -> G {
    let mut next = pos.clone();
    next.play(m);
    next
}

/// The minimax score of a root move. A finished game does not say whose turn it is, so the
/// child's score is computed here and not by `negamax`.
pub(crate) fn score_of<G: TwoPlayer>(pos: &G, m: G::Move, depth: u32, eval: &dyn Eval<G>) -> i32 {
    let next = after(pos, m);
    match pos.turn().player() {
        Some(seat) if next.is_over() => score::from_payoff(next.payoffs()[seat], 1),
        _ => to_root(-negamax(&next, depth - 1, eval), 1),
    }
}

/// The report without what the clock says.
pub(crate) fn timeless<M: Clone>(report: &Report<M>) -> Report<M> {
    Report { elapsed: Default::default(), ..report.clone() }
}

/// Searches a position with every configuration and compares with plain minimax: score, best
/// move, bounds of the other moves, principal variation, proofs and counts. With `solve`, the
/// game is small enough to compute its true result. Fits `NamedEval::make`.
pub(crate) fn check_position<G: TwoPlayer>(
    pos: &G,
    eval: impl Fn() -> Box<dyn Eval<G>>,
    depth: u32,
    solve: bool,
) {
    for config in configs() {
        let mut player = AlphaBeta::new(&config, eval());
        let report = player.think(pos, &mut Task::new(Limits::depth(depth))).unwrap();
        check_report(pos, &*eval(), depth, &config, &report, player.score(), solve);
    }
}

/// What [`check_position`] asks of one report of a search to this depth.
pub(crate) fn check_report<G: TwoPlayer>(
    pos: &G,
    eval: &dyn Eval<G>,
    depth: u32,
    config: &AlphaBetaConfig,
    report: &Report<G::Move>,
    found: i32,
    solve: bool,
) {
    let legal = moves(pos);
    let context = format!("{pos} to depth {depth} with {config:?}: {report:?}");
    // One legal move is not worth more than one ply.
    let depth = if legal.len() == 1 { depth.min(1) } else { depth };
    let value = negamax(pos, depth, eval);
    assert_eq!(found, value, "score; {context}");
    assert_eq!(score_of(pos, report.best, depth, eval), value, "best move; {context}");
    assert_eq!(report.iterations, u64::from(report.depth));
    assert!(report.depth <= depth);

    let settled = report.depth < depth || score::is_decisive(value);
    let payoffs = [eval.payoff(value), score::to_payoff(value)];
    assert!(payoffs[usize::from(settled)..].contains(&report.value), "payoff; {context}");

    assert_eq!(report.lines.len(), legal.len());
    assert!(legal.iter().all(|m| report.lines.iter().any(|l| l.mv == *m)));
    assert_eq!(report.lines[0].mv, report.best);
    assert_eq!(report.lines[0].value, report.value);
    assert_eq!(report.lines.iter().map(|l| l.visits).sum::<u64>(), report.nodes);
    for line in &report.lines {
        let bound = score_of(pos, line.mv, report.depth, eval);
        let least = eval.payoff(bound).min(score::to_payoff(bound));
        assert!(line.value >= least - 1e-6, "bound of {}; {context}", line.mv);
        let most = payoffs[0].max(payoffs[1]);
        assert!(line.value <= most + 1e-6, "order of {}; {context}", line.mv);
        assert!(line.visits > 0);
    }

    // Along the principal variation the value stays what it is.
    assert_eq!(report.pv[0], report.best);
    let mut next = pos.clone();
    // Where bounds narrow the window, a value may be known without the move that gives it.
    let known = if config.narrow { 1 } else { report.pv.len() };
    for (i, &m) in report.pv.iter().take(known).enumerate() {
        let ply = i as u32;
        assert!(moves(&next).contains(&m), "legal; {context}");
        let expected = if ply.is_multiple_of(2) { value } else { -value };
        let below = to_root(score_of(&next, m, depth - ply, eval), ply);
        assert_eq!(below, expected, "variation, ply {ply}; {context}");
        next.play(m);
    }
    if !config.table && config.method != Method::Mtdf {
        assert!(next.is_over() || report.pv.len() as u32 == report.depth, "whole; {context}");
    }

    if report.depth < depth {
        assert!(report.proven.is_some() || value != 0, "stopped without a reason; {context}");
    }
    if let Some(plies) = score::plies_to_end(value) {
        assert!(plies <= report.depth.max(1));
        let name = if value > 0 { Proof::Win } else { Proof::Loss };
        assert_eq!(report.proven, Some(name), "{context}");
    }
    if solve {
        let truth = score::proof(negamax(pos, 250, eval), true);
        let proven = report.proven;
        assert!(proven.is_none() || proven == truth, "truth {truth:?}; {context}");
        for line in report.lines.iter().filter(|l| l.proven.is_some()) {
            let truth = score::proof(score_of(pos, line.mv, 250, eval), true);
            assert_eq!(line.proven, truth, "{}; {context}", line.mv);
        }
    }
}
