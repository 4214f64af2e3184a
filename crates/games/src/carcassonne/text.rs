//! Positions as one line, and back.

use super::setup::{DRAWN, Setup};
use super::tiles::{FITS, ORIENTED, letter, of_letter, spot_name};
use super::{Carcassonne, DISCARDED, Move, Phase};
use spielbaum_core::{Game, ParseError, Turn};
use std::fmt;
use std::ops::Range;

/// The first word of every position.
const START: &str = "D@0:0r0";

/// `D@0:0r0 U@1:0r1 Q E@0:-1r2+city0 V`: placements in order, between them tiles that fitted nowhere, at the
/// end the tile in hand. A known order: what is to come, the tile in hand first, behind ` |`; ` | ?` if
/// the seat whose view it is may not know it.
fn line(pos: &Carcassonne) -> String {
    let mut text = START.to_string();
    let mut placed = pos.board.tiles()[1..].iter();
    for &tile in &pos.order[..pos.drawn as usize] {
        if tile & DISCARDED != 0 {
            text += &format!(" {}", letter((tile & !DISCARDED) as usize));
        } else if let Some(tile) = placed.next() {
            let rotation = usize::from(tile.oriented % 4);
            text += " ";
            text +=
                &Move::place(tile.kind(), tile.x, tile.y, rotation, tile.claim.into()).to_string();
        } else if !pos.setup.known {
            text += &format!(" {}", letter(tile as usize));
        }
    }
    if pos.setup.known {
        let in_hand = u8::from(pos.phase == Phase::Place);
        let to_come = &pos.order[(pos.drawn - in_hand) as usize..pos.dealt as usize];
        text += if to_come.is_empty() { " |" } else { " | " };
        text.extend(to_come.iter().map(|&t| letter(t as usize)));
    }
    if pos.setup.veiled {
        text += VEIL;
    }
    text
}

/// Stands for an order that a seat may not know.
const VEIL: &str = " | ?";

impl fmt::Display for Carcassonne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&super::diagram::diagram(self)) } else { f.pad(&line(self)) }
    }
}

impl fmt::Debug for Carcassonne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self))
    }
}

/// A word and where it stands.
type Word<'a> = (&'a str, Range<usize>);

enum Step {
    /// A tile alone: drawn.
    Draw(usize),
    Place(Move),
}

impl Step {
    fn tile(&self) -> usize {
        match self {
            Step::Draw(tile) => *tile,
            Step::Place(m) => m.tile(),
        }
    }
}

pub(super) fn parse(setup: Setup, text: &str) -> Result<Carcassonne, ParseError> {
    let (played, to_come) = match text.split_once('|') {
        Some((played, to_come)) => (played, Some((to_come.trim(), played.len() + 1))),
        None => (text, None),
    };
    let mut words = played.split(' ').filter(|w| !w.is_empty()).map(|w| {
        let from = w.as_ptr() as usize - text.as_ptr() as usize;
        (w, from..from + w.len())
    });
    match words.next() {
        Some((START, _)) => {}
        other => {
            let at = other.map_or(0..0, |(_, at)| at);
            return Err(ParseError::new("a position begins with the start tile")
                .at(at)
                .help(format!("as in `{START} U@1:0r1`")));
        }
    }
    let mut steps = Vec::new();
    for (word, at) in words {
        steps.push((step(word, &at)?, (word, at)));
    }
    match (setup.known, to_come) {
        (false, None) => hidden(setup, &steps),
        (known, Some(("?", _))) if known || setup.veiled => {
            hidden(Setup { known: false, veiled: true, ..setup }, &steps)
        }
        (true, None) => Err(ParseError::new("the tiles to come are missing").help(format!(
            "the letters of all of them behind a bar, or `{}{VEIL}` if they are not known",
            played.trim_end()
        ))),
        (true, Some((to_come, from))) => known(setup, &steps, to_come, from),
        (false, Some((_, from))) => Err(ParseError::new("the order of the tiles is hidden here")
            .at(from - 1..from)
            .help("no `|`, or a game with `order=known`")),
    }
}

fn step(word: &str, at: &Range<usize>) -> Result<Step, ParseError> {
    let mut letters = word.chars();
    if let (Some(tile), None) = (letters.next().and_then(of_letter), letters.next()) {
        return Ok(Step::Draw(tile));
    }
    match Move::parse_place(word) {
        Some(m) => Ok(Step::Place(m)),
        None => Err(ParseError::new(format!("`{word}` is neither a tile nor a placement"))
            .at(at.clone())
            .help("tiles are A to X, placements as `U@3:-2r1` or `U@3:-2r1+road0`")),
    }
}

