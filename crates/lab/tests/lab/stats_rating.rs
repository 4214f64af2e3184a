//! Ratings against formulas, an independent program, and simulated tournaments.

use spielbaum_core::Rng;
use spielbaum_lab::stats::elo::elo;
use spielbaum_lab::stats::rating::Options;
use spielbaum_lab::stats::table_rating::{TableGame, rate_tables};
use spielbaum_lab::stats::{Estimate, Level, RatingError, Ratings, Tournament, Wdl};

const NO_ADVANTAGE: Options = Options { advantage: false, prior: 0.0 };

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Value and standard error.
#[track_caller]
fn agrees(estimate: Estimate, value: f64, error: f64) {
    close(estimate.value, value, 1e-3);
    close((estimate.interval[1] - estimate.value) / Level::P95.z(), error, 1e-3);
    close((estimate.value - estimate.interval[0]) / Level::P95.z(), error, 1e-3);
}

fn tournament(players: usize, games: &[(usize, usize, [u64; 3])]) -> Tournament {
    let mut tournament = Tournament::new((0..players).map(|i| format!("p{i}")));
    for &(first, second, [wins, draws, losses]) in games {
        tournament.add(first, second, Wdl::new(wins, draws, losses));
    }
    tournament
}

#[test]
fn two_players_have_the_elo_of_their_score() {
    let ratings = tournament(2, &[(0, 1, [37, 0, 23])]).rate(NO_ADVANTAGE).unwrap();
    close(ratings.difference(0, 1, Level::P95).value, elo(37.0 / 60.0).unwrap(), 1e-9);
    close(ratings.rating(0, Level::P95).value, elo(37.0 / 60.0).unwrap() / 2.0, 1e-9);
    // The error of a logarithm of odds is √(1/37 + 1/23).
    let error = 400.0 / 10f64.ln() * (1.0 / 37.0 + 1.0 / 23.0f64).sqrt();
    agrees(ratings.difference(0, 1, Level::P95), elo(37.0 / 60.0).unwrap(), error);
    close(ratings.superiority(0, 1) + ratings.superiority(1, 0), 1.0, 1e-12);
    assert!(ratings.draws(Level::P95).is_none() && ratings.advantage(Level::P95).is_none());
    // With draws the expected score is the observed one, and the rating nearly its Elo.
    for wdl in [[30, 60, 10], [60, 30, 10], [1, 900, 2], [400, 100, 90]] {
        let ratings = tournament(2, &[(0, 1, wdl)]).rate(NO_ADVANTAGE).unwrap();
        let score = Wdl::new(wdl[0], wdl[1], wdl[2]).score().unwrap();
        close(ratings.expected(0, 1), score, 1e-9);
        let difference = ratings.difference(0, 1, Level::P95).value;
        close(difference, elo(score).unwrap(), 0.03 * difference.abs());
    }
}

/// Both seats as often: strength and advantage by hand, in the model saturated by them.
#[test]
fn the_first_move_is_told_from_strength() {
    let games = [(0, 1, [60, 0, 20]), (1, 0, [32, 0, 48])];
    let ratings = tournament(2, &games).rate(Options::default()).unwrap();
    let [mine, yours] = [elo(0.75).unwrap(), elo(0.4).unwrap()];
    close(ratings.difference(0, 1, Level::P95).value, (mine - yours) / 2.0, 1e-9);
    close(ratings.advantage(Level::P95).unwrap().value, (mine + yours) / 2.0, 1e-9);
    // The score over both seats is 108 of 160, whatever the advantage.
    let balanced = tournament(2, &[(0, 1, [60, 5, 15]), (1, 0, [30, 5, 45])]);
    let ratings = balanced.rate(Options::default()).unwrap();
    close(ratings.expected(0, 1), 110.0 / 160.0, 1e-9);
    close(ratings.expected(1, 0), 50.0 / 160.0, 1e-9);
    // A player against itself tells the advantage alone.
    let selfplay = tournament(1, &[(0, 0, [30, 0, 10])]).rate(Options::default()).unwrap();
    close(selfplay.advantage(Level::P95).unwrap().value, elo(0.75).unwrap(), 1e-9);
}

