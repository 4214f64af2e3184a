//! How a turn goes: a tile comes, is placed, is claimed, scores.

use super::board::Board;
use super::moves::Move;
use super::score::Seats;
use super::setup::{Bag, DRAWN, Setup};
use super::tiles::{FITS, ORIENTED};
use super::{Carcassonne, DISCARDED, Phase};
use spielbaum_core::Rng;

impl Carcassonne {
    /// The start tile, and chance to draw or to deal everything.
    pub(super) fn blank(setup: Setup) -> Self {
        Carcassonne {
            setup,
            phase: if setup.known { Phase::Deal } else { Phase::Draw },
            seat: 0,
            hand: 0,
            bag: setup.set,
            order: [0; DRAWN],
            dealt: 0,
            drawn: 0,
            seats: Seats::new(),
            board: Board::new(!setup.paper),
        }
    }

    /// Deals a whole stack in this order.
    pub(super) fn stack(&mut self, list: &[u8]) {
        self.order[..list.len()].copy_from_slice(list);
        self.dealt = list.len() as u8;
        self.bag = Bag::EMPTY;
        self.next_turn();
    }

    pub(super) fn fits(&self, tile: u8) -> bool {
        let row = &FITS[self.setup.table()][tile as usize];
        self.board.edges().iter().any(|&known| row[known as usize] != 0)
    }

    /// Whether anyone may stand on a segment of the tile in hand if it is placed so.
    #[inline]
    pub(super) fn is_free(&self, at: usize, oriented: usize, spot: usize) -> bool {
        self.board.is_free(at, &ORIENTED[oriented], spot, !self.setup.paper)
    }

    /// Takes the next tile, or leaves that to chance; the game ends where there is none.
    pub(super) fn next_turn(&mut self) {
        if !self.setup.known {
            self.phase = Phase::Draw;
            if self.bag.total == 0 {
                self.finish();
            }
            return;
        }
        while self.drawn < self.dealt {
            let tile = self.order[self.drawn as usize];
            self.drawn += 1;
            if self.fits(tile) {
                self.hand = tile;
                self.phase = Phase::Place;
                return;
            }
            self.order[self.drawn as usize - 1] |= DISCARDED;
        }
        self.finish();
    }

    pub(super) fn finish(&mut self) {
        self.phase = Phase::Over;
        let points = self.seats.final_points(&self.board);
        for (kinds, more) in self.seats.points.iter_mut().zip(points) {
            for (points, more) in kinds.iter_mut().zip(more) {
                *points += more;
            }
        }
    }

    /// Chance gives a tile: to the player on turn, or onto the stack.
    #[inline]
    pub(super) fn give(&mut self, tile: usize) {
        self.bag.take(tile);
        self.order[self.dealt as usize] = tile as u8;
        self.dealt += 1;
        if self.phase == Phase::Deal {
            if self.bag.total == 0 {
                self.next_turn();
            }
            return;
        }
        self.drawn = self.dealt;
        if self.fits(tile as u8) {
            self.hand = tile as u8;
            self.phase = Phase::Place;
        } else {
            self.order[self.drawn as usize - 1] |= DISCARDED;
            self.next_turn();
        }
    }

    /// Puts the tile in hand on an open square, with a meeple on segment `spot - 1` unless that is 0.
    #[inline]
    pub(super) fn place(&mut self, at: usize, rotation: usize, spot: usize) {
        let seat = self.seat as usize;
        let tile = self.board.tiles().len() as u8;
        let cloisters = self.board.place(at, 4 * self.hand as usize + rotation);
        if spot > 0 {
            self.board.claim_last(spot - 1);
            self.seats.claim(&mut self.board, seat, tile, spot - 1);
        }
        self.seats.complete(&mut self.board, tile, &cloisters);
        self.seat = if self.seat + 1 == self.setup.players { 0 } else { self.seat + 1 };
        self.next_turn();
    }

    /// Calls `f` with each way to place the tile in hand: open square, rotation, free segments.
    pub(super) fn each_placement(&self, mut f: impl FnMut(usize, usize, u8)) {
        if self.phase != Phase::Place {
            return;
        }
        let tile = self.hand as usize;
        let row = &FITS[self.setup.table()][tile];
        let spots = usize::from(ORIENTED[4 * tile].spots);
        let spots = if self.seats.supply[self.seat as usize] > 0 { spots } else { 0 };
        for (at, &known) in self.board.edges().iter().enumerate() {
            let fit = row[known as usize];
            for rotation in (0..4).filter(|r| fit >> r & 1 != 0) {
                let free = (0..spots).filter(|&s| self.is_free(at, 4 * tile + rotation, s));
                f(at, rotation, free.map(|s| 1 << s).sum());
            }
        }
    }

    /// A uniformly random way to place the tile in hand. Every placement has as many spots as
    /// the tile has segments, and none: a pick among all of them that is kept if it is legal, and
    /// made again if not, is uniform among the legal ones, and spares looking at all the others.
    #[inline]
    pub(super) fn random_placement(&self, rng: &mut Rng) -> (usize, usize, usize) {
        let tile = self.hand as usize;
        let row = &FITS[self.setup.table()][tile];
        let edges = self.board.edges();
        let ways: usize = edges.iter().map(|&known| usize::from(row[known as usize] >> 4)).sum();
        let has_meeple = self.seats.supply[self.seat as usize] > 0;
        let spots = if has_meeple { 1 + usize::from(ORIENTED[4 * tile].spots) } else { 1 };
        loop {
            let pick = rng.below(ways * spots);
            let (mut nth, spot) = (pick / spots, pick % spots);
            let mut at = 0;
            loop {
                let here = usize::from(row[edges[at] as usize] >> 4);
                if nth < here {
                    break;
                }
                nth -= here;
                at += 1;
            }
            let mut mask = row[edges[at] as usize] & 15;
            for _ in 0..nth {
                mask &= mask - 1;
            }
            let rotation = mask.trailing_zeros() as usize;
            if spot == 0 || self.is_free(at, 4 * tile + rotation, spot - 1) {
                return (at, rotation, spot);
            }
        }
    }

    pub(super) fn move_of(&self, at: usize, rotation: usize, spot: usize) -> Move {
        let open = &self.board.open()[at];
        Move::place(self.hand as usize, open.x, open.y, rotation, spot)
    }

    /// Whether the game goes on after every placement of the tile in hand, as far as that can be
    /// seen at once: a placement takes one open square and touches at most four others, so a tile that
    /// fits six of them fits somewhere afterwards.
    pub(super) fn goes_on(&self) -> bool {
        let rest = &self.order[self.drawn as usize..self.dealt as usize];
        self.bag.total > 0
            || rest.iter().any(|&tile| {
                let row = &FITS[self.setup.table()][tile as usize];
                self.board.edges().iter().filter(|&&e| row[e as usize] != 0).count() >= 6
            })
    }
}
