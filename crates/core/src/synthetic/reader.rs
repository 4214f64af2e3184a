//! Reading trees; the notation is in the documentation of [`Literal`](super::Literal).

use super::literal::{Node, Tree};
use crate::{MAX_PLAYERS, ParseError, Payoffs, Turn};

/// How deep brackets may nest: reading is recursive.
const DEEPEST: usize = 500;
/// More children than a [`Branch`](super::Branch) can number.
const WIDEST: usize = u16::MAX as usize;

/// Reads a tree node by node.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    players: usize,
    /// Only what alternates and has no chance.
    strict: bool,
    nodes: Vec<Node>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, players: usize, strict: bool) -> Self {
        Reader { text, at: 0, players, strict, nodes: Vec::new() }
    }

    /// The whole text as one tree.
    pub(super) fn read(mut self) -> Result<Tree, ParseError> {
        self.node(0, 0, 0)?;
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.error(self.at, "text after the end of the tree"));
        }
        let width = self.nodes.iter().map(|n| n.children.len()).max().unwrap_or(0);
        Ok(Tree { players: self.players, width, nodes: self.nodes })
    }

    /// Reads one node with everything below; `decisions` are above it.
    fn node(&mut self, parent: u32, decisions: usize, depth: usize) -> Result<u32, ParseError> {
        self.skip_space();
        let start = self.at;
        if depth > DEEPEST {
            return Err(self.error(start, "brackets nest too deep"));
        }
        let mut shared = [0.0; MAX_PLAYERS];
        if self.players > 1 {
            shared[..self.players].fill(1.0 / self.players as f32);
        }
        let number = self.nodes.len() as u32;
        let turn = Turn::Player((decisions % self.players) as u8);
        self.nodes.push(Node { turn, payoffs: shared, parent, children: Vec::new() });
        let node = number as usize;

        let word = self.word();
        match (word, self.peek()) {
            ("?", Some('(')) if !self.strict => {
                self.nodes[node].turn = Turn::Chance;
                self.children(number, decisions, depth)?;
            }
            ("", Some('(')) => self.children(number, decisions + 1, depth)?,
            (seat, Some('(')) if !self.strict => {
                let seat = seat.parse().ok().filter(|&s: &u8| usize::from(s) < self.players);
                let Some(seat) = seat else {
                    return Err(self
                        .error(start, "a decision of nobody")
                        .help(format!("seats are 0 to {}, chance is `?`", self.players - 1)));
                };
                self.nodes[node].turn = Turn::Player(seat);
                self.children(number, decisions + 1, depth)?;
            }
            (_, Some('(')) => {
                return Err(self.error(start, "a two-player tree has strict turns and no chance"));
            }
            ("", Some('[')) if !self.strict => self.nodes[node].payoffs = self.vector()?,
            ("=", _) => self.nodes[node].payoffs[..self.players].fill(1.0 / self.players as f32),
            ("", Some(_)) => return Err(self.error(start, "neither a bracket nor a payoff")),
            ("", None) => return Err(self.error(start, "the tree ends too early")),
            (word, _) => {
                let Some(first) = payoff(word) else {
                    return Err(self.error(start, &format!("`{word}` is not a payoff")));
                };
                self.nodes[node].payoffs = match self.players {
                    1 => [first, 0.0, 0.0, 0.0, 0.0],
                    2 if (0.0..=1.0).contains(&first) => [first, 1.0 - first, 0.0, 0.0, 0.0],
                    2 => return Err(self.error(start, "a payoff of two players is from 0 to 1")),
                    n => {
                        return Err(self
                            .error(start, "one payoff for several players")
                            .help(format!("write all {n} of them in square brackets")));
                    }
                };
            }
        }
        Ok(number)
    }

    /// Reads `(a b c)`, or with weights at a chance node.
    fn children(&mut self, node: u32, decisions: usize, depth: usize) -> Result<(), ParseError> {
        let open = self.at;
        self.at += 1;
        let weighted = self.nodes[node as usize].turn == Turn::Chance;
        let mut children = Vec::new();
        let mut total = 0u32;
        loop {
            self.skip_space();
            if self.peek() == Some(')') {
                break;
            }
            let start = self.at;
            let mut weight = 1;
            if weighted {
                let parsed = self.word().parse().ok().filter(|&w: &u32| w > 0);
                let sum = parsed.and_then(|w| total.checked_add(w));
                let (Some(w), Some(sum), Some(':')) = (parsed, sum, self.peek()) else {
                    return Err(self
                        .error(start, "an outcome needs its weight")
                        .help("such as `3:1` for weight 3; weights are positive integers"));
                };
                self.at += 1;
                (weight, total) = (w, sum);
            }
            children.push((weight, self.node(node, decisions, depth + 1)?));
        }
        self.at += 1;
        if children.is_empty() || children.len() > WIDEST {
            return Err(self.error(open, "a node needs one child at least, and not too many"));
        }
        self.nodes[node as usize].children = children;
        Ok(())
    }

    /// Reads `[1 0 0.5]`.
    fn vector(&mut self) -> Result<Payoffs, ParseError> {
        let open = self.at;
        let inside = self.text[open + 1..].split(']').next().unwrap_or_default();
        let numbers: Option<Vec<f32>> = inside.split_whitespace().map(payoff).collect();
        self.at += inside.len() + 2;
        match numbers {
            Some(numbers) if numbers.len() == self.players && self.at <= self.text.len() => {
                let mut payoffs = [0.0; MAX_PLAYERS];
                payoffs[..numbers.len()].copy_from_slice(&numbers);
                Ok(payoffs)
            }
            _ => Err(self.error(open, &format!("not the payoffs of {} players", self.players))),
        }
    }

    /// The characters up to a space or a bracket.
    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "()[]:".contains(c));
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn error(&self, at: usize, problem: &str) -> ParseError {
        let at = at.min(self.text.len());
        let end = self.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        ParseError::new(problem).at(at..end)
    }
}

fn payoff(text: &str) -> Option<f32> {
    text.parse().ok().filter(|p: &f32| p.is_finite())
}
