//! Games of self-play as they are kept: moves, what the searches found, the outcome.
//!
//! A file holds the games of an iteration. Probabilities have 16 bits; what is learned is what
//! was written, so a training that is taken up again learns the same.

use spielbaum_core::{Planes, Turn};

/// A game of self-play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// Its number, from 0.
    pub number: u64,
    /// Policy indices of the moves, random ones at the beginning included.
    pub moves: Vec<u16>,
    /// Result for the first player: 1, 0 or -1.
    pub outcome: f32,
    /// What there is to learn.
    pub lessons: Vec<Lesson>,
}

/// What there is to learn from a position of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lesson {
    /// Moves made before it.
    pub ply: u16,
    /// Policy index and probability of the moves that the search found, of 65535 parts; empty:
    /// nothing is to be learned about moves.
    pub policy: Vec<(u16, u16)>,
    /// What the search expects for the first player, -1 to 1.
    pub value: f32,
    /// Whether that is proven.
    pub is_proven: bool,
}

const MAGIC: &[u8; 8] = b"SBGAMES1";

/// The content of a file.
pub fn to_bytes(games: &[GameRecord]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend((games.len() as u32).to_le_bytes());
    for game in games {
        out.extend(game.number.to_le_bytes());
        out.extend(game.outcome.to_le_bytes());
        out.extend((game.moves.len() as u16).to_le_bytes());
        game.moves.iter().for_each(|m| out.extend(m.to_le_bytes()));
        out.extend((game.lessons.len() as u16).to_le_bytes());
        for lesson in &game.lessons {
            out.extend(lesson.ply.to_le_bytes());
            out.extend(lesson.value.to_le_bytes());
            out.push(u8::from(lesson.is_proven));
            out.extend((lesson.policy.len() as u16).to_le_bytes());
            for (index, parts) in &lesson.policy {
                out.extend(index.to_le_bytes());
                out.extend(parts.to_le_bytes());
            }
        }
    }
    out
}

/// Reads a file; `None` if it is not whole.
pub fn from_bytes(bytes: &[u8]) -> Option<Vec<GameRecord>> {
    let mut reader = Reader(bytes.strip_prefix(MAGIC.as_slice())?);
    let games = u32::from_le_bytes(reader.take()?);
    let games: Option<Vec<GameRecord>> = (0..games).map(|_| reader.game()).collect();
    games.filter(|_| reader.0.is_empty())
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn game(&mut self) -> Option<GameRecord> {
        let number = u64::from_le_bytes(self.take()?);
        let outcome = f32::from_le_bytes(self.take()?);
        let moves = (0..self.short()?).map(|_| self.short()).collect::<Option<_>>()?;
        let lessons = (0..self.short()?).map(|_| self.lesson()).collect::<Option<_>>()?;
        Some(GameRecord { number, moves, outcome, lessons })
    }

    fn lesson(&mut self) -> Option<Lesson> {
        let ply = self.short()?;
        let value = f32::from_le_bytes(self.take()?);
        let [is_proven] = self.take()?;
        let entries = self.short()?;
        let policy =
            (0..entries).map(|_| Some((self.short()?, self.short()?))).collect::<Option<_>>()?;
        Some(Lesson { ply, policy, value, is_proven: is_proven != 0 })
    }
}

/// A position with its targets.
#[derive(Clone)]
pub struct Sample<G> {
    /// The position.
    pub pos: G,
    /// Policy index and probability, of 65535 parts; empty: not to be learned.
    pub policy: Vec<(u16, u16)>,
    /// Target of the value, for the first player.
    pub value: f32,
}

/// The lessons of a game as positions with targets; `mix` is the part of the search's value.
/// `None` if the moves are not legal.
pub fn samples<G: Planes>(start: &G, game: &GameRecord, mix: f32) -> Option<Vec<Sample<G>>> {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    let mut ply = 0;
    let mut samples = Vec::with_capacity(game.lessons.len());
    for lesson in &game.lessons {
        while ply < lesson.ply as usize {
            let index = usize::from(*game.moves.get(ply)?);
            moves.clear();
            pos.moves(&mut moves);
            let m = moves.iter().copied().find(|&m| pos.policy_index(m) == index)?;
            pos.play(m);
            ply += 1;
        }
        debug_assert!(matches!(pos.turn(), Turn::Player(_)));
        let value = match lesson.is_proven {
            true => lesson.value,
            false => (1.0 - mix) * game.outcome + mix * lesson.value,
        };
        samples.push(Sample { pos: pos.clone(), policy: lesson.policy.clone(), value });
    }
    Some(samples)
}

/// Probabilities as parts of 65535; entries that round to nothing are left out.
pub fn parts(policy: impl Iterator<Item = (usize, f64)>) -> Vec<(u16, u16)> {
    let part = |(index, p): (usize, f64)| (index as u16, (p * 65535.0).round() as u16);
    policy.map(part).filter(|&(_, parts)| parts > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::{Game, text};
    use spielbaum_games::gomoku::Gomoku;

    fn game() -> GameRecord {
        let lesson = |ply, is_proven| Lesson {
            ply,
            policy: parts([(3, 0.25), (5, 0.75), (7, 1e-9)].into_iter()),
            value: 0.5,
            is_proven,
        };
        GameRecord {
            number: 9,
            moves: vec![4, 0, 1],
            outcome: -1.0,
            lessons: vec![lesson(0, false), lesson(2, true)],
        }
    }

    #[test]
    fn files_read_back_and_torn_ones_do_not() {
        let games = [game(), GameRecord::default()];
        let bytes = to_bytes(&games);
        assert_eq!(from_bytes(&bytes).unwrap(), games);
        for end in 0..bytes.len() {
            assert_eq!(from_bytes(&bytes[..end]), None);
        }
        assert_eq!(from_bytes(&[&bytes[..], &[0]].concat()), None);
    }

    #[test]
    fn lessons_become_positions_with_targets() {
        let start = Gomoku::new(3, 3, 3).unwrap();
        let samples = samples(&start, &game(), 0.5).unwrap();
        assert_eq!(samples[0].pos.to_string(), start.to_string());
        assert_eq!((samples[0].value, samples[1].value), (-0.25, 0.5));
        assert_eq!(samples[0].policy, [(3, 16384), (5, 49151)]);
        let mut pos = start;
        text::play_moves(&mut pos, "b2 a1").unwrap();
        assert_eq!(samples[1].pos.key(), pos.key());
        let illegal = GameRecord { moves: vec![4, 4], ..game() };
        assert!(super::samples(&start, &illegal, 0.5).is_none());
    }
}
