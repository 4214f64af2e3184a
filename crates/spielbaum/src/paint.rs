//! Colours, where there is a terminal that wants them.

use std::io::IsTerminal;

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    on: bool,
}

/// The colours of the seats: readable on dark and on light ground.
const SEATS: [&str; 5] = ["36;1", "33;1", "35;1", "32;1", "34;1"];

impl Paint {
    /// Paints on a terminal, unless `NO_COLOR` (no-color.org) or a dumb terminal forbids it.
    pub(crate) fn stdout() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Paint { on: is_screen() && !unwanted }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.with("32;1", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31;1", text)
    }

    /// The colour of a seat.
    pub(crate) fn seat(self, seat: usize, text: &str) -> String {
        self.with(SEATS[seat % SEATS.len()], text)
    }

    /// A diagram in which the seats that are called by one letter have their colours.
    pub(crate) fn board(self, diagram: &str, names: &[String]) -> String {
        if !self.on {
            return diagram.to_string();
        }
        let letter = |c: char| {
            let same = |name: &String| name.chars().eq([c]);
            names.iter().position(same)
        };
        let mut out = String::new();
        for c in diagram.chars() {
            match letter(c) {
                Some(seat) => out += &self.seat(seat, c.encode_utf8(&mut [0; 4])),
                None if c == '.' => out += &self.dim("."),
                None => out.push(c),
            }
        }
        out
    }
}

/// Whether standard output is a terminal that can move its cursor.
pub(crate) fn is_screen() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_keeps_its_text() {
        let names = ["X".to_string(), "O".to_string()];
        let board = " 2  . (X) O \n";
        assert_eq!(Paint { on: false }.board(board, &names), board);
        let painted = Paint { on: true }.board(board, &names);
        assert!(painted.contains("(\x1b[36;1mX\x1b[0m) \x1b[33;1mO\x1b[0m "), "{painted:?}");
    }

    #[test]
    fn letters_of_longer_names_are_left_alone() {
        let names = ["player 1".to_string()];
        assert_eq!(Paint { on: true }.board("pot 1", &names), "pot 1");
    }
}
