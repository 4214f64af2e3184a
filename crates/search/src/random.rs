//! The uniform random player: the floor of every comparison.

use spielbaum_core::{Bound, Forfeit, Game, Limits, Line, Player, Report, Rng, Task, Turn};

/// Plays any admitted move with equal probability.
///
/// ```
/// use spielbaum_core::{Limits, Player, Task, synthetic::Literal};
/// use spielbaum_search::random::Random;
/// let game = Literal::two_player("(1 0 =)").unwrap();
/// let report = Random::new(7).think(&game, &mut Task::new(Limits::default())).unwrap();
/// assert_eq!(report.lines.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// The player of a seed.
    pub fn new(seed: u64) -> Self {
        Random { rng: Rng::new(seed) }
    }
}

impl<G: Game> Player<G> for Random {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        let (seat, moves) = choices(pos, task)?;
        let best = moves[self.rng.below(moves.len())];
        let value = pos.payoffs()[seat];
        let prior = Some(1.0 / moves.len() as f32);
        let line =
            |&mv: &G::Move| Line { mv, visits: 0, value, bound: Bound::Exact, prior, proven: None };
        let mut report = Report::new(best, value, &task.meter);
        report.lines =
            std::iter::once(&best).chain(moves.iter().filter(|&&m| m != best)).map(line).collect();
        Ok(report)
    }

    /// It does not search.
    fn is_bounded_by(&self, _limits: &Limits) -> bool {
        true
    }

    fn restart(&mut self, seed: u64) {
        *self = Random::new(seed);
    }
}

/// Who is to move at the root, and the moves the task admits. Never empty.
pub(crate) fn choices<G: Game>(
    pos: &G,
    task: &Task<'_, G::Move>,
) -> Result<(usize, Vec<G::Move>), Forfeit> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.retain(|&m| task.admits(m));
    match pos.turn() {
        Turn::Player(seat) if !moves.is_empty() => Ok((usize::from(seat), moves)),
        _ => Err(Forfeit::Crashed("there is no move to choose from".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::synthetic::Literal;

    #[test]
    fn every_admitted_move_comes_equally_often() {
        let game = Literal::two_player("(1 0 = 1 0 =)").unwrap();
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let only = &moves[1..5];
        let mut player = Random::new(3);
        let mut counts = [0u32; 6];
        for _ in 0..8000 {
            let report = player.think(&game, &mut Task::new(Limits::default()).only(only)).unwrap();
            assert_eq!(report.lines.len(), 4);
            counts[game.code(report.best)] += 1;
        }
        assert_eq!((counts[0], counts[5]), (0, 0));
        let chi: f64 = counts[1..5].iter().map(|&c| (f64::from(c) - 2000.0).powi(2) / 2000.0).sum();
        assert!(chi < 16.3, "chi-squared {chi} with 3 degrees of freedom"); // p = 0.001
    }

    #[test]
    fn without_a_move_there_is_an_error_and_no_panic() {
        let over = Literal::two_player("1").unwrap();
        assert!(Random::new(1).think(&over, &mut Task::new(Limits::default())).is_err());
        let chance = Literal::new(2, "?(1:0 1:1)").unwrap();
        assert!(Random::new(1).think(&chance, &mut Task::new(Limits::default())).is_err());
    }
}
