//! Numbers and estimates as sentences and cells need them.

use crate::stats::Estimate;
use crate::stats::elo::{Bounds, bound};
use spielbaum_document as doc;

/// A count with its digits in groups of three.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len() > 4 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `1 game`, `2 games`, `2 matches`.
pub(super) fn plural(n: u64, word: &str) -> String {
    let end = match (n, word.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        _ => "s",
    };
    format!("{} {word}{end}", count(n))
}

/// A list of names, the first few of many.
pub(super) fn listed(items: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = items[..items.len().min(SHOWN)].join(", ");
    if items.len() > SHOWN {
        text += &format!(" and {} more", items.len() - SHOWN);
    }
    text
}

/// A share in percent, in words.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}\u{202f}%", 100.0 * share)
}

/// A share with its interval, in words.
pub(super) fn percent_between(share: f64, interval: Option<[f64; 2]>) -> String {
    match interval {
        Some([low, high]) => {
            format!("{:.1} [{:.1}, {:.1}]\u{202f}%", 100.0 * share, 100.0 * low, 100.0 * high)
        }
        None => percent(share),
    }
}

/// An estimate for a chart.
pub(super) fn estimate(value: f64, interval: Option<[f64; 2]>) -> doc::Estimate {
    let estimate = doc::Estimate::new(value);
    match interval.filter(|ci| ci.iter().all(|x| x.is_finite())) {
        Some([low, high]) => estimate.between(low, high),
        None => estimate,
    }
}

/// An estimate of the statistics for a chart; a number without width has no interval.
pub(super) fn charted(of: Estimate) -> doc::Estimate {
    estimate(of.value, Some(of.interval).filter(|[low, high]| low < high))
}

/// A share as a cell.
pub(super) fn share(value: Option<f64>, interval: Option<[f64; 2]>) -> doc::Cell {
    let Some(value) = value else { return doc::Cell::empty() };
    between(doc::Cell::percent(value), interval)
}

/// A number as a cell.
pub(super) fn real(value: Option<f64>, interval: Option<[f64; 2]>, digits: u8) -> doc::Cell {
    let Some(value) = value else { return doc::Cell::empty() };
    between(doc::Cell::real(value, digits), interval)
}

/// The same with its interval, if there is one.
pub(super) fn between(cell: doc::Cell, interval: Option<[f64; 2]>) -> doc::Cell {
    match interval {
        Some([low, high]) => cell.between(low, high),
        None => cell,
    }
}

/// A mean of large or small numbers with about three figures.
pub(super) fn about(value: Option<f64>) -> doc::Cell {
    let Some(value) = value.filter(|&x| x > 0.0) else { return doc::Cell::empty() };
    doc::Cell::real(value, digits_of(value))
}

/// Decimals that show three figures of a number, five at most.
pub(super) fn digits_of(value: f64) -> u8 {
    let limits = [100.0, 10.0, 1.0, 0.1, 0.01];
    limits.iter().position(|&limit| value.abs() >= limit).unwrap_or(limits.len()) as u8
}

/// An Elo difference as a cell; a score of 0 or 1 has none, but a bound of it.
pub(super) fn elo(value: Option<f64>, interval: Option<Bounds>) -> doc::Cell {
    let Some(bounds) = interval else { return doc::Cell::empty() };
    match value {
        Some(value) => {
            let [low, high] = bounds;
            let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
            doc::Cell::real(value, 0).between(low, high)
        }
        None => match bound(bounds) {
            Some(text) => doc::Cell::text(text.replace('+', "").replace('-', "\u{2212}")),
            None => doc::Cell::empty(),
        },
    }
}

/// A p-value as a cell.
pub(super) fn p_value(p: Option<f64>) -> doc::Cell {
    match p {
        Some(p) if p < 0.001 => doc::Cell::text("< 0.001"),
        Some(p) => doc::Cell::real(p, 3),
        None => doc::Cell::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(
            [count(999), count(1234), count(1_234_567)],
            ["999", "1234", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!(
            [plural(1, "match"), plural(2, "match"), plural(0, "game")],
            ["1 match", "2 matches", "0 games"]
        );
        assert_eq!([250.0, 99.0, 5.0, 0.5, 0.05, 0.0001].map(digits_of), [0, 1, 2, 3, 4, 5]);
    }
}
