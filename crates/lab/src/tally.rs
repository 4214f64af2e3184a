//! Records → counts, one game after the other in schedule order.

use crate::Plan;
use crate::record::{Counts, End, GameRecord};
use crate::stats::ranks::places;
use crate::stats::{FirstMove, Mean, Places, Ratio, Rounds, Wdl};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The counts of the completed prefix of a match.
///
/// Results are seen from player A, the first. At a table of several seats A wins a game if the
/// mean payoff of A's seats exceeds that of the other seats. In a one-player game A wins a round
/// if its payoff exceeds the mean of the others', who met the same chance events.
#[derive(Clone, Debug)]
pub struct Tally {
    seats: usize,
    even: bool,
    games_per_round: usize,
    games: u64,
    wdl: Wdl,
    rounds: Rounds,
    /// A's results in each of two seats.
    by_seat: Vec<Wdl>,
    /// The rounds of two seats by the points of the one that moves first.
    first_move: Option<FirstMove>,
    /// A's payoff minus the others', round by round.
    difference: Mean,
    plies: Mean,
    /// Mean length of the games of a round, for the interval.
    round_plies: Mean,
    shortest: Option<u32>,
    longest: Option<u32>,
    limits: u64,
    /// Hashes of the games, to tell repeated ones.
    seen: HashSet<u64>,
    players: Vec<PlayerTally>,
    /// Payoff of each seat, whoever sits there.
    seat_payoffs: Vec<Mean>,
    /// The games of the round that is not complete yet.
    open: Vec<GameRecord>,
}

/// The counts of one player.
#[derive(Clone, Debug, Default)]
pub struct PlayerTally {
    /// Mean payoff of its seats, round by round.
    pub payoff: Mean,
    /// Mean points of its seats, round by round, in games that count points.
    pub points: Mean,
    /// What the game tells about its seats, by name.
    pub statistics: BTreeMap<String, Statistic>,
    /// The places of its seats, round by round, at a table of three to five.
    pub places: Option<Places>,
    /// What it spent.
    pub counts: Counts,
    /// Iterations, nodes and depth for each move, round by round.
    pub each_move: [Ratio; 3],
    /// Nodes of a game, round by round.
    pub game_nodes: Mean,
    /// Games it forfeited.
    pub forfeits: u64,
    /// Why it forfeited the first of them.
    pub reason: Option<String>,
}

/// The values of one of a game's statistics.
#[derive(Clone, Debug, Default)]
pub struct Statistic {
    /// Their mean, seat by seat.
    pub seats: Mean,
    /// Their mean, round by round.
    pub rounds: Mean,
    /// How often each number was met, rounded down, seat by seat.
    pub counts: BTreeMap<i64, u64>,
}

impl Statistic {
    /// Counts the values of a round.
    fn add(&mut self, values: &[f64]) {
        for &value in values {
            self.seats.add(value);
            *self.counts.entry(value.floor() as i64).or_default() += 1;
        }
        if !values.is_empty() {
            self.rounds.add(values.iter().sum::<f64>() / values.len() as f64);
        }
    }
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(plan: &Plan) -> Self {
        let games_per_round = plan.schedule.seatings().len();
        let (two, large) = (plan.seats == 2, plan.seats > 2);
        let player =
            PlayerTally { places: large.then(|| Places::new(plan.seats)), ..Default::default() };
        Tally {
            seats: plan.seats,
            even: plan.schedule.is_even(),
            games_per_round,
            games: 0,
            wdl: Wdl::default(),
            rounds: Rounds::new(if plan.seats == 1 { 1 } else { games_per_round }),
            by_seat: if two { vec![Wdl::default(); 2] } else { Vec::new() },
            first_move: two.then(|| FirstMove::new(games_per_round)),
            difference: Mean::default(),
            plies: Mean::default(),
            round_plies: Mean::default(),
            shortest: None,
            longest: None,
            limits: 0,
            seen: HashSet::new(),
            players: vec![player; plan.players.len()],
            seat_payoffs: vec![Mean::default(); plan.seats],
            open: Vec::new(),
        }
    }

    /// Counts the next game of the schedule.
    pub fn add(&mut self, record: GameRecord) {
        self.games += 1;
        self.plies.add(f64::from(record.plies));
        self.shortest = Some(self.shortest.map_or(record.plies, |p| p.min(record.plies)));
        self.longest = Some(self.longest.map_or(record.plies, |p| p.max(record.plies)));
        self.limits += u64::from(record.end == End::Limit);
        let mut hasher = DefaultHasher::new();
        (&record.seats, &record.position, record.fingerprint()).hash(&mut hasher);
        self.seen.insert(hasher.finish());
        for (seat, &player) in record.seats.iter().enumerate() {
            self.players[player].counts += record.counts[seat];
            self.seat_payoffs[seat].add(f64::from(record.payoffs[seat]));
        }
        if let Some(forfeit) = &record.forfeit {
            let player = &mut self.players[record.seats[forfeit.seat]];
            player.forfeits += 1;
            player.reason.get_or_insert_with(|| forfeit.reason.clone());
        }
        self.open.push(record);
        if self.open.len() == self.games_per_round {
            self.close_round();
        }
    }

