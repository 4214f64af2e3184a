//! What a network sees: the four planes of the gomoku paper.

use super::{Gomoku, Point};
use spielbaum_core::{Planes, Symmetry};

/// Stones of the first player, stones of the second, the last move, and ones all over if the
/// first player is to move. All entries are 0 or 1, and absolute: nothing is seen from the side
/// to move.
impl Planes for Gomoku {
    fn shape(&self) -> [usize; 3] {
        [4, self.rows(), self.columns()]
    }

    fn variant(&self) -> String {
        format!("k={}", self.k())
    }

    fn planes(&self, out: &mut [f32]) {
        let cells = self.points();
        out[..3 * cells].fill(0.0);
        out[3 * cells..4 * cells].fill(if self.mover() == 0 { 1.0 } else { 0.0 });
        for row in 0..self.rows {
            for column in 0..self.columns {
                let at = Point { column, row };
                if let Some(seat) = self.stone(at) {
                    out[seat * cells + row as usize * self.columns() + column as usize] = 1.0;
                }
            }
        }
        if let Some(at) = self.last {
            out[2 * cells + at.row as usize * self.columns() + at.column as usize] = 1.0;
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_board(self.rows(), self.columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::{Game, text};

    #[test]
    fn the_planes_are_those_of_the_paper() {
        let mut game = Gomoku::new(3, 2, 2).unwrap();
        text::play_moves(&mut game, "a1 c2").unwrap();
        let mut planes = [9.0; 24];
        game.planes(&mut planes);
        // Row 1 first, then row 2.
        let first = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let second = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(planes[..6], first);
        assert_eq!(planes[6..12], second);
        assert_eq!(planes[12..18], second);
        assert_eq!(planes[18..], [1.0; 6]);
        text::play_moves(&mut game, "b2").unwrap();
        game.planes(&mut planes);
        assert_eq!(planes[18..], [0.0; 6]);
        assert_eq!(planes[12..18], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }

    /// The best line that the paper found on the small board, and the one of Liang et al. 2023.
    /// Both are won by the first player with the last move, on lines the paper names.
    #[test]
    fn the_published_lines_are_won() {
        let lines = [
            ("c3 d4 d2 b4 c4 c5 c2 c1 e2 f2", "b2", "b2 c2 d2 e2"),
            ("c3 d4 d2 b4 c4 c2 c5 c6 d3 b3 b5 b2", "e2", "b5 c4 d3 e2"),
        ];
        for (line, last, row) in lines {
            let mut game = Gomoku::new(6, 6, 4).unwrap();
            text::play_moves(&mut game, line).unwrap();
            assert!(!game.is_over(), "{line}");
            assert!(game.winning_move(&mut Vec::new()).is_some());
            text::play_moves(&mut game, last).unwrap();
            assert_eq!(game.winner(), Some(0), "{line} {last}");
            let stones = row.split(' ').map(|point| {
                let [column, number] = point.as_bytes()[..] else { panic!("{point}") };
                game.stone(Point { column: column - b'a', row: number - b'1' })
            });
            assert!(stones.into_iter().all(|s| s == Some(0)), "{row}");
        }
    }
}