/// Made with scipy 1.17: the negative log-likelihood written down as in Davidson's paper with
/// the last strength minus the sum of the others, minimised by BFGS and Nelder–Mead, second
/// derivatives by differences, errors of the Elo numbers by numerical gradients.
#[test]
fn three_players_agree_with_scipy() {
    let games = [
        (0, 1, [30, 12, 8]),
        (1, 0, [18, 14, 18]),
        (0, 2, [25, 5, 20]),
        (2, 0, [22, 9, 19]),
        (1, 2, [16, 20, 14]),
        (2, 1, [24, 10, 16]),
    ];
    let ratings = tournament(3, &games).rate(Options::default()).unwrap();
    agrees(ratings.rating(0, Level::P95), 28.609_613, 14.581_963);
    agrees(ratings.rating(1, Level::P95), -33.378_145, 14.612_052);
    agrees(ratings.rating(2, Level::P95), 4.768_531, 14.502_050);
    agrees(ratings.difference(0, 1, Level::P95), 61.987_758, 25.337_363);
    agrees(ratings.difference(0, 2, Level::P95), 23.841_082, 25.147_049);
    agrees(ratings.difference(1, 2, Level::P95), -38.146_676, 25.199_393);
    agrees(ratings.advantage(Level::P95).unwrap(), 47.461_185, 17.844_577);
    let draws = ratings.draws(Level::P95).unwrap();
    agrees(draws.map(f64::ln), -0.467_235, 0.137_455);
    close(ratings.draw_share(Level::P95).unwrap().value, 0.626_733 / 2.626_733, 1e-6);
    assert_eq!(ratings.order(), [0, 2, 1]);
    let ratings = tournament(3, &[(0, 1, [13, 0, 7]), (1, 2, [12, 0, 8]), (2, 0, [4, 0, 16])])
        .rate(NO_ADVANTAGE)
        .unwrap();
    agrees(ratings.rating(0, Level::P95), 113.961_855, 41.353_984);
    agrees(ratings.rating(2, Level::P95), -101.224_703, 40.650_791);
    agrees(ratings.difference(0, 1, Level::P95), 126.699_008, 68.728_857);
    // Pairings may come in pieces.
    let pieces = [(0, 1, [6, 0, 7]), (0, 1, [7, 0, 0]), (1, 2, [12, 0, 8]), (2, 0, [4, 0, 16])];
    let again = tournament(3, &pieces).rate(NO_ADVANTAGE).unwrap();
    close(again.rating(0, Level::P95).value, ratings.rating(0, Level::P95).value, 1e-9);
}

#[test]
fn what_cannot_be_compared_is_named() {
    let error = |players, games: &[_]| tournament(players, games).rate(Options::default()).err();
    let names = |of: &[usize]| of.iter().map(|i| format!("p{i}")).collect::<Vec<_>>();
    assert_eq!(error(2, &[]), Some(RatingError::NoGames));
    assert_eq!(error(2, &[(0, 1, [0, 0, 0])]), Some(RatingError::NoGames));
    assert_eq!(
        error(2, &[(0, 2, [1, 1, 1])]),
        Some(RatingError::NoSuchPlayer { index: 2, players: 2 })
    );
    assert_eq!(
        error(4, &[(0, 2, [1, 1, 1]), (3, 1, [2, 0, 2])]),
        Some(RatingError::Apart(vec![names(&[0, 2]), names(&[1, 3])]))
    );
    // 1 and 2 beat each other, and 0 in every game.
    let one_sided = [(0, 1, [0, 0, 9]), (1, 0, [5, 0, 0]), (1, 2, [3, 1, 4]), (2, 1, [3, 0, 3])];
    let expected = RatingError::OneSided { above: names(&[1, 2]), below: names(&[0]) };
    assert_eq!(error(3, &one_sided), Some(expected.clone()));
    assert!(expected.to_string().starts_with("p1, p2 never lost nor drew a game against p0:"));
    // The same from the other end.
    let swapped = [(2, 1, [0, 0, 9]), (1, 2, [5, 0, 0]), (1, 0, [3, 1, 4]), (0, 1, [3, 0, 3])];
    let expected = RatingError::OneSided { above: names(&[0, 1]), below: names(&[2]) };
    assert_eq!(error(3, &swapped), Some(expected));
    // Seats never change: strength and first move are one.
    let Some(RatingError::Unbounded { players, first_move: true, draws: false }) =
        error(2, &[(0, 1, [7, 2, 3])])
    else {
        panic!("the advantage is not known");
    };
    assert!(players.is_empty());
    // Who moves first wins.
    let always = error(2, &[(0, 1, [9, 0, 0]), (1, 0, [9, 0, 0])]);
    assert!(matches!(always, Some(RatingError::Unbounded { first_move: true, .. })), "{always:?}");
    // Wins and draws of one side: ν runs away with the difference.
    let undefeated = tournament(2, &[(0, 1, [10, 5, 0])]).rate(NO_ADVANTAGE).err();
    assert!(matches!(undefeated, Some(RatingError::Unbounded { draws: true, .. })));
    let drawn = tournament(2, &[(0, 1, [0, 5, 0])]).rate(NO_ADVANTAGE).err();
    assert!(matches!(drawn, Some(RatingError::Unbounded { draws: true, .. })));
    let prior = Options { prior: f64::NAN, ..Options::default() };
    let refused = tournament(2, &[(0, 1, [1, 1, 1])]).rate(prior).err();
    assert!(matches!(refused, Some(RatingError::Prior(_))));
}

