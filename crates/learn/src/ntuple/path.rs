//! The path of a game, and learning from it backwards.

use super::network::{Network, Row};
use super::step::Step;
use serde::{Deserialize, Serialize};
use spielbaum_core::{Cells, IMAGES};

/// Learning after the end of a game: from its last afterstate back to the first, so that what came of
/// a game reaches its beginning at once (Matsuzaki 2017; the λ-return of Sutton and Barto).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backward {
    /// How much of a target is what came in the end, and not the value of the next afterstate: 0 is
    /// TD(0), 1 is Monte Carlo.
    pub lambda: f32,
    /// After a game of more moves than this, another one begins in its middle, and so on: late
    /// positions, of which few games tell, are met as often as early ones.
    pub restart: Option<u32>,
}

/// How many steps ahead the weights of a step are asked for from memory.
const AHEAD: usize = 4;

/// The path of a game: afterstates with what the moves to them earned. It is kept from game to game
/// for the memory that it has grown to.
pub(super) struct Path<G> {
    steps: Vec<(G, f32)>,
    /// The weights that the coming steps meet, in a ring.
    rows: [Vec<Row>; AHEAD],
}

impl<G: Cells> Path<G> {
    /// An empty one, for nets of so many tuples.
    pub(super) fn new(tuples: usize) -> Self {
        let rows = std::array::from_fn(|_| vec![[0; IMAGES]; tuples]);
        Path { steps: Vec::new(), rows }
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear();
    }

    /// Adds the afterstate of a move and what the move earned.
    #[inline]
    pub(super) fn push(&mut self, after: &G, reward: f32) {
        self.steps.push((after.clone(), reward));
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The afterstate in the middle of more than `restart` moves.
    pub(super) fn middle(&self, restart: Option<u32>) -> Option<G> {
        let moves = self.steps.len();
        let is_long = restart.is_some_and(|most| moves > most as usize);
        is_long.then(|| self.steps[moves / 2].0.clone())
    }

    /// Moves the value of each afterstate, the last first, towards what came: nothing after the last,
    /// and before a move its reward with λ of what came after it and the rest of the value that its
    /// afterstate has after its own step.
    pub(super) fn learn<S: Step>(&mut self, net: &Network, alpha: f32, lambda: f32) {
        let moves = self.steps.len();
        for at in 0..moves.min(AHEAD) {
            self.find::<S>(net, at);
        }
        let mut target = 0.0;
        for at in 0..moves {
            let value = S::learn(net, &self.rows[at % AHEAD], alpha, target);
            let reward = self.steps[moves - 1 - at].1;
            target = reward + lambda * target + (1.0 - lambda) * value;
            if at + AHEAD < moves {
                self.find::<S>(net, at + AHEAD);
            }
        }
    }

    /// Finds the weights of a step, counted from the last, and asks for them.
    #[inline]
    fn find<S: Step>(&mut self, net: &Network, at: usize) {
        let after = &self.steps[self.steps.len() - 1 - at].0;
        let rows = &mut self.rows[at % AHEAD];
        net.find(&after.images(after.word()), rows);
        S::expect(net, rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::step::{Coherent, Even};
    use spielbaum_core::{Game, Rng, Turn};
    use spielbaum_games::g2048::G2048;

    /// The cells of a board of 2 x 2: a weight for each board, and none that two steps share.
    const WHOLE: &str = "0145";

    /// Afterstates of a random game on that board, with rewards of our own.
    fn path(rewards: &[f32]) -> Path<G2048> {
        let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
        let mut path = Path::new(1);
        while path.len() < rewards.len() {
            path.clear();
            let mut pos = G2048::new(2, 2).unwrap();
            while path.len() < rewards.len()
                && let Some(m) = pos.random_move(&mut rng, &mut scratch)
            {
                let is_choice = pos.turn() != Turn::Chance;
                pos.play(m);
                if is_choice {
                    path.push(&pos, rewards[path.len()]);
                }
            }
        }
        path
    }

    fn values(net: &Network, path: &Path<G2048>) -> Vec<f32> {
        path.steps.iter().map(|(after, _)| net.value(&after.images(after.word()))).collect()
    }

    /// From the last: towards 0 from 0; 32 from 0, half the way; 16 + 1/4 · 32 + 3/4 · 16 = 36, half the way;
    /// 8 + 1/4 · 36 + 3/4 · 18 = 30.5; 4 + 1/4 · 30.5 + 3/4 · 15.25 = 23.0625; and so on.
    #[test]
    fn targets_are_those_by_hand() {
        let mut path = path(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        let net = Network::new(WHOLE.parse().unwrap(), 0.0);
        path.learn::<Even>(&net, 0.5, 0.25);
        let expected = [8.207_031, 11.531_25, 15.25, 18.0, 16.0, 0.0];
        for (found, value) in values(&net, &path).into_iter().zip(expected) {
            assert!((found - value).abs() < 1e-4, "{found} {value}");
        }
    }

    /// With λ = 1 and full steps each afterstate is worth what came after it; with λ = 0 as well, since
    /// the value of the next is what it is worth by then.
    #[test]
    fn full_steps_tell_what_came() {
        for (is_coherent, lambda) in [(false, 1.0), (true, 1.0), (false, 0.0), (true, 0.5)] {
            let mut path = path(&[1.0, 2.0, 4.0, 8.0, 16.0]);
            let net = Network::coherent(WHOLE.parse().unwrap(), 125.0);
            match is_coherent {
                true => path.learn::<Coherent>(&net, 1.0, lambda),
                false => path.learn::<Even>(&net, 1.0, lambda),
            }
            let expected = [30.0, 28.0, 24.0, 16.0, 0.0];
            for (found, value) in values(&net, &path).into_iter().zip(expected) {
                assert!((found - value).abs() < 0.01, "{found} {value}");
            }
        }
    }

    #[test]
    fn games_begin_in_the_middle_of_long_ones() {
        let path = path(&[0.0; 7]);
        assert!(path.middle(None).is_none() && path.middle(Some(7)).is_none());
        let middle = path.middle(Some(6)).unwrap();
        assert!(middle == path.steps[3].0 && middle.turn() == Turn::Chance);
    }
}
