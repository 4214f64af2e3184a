//! The numbers that are varied: names, ranges, scales.

use crate::LabError;
use spielbaum_core::math;
use spielbaum_core::param::{Args, Param, Schema, resolve};
use spielbaum_core::spec::text_value;
use std::fmt;

/// How a range is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart.
    Log,
}

/// A parameter that is varied: `eval.empty=50..1000:log`.
#[derive(Clone, PartialEq, Debug)]
pub struct Varied {
    /// The name in the player's specification, those of parts with points: `eval.empty`.
    pub name: String,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// How the range is divided.
    pub scale: Scale,
    /// Whole numbers only.
    pub whole: bool,
}

static NUMBER: Schema = Schema {
    name: "number",
    aliases: &[],
    help: "a number as specifications write it",
    params: &[&[
        Param::real("real", "0", f64::NEG_INFINITY, f64::INFINITY, "the number"),
        Param::int("whole", "0", i64::MIN, i64::MAX, "the number with a suffix: 20k, 1M"),
    ]],
    presets: &[],
};

impl Varied {
    /// Reads `NAME=LOW..HIGH`, with `:log` behind it for a range divided by ratios.
    ///
    /// ```
    /// use spielbaum_lab::tune::{Scale, Varied};
    /// let varied = Varied::read("eval.empty=50..1k:log").unwrap();
    /// assert_eq!((varied.low, varied.high, varied.scale), (50.0, 1000.0, Scale::Log));
    /// assert_eq!(varied.to_string(), "eval.empty=50..1000:log");
    /// let error = Varied::read("c=2..1").unwrap_err();
    /// assert_eq!(error.to_string(), "`c=2..1`: 2 is not below 1");
    /// ```
    pub fn read(text: &str) -> Result<Varied, LabError> {
        let wrong = |problem: &str| LabError::Request(format!("`{text}`: {problem}"));
        const FORM: &str = "what is varied is written NAME=LOW..HIGH, or NAME=LOW..HIGH:log";
        let (name, range) = text.split_once('=').ok_or_else(|| wrong(FORM))?;
        let (range, scale) = match range.split_once(':') {
            None => (range, Scale::Linear),
            Some((range, "log")) => (range, Scale::Log),
            Some((range, "linear")) => (range, Scale::Linear),
            Some((_, other)) => {
                return Err(wrong(&format!("`{other}` is no scale: write `log` or nothing")));
            }
        };
        let (low, high) = range.split_once("..").ok_or_else(|| wrong(FORM))?;
        let name = name.trim().to_string();
        if name.is_empty() {
            return Err(wrong(FORM));
        }
        let number = |word: &str| {
            let word = word.trim();
            let read = |key: &str| -> Option<Args> {
                resolve(&format!("number:{key}={}", text_value(word)), "number", &[&NUMBER]).ok()
            };
            let real = read("real").map(|args| args.real("real"));
            real.or_else(|| read("whole").map(|args| args.int("whole") as f64))
                .ok_or_else(|| wrong(&format!("`{word}` is not a number")))
        };
        let (low, high) = (number(low)?, number(high)?);
        if low >= high {
            return Err(wrong(&format!("{low} is not below {high}")));
        }
        if scale == Scale::Log && low <= 0.0 {
            return Err(wrong("ratios need a range of positive numbers"));
        }
        Ok(Varied { name, low, high, scale, whole: false })
    }

    /// The value at a place of the range, 0 … 1. Rounded to five figures, so that people can read
    /// what was found; that is finer than games can tell.
    pub fn value(&self, at: f64) -> f64 {
        let at = mirrored(at);
        let between = |low: f64, high: f64| low + at * (high - low);
        let value = match (self.scale, self.whole) {
            (Scale::Linear, false) => between(self.low, self.high),
            // Each whole number has an equal share.
            (Scale::Linear, true) => between(self.low - 0.5, self.high + 0.5).round(),
            (Scale::Log, _) => math::exp(between(math::ln(self.low), math::ln(self.high))),
        };
        let value = if self.whole { value.round() } else { five_figures(value) };
        value.clamp(self.low, self.high)
    }

    /// The place of a value in the range.
    pub fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let within = |x: f64, low: f64, high: f64| (x - low) / (high - low);
        match (self.scale, self.whole) {
            (Scale::Linear, false) => within(value, self.low, self.high),
            (Scale::Linear, true) => within(value, self.low - 0.5, self.high + 0.5),
            (Scale::Log, _) => within(math::ln(value), math::ln(self.low), math::ln(self.high)),
        }
    }
}

/// The text that [`Varied::read`] reads.
impl fmt::Display for Varied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.name, self.low, self.high)?;
        if self.scale == Scale::Log { f.write_str(":log") } else { Ok(()) }
    }
}

/// The place in 0 … 1 that stands for any number: the range is mirrored at its ends again and
/// again, so that an optimiser meets no wall and no cliff.
///
/// ```
/// use spielbaum_lab::tune::mirrored;
/// assert_eq!([0.25, -0.25, 1.75, 2.25].map(mirrored), [0.25; 4]);
/// ```
pub fn mirrored(at: f64) -> f64 {
    let turn = at.rem_euclid(2.0);
    if turn > 1.0 { 2.0 - turn } else { turn }
}

fn five_figures(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(text: &str, whole: bool) -> Varied {
        Varied { whole, ..Varied::read(text).unwrap() }
    }

    #[test]
    fn places_and_values_belong_together() {
        for (text, whole) in [("x=-3..5", false), ("x=1..1e6:log", false), ("x=1..9", true)] {
            let varied = varied(text, whole);
            assert_eq!((varied.value(0.0), varied.value(1.0)), (varied.low, varied.high));
            for at in [0.0, 0.3, 0.5, 0.77, 1.0] {
                let value = varied.value(at);
                assert_eq!(varied.value(varied.place(value)), value, "{text} at {at}");
            }
        }
        assert_eq!(varied("x=1..10000:log", false).value(0.5), 100.0);
    }

    #[test]
    fn whole_numbers_have_equal_shares() {
        let varied = varied("x=1..4", true);
        let mut counts = [0; 4];
        for i in 0..4000 {
            counts[varied.value((i as f64 + 0.5) / 4000.0) as usize - 1] += 1;
        }
        assert_eq!(counts, [1000; 4]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("c", "NAME=LOW..HIGH"),
            ("=1..2", "NAME=LOW..HIGH"),
            ("c=1", "NAME=LOW..HIGH"),
            ("c=a..2", "`a` is not a number"),
            ("c=1..inf", "`inf` is not a number"),
            ("c=1..2:cubic", "`cubic` is no scale"),
            ("c=0..2:log", "positive"),
        ] {
            let error = Varied::read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
