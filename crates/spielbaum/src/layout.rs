//! Text for people: wrapped, aligned, with numbers that can be read.

/// The width all tables are made for.
pub(crate) const WIDTH: usize = 80;

/// Breaks a text into lines of at most `width` columns, at blanks.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        let columns = line.chars().count();
        if columns > 0 && columns + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            if columns > 0 {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// A line that begins with `head` in the column `indent` and goes on with a text that is
/// wrapped in the column `at`.
pub(crate) fn hang(indent: usize, head: &str, at: usize, text: &str) -> String {
    let mut out = format!("{:indent$}{head}", "");
    let used = indent + head.chars().count();
    if text.is_empty() {
        return out + "\n";
    }
    if used + 2 > at {
        out.push('\n');
        out.push_str(&" ".repeat(at));
    } else {
        out.push_str(&" ".repeat(at - used));
    }
    let lines = wrap(text, WIDTH - at);
    out.push_str(&lines.join(&format!("\n{:at$}", "")));
    out + "\n"
}

/// A table with a heading; numbers (and what looks like them) stand on the right.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let width = |i: usize| {
        let cells = rows.iter().map(|r| r[i].chars().count());
        cells.chain([heading[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let mut out = String::new();
    let heading: Vec<String> = heading.iter().map(ToString::to_string).collect();
    for row in std::iter::once(&heading).chain(rows) {
        let mut line = String::from(" ");
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            // The first column holds names.
            let cell = if i == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") };
            line.push(' ');
            line.push_str(&cell);
            line.push(' ');
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A count with separated thousands: `1 234 567`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// A rate or a large number in three digits: `1.23 M`.
pub(crate) fn short(x: f64) -> String {
    if !x.is_finite() {
        return "-".to_string();
    }
    let (x, unit) = match x.abs() {
        s if s >= 1e9 => (x / 1e9, " G"),
        s if s >= 1e6 => (x / 1e6, " M"),
        s if s >= 1e4 => (x / 1e3, " k"),
        _ => (x, ""),
    };
    let places = match x.abs() {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => 1,
        _ => 2,
    };
    format!("{x:.places$}{unit}")
}

/// Memory: `3.4 MiB`.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1024 => format!("{n} B"),
        1024..1_048_576 => format!("{:.1} KiB", n as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", n as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", n as f64 / 1_073_741_824.0),
    }
}

/// A time: `0.123 s`, `12.3 s`, `4 min 5 s`.
pub(crate) fn seconds(s: f64) -> String {
    match s {
        s if s < 10.0 => format!("{s:.3} s"),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{} min {} s", s as u64 / 60, s as u64 % 60),
    }
}

/// A time that is only guessed: `9 s`, `1 min 40 s`, `14 min`, `7 h 55 min`.
pub(crate) fn about(s: f64) -> String {
    let s = s.max(0.0).round() as u64;
    match s {
        0..100 => format!("{s} s"),
        100..600 => format!("{} min {} s", s / 60, s % 60),
        600..7200 => format!("{} min", s.div_ceil(60)),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

/// A value on the scale of payoffs.
pub(crate) fn value(v: f32) -> String {
    if v.is_finite() { format!("{v:.3}") } else { "-".to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_have_no_decimals() {
        let shown = [0.2, 9.157, 99.6, 250.0, 840.5, 28_500.0].map(about);
        assert_eq!(shown, ["0 s", "9 s", "1 min 40 s", "4 min 10 s", "15 min", "7 h 55 min"]);
    }

    #[test]
    fn wrapping_keeps_words_and_width() {
        let text = "the quick brown fox jumps over the lazy dog";
        let lines = wrap(text, 12);
        assert!(lines.iter().all(|l| l.chars().count() <= 12), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("unbreakableword x", 5), ["unbreakableword", "x"]);
    }

    #[test]
    fn hanging_text_is_aligned() {
        assert_eq!(hang(2, "name", 10, "help"), "  name    help\n");
        assert_eq!(hang(2, "a long name", 10, "help"), "  a long name\n          help\n");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(255_168), "255 168");
        assert_eq!(count(1_000), "1 000");
        assert_eq!(short(1_234_567.0), "1.23 M");
        assert_eq!(short(9_999.0), "9999");
        assert_eq!(short(f64::NAN), "-");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(seconds(245.0), "4 min 5 s");
    }

    #[test]
    fn tables_align_numbers_right() {
        let rows = [vec!["a1".to_string(), "5".to_string()], vec!["b".to_string(), "123".into()]];
        assert_eq!(table(&["move", "n"], &rows), "  move    n\n  a1      5\n  b     123\n");
    }
}
