//! A few lines at the bottom of a terminal that are drawn again and again.
//!
//! Lines are cut to the terminal's width and never filled up to it: a terminal that is made
//! narrower wraps what is there, and how many rows that takes is known from the lengths.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use terminal_size::{Height, Width, terminal_size_of};

/// Columns of a bar at most.
const BAR: usize = 20;

/// A bar beside longer words is shorter by so many columns at a time: it should not jump with every
/// digit.
const STEP: usize = 5;

/// The lines on standard error.
#[derive(Default)]
pub(crate) struct Screen {
    lines: Lines,
}

/// What is drawn, and what to write to have something else instead.
#[derive(Default)]
struct Lines {
    /// The lengths of the lines.
    drawn: Vec<usize>,
}

impl Screen {
    /// Whether standard error is a terminal on which lines can be drawn again.
    pub(crate) fn is_there() -> bool {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        std::io::stderr().is_terminal() && !dumb
    }

    /// Draws lines in the place of those before.
    pub(crate) fn draw(&mut self, lines: &[String]) {
        let size = size();
        // A closed terminal must not end the run.
        let _ = std::io::stderr().write_all(self.lines.redraw(lines, size).as_bytes());
    }

    /// Removes the lines.
    pub(crate) fn clear(&mut self) {
        if !self.lines.drawn.is_empty() {
            self.draw(&[]);
        }
    }
}

impl Lines {
    fn redraw(&mut self, lines: &[String], (columns, rows): (usize, usize)) -> String {
        let columns = columns.max(2);
        // The cursor stands behind the last line, which may have been wrapped since.
        let taken: usize = self.drawn.iter().map(|length| length.div_ceil(columns).max(1)).sum();
        let mut text = String::new();
        if taken > 1 {
            let _ = write!(text, "\x1b[{}A", (taken - 1).min(rows.saturating_sub(1)));
        }
        if taken > 0 {
            text += "\r\x1b[J";
        }
        // One column is left free: a full line may move the cursor to the next one.
        let cut: Vec<String> = (lines.iter().take(rows.saturating_sub(1).max(1)))
            .map(|line| line.trim_end().chars().take(columns - 1).collect())
            .collect();
        self.drawn = cut.iter().map(|line| line.chars().count()).collect();
        text + &cut.join("\r\n")
    }
}

/// Whatever ends a run, an error included, finds a clean line.
impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

/// `━━━━╸       42 %  words`: the bar is as long as the words allow.
pub(crate) fn bar(share: f64, words: &str) -> String {
    bar_of(share, words, length_beside(words, size().0))
}

/// The length of a bar that leaves room for the words, with the share before them.
fn length_beside(words: &str, columns: usize) -> usize {
    let taken = words.chars().count() + "  100 %  ".len();
    (columns.saturating_sub(taken) / STEP * STEP).min(BAR)
}

fn bar_of(share: f64, words: &str, length: usize) -> String {
    let share = share.clamp(0.0, 1.0);
    let percent = format!("{:>3} %  {words}", (100.0 * share) as u64);
    if length < 4 {
        return percent;
    }
    let full = (share * length as f64) as usize;
    let head = if full < length { "╸" } else { "" };
    let rest = length - full - head.chars().count();
    format!("{}{head}{} {percent}", "━".repeat(full), " ".repeat(rest))
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    let size = terminal_size_of(std::io::stderr());
    size.map_or((80, 24), |(Width(columns), Height(rows))| (columns.into(), rows.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn lines_are_replaced() {
        let mut screen = Lines::default();
        assert_eq!(screen.redraw(&lines(&["one", "two  "]), (80, 24)), "one\r\ntwo");
        assert_eq!(screen.redraw(&lines(&["three"]), (80, 24)), "\x1b[1A\r\x1b[Jthree");
        assert_eq!(screen.redraw(&[], (80, 24)), "\r\x1b[J");
        assert_eq!(screen.redraw(&lines(&["four"]), (80, 24)), "four");
    }

    #[test]
    fn a_narrower_terminal_has_wrapped_what_was_drawn() {
        let mut screen = Lines::default();
        let long = "x".repeat(100);
        let drawn = screen.redraw(&lines(&[&long, &long, "short"]), (80, 24));
        assert_eq!(
            drawn.lines().map(|line| line.trim_end().len()).collect::<Vec<_>>(),
            [79, 79, 5]
        );
        // 79 columns take three rows of 30, and the last line one.
        let again = screen.redraw(&lines(&[&long]), (30, 24));
        assert_eq!(again, format!("\x1b[6A\r\x1b[J{}", "x".repeat(29)));
        // No more rows than there are, and no more lines.
        let many: Vec<String> = (0..9).map(|i| i.to_string()).collect();
        screen.redraw(&many, (80, 4));
        assert_eq!(screen.drawn.len(), 3);
    }

    #[test]
    fn bars_make_room_for_words() {
        assert_eq!(bar_of(0.0, "none", 4), "╸      0 %  none");
        assert_eq!(bar_of(0.5, "half", 4), "━━╸   50 %  half");
        assert_eq!(bar_of(1.0, "all", 4), "━━━━ 100 %  all");
        assert_eq!(bar_of(0.5, "half", 3), " 50 %  half");
        let words = "1550/60000 games  0/15 parts  9 min 19 s left";
        for columns in [40, 56, 60, 80, 120] {
            let length = length_beside(words, columns);
            let whole = bar_of(1.0, words, length).chars().count();
            assert!(length == 0 || (length >= STEP && whole < columns), "{columns}: {whole}");
        }
        assert_eq!(length_beside(words, 120), BAR);
    }
}
