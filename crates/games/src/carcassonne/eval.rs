//! What a position promises: points as if the game ended here, and meeples at hand.

use super::{Carcassonne, Move, Outlook, Phase, Weights};
use spielbaum_core::{Eval, Game, NamedEval, Turn, ZeroEval, math};

/// The evaluations, the default first.
pub static EVALS: &[NamedEval<Carcassonne>] = &[
    NamedEval {
        name: "outlook",
        help: "chance to win by the points to be expected from what stands on the board",
        make: || Box::new(Outlook::new(&Weights::default())),
    },
    NamedEval {
        name: "chances",
        help: "chance to win by the lead in points and meeples, from 0 to 1",
        make: || Box::new(Chances),
    },
    NamedEval {
        name: "points",
        help: "the lead in points, the position settled as it stands, and in meeples",
        make: || Box::new(Lead),
    },
    NamedEval { name: "zero", help: "nothing but the rules", make: || Box::new(ZeroEval) },
];

/// Hundredths of a point that so many meeples at hand are worth while the game is long: the first
/// is what a player needs to go on, the last hardly matters.
const MEEPLES: [i32; 8] = [0, 350, 550, 680, 770, 840, 890, 930];

/// Turns of a player from which on a meeple at hand has its whole worth; it falls to nothing with
/// the last tile.
const LONG: i32 = 10;

impl Carcassonne {
    /// Tiles that will still be drawn, the one in hand included.
    pub(super) fn tiles_left(&self) -> i32 {
        let hand = i32::from(self.phase == Phase::Place);
        i32::from(self.bag.total) + i32::from(self.dealt - self.drawn) + hand
    }

    /// The lead of a seat over the best other one, in hundredths of a point.
    fn lead(&self, seat: usize) -> i32 {
        let n = self.players();
        let settled = self.settled();
        let turns = (self.tiles_left() / n as i32).min(LONG);
        let worth =
            |s: usize| 100 * settled[s] + MEEPLES[usize::from(self.seats.supply[s])] * turns / LONG;
        let rival = (0..n).filter(|&s| s != seat).map(worth).max().unwrap_or(0);
        worth(seat) - rival
    }

    fn actor(&self) -> usize {
        match self.turn() {
            Turn::Player(seat) => usize::from(seat),
            Turn::Chance => 0,
        }
    }

    /// The lead of the player to move after a move.
    fn lead_after(&self, m: Move) -> i32 {
        if m.is_draw() {
            return 0;
        }
        let mut next = *self;
        next.play(m);
        next.lead(usize::from(self.seat))
    }
}

/// The lead in points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead;

impl Eval<Carcassonne> for Lead {
    fn eval(&self, pos: &Carcassonne) -> i32 {
        pos.lead(pos.actor())
    }

    fn order(&self, pos: &Carcassonne, m: Move) -> i32 {
        pos.lead_after(m)
    }

    fn expected(&self, pos: &Carcassonne, seat: usize) -> f32 {
        pos.lead(seat) as f32 / 100.0
    }
}

/// The chance to win. What is still to come spreads the lead like a walk of so many steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chances;

impl Eval<Carcassonne> for Chances {
    fn eval(&self, pos: &Carcassonne) -> i32 {
        pos.lead(pos.actor())
    }

    fn order(&self, pos: &Carcassonne, m: Move) -> i32 {
        pos.lead_after(m)
    }

    fn expected(&self, pos: &Carcassonne, seat: usize) -> f32 {
        if pos.is_over() {
            return pos.payoffs()[seat];
        }
        let spread = 1.0 + 1.3 * f64::from(pos.tiles_left()).sqrt();
        math::logistic(f64::from(pos.lead(seat)) / (100.0 * spread)) as f32
    }

    fn range(&self) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    #[test]
    fn a_lead_is_the_deficit_of_the_other_and_ends_as_the_margin() {
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            let mut game = Carcassonne::default();
            loop {
                let (a, b) = (game.lead(0), game.lead(1));
                assert_eq!(a, -b);
                let chance = Chances.expected(&game, 0);
                assert!((0.0..=1.0).contains(&chance));
                if !game.is_over() {
                    assert_eq!(chance > 0.5, a > 0, "{game}");
                }
                let Some(m) = game.random_move(&mut rng, &mut Vec::new()) else { break };
                game.play(m);
            }
            let scores = game.settled();
            assert_eq!(game.lead(0), 100 * (scores[0] - scores[1]));
        }
    }

    #[test]
    fn points_and_meeples_come_first() {
        // Tile E closes the city north of the start tile.
        let game = Carcassonne::new(&super::super::Options {
            order: super::super::Order::Listed,
            tiles: Some("EUUUUUUU"),
            ..Default::default()
        })
        .unwrap();
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let best = moves.iter().max_by_key(|&&m| Lead.order(&game, m)).unwrap();
        assert_eq!(best.to_string(), "E@0:-1r2+city0");
    }
}
