//! How a search goes, while it goes: a line that changes on a terminal, lines in a log.

use crate::layout;
use spielbaum_core::Report;
use std::io::{IsTerminal, Write};

/// Where the reports of a running search are shown.
pub(crate) struct Live {
    on: bool,
    terminal: bool,
    shown: bool,
}

/// Takes a report while the search goes on.
pub(crate) type Sink<'a> = Option<&'a mut dyn FnMut(&Report<String>)>;

impl Live {
    /// Shows reports if that is asked for; a person at a terminal need not ask, unless the
    /// answer is for a program.
    pub(crate) fn new(asked: bool, for_program: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Live { on: asked || (terminal && !for_program), terminal, shown: false }
    }

    /// Shows the reports of a search, and cleans up behind it.
    pub(crate) fn watch<R>(&mut self, search: impl FnOnce(Sink<'_>) -> R) -> R {
        let result = if self.on {
            search(Some(&mut |report: &Report<String>| self.show(report)))
        } else {
            search(None)
        };
        if self.terminal && self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        self.shown = false;
        result
    }

    fn show(&mut self, report: &Report<String>) {
        let line = line(report);
        let mut err = std::io::stderr();
        // Nobody is left to tell if standard error is closed; the answer is what matters.
        let _ = if self.terminal {
            write!(err, "\r\x1b[K{line}").and_then(|()| err.flush())
        } else {
            writeln!(err, "{line}")
        };
        self.shown = true;
    }
}

fn line(report: &Report<String>) -> String {
    let line = format!(
        "{:>8}  depth {:<3} {:>8} nodes  value {}  {}",
        layout::seconds(report.elapsed.as_secs_f64()),
        report.depth,
        layout::short(report.nodes as f64),
        layout::value(report.value),
        report.pv.join(" "),
    );
    line.chars().take(layout::WIDTH - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_line_fits_the_terminal() {
        let report = Report {
            best: "a1".to_string(),
            value: 0.5,
            proven: None,
            lines: Vec::new(),
            pv: vec!["a1".to_string(); 100],
            depth: 12,
            iterations: 1,
            nodes: 12_345_678,
            elapsed: Duration::from_millis(1500),
            note: None,
        };
        let line = line(&report);
        assert!(
            line.starts_with(" 1.500 s  depth 12    12.3 M nodes  value 0.500  a1 a1"),
            "{line}"
        );
        assert_eq!(line.chars().count(), layout::WIDTH - 1);
    }
}
