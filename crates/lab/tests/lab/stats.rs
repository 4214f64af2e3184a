//! Statistics against published numbers and exact small cases.

use spielbaum_lab::stats::elo::{elo, elo_interval, expected, los, normalised};
use spielbaum_lab::stats::wdl::wilson;
use spielbaum_lab::stats::{Decision, Mean, Model, Rounds, Sprt, Wdl};

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

fn llr(model: Model, wins: u64, losses: u64, draws: u64, elo0: f64, elo1: f64) -> f64 {
    let wdl = Wdl::new(wins, draws, losses);
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&wdl, &wdl.as_rounds())
}

/// fastchess and cutechess publish these.
#[test]
fn sprt_agrees_with_other_programs() {
    close(llr(Model::Normalised, 36433, 36027, 68692, 0.0, 2.0), 0.92, 0.005);
    close(llr(Model::Logistic, 21404, 21184, 40708, 0.5, 2.5), -1.57, 0.005);
    close(llr(Model::Bayes, 1477, 1351, 2942, 0.0, 10.0), 2.52, 0.0055);
    let [lower, upper] = Sprt::new(0.0, 10.0, 0.01, 0.01, Model::Bayes).unwrap().bounds();
    close(lower, -4.6, 0.01);
    close(upper, 4.6, 0.01);
    let [lower, upper] = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap().bounds();
    close(lower, -2.944, 0.001);
    close(upper, 2.944, 0.001);
}

/// Without draws the logistic test is Wald's, of coin throws: exact.
#[test]
fn sprt_of_coin_throws_is_walds() {
    let (p0, p1) = (expected(-20.0), expected(30.0));
    let rounds = Rounds::from_counts(vec![40, 0, 60]);
    let sprt = Sprt::new(-20.0, 30.0, 0.05, 0.05, Model::Logistic).unwrap();
    let exact = 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
    close(sprt.llr(&Wdl::new(60, 0, 40), &rounds), exact, 1e-3);
}

/// The normal approximation (s1 − s0)(2s − s0 − s1) n / 2σ² holds for many pairs, and a pair
/// counts as two games that may depend on each other.
#[test]
fn sprt_of_pairs_uses_their_variance() {
    let pairs = Rounds::from_counts(vec![900, 4000, 10_200, 4100, 1000]);
    let (mean, variance) = pairs.moments().unwrap();
    let n = pairs.total() as f64;
    let none = Wdl::default();
    let approximation =
        |s0: f64, s1: f64| (s1 - s0) * (2.0 * mean - s0 - s1) * n / (2.0 * variance);
    let logistic = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap();
    close(logistic.llr(&none, &pairs), approximation(0.5, expected(5.0)), 0.02);
    let normal = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalised).unwrap();
    let s1 = 0.5 + 5.0 * (2.0 * variance).sqrt() * 10f64.ln() / 800.0;
    close(normal.llr(&none, &pairs), approximation(0.5, s1), 0.02);
    // Both games of each pair alike: half the information of as many independent games.
    let twins = Rounds::from_counts(vec![4000, 0, 0, 0, 5000]);
    let games = Rounds::from_counts(vec![4000, 0, 5000]);
    close(logistic.llr(&none, &twins), logistic.llr(&none, &games), 1e-4);
}

#[test]
fn sprt_decides_at_its_bounds_and_survives_one_sided_results() {
    for model in [Model::Normalised, Model::Logistic] {
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, model).unwrap();
        let state = |wins: u64, losses: u64| {
            let wdl = Wdl::new(wins, 0, losses);
            sprt.decide(&wdl, &wdl.as_rounds())
        };
        assert_eq!(state(0, 0), None);
        assert_eq!(state(1, 0), None, "one game decides nothing");
        assert_eq!(state(200, 0), Some(Decision::H1));
        assert_eq!(state(0, 200), Some(Decision::H0));
        assert_eq!(state(20, 17), None);
    }
    assert!(Sprt::new(5.0, 0.0, 0.05, 0.05, Model::Logistic).is_err());
    assert!(Sprt::new(0.0, 5.0, 0.0, 0.05, Model::Logistic).is_err());
    assert!(Sprt::new(0.0, 5.0, 0.05, f64::NAN, Model::Logistic).is_err());
}

