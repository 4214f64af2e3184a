//! A line of characters as an axis: points, intervals, boxes and bars at their places.

use super::width::{space, width};
use crate::{Axis, Estimate, Scale};

/// An axis over so many characters.
pub(super) struct Ruler<'a> {
    axis: &'a Axis,
    low: f64,
    high: f64,
    pub(super) wide: usize,
}

impl<'a> Ruler<'a> {
    /// An axis that shows all values, or nothing if there are none.
    pub(super) fn new(
        axis: &'a Axis,
        values: impl Iterator<Item = f64>,
        wide: usize,
    ) -> Option<Self> {
        let (mut low, mut high) = axis.extent(values)?;
        if low >= high {
            // One value only: put it in the middle.
            (low, high) = match (axis.scale, low == 0.0) {
                (Scale::Log, _) => (low / 2.0, high * 2.0),
                (Scale::Linear, true) => (-1.0, 1.0),
                (Scale::Linear, false) => (low - low.abs() / 2.0, high + low.abs() / 2.0),
            };
        } else if axis.scale == Scale::Linear && axis.domain.is_none() {
            // Ends that are easy to read: whole steps of about a tenth of the stretch.
            let mut step = 1.0;
            while step * 10.0 <= high - low && step < 1e300 {
                step *= 10.0;
            }
            while step > high - low && step > 1e-300 {
                step /= 10.0;
            }
            step /= if high - low < 3.0 * step { 10.0 } else { 2.0 };
            let tidy = |x: f64| crate::number::rounded(x * step);
            (low, high) = (tidy((low / step + 1e-9).floor()), tidy((high / step - 1e-9).ceil()));
        }
        (wide >= 8).then_some(Ruler { axis, low, high, wide })
    }

    /// Where a value lies, from 0 to 1; what is outside lies at the end.
    pub(super) fn share(&self, x: f64) -> f64 {
        let place = match self.axis.scale {
            Scale::Linear => (x - self.low) / (self.high - self.low),
            Scale::Log => (x / self.low).ln() / (self.high / self.low).ln(),
        };
        place.clamp(0.0, 1.0)
    }

    pub(super) fn place(&self, x: f64) -> usize {
        (self.share(x) * (self.wide - 1) as f64).round() as usize
    }

    pub(super) fn blank(&self, reference: Option<f64>) -> Vec<char> {
        let mut cells = vec![' '; self.wide];
        if let Some(x) =
            reference.filter(|&x| self.axis.shows(x) && x >= self.low && x <= self.high)
        {
            cells[self.place(x)] = '┊';
        }
        cells
    }

    /// A point with its interval.
    pub(super) fn estimate(&self, cells: &mut [char], estimate: Estimate, mark: char) {
        if let Some((low, high)) = estimate.interval
            && self.axis.shows(low)
            && self.axis.shows(high)
        {
            let (from, to) = (self.place(low), self.place(high));
            for cell in &mut cells[from..=to.max(from)] {
                *cell = '─';
            }
            cells[from] = '├';
            cells[to] = '┤';
        }
        if self.axis.shows(estimate.value) {
            cells[self.place(estimate.value)] = mark;
        }
    }

    /// A box with whiskers.
    pub(super) fn five(&self, cells: &mut [char], five: [f64; 5]) {
        let [low, lower, median, upper, high] = five.map(|x| self.place(x));
        for (at, cell) in cells.iter_mut().enumerate() {
            if at >= lower && at <= upper {
                *cell = '▒';
            } else if at >= low && at <= high {
                *cell = '─';
            }
        }
        cells[median] = '┃';
    }

    /// The ends of the axis, under it.
    pub(super) fn ends(&self) -> String {
        let show = |x: f64| super::width::line(&self.axis.tick(x));
        let (low, high) = (show(self.low), show(self.high));
        let title = super::width::line(&self.axis.heading());
        let room = self.wide.saturating_sub(width(&low) + width(&high));
        let title = if width(&title) + 2 <= room { title } else { String::new() };
        let gap = room.saturating_sub(width(&title));
        format!("{low}{}{title}{}{high}", space(gap / 2), space(gap - gap / 2))
    }
}

/// A bar of eighths of characters.
pub(super) fn bar(share: f64, wide: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * wide) as f64).round() as usize;
    let mut out = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        out.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8 - 1]);
    }
    out
}

/// A line of blocks of so many heights; no value leaves a gap.
pub(super) fn blocks(heights: &[Option<f64>]) -> String {
    let block = |height: &Option<f64>| match height {
        None => ' ',
        Some(h) => {
            ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(h.clamp(0.0, 1.0) * 7.0).round() as usize]
        }
    };
    heights.iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_a_logarithmic_axis() {
        let axis = Axis::new("t", 0).log();
        let ruler = Ruler::new(&axis, [1.0, 100.0].into_iter(), 21).unwrap();
        assert_eq!([1.0, 10.0, 100.0, 1e9].map(|x| ruler.place(x)), [0, 10, 20, 20]);
        assert!(Ruler::new(&axis, [-1.0].into_iter(), 21).is_none());
    }

    #[test]
    fn bars_and_blocks() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.55, 4), "██▎");
        assert_eq!(bar(9.0, 2), "██");
        assert_eq!(blocks(&[Some(0.0), None, Some(1.0)]), "▁ █");
    }
}
