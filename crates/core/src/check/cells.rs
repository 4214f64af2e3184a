//! Properties of boards in a word.

use super::{Failure, Options, ensure, walk};
use crate::{Cells, Rng, Turn};

/// Examines boards in a word along random games:
///
/// * the size does not change, and cells beyond the board are empty;
/// * `afterstates` are the legal moves with the boards and payoffs that playing them gives, and
///   `play_to` plays them;
/// * the board itself is the first of its images, all of them have the same images, and the same
///   cells in some order;
/// * with another board of its game, or a lowered one, it is the same player's turn with the same payoffs.
pub fn cells<G: Cells>(start: &G, options: &Options) -> Result<(), Failure> {
    let mut rng = Rng::new(Rng::split(options.seed, 6));
    let (rows, columns) = start.board_size();
    let beyond =
        (0..16).filter(|c| c / 4 >= rows || c % 4 >= columns).fold(0, |m, c| m | 15 << (4 * c));
    for _ in 0..options.games {
        walk(start, options.longest, &mut rng, |pos, moves, _| {
            let word = pos.word();
            ensure!(pos.board_size() == (rows, columns), pos, "the size of the board changes");
            ensure!(word & beyond == 0, pos, "a cell beyond the board is not empty: {word:016x}");
            let images = pos.images(word);
            ensure!(images[0] == word, pos, "the first image is not the board");
            for other in (0..16).filter_map(|least| pos.lowered(least)).chain([pos.with_word(0)]) {
                let same = other.turn() == pos.turn() && other.payoffs() == pos.payoffs();
                ensure!(same, pos, "with another board it is {other}");
            }
            for &image in &images {
                ensure!(sorted(&pos.images(image)) == sorted(&images), pos, "images differ");
                ensure!(contents(image) == contents(word), pos, "an image has other cells");
            }
            let mut seen = Vec::new();
            pos.afterstates(|m, after, reward| seen.push((m, after, reward)));
            if pos.turn() == Turn::Chance {
                ensure!(seen.is_empty(), pos, "chance has afterstates");
                return Ok(());
            }
            let seat = pos.turn().player().unwrap_or(0);
            ensure!(
                seen.iter().map(|s| s.0).eq(moves.iter().copied()),
                pos,
                "moves differ: {seen:?}"
            );
            for &(m, after, reward) in &seen {
                let mut next = pos.clone();
                next.play(m);
                let truth = (next.word(), next.payoffs()[seat] - pos.payoffs()[seat]);
                ensure!(
                    truth == (after, reward),
                    pos,
                    "{m} leads to {after:016x}, {reward}: {truth:?}"
                );
                let mut sooner = pos.clone();
                sooner.play_to(m, after, reward);
                let (next, sooner) = (next.to_string(), sooner.to_string());
                ensure!(next == sooner, pos, "{m} leads to {next}, and in short to {sooner}");
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn sorted(words: &[u64]) -> Vec<u64> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

fn contents(word: u64) -> Vec<u64> {
    sorted(&(0..16).map(|cell| word >> (4 * cell) & 15).collect::<Vec<_>>())
}
