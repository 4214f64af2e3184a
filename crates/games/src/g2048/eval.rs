//! The evaluations by name.

use super::{G2048, HEURISTIC, Heuristic, Paper, TileScale, lines};
use spielbaum_core::{Eval, NamedEval, ZeroEval};

/// All evaluations of the game, the default first.
pub static EVALS: &[NamedEval<G2048>] = &[
    NamedEval {
        name: HEURISTIC.name,
        help: HEURISTIC.help,
        make: || Box::new(Heuristic::default()),
    },
    NamedEval {
        name: "paper",
        help: "the study's: monotonicity, smoothness of the tiles as they are, empty cells",
        make: || Box::new(Paper::new(TileScale::Raw)),
    },
    NamedEval {
        name: "paper-log2",
        help: "the study's with the logarithms of the tiles in smoothness",
        make: || Box::new(Paper::new(TileScale::Log2)),
    },
    NamedEval {
        name: "empty",
        help: "the number of empty cells and nothing else: what the study's rollouts count",
        make: || Box::new(EmptyCells),
    },
    NamedEval {
        name: "score",
        help: "the points so far and nothing else",
        make: || Box::new(ZeroEval),
    },
];

/// The number of empty cells, whether the game goes on or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyCells;

impl Eval<G2048> for EmptyCells {
    fn eval(&self, pos: &G2048) -> i32 {
        100 * pos.empty().count_ones() as i32
    }

    fn expected(&self, pos: &G2048, _seat: usize) -> f32 {
        pos.empty().count_ones() as f32
    }

    fn key(&self, pos: &G2048) -> u64 {
        lines::key(pos)
    }

    fn keys_next(&self, pos: &G2048, out: &mut Vec<u64>) {
        lines::keys_next(pos, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::{Kind, Param, Schema, resolve};
    use spielbaum_core::{ChosenEval, Game, Rng, Turn, check};

    /// The name of a preset is the name of an evaluation, with or without arguments.
    #[test]
    fn weights_have_names() {
        static SEARCH: Schema = Schema {
            name: "search",
            aliases: &[],
            help: "looks ahead",
            params: &[&[Param::unset("eval", Kind::Open("evaluation"), "at the horizon")]],
            presets: &[],
        };
        let chosen = |text: &str| {
            let args = resolve(text, "player", &[&SEARCH]).unwrap();
            ChosenEval::new(&args, "eval", EVALS).map(|chosen| chosen.args)
        };
        let shallow = chosen("search:eval=heuristic-shallow(merge=1)").unwrap().unwrap();
        assert_eq!((shallow.real("empty"), shallow.real("merge")), (803.4, 1.0));
        assert_eq!(shallow.canonical(), "heuristic-shallow:merge=1");
        assert_eq!(chosen("search:eval=default").unwrap().unwrap().canonical(), "heuristic");
        assert!(chosen("search:eval=none/paper").unwrap().is_none());
        let error = chosen("search:eval=heuristic-deep").unwrap_err();
        assert!(error.help.unwrap().contains("heuristic, heuristic-shallow, paper"));
    }

    /// What comes cheaper together is the same as one by one, bit by bit.
    #[test]
    fn one_slide_on_is_the_best_of_all() {
        let mut rng = Rng::new(3);
        for (rows, columns) in [(4, 4), (3, 3), (2, 4), (3, 2)] {
            let start = G2048::new(rows, columns).unwrap();
            for named in EVALS {
                let eval = (named.make)();
                let (mut pos, mut scratch) = (start, Vec::new());
                while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                    pos.play(m);
                    if pos.turn() == Turn::Chance {
                        assert_eq!(eval.expected_next(&pos, 0), None);
                        continue;
                    }
                    let mut moves = Vec::new();
                    pos.moves(&mut moves);
                    let values = moves.iter().map(|&m| {
                        let mut next = pos;
                        next.play(m);
                        eval.expected(&next, 0)
                    });
                    let best = values.reduce(f32::max).unwrap_or(eval.expected(&pos, 0));
                    let found = eval.expected_next(&pos, 0);
                    let expected = Some((best, moves.len() as u32));
                    let simple = ["score", "empty"].contains(&named.name);
                    assert!(found == expected || simple && found.is_none(), "{pos} {}", named.name);
                    assert!(best.is_finite() && eval.eval(&pos).abs() < 100_000);
                }
            }
        }
    }

    /// All tiles of chance at once are as one by one, bit by bit.
    #[test]
    fn all_tiles_of_chance_are_as_one_by_one() {
        let mut rng = Rng::new(4);
        let lines = EVALS.iter().filter(|named| !["score", "empty"].contains(&named.name));
        let evals: Vec<_> = lines.map(|named| (named.make)()).collect();
        assert_eq!(evals.len(), 3);
        for size in 0..9 {
            let (rows, columns) = (2 + size / 3, 2 + size % 3);
            let start = G2048::new(rows, columns).unwrap();
            for game in 0..8 {
                let (mut pos, mut scratch) = (start, Vec::new());
                // Half of the games begin with tiles of all sizes, so that the largest ones occur.
                if game % 2 == 0 {
                    for cell in 0..rows * columns {
                        let rank = rng.below(16) * rng.below(2);
                        let at = 16 * (cell / columns) + 4 * (cell % columns);
                        pos.board |= (rank as u64) << at;
                    }
                    pos.chance = pos.empty() != 0;
                }
                while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                    for eval in &evals {
                        let found = eval.expected_after_chance(&pos, 0);
                        if pos.turn() != Turn::Chance || pos.board == 0 {
                            assert_eq!(found, None);
                            continue;
                        }
                        let mut list = Vec::new();
                        pos.moves(&mut list);
                        assert!(found.is_some(), "{pos}");
                        check::after_chance(&pos, &list, &**eval).unwrap();
                    }
                    pos.play(m);
                }
            }
        }
    }