/// Bounds that are far out are bounds: two draws of 100 004 games, and nobody ever beat a better
/// one, but ν cannot grow with all three differences. Whether there is a maximum agrees with
/// linear programming on thousands of random tournaments; these were the hard ones.
#[test]
fn far_out_is_not_unbounded() {
    let games = [(1, 0, [1, 1, 0]), (2, 0, [0, 1, 2]), (1, 2, [2, 1, 0]), (1, 2, [100_000, 1, 0])];
    let ratings = tournament(3, &games).rate(NO_ADVANTAGE).unwrap();
    assert_eq!(ratings.order(), [1, 0, 2]);
    // The likelihood equations: players make the points they are expected to make.
    let expected = |i, j| ratings.expected(i, j);
    close(2.0 * expected(1, 0) + 100_004.0 * expected(1, 2), 1.5 + 100_003.0, 1e-3);
    close(2.0 * expected(0, 1) + 3.0 * expected(0, 2), 0.5 + 2.5, 1e-6);
    // Never lost by the first: the advantage has no bound.
    let games = [(0, 1, [100_000, 1, 0]), (1, 0, [3, 0, 0])];
    assert!(tournament(2, &games).rate(Options::default()).is_err());
}

#[test]
fn a_weak_prior_bounds_everything_and_moves_little() {
    let weak = Options { prior: 1.0, ..Options::default() };
    let hard: [&[(usize, usize, [u64; 3])]; 7] = [
        &[(1, 2, [0, 2, 5]), (0, 2, [400_000, 2, 1]), (2, 3, [3, 2, 3]), (2, 0, [0, 2, 1])],
        &[(0, 1, [1000, 0, 0])],
        &[(0, 1, [10, 5, 0]), (1, 0, [0, 0, 10])],
        &[(0, 1, [0, 5, 0])],
        &[(0, 1, [9, 0, 0]), (1, 0, [9, 0, 0])],
        &[(0, 2, [1, 1, 1]), (3, 1, [2, 0, 2])],
        &[(2, 0, [1_000_000, 1, 0])],
    ];
    for games in hard {
        let ratings = tournament(4, games).rate(weak).unwrap();
        for i in 0..4 {
            let Estimate { value, interval: [low, high] } = ratings.rating(i, Level::P95);
            assert!(value.is_finite() && low < value && value < high && high - low < 1e4);
        }
        let sum: f64 = (0..4).map(|i| ratings.rating(i, Level::P95).value).sum();
        close(sum, 0.0, 1e-6);
    }
    let games = [(0, 1, [300, 120, 80]), (1, 0, [180, 140, 180])];
    let [free, bound] = [Options::default(), weak].map(|o| tournament(2, &games).rate(o).unwrap());
    let difference = |r: &Ratings| r.difference(0, 1, Level::P95).value;
    close(difference(&free), difference(&bound), 0.2);
}

/// Throws a game of Davidson's model.
fn game(rng: &mut Rng, x: f64, nu: f64) -> usize {
    let (win, loss) = ((x / 2.0).exp(), (-x / 2.0).exp());
    let u = rng.unit() * (win + nu + loss);
    if u < win { 0 } else { usize::from(u >= win + nu) + 1 }
}

