//! A picture of a position: the board, the players, the tile in hand.

use super::picture::{meeple, stand, tile, turned};
use super::score::MEEPLES;
use super::tiles::{FITS, Kind, letter};
use super::{Carcassonne, Phase};
use spielbaum_core::{Game, MAX_PLAYERS};
use std::fmt::Write as _;

/// Colours of the seats, as they are called.
const PAINT: [&str; MAX_PLAYERS] = ["#d5372c", "#2a6bd1", "#1f7d35", "#f4c913", "#30302e"];
/// Width of the panel beside the board.
const PANEL: i32 = 330;

impl Carcassonne {
    /// The position as a drawing in SVG, complete in itself.
    ///
    /// ```
    /// use spielbaum_games::carcassonne::Carcassonne;
    /// let svg = Carcassonne::default().svg();
    /// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    /// ```
    pub fn svg(&self) -> String {
        let squares = self.board.open().iter().map(|o| (i32::from(o.x), i32::from(o.y)));
        let (mut left, mut right, mut top, mut bottom) = (0, 0, 0, 0);
        for (x, y) in squares {
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        let (width, rows) = (100 * (right - left + 1), bottom - top + 1);
        let least = 130 + 96 * i32::from(self.setup.players) + 230;
        let height = (100 * rows + 60).max(least);
        let total = width + 60 + PANEL;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}" font-family="Georgia, 'DejaVu Serif', serif">
<rect width="100%" height="100%" fill="#ece4d0"/>
"##
        );
        self.draw_types(&mut svg);
        let down = 30 + (height - 60 - 100 * rows) / 2;
        let _ = writeln!(
            svg,
            r##"<g transform="translate({} {})">"##,
            30 - 100 * left,
            down - 100 * top
        );
        for x in left..=right {
            label(&mut svg, (100 * x + 50, 100 * top - 8), 16, "middle", "#8a7d63", &x.to_string());
        }
        for y in top..=bottom {
            label(&mut svg, (100 * left - 6, 100 * y + 56), 16, "end", "#8a7d63", &y.to_string());
        }
        self.draw_board(&mut svg);
        svg += "</g>\n";
        let _ = writeln!(svg, r##"<g transform="translate({} 0)">"##, width + 60);
        self.draw_panel(&mut svg);
        svg + "</g>\n</svg>\n"
    }

    /// The types in use, once each.
    fn draw_types(&self, svg: &mut String) {
        let mut used: Vec<usize> = self.board.tiles().iter().map(|t| t.kind()).collect();
        used.extend((self.phase == Phase::Place).then_some(self.hand as usize));
        used.sort_unstable();
        used.dedup();
        *svg += "<defs>\n<clipPath id=\"square\"><rect width=\"100\" height=\"100\"/></clipPath>\n";
        for kind in used {
            let _ = writeln!(
                svg,
                r##"<g id="tile{}" clip-path="url(#square)">{}</g>"##,
                letter(kind),
                tile(kind)
            );
        }
        *svg += "</defs>\n";
    }

    fn draw_board(&self, svg: &mut String) {
        if self.phase == Phase::Place {
            let row = &FITS[self.setup.table()][self.hand as usize];
            for (open, &edges) in self.board.open().iter().zip(self.board.edges()) {
                if row[edges as usize] != 0 {
                    let (x, y) = (100 * i32::from(open.x) + 7, 100 * i32::from(open.y) + 7);
                    let _ = writeln!(
                        svg,
                        r##"<rect x="{x}" y="{y}" width="86" height="86" rx="8" fill="#fff" fill-opacity="0.4" stroke="#9a8c6c" stroke-width="2.5" stroke-dasharray="7 6"/>"##
                    );
                }
            }
        }
        for tile in self.board.tiles() {
            let (x, y) = (100 * i32::from(tile.x), 100 * i32::from(tile.y));
            let _ = writeln!(
                svg,
                r##"<use href="#tile{}" transform="translate({x} {y}) rotate({} 50 50)"/>"##,
                letter(tile.kind()),
                90 * u32::from(tile.oriented % 4)
            );
        }
        if let [_, .., last] = self.board.tiles() {
            let (x, y) = (100 * i32::from(last.x) + 2, 100 * i32::from(last.y) + 2);
            let _ = writeln!(
                svg,
                r##"<rect x="{x}" y="{y}" width="96" height="96" fill="none" stroke="#fff7b0" stroke-width="4"/>"##
            );
        }
        for (seat, m) in self.seats.on_board() {
            let tile = self.board.tile(m.tile);
            let spot = usize::from(m.segment - tile.first);
            let (x, y) = turned(stand(tile.kind(), spot), usize::from(tile.oriented % 4));
            let at = (100.0 * f64::from(tile.x) + x, 100.0 * f64::from(tile.y) + y);
            meeple(svg, at, 1.0, PAINT[seat], tile.look().kinds[spot] == Kind::Field);
            svg.push('\n');
        }
    }

    fn draw_panel(&self, svg: &mut String) {
        let ink = "#3b3222";
        label(svg, (0, 58), 30, "start", ink, "Carcassonne");
        let to_come = self.bag.total + self.dealt - self.drawn;
        let many = if to_come == 1 { "tile" } else { "tiles" };
        let state = match self.phase {
            Phase::Over => "The game is over".to_string(),
            _ => format!("{to_come} {many} to come"),
        };
        label(svg, (0, 88), 19, "start", "#75684d", &state);
        let scores = self.seats.scores();
        let on_turn = (self.phase == Phase::Place).then_some(usize::from(self.seat));
        for (seat, score) in scores.iter().enumerate().take(self.players()) {
            let y = 112 + 96 * seat as i32;
            let (stroke, fill) =
                if on_turn == Some(seat) { (ink, "#fffaf0") } else { ("#cbbf9f", "#f4eedd") };
            let _ = writeln!(
                svg,
                r##"<rect x="0" y="{y}" width="{}" height="84" rx="10" fill="{fill}" stroke="{stroke}" stroke-width="2"/>"##,
                PANEL - 30
            );
            meeple(svg, (34.0, f64::from(y) + 42.0), 1.7, PAINT[seat], false);
            label(svg, (72, y + 34), 22, "start", ink, &self.seat_name(seat));
            label(svg, (PANEL - 48, y + 53), 36, "end", ink, &score.to_string());
            for i in 0..MEEPLES {
                let at = (80.0 + 19.0 * i as f64, f64::from(y) + 60.0);
                let paint = if i < self.supply(seat) { PAINT[seat] } else { "#e6dcc3" };
                meeple(svg, at, 0.62, paint, false);
            }
        }
        let y = 112 + 96 * self.players() as i32 + 24;
        if self.phase == Phase::Place {
            let text =
                format!("{} places {}", self.seat_name(self.seat.into()), letter(self.hand.into()));
            label(svg, (0, y + 14), 22, "start", ink, &text);
            let _ = writeln!(
                svg,
                r##"<use href="#tile{}" transform="translate(0 {}) scale(1.4)"/>"##,
                letter(self.hand.into()),
                y + 32
            );
        }
        let gone = self.discarded();
        if !gone.is_empty() {
            label(svg, (160, y + 60), 18, "start", "#75684d", &format!("{gone} fitted nowhere"));
        }
    }
}

fn label(svg: &mut String, (x, y): (i32, i32), size: u32, anchor: &str, fill: &str, text: &str) {
    let _ = writeln!(
        svg,
        r##"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{text}</text>"##
    );
}
