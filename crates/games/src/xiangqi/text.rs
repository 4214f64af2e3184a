//! Positions as text: one line in the manner of FEN, and a diagram.

use super::Xiangqi;
use super::board::Board;
use super::moves::{
    ADVISOR, ELEPHANT, EMPTY, GENERAL, KINDS, LETTERS, SOLDIER, Square, colour_of, file, kind_of,
    piece_of, rank, square_name,
};
use super::rules::{End, Rules};
use super::tables::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES};
use spielbaum_core::ParseError;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The start position.
pub(super) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const FORM: &str =
    "a position reads like `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`";
const NAMES: [&str; KINDS] =
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"];

/// The words of a text with their places.
fn words(text: &str) -> Vec<(&str, Range<usize>)> {
    (text.split_whitespace())
        .map(|word| {
            let from = word.as_ptr() as usize - text.as_ptr() as usize;
            (word, from..from + word.len())
        })
        .collect()
}

/// Reads a position. A general may be missing where the rules let it be captured.
pub(super) fn parse(text: &str, rules: &Rules) -> Result<Board, ParseError> {
    let words = words(text);
    let Some((squares, at)) = words.first().cloned() else {
        return Err(ParseError::new("there is no position").help(FORM));
    };
    let pieces = parse_squares(squares, at.start)?;
    let black = match words.get(1) {
        None | Some(("w", _)) => false,
        Some(("b", _)) => true,
        Some((word, at)) => {
            let problem = format!("`{word}` is not a side to move");
            return Err(ParseError::new(problem).at(at.clone()).help("write `w` or `b`"));
        }
    };
    for (word, at) in words.iter().skip(2).take(2) {
        if *word != "-" {
            let problem = format!("`{word}` stands where `-` is expected");
            return Err(ParseError::new(problem).at(at.clone()).help(FORM));
        }
    }
    let number = |i: usize, default: u16, range: RangeInclusive<u16>| match words.get(i) {
        None => Ok(default),
        Some((word, at)) => (word.parse().ok().filter(|n| range.contains(n))).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            ParseError::new(format!("`{word}` is not a number from {first} to {last}"))
                .at(at.clone())
                .help(FORM)
        }),
    };
    // All that a game without limits can print.
    let clock = number(4, 0, 0..=u16::MAX)?;
    let turn = number(5, 1, 1..=u16::MAX / 2 + 1)?;
    if let Some((word, at)) = words.get(6) {
        return Err(ParseError::new(format!("`{word}` is too much")).at(at.clone()).help(FORM));
    }
    let mut board = Board::new(pieces, 2 * (turn - 1) + u16::from(black), clock);
    check(&mut board, rules)?;
    Ok(board)
}

fn parse_squares(text: &str, start: usize) -> Result<[u8; 128], ParseError> {
    let wrong = |problem: String, i: usize| {
        let from = if i < text.len() { i } else { 0 };
        ParseError::new(problem).at(start + from..start + text.len()).help(FORM)
    };
    let mut pieces = [EMPTY; 128];
    let (mut r, mut f) = (9usize, 0usize);
    for (i, letter) in text.char_indices() {
        match letter {
            '/' if f != 9 => {
                return Err(wrong(format!("rank {} has {f} squares, not 9", r + 1), i));
            }
            '/' if r == 0 => return Err(wrong("there are more than ten ranks".into(), i)),
            '/' => (r, f) = (r - 1, 0),
            '1'..='9' => f += letter as usize - '0' as usize,
            _ => {
                let known = LETTERS.iter().position(|&l| l == letter.to_ascii_lowercase());
                let Some(kind) = known else {
                    return Err(wrong(format!("`{letter}` is not a piece"), i)
                        .help("pieces: k a b n r c p, upper case for Red"));
                };
                if f < 9 {
                    let colour = usize::from(letter.is_ascii_lowercase());
                    place(&mut pieces, colour, kind, (9 * r + f) as Square)
                        .map_err(|e| e.at(start + i..start + i + 1))?;
                }
                f += 1;
            }
        }
        if f > 9 {
            return Err(wrong(format!("rank {} has more than 9 squares", r + 1), i));
        }
    }
    if r != 0 || f != 9 {
        return Err(wrong("the board ends before its ninetieth square".into(), text.len()));
    }
    Ok(pieces)
}

/// Puts a piece on a square it can get to; there are no more of them than at the start.
fn place(
    pieces: &mut [u8; 128],
    colour: usize,
    kind: usize,
    square: Square,
) -> Result<(), ParseError> {
    // As the owner sees it.
    let (r, f) = if colour == 0 {
        (rank(square), file(square))
    } else {
        (9 - rank(square), 8 - file(square))
    };
    let at_home = 9 * r + f;
    let (possible, help) = match kind {
        // A general that has captured the other stands in its palace.
        GENERAL => ((PALACES[0] | PALACES[1]) >> square & 1 != 0, "generals stay in their palace"),
        ADVISOR => (
            r <= 2 && ADVISOR_POINTS[0] >> at_home & 1 != 0,
            "advisors stay on the five points of their palace",
        ),
        ELEPHANT => (
            r <= 4 && ELEPHANT_POINTS >> at_home & 1 != 0,
            "elephants stay on seven points of their half",
        ),
        SOLDIER => (
            r >= 5 || r >= 3 && f % 2 == 0,
            "soldiers never go back, and sideways only across the river",
        ),
        _ => (true, ""),
    };
    let (side, name) = (name(colour), NAMES[kind]);
    if !possible {
        let problem = format!("{side}'s {name} cannot be on {}", square_name(square));
        return Err(ParseError::new(problem).help(help));
    }
    let piece = piece_of(colour, kind) as u8;
    let most = match kind {
        GENERAL => 1,
        SOLDIER => 5,
        _ => 2,
    };
    if pieces.iter().filter(|&&p| p == piece).count() >= most {
        let plural = if most == 1 { "" } else { "s" };
        return Err(ParseError::new(format!("{side} has more than {most} {name}{plural}")));
    }
    pieces[usize::from(square)] = piece;
    Ok(())
}

