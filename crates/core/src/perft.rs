//! Counting the move tree: the test that finds a wrong move generator.

use crate::Game;

/// The number of move sequences of length `depth`; games that end earlier do not count.
/// Outcomes of chance are moves, repetition and length limits play no part. The last ply is
/// counted in bulk.
///
/// ```
/// use spielbaum_core::{perft, synthetic::Literal};
/// let game = Literal::two_player("(1 (0 = 1))").unwrap();
/// assert_eq!(perft::perft(&game, 1), 2);
/// assert_eq!(perft::perft(&game, 2), 3);
/// ```
pub fn perft<G: Game>(pos: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    count(&mut pos.without_history(), depth, &mut Vec::new())
}

/// As [`perft`], apart for each root move.
pub fn divide<G: Game>(pos: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut pos = pos.without_history();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let below = |pos: &mut G, m| pos.explore(m, |next| perft(next, depth.saturating_sub(1)));
    moves.into_iter().map(|m| (m, below(&mut pos, m))).collect()
}

fn count<G: Game>(pos: &mut G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 1 {
        return pos.count_moves() as u64;
    }
    let first = moves.len();
    pos.moves(moves);
    let mut nodes = 0;
    for i in first..moves.len() {
        nodes += pos.explore(moves[i], |next| count(next, depth - 1, moves));
    }
    moves.truncate(first);
    nodes
}
