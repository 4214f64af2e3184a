//! Fairness: are random moves and playouts drawn from the distribution they should be?

use super::{Failure, Options, draw, ensure, walk};
use crate::{Game, Rng, Turn, math};
use std::collections::HashMap;

/// Standard deviations beyond which a deviation is no accident: about one in ten million. Seeds
/// are fixed, so a correct game passes always or never; hundreds of comparisons must pass.
const BEYOND: f64 = 5.2;
/// Bins expect at least this many draws; rarer ones are merged.
const LEAST: f64 = 10.0;
/// Positions in which distributions are compared.
const PLACES: usize = 4;

/// `random_move` is legal, decided by its seed, and fair.
pub(super) fn random_moves<G: Game>(
    start: &G,
    options: &Options,
    rng: &mut Rng,
) -> Result<(), Failure> {
    for pos in places(start, options, rng)? {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut scratch = moves.clone(); // left-overs must not matter
        let seed = rng.next();
        let first = pos.random_move(&mut Rng::new(seed), &mut scratch);
        let again = pos.random_move(&mut Rng::new(seed), &mut Vec::new());
        ensure!(first == again, &pos, "`random_move` is not decided by its seed");
        if moves.is_empty() {
            ensure!(first.is_none(), &pos, "`random_move` finds a move after the end");
            continue;
        }
        let mut counts = vec![0u64; moves.len()];
        let draws = (options.playouts as usize).max(moves.len() * 2 * LEAST as usize);
        for _ in 0..draws {
            let drawn = pos.random_move(rng, &mut scratch);
            match drawn.and_then(|d| moves.iter().position(|&m| m == d)) {
                Some(i) => counts[i] += 1,
                None => {
                    let problem = format!("`random_move` gives {drawn:?}, which is not legal");
                    return Err(Failure::new(&pos, problem));
                }
            }
        }
        let deviation = one_sample(&counts, &weights(&pos, &moves));
        ensure!(
            deviation < BEYOND,
            &pos,
            "`random_move` is not fair: {deviation:.1} standard deviations off in {draws} draws"
        );
    }
    Ok(())
}

/// `playout` counts its moves, keeps its limit and its seed, ends where no move is left, and is
/// distributed as uniform play step by step.
pub(super) fn playouts<G: Game>(
    start: &G,
    options: &Options,
    rng: &mut Rng,
) -> Result<(), Failure> {
    for pos in places(start, options, rng)? {
        keeps_its_word(&pos, options, rng)?;
        first_move(&pos, options, rng)?;
        let (mut quick, mut stepwise) = (Vec::new(), Vec::new());
        let mut scratch = Vec::new();
        for _ in 0..options.playouts {
            let mut end = pos.clone();
            let plies = end.playout(options.longest, rng, &mut scratch);
            quick.push(features(&end, plies));
            let mut end = pos.clone();
            let plies = step(&mut end, options.longest, rng, &mut scratch);
            stepwise.push(features(&end, plies));
        }
        for (i, what) in FEATURES.iter().enumerate() {
            let of = |ends: &[Features]| -> Vec<f64> { ends.iter().map(|f| f[i]).collect() };
            let deviation = two_samples(&of(&quick), &of(&stepwise));
            ensure!(
                deviation < BEYOND,
                &pos,
                "`playout` differs from uniform play in the {what}: {deviation:.1} standard \
                 deviations in {} playouts",
                options.playouts
            );
        }
    }
    Ok(())
}

