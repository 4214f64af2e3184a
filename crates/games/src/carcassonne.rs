//! Carcassonne: tiles grow into a land of cities, roads, fields and cloisters. The base game of 72
//! tiles for two to five players.
//!
//! ```
//! use spielbaum_core::{Game, text};
//! use spielbaum_games::carcassonne::{Carcassonne, Options, Order};
//! // Two tiles in a known order: a city cap, then a straight road.
//! let options = Options { order: Order::Listed, tiles: Some("EU"), ..Options::default() };
//! let mut game = Carcassonne::new(&options).unwrap();
//! text::play_moves(&mut game, "E@0:-1r2+city0 U@1:0r1+road0").unwrap();
//! assert!(game.is_over());
//! assert_eq!(game.scores().unwrap()[..2], [4, 2]); // a city of two tiles, a road that is not complete
//! assert_eq!(game.to_string(), "D@0:0r0 E@0:-1r2+city0 U@1:0r1+road0 |");
//! ```

mod board;
mod bounds;
mod claims;
mod diagram;
mod eval;
mod features;
mod last;
mod moves;
mod outlook;
mod picture;
mod score;
mod setup;
mod statistics;
mod svg;
mod text;
mod tiles;
mod turns;

pub use eval::{Chances, EVALS, Lead};
pub use moves::Move;
pub use outlook::{Outlook, Weights};
pub use setup::{Options, Order};
pub use statistics::Statistics;
pub use tiles::Kind;

use board::Board;
use score::Seats;
use setup::{Bag, DRAWN, Setup};
use spielbaum_core::param::{Args, Kind as ParamKind, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Game, MAX_PLAYERS, NamedEval, ParseError, Payoffs, Registered, Rng, Turn, zobrist,
};
use tiles::TYPES;

/// A position of Carcassonne with its rules. About 7 KB of flat memory that copies.
#[derive(Clone, Copy)]
pub struct Carcassonne {
    setup: Setup,
    phase: Phase,
    /// The player whose turn it is, or for whom chance draws.
    seat: u8,
    /// The type in hand, while a tile is to be placed.
    hand: u8,
    /// What chance has still to draw or to deal.
    bag: Bag,
    /// Tiles in the order in which they come: drawn ones, and those to come if the order is known.
    order: [u8; DRAWN],
    /// How many of `order` are there, and how many of them have been drawn.
    dealt: u8,
    drawn: u8,
    seats: Seats,
    board: Board,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Chance deals the stack that everybody will know.
    Deal,
    /// Chance draws the next tile.
    Draw,
    /// A player places the tile in hand.
    Place,
    Over,
}

/// Marks a tile in `order` that fitted nowhere.
const DISCARDED: u8 = 0x80;

/// What people call the seats.
const COLOURS: [&str; MAX_PLAYERS] = ["Red", "Blue", "Green", "Yellow", "Black"];

impl Carcassonne {
    /// The start position.
    pub fn new(options: &Options<'_>) -> Result<Self, ParseError> {
        let (setup, mut list) = Setup::new(options)?;
        if let Order::Shuffled(seed) = options.order {
            Rng::new(seed).shuffle(&mut list);
        }
        let mut start = Self::blank(setup);
        if matches!(options.order, Order::Shuffled(_) | Order::Listed) {
            start.stack(&list);
        }
        Ok(start)
    }

    /// Meeples that a player has at hand.
    pub fn supply(&self, seat: usize) -> usize {
        self.seats.supply.get(seat).map_or(0, |&n| usize::from(n))
    }

    /// The letter of the tile that is to be placed.
    pub fn hand(&self) -> Option<char> {
        (self.phase == Phase::Place).then(|| tiles::letter(self.hand as usize))
    }

    /// The tiles that fitted nowhere, in the order in which they were drawn.
    pub fn discarded(&self) -> String {
        let drawn = self.order[..self.drawn as usize].iter();
        drawn
            .filter(|&&t| t & DISCARDED != 0)
            .map(|&t| tiles::letter((t & !DISCARDED) as usize))
            .collect()
    }

    /// What the end of the game adds, or would add now, by kind in the order of [`Kind::ALL`].
    pub fn final_points(&self) -> [[i32; 4]; MAX_PLAYERS] {
        self.seats.final_points(&self.board).map(|kinds| kinds.map(i32::from))
    }

    /// Points if the game ended here: those on the table and what the end adds.
    pub fn settled(&self) -> [i32; MAX_PLAYERS] {
        let mut scores = self.seats.scores();
        if self.phase != Phase::Over {
            for (score, kinds) in scores.iter_mut().zip(self.final_points()) {
                *score += kinds.iter().sum::<i32>();
            }
        }
        scores
    }
}