/// Replays draws and placements; a placement says what was drawn before it.
fn hidden(setup: Setup, steps: &[(Step, Word<'_>)]) -> Result<Carcassonne, ParseError> {
    let mut pos = Carcassonne::blank(setup);
    for (step, (word, at)) in steps {
        let wrong =
            |problem: String| ParseError::new(format!("{problem} at `{word}`")).at(at.clone());
        let tile = step.tile();
        if pos.is_over() {
            return Err(wrong("the game is over".into()));
        }
        if pos.turn() == Turn::Chance {
            if pos.bag.copies[tile] == 0 {
                return Err(wrong(format!("no tile {} is left", letter(tile))));
            }
            pos.give(tile);
        } else {
            let hand = letter(pos.hand as usize);
            let told = matches!(step, Step::Place(_)) && tile == pos.hand as usize;
            if !told {
                return Err(wrong(format!("tile {hand} fits and has to be placed first")));
            }
        }
        if let Step::Place(m) = step {
            pos.check(*m).map_err(|e| e.at(at.clone()))?;
            pos.play(*m);
        }
    }
    Ok(pos)
}

/// Puts the tiles that were played and those to come onto the stack, and replays the placements.
fn known(
    setup: Setup,
    steps: &[(Step, Word<'_>)],
    to_come: &str,
    from: usize,
) -> Result<Carcassonne, ParseError> {
    let mut list = Vec::new();
    let mut left = setup.set;
    let mut add = |tile: usize, at: Range<usize>| {
        if left.copies[tile] == 0 {
            return Err(ParseError::new(format!("too many tiles {}", letter(tile))).at(at));
        }
        left.take(tile);
        list.push(tile as u8);
        Ok(())
    };
    for (step, (_, at)) in steps {
        add(step.tile(), at.clone())?;
    }
    for c in to_come.chars() {
        let Some(tile) = of_letter(c) else {
            return Err(ParseError::new(format!("`{c}` is not a tile to come"))
                .help("letters A to X behind the bar, nothing between them"));
        };
        add(tile, from - 1..from)?;
    }
    let mut pos = Carcassonne::blank(setup);
    if left.total > 0 {
        if !steps.is_empty() {
            return Err(ParseError::new(format!("{} tiles to come are missing", left.total))
                .at(from - 1..from));
        }
        for &tile in &list {
            pos.give(tile as usize);
        }
        return Ok(pos);
    }
    debug_assert!(list.len() <= DRAWN);
    pos.stack(&list);
    for (step, (word, at)) in steps {
        let Step::Place(m) = step else { continue };
        if pos.is_over() || m.tile() != pos.hand as usize {
            let next = pos.hand().map_or("no tile".to_string(), |c| format!("tile {c}"));
            return Err(ParseError::new(format!("{next} is to be placed, not `{word}`"))
                .at(at.clone())
                .help("tiles that stand alone are those that fit nowhere"));
        }
        pos.check(*m).map_err(|e| e.at(at.clone()))?;
        pos.play(*m);
    }
    let gone = usize::from(pos.drawn) - usize::from(pos.phase == Phase::Place);
    if gone != steps.len() {
        return Err(ParseError::new("a tile stands on the wrong side of the bar")
            .at(from - 1..from)
            .help("before it placements and tiles that fit nowhere, behind it all others"));
    }
    Ok(pos)
}

impl Carcassonne {
    /// Whether a placement of the tile in hand is legal, and if not, why.
    pub(super) fn check(&self, m: Move) -> Result<(), ParseError> {
        let wrong = |problem: String| Err(ParseError::new(format!("`{m}`: {problem}")));
        if self.phase != Phase::Place || m.is_draw() || m.tile() != self.hand as usize {
            return wrong("this tile is not in hand".into());
        }
        let (x, y) = m.at();
        let Some(at) = self.board.find_open(x, y) else {
            return wrong(format!("{x}:{y} is not an empty square beside a tile"));
        };
        let fit = FITS[1][m.tile()][self.board.edges()[at] as usize];
        if fit >> m.rotation() & 1 == 0 {
            return wrong("an edge does not fit".into());
        }
        let fit = FITS[self.setup.table()][m.tile()][self.board.edges()[at] as usize];
        if fit >> m.rotation() & 1 == 0 {
            let same = m.rotation() % usize::from(super::tiles::TILES[m.tile()].rotations);
            return wrong(format!("a rotation that looks like r{same}, which is the one listed"));
        }
        let Some(spot) = m.spot().checked_sub(1) else { return Ok(()) };
        if spot >= usize::from(ORIENTED[4 * m.tile()].spots) {
            return wrong("the tile has no such segment".into());
        }
        if self.seats.supply[self.seat as usize] == 0 {
            return wrong("no meeple is left".into());
        }
        if !self.is_free(at, 4 * m.tile() + m.rotation(), spot) {
            return wrong(format!(
                "someone stands on the feature of {}",
                spot_name(m.tile(), spot)
            ));
        }
        Ok(())
    }
}