    /// The study's evaluation cell by cell, as its listings mean it.
    fn by_the_book(pos: &G2048, log2: bool) -> f32 {
        if pos.is_over() {
            return -10_000.0;
        }
        let (rows, columns) = (usize::from(pos.rows), usize::from(pos.columns));
        let raw = |r: usize, c: usize| i64::from(pos.tile(r, c));
        let size = |r, c| match raw(r, c) {
            0 => 0,
            tile if log2 => i64::from(tile.ilog2()),
            tile => tile,
        };
        let (mut lr, mut rl, mut tb, mut bt, mut rough) = (0, 0, 0, 0, 0);
        let (mut empty, mut largest) = (0, 2);
        for r in 0..rows {
            for c in 0..columns {
                empty += i64::from(raw(r, c) == 0);
                largest = largest.max(raw(r, c));
                if c + 1 < columns {
                    lr += i64::from(raw(r, c) >= raw(r, c + 1));
                    rl += i64::from(raw(r, c) <= raw(r, c + 1));
                    rough += (size(r, c) - size(r, c + 1)).abs();
                }
                if r + 1 < rows {
                    tb += i64::from(raw(r, c) >= raw(r + 1, c));
                    bt += i64::from(raw(r, c) <= raw(r + 1, c));
                    rough += (size(r, c) - size(r + 1, c)).abs();
                }
            }
        }
        let monotone = [lr + bt, rl + bt, rl + tb, lr + tb].into_iter().max().unwrap();
        0.5 * monotone as f32 - rough as f32 / largest.ilog2() as f32 + 10.0 * empty as f32
    }

    #[test]
    fn the_studys_evaluation_is_by_the_book() {
        let mut rng = Rng::new(5);
        for (rows, columns) in [(4, 4), (3, 4), (4, 2), (2, 2)] {
            for (scale, log2) in [(TileScale::Raw, false), (TileScale::Log2, true)] {
                let eval = Paper::new(scale);
                for _ in 0..20 {
                    let mut pos = G2048::new(rows, columns).unwrap();
                    // Tiles of all sizes at first, so that the largest ones occur.
                    for cell in 0..rows * columns {
                        let rank = rng.below(16) * rng.below(2);
                        let at = 16 * (cell / columns) + 4 * (cell % columns);
                        pos.board |= (rank as u64) << at;
                    }
                    pos.chance = pos.empty() != 0;
                    let mut scratch = Vec::new();
                    loop {
                        assert_eq!(eval.expected(&pos, 0), by_the_book(&pos, log2), "{pos}");
                        let Some(m) = pos.random_move(&mut rng, &mut scratch) else { break };
                        pos.play(m);
                    }
                }
            }
        }
    }
}
