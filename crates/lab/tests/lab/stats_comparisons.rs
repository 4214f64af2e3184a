//! Levels, tests and corrections against published and exact numbers.

use spielbaum_core::Rng;
use spielbaum_lab::stats::elo::{elo_interval, elo_interval_at, score_interval_at};
use spielbaum_lab::stats::multiple::score_test;
use spielbaum_lab::stats::wdl::{wilson, wilson_at};
use spielbaum_lab::stats::{Correction, FirstMove, Level, Mean, Ratio, Rounds, Wdl, Z95};

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Quantiles by scipy 1.17.
#[test]
fn levels() {
    assert_eq!(Level::new(0.95), Ok(Level::P95));
    assert_eq!(Level::P95.z(), Z95);
    assert_eq!(1.0 - Level::P95.error() / 2.0, 0.975);
    close(Level::new(0.95 + 1e-12).unwrap().z(), Z95, 1e-9);
    let four = Level::P95.bonferroni(4);
    close(four.z(), 2.497_705_474_412_374, 1e-12);
    close(Level::new(0.999).unwrap().z(), 3.290_526_731_491_925, 1e-12);
    close(Level::P95.bonferroni(10_000_000).z(), 5.847_172_146, 1e-8);
    for (freedom, t) in
        [(1.0, 50.923_036_6), (2.0, 8.860_200_0), (9.0, 3.110_934_8), (99.0, 2.544_161_4)]
    {
        close(four.t(freedom).unwrap(), t, 1e-6);
    }
    close(four.t(99_999.0).unwrap(), 2.497_750_7, 1e-6);
    close(Level::new(0.999).unwrap().t(9.0).unwrap(), 4.780_912_6, 1e-6);
    assert_eq!(four.t(0.0), None);
    assert_eq!(Level::P95.bonferroni(0), Level::P95);
    for wrong in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
        assert!(Level::new(wrong).is_err(), "{wrong}");
    }
}

/// At 95 % the general functions are the special ones to the last bit; surer ones are wider.
#[test]
fn intervals_at_any_level() {
    let sure = Level::new(0.99).unwrap();
    assert_eq!(wilson(0.3, 40.0), wilson_at(0.3, 40.0, Level::P95));
    // (0.5 ± …) of 100 at 99 %: z² = 6.6349.
    let half = 2.575_829_3 / (1.0 + 0.066_349) * (0.0025 + 6.634_897 / 40_000.0f64).sqrt();
    close(wilson_at(0.5, 100.0, sure)[1], 0.5 + half, 1e-6);
    let rounds = Wdl::new(60, 10, 30).as_rounds();
    assert_eq!(elo_interval(&rounds), elo_interval_at(&rounds, Level::P95));
    let [a, b] = [Level::P95, sure].map(|l| score_interval_at(&rounds, l).unwrap());
    assert!(b[0] < a[0] && a[1] < b[1]);
    assert!(
        Wdl::new(6, 1, 3).score_ci_at(sure).unwrap()[1] > Wdl::new(6, 1, 3).score_ci().unwrap()[1]
    );
    let mut mean = Mean::default();
    let mut ratio = Ratio::default();
    for x in [1.0, 4.0, 2.0, 8.0, 5.0] {
        mean.add(x);
        ratio.add(x, 10.0);
    }
    assert_eq!(mean.interval(), mean.interval_at(Level::P95));
    assert_eq!(ratio.interval(), ratio.interval_at(Level::P95));
    // 4 ± 4.604095 · √7.5 / √5.
    close(mean.interval_at(sure).unwrap()[1], 4.0 + 4.604_095 * 1.5f64.sqrt(), 1e-5);
    assert!(ratio.interval_at(sure).unwrap()[1] > ratio.interval().unwrap()[1]);
}

/// Exact coverage of Wilson's interval for 40 throws, over coins of 5 to 95 %: it is 95 % on
/// average and nowhere far from it (Brown, Cai and DasGupta, 2001).
#[test]
fn wilson_holds_the_truth_as_often_as_it_says() {
    let n = 40usize;
    let mut pascal = vec![1.0];
    for _ in 0..n {
        pascal = (0..=pascal.len())
            .map(|k| pascal.get(k).unwrap_or(&0.0) + if k > 0 { pascal[k - 1] } else { 0.0 })
            .collect();
    }
    for (level, slack) in [(Level::P95, 0.05), (Level::new(0.8).unwrap(), 0.1)] {
        let coverage = |p: f64| -> f64 {
            let holds = |k: usize| {
                let [low, high] = wilson_at(k as f64 / n as f64, n as f64, level);
                low <= p && p <= high
            };
            let chance = |k: usize| pascal[k] * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
            (0..=n).filter(|&k| holds(k)).map(chance).sum()
        };
        let coins: Vec<f64> = (50..=950).map(|p| coverage(f64::from(p) / 1000.0)).collect();
        let mean = coins.iter().sum::<f64>() / coins.len() as f64;
        close(mean, level.share(), 0.006);
        assert!(coins.iter().all(|c| (c - level.share()).abs() < slack));
    }
}

