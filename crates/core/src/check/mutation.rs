//! Damaged position texts: an error or a sound position, never a panic.

use super::{Failure, Options, position::Examiner};
use crate::{Game, Rng, text::ParseError};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Characters that damage does most with: digits, separators, signs, letters, not only ASCII.
const INK: &[char] = &[
    '0', '1', '2', '9', '-', '+', '.', ',', ':', ';', '/', '=', '?', '(', ')', '[', ' ', '\t',
    '\n', 'a', 'b', 'k', 'x', 'z', 'A', 'B', 'K', 'O', 'X', 'é', '½', '帥', '🦁', '\0',
];

/// Reads damaged forms of valid texts.
pub(super) fn mutations<G: Game>(
    start: &G,
    texts: &[String],
    options: &Options,
    rng: &mut Rng,
) -> Result<(), Failure> {
    let examiner = Examiner::new(start)?;
    for _ in 0..options.mutations {
        let mut text = texts[rng.below(texts.len())].clone();
        for _ in 0..1 + rng.below(3) {
            text = damage(&text, &texts[rng.below(texts.len())], rng);
        }
        let fail =
            |problem: String| Failure { position: text.clone(), ..Failure::new(start, problem) };
        let seed = rng.next();
        // A sound position can be examined and played to the end.
        let outcome = catch_unwind(AssertUnwindSafe(|| -> Result<Option<ParseError>, Failure> {
            let mut pos = match start.parse(&text) {
                Err(e) => return Ok(Some(e)),
                Ok(pos) => pos,
            };
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            examiner.sound(&pos, &moves)?;
            examiner.round_trip(&pos, &moves)?;
            pos.playout(options.longest, &mut Rng::new(seed), &mut moves);
            moves.clear();
            pos.moves(&mut moves);
            examiner.sound(&pos, &moves)?;
            examiner.round_trip(&pos, &moves)?;
            Ok(None)
        }));
        match outcome {
            Err(_) => return Err(fail("reading or playing this text panics".into())),
            Ok(Err(inner)) => return Err(fail(format!("read without an error, but: {inner}"))),
            Ok(Ok(Some(e))) if e.at.clone().is_some_and(|at| text.get(at).is_none()) => {
                return Err(fail(format!("the error points outside the text: {e:?}")));
            }
            Ok(Ok(Some(e))) if e.problem.trim().is_empty() => {
                return Err(fail("the error says nothing".into()));
            }
            Ok(Ok(_)) => {}
        }
    }
    Ok(())
}

/// One random edit.
fn damage(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let ink = INK[rng.below(INK.len())];
    if chars.is_empty() {
        return ink.to_string();
    }
    let i = rng.below(chars.len());
    match rng.below(9) {
        0 => drop(chars.remove(i)),
        1 => chars.insert(i, ink),
        2 => chars[i] = ink,
        3 => chars.insert(i, chars[i]),
        4 => {
            let j = rng.below(chars.len());
            chars.swap(i, j);
        }
        5 => chars.truncate(i),
        6 => drop(chars.drain(..i)),
        7 => chars.extend(other.chars().skip(i)),
        // A long number where a short one was.
        _ => drop(chars.splice(i..i, "99999999999999999999".chars().take(1 + rng.below(20)))),
    }
    chars.into_iter().collect()
}
