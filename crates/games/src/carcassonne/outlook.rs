//! What a position promises: the points that may be expected at the end for what stands on the board, by
//! the tiles that are still to come.

mod prospects;

use super::tiles::{CITY, FIELD, Kind, NONE, TYPES};
use super::{Carcassonne, Move, Phase};
use prospects::{FITTING, Pairs, Prospects};
use spielbaum_core::param::{Args, Param, Schema};
use spielbaum_core::{Eval, Game, MAX_PLAYERS, Parameters, Turn, math};

/// What the outlook rests on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// How likely a tile that would close a side comes in time and is used for it.
    pub closing: f64,
    /// The same of a tile that fits and leads on, as a share of `closing`.
    pub extending: f64,
    /// Factor of the chance to complete something for each open square.
    pub square: f64,
    /// Tiles left at which half of the squares around a cloister will be filled.
    pub around: f64,
    /// Share of the three points for a city that is not complete, by its chance to be.
    pub field: f64,
    /// Points of the first meeple at hand while the game is long.
    pub meeple: f64,
    /// What the next one is worth, as a share of the one before.
    pub next: f64,
    /// Turns of a player from which on the game is long.
    pub long: f64,
    /// How a lead becomes a chance to win: what is still to come spreads it by so much times the
    /// square root of the tiles left.
    pub spread: f64,
}

static SCHEMA: Schema = Schema {
    name: "outlook",
    aliases: &[],
    help: "chance to win by the points to be expected from what stands on the board",
    params: &[&[
        Param::real(
            "closing",
            "0.175",
            0.0,
            10.0,
            "how likely a tile that closes a side is used for it",
        ),
        Param::real(
            "extending",
            "0.22",
            0.0,
            1.0,
            "the same of one that fits and leads on, as a share",
        ),
        Param::real(
            "square",
            "0.6",
            0.0,
            1.0,
            "factor of the chance of completion for each open square",
        ),
        Param::real(
            "around",
            "29",
            0.01,
            1000.0,
            "tiles left at which half the squares around a cloister fill",
        ),
        Param::real(
            "field",
            "0.8",
            0.0,
            2.0,
            "share of a field's points for a city that may be completed",
        ),
        Param::real("meeple", "3.3", 0.0, 100.0, "points of the first meeple at hand"),
        Param::real("next", "1", 0.0, 1.0, "worth of the next one, as a share of the one before"),
        Param::real("long", "10", 0.01, 100.0, "turns from which on a meeple has its whole worth"),
        Param::real(
            "spread",
            "1.3",
            0.01,
            100.0,
            "spread of the lead for the root of the tiles left",
        ),
    ]],
    presets: &[],
};

impl From<&Args> for Weights {
    fn from(args: &Args) -> Self {
        let real = |name| args.real(name);
        Weights {
            closing: real("closing"),
            extending: real("extending"),
            square: real("square"),
            around: real("around"),
            field: real("field"),
            meeple: real("meeple"),
            next: real("next"),
            long: real("long"),
            spread: real("spread"),
        }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            closing: 0.175,
            extending: 0.22,
            square: 0.6,
            around: 29.0,
            field: 0.8,
            meeple: 3.3,
            next: 1.0,
            long: 10.0,
            spread: 1.3,
        }
    }
}

/// Tiles in the stack, at most, and one.
const COUNTS: usize = 72;

/// The evaluation.
pub struct Outlook {
    weights: Weights,
    /// By players and tiles: the chance that none of so many closing tiles, or leading on, is used.
    none_closes: [[f32; COUNTS]; MAX_PLAYERS + 1],
    none_extends: [[f32; COUNTS]; MAX_PLAYERS + 1],
    /// Points of so many meeples at hand while the game is long.
    meeples: [f32; 9],
}

impl Outlook {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Self {
        let table = |rate: f64| {
            let mut table = [[1.0; COUNTS]; MAX_PLAYERS + 1];
            for (players, row) in table.iter_mut().enumerate().skip(1) {
                for (n, none) in row.iter_mut().enumerate() {
                    *none = math::exp(-rate * n as f64 / players as f64) as f32;
                }
            }
            table
        };
        let mut meeples = [0.0; 9];
        let mut worth = weights.meeple;
        for n in 1..meeples.len() {
            meeples[n] = meeples[n - 1] + worth as f32;
            worth *= weights.next;
        }
        Outlook {
            weights: *weights,
            none_closes: table(weights.closing),
            none_extends: table(weights.closing * weights.extending),
            meeples,
        }
    }

