//! The likelihood of Davidson's model and its maximum, by Newton's method.
//!
//! With x = strength of the first − strength of the second + advantage of the first move, and
//! δ = ln ν, the three results have weights e^(x/2), e^δ, e^(−x/2). That is an exponential
//! family: the logarithm of the likelihood is concave in all parameters together, so there is
//! one maximum or none, and Newton's method with halved steps finds it from anywhere.

use super::super::linear::Matrix;
use spielbaum_core::math::{exp, ln, logistic};

/// Beyond odds of e^100 the results do not bound a parameter: as many games nobody plays.
const UNBOUNDED: f64 = 100.0;

/// Parameters beyond this ran away, where some did.
const AWAY: f64 = 8.0;

/// The games of an ordered pair of players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) wins: f64,
    pub(crate) draws: f64,
    pub(crate) losses: f64,
}

/// Which parameters there are: strengths first, then the first move's advantage, then draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) players: usize,
    pub(crate) advantage: bool,
    pub(crate) draws: bool,
    pub(crate) prior: f64,
}

/// The parameters that the results do not bound.
pub(crate) struct Unbounded {
    pub(crate) players: Vec<usize>,
    pub(crate) advantage: bool,
    pub(crate) draws: bool,
}

/// The maximum and the inverse of the information there.
pub(crate) struct Maximum {
    pub(crate) values: Vec<f64>,
    pub(crate) covariance: Matrix,
}

/// Value, gradient and negative second derivatives of the log-likelihood.
struct Surface {
    value: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

impl Shape {
    fn size(&self) -> usize {
        self.players + usize::from(self.advantage) + usize::from(self.draws)
    }

    pub(crate) fn advantage_at(&self) -> Option<usize> {
        self.advantage.then_some(self.players)
    }

    pub(crate) fn draws_at(&self) -> Option<usize> {
        self.draws.then(|| self.size() - 1)
    }

    fn x(&self, values: &[f64], pair: &Pair) -> f64 {
        let eta = self.advantage_at().map_or(0.0, |i| values[i]);
        values[pair.first] - values[pair.second] + eta
    }

    /// Adds `amount` to the derivative by x: the players' in opposite directions.
    fn spread(&self, pair: &Pair, amount: f64, mut add: impl FnMut(usize, f64)) {
        if pair.first != pair.second {
            add(pair.first, amount);
            add(pair.second, -amount);
        }
        if let Some(i) = self.advantage_at() {
            add(i, amount);
        }
    }

    /// Probabilities of win, draw and loss of the first, and their logarithms.
    fn chances(&self, values: &[f64], pair: &Pair) -> [[f64; 3]; 2] {
        let half = self.x(values, pair) / 2.0;
        let delta = self.draws_at().map_or(f64::NEG_INFINITY, |i| values[i]);
        let top = half.abs().max(delta);
        // Relative to the greatest, so that its logarithm is near 0 to the last digit: it may
        // come with a million games.
        let powers = [half, delta, -half].map(|e| e - top);
        let weights = powers.map(exp);
        let sum: f64 = weights.iter().sum();
        [weights.map(|w| w / sum), powers.map(|e| e - ln(sum))]
    }

    /// The gradient of the log-likelihood of some games.
    pub(crate) fn gradient(&self, values: &[f64], pairs: &[Pair]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.size()];
        for pair in pairs {
            let [[win, draw, loss], _] = self.chances(values, pair);
            let Pair { wins, draws, losses, .. } = *pair;
            // wins − losses − games · (win − loss) and draws − games · draw, without cancellation:
            // one-sided results must not look like a maximum.
            let by_x = wins * (draw + 2.0 * loss) - losses * (draw + 2.0 * win);
            self.spread(pair, (by_x - draws * (win - loss)) / 2.0, |i, d| gradient[i] += d);
            if let Some(i) = self.draws_at() {
                gradient[i] += draws * (win + loss) - (wins + losses) * draw;
            }
        }
        gradient
    }

