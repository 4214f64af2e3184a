//! Game trees written down.

use super::reader::Reader;
use super::{Branch, Duel};
use crate::zobrist;
use crate::{Game, MAX_PLAYERS, ParseError, Payoffs, Turn};
use std::fmt;
use std::sync::Arc;

/// A position in a tree written as text.
///
/// | text | is |
/// |---|---|
/// | `(a b c)` | a decision; players take turns by depth of decision |
/// | `2(a b c)` | a decision of the player in seat 2, counted from 0; not in [`two_player`](Literal::two_player) |
/// | `?(3:a 1:b)` | chance with weights; not in [`two_player`](Literal::two_player) |
/// | `1`, `0`, `0.25` | a leaf: the payoff of seat 0; with two players, seat 1 gets the rest |
/// | `=` | a leaf: one point shared equally |
/// | `[1 0 0.5]` | a leaf: the payoff of each seat; not in [`two_player`](Literal::two_player) |
///
/// A position prints as its path, `/2/1` for the first child of the second child of the
/// root, and `{:#}` adds the tree below it. Before the end the point is shared.
///
/// ```
/// # use spielbaum_core::{synthetic::Literal, text, Game};
/// let game = Literal::new(3, "(?(3:[1 0 0] 1:[0 0.5 0.5]) 2([0 0 1] =))").unwrap();
/// let mut position = game.clone();
/// text::play_moves(&mut position, "2 1").unwrap();
/// assert_eq!(position.payoffs()[..3], [0.0, 0.0, 1.0]);
/// assert_eq!(position.to_string(), "/2/1");
/// ```
#[derive(Clone, Debug)]
pub struct Literal {
    tree: Arc<Tree>,
    node: u32,
}

#[derive(Debug)]
pub(super) struct Tree {
    pub(super) players: usize,
    /// The greatest number of children.
    pub(super) width: usize,
    pub(super) nodes: Vec<Node>,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) turn: Turn,
    pub(super) payoffs: Payoffs,
    pub(super) parent: u32,
    /// Odds and number of each child.
    pub(super) children: Vec<(u32, u32)>,
}

impl Literal {
    /// A tree for two players who alternate, without chance: the payoffs sum to 1.
    pub fn two_player(text: &str) -> Result<Duel<Literal>, ParseError> {
        Ok(Duel(Self::root(Reader::new(text, 2, true).read()?)))
    }

    /// A tree for 1 to [`MAX_PLAYERS`] players.
    pub fn new(players: usize, text: &str) -> Result<Literal, ParseError> {
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(ParseError::new(format!("{players} players"))
                .help(format!("a tree has 1 to {MAX_PLAYERS} players")));
        }
        Reader::new(text, players, false).read().map(Self::root)
    }

    fn root(tree: Tree) -> Self {
        Literal { tree: Arc::new(tree), node: 0 }
    }

    fn node(&self) -> &Node {
        &self.tree.nodes[self.node as usize]
    }

    /// Writes the tree below a node so that it reads as a tree of its own.
    fn write(&self, f: &mut fmt::Formatter<'_>, node: &Node, decisions: usize) -> fmt::Result {
        let players = self.tree.players;
        if node.children.is_empty() {
            return match &node.payoffs[..players] {
                [p] => write!(f, "{p}"),
                [a, b] if *a == 0.5 && *b == 0.5 => write!(f, "="),
                [a, b] if *b == 1.0 - *a => write!(f, "{a}"),
                all => {
                    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
                    write!(f, "[{}]", texts.join(" "))
                }
            };
        }
        match node.turn {
            Turn::Chance => write!(f, "?(")?,
            Turn::Player(seat) if usize::from(seat) == decisions % players => write!(f, "(")?,
            Turn::Player(seat) => write!(f, "{seat}(")?,
        }
        let below = decisions + usize::from(node.turn != Turn::Chance);
        for (i, &(weight, child)) in node.children.iter().enumerate() {
            if i > 0 {
                write!(f, " ")?;
            }
            if node.turn == Turn::Chance {
                write!(f, "{weight}:")?;
            }
            self.write(f, &self.tree.nodes[child as usize], below)?;
        }
        write!(f, ")")
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) && self.node == other.node
    }
}

impl Game for Literal {
    type Move = Branch;

    fn turn(&self) -> Turn {
        self.node().turn
    }

    fn moves(&self, out: &mut Vec<Branch>) {
        out.extend((0..self.count_moves() as u16).map(Branch));
    }

    fn play(&mut self, m: Branch) {
        self.node = self.node().children[usize::from(m.0)].1;
    }

