//! From visits to a move: temperature and noise.

use spielbaum_core::{Proof, Rng, math};
use spielbaum_search::tree::Edge;

/// Below this expectation, from 0 to 1, a move is no better than one that is proven lost.
const HOPE: f64 = 0.05;

/// The policy that a search has found: n^(1/temperature) for n visits, scaled to the sum 1. A
/// proven win takes everything, a proven loss gets nothing while a move that was looked at has hope. Without
/// hope, visits count whatever is proven: the refutation that took the longest to find is the one
/// that a weaker opponent is most likely to miss, while a move that nobody looked at closely
/// mostly loses at once. Without any visit the priors take the place of the visits.
///
/// ```
/// use spielbaum_search::tree::Edge;
/// use spielbaum_zero::policy;
/// let edge = |visits| Edge { mv: 'a', prior: 0.5, visits, mean: 0.5, proof: None };
/// assert_eq!(policy(&[edge(30), edge(10)], 1.0), [0.75, 0.25]);
/// assert_eq!(policy(&[edge(30), edge(30), edge(10)], 0.001), [0.5, 0.5, 0.0]);
/// ```
pub fn policy<M>(edges: &[Edge<M>], temperature: f64) -> Vec<f64> {
    let is_won = edges.iter().any(|e| e.proof == Some(Proof::Win));
    let is_lost = is_hopeless(edges);
    let admits = |e: &Edge<M>| match e.proof {
        Some(Proof::Win) => true,
        Some(Proof::Loss) => is_lost,
        _ => !is_won,
    };
    let visits = |e: &Edge<M>| if admits(e) { e.visits as f64 } else { 0.0 };
    let is_visited = edges.iter().any(|e| visits(e) > 0.0);
    let has_priors = edges.iter().any(|e| admits(e) && e.prior > 0.0);
    let mass = |e: &Edge<M>| match is_visited {
        _ if !admits(e) => 0.0,
        true => visits(e),
        // A proven win need not have been visited.
        false if has_priors && !is_won => f64::from(e.prior),
        false => 1.0,
    };
    sharpen(&edges.iter().map(mass).collect::<Vec<f64>>(), temperature)
}

/// Whether every move is proven lost or as good as lost.
pub(crate) fn is_hopeless<M>(edges: &[Edge<M>]) -> bool {
    let open = || edges.iter().filter(|e| e.proof != Some(Proof::Loss));
    let hope = |e: &Edge<M>| if e.proof.is_some() { 1.0 } else { e.mean };
    let mut known = open().filter(|e| e.visits > 0 || e.proof.is_some()).peekable();
    match known.peek() {
        Some(_) => known.all(|e| hope(e) < HOPE),
        None => open().next().is_none(),
    }
}

/// m^(1/temperature), scaled to the sum 1.
fn sharpen(masses: &[f64], temperature: f64) -> Vec<f64> {
    let most = masses.iter().copied().fold(0.0, f64::max);
    let power = |m: f64| match m {
        m if m <= 0.0 => 0.0,
        m if temperature == 1.0 => m / most,
        // In logarithms: a power of 1000 has no room elsewhere.
        m => math::exp(math::ln(m / most) / temperature),
    };
    normal(masses.iter().map(|&m| power(m)).collect())
}

fn normal(mut masses: Vec<f64>) -> Vec<f64> {
    let sum: f64 = masses.iter().sum();
    masses.iter_mut().for_each(|m| *m /= sum);
    masses
}

/// An index drawn from a distribution.
pub fn draw(distribution: &[f64], rng: &mut Rng) -> usize {
    let mut rest = rng.unit();
    for (i, p) in distribution.iter().enumerate() {
        rest -= p;
        if rest < 0.0 {
            return i;
        }
    }
    // Rounding may leave a little: the last one that is possible.
    distribution.iter().rposition(|&p| p > 0.0).unwrap_or(0)
}