    fn surface(&self, values: &[f64], pairs: &[Pair]) -> Surface {
        let mut information = Matrix::zero(self.size());
        let mut gradient = self.gradient(values, pairs);
        let mut value = 0.0;
        for pair in pairs {
            let [[win, draw, loss], logs] = self.chances(values, pair);
            let n = pair.wins + pair.draws + pair.losses;
            let margin = win - loss;
            let counts = [pair.wins, pair.draws, pair.losses].into_iter().zip(logs);
            // Without draws their logarithm is infinite, and none counts.
            value += counts.filter(|(c, _)| *c > 0.0).map(|(c, log)| c * log).sum::<f64>();
            // (win + loss) − margin², without cancellation.
            let xx = n * ((win + loss) * draw + 4.0 * win * loss) / 4.0;
            self.spread(pair, 1.0, |i, a| {
                self.spread(pair, xx * a, |j, b| information.add(i, j, b));
            });
            if let Some(d) = self.draws_at() {
                information.add(d, d, n * draw * (win + loss));
                self.spread(pair, -n * margin * draw / 2.0, |i, a| {
                    information.add(i, d, a);
                    information.add(d, i, a);
                });
            }
        }
        if self.prior > 0.0 {
            for (i, &v) in values.iter().enumerate() {
                // Half a success and half a failure at odds e^v; of a draw between equals, ν / 2.
                let v = if Some(i) == self.draws_at() { v - std::f64::consts::LN_2 } else { v };
                let p = logistic(v);
                value += self.prior * (v / 2.0 - softplus(v));
                gradient[i] += self.prior * (0.5 - p);
                information.add(i, i, self.prior * p * (1.0 - p));
            }
        } else {
            // Only differences of strengths count; this holds their sum at 0, where it begins.
            let n = self.players;
            let scale = (0..n).map(|i| information.get(i, i)).sum::<f64>() / (n * n) as f64;
            // A player who met only itself has no strength to measure.
            let scale = if scale > 0.0 { scale } else { 1.0 };
            for i in 0..n {
                (0..n).for_each(|j| information.add(i, j, scale));
            }
        }
        Surface { value, gradient, information }
    }

    /// The maximum of the likelihood, if the results bound it.
    pub(crate) fn fit(&self, pairs: &[Pair]) -> Result<Maximum, Unbounded> {
        let mut values = vec![0.0; self.size()];
        let mut here = self.surface(&values, pairs);
        let games: f64 = pairs.iter().map(|p| p.wins + p.draws + p.losses).sum();
        for _ in 0..200 {
            let factor = match here.information.factor() {
                Ok(factor) => factor,
                Err(row) => return Err(self.unbounded(&values, row)),
            };
            let mut step = factor.solve(&here.gradient);
            let longest = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
            if longest < 1e-9 {
                values.iter_mut().zip(&step).for_each(|(v, s)| *v += s);
                return Ok(Maximum { covariance: factor.inverse(), values });
            }
            // Far from the maximum the quadratic is wrong: no step beyond odds of e⁴.
            step.iter_mut().for_each(|s| *s *= (4.0 / longest).min(1.0));
            // What rounding does to the sum.
            let slack = 1e-12 * here.value.abs() + 1e-15 * games;
            for _ in 0..50 {
                let next: Vec<f64> = values.iter().zip(&step).map(|(v, s)| v + s).collect();
                let there = self.surface(&next, pairs);
                if there.value >= here.value - slack {
                    (values, here) = (next, there);
                    break;
                }
                step.iter_mut().for_each(|s| *s /= 2.0);
            }
            let far = |x: f64| x.abs() > UNBOUNDED;
            if pairs.iter().any(|p| far(self.x(&values, p)))
                || self.draws_at().is_some_and(|i| far(values[i]))
            {
                break;
            }
        }
        Err(self.unbounded(&values, 0))
    }

    /// Names the parameters that ran away, or the one that depends on others.
    fn unbounded(&self, values: &[f64], dependent: usize) -> Unbounded {
        let away = |i: usize| values[i].abs() > AWAY;
        let players: Vec<usize> = (0..self.players).filter(|&i| away(i)).collect();
        let advantage = self.advantage_at().is_some_and(|i| away(i) || dependent == i);
        let draws = self.draws_at().is_some_and(|i| away(i) || dependent == i);
        if players.is_empty() && !advantage && !draws {
            return Unbounded { players: (0..self.players).collect(), advantage, draws };
        }
        Unbounded { players, advantage, draws }
    }
}

/// ln(1 + e^v) without overflow.
fn softplus(v: f64) -> f64 {
    v.max(0.0) + ln(1.0 + exp(-v.abs()))
}
