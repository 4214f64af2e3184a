//! Numbers as people read them. Typographic characters are used throughout (U+2212 minus, U+202F
//! narrow no-break space); a writer whose medium lacks them replaces them.

/// Minus sign.
pub(crate) const MINUS: char = '\u{2212}';
/// Narrow no-break space: between groups of digits, and before a percent sign.
pub(crate) const THIN: char = '\u{202f}';
/// Stands for a value that is not there.
pub(crate) const NONE: &str = "–";

/// `x` with so many decimals; digits in groups of three from five on.
pub(crate) fn real(x: f64, digits: u8) -> String {
    if x.is_nan() {
        return NONE.into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "∞".into() } else { format!("{MINUS}∞") };
    }
    let plain = format!("{:.*}", usize::from(digits), x.abs());
    let (whole, decimals) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::new();
    // Never a negative nought.
    if x < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push(MINUS);
    }
    group(whole, &mut out);
    if !decimals.is_empty() {
        out.push('.');
        out.push_str(decimals);
    }
    out
}

/// A whole number.
pub(crate) fn integer(n: i64) -> String {
    let mut out = String::new();
    if n < 0 {
        out.push(MINUS);
    }
    group(&n.unsigned_abs().to_string(), &mut out);
    out
}

fn group(digits: &str, out: &mut String) {
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len() > 4 && (digits.len() - at).is_multiple_of(3) {
            out.push(THIN);
        }
        out.push(digit);
    }
}

/// `x` with about `figures` significant figures, without trailing zeros: axis labels, positions.
pub(crate) fn short(x: f64, figures: usize) -> String {
    if !x.is_finite() || x == 0.0 {
        return real(x, 0);
    }
    let scientific = format!("{:.*e}", figures - 1, x);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if !(-5..15).contains(&exponent) {
        return scientific.replace('-', &MINUS.to_string());
    }
    let decimals = (figures as i32 - 1 - exponent).clamp(0, 20) as u8;
    let shown = real(x, decimals);
    match shown.contains('.') {
        true => shown.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => shown,
    }
}

/// `x` to seven significant figures, the precision that data are written with.
pub(crate) fn rounded(x: f64) -> f64 {
    if x.is_finite() { format!("{x:.6e}").parse().unwrap_or(x) } else { x }
}

/// Plain ASCII where there is any, for media that are copied from.
pub(crate) fn plain(shown: &str) -> String {
    shown
        .chars()
        .map(|c| {
            if c == MINUS {
                '-'
            } else if c == THIN {
                ' '
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_signed() {
        assert_eq!(plain(&integer(38000)), "38 000");
        assert_eq!(plain(&integer(9999)), "9999");
        assert_eq!(plain(&integer(i64::MIN)), "-9 223 372 036 854 775 808");
        assert_eq!(plain(&real(-1234567.891, 2)), "-1 234 567.89");
        assert_eq!(real(-0.001, 2), "0.00");
        assert_eq!(real(f64::NAN, 2), NONE);
        assert_eq!(plain(&real(f64::NEG_INFINITY, 2)), "-∞");
    }

    #[test]
    fn short_numbers_have_no_trailing_zeros() {
        for (x, shown) in [
            (0.5, "0.5"),
            (1.414, "1.414"),
            (100.0, "100"),
            (12345.6, "12 346"),
            (0.00012, "0.00012"),
            (-2.50, "-2.5"),
            (0.0, "0"),
            (1e20, "1.000e20"),
        ] {
            assert_eq!(plain(&short(x, 4)), shown);
        }
    }
}