/// A draw from the symmetric Dirichlet distribution with `n` entries.
pub fn dirichlet(alpha: f64, n: usize, rng: &mut Rng) -> Vec<f64> {
    // Small concentrations give numbers below the smallest float: compare their logarithms.
    let logs: Vec<f64> = (0..n).map(|_| ln_gamma_draw(alpha, rng)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    normal(logs.iter().map(|l| math::exp(l - most)).collect())
}

/// Logarithm of a draw from the gamma distribution (Marsaglia and Tsang 2000; below a shape of 1
/// by their note on a shape one higher).
fn ln_gamma_draw(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let boost = math::ln(1.0 - rng.unit()) / shape;
        return ln_gamma_draw(shape + 1.0, rng) + boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = gauss(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if math::ln(1.0 - rng.unit()) < 0.5 * x * x + d - d * v + d * math::ln(v) {
            return math::ln(d * v);
        }
    }
}

/// A standard normal number (polar method, Marsaglia).
fn gauss(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * (-2.0 * math::ln(s) / s).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(visits: u64, proof: Option<Proof>) -> Edge<u8> {
        Edge { mv: 0, prior: 0.1 * visits as f32, visits, mean: 0.5, proof }
    }

    #[test]
    fn proofs_overrule_visits() {
        let (win, loss) = (Some(Proof::Win), Some(Proof::Loss));
        assert_eq!(policy(&[edge(9, None), edge(0, win)], 1.0), [0.0, 1.0]);
        assert_eq!(policy(&[edge(9, loss), edge(1, None)], 1.0), [0.0, 1.0]);
        assert_eq!(policy(&[edge(3, loss), edge(1, loss)], 1.0), [0.75, 0.25]);
        assert_eq!(policy(&[edge(3, loss), edge(0, None)], 1.0), [0.0, 1.0]);
    }

    #[test]
    fn without_hope_the_longest_refutation_is_preferred() {
        let open = |mean| Edge { mean, ..edge(5, None) };
        let lost = edge(15, Some(Proof::Loss));
        assert_eq!(policy(&[lost, open(0.01)], 1.0), [0.75, 0.25]);
        assert_eq!(policy(&[lost, open(0.01), open(0.2)], 1.0), [0.0, 0.5, 0.5]);
        assert_eq!(policy(&[lost, edge(5, Some(Proof::Draw)), open(0.0)], 1.0), [0.0, 0.5, 0.5]);
    }

    #[test]
    fn a_temperature_sharpens() {
        let edges = [edge(4, None), edge(2, None), edge(0, None)];
        let [a, b, c] = policy(&edges, 0.5)[..] else { panic!("three moves") };
        assert!((a - 0.8).abs() < 1e-12 && (b - 0.2).abs() < 1e-12 && c == 0.0);
        let cold = policy(&edges, 0.001);
        assert!(cold[0] == 1.0 && cold[1] < 1e-200 && cold[2] == 0.0, "{cold:?}");
    }

    /// Mean 1/n, and the variance of the distribution: (n - 1) / (n² (n a + 1)).
    #[test]
    fn dirichlet_has_its_moments() {
        let mut rng = Rng::new(1);
        for (alpha, n) in [(0.03, 20), (0.3, 5), (1.0, 3), (10.0, 4)] {
            let (mut sum, mut squares, draws) = (0.0, 0.0, 40_000);
            for _ in 0..draws {
                let p = dirichlet(alpha, n, &mut rng);
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                sum += p[0];
                squares += p[0] * p[0];
            }
            let (size, mean) = (n as f64, sum / f64::from(draws));
            let variance = squares / f64::from(draws) - mean * mean;
            let expected = (size - 1.0) / (size * size * (size * alpha + 1.0));
            assert!((mean * size - 1.0).abs() < 0.1, "{alpha} {n}: mean {mean}");
            assert!((variance / expected - 1.0).abs() < 0.1, "{alpha} {n}: variance {variance}");
        }
    }

    #[test]
    fn draws_follow_the_distribution() {
        let mut rng = Rng::new(2);
        let mut counts = [0; 3];
        (0..30_000).for_each(|_| counts[draw(&[0.5, 0.0, 0.5], &mut rng)] += 1);
        assert_eq!(counts[1], 0);
        assert!((counts[0] as f64 - 15_000.0).abs() < 400.0, "{counts:?}");
    }
}
