//! Ratings of players who meet at tables of three to five seats.
//!
//! Every game is taken apart into comparisons of two seats, the higher payoff winning, and these
//! are rated as games of two ([`super::rating`]). Why not the Plackett–Luce likelihood of whole
//! rankings? In that model the better of two players is the better in each table, whoever else
//! sits there (Luce's axiom: i comes before j with probability π₁ / (π₁ + π₂)), so the
//! comparisons estimate the same strengths; they know what to do with shared places, of which
//! games with one winner and several losers are full and for which Plackett–Luce has no room. What comparisons of
//! one game lack is independence. So the intervals do not come from the information but from
//! the scores of whole rounds, which are independent (the sandwich estimator of composite
//! likelihoods: Varin, Reid and Firth, An overview of composite likelihood methods, 2011).

use super::linear::Matrix;
use super::rating::{Options, Pair, RatingError, Ratings, Shape, comparable, fit_pairs};

/// One game at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableGame {
    /// Who sat in each seat, a place in the list of players.
    pub seats: Vec<usize>,
    /// What each seat got.
    pub payoffs: Vec<f64>,
}

/// Rates players by rounds of games: those with the same opening and chance events. With
/// [`Options::advantage`] the earlier of two seats may be worth something.
///
/// ```
/// use spielbaum_lab::stats::Level;
/// use spielbaum_lab::stats::table_rating::{TableGame, rate_tables};
/// let game = |seats: [usize; 3], winner: usize| TableGame {
///     seats: seats.to_vec(),
///     payoffs: (0..3).map(|seat| f64::from(u8::from(seats[seat] == winner))).collect(),
/// };
/// let rounds: Vec<Vec<TableGame>> = [0, 0, 1, 0, 2, 1]
///     .map(|winner| vec![game([0, 1, 2], winner), game([2, 0, 1], winner)])
///     .to_vec();
/// let players = ["a", "b", "c"].map(String::from);
/// let ratings = rate_tables(&players, &rounds, Default::default()).unwrap();
/// assert_eq!(ratings.order(), [0, 1, 2]);
/// assert!(ratings.rating(0, Level::P95).interval[0] < 0.0, "six rounds prove little");
/// ```
pub fn rate_tables(
    players: &[String],
    rounds: &[Vec<TableGame>],
    options: Options,
) -> Result<Ratings, RatingError> {
    if !(options.prior >= 0.0 && options.prior.is_finite()) {
        return Err(RatingError::Prior(options.prior.to_string()));
    }
    let seats = || rounds.iter().flatten().flat_map(|game| &game.seats);
    if let Some(&index) = seats().find(|&&i| i >= players.len()) {
        return Err(RatingError::NoSuchPlayer { index, players: players.len() });
    }
    let rounds: Vec<Vec<Pair>> = (rounds.iter())
        .map(|games| games.iter().flat_map(comparisons).collect::<Vec<Pair>>())
        .filter(|pairs| !pairs.is_empty())
        .collect();
    if rounds.len() < 2 {
        return Err(RatingError::FewRounds(rounds.len()));
    }
    let pairs = merged(players.len(), rounds.iter().flatten());
    if options.prior == 0.0 {
        comparable(players, &pairs)?;
    }
    let shape = Shape {
        players: players.len(),
        advantage: options.advantage,
        draws: pairs.iter().any(|p| p.draws > 0.0),
        prior: options.prior,
    };
    let ratings = fit_pairs(players, shape, &pairs)?;
    let (_, values, inverse) = ratings.parts();
    // H⁻¹ (Σ g gᵀ) H⁻¹ over the rounds' scores g, with the correction for few rounds.
    let n = rounds.len() as f64;
    let mut middle = Matrix::zero(values.len());
    for round in &rounds {
        let score = shape.gradient(values, round);
        for (i, a) in score.iter().enumerate() {
            score.iter().enumerate().for_each(|(j, b)| middle.add(i, j, a * b * n / (n - 1.0)));
        }
    }
    let covariance = inverse.sandwich(&middle);
    Ok(ratings.with_covariance(covariance, n - 1.0))
}

/// The comparisons of two seats of different players.
fn comparisons(game: &TableGame) -> impl Iterator<Item = Pair> + '_ {
    let seats = game.seats.len().min(game.payoffs.len());
    let pairs = (0..seats).flat_map(move |i| (i + 1..seats).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| game.seats[i] != game.seats[j]).map(|(i, j)| {
        let difference = game.payoffs[i] - game.payoffs[j];
        // Equal shares of a win may differ in their last bit.
        let won = |d: f64| f64::from(u8::from(d > 1e-6));
        let (wins, losses) = (won(difference), won(-difference));
        let (first, second) = (game.seats[i], game.seats[j]);
        Pair { first, second, wins, draws: 1.0 - wins - losses, losses }
    })
}

/// The sums of each ordered pair.
fn merged<'a>(players: usize, pairs: impl Iterator<Item = &'a Pair>) -> Vec<Pair> {
    let mut sums = vec![[0.0; 3]; players * players];
    for p in pairs {
        let sum = &mut sums[p.first * players + p.second];
        [p.wins, p.draws, p.losses].iter().zip(sum).for_each(|(x, s)| *s += x);
    }
    let played = sums.into_iter().enumerate().filter(|(_, sum)| sum.iter().sum::<f64>() > 0.0);
    played
        .map(|(i, [wins, draws, losses])| Pair {
            first: i / players,
            second: i % players,
            wins,
            draws,
            losses,
        })
        .collect()
}