    fn close_round(&mut self) {
        let round = std::mem::take(&mut self.open);
        let payoff = |g: &GameRecord, seat: usize| Some(f64::from(g.payoffs[seat]));
        for (p, player) in self.players.iter_mut().enumerate() {
            let points = |g: &GameRecord, seat: usize| Some(f64::from(g.scores.as_ref()?[seat]));
            mean(&round, |q| q == p, payoff).inspect(|&x| player.payoff.add(x));
            mean(&round, |q| q == p, points).inspect(|&x| player.points.add(x));
            for name in round.iter().flat_map(|g| g.statistics.keys()).collect::<BTreeSet<_>>() {
                let own = |g: &GameRecord| {
                    let seats = g.statistics.get(name).cloned().unwrap_or_default();
                    let seats = g.seats.clone().into_iter().zip(seats);
                    seats.filter(|&(q, _)| q == p).filter_map(|(_, value)| value)
                };
                let values: Vec<f64> = round.iter().flat_map(own).collect();
                player.statistics.entry(name.clone()).or_default().add(&values);
            }
        }
        self.spend(&round);
        let compare = |games: &[GameRecord]| {
            Some(mean(games, |p| p == 0, payoff)? - mean(games, |p| p != 0, payoff)?)
        };
        self.place(&round);
        let Some(difference) = compare(&round) else { return };
        self.difference.add(difference);
        // A one-player game is compared as a round, others game by game.
        let parts = if self.seats == 1 { 1 } else { round.len() };
        let (mut half_points, mut first_points) = (0, 0);
        for part in round.chunks(round.len() / parts) {
            // Equal shares of a win may differ in their last bit.
            let result = compare(part).filter(|x| x.abs() > 1e-6).unwrap_or(0.0);
            let gained = match result {
                r if r > 0.0 => 2,
                r if r < 0.0 => 0,
                _ => 1,
            };
            half_points += gained;
            count(&mut self.wdl, gained);
            let seat = part[0].seats.iter().position(|&p| p == 0).unwrap_or(0);
            first_points += if seat == 0 { gained } else { 2 - gained };
            self.by_seat.get_mut(seat).into_iter().for_each(|wdl| count(wdl, gained));
        }
        self.rounds.add(half_points);
        self.first_move.iter_mut().for_each(|first| first.add(first_points));
    }

    /// Counts what a round took: its games depend on each other, rounds do not.
    fn spend(&mut self, round: &[GameRecord]) {
        let plies: f64 = round.iter().map(|game| f64::from(game.plies)).sum();
        self.round_plies.add(plies / round.len() as f64);
        for (p, player) in self.players.iter_mut().enumerate() {
            let mut own = Counts::default();
            let seats = round.iter().flat_map(|game| game.seats.iter().zip(&game.counts));
            seats.filter(|(q, _)| **q == p).for_each(|(_, counts)| own += *counts);
            let games = round.iter().filter(|game| game.seats.contains(&p)).count();
            if games > 0 {
                player.game_nodes.add(own.nodes as f64 / games as f64);
            }
            let sums = [own.iterations, own.nodes, own.depth];
            for (ratio, sum) in player.each_move.iter_mut().zip(sums) {
                ratio.add(sum as f64, own.moves as f64);
            }
        }
    }

    /// Counts the places of a round at a table of three to five.
    fn place(&mut self, round: &[GameRecord]) {
        if self.seats < 3 {
            return;
        }
        let payoffs = |g: &GameRecord| g.payoffs.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
        let taken: Vec<_> = round.iter().map(|g| (g, places(&payoffs(g)))).collect();
        for (p, player) in self.players.iter_mut().enumerate() {
            let seats = taken.iter().flat_map(|(game, places)| game.seats.iter().zip(places));
            let own: Vec<_> = seats.filter(|(q, _)| **q == p).map(|(_, place)| *place).collect();
            player.places.iter_mut().for_each(|places| places.add(&own));
        }
    }

    /// Number of games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// A's wins, draws and losses.
    pub fn wdl(&self) -> &Wdl {
        &self.wdl
    }

    /// The rounds by A's points in them.
    pub fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// A's results in each of two seats; nothing at other tables.
    pub fn by_seat(&self) -> &[Wdl] {
        &self.by_seat
    }

    /// What moving first is worth, of two seats.
    pub fn first_move(&self) -> Option<&FirstMove> {
        self.first_move.as_ref()
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Whether a score of ½ means equal strength ([`Schedule::is_even`](crate::Schedule)).
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// A's mean payoff minus the others', round by round: 0 between equals at any table.
    pub fn difference(&self) -> &Mean {
        &self.difference
    }

    /// Length of the games.
    pub fn plies(&self) -> &Mean {
        &self.plies
    }

    /// Mean length of the games of each round, for the interval.
    pub fn round_plies(&self) -> &Mean {
        &self.round_plies
    }

    /// Length of the shortest and of the longest game.
    pub fn extremes(&self) -> Option<[u32; 2]> {
        Some([self.shortest?, self.longest?])
    }

    /// Games ended by the move limit.
    pub fn limits(&self) -> u64 {
        self.limits
    }

    /// How many of the games differ in their moves or seats: players without chance or
    /// randomness play one game again and again, and that is no evidence.
    pub fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The counts of each player.
    pub fn players(&self) -> &[PlayerTally] {
        &self.players
    }

    /// Payoff of each seat, whoever sat there.
    pub fn seat_payoffs(&self) -> &[Mean] {
        &self.seat_payoffs
    }
}

/// Counts a game by its half points.
fn count(wdl: &mut Wdl, half_points: usize) {
    match half_points {
        2 => wdl.wins += 1,
        1 => wdl.draws += 1,
        _ => wdl.losses += 1,
    }
}

/// The mean of a value over the seats of some players in some games.
fn mean(
    games: &[GameRecord],
    whose: impl Fn(usize) -> bool,
    value: impl Fn(&GameRecord, usize) -> Option<f64>,
) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0u32);
    for game in games {
        for (seat, &player) in game.seats.iter().enumerate() {
            if whose(player) {
                sum += value(game, seat)?;
                n += 1;
            }
        }
    }
    (n > 0).then(|| sum / f64::from(n))
}
