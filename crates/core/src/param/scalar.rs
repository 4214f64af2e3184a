//! Numbers and times as text, read and written without loss.

use crate::Clock;
use std::time::Duration;

/// Why a text is not the value it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// It has another form: what it should be.
    Form(&'static str),
    /// It is too large or too precise for any parameter: what it is.
    Extreme(&'static str),
    /// A duration without a unit, and the text with one.
    Unit(String),
    /// A time that is not positive.
    Zero,
    /// `1m`, where a million is `1M`.
    Million,
}

/// Reads an integer: `20000`, `20_000`, `20k`, `1.5M`, `-3`, `1e6`.
pub(super) fn int(text: &str) -> Result<i64, Fault> {
    const FORM: Fault = Fault::Form("an integer");
    let (number, shift) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 3),
        Some((at, 'M')) => (&text[..at], 6),
        Some((at, 'G')) => (&text[..at], 9),
        Some((at, 'm')) if decimal(&text[..at]).is_some() => return Err(Fault::Million),
        _ => match text.split_once(['e', 'E']) {
            Some((number, shift)) => match shift.parse::<u8>() {
                Ok(shift) if shift <= 18 => (number, shift.into()),
                _ => return Err(FORM),
            },
            None => (text, 0),
        },
    };
    let (mantissa, places) = decimal(number).ok_or(FORM)?;
    let mantissa = mantissa.ok_or(Fault::Extreme("too large"))?;
    let value = scaled(mantissa, shift, places).ok_or(FORM)?;
    i64::try_from(value).map_err(|_| Fault::Extreme("too large"))
}

/// Reads a finite number: `0.9`, `-2`, `1e-3`, `10_000`.
pub(super) fn real(text: &str) -> Result<f64, Fault> {
    const FORM: Fault = Fault::Form("a number");
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    decimal(number).ok_or(FORM)?;
    exponent.parse::<i32>().map_err(|_| FORM)?;
    let value: f64 = text.replace('_', "").parse().map_err(|_| FORM)?;
    // + 0.0 makes the negative zero a zero, so that equal numbers have equal texts.
    if value.is_finite() { Ok(value + 0.0) } else { Err(Fault::Extreme("too large")) }
}

/// The shortest text that reads back as the same number.
pub(super) fn format_real(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-6..1e16).contains(&size) => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// Reads `true` or `false`, or what people say instead.
pub(super) fn flag(text: &str) -> Result<bool, Fault> {
    match text {
        "true" | "on" | "yes" => Ok(true),
        "false" | "off" | "no" => Ok(false),
        _ => Err(Fault::Form("true or false")),
    }
}

/// Units of time in nanoseconds, the ones for printing first.
const UNITS: &[(&str, i128)] = &[
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
    ("min", 60_000_000_000),
    ("µs", 1_000),
    ("μs", 1_000),
];

/// No search takes longer than a year, and deadlines stay within what clocks can count.
const LONGEST: i128 = 8760 * 3_600_000_000_000;

/// Reads a positive duration: `2s`, `150ms`, `1.5s`, `2m`, `1h`, `250us`.
pub fn parse_duration(text: &str) -> Option<Duration> {
    duration(text).ok()
}

/// Reads a clock: `60s+0.5s`, or `60s` without increment.
pub fn parse_clock(text: &str) -> Option<Clock> {
    clock(text).ok()
}

pub(super) fn duration(text: &str) -> Result<Duration, Fault> {
    match time(text, "a duration")? {
        Duration::ZERO => Err(Fault::Zero),
        time => Ok(time),
    }
}

pub(super) fn clock(text: &str) -> Result<Clock, Fault> {
    const NOUN: &str = "a clock";
    let (remaining, increment) = match text.rsplit_once('+') {
        Some((remaining, increment)) => (time(remaining, NOUN)?, time(increment, NOUN)?),
        None => (time(text, NOUN)?, Duration::ZERO),
    };
    if remaining.is_zero() { Err(Fault::Zero) } else { Ok(Clock { remaining, increment }) }
}

