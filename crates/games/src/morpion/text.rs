//! Notation and diagram.

use super::lines::{LENGTH, Point, STEPS, decode};
use super::{Morpion, Move, cross};
use std::fmt;

/// Columns are `a` to `z`, then `A` to `F`.
fn column(x: i32) -> char {
    let letter = if x < 26 { b'a' + x as u8 } else { b'A' + (x - 26) as u8 };
    letter.into()
}

/// Letters of the directions, and their strokes in a diagram.
const LETTERS: [char; 4] = ['h', 'v', 'r', 'f'];
const STROKES: [char; 4] = ['-', '|', '/', '\\'];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, nth) = decode(self.0);
        let (x, y) = line.point(nth);
        write!(f, "{}{}{}{nth}", column(x), y + 1, LETTERS[line.direction])
    }
}

impl fmt::Display for Morpion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.diagram(f);
        }
        write!(f, "{}", self.variant().name())?;
        self.played.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl Morpion {
    /// Points of the cross are `o`, others `*` and the last one `@`; strokes between them are lines.
    fn diagram(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let added = || self.played.iter().map(|m| decode(m.0)).map(|(line, nth)| line.point(nth));
        let (mut left, mut right, mut low, mut high) = (i32::MAX, 0, i32::MAX, 0);
        for (x, y) in cross().chain(added()) {
            (left, right) = (left.min(x), right.max(x));
            (low, high) = (low.min(y), high.max(y));
        }
        let width = (2 * (right - left) + 1) as usize;
        let height = (2 * (high - low) + 1) as usize;
        let mut canvas = vec![vec![' '; width]; height];
        // Twice the distance from the upper left corner: strokes lie between points.
        let at = |(x, y): Point| ((2 * (high - y)) as usize, (2 * (x - left)) as usize);
        for m in &self.played {
            let (line, _) = decode(m.0);
            let (dx, dy) = STEPS[line.direction];
            for nth in 0..LENGTH - 1 {
                let (row, col) = at(line.point(nth));
                let (row, col) = (row.wrapping_add_signed(-dy as isize), col + dx as usize);
                let stroke = &mut canvas[row][col];
                let crossed = *stroke != ' ' && *stroke != STROKES[line.direction];
                *stroke = if crossed { 'X' } else { STROKES[line.direction] };
            }
        }
        let mut put = |point, sign| {
            let (row, col) = at(point);
            canvas[row][col] = sign;
        };
        cross().for_each(|point| put(point, 'o'));
        added().for_each(|point| put(point, '*'));
        if let Some(last) = added().next_back() {
            put(last, '@');
        }
        for (row, cells) in canvas.iter().enumerate() {
            let line: String = cells.iter().collect();
            if row % 2 == 0 {
                writeln!(f, "{:>2} {}", high + 1 - row as i32 / 2, line.trim_end())?;
            } else {
                writeln!(f, "{}", format!("   {line}").trim_end())?;
            }
        }
        let columns: Vec<String> = (left..=right).map(|x| column(x).to_string()).collect();
        writeln!(f, "   {}", columns.join(" "))?;
        write!(f, "{}, {} lines", self.variant().name(), self.played.len())
    }
}