    fn payoffs(&self) -> Payoffs {
        self.node().payoffs
    }

    fn key(&self) -> u64 {
        zobrist::key(0x0074_7265_6573, u64::from(self.node))
    }

    fn code(&self, m: Branch) -> usize {
        usize::from(m.0)
    }

    fn codes(&self) -> usize {
        self.tree.width
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let mut pos = Literal { tree: Arc::clone(&self.tree), node: 0 };
        let Some(path) = text.trim().strip_prefix('/') else {
            return Err(ParseError::new(format!("`{text}` is not a path"))
                .help("a path is a slash, or `/2/1` for the first child of the second child"));
        };
        for step in path.split('/').filter(|_| !path.is_empty()) {
            let m = crate::text::parse_move(&pos, step)?;
            pos.play(m);
        }
        Ok(pos)
    }

    fn players(&self) -> usize {
        self.tree.players
    }

    fn weight(&self, outcome: Branch) -> u32 {
        self.node().children[usize::from(outcome.0)].0
    }

    fn is_over(&self) -> bool {
        self.node().children.is_empty()
    }

    fn count_moves(&self) -> usize {
        self.node().children.len()
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = Vec::new();
        let mut node = self.node;
        while node != 0 {
            let parent = self.tree.nodes[node as usize].parent;
            let children = &self.tree.nodes[parent as usize].children;
            path.extend(children.iter().position(|&(_, c)| c == node).map(|i| i + 1));
            node = parent;
        }
        if path.is_empty() {
            write!(f, "/")?;
        }
        for step in path.iter().rev() {
            write!(f, "/{step}")?;
        }
        if f.alternate() {
            writeln!(f)?;
            self.write(f, self.node(), 0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::play_moves;

    fn tree(players: usize, text: &str) -> String {
        let game = Literal::new(players, text).unwrap();
        format!("{game:#}").lines().last().unwrap().to_string()
    }

    #[test]
    fn trees_print_as_they_are_read() {
        for (players, text) in [
            (2, "(= (1 0))"),
            (2, "(1 ?(3:(0 =) 1:0.25))"),
            (2, "1(0(1 0) [1 1])"),
            (1, "(3 ?(1:-2.5 9:(7 8)))"),
            (3, "(2([1 0 0.5] [0 0 0]) ([1 1 1] [0 1 0]))"),
            (5, "[1 0 0 0 0.5]"),
        ] {
            assert_eq!(tree(players, text), text);
        }
        assert_eq!(tree(2, " ( 1\t( [0 1]0.5) )\n"), "(1 (0 =))");
    }

    #[test]
    fn players_take_turns_by_decisions_and_not_by_chance() {
        let mut pos = Literal::new(3, "(?(1:(?(1:([0 0 0])))))").unwrap();
        let mut turns = Vec::new();
        while !pos.is_over() {
            turns.push(pos.turn());
            pos.play(Branch(0));
        }
        use Turn::{Chance, Player};
        assert_eq!(turns, [Player(0), Chance, Player(1), Chance, Player(2)]);
    }

    #[test]
    fn paths_read_back() {
        let game = Literal::two_player("((1 0) (0 (= 1)))").unwrap();
        let mut pos = game.clone();
        play_moves(&mut pos, "2 2 1").unwrap();
        assert_eq!(pos.to_string(), "/2/2/1");
        assert_eq!(pos.payoffs()[..2], [0.5, 0.5]);
        assert_eq!(game.parse("/2/2/1"), Ok(pos.clone()));
        assert_eq!(pos.parse("/"), Ok(game.clone()));
        for text in ["", "2/1", "/3", "/1/1/1", "//", "/0"] {
            assert!(game.parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_fault() {
        for (text, at) in
            [("(1 x)", 3), ("(1 0", 4), ("1 0", 2), ("()", 0), ("(2)", 1), ("(1 ])", 3), ("", 0)]
        {
            let error = Literal::two_player(text).unwrap_err();
            assert_eq!(error.at.unwrap().start, at, "{text}");
        }
        for text in ["?(1:0)", "1(0 1)", "[1 0]"] {
            assert!(Literal::two_player(text).is_err(), "{text}");
            assert!(Literal::new(2, text).is_ok(), "{text}");
        }
        for text in ["2(1)", "?(0:1)", "?(1)", "[1 0 0]", "[1", "[a b]", "?(9999999999:1)"] {
            assert!(Literal::new(2, text).is_err(), "{text}");
        }
        assert!(Literal::new(3, "1").is_err() && Literal::new(6, "=").is_err());
        assert!(Literal::two_player(&"(".repeat(100_000)).is_err());
    }
}
