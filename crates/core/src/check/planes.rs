//! Properties of what a network sees.

use super::{Failure, Options, draw, ensure};
use crate::{Planes, Rng, Symmetry};

/// Examines planes and symmetries along random games:
///
/// * every entry of the planes is written and finite, whatever was there before;
/// * policy indices are unique and below `policy_len`;
/// * the identity comes first among the symmetries, all of them are different permutations;
/// * a game played on a turned board is the turned game: the same moves are legal, the planes
///   are the turned planes, and it ends alike.
pub fn planes<G: Planes>(start: &G, options: &Options) -> Result<(), Failure> {
    let [channels, rows, columns] = start.shape();
    let symmetries = start.symmetries();
    let first = symmetries.first();
    ensure!(first == Some(&Symmetry::IDENTITY), start, "the first symmetry is {first:?}");
    let turns: Vec<Turned> = symmetries.iter().map(|&s| Turned::new(start, s)).collect();
    for (i, a) in turns.iter().enumerate() {
        let (n, cells) = (start.policy_len(), rows * columns);
        ensure!(is_permutation(&a.policy, n), start, "symmetry {i} does not permute the policy");
        ensure!(is_permutation(&a.cells, cells), start, "symmetry {i} does not permute the board");
        // On the smallest boards some are the same.
        let is_new = turns[..i].iter().all(|b| b.policy != a.policy);
        ensure!(is_new || rows.min(columns) < 2, start, "symmetry {i} is there twice");
    }
    let mut rng = Rng::new(Rng::split(options.seed, 5));
    let size = channels * rows * columns;
    let (mut seen, mut again) = (vec![0.0; size], vec![f32::NAN; size]);
    for nth in 0..options.games as usize {
        let turned = &turns[nth % turns.len()];
        let (mut pos, mut image) = (start.clone(), start.clone());
        for _ in 0..options.longest {
            ensure!(pos.shape() == start.shape(), &pos, "the shape changes");
            seen.fill(0.0);
            pos.planes(&mut seen);
            again.fill(f32::NAN);
            pos.planes(&mut again);
            ensure!(seen == again, &pos, "not every entry of the planes is written");
            ensure!(seen.iter().all(|x| x.is_finite()), &pos, "a plane is not finite");
            image.planes(&mut again);
            let is_turned = (0..size).all(|i| {
                let (channel, cell) = (i / (rows * columns), i % (rows * columns));
                again[channel * rows * columns + turned.cells[cell]] == seen[i]
            });
            ensure!(is_turned, &pos, "the planes of the turned board are not the turned planes");

            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let mut indices: Vec<usize> = moves.iter().map(|&m| pos.policy_index(m)).collect();
            indices.sort_unstable();
            let last = indices.last().copied().unwrap_or(0);
            ensure!(last < start.policy_len(), &pos, "the policy index {last} is too large");
            let is_unique = indices.windows(2).all(|pair| pair[0] != pair[1]);
            ensure!(is_unique, &pos, "two moves share a policy index");
            let mut images = Vec::new();
            image.moves(&mut images);
            ensure!(images.len() == moves.len(), &pos, "the turned board has other moves");
            ensure!(image.payoffs() == pos.payoffs(), &pos, "the turned board pays otherwise");
            let Some(m) = draw(&pos, &moves, &mut rng) else { break };
            let index = turned.policy[pos.policy_index(m)];
            let Some(&to) = images.iter().find(|&&m| image.policy_index(m) == index) else {
                return Err(Failure::new(&pos, "is not legal on the turned board").mv(m));
            };
            pos.play(m);
            image.play(to);
        }
    }
    Ok(())
}

struct Turned {
    cells: Vec<usize>,
    policy: Vec<usize>,
}

impl Turned {
    fn new<G: Planes>(start: &G, symmetry: Symmetry) -> Self {
        let [_, rows, columns] = start.shape();
        Turned {
            cells: (0..rows * columns).map(|c| symmetry.cell(rows, columns, c)).collect(),
            policy: (0..start.policy_len()).map(|i| start.turn_policy(symmetry, i)).collect(),
        }
    }
}

fn is_permutation(map: &[usize], n: usize) -> bool {
    let mut sorted = map.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..n)
}
