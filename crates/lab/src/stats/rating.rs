//! Ratings of a tournament: the Bradley–Terry model with draws and the advantage of the first
//! move, by maximum likelihood.
//!
//! Davidson's model (Davidson, On extending the Bradley–Terry model to accommodate ties in
//! paired comparison experiments, JASA 65, 1970; with the order of the players: Davidson and
//! Beaver, Biometrics 33, 1977): with strengths π and a draw parameter ν, the first of a game
//! wins, draws and loses as γπ₁ : ν√(γπ₁π₂) : π₂, where γ is the advantage of the first move.
//!
//! Ratings are Elo: differences of ln π times 400/ln 10 · 2/(2 + ν). The second factor is that
//! of BayesElo (Coulom): with it the expected score grows with the rating near equality as the
//! Elo curve does, however many draws there are. Without draws it is 1 and the difference of
//! two players is the Elo formula's exactly; with draws the expected score
//! ([`Ratings::expected`]) of two players who met as often in either seat is the observed one
//! exactly, and the rating difference agrees with its Elo to a few per cent of it.
//!
//! Intervals come from the observed information; games count as independent. Where openings are
//! played with both colours the games of a round balance each other, so these intervals are
//! rather too wide than too narrow.

mod error;
mod fit;

use super::linear::Matrix;
use super::{Estimate, Level, Wdl};
pub use error::RatingError;
pub(crate) use error::comparable;
pub(crate) use fit::{Maximum, Pair, Shape};
use spielbaum_core::math::exp;
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// The games of two players with fixed seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Who moved first, a place in [`Tournament::players`].
    pub first: usize,
    /// Who moved second. The same player in both seats tells about the first move and draws.
    pub second: usize,
    /// Results of the first.
    pub results: Wdl,
}

/// Who met whom with what results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tournament {
    /// Names of the players.
    pub players: Vec<String>,
    /// Their games; a pairing may come up more than once.
    pub pairings: Vec<Pairing>,
}

/// What the model has beside the players' strengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Whether moving first may be worth something.
    pub advantage: bool,
    /// A weak prior for results that bound nothing: so many games, half won and half lost, of
    /// every player against one of rating 0, and as many of equals that tell about the first
    /// move and about draws. 0 is maximum likelihood; 1 bounds whatever happens.
    pub prior: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { advantage: true, prior: 0.0 }
    }
}

/// Ratings with what they are worth.
#[derive(Clone, Debug)]
pub struct Ratings {
    players: Vec<String>,
    shape: Shape,
    values: Vec<f64>,
    covariance: Matrix,
    /// Degrees of freedom of the covariance, where it was measured between rounds.
    freedom: Option<f64>,
}

impl Tournament {
    /// A tournament of these players without games.
    pub fn new(players: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let players = players.into_iter().map(Into::into).collect();
        Tournament { players, pairings: Vec::new() }
    }

    /// Adds games of two players with fixed seats.
    pub fn add(&mut self, first: usize, second: usize, results: Wdl) {
        self.pairings.push(Pairing { first, second, results });
    }

    /// The ratings of highest likelihood.
    ///
    /// ```
    /// use spielbaum_lab::stats::{Level, Tournament, Wdl};
    /// let mut tournament = Tournament::new(["deep", "broad"]);
    /// tournament.add(0, 1, Wdl::new(40, 0, 10)); // deep moved first
    /// tournament.add(1, 0, Wdl::new(20, 0, 30)); // broad moved first
    /// let ratings = tournament.rate(Default::default()).unwrap();
    /// let better = ratings.difference(0, 1, Level::P95);
    /// assert_eq!(better.value.round(), 156.0); // half of 400 log₁₀ (4 · 3/2)
    /// assert_eq!(ratings.advantage(Level::P95).unwrap().value.round(), 85.0); // of (4 / (3/2))
    ///
    /// let mut tournament = Tournament::new(["deep", "broad", "wide"]);
    /// tournament.add(0, 1, Wdl::new(40, 0, 10));
    /// let error = tournament.rate(Default::default()).unwrap_err();
    /// assert_eq!(error.to_string(),
    ///     "these groups never met and cannot be compared: deep, broad | wide");
    /// ```
    pub fn rate(&self, options: Options) -> Result<Ratings, RatingError> {
        let pairs = self.checked(options)?;
        let shape = Shape {
            players: self.players.len(),
            advantage: options.advantage,
            // Without draws ν = 0 is most likely: the model without draws.
            draws: pairs.iter().any(|p| p.draws > 0.0),
            prior: options.prior,
        };
        fit_pairs(&self.players, shape, &pairs)
    }

    /// The pairings as numbers, without empty ones, if they can be compared.
    fn checked(&self, options: Options) -> Result<Vec<Pair>, RatingError> {
        let players = self.players.len();
        if !(options.prior >= 0.0 && options.prior.is_finite()) {
            return Err(RatingError::Prior(options.prior.to_string()));
        }
        let indices = self.pairings.iter().flat_map(|p| [p.first, p.second]);
        if let Some(index) = indices.into_iter().find(|&i| i >= players) {
            return Err(RatingError::NoSuchPlayer { index, players });
        }
        let pairs: Vec<Pair> = (self.pairings.iter().filter(|p| p.results.total() > 0))
            .map(|p| Pair {
                first: p.first,
                second: p.second,
                wins: p.results.wins as f64,
                draws: p.results.draws as f64,
                losses: p.results.losses as f64,
            })
            .collect();
        if pairs.is_empty() {
            return Err(RatingError::NoGames);
        }
        if options.prior == 0.0 {
            comparable(&self.players, &pairs)?;
        }
        Ok(pairs)
    }
}