/// Reads a duration that may be zero.
fn time(text: &str, noun: &'static str) -> Result<Duration, Fault> {
    let split = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (mantissa, places) = decimal(number).ok_or(Fault::Form(noun))?;
    let mantissa = mantissa.ok_or(Fault::Extreme("too large or too precise"))?;
    if mantissa < 0 {
        return Err(Fault::Zero);
    }
    if unit.is_empty() {
        return if mantissa == 0 { Err(Fault::Zero) } else { Err(Fault::Unit(format!("{text}s"))) };
    }
    let &(_, nanos) = UNITS.iter().find(|u| u.0 == unit).ok_or(Fault::Form(noun))?;
    let nanos =
        scaled(mantissa * nanos, 0, places).ok_or(Fault::Extreme("finer than a nanosecond"))?;
    if nanos > LONGEST {
        return Err(Fault::Extreme("longer than a year"));
    }
    let nanos = u64::try_from(nanos).map_err(|_| Fault::Extreme("too large"))?;
    Ok(Duration::from_nanos(nanos))
}

/// The text of a duration: whole hours or minutes, else seconds or smaller with decimals.
///
/// ```
/// use spielbaum_core::param::format_duration;
/// use std::time::Duration;
/// assert_eq!(format_duration(Duration::from_millis(1500)), "1.5s");
/// assert_eq!(format_duration(Duration::from_secs(120)), "2m");
/// ```
pub fn format_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let fits = |&&(name, size): &&(&str, i128)| {
        let size = size as u128;
        nanos >= size && (!matches!(name, "h" | "m") || nanos.is_multiple_of(size))
    };
    let unit = UNITS[..6].iter().find(fits);
    unit.map_or_else(|| "0s".to_string(), |&(name, size)| in_unit(nanos, name, size as u128))
}

/// The text of a clock, in seconds: `60s+0.5s`.
pub fn format_clock(clock: &Clock) -> String {
    let seconds = |d: Duration| in_unit(d.as_nanos(), "s", 1_000_000_000);
    match clock.increment {
        Duration::ZERO => seconds(clock.remaining),
        increment => format!("{}+{}", seconds(clock.remaining), seconds(increment)),
    }
}

fn in_unit(nanos: u128, name: &str, size: u128) -> String {
    let (whole, rest) = (nanos / size, nanos % size);
    if rest == 0 {
        return format!("{whole}{name}");
    }
    let places = size.ilog10() as usize;
    let decimals = format!("{rest:0places$}");
    format!("{whole}.{}{name}", decimals.trim_end_matches('0'))
}

/// Bound of a decimal number without its point: leaves room for every unit and for 10^18.
const LARGEST: i128 = 100_000_000_000_000_000_000;

/// A decimal number as an integer and its decimal places; single underscores may stand
/// between digits. The inner `None`: it has the form but too many digits.
fn decimal(text: &str) -> Option<(Option<i128>, u32)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let grouped = |part: &str| {
        !part.starts_with('_')
            && !part.ends_with('_')
            && !part.contains("__")
            && part.bytes().all(|b| b.is_ascii_digit() || b == b'_')
    };
    if !grouped(whole) || !grouped(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let fraction = fraction.trim_end_matches(['0', '_']);
    let mut value = Some(0i128);
    let mut places = 0;
    for (i, b) in whole.bytes().chain(fraction.bytes()).enumerate() {
        if b != b'_' {
            value = value.map(|v| v * 10 + i128::from(b - b'0')).filter(|&v| v < LARGEST);
            places += u32::from(i >= whole.len());
        }
    }
    Some((value.map(|v| if negative { -v } else { v }), places))
}

/// `mantissa · 10^(shift - places)`, if it is an integer.
fn scaled(mantissa: i128, shift: u32, places: u32) -> Option<i128> {
    if shift >= places {
        return Some(mantissa * 10i128.pow(shift - places));
    }
    let divisor = 10i128.checked_pow(places - shift)?;
    (mantissa % divisor == 0).then(|| mantissa / divisor)
}