    /// Points that each seat may expect at the end, meeples at hand included.
    fn points(&self, pos: &Carcassonne) -> [f32; MAX_PLAYERS] {
        let mut points = pos.seats.scores().map(|p| p as f32);
        if pos.phase == Phase::Over {
            return points;
        }
        let mut copies = pos.bag.copies;
        for &tile in &pos.order[pos.drawn as usize..pos.dealt as usize] {
            copies[tile as usize] += 1;
        }
        let mut prospects = Prospects::new();
        let mut farmed = false;
        for (_, meeple) in pos.seats.on_board() {
            let tile = pos.board.tile(meeple.tile);
            let kind = tile.look().kinds[usize::from(meeple.segment - tile.first)];
            prospects.add(pos.board.features.root(meeple.segment), kind, true);
            farmed |= kind == Kind::Field;
        }
        let mut pairs = Pairs { all: [(0, 0); 256], len: 0 };
        if farmed {
            pairs.find(pos, &mut prospects);
        }
        self.squares(pos, &copies, &mut prospects);
        let left = pos.tiles_left() as f32;
        let filled = left / (left + self.weights.around as f32);
        let mut returning = [0.0; MAX_PLAYERS];
        for prospect in prospects.known().iter().filter(|p| p.claimed) {
            let feature = pos.board.features.at(prospect.root);
            let worth = f32::from(feature.tiles) + f32::from(feature.shields);
            let (worth, back) = match prospect.kind {
                Kind::City => (worth * (1.0 + prospect.chance), prospect.chance),
                Kind::Road => (worth, prospect.chance),
                Kind::Cloister => {
                    let open = f32::from(feature.open);
                    (worth + open * filled, (0..feature.open).fold(1.0, |all, _| all * filled))
                }
                Kind::Field => (
                    3.0 * pairs.cities(pos, prospect.root, &prospects, self.weights.field as f32),
                    0.0,
                ),
            };
            let owners = feature.owners();
            for seat in 0..pos.players() {
                if owners >> seat & 1 != 0 {
                    points[seat] += worth;
                }
                returning[seat] += back * f32::from(feature.count(seat));
            }
        }
        let long = (left / pos.players() as f32 / self.weights.long as f32).min(1.0);
        for seat in 0..pos.players() {
            points[seat] +=
                long * self.at_hand(f32::from(pos.seats.supply[seat]) + returning[seat]);
        }
        points
    }

    /// The worth of meeples at hand, and of those that may come back.
    fn at_hand(&self, meeples: f32) -> f32 {
        let whole = (meeples as usize).min(self.meeples.len() - 2);
        let (low, high) = (self.meeples[whole], self.meeples[whole + 1]);
        low + (meeples - whole as f32).min(1.0) * (high - low)
    }

    /// The chances of completion, by what fits the open squares.
    fn squares(&self, pos: &Carcassonne, copies: &[u8; TYPES], prospects: &mut Prospects) {
        let players = pos.players();
        let count = |mut mask: u32| {
            let mut sum = 0;
            while mask != 0 {
                sum += usize::from(copies[mask.trailing_zeros() as usize]);
                mask &= mask - 1;
            }
            sum
        };
        for (at, (open, &known)) in pos.board.open().iter().zip(pos.board.edges()).enumerate() {
            for side in 0..4 {
                let edge = known >> (2 * side) & 3;
                if edge == 0 || edge == FIELD {
                    continue;
                }
                let tile = pos.board.tile(open.beside[side]);
                let root = pos.board.features.root(tile.first + tile.look().side[side ^ 2]);
                let place = prospects.index[root as usize];
                if place == NONE {
                    continue;
                }
                let prospect = &mut prospects.all[place as usize];
                debug_assert!((edge == CITY) == (prospect.kind == Kind::City));
                // A feature that meets a square twice needs it once.
                if prospect.square == at as u8 {
                    continue;
                }
                prospect.square = at as u8;
                let fitting = &FITTING[known as usize];
                let closes = count(fitting.closes[side]);
                let extends = count(fitting.fits & !fitting.closes[side]);
                let none = self.none_closes[players][closes] * self.none_extends[players][extends];
                prospect.chance *= self.weights.square as f32 * (1.0 - none);
            }
        }
    }

