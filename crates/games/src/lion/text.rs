//! Positions as text: one line in the manner of FEN, and a diagram.

use super::Lion;
use super::board::{Board, CHICK, ELEPHANT, GIRAFFE, HEN, LION, LION_IN_HAND, lion};
use super::moves::Square;
use super::rules::{End, Rules};
use spielbaum_core::ParseError;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The start position.
pub(super) const START: &str = "gle/1c1/1C1/ELG[] w - - 0 1";
const FORM: &str = "a position reads like `gle/1c1/1C1/ELG[] w - - 0 1`";
const MEN: [(char, u64); 4] = [('c', CHICK), ('g', GIRAFFE), ('e', ELEPHANT), ('l', LION)];
/// The hand in the order of its notation: letter, place of the counter, its width.
const HAND: [(char, u8, u8); 4] = [('l', 6, 1), ('g', 2, 3), ('c', 0, 3), ('e', 4, 3)];

/// The words of a text with their places.
fn words(text: &str) -> Vec<(&str, Range<usize>)> {
    (text.split_whitespace())
        .map(|word| {
            let from = word.as_ptr() as usize - text.as_ptr() as usize;
            (word, from..from + word.len())
        })
        .collect()
}

/// Reads a position and judges whether the game is over in it.
pub(super) fn parse(text: &str, rules: &Rules) -> Result<Board, ParseError> {
    let words = words(text);
    let Some((board, at)) = words.first().cloned() else {
        return Err(ParseError::new("there is no position").help(FORM));
    };
    let (squares, hand) = match board.split_once('[') {
        Some((squares, hand)) => match hand.strip_suffix(']') {
            Some(hand) => (squares, hand),
            None => {
                return Err(ParseError::new("the hand is not closed").at(at).help("write `]`"));
            }
        },
        None => (board, ""),
    };
    let men = parse_squares(squares, at.start)?;
    let hands = parse_hands(hand, at.start + squares.len() + 1)?;
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
    check_material(men, hands)?;
    let mut board = Board::new(men, hands, 2 * (turn - 1) + u16::from(black), clock);
    board.end = board.judge(rules.arrival);
    Ok(board)
}

fn parse_squares(text: &str, start: usize) -> Result<[u64; 2], ParseError> {
    let wrong = |problem: String, i: usize| {
        let from = if i < text.len() { i } else { 0 };
        ParseError::new(problem).at(start + from..start + text.len()).help(FORM)
    };
    let mut men = [0; 2];
    let (mut rank, mut file) = (3u8, 0u8);
    let mut plus = false;
    let mut letters = text.char_indices().peekable();
    while let Some((i, letter)) = letters.next() {
        if plus && !letter.eq_ignore_ascii_case(&'c') {
            return Err(wrong(format!("`+` before `{letter}`: only a chick is promoted"), i));
        }
        match letter {
            '/' if file != 3 => {
                return Err(wrong(format!("rank {} has {file} squares, not 3", rank + 1), i));
            }
            '/' if rank == 0 => return Err(wrong("there are more than four ranks".into(), i)),
            '/' => (rank, file) = (rank - 1, 0),
            '+' => plus = true,
            '1'..='3' => file += letter as u8 - b'0',
            _ => {
                let known = MEN.iter().find(|m| m.0 == letter.to_ascii_lowercase());
                let Some(&(_, man)) = known else {
                    return Err(wrong(format!("`{letter}` is not a man"), i)
                        .help("men: c g e l and +c, upper case for White"));
                };
                if file < 3 {
                    let man = if plus { HEN } else { man };
                    men[usize::from(letter.is_ascii_lowercase())] |= man << (rank * 4 + file);
                }
                file += 1;
                plus = false;
            }
        }
        if file > 3 {
            return Err(wrong(format!("rank {} has more than 3 squares", rank + 1), i));
        }
        if plus && letters.peek().is_none() {
            return Err(wrong("`+` at the end: a chick is missing".into(), i));
        }
    }
    if rank != 0 || file != 3 {
        return Err(wrong("the board ends before its twelfth square".into(), text.len()));
    }
    Ok(men)
}

fn parse_hands(text: &str, start: usize) -> Result<[u8; 2], ParseError> {
    let mut hands = [0u8; 2];
    if text == "-" {
        return Ok(hands);
    }
    for (i, letter) in text.char_indices() {
        let at = start + i..start + i + letter.len_utf8();
        let known = HAND.iter().find(|h| h.0 == letter.to_ascii_lowercase());
        let Some(&(_, shift, mask)) = known else {
            return Err(ParseError::new(format!("`{letter}` cannot be in a hand"))
                .at(at)
                .help("men in hand: c g e, upper case for White's; l in a finished game"));
        };
        let hand = &mut hands[usize::from(letter.is_ascii_lowercase())];
        if *hand >> shift & mask >= mask.min(2) {
            return Err(ParseError::new(format!("too many `{letter}` in hand")).at(at));
        }
        *hand += 1 << shift;
    }
    Ok(hands)
}