impl Default for Carcassonne {
    fn default() -> Self {
        match Self::new(&Options::default()) {
            Ok(start) => start,
            Err(e) => unreachable!("the default options fit together: {e}"),
        }
    }
}

impl Game for Carcassonne {
    type Move = Move;

    fn players(&self) -> usize {
        usize::from(self.setup.players)
    }

    fn seat_name(&self, seat: usize) -> String {
        COLOURS.get(seat).map_or_else(|| format!("player {}", seat + 1), |c| c.to_string())
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Deal | Phase::Draw => Turn::Chance,
            Phase::Place | Phase::Over => Turn::Player(self.seat),
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        match self.phase {
            Phase::Over => {}
            Phase::Deal | Phase::Draw => {
                let types = 0..TYPES;
                out.extend(types.filter(|&t| self.bag.copies[t] > 0).map(Move::draw));
            }
            Phase::Place => self.each_placement(|at, rotation, free| {
                out.push(self.move_of(at, rotation, 0));
                let spots = (0..8).filter(|s| free >> s & 1 != 0);
                out.extend(spots.map(|s| self.move_of(at, rotation, s + 1)));
            }),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if m.is_draw() {
            debug_assert!(
                self.turn() == Turn::Chance && self.bag.copies[m.tile()] > 0,
                "{m}: {self}"
            );
            self.give(m.tile());
        } else {
            debug_assert!(self.check(m).is_ok(), "{m}: {self}");
            let (x, y) = m.at();
            self.place(self.board.open_at(x, y), m.rotation(), m.spot());
        }
    }

    /// A win counts 1 and is shared by those who tie. Before the end: as if it were the end.
    fn payoffs(&self) -> Payoffs {
        let scores = self.settled();
        let scores = &scores[..self.players()];
        let most = scores.iter().max();
        let winners = scores.iter().filter(|&s| Some(s) == most).count();
        let mut payoffs = [0.0; MAX_PLAYERS];
        for (payoff, score) in payoffs.iter_mut().zip(scores) {
            *payoff = if Some(score) == most { 1.0 / winners as f32 } else { 0.0 };
        }
        payoffs
    }

    /// The points on the table; at the end with those of the final scoring.
    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some(self.seats.scores())
    }

    fn margin_bounds(&self) -> Option<(i32, i32)> {
        self.bounds()
    }

    fn margins_after(&self, moves: &[Move], out: &mut Vec<(i32, i32)>) -> bool {
        self.margins(moves, out)
    }

    fn key(&self) -> u64 {
        let phase =
            [self.phase as u8, self.seat, if self.phase == Phase::Place { self.hand } else { 0 }];
        let to_come = &self.order[self.drawn as usize..self.dealt as usize];
        let numbers = phase.iter().chain(&self.bag.copies).chain(to_come);
        let rest = (numbers.enumerate())
            .fold(0, |key, (i, &n)| key ^ zobrist::key(4, ((i as u64) << 8) | u64::from(n)));
        self.board.key ^ self.seats.key(&self.board) ^ rest
    }

    #[inline]
    fn code(&self, m: Move) -> usize {
        m.code()
    }

    fn codes(&self) -> usize {
        Move::CODES
    }

