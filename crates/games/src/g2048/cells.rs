//! The board as learners see it: it is a word already.

use super::board::{flip, mirror, transpose};
use super::lower::{likened, lowered};
use super::tables::tables;
use super::{Direction, G2048, Move};
use spielbaum_core::{Cells, IMAGES};

impl Cells for G2048 {
    fn board_size(&self) -> (usize, usize) {
        (self.rows.into(), self.columns.into())
    }

    #[inline]
    fn word(&self) -> u64 {
        self.board
    }

    /// A board that is not square cannot be transposed: its four images are there twice.
    #[inline]
    fn images(&self, word: u64) -> [u64; IMAGES] {
        let (rows, columns) = (self.rows.into(), self.columns.into());
        let other = if rows == columns { transpose(word) } else { word };
        let (left, up) = (mirror(word, columns), mirror(other, columns));
        [
            word,
            other,
            left,
            up,
            flip(word, rows),
            flip(other, rows),
            flip(left, rows),
            flip(up, rows),
        ]
    }

    #[inline]
    fn afterstates(&self, mut visit: impl FnMut(Move, u64, f32)) {
        if self.chance {
            return;
        }
        let (tables, rows, columns) = (tables(), self.rows.into(), self.columns.into());
        let (board, flipped) = (self.board, transpose(self.board));
        // The same points either way.
        let (down, across) = (tables.points(flipped) as f32, tables.points(board) as f32);
        let [n, s, w, e] = tables.slides(board, flipped, rows, columns);
        let slides = [
            (Direction::Up, n, down),
            (Direction::Down, s, down),
            (Direction::Left, w, across),
            (Direction::Right, e, across),
        ];
        for (direction, after, points) in slides {
            if after != board {
                visit(Move::slide(direction), after, points);
            }
        }
    }

    /// Without a branch on the direction, which nobody foresees.
    #[inline]
    fn play_to(&mut self, _m: Move, after: u64, _reward: f32) {
        self.board = after;
        self.chance = true;
    }

    fn with_word(&self, word: u64) -> Self {
        G2048 { board: word, ..*self }.with_score(self.score())
    }

    fn lowered(&self, least: u32) -> Option<Self> {
        let word = lowered(self.board, least);
        (word != self.board).then(|| self.with_word(word))
    }

    #[inline]
    fn likened(contents: u64) -> Option<u64> {
        likened(contents)
    }

    fn content_name(content: u32) -> String {
        if content == 0 { "empty".to_string() } else { (1u64 << content).to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::check;

    #[test]
    fn boards_of_all_sizes_are_words() {
        for (rows, columns) in [(4, 4), (3, 3), (2, 2), (2, 4), (4, 3), (3, 2)] {
            let start = G2048::new(rows, columns).unwrap();
            check::cells(&start, &check::Options::default()).unwrap();
        }
    }

    #[test]
    fn a_board_with_all_cells_different_has_eight_images() {
        let images = |rows, columns, word| {
            let mut images = G2048::new(rows, columns).unwrap().images(word).to_vec();
            images.sort_unstable();
            images.dedup();
            images
        };
        let eight = images(4, 4, 0xfedc_ba98_7654_3210);
        assert_eq!(eight.len(), 8);
        assert!(eight.contains(&0xcdef_89ab_4567_0123) && eight.contains(&0xfb73_ea62_d951_c840));
        assert_eq!(images(3, 3, 0x0987_0654_0321).len(), 8);
        assert_eq!(images(2, 3, 0x0654_0321), [0x0123_0456, 0x0321_0654, 0x0456_0123, 0x0654_0321]);
    }
}