/// Benjamini and Hochberg (1995), section 4.1: fifteen hypotheses, of which Bonferroni rejects
/// three and their own procedure four. Adjusted values by scipy 1.17.
#[test]
fn corrections_agree_with_the_literature() {
    let p = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];
    let rejected = |c: Correction| c.adjust(&p).iter().filter(|p| **p <= 0.05).count();
    assert_eq!(rejected(Correction::None), 9);
    assert_eq!(rejected(Correction::Bonferroni), 3);
    assert_eq!(rejected(Correction::Holm), 3);
    assert_eq!(rejected(Correction::BenjaminiHochberg), 4);
    let known = [
        0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857, 0.063857, 0.0645, 0.0765, 0.486,
        0.581182, 0.714875, 0.753231, 0.813214, 1.0,
    ];
    for (own, known) in Correction::BenjaminiHochberg.adjust(&p).into_iter().zip(known) {
        close(own, known, 1e-6);
    }
    // Holm by hand: 15, 14, 13, 12 … times, never falling.
    let holm = Correction::Holm.adjust(&p);
    close(holm[1], 0.0056, 1e-12);
    close(holm[3], 0.114, 1e-12);
    close(holm[6], 0.278, 1e-12); // 10 · 0.0278, more than 9 · 0.0298
    // Whatever the order.
    let mut turned = p;
    turned.reverse();
    for c in [Correction::Bonferroni, Correction::Holm, Correction::BenjaminiHochberg] {
        let mut adjusted = c.adjust(&turned);
        adjusted.reverse();
        assert_eq!(adjusted, c.adjust(&p));
        assert!(c.adjust(&[]).is_empty());
    }
}

/// scipy 1.17: `binomtest` and `permutation_test` over all signs.
#[test]
fn tests_against_one_half() {
    // Single games: draws say nothing, and it is the sign test.
    let single = score_test(&Wdl::new(35, 1000, 65).as_rounds()).unwrap();
    close(single, 0.003_517_641_723, 1e-12);
    // One uneven game more, and Student's test, which knows no steps between results.
    close(score_test(&Wdl::new(520, 7, 481).as_rounds()).unwrap(), 0.2297, 0.015);
    let pairs = Rounds::from_counts(vec![1, 2, 3, 5, 6]);
    close(score_test(&pairs).unwrap(), 0.039_428_710_937_5, 1e-12);
    // Mirrored it is as likely.
    assert_eq!(score_test(&Rounds::from_counts(vec![6, 5, 3, 2, 1])), score_test(&pairs));
    assert_eq!(score_test(&Rounds::from_counts(vec![0, 0, 9, 0, 0])), Some(1.0));
    assert_eq!(score_test(&Rounds::new(2)), None);
    // Exact and Student's tests meet where one takes over from the other.
    let small = Rounds::from_counts(vec![110, 330, 500, 380, 150]);
    let large = Rounds::from_counts(vec![115, 340, 500, 390, 156]);
    let [exact, student] = [small, large].map(|r| score_test(&r).unwrap());
    close(exact, student, 0.002);
    assert!(score_test(&Rounds::from_counts(vec![0, 0, 0, 0, 3000])).unwrap() < 1e-12);
    // Student's test of 1.2, 3.4, −0.5, 2.2, 0.7 against 0.5.
    let mut mean = Mean::default();
    [1.2, 3.4, -0.5, 2.2, 0.7].iter().for_each(|&x| mean.add(x));
    close(mean.p_value(0.5).unwrap(), 0.245_914_354, 1e-8);
    assert_eq!(Mean::default().p_value(0.0), None);
}

/// Twenty matches of which two are uneven: uncorrected some equals are accused, corrected none,
/// and both uneven ones are found.
#[test]
fn a_sweep_names_those_that_differ() {
    let mut rng = Rng::new(5);
    let mut accused = [0; 2];
    for sweep in 0..20 {
        let p: Vec<f64> = (0..20)
            .map(|i| {
                let p = if i < 2 { 0.75 } else { 0.5 };
                let mut rounds = Rounds::new(2);
                for _ in 0..100 {
                    rounds.add((0..2).map(|_| 2 * usize::from(rng.unit() < p)).sum());
                }
                score_test(&rounds).unwrap()
            })
            .collect();
        for (count, correction) in accused.iter_mut().zip([Correction::None, Correction::Holm]) {
            let adjusted = correction.adjust(&p);
            assert!(adjusted[0] < 0.05 && adjusted[1] < 0.05, "sweep {sweep}: {adjusted:?}");
            *count += adjusted[2..].iter().filter(|p| **p < 0.05).count();
        }
    }
    // Of 360 equals about 5 % by chance (the test is discrete: rather less), and 1 sweep of 20.
    assert!((6..=30).contains(&accused[0]) && accused[1] <= 3, "{accused:?}");
}

/// A strong and a weak player in both seats: the first move's share does not see them.
#[test]
fn the_first_move_by_rounds() {
    let mut first = FirstMove::new(2);
    assert_eq!((first.score(), first.interval(Level::P95)), (None, None));
    (0..50).for_each(|_| first.add(2)); // A won both: each seat one point
    assert_eq!(first.score(), Some(0.5));
    (0..10).for_each(|_| first.add(3));
    close(first.score().unwrap(), 0.5 + 0.25 / 6.0, 1e-12);
    let [low, high] = first.interval(Level::P95).unwrap();
    assert!(low > 0.5 && high < 0.6);
    let [Some(below), Some(above)] = first.elo_interval(Level::P95).unwrap() else {
        panic!("a finite advantage");
    };
    assert!(below < first.elo().unwrap() && first.elo().unwrap() < above);
    close(score_test(first.rounds()).unwrap(), 2.0 / 1024.0, 1e-12);
}
