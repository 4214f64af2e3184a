//! Random game trees that need no memory: whatever a node is asked, it hashes.

use super::{Branch, Duel};
use crate::zobrist::mix;
use crate::{Eval, Game, MAX_PLAYERS, ParseError, Payoffs, Turn};
use std::fmt;

/// The shape of a [`Hashed`] tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashedOptions {
    /// Another seed, another tree.
    pub seed: u64,
    /// Seats, 1 to [`MAX_PLAYERS`].
    pub players: u8,
    /// The least and the greatest number of moves of a node.
    pub branching: (u8, u8),
    /// The longest game, in plies.
    pub depth: u8,
    /// Of 256 inner nodes, how many are chance nodes. The root never is.
    pub chance: u8,
    /// Of 256 nodes that need not end yet, how many do. The root never does.
    pub ending: u8,
    /// Payoffs are multiples of `1 / (levels - 1)`: 2 gives wins and losses, 3 draws as well.
    /// Few levels mean many ties.
    pub levels: u8,
    /// Whether different orders of moves meet: a node is then the *sums* of its moves and not
    /// their sequence. Some moves lead two levels down, so that nodes are also reached after
    /// different numbers of plies.
    pub transpositions: bool,
}

impl Default for HashedOptions {
    fn default() -> Self {
        HashedOptions {
            seed: 0,
            players: 2,
            branching: (2, 4),
            depth: 6,
            chance: 0,
            ending: 24,
            levels: 3,
            transpositions: false,
        }
    }
}

impl HashedOptions {
    /// The root of the tree. Values out of range are moved into it.
    pub fn root(self) -> Hashed {
        let most = self.branching.1.max(1);
        let options = HashedOptions {
            players: self.players.clamp(1, MAX_PLAYERS as u8),
            branching: (self.branching.0.clamp(1, most), most),
            levels: self.levels.max(2),
            ..self
        };
        Hashed { options, path: 0, level: 0, mover: 0 }
    }

    /// The root of the tree with these options, but for two players and without chance.
    ///
    /// ```
    /// # use spielbaum_core::{synthetic::HashedOptions, Game};
    /// let root = HashedOptions { seed: 7, ..Default::default() }.two_player();
    /// assert!((2..=4).contains(&root.count_moves()));
    /// ```
    pub fn two_player(self) -> Duel<Hashed> {
        Duel(HashedOptions { players: 2, chance: 0, ..self }.root())
    }
}

/// A node of a tree defined by hashing: moves, ends, chance and payoffs are functions of its
/// key. Copies; never allocates. Two players share one point; otherwise every seat has
/// payoffs of its own. Inner nodes have payoffs as leaves do, so that a search to a fixed
/// depth has something to disagree about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hashed {
    options: HashedOptions,
    /// Hash of the sequence of moves, or the sum of the moves with transpositions.
    path: u64,
    level: u8,
    /// Who moves next, if it is not chance.
    mover: u8,
}

/// What is asked of a node; each question has its own hash.
#[derive(Clone, Copy)]
enum Ask {
    Key,
    Moves,
    Chance,
    Ending,
    Weight(u16),
    Payoff(usize),
}

impl Hashed {
    fn ask(&self, question: Ask) -> u64 {
        let number = match question {
            Ask::Key => 0,
            Ask::Moves => 1,
            Ask::Chance => 2,
            Ask::Ending => 3,
            Ask::Payoff(seat) => 8 + seat as u64,
            Ask::Weight(i) => 64 + u64::from(i),
        };
        let place = u64::from(self.level) << 8 | u64::from(self.mover);
        mix(mix(mix(self.options.seed ^ 0x5851_f42d_4c95_7f2d) ^ self.path)
            ^ (place << 32 | number))
    }

    fn is_chance(&self) -> bool {
        self.options.chance > 0
            && self.level > 0
            && self.ask(Ask::Chance) % 256 < u64::from(self.options.chance)
    }