    /// The lead of a seat over the best other one, in points.
    fn lead(&self, pos: &Carcassonne, seat: usize) -> f32 {
        let points = self.points(pos);
        let others = (0..pos.players()).filter(|&s| s != seat).map(|s| points[s]);
        points[seat] - others.fold(f32::MIN, f32::max)
    }

    fn lead_after(&self, pos: &Carcassonne, m: Move) -> i32 {
        if m.is_draw() {
            return 0;
        }
        let mut next = *pos;
        next.play(m);
        hundredths(self.lead(&next, usize::from(pos.seat)))
    }
}

fn hundredths(points: f32) -> i32 {
    (100.0 * points) as i32
}

impl Eval<Carcassonne> for Outlook {
    fn eval(&self, pos: &Carcassonne) -> i32 {
        let seat = match pos.turn() {
            Turn::Player(seat) => usize::from(seat),
            Turn::Chance => 0,
        };
        hundredths(self.lead(pos, seat))
    }

    fn order(&self, pos: &Carcassonne, m: Move) -> i32 {
        self.lead_after(pos, m)
    }

    fn expected(&self, pos: &Carcassonne, seat: usize) -> f32 {
        if pos.is_over() {
            return pos.payoffs()[seat];
        }
        let spread = 1.0 + self.weights.spread * f64::from(pos.tiles_left()).sqrt();
        math::logistic(f64::from(self.lead(pos, seat)) / spread) as f32
    }

    fn range(&self) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }

    fn parameters(&self) -> Option<Parameters<Carcassonne>> {
        Some(Parameters {
            schema: &SCHEMA,
            make: |args| Ok(Box::new(Outlook::new(&Weights::from(args)))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Order};
    use super::*;
    use spielbaum_core::param::resolve;
    use spielbaum_core::{Rng, text};

    fn game(tiles: &str, moves: &str) -> Carcassonne {
        let options = Options { order: Order::Listed, tiles: Some(tiles), ..Options::default() };
        let mut game = Carcassonne::new(&options).unwrap();
        text::play_moves(&mut game, moves).unwrap();
        game
    }

    #[test]
    fn the_table_has_the_weights_and_each_arrives() {
        let read = |text: &str| Weights::from(&resolve(text, "evaluation", &[&SCHEMA]).unwrap());
        assert_eq!(read("outlook"), Weights::default());
        let text = "outlook:closing=1,extending=0.5,square=0.25,around=4,field=2,meeple=6,next=0.75,long=8,spread=9";
        let w = read(text);
        assert_eq!(
            (w.closing, w.extending, w.square, w.around, w.field),
            (1.0, 0.5, 0.25, 4.0, 2.0)
        );
        assert_eq!((w.meeple, w.next, w.long, w.spread), (6.0, 0.75, 8.0, 9.0));
    }

    /// A lead is the other's deficit, and at the end the margin.
    #[test]
    fn leads_are_opposite_and_end_as_the_margin() {
        let eval = Outlook::new(&Weights::default());
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            let mut game = Carcassonne::default();
            while let Some(m) = game.random_move(&mut rng, &mut Vec::new()) {
                let (a, b) = (eval.lead(&game, 0), eval.lead(&game, 1));
                assert_eq!(a, -b);
                assert!((0.0..=1.0).contains(&eval.expected(&game, 0)));
                game.play(m);
            }
            let scores = game.settled();
            assert_eq!(eval.lead(&game, 0), (scores[0] - scores[1]) as f32);
        }
    }

    /// Whether the order is known or hidden is the same to it.
    #[test]
    fn it_does_not_look_at_the_order() {
        let eval = Outlook::new(&Weights::default());
        let mut rng = Rng::new(5);
        let options = Options { order: Order::Shuffled(5), ..Options::default() };
        let mut game = Carcassonne::new(&options).unwrap();
        while let Some(m) = game.random_move(&mut rng, &mut Vec::new()) {
            assert_eq!(eval.eval(&game), eval.eval(&game.hide(0, &mut rng)));
            game.play(m);
        }
    }

    /// A city that a tile to come can close is worth more than one that none can.
    #[test]
    fn what_fits_counts() {
        let eval = Outlook::new(&Weights::default());
        // A meeple in the city of a straight city tile north of the start tile; caps are to come, or not.
        let closes = game("FEEEEE", "F@0:-1r1+city0");
        let stuck = game("FUUUUU", "F@0:-1r1+city0");
        assert!(eval.points(&closes)[0] > eval.points(&stuck)[0] + 0.3);
    }
}