fn keeps_its_word<G: Game>(pos: &G, options: &Options, rng: &mut Rng) -> Result<(), Failure> {
    let mut scratch = Vec::new();
    for trial in 0..64 {
        let limit = if trial == 0 { 0 } else { rng.below(1 << (trial % 12)) as u32 };
        let seed = rng.next();
        let run = |limit, scratch: &mut Vec<G::Move>| {
            let (mut end, mut rng) = (pos.clone(), Rng::new(seed));
            let plies = end.playout(limit, &mut rng, scratch);
            (plies, rng.next(), end)
        };
        let (plies, next, end) = run(limit, &mut scratch);
        let (plies2, next2, end2) = run(limit, &mut Vec::new());
        ensure!(plies <= limit, pos, "`playout` makes {plies} moves of {limit} allowed");
        ensure!(
            (plies, next, end.to_string(), end.key())
                == (plies2, next2, end2.to_string(), end2.key()),
            pos,
            "`playout` is not decided by its seed"
        );
        ensure!(
            plies == limit || end.is_over(),
            pos,
            "`playout` stops after {plies} of {limit} moves before the end"
        );
        if plies == 0 {
            ensure!(
                end.to_string() == pos.to_string() && end.key() == pos.key(),
                pos,
                "`playout` of no moves changes the position"
            );
        }
        // The state left behind must be a position like any other.
        let mut moves = Vec::new();
        end.moves(&mut moves);
        let examiner = super::position::Examiner::new(pos)?;
        examiner.sound(&end, &moves)?;
        examiner.round_trip(&end, &moves)?;
    }
    let mut end = pos.clone();
    let plies = end.playout(options.longest, rng, &mut scratch);
    ensure!(end.is_over(), pos, "`playout` does not end the game within {plies} moves");
    let more = end.playout(options.longest, rng, &mut scratch);
    ensure!(more == 0, &end, "`playout` makes {more} moves after the end");
    Ok(())
}

/// The first move of a playout, seen through its successor's key, is uniform or by odds.
fn first_move<G: Game>(pos: &G, options: &Options, rng: &mut Rng) -> Result<(), Failure> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.is_empty() {
        return Ok(());
    }
    let (mut index, mut expected) = (HashMap::new(), Vec::new());
    for (&m, weight) in moves.iter().zip(weights(pos, &moves)) {
        let mut next = pos.clone();
        next.play(m);
        let i = *index.entry(next.key()).or_insert(expected.len());
        if i == expected.len() {
            expected.push(0.0);
        }
        expected[i] += weight;
    }
    let mut counts = vec![0; expected.len()];
    let mut scratch = Vec::new();
    let draws = (options.playouts as usize).max(moves.len() * 2 * LEAST as usize);
    for _ in 0..draws {
        let mut next = pos.clone();
        let plies = next.playout(1, rng, &mut scratch);
        match index.get(&next.key()) {
            Some(&i) if plies == 1 => counts[i] += 1,
            _ => {
                let problem = format!("one move of `playout` leads to `{next}`, not a successor");
                return Err(Failure::new(pos, problem));
            }
        }
    }
    let deviation = one_sample(&counts, &expected);
    ensure!(
        deviation < BEYOND,
        pos,
        "the first move of `playout` is not fair: {deviation:.1} standard deviations off"
    );
    Ok(())
}

/// The start and positions from random games, each kind of turn among them, and an end.
fn places<G: Game>(start: &G, options: &Options, rng: &mut Rng) -> Result<Vec<G>, Failure> {
    let mut places = vec![start.clone()];
    for nth in 0..PLACES {
        let mut path = Vec::new();
        walk(start, options.longest, rng, |pos, _, _| {
            path.push(pos.clone());
            Ok(())
        })?;
        let Some(end) = path.pop() else { continue };
        if nth == 0 {
            places.push(end);
        }
        // One where a player chooses and one where chance does, if there is any.
        let (choice, chance): (Vec<G>, Vec<G>) =
            path.into_iter().partition(|p| p.turn() != Turn::Chance);
        for kind in [choice, chance] {
            if !kind.is_empty() {
                places.push(kind[rng.below(kind.len())].clone());
            }
        }
    }
    Ok(places)
}