    /// The shape of the tree.
    pub fn options(&self) -> HashedOptions {
        self.options
    }
}

impl Game for Hashed {
    type Move = Branch;

    fn turn(&self) -> Turn {
        if self.is_chance() { Turn::Chance } else { Turn::Player(self.mover) }
    }

    fn moves(&self, out: &mut Vec<Branch>) {
        out.extend((0..self.count_moves() as u16).map(Branch));
    }

    fn play(&mut self, m: Branch) {
        debug_assert!(usize::from(m.0) < self.count_moves(), "{m} is not a move of {self}");
        let chance = self.is_chance();
        let step;
        if self.options.transpositions {
            self.path += u64::from(m.0);
            step = 1 + (m.0 as u8) % 2;
        } else {
            self.path = mix(self.path ^ (u64::from(m.0) + 1));
            step = 1;
        }
        self.level = self.level.saturating_add(step).min(self.options.depth);
        if !chance {
            self.mover = (self.mover + 1) % self.options.players;
        }
    }

    fn payoffs(&self) -> Payoffs {
        let steps = u64::from(self.options.levels) - 1;
        let draw = |seat| (self.ask(Ask::Payoff(seat)) % (steps + 1)) as f32 / steps as f32;
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.options.players == 2 {
            payoffs[0] = draw(0);
            payoffs[1] = 1.0 - payoffs[0];
        } else {
            for (seat, payoff) in
                payoffs[..usize::from(self.options.players)].iter_mut().enumerate()
            {
                *payoff = draw(seat);
            }
        }
        payoffs
    }

    fn key(&self) -> u64 {
        self.ask(Ask::Key)
    }

    fn code(&self, m: Branch) -> usize {
        usize::from(m.0)
    }

    fn codes(&self) -> usize {
        usize::from(self.options.branching.1)
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let wrong = || {
            ParseError::new(format!("`{text}` is not a node of a hashed tree"))
                .help("a node is LEVEL:MOVER:PATH, the path in hexadecimal, such as 0:0:0")
        };
        let mut parts = text.trim().split(':');
        let (Some(level), Some(mover), Some(path), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        let level = level.parse().map_err(|_| wrong())?;
        let mover = mover.parse().map_err(|_| wrong())?;
        let path = u64::from_str_radix(path, 16).map_err(|_| wrong())?;
        if level > self.options.depth || mover >= self.options.players {
            return Err(wrong());
        }
        Ok(Hashed { path, level, mover, ..*self })
    }

    fn players(&self) -> usize {
        usize::from(self.options.players)
    }

    fn weight(&self, outcome: Branch) -> u32 {
        1 + (self.ask(Ask::Weight(outcome.0)) % 4) as u32
    }

    fn is_over(&self) -> bool {
        self.count_moves() == 0
    }

    fn count_moves(&self) -> usize {
        let o = &self.options;
        let ends = self.level >= o.depth
            || (self.level > 0 && self.ask(Ask::Ending) % 256 < u64::from(o.ending));
        if ends {
            return 0;
        }
        let spread = u64::from(o.branching.1 - o.branching.0) + 1;
        usize::from(o.branching.0) + (self.ask(Ask::Moves) % spread) as usize
    }
}

impl fmt::Display for Hashed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{:x}", self.level, self.mover, self.path)?;
        if f.alternate() {
            write!(
                f,
                "\n{} moves, payoffs {:?}",
                self.count_moves(),
                &self.payoffs()[..self.players()]
            )?;
        }
        Ok(())
    }
}

/// An evaluation and a move order made of nothing but the key: any game, no sense. What a
/// search computes from it is as hard to get right by accident as can be.
#[derive(Clone, Copy, Debug)]
pub struct HashedEval {
    /// Another seed, another evaluation.
    pub seed: u64,
    /// Evaluations lie in `-spread..=spread`; small spreads make many ties.
    pub spread: u16,
}

