//! Widths and lines of text in a terminal.

use crate::number;

/// Columns a character takes: none for what combines, two for East Asian wide and emoji.
fn columns(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f | 0x20d0..=0x20ff => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0x33ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xa000..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// One line that a terminal only shows: control characters become spaces, numbers plain.
pub(super) fn line(text: &str) -> String {
    number::plain(text).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// So many spaces.
pub(super) fn space(n: usize) -> String {
    " ".repeat(n)
}

/// The text in exactly `wide` columns, at the left; what is too long ends in `…`.
pub(super) fn left(text: &str, wide: usize) -> String {
    let text = cut(text, wide);
    let gap = wide.saturating_sub(width(&text));
    text + &space(gap)
}

/// The text in exactly `wide` columns, at the right.
pub(super) fn right(text: &str, wide: usize) -> String {
    let text = cut(text, wide);
    space(wide.saturating_sub(width(&text))) + &text
}

fn cut(text: &str, wide: usize) -> String {
    if width(text) <= wide {
        return text.into();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += columns(c);
        if used > wide {
            break;
        }
        out.push(c);
    }
    if wide > 0 {
        out.push('…');
    }
    out
}

/// Lines of at most `wide` columns, broken at spaces where possible.
pub(super) fn wrap(text: &str, wide: usize) -> Vec<String> {
    let wide = wide.max(2);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in line(text).split_whitespace() {
        let long = width(word);
        if used > 0 && used + 1 + long > wide {
            lines.push(String::new());
            used = 0;
        }
        let current = lines.len() - 1;
        if used > 0 {
            lines[current].push(' ');
            used += 1;
        }
        for c in word.chars() {
            if used + columns(c) > wide {
                lines.push(String::new());
                used = 0;
            }
            used += columns(c);
            let current = lines.len() - 1;
            lines[current].push(c);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_words_and_width() {
        assert_eq!(wrap("ab cd  efghij k", 5), ["ab cd", "efghi", "j k"]);
        assert_eq!(wrap("", 5), [""]);
        assert!(wrap("帥仕相 帥仕相", 4).iter().all(|line| width(line) <= 4));
    }

    #[test]
    fn padding_is_exact() {
        assert_eq!(left("abc", 5), "abc  ");
        assert_eq!(right("abc", 5), "  abc");
        assert_eq!(left("abcdef", 4), "abc…");
        assert_eq!(left("帥仕相", 4), "帥… ");
        assert_eq!(right("abc", 0), "");
    }
}
