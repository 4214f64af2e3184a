//! Properties of evaluations.

use super::{Failure, Options, ensure, walk};
use crate::param::resolve;
use crate::{AfterChance, Eval, Game, Hint, Parameters, Rng, Turn};
use std::cmp::Reverse;

/// Examines an evaluation along random games:
///
/// * values are smaller than any proven result;
/// * `hints` are `order` and `noisy`;
/// * `noisy_moves` are the moves that are `noisy`;
/// * `ordered`, where it lists the moves, lists all of them by `order`;
/// * `after`, where it tells a value, tells that of the next position, which is not over;
/// * `expected_after_chance`, where it tells a value, tells the mean of `expected_next` after each outcome, bit by bit.
pub fn eval<G: Game>(start: &G, eval: &dyn Eval<G>, options: &Options) -> Result<(), Failure> {
    let mut rng = Rng::new(Rng::split(options.seed, 4));
    let mut left = options.positions;
    let (mut hints, mut listed) = (Vec::new(), Vec::new());
    while left > 0 {
        walk(start, options.longest, &mut rng, |pos, moves, _| {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            if pos.turn() == Turn::Chance {
                return after_chance(pos, moves, eval);
            }
            let value = eval.eval(pos);
            ensure!(value.abs() < 100_000, pos, "the evaluation {value} is not below 100000");
            hints.clear();
            eval.hints(pos, moves, &mut hints);
            let hint = |&m| Hint { order: eval.order(pos, m), noisy: eval.noisy(pos, m) };
            ensure!(
                hints.iter().copied().eq(moves.iter().map(hint)),
                pos,
                "hints differ: {hints:?}"
            );

            listed.clear();
            eval.noisy_moves(pos, &mut listed);
            let mut noisy: Vec<_> = moves.iter().copied().filter(|&m| eval.noisy(pos, m)).collect();
            listed.sort_by_key(|&m| pos.code(m));
            noisy.sort_by_key(|&m| pos.code(m));
            ensure!(listed == noisy, pos, "`noisy_moves` has {listed:?} for {noisy:?}");

            listed.clear();
            let mut portion = 0;
            let mut more = eval.ordered(pos, 0, &mut listed);
            ensure!(
                more.is_some() || listed.is_empty(),
                pos,
                "`ordered` lists moves and denies it"
            );
            if more.is_some() {
                while more == Some(true) {
                    portion += 1;
                    more = eval.ordered(pos, portion, &mut listed);
                }
                let mut sorted = moves.to_vec();
                sorted.sort_by_key(|&m| Reverse(eval.order(pos, m)));
                ensure!(listed == sorted, pos, "`ordered` has {listed:?} for {sorted:?}");
            }

            for &m in moves {
                let Some(value) = eval.after(pos, m) else { continue };
                let mut next = pos.clone();
                next.play(m);
                let over = Failure::new(pos, "`after` has a value and the game is over").mv(m);
                let truth = if next.is_over() { return Err(over) } else { -eval.eval(&next) };
                if value != truth {
                    let problem =
                        format!("`after` has {value}, the position after is worth {truth}");
                    return Err(Failure::new(pos, problem).mv(m));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Examines what an evaluation tells of a chance node with these outcomes as a whole.
pub fn after_chance<G: Game>(
    pos: &G,
    outcomes: &[G::Move],
    eval: &dyn Eval<G>,
) -> Result<(), Failure> {
    for seat in 0..pos.players() {
        let Some(found) = eval.expected_after_chance(pos, seat) else { continue };
        let (mut sum, mut total, mut moves) = (0.0, 0, 0);
        for &outcome in outcomes {
            let mut next = pos.clone();
            next.play(outcome);
            let own = next.turn().player() == Some(seat);
            let Some((value, count)) = eval.expected_next(&next, seat).filter(|_| own) else {
                let problem = "`expected_after_chance` has a value, `expected_next` has none after";
                return Err(Failure::new(pos, problem).mv(outcome));
            };
            sum += f64::from(pos.weight(outcome)) * f64::from(value);
            total += pos.weight(outcome);
            moves += count;
        }
        let value = (sum / f64::from(total)) as f32;
        let truth = AfterChance { value, outcomes: outcomes.len() as u32, moves };
        let is_same = found == truth && found.value.to_bits() == value.to_bits();
        ensure!(is_same, pos, "`expected_after_chance` has {found:?}, one by one it is {truth:?}");
    }
    Ok(())
}

/// Examines the parameters of an evaluation: the table is sound and bears its name, and with all
/// defaults they make the same evaluation, by its values along random games.
pub fn parameters<G: Game>(
    start: &G,
    name: &str,
    eval: &dyn Eval<G>,
    parameters: &Parameters<G>,
    options: &Options,
) -> Result<(), String> {
    let schema = parameters.schema;
    let problems = schema.check();
    if schema.name != name || !problems.is_empty() {
        return Err(format!("its table is that of `{}`: {}", schema.name, problems.join("; ")));
    }
    let args = resolve(name, "evaluation", &[schema]).map_err(|e| e.to_string())?;
    let made = (parameters.make)(&args).map_err(|e| e.to_string())?;
    let mut rng = Rng::new(Rng::split(options.seed, 5));
    walk(start, options.longest, &mut rng, |pos, _, _| {
        let (one, other) = (eval.eval(pos), made.eval(pos));
        ensure!(one == other, pos, "its defaults make another evaluation: {one} is {other}");
        Ok(())
    })
    .map(drop)
    .map_err(|e| e.to_string())
}
