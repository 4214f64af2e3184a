//! Bootstrap, places, quantiles and histograms.

use spielbaum_core::Rng;
use spielbaum_lab::stats::bootstrap::{Bootstrap, mean, median, paired};
use spielbaum_lab::stats::quantiles::quantile;
use spielbaum_lab::stats::ranks::{Place, Places, places};
use spielbaum_lab::stats::{FiveNumbers, Histogram, Level, Mean};

const SKEWED: [f64; 12] = [31.0, 18.0, 42.0, 7.0, 55.0, 23.0, 64.0, 12.0, 90.0, 37.0, 28.0, 140.0];

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Normal numbers by Box and Muller.
fn normal(rng: &mut Rng, n: usize) -> Vec<f64> {
    let one = |rng: &mut Rng| {
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * rng.unit()).cos()
    };
    (0..n).map(|_| one(rng)).collect()
}

/// scipy 1.17, `bootstrap` with 200 000 samples: BCa 30.00 to 73.83 of the mean, 20.5 to 59.5 of
/// the median.
#[test]
fn bootstrap_agrees_with_scipy() {
    let many = Bootstrap { samples: 50_000, ..Bootstrap::default() };
    let bca = many.bca(&SKEWED, mean).unwrap();
    close(bca.interval[0], 30.0, 0.25);
    close(bca.interval[1], 73.83, 0.75);
    let middle = many.bca(&SKEWED, median).unwrap();
    assert_eq!(middle.value, 34.0);
    close(middle.interval[0], 20.5, 2.5); // few values a median can take
    close(middle.interval[1], 59.5, 4.5);
}

/// Of normal numbers the interval of the mean is Student's.
#[test]
fn bootstrap_of_normal_numbers_is_students() {
    let mut rng = Rng::new(3);
    for n in [60, 2000] {
        let values = normal(&mut rng, n);
        let mut gathered = Mean::default();
        values.iter().for_each(|&x| gathered.add(x));
        let [low, high] = gathered.interval().unwrap();
        let many = Bootstrap { samples: 10_000, ..Bootstrap::default() };
        let [a, b] = many.bca(&values, mean).unwrap().interval;
        close(a, low, 0.08 * (high - low));
        close(b, high, 0.08 * (high - low));
    }
}

#[test]
fn bootstrap_is_reproducible_and_knows_its_limits() {
    let own = Bootstrap::default();
    assert_eq!(own.bca(&SKEWED, mean), own.bca(&SKEWED, mean));
    let other = Bootstrap { seed: 2, ..own };
    assert_ne!(own.bca(&SKEWED, mean), other.bca(&SKEWED, mean));
    let wide = Bootstrap { level: Level::new(0.99).unwrap(), ..own };
    assert!(
        wide.bca(&SKEWED, mean).unwrap().interval[1] > own.bca(&SKEWED, mean).unwrap().interval[1]
    );
    assert_eq!(own.bca(&[1.0], mean), None);
    assert_eq!(own.bca(&[1.0, f64::NAN, 2.0], mean), None);
    assert_eq!(own.bca(&[], mean), None);
    assert_eq!(own.bca(&[4.0; 9], median).unwrap().interval, [4.0, 4.0]);
    // Any statistic: the best of all.
    let best = |values: &mut [f64]| values.iter().copied().fold(0.0, f64::max);
    assert_eq!(own.bca(&SKEWED, best).unwrap().interval[1], 140.0);
    assert!(median(&mut []).is_nan());
    assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), 2.5);
}

/// Two players who met the same luck: the difference is known much better than the scores.
#[test]
fn pairs_take_the_luck_out() {
    let mut rng = Rng::new(8);
    let luck = normal(&mut rng, 200);
    let skill = normal(&mut rng, 200);
    let a: Vec<f64> = luck.iter().zip(&skill).map(|(l, s)| 50.0 + 10.0 * l + s + 0.5).collect();
    let b: Vec<f64> = luck.iter().map(|l| 50.0 + 10.0 * l).collect();
    let width = |values: &[f64]| {
        let [low, high] = Bootstrap::default().bca(values, mean).unwrap().interval;
        high - low
    };
    let difference = paired(&a, &b).unwrap();
    assert!(width(&difference) * 5.0 < width(&a));
    let estimate = Bootstrap::default().bca(&difference, mean).unwrap();
    assert!(estimate.interval[0] > 0.0 && estimate.holds(0.5));
    assert!(paired(&a, &b[..3]).unwrap_err().contains("200 scores cannot be paired with 3"));
}

#[test]
fn places_are_shared() {
    let place = |first, tied| Place { first, tied };
    assert_eq!(places(&[5.0, 9.0, 7.0]), [place(3, 1), place(1, 1), place(2, 1)]);
    assert_eq!(places(&[1.0, 1.0, 0.0]), [place(1, 2), place(1, 2), place(3, 1)]);
    assert_eq!(places(&[0.2; 5]), [place(1, 5); 5]);
    // Shares of a third that differ in the last bit.
    assert_eq!(places(&[1.0 / 3.0, 1.0 - 2.0 / 3.0, 0.0])[0], place(1, 2));
    // Places of a game always add up to those there are.
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let payoffs: Vec<f64> = (0..5).map(|_| rng.below(3) as f64).collect();
        let all = places(&payoffs);
        close(all.iter().map(Place::mean).sum::<f64>(), 15.0, 1e-12);
    }
}

