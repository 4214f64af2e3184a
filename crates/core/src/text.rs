//! Reading moves and positions that people type.

use crate::Game;
use std::fmt;

/// What is wrong with a text, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// What is wrong.
    pub problem: String,
    /// Byte range of the offending part, if it can be told.
    pub at: Option<std::ops::Range<usize>>,
    /// What would be right.
    pub help: Option<String>,
}

impl ParseError {
    /// An error about the whole text.
    pub fn new(problem: impl Into<String>) -> Self {
        ParseError { problem: problem.into(), at: None, help: None }
    }

    /// Points at a part of the text.
    pub fn at(mut self, at: std::ops::Range<usize>) -> Self {
        self.at = Some(at);
        self
    }

    /// Says what would be right.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

/// The legal move with this notation.
pub fn parse_move<G: Game>(pos: &G, text: &str) -> Result<G::Move, ParseError> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.is_empty() {
        return Err(ParseError::new(format!("move `{text}` comes after the end of the game")));
    }
    if let Some(&m) = moves.iter().find(|m| m.to_string() == text) {
        return Ok(m);
    }
    let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Err(ParseError::new(format!("`{text}` is not a legal move here")).help(legal(text, &names)))
}

/// Plays a sequence of moves separated by white space or commas; the error points at the
/// first that is not legal.
pub fn play_moves<G: Game>(pos: &mut G, text: &str) -> Result<Vec<G::Move>, ParseError> {
    let mut played = Vec::new();
    for word in text.split([' ', ',', '\t', '\n', '\r']).filter(|w| !w.is_empty()) {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        let m = parse_move(pos, word).map_err(|e| {
            let nth = played.len() + 1;
            ParseError { problem: format!("move {nth}: {}", e.problem), ..e }
                .at(from..from + word.len())
        })?;
        pos.play(m);
        played.push(m);
    }
    Ok(played)
}

fn legal(text: &str, names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let near = nearest(text, names).map(|n| format!("did you mean `{n}`? ")).unwrap_or_default();
    let some = names[..names.len().min(SHOWN)].join(" ");
    let more =
        if names.len() > SHOWN { format!(" … ({} in all)", names.len()) } else { String::new() };
    format!("{near}legal: {some}{more}")
}

/// The candidate nearest to a misspelt name, if one is near enough to be meant.
pub fn nearest<'a>(text: &str, candidates: &[&'a str]) -> Option<&'a str> {
    // Of two letters any other two letters are a near miss: these match but for their case.
    let allowed = (text.chars().count() / 3).min(3);
    let text = text.to_lowercase();
    (candidates.iter())
        .map(|c| (distance(&text, &c.to_lowercase()), *c))
        .filter(|&(d, c)| d <= allowed || (text.len() >= 3 && c.starts_with(&text)))
        .min_by_key(|&(d, _)| d)
        .map(|(_, c)| c)
}

/// Edit distance with transpositions of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j - 1] + change).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("iterations", "itreations"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest("itrations", &["iterations", "time"]), Some("iterations"));
        assert_eq!(nearest("xyz", &["iterations", "time"]), None);
        assert_eq!(nearest("B2", &["a1", "b2"]), Some("b2"));
        assert_eq!(nearest("b9", &["a1", "b2"]), None);
    }
}