impl<G: Game> Eval<G> for HashedEval {
    fn eval(&self, pos: &G) -> i32 {
        let spread = u64::from(self.spread);
        (mix(pos.key() ^ mix(self.seed)) % (2 * spread + 1)) as i32 - i32::from(self.spread)
    }

    fn order(&self, pos: &G, m: G::Move) -> i32 {
        (mix(pos.key() ^ mix(self.seed ^ pos.code(m) as u64)) % 5) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, TwoPlayer};
    use std::collections::{HashMap, HashSet};

    fn walk<G: Game>(pos: &G, seen: &mut impl FnMut(&G, u32), plies: u32) {
        seen(pos, plies);
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        for m in moves {
            let mut next = pos.clone();
            next.play(m);
            walk(&next, seen, plies + 1);
        }
    }

    #[test]
    fn trees_differ_by_seed_and_end_at_uneven_depths() {
        let root = HashedOptions { depth: 5, ..Default::default() }.root();
        let mut ends = HashSet::new();
        walk(
            &root,
            &mut |p, plies| {
                if p.is_over() {
                    ends.insert(plies);
                }
            },
            0,
        );
        assert!(ends.len() >= 3 && ends.contains(&5), "{ends:?}");
        let other = HashedOptions { seed: 1, depth: 5, ..Default::default() }.root();
        assert_ne!(root.key(), other.key());
    }

    #[test]
    fn texts_read_back() {
        for transpositions in [false, true] {
            let options = HashedOptions {
                chance: 80,
                players: 3,
                depth: 4,
                transpositions,
                ..Default::default()
            };
            let root = options.root();
            walk(&root, &mut |p, _| assert_eq!(root.parse(&p.to_string()), Ok(*p)), 0);
        }
        let root = HashedOptions::default().root();
        for text in ["", "1", "9:0:0", "0:2:0", "0:0:x", "0:0:0:0"] {
            assert!(root.parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn transpositions_meet_within_and_across_plies() {
        let options = HashedOptions { transpositions: true, depth: 7, ..Default::default() };
        let mut plies_of: HashMap<u64, (String, HashSet<u32>)> = HashMap::new();
        let mut visits = 0;
        walk(
            &options.two_player(),
            &mut |p, plies| {
                visits += 1;
                let node =
                    plies_of.entry(p.key()).or_insert_with(|| (p.to_string(), HashSet::new()));
                assert_eq!(node.0, p.to_string(), "a key has one position");
                node.1.insert(plies);
            },
            0,
        );
        assert!(plies_of.len() * 4 < visits, "{} nodes, {visits} visits", plies_of.len());
        assert!(plies_of.values().any(|(_, plies)| plies.len() > 1));
    }

    #[test]
    fn two_players_alternate_and_share_one_point() {
        fn check<G: TwoPlayer>(root: &G) {
            walk(
                root,
                &mut |p, plies| {
                    assert_eq!(p.payoffs().iter().sum::<f32>(), 1.0);
                    if !p.is_over() {
                        assert_eq!(p.turn(), Turn::Player((plies % 2) as u8));
                    }
                },
                0,
            );
        }
        for seed in 0..20 {
            check(
                &HashedOptions { seed, chance: 99, players: 5, ..Default::default() }.two_player(),
            );
        }
    }

    #[test]
    fn chance_comes_in_its_share() {
        let options = HashedOptions { chance: 64, depth: 8, ..Default::default() };
        let (mut inner, mut chance) = (0.0, 0.0);
        walk(
            &options.root(),
            &mut |p, _| {
                if !p.is_over() {
                    inner += 1.0;
                    chance += f64::from(u8::from(p.turn() == Turn::Chance));
                }
            },
            0,
        );
        assert!((chance / inner - 0.25f64).abs() < 0.05, "{chance} of {inner}");
        let mut rng = Rng::new(1);
        let mut pos = options.root();
        assert!(pos.playout(100, &mut rng, &mut Vec::new()) <= 8);
        assert!(pos.is_over());
    }
}