/// Both generals are there and the one to be captured next is not; or the game is over.
fn check(board: &mut Board, rules: &Rules) -> Result<(), ParseError> {
    let there = [0, 1].map(|colour| board.of(colour, GENERAL) != 0);
    for colour in 0..2 {
        let away = board.of(colour, GENERAL) & !PALACES[colour] != 0;
        if away && (rules.legal || there[colour ^ 1]) {
            let (side, square) = (name(colour), square_name(board.general(colour)));
            return Err(ParseError::new(format!("{side}'s general cannot be on {square}"))
                .help("generals stay in their palace"));
        }
    }
    match there {
        [true, true] if rules.legal && board.in_check(board.seat() ^ 1) => {
            let (us, them) = (name(board.seat()), name(board.seat() ^ 1));
            Err(ParseError::new(format!("{us} is to move and could capture {them}'s general"))
                .help("nobody may leave the general in danger under these rules"))
        }
        [true, true] => Ok(()),
        [false, false] => Err(ParseError::new("there is no general").help("each side has one")),
        _ => {
            let lost = usize::from(there[0]);
            // The other one has just moved.
            if rules.legal || board.seat() != lost {
                return Err(ParseError::new(format!("{} has no general", name(lost)))
                    .help("each side has one"));
            }
            board.end = Some(End::Capture(lost as u8 ^ 1));
            Ok(())
        }
    }
}

fn letter(piece: u8) -> Option<char> {
    let kind = *LETTERS.get(kind_of(usize::from(piece)))?;
    Some(if colour_of(usize::from(piece)) == 0 { kind.to_ascii_uppercase() } else { kind })
}

fn line(board: &Board) -> String {
    let mut text = String::new();
    for r in (0..10).rev() {
        let mut gap = 0;
        for f in 0..9 {
            match letter(board.at[9 * r + f]) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        text += &gap.to_string();
                    }
                    gap = 0;
                    text.push(piece);
                }
            }
        }
        if gap > 0 {
            text += &gap.to_string();
        }
        if r > 0 {
            text.push('/');
        }
    }
    let side = ['w', 'b'][board.seat()];
    format!("{text} {side} - - {} {}", board.clock, board.ply / 2 + 1)
}

/// What people call a seat.
pub(super) fn name(seat: usize) -> &'static str {
    ["Red", "Black"][seat & 1]
}

/// An empty point as its lines meet there.
fn point(r: usize, f: usize) -> char {
    let (top, bottom) = (r == 9 || r == 4, r == 0 || r == 5);
    match (f, top, bottom) {
        (0, ..) if r == 9 => '┌',
        (8, ..) if r == 9 => '┐',
        (0, ..) if r == 0 => '└',
        (8, ..) if r == 0 => '┘',
        (0, ..) => '├',
        (8, ..) => '┤',
        (_, true, _) => '┬',
        (_, _, true) => '┴',
        _ => '┼',
    }
}

/// The lines between the rank `r` and the one below it.
fn between(r: usize) -> String {
    if r == 5 {
        return format!("   │{:^31}│\n", "");
    }
    // The diagonals of the palaces.
    let gap = |f: usize| match (r, f) {
        (9, 3) | (8, 4) | (2, 3) | (1, 4) => " ╲ ",
        (9, 4) | (8, 3) | (2, 4) | (1, 3) => " ╱ ",
        _ => "   ",
    };
    let cells: String = (0..8).map(|f| format!("│{}", gap(f))).collect();
    format!("   {cells}│\n")
}

fn diagram(pos: &Xiangqi) -> String {
    let board = &pos.board;
    let mut text = String::from("   a   b   c   d   e   f   g   h   i\n");
    for r in (0..10).rev() {
        text += &format!("{:>2} ", r + 1);
        for f in 0..9 {
            text.push(letter(board.at[9 * r + f]).unwrap_or_else(|| point(r, f)));
            if f < 8 {
                text += "───";
            }
        }
        text.push('\n');
        if r > 0 {
            text += &between(r);
        }
    }
    let side = name(board.seat());
    text += &match pos.end() {
        None if board.in_check(board.seat()) => format!("{side} to move, in check"),
        None => format!("{side} to move"),
        Some(End::Capture(seat)) => format!("{} has captured the general", name(seat.into())),
        Some(End::Checkmate(seat)) => format!("Checkmate: {} has won", name(seat.into())),
        Some(End::Stalemate(seat)) => {
            format!("{side} has no move: {} has won", name(seat.into()))
        }
        Some(End::PerpetualCheck(seat)) => {
            let (winner, loser) = (name(seat.into()), name(usize::from(seat) ^ 1));
            format!("{loser} gave perpetual check: {winner} has won")
        }
        Some(End::PerpetualChase(seat)) => {
            let (winner, loser) = (name(seat.into()), name(usize::from(seat) ^ 1));
            format!("{loser} chased perpetually: {winner} has won")
        }
        Some(End::Repetition) => "A draw by repetition".to_string(),
        Some(End::NoCapture) => "A draw: no capture for too long".to_string(),
        Some(End::Length) => "A draw by length".to_string(),
    };
    text
}

impl fmt::Display for Xiangqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&diagram(self)) } else { f.pad(&line(&self.board)) }
    }
}

impl fmt::Debug for Xiangqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", line(&self.board), self.rules().name())
    }
}