    /// Reads the moves that led here, the start tile first: `D@0:0r0 U@1:0r1 Q E@0:-1r2+city0 V`. A letter
    /// alone is a tile drawn: it fitted nowhere, or, at the end, is in hand. If the order is known, the tiles
    /// to come stand behind a bar; without a bar chance draws them.
    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        text::parse(self.setup, text)
    }

    fn weight(&self, outcome: Move) -> u32 {
        u32::from(self.bag.copies[outcome.tile()])
    }

    /// The tile and its spot among the edges around it, seen from the tile: the same
    /// wherever and however it lies.
    fn pattern(&self, m: Move) -> u64 {
        if m.is_draw() {
            return self.code(m) as u64;
        }
        let (x, y) = m.at();
        let around =
            self.board.edges()[self.board.open_at(x, y)].rotate_right(2 * m.rotation() as u32);
        let place = (m.tile() << 12) | (m.spot() << 8) | usize::from(around);
        (Move::CODES + place) as u64
    }

    fn patterns(&self) -> usize {
        Move::CODES + (TYPES << 12)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    fn count_moves(&self) -> usize {
        match self.phase {
            Phase::Over => 0,
            Phase::Deal | Phase::Draw => self.bag.copies.iter().filter(|&&n| n > 0).count(),
            Phase::Place => {
                let mut count = 0;
                self.each_placement(|_, _, free| count += 1 + free.count_ones() as usize);
                count
            }
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        match self.phase {
            Phase::Over => None,
            Phase::Deal | Phase::Draw => {
                Some(Move::draw(self.bag.nth(rng.below(usize::from(self.bag.total)))))
            }
            Phase::Place => {
                let (at, rotation, spot) = self.random_placement(rng);
                Some(self.move_of(at, rotation, spot))
            }
        }
    }

    fn playout(&mut self, limit: u32, rng: &mut Rng, _scratch: &mut Vec<Move>) -> u32 {
        let mut plies = 0;
        while plies < limit {
            match self.phase {
                Phase::Over => break,
                Phase::Deal | Phase::Draw => {
                    self.give(self.bag.nth(rng.below(usize::from(self.bag.total))));
                }
                Phase::Place => {
                    let (at, rotation, spot) = self.random_placement(rng);
                    self.place(at, rotation, spot);
                }
            }
            plies += 1;
        }
        plies
    }

    /// Only a placement after which no tile comes can win at once.
    fn winning_move(&self, scratch: &mut Vec<Move>) -> Option<Move> {
        if self.phase != Phase::Place || self.goes_on() {
            return None;
        }
        scratch.clear();
        self.moves(scratch);
        let seat = self.seat as usize;
        scratch.iter().copied().find(|&m| {
            let mut next = *self;
            next.play(m);
            next.is_over() && next.payoffs()[seat] == 1.0
        })
    }

    fn picture(&self) -> Option<String> {
        Some(self.svg())
    }

    const STATISTICS: &'static [&'static str] = statistics::NAMES;

    fn statistics_of(&self, seat: usize) -> Vec<Option<f64>> {
        self.statistics().of(seat)
    }

    /// A seat that may not know the order of the tiles to come gets the game in which chance draws them.
    fn hide(&self, _seat: usize, rng: &mut Rng) -> Self {
        let mut hidden = *self;
        match self.phase {
            Phase::Place if self.setup.known => {
                (hidden.setup.known, hidden.setup.veiled) = (false, true);
                hidden.dealt = self.drawn;
                for &tile in &self.order[self.drawn as usize..self.dealt as usize] {
                    hidden.bag.put(tile as usize);
                }
            }
            Phase::Deal => {
                let mut bag = self.setup.set;
                for tile in &mut hidden.order[..self.dealt as usize] {
                    let drawn = bag.nth(rng.below(usize::from(bag.total)));
                    bag.take(drawn);
                    *tile = drawn as u8;
                }
                hidden.bag = bag;
            }
            _ => {}
        }
        hidden
    }
}

/// How users name it: `carcassonne:players=3`, `carcassonne:order=known,seed=7`.
impl Registered for Carcassonne {
    const SCHEMA: &'static Schema = &Schema {
        name: "carcassonne",
        aliases: &[],
        help: "place tiles and meeples; cities, roads, fields and cloisters score",
        params: &[&[
            Param::int("players", "2", 2, 5, "seats at the table"),
            Param::choice(
                "order",
                "hidden",
                &[
                    ("hidden", "chance draws a tile before each turn"),
                    ("known", "the order of the tiles is part of the position"),
                ],
                "whether the order of the tiles is known",
            ),
            Param::unset(
                "seed",
                ParamKind::at_least(0),
                "shuffles a known order; without it tiles are dealt anew in each game, or come as listed",
            ),
            Param::unset(
                "tiles",
                ParamKind::Text,
                "letters of the tiles to draw; all 71 unless given",
            ),
            Param::choice(
                "rules",
                "official",
                &[
                    ("official", "the rules of the box"),
                    ("paper", "tiles count for each segment, indirect occupation is not seen"),
                ],
                "the rule set",
            ),
            Param::choice(
                "symmetric",
                "merged",
                &[
                    ("merged", "rotations that look the same are one move"),
                    ("all", "every rotation is listed"),
                ],
                "rotations of symmetric tiles",
            ),
        ]],
        presets: &[],
    };

    const EVALS: &'static [NamedEval<Self>] = EVALS;

    fn start(args: &Args) -> Result<Self, SpecError> {
        let tiles = args.opt_text("tiles");
        let order = match (args.choice("order"), args.opt_int("seed"), tiles) {
            ("hidden", None, _) => Order::Hidden,
            ("hidden", Some(_), _) => {
                return Err(args
                    .error("seed", "there is no order to shuffle")
                    .help("`order=known`, or no seed"));
            }
            (_, Some(seed), _) => Order::Shuffled(seed as u64),
            (_, None, Some(_)) => Order::Listed,
            (_, None, None) => Order::Dealt,
        };
        let options = Options {
            players: args.int("players") as usize,
            order,
            tiles,
            paper: args.choice("rules") == "paper",
            all_rotations: args.choice("symmetric") == "all",
        };
        Carcassonne::new(&options).map_err(|e| args.misfit("tiles", e))
    }
}
