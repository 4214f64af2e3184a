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
    /// Where games begin besides those from the start.
    pub restart: Option<Restart>,
}

/// Where games begin in the path of others: late positions, of which few games tell, are met more often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Restart {
    /// After a game of more moves than this, another one begins in its middle, and so on (Matsuzaki 2017).
    Middle(u32),
    /// Where a game came to the last [stage](super::Shape) of the net that it reached; when one that began there comes
    /// to a later stage, from then on there. (The carousel of Jaśkowski 2018 goes through all stages in turn.)
    Stage {
        /// How many games begin there.
        times: u32,
    },
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

    /// The afterstate in the middle of more than so many moves.
    fn middle(&self, most: u32) -> Option<&G> {
        let moves = self.steps.len();
        (moves > most as usize).then(|| &self.steps[moves / 2].0)
    }

    /// The first afterstate of the last stage, if that is a later one than this, and that stage.
    fn entry(&self, net: &Network, stage: u32) -> Option<(&G, u32)> {
        let reached = |(after, _): &(G, f32)| net.stage::<G>(after.word());
        let last = reached(self.steps.last()?);
        // Progress never becomes less.
        let first = self.steps.partition_point(|step| reached(step) < last);
        (last > stage).then(|| (&self.steps[first].0, last))
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
        net.find(&after.images(after.word()), net.stage::<G>(after.word()), rows);
        S::expect(net, rows);
    }
}

/// Where games begin one after the other in the paths of those before.
pub(super) struct Restarts<G> {
    how: Option<Restart>,
    /// The last stage that any of them reached, and where.
    stage: u32,
    entry: Option<G>,
    /// How many are still to begin there.
    left: u32,
}

impl<G: Cells> Restarts<G> {
    pub(super) fn new(how: Option<Restart>) -> Self {
        Restarts { how, stage: 0, entry: None, left: 0 }
    }

    /// Where the next one begins after that of a path.
    pub(super) fn next(&mut self, net: &Network, path: &Path<G>) -> Option<G> {
        match self.how? {
            Restart::Middle(most) => path.middle(most).cloned(),
            Restart::Stage { times } => {
                if let Some((entry, stage)) = path.entry(net, self.stage) {
                    (self.stage, self.entry, self.left) = (stage, Some(entry.clone()), times);
                }
                self.left = self.left.checked_sub(1)?;
                self.entry.clone()
            }
        }
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
        path.steps.iter().map(|(after, _)| net.value(after, after.word())).collect()
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
        let net = Network::new(WHOLE.parse().unwrap(), 0.0);
        let begin = |how| Restarts::new(how).next(&net, &path);
        assert!(begin(None).is_none() && begin(Some(Restart::Middle(7))).is_none());
        let middle = begin(Some(Restart::Middle(6))).unwrap();
        assert!(middle == path.steps[3].0 && middle.turn() == Turn::Chance);
    }

    /// Where a later stage was entered: as often as is said, and anew when a path comes further; nowhere after a
    /// path in the first stage.
    #[test]
    fn games_begin_where_stages_do() {
        let net = Network::new(format!("{WHOLE}/10/18").parse().unwrap(), 0.0);
        let all = path(&[0.0; 9]);
        let entry = |stage| {
            all.steps.iter().position(|(after, _)| G2048::progress(after.word()) >= stage).unwrap()
        };
        let (second, third) = (entry(10), entry(18));
        assert!(0 < second && second < third && third < 8);
        // Paths of so many steps one after the other, and which of them the games behind begin at.
        let begins = |paths: &[usize]| {
            let mut restarts = Restarts::new(Some(Restart::Stage { times: 2 }));
            let begin = |&moves: &usize| {
                let path = Path { steps: all.steps[..moves].to_vec(), ..Path::new(1) };
                restarts.next(&net, &path).map(|begin| {
                    all.steps.iter().position(|(after, _)| after.word() == begin.word()).unwrap()
                })
            };
            paths.iter().map(begin).collect::<Vec<_>>()
        };
        assert_eq!(begins(&[second]), [None]);
        assert_eq!(begins(&[second + 1; 3]), [Some(second), Some(second), None]);
        assert_eq!(begins(&[third, third, third]), [Some(second), Some(second), None]);
        let further = [second + 1, third + 1, second + 1, second + 1];
        assert_eq!(begins(&further), [Some(second), Some(third), Some(third), None]);
        assert_eq!(begins(&[8, 9, 8]), [Some(third), Some(third), None]);
    }
}