/// Fits, and names what has no bound.
pub(crate) fn fit_pairs(
    players: &[String],
    shape: Shape,
    pairs: &[Pair],
) -> Result<Ratings, RatingError> {
    let maximum = shape.fit(pairs).map_err(|unbounded| RatingError::Unbounded {
        players: unbounded.players.into_iter().map(|i| players[i].clone()).collect(),
        first_move: unbounded.advantage,
        draws: unbounded.draws,
    })?;
    Ok(Ratings::new(players.to_vec(), shape, maximum, None))
}

impl Ratings {
    /// Puts the mean strength to 0.
    pub(crate) fn new(
        players: Vec<String>,
        shape: Shape,
        maximum: Maximum,
        freedom: Option<f64>,
    ) -> Self {
        let n = shape.players;
        let Maximum { mut values, covariance } = maximum;
        let mean = values[..n].iter().sum::<f64>() / n as f64;
        values[..n].iter_mut().for_each(|v| *v -= mean);
        Ratings { players, shape, values, covariance, freedom }
    }

    /// The same ratings with errors measured between independent rounds.
    pub(crate) fn with_covariance(mut self, covariance: Matrix, freedom: f64) -> Self {
        (self.covariance, self.freedom) = (covariance, Some(freedom));
        self
    }

    pub(crate) fn parts(&self) -> (&Shape, &[f64], &Matrix) {
        (&self.shape, &self.values, &self.covariance)
    }

    /// Names of the players, as given.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The players, best first; equal ones as given.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| self.values[b].total_cmp(&self.values[a]));
        order
    }

    /// A player's rating; the mean of all is 0.
    pub fn rating(&self, player: usize, level: Level) -> Estimate {
        let n = self.shape.players as f64;
        let mut gradient = vec![0.0; self.values.len()];
        gradient[..self.shape.players].fill(-1.0 / n);
        gradient[player] += 1.0;
        self.elo(self.values[player], gradient, level)
    }

    /// How much better the one player is rated than the other. The interval is not the sum of
    /// theirs: ratings of one tournament depend on each other.
    pub fn difference(&self, player: usize, other: usize, level: Level) -> Estimate {
        let mut gradient = vec![0.0; self.values.len()];
        gradient[player] += 1.0;
        gradient[other] -= 1.0;
        self.elo(self.values[player] - self.values[other], gradient, level)
    }

    /// The share of points the one player makes of the other in the long run, either moving
    /// first as often.
    pub fn expected(&self, player: usize, other: usize) -> f64 {
        let x = self.values[player] - self.values[other];
        let eta = self.shape.advantage_at().map_or(0.0, |i| self.values[i]);
        let score = |sign: f64| {
            let half = (x + sign * eta) / 2.0;
            let (win, draw, loss) = (exp(half), self.nu(), exp(-half));
            (win + draw / 2.0) / (win + draw + loss)
        };
        (score(1.0) + score(-1.0)) / 2.0
    }

    /// The likelihood that the one player is better than the other.
    pub fn superiority(&self, player: usize, other: usize) -> f64 {
        if player == other {
            return 0.5;
        }
        let mut gradient = vec![0.0; self.values.len()];
        gradient[player] += 1.0;
        gradient[other] -= 1.0;
        let error = self.covariance.product(&gradient, &gradient).sqrt();
        Normal::standard().cdf((self.values[player] - self.values[other]) / error)
    }

    /// What moving first is worth, in Elo; `None` if the model has it not.
    pub fn advantage(&self, level: Level) -> Option<Estimate> {
        let at = self.shape.advantage_at()?;
        let mut gradient = vec![0.0; self.values.len()];
        gradient[at] = 1.0;
        Some(self.elo(self.values[at], gradient, level))
    }

    /// The draw parameter ν: draws for each win where both players are equal. `None` without
    /// draws.
    pub fn draws(&self, level: Level) -> Option<Estimate> {
        let at = self.shape.draws_at()?;
        let mut gradient = vec![0.0; self.values.len()];
        gradient[at] = 1.0;
        Some(self.around(self.values[at], &gradient, level).map(exp))
    }

    /// The share of draws among equal players, ν / (2 + ν).
    pub fn draw_share(&self, level: Level) -> Option<Estimate> {
        Some(self.draws(level)?.map(|nu| nu / (2.0 + nu)))
    }

    fn nu(&self) -> f64 {
        self.shape.draws_at().map_or(0.0, |i| exp(self.values[i]))
    }

    /// A linear function of strengths and advantage on the Elo scale, which depends on ν.
    fn elo(&self, value: f64, mut gradient: Vec<f64>, level: Level) -> Estimate {
        let nu = self.nu();
        let scale = 400.0 / LN_10 * 2.0 / (2.0 + nu);
        gradient.iter_mut().for_each(|g| *g *= scale);
        if let Some(i) = self.shape.draws_at() {
            gradient[i] -= scale * nu / (2.0 + nu) * value;
        }
        self.around(scale * value, &gradient, level)
    }

    fn around(&self, value: f64, gradient: &[f64], level: Level) -> Estimate {
        let error = self.covariance.product(gradient, gradient).max(0.0).sqrt();
        let quantile = self.freedom.and_then(|f| level.t(f)).unwrap_or_else(|| level.z());
        Estimate { value, interval: [value - quantile * error, value + quantile * error] }
    }
}