/// Elo = −400 log₁₀(1/s − 1) and LOS = ½ + ½ erf((w − l)/√(2(w + l))).
#[test]
fn elo_and_los() {
    close(elo(0.75).unwrap(), 190.848, 1e-3);
    close(elo(0.64).unwrap(), 99.951, 1e-3);
    close(elo(0.1).unwrap(), -381.697, 1e-3);
    assert_eq!((elo(0.0), elo(1.0)), (None, None));
    close(expected(elo(0.3).unwrap()), 0.3, 1e-12);
    // (w − l)/√(w + l) = 1 is one standard deviation.
    close(los(&Wdl::new(55, 7, 45)), 0.841_345, 1e-6);
    close(los(&Wdl::new(45, 0, 55)), 0.158_655, 1e-6);
    assert_eq!(los(&Wdl::new(0, 9, 0)), 0.5);
    close(los(&Wdl::new(1000, 0, 0)), 1.0, 1e-12);
}

#[test]
fn intervals() {
    // Wilson, n = 10, p = 1: n/(n + z²).
    let [low, high] = wilson(1.0, 10.0);
    close(low, 0.722_467, 1e-6);
    assert_eq!(high, 1.0);
    assert_eq!(wilson(0.0, 10.0)[0], 0.0);
    // Newcombe (1998), 81 of 263.
    let [low, high] = wilson(81.0 / 263.0, 263.0);
    close(low, 0.2553, 1e-4);
    close(high, 0.3662, 1e-4);
    // 60 wins of 100, no draws: s ± t √(0.24/99), t = 1.984217 for 99 degrees of freedom.
    let wdl = Wdl::new(60, 0, 40);
    let [low, high] = elo_interval(&wdl.as_rounds()).unwrap().map(Option::unwrap);
    close(low, elo(0.6 - 0.097_696).unwrap(), 1e-2);
    close(high, elo(0.6 + 0.097_696).unwrap(), 1e-2);
    // Draws narrow it; pairs that always split leave no doubt but that of Wilson.
    let drawn = elo_interval(&Wdl::new(20, 80, 0).as_rounds()).unwrap().map(Option::unwrap);
    assert!(drawn[1] - drawn[0] < high - low);
    let split = Rounds::from_counts(vec![0, 0, 50, 0, 0]);
    let [low, high] = elo_interval(&split).unwrap().map(Option::unwrap);
    close(low, -high, 1e-9);
    assert!(high > 50.0);
    // All won: infinite above, finite below.
    let all = elo_interval(&Wdl::new(10, 0, 0).as_rounds()).unwrap();
    assert!(all[0].is_some() && all[1].is_none());
    assert_eq!(elo_interval(&Rounds::new(2)), None);
}

/// Normalised Elo of 3 wins, 1 loss: 0.25 / (√3/4) · 800/ln 10.
#[test]
fn normalised_elo() {
    let value = normalised(&Rounds::from_counts(vec![1, 0, 3])).unwrap();
    close(value, 0.25 / (3f64.sqrt() / 4.0) * 347.435_586, 1e-4);
    // The same games as pairs (W L) (W W): variance 1/16 of a pair, 1/8 of a game.
    let value = normalised(&Rounds::from_counts(vec![0, 0, 1, 0, 1])).unwrap();
    close(value, 0.25 / 0.125f64.sqrt() * 347.435_586, 1e-4);
}

#[test]
fn means_do_not_lose_digits() {
    let mut mean = Mean::default();
    for i in 0..1000 {
        mean.add(1e9 + f64::from(i % 2));
    }
    close(mean.mean().unwrap(), 1e9 + 0.5, 1e-6);
    close(mean.deviation().unwrap(), 0.500_250, 1e-6);
    let [low, high] = mean.interval().unwrap();
    close(high - low, 2.0 * 1.962_341 * 0.500_250 / 1000f64.sqrt(), 1e-6);
    assert_eq!(Mean::default().mean(), None);
    // Student's t = √3 with two degrees of freedom: ½ + √(3/5)/2.
    let mut mean = Mean::default();
    (0..3).for_each(|x| mean.add(f64::from(x)));
    close(mean.likelihood_above_zero().unwrap(), 0.5 + 0.6f64.sqrt() / 2.0, 1e-9);
}