/// 400 tournaments of four players with known strength: of 95 % intervals about 95 % hold the
/// truth, of ratings, differences, advantage and draws alike.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let (strengths, eta, nu) = ([0.6, 0.1, -0.2, -0.5], 0.3, 0.8);
    let scale = 400.0 / 10f64.ln() * 2.0 / (2.0 + nu);
    let mut held = [0u32; 6];
    let rounds = 400;
    for seed in 0..rounds {
        let mut rng = Rng::new(Rng::split(11, seed));
        let mut all = tournament(4, &[]);
        for first in 0..4 {
            for second in (0..4).filter(|&s| s != first) {
                let mut counts = [0; 3];
                let x = strengths[first] - strengths[second] + eta;
                (0..20).for_each(|_| counts[game(&mut rng, x, nu)] += 1);
                all.add(first, second, Wdl::new(counts[0], counts[1], counts[2]));
            }
        }
        let ratings = all.rate(Options::default()).unwrap();
        let level = Level::P95;
        let checks = [
            (ratings.rating(0, level), strengths[0] * scale),
            (ratings.rating(2, level), strengths[2] * scale),
            (ratings.difference(0, 3, level), (strengths[0] - strengths[3]) * scale),
            (ratings.difference(1, 2, level), (strengths[1] - strengths[2]) * scale),
            (ratings.advantage(level).unwrap(), eta * scale),
            (ratings.draws(level).unwrap(), nu),
        ];
        for (count, (estimate, truth)) in held.iter_mut().zip(checks) {
            *count += u32::from(estimate.holds(truth));
        }
    }
    // 380 ± 3 standard deviations of 4.4, each.
    assert!(held.iter().all(|c| (367..=393).contains(c)), "{held:?} of {rounds}");
}

/// Whole rankings by Plackett–Luce: strengths come back, and intervals hold though comparisons
/// of one game depend on each other. Of four players three sit at each table.
#[test]
fn tables_by_plackett_luce() {
    let strengths = [0.8, 0.2, -0.3, -0.7];
    let players: Vec<String> = (0..4).map(|i| format!("p{i}")).collect();
    let scale = 400.0 / 10f64.ln();
    let mut held = [0u32; 3];
    let mut mean = 0.0;
    for seed in 0..300 {
        let mut rng = Rng::new(Rng::split(12, seed));
        let rounds: Vec<Vec<TableGame>> = (0..120)
            .map(|round| {
                let mut seats: Vec<usize> = (0..4).filter(|&p| p != round % 4).collect();
                rng.shuffle(&mut seats);
                // The least of exponential times e^-strength comes first.
                let payoffs = seats.iter().map(|&p| {
                    let time = -(1.0 - rng.unit()).ln() / f64::exp(strengths[p]);
                    -time
                });
                vec![TableGame { payoffs: payoffs.collect(), seats }]
            })
            .collect();
        let ratings = rate_tables(&players, &rounds, NO_ADVANTAGE).unwrap();
        let checks = [
            (ratings.rating(0, Level::P95), strengths[0] * scale),
            (ratings.difference(0, 1, Level::P95), 0.6 * scale),
            (ratings.difference(1, 3, Level::P95), 0.9 * scale),
        ];
        mean += ratings.difference(0, 3, Level::P95).value / 300.0;
        for (count, (estimate, truth)) in held.iter_mut().zip(checks) {
            *count += u32::from(estimate.holds(truth));
        }
    }
    close(mean, 1.5 * scale, 8.0);
    // 285 ± 3 standard deviations of 3.8.
    assert!(held.iter().all(|c| (273..=297).contains(c)), "{held:?} of 300");
}

#[test]
fn tables_need_rounds_and_share_places() {
    let players = ["a", "b", "c"].map(String::from);
    let table = |seats: [usize; 3], payoffs: [f64; 3]| TableGame {
        seats: seats.to_vec(),
        payoffs: payoffs.to_vec(),
    };
    let one = vec![vec![table([0, 1, 2], [3.0, 2.0, 1.0])]];
    let error = rate_tables(&players, &one, NO_ADVANTAGE).err();
    assert_eq!(error, Some(RatingError::FewRounds(1)));
    // All share everything, then one each wins: all equal, and draws there are.
    let even: Vec<Vec<TableGame>> =
        [[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|payoffs| vec![table([0, 1, 2], payoffs)])
            .to_vec();
    let ratings = rate_tables(&players, &even, NO_ADVANTAGE).unwrap();
    close(ratings.rating(0, Level::P95).value, 0.0, 1e-9);
    // 12 comparisons: 3 + 3 drawn, 6 decided.
    close(ratings.draw_share(Level::P95).unwrap().value, 0.5, 1e-9);
    // Doubling every round within itself adds no knowledge.
    let double: Vec<Vec<TableGame>> =
        even.iter().map(|r| [r.clone(), r.clone()].concat()).collect();
    let again = rate_tables(&players, &double, NO_ADVANTAGE).unwrap();
    let [once, twice] = [&ratings, &again].map(|r| r.rating(1, Level::P95).interval);
    close(once[1], twice[1], 1e-6);
    let stray = vec![vec![table([0, 1, 7], [1.0, 0.0, 0.0])]; 2];
    let error = rate_tables(&players, &stray, NO_ADVANTAGE).err();
    assert_eq!(error, Some(RatingError::NoSuchPlayer { index: 7, players: 3 }));
}