/// Uniform play through `moves` and `play` alone.
fn step<G: Game>(pos: &mut G, limit: u32, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> u32 {
    for ply in 0..limit {
        scratch.clear();
        pos.moves(scratch);
        let Some(m) = draw(pos, scratch, rng) else { return ply };
        pos.play(m);
    }
    limit
}

/// What is compared between two ways to play to the end.
const FEATURES: [&str; 8] = [
    "number of moves",
    "payoff of seat 0",
    "payoff of seat 1",
    "payoff of seat 2",
    "payoff of seat 3",
    "payoff of seat 4",
    "last position (its key)",
    "key and number of moves",
];
type Features = [f64; FEATURES.len()];

fn features<G: Game>(end: &G, plies: u32) -> Features {
    let [a, b, c, d, e] = end.payoffs().map(f64::from);
    let key = end.key() % 16;
    [f64::from(plies), a, b, c, d, e, key as f64, f64::from(plies % 4) * 16.0 + (key % 4) as f64]
}

fn weights<G: Game>(pos: &G, moves: &[G::Move]) -> Vec<f64> {
    let by_odds = pos.turn() == Turn::Chance;
    moves.iter().map(|&m| if by_odds { f64::from(pos.weight(m)) } else { 1.0 }).collect()
}

/// How far counts are from the expected proportions, in standard deviations.
fn one_sample(counts: &[u64], weights: &[f64]) -> f64 {
    let draws = counts.iter().sum::<u64>() as f64;
    let total: f64 = weights.iter().sum();
    let (mut chi, mut bins) = (0.0, 0);
    let mut rare = (0.0, 0.0);
    for (&count, weight) in counts.iter().zip(weights) {
        let expected = draws * weight / total;
        if expected < LEAST {
            rare = (rare.0 + count as f64, rare.1 + expected);
        } else {
            chi += (count as f64 - expected).powi(2) / expected;
            bins += 1;
        }
    }
    if rare.1 > 0.0 {
        chi += (rare.0 - rare.1).powi(2) / rare.1;
        bins += 1;
    }
    normal_deviate(chi, bins - 1)
}

/// How far two equally large samples are from one distribution, in standard deviations: Pearson's
/// test of homogeneity over about sixteen bins between quantiles of the pooled sample.
fn two_samples(a: &[f64], b: &[f64]) -> f64 {
    let mut pooled: Vec<f64> = a.iter().chain(b).copied().collect();
    pooled.sort_by(f64::total_cmp);
    let size = (pooled.len() / 16).max(2 * LEAST as usize);
    // Upper edges; equal values share a bin.
    let mut edges: Vec<f64> = pooled.chunks(size).map(|c| c[c.len() - 1]).collect();
    edges.dedup();
    let mut counts = vec![[0.0f64; 2]; edges.len()];
    for (side, sample) in [a, b].into_iter().enumerate() {
        for x in sample {
            counts[edges.partition_point(|edge| edge < x)][side] += 1.0;
        }
    }
    // A last bin too small joins its neighbour.
    if let [.., before, last] = counts.as_mut_slice()
        && last[0] + last[1] < 2.0 * LEAST
    {
        *before = [before[0] + last[0], before[1] + last[1]];
        counts.pop();
    }
    let chi = counts.iter().map(|[x, y]| (x - y).powi(2) / (x + y)).sum();
    normal_deviate(chi, counts.len() - 1)
}

/// A chi-squared value as a standard normal deviate (Wilson and Hilferty 1931).
fn normal_deviate(chi: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * freedom as f64);
    (math::pow(chi / freedom as f64, 1.0 / 3.0) - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles from tables: χ² = 3.841, 18.307, 124.342 are the 95 % points for 1, 10 and 100
    /// degrees of freedom; 29.588 is the 99.9 % point for 10.
    #[test]
    fn deviates_agree_with_tables() {
        for (chi, freedom, z) in
            [(3.841, 1, 1.645), (18.307, 10, 1.645), (124.342, 100, 1.645), (29.588, 10, 3.090)]
        {
            let found = normal_deviate(chi, freedom);
            assert!((found - z).abs() < 0.05, "χ² {chi} with {freedom}: {found}, not {z}");
        }
    }

    #[test]
    fn samples_are_told_apart() {
        let mut rng = Rng::new(1);
        let mut uniform =
            |top: f64| -> Vec<f64> { (0..4000).map(|_| (rng.unit() * top).floor()).collect() };
        let (a, b, c) = (uniform(40.0), uniform(40.0), uniform(45.0));
        assert!(two_samples(&a, &b) < 3.0);
        assert!(two_samples(&a, &c) > BEYOND);
        assert!(two_samples(&[1.0; 50], &[1.0; 50]) == 0.0);
        assert!(one_sample(&[100, 110, 90], &[1.0, 1.0, 1.0]) < 3.0);
        assert!(one_sample(&[100, 200, 0], &[1.0, 1.0, 1.0]) > BEYOND);
    }
}
