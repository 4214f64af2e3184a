//! Statistics as people read them.

use super::{MeanText, PlayerSummary, Summary};
use crate::stats::Wdl;
use crate::stats::elo;
use crate::stats::sprt::Decision;
use crate::tally::Tally;
use crate::times::Times;
use std::fmt::Write as _;

impl Tally {
    /// One line for a progress bar: `+12 =3 -5  67.5 %  Elo +127 ± 90`.
    pub fn line(&self) -> String {
        let wdl = self.wdl();
        if wdl.total() == 0 {
            return self.points_line();
        }
        let mut line = format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses);
        if let Some(score) = wdl.score() {
            let _ = write!(line, "  {:.1} %", 100.0 * score);
        }
        if let Some(elo) = wdl.score().filter(|_| self.is_even()).and_then(elo::elo) {
            let _ = write!(line, "  Elo {elo:+.0}");
        }
        let interval = elo::elo_interval(self.rounds()).filter(|_| self.is_even());
        let perfect = wdl.score().is_some_and(|score| score == 0.0 || score == 1.0);
        match interval {
            Some([Some(low), Some(high)]) => {
                let _ = write!(line, " ± {:.0}", (high - low) / 2.0);
            }
            Some(bounds) if perfect => {
                line += &elo::bound(bounds).map_or(String::new(), |b| format!("  Elo {b}"));
            }
            _ => {}
        }
        if let (Some(mean), Some([low, high]), true) =
            (self.difference().mean(), self.difference().interval(), self.seats() != 2)
        {
            let _ = write!(line, "  difference {mean:+.2} ± {:.2}", (high - low) / 2.0);
        }
        line
    }

    /// Where there is nobody to win against: `mean 12034.5 ± 310.2`; nothing before the first game.
    fn points_line(&self) -> String {
        let Some(player) = self.players().first() else { return String::new() };
        let points = if player.points.count() > 0 { &player.points } else { &player.payoff };
        let spread = points.interval().map(|[low, high]| format!(" ± {:.1}", (high - low) / 2.0));
        points
            .mean()
            .map_or(String::new(), |mean| format!("mean {mean:.1}{}", spread.unwrap_or_default()))
    }
}

impl Summary {
    /// A table for people. `times` are of this run, if games were played in it.
    pub fn table(&self, times: Option<&Times>) -> String {
        let mut out = String::new();
        let mut row = |name: &str, text: String| {
            let _ = writeln!(out, "{name:<12}{text}");
        };
        let percent = |x: f64| format!("{:.1} %", 100.0 * x);
        row("games", format!("{} in {} rounds", self.games, self.rounds));
        if self.is_repeated() {
            let what = format!("only {} different games", self.distinct);
            row("repeated", format!("{what}: vary the openings, the intervals are too narrow"));
        }
        if let (Some(score), Some([low, high])) = (self.score, self.score_ci) {
            let Wdl { wins, draws, losses } = Wdl::new(self.wins, self.draws, self.losses);
            row("result", format!("{wins} wins, {draws} draws, {losses} losses"));
            let interval = format!("{:.1} to {}", 100.0 * low, percent(high));
            row("score", format!("{}   95 %: {interval}", percent(score)));
            let end = |x: Option<f64>, infinite: &str| {
                x.map_or(infinite.to_string(), |x| format!("{x:+.0}"))
            };
            match (self.elo, self.elo_ci) {
                (Some(elo), Some([low, high])) => {
                    let interval = format!("{} to {}", end(low, "-∞"), end(high, "+∞"));
                    row("Elo", format!("{elo:+.0}   95 % by rounds: {interval}"));
                }
                // All points or none: no difference is too large, but some are too small.
                (None, Some(bounds)) => {
                    let _ = elo::bound(bounds)
                        .map(|bound| row("Elo", format!("{bound}   95 % by rounds")));
                }
                _ => {}
            }
            if let Some(caveat) = self.caveat() {
                row("", caveat.to_string());
            }
        }
        if let Some(MeanText { mean, ci }) = self.difference {
            row("difference", format!("{mean:+.3}{}", interval_text(ci)));
        }
        if let Some(los) = self.los {
            row("superiority", format!("{} likely", percent(los)));
        }
        if let Some(sprt) = &self.sprt {
            let [lower, upper] = sprt.bounds;
            let state = match sprt.decision {
                Some(Decision::H1) => "H1 accepted",
                Some(Decision::H0) => "H0 accepted",
                None => "undecided",
            };
            row("SPRT", format!("LLR {:.2} in ({lower:.2}, {upper:.2}), {state}", sprt.llr));
        }
        if let (Some(plies), Some([min, max])) = (self.plies, self.plies_range) {
            row("plies", format!("{plies:.1} in a game ({min} to {max})"));
        }
        if self.limits > 0 {
            row("move limit", format!("ended {} games", self.limits));
        }
        for (i, player) in self.players.iter().enumerate() {
            let label = char::from(b'A' + (i % 26) as u8);
            let _ = writeln!(out, "{label}  {}", player.player);
            for line in player.lines(self.seats.len(), times.and_then(|t| t.per_move(i))) {
                let _ = writeln!(out, "     {line}");
            }
        }
        out
    }
}

impl PlayerSummary {
    fn lines(&self, seats: usize, seconds: Option<f64>) -> Vec<String> {
        let mut parts = Vec::new();
        let mut each = |x: Option<f64>, digits: usize, name: &str| match x {
            Some(x) if x > 0.0 => parts.push(format!("{x:.digits$} {name}")),
            _ => {}
        };
        each(self.iterations_per_move, 0, "iterations");
        each(self.nodes_per_move, 0, "nodes");
        each(self.depth, 1, "plies deep");
        each(seconds.map(|s| 1e3 * s), 2, "ms");
        let mut lines = Vec::new();
        if !parts.is_empty() {
            lines.push(format!("each move: {}", parts.join(", ")));
        }
        // For two seats the score says it; alone, the points mostly do.
        if let (Some(MeanText { mean, ci }), true) = (self.payoff, seats != 2) {
            let share = match seats {
                1 => String::new(),
                n => format!(" (an equal share: {:.3})", 1.0 / n as f64),
            };
            if seats > 1 || self.payoff != self.points {
                lines.push(format!("payoff {mean:.3}{}{share}", interval_text(ci)));
            }
        }
        if let Some(MeanText { mean, ci }) = self.points {
            lines.push(format!("points {mean:.2}{}", interval_text(ci)));
        }
        // A few belong here; the report has them all.
        for (name, told) in self.statistics.iter().filter(|_| self.statistics.len() <= 3) {
            lines.push(format!("{name} {:.2}{}", told.mean, interval_text(told.ci)));
        }
        if self.forfeits > 0 {
            let reason = self.reason.as_deref().unwrap_or("no reason");
            lines.push(format!("forfeited {} games, the first: {reason}", self.forfeits));
        }
        lines
    }
}

fn interval_text(ci: Option<[f64; 2]>) -> String {
    ci.map(|[low, high]| format!("   95 %: {low:.3} to {high:.3}")).unwrap_or_default()
}