/// There are two of each kind; a lion that is not on the board is in the other's hand.
fn check_material(men: [u64; 2], hands: [u8; 2]) -> Result<(), ParseError> {
    for (colour, name) in [(0, "White"), (1, "Black")] {
        let lions = lion(men[colour]).count_ones();
        let taken = hands[colour ^ 1] & LION_IN_HAND != 0;
        let problem = match (lions, taken) {
            (0, true) | (1, false) => continue,
            (0, false) => format!("{name} has no lion"),
            (1, true) => format!("{name}'s lion is on the board and in the hand"),
            _ => format!("{name} has {lions} lions"),
        };
        return Err(ParseError::new(problem).help("each side has one lion, lost ones are in hand"));
    }
    if hands[0] & hands[1] & LION_IN_HAND != 0 {
        return Err(ParseError::new("both lions are in hand"));
    }
    let held = |shift: u8| u32::from(hands[0] >> shift & 3) + u32::from(hands[1] >> shift & 3);
    let placed = |set: fn(u64) -> u64| (set(men[0]) | set(men[1])).count_ones();
    let counts = [
        ("chicks and hens", held(0) + placed(|m| m & 0xffff | m >> 48)),
        ("giraffes", held(2) + placed(|m| m >> 16 & !(m >> 32) & !(m >> 48) & 0xffff)),
        ("elephants", held(4) + placed(|m| m >> 32 & !(m >> 16) & 0xffff)),
    ];
    for (name, count) in counts {
        if count > 2 {
            return Err(ParseError::new(format!("there are {count} {name}"))
                .help("the game has two of each kind, boards and hands together"));
        }
    }
    Ok(())
}

/// Letter of the man on a square, upper case for White, `+` before a hen.
fn man_text(board: &Board, square: Square) -> Option<String> {
    (0..2).find_map(|colour| {
        let man = board.man(colour, square);
        let (plus, base) = if man == HEN { ("+", CHICK) } else { ("", man) };
        let letter = MEN.iter().find(|m| m.1 == base)?.0;
        let letter = if colour == 0 { letter.to_ascii_uppercase() } else { letter };
        Some(format!("{plus}{letter}"))
    })
}

fn hand_text(board: &Board, colour: usize) -> String {
    let mut text = String::new();
    for (letter, shift, mask) in HAND {
        let letter = if colour == 0 { letter.to_ascii_uppercase() } else { letter };
        for _ in 0..board.hands[colour] >> shift & mask {
            text.push(letter);
        }
    }
    text
}

fn line(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..4).rev() {
        let mut gap = 0;
        for file in 0..3 {
            match man_text(board, rank * 4 + file) {
                None => gap += 1,
                Some(man) => {
                    if gap > 0 {
                        text += &gap.to_string();
                    }
                    gap = 0;
                    text += &man;
                }
            }
        }
        if gap > 0 {
            text += &gap.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    let side = if board.white() { 'w' } else { 'b' };
    let (white, black) = (hand_text(board, 0), hand_text(board, 1));
    format!("{text}[{white}{black}] {side} - - {} {}", board.clock, board.ply / 2 + 1)
}

/// What people call a seat.
pub(super) fn name(seat: u8) -> &'static str {
    if seat == 0 { "White" } else { "Black" }
}

fn diagram(pos: &Lion) -> String {
    let board = &pos.board;
    let mut text = String::from("    a   b   c\n  ┌───┬───┬───┐\n");
    for rank in (0..4).rev() {
        text += &format!("{} ", rank + 1);
        for file in 0..3 {
            let man = man_text(board, rank * 4 + file).unwrap_or_default();
            // A hen's plus sign takes the blank before the letter.
            text += &format!("│{man:>2} ");
        }
        text.push('│');
        let hand = |colour| match hand_text(board, colour) {
            none if none.is_empty() => "nothing".to_string(),
            some => some,
        };
        if rank == 3 {
            text += &format!("  Black holds {}", hand(1));
        } else if rank == 0 {
            text += &format!("  White holds {}", hand(0));
        }
        text += if rank > 0 {
            "\n  ├───┼───┼───┤\n"
        } else {
            "\n  └───┴───┴───┘\n"
        };
    }
    text += &match pos.end() {
        None => format!("{} to move", name((board.ply & 1) as u8)),
        Some(End::Capture(seat)) => format!("{} has taken the lion", name(seat)),
        Some(End::Try(seat)) => format!("{}'s lion is home", name(seat)),
        Some(End::NoMoves(seat)) => format!("{} has no move", name(1 - seat)),
        Some(End::BothHome) => "Both lions are home: a draw".to_string(),
        Some(End::Repetition) => "A draw by repetition".to_string(),
        Some(End::Length) => "A draw by length".to_string(),
    };
    text
}

impl fmt::Display for Lion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&diagram(self)) } else { f.pad(&line(&self.board)) }
    }
}

impl fmt::Debug for Lion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", line(&self.board), self.rules().name())
    }
}