#[test]
fn places_of_a_player_by_rounds() {
    let mut own = Places::new(4);
    assert_eq!((own.mean_place(), own.distribution()), (None, None));
    own.add(&[]);
    own.add(&[Place { first: 4, tied: 2 }]); // there is no fifth place
    assert_eq!(own.games(), 0);
    let first = Place { first: 1, tied: 1 };
    let shared = Place { first: 2, tied: 3 };
    for round in [[first, first], [first, shared], [shared, shared], [first, first]] {
        own.add(&round);
    }
    assert_eq!(own.games(), 8);
    close(own.mean_place().unwrap(), (5.0 + 3.0 * 3.0) / 8.0, 1e-12);
    let shares = own.distribution().unwrap();
    close(shares.iter().sum::<f64>(), 1.0, 1e-12);
    close(shares[0], 0.625, 1e-12);
    close(shares[3], 0.125, 1e-12);
    // Rounds 1, 2, 3, 1: 1.75 ± 3.182446 · 0.957427 / 2, cut at the first place.
    let place = own.place(Level::P95).unwrap();
    assert_eq!((place.value, place.interval[0]), (1.75, 1.0));
    close(place.interval[1], 1.75 + 3.182_446 * 0.478_714, 1e-5);
    let mild = own.place(Level::new(0.5).unwrap()).unwrap(); // t = 0.764892
    close(mild.interval[0], 1.75 - 0.764_892 * 0.478_714, 1e-5);
}

#[test]
fn quantiles_and_boxes() {
    let mut sorted = SKEWED;
    sorted.sort_by(f64::total_cmp);
    for (share, value) in [(0.25, 21.75), (0.5, 34.0), (0.75, 57.25), (0.0, 7.0), (1.0, 140.0)] {
        assert_eq!(quantile(&sorted, share), Some(value)); // numpy agrees
    }
    assert_eq!((quantile(&[], 0.5), quantile(&sorted, 1.5)), (None, None));
    assert_eq!(quantile(&[3.0], 0.7), Some(3.0));
    let five = FiveNumbers::new(&SKEWED).unwrap();
    assert_eq!((five.min, five.median, five.max), (7.0, 34.0, 140.0));
    // The box is 35.5 high: whiskers reach at most 110.5.
    assert_eq!((five.whiskers, five.outliers), ([7.0, 90.0], vec![140.0]));
    assert_eq!(FiveNumbers::new(&[f64::NAN, f64::INFINITY]), None);
    let same = FiveNumbers::new(&[0.1; 7]).unwrap();
    assert_eq!((same.lower, same.upper, same.whiskers), (0.1, 0.1, [0.1, 0.1]));
}

#[test]
fn histograms() {
    let whole = Histogram::new(&[3.0, 4.0, 4.0, 5.0, 5.0, 5.0]).unwrap();
    assert_eq!((whole.start, whole.width, whole.counts), (3.0, 1.0, vec![1, 2, 3]));
    // 1000 normal numbers: 2 · 1.349 / 10 wide, so half.
    let values = normal(&mut Rng::new(6), 1000);
    let bell = Histogram::new(&values).unwrap();
    assert_eq!(bell.width, 0.5);
    assert_eq!(bell.counts.iter().sum::<u64>(), 1000);
    for (i, count) in bell.counts.iter().enumerate() {
        let [low, high] = bell.bin(i);
        let inside = values.iter().filter(|x| low <= **x && **x < high).count();
        assert_eq!(inside as u64, *count);
    }
    // Times of a few microseconds, one of them of an hour: bins remain few.
    let mut times = vec![1e-6; 99];
    times.push(3600.0);
    assert!(Histogram::new(&times).unwrap().counts.len() <= 201);
    let one = Histogram::new(&[0.7; 5]).unwrap();
    assert_eq!(one.counts.iter().sum::<u64>(), 5);
    assert_eq!(Histogram::new(&[]), None);
    assert_eq!(Histogram::new(&[f64::MIN, f64::MAX]), None);
    assert_eq!(Histogram::new(&[1e300; 3]).unwrap().counts, [3]);
    let four = Histogram::with_bins(&[0.0, 1.0, 2.0, 8.0], 4).unwrap();
    assert_eq!((four.width, four.counts), (2.0, vec![2, 1, 0, 1]));
    assert_eq!(Histogram::with_bins(&[1.0], 0), None);
    let tiny = Histogram::new(&[0.1, 0.2, 0.3, 0.4, 0.5]).unwrap();
    assert_eq!(tiny.width, 0.5); // 2 · 0.2 / ∛5 = 0.234
}
