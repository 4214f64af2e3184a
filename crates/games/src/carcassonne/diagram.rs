//! A drawing of the board in the terminal: seven columns and three rows a tile.
//!
//! A tile is nine parts, three by three. The middles of its sides show what meets the neighbours,
//! the corners the fields between, and the centre what the tile joins. A digit is a player's meeple.

use super::tiles::{FITS, Kind, NONE, ORIENTED, Oriented, letter};
use super::{Carcassonne, Phase};
use spielbaum_core::Game;

/// Part of each side, and of the corner clockwise behind it.
const SIDES: [usize; 4] = [1, 5, 7, 3];
const CORNERS: [usize; 4] = [2, 8, 6, 0];
const CENTRE: usize = 4;

/// The segment that each part shows; crossings and corners between two cities show none.
fn parts(look: &Oriented) -> [u8; 9] {
    let mut parts = [NONE; 9];
    for side in 0..4 {
        parts[SIDES[side]] = look.side[side];
        let (here, next) = (2 * side + 1, (2 * side + 2) % 8);
        let field = look.half[here].min(look.half[next]);
        let is_one_city = look.side[side] == look.side[(side + 1) % 4];
        parts[CORNERS[side]] = if field == NONE && is_one_city { look.side[side] } else { field };
    }
    let of = |kind: Kind| look.of_kind[kind as usize];
    let wide =
        |kind: Kind| (0..8).find(|&s| of(kind) >> s & 1 != 0 && look.reach[s].count_ones() > 1);
    parts[CENTRE] = if of(Kind::Cloister) != 0 {
        look.spots - 1
    } else if let Some(line) = wide(Kind::Road).or_else(|| wide(Kind::City)) {
        line as u8
    } else if of(Kind::Road) != 0 {
        NONE
    } else {
        of(Kind::Field).trailing_zeros() as u8
    };
    parts
}

/// Where a meeple stands on a segment: the centre, or else a corner of a field and a side of others.
fn stand(look: &Oriented, parts: &[u8; 9], spot: u8) -> usize {
    let places = match look.kinds[spot as usize] {
        Kind::Field => [2, 8, 6, 0, 1, 5, 7, 3, CENTRE],
        Kind::Road => [1, 5, 7, 3, CENTRE, 2, 8, 6, 0],
        _ => [CENTRE, 1, 5, 7, 3, 2, 8, 6, 0],
    };
    places.into_iter().find(|&p| parts[p] == spot).unwrap_or(CENTRE)
}

/// The three rows of a tile, with the meeples on it.
fn rows(look: &Oriented, meeples: &[(u8, usize)]) -> [String; 3] {
    let parts = parts(look);
    let road = |side: usize| look.edges >> (2 * side) & 3 == super::tiles::ROAD;
    let mut cells: [[char; 3]; 9] = std::array::from_fn(|part| {
        let spot = parts[part];
        let fill = match spot {
            NONE => '·',
            _ if look.kinds[spot as usize] == Kind::City => '▒',
            _ => '·',
        };
        let mut cell = [fill; 3];
        match part {
            1 | 7 if road(part / 3) => cell[1] = '│',
            3 if road(3) => cell = ['─'; 3],
            5 if road(1) => cell = ['─'; 3],
            0 | 2 | 6 | 8 if spot == NONE => cell = ['╱', '╱', '╱'],
            CENTRE if look.of_kind[Kind::Cloister as usize] != 0 => cell = ['[', '†', ']'],
            CENTRE if spot == NONE || look.kinds[spot as usize] == Kind::Road => {
                let ends = (0..4).filter(|&s| road(s)).map(|s| 1 << s).sum();
                cell = centre(ends, spot == NONE);
            }
            _ => {}
        }
        cell
    });
    if look.shield {
        let shown = [1, 5, 7, 3].into_iter().rfind(|&p| parts[p] == 0).unwrap_or(CENTRE);
        cells[shown][1] = '*';
    }
    for &(spot, seat) in meeples {
        cells[stand(look, &parts, spot)][1] = (b'1' + seat as u8) as char;
    }
    std::array::from_fn(|row| {
        let [west, middle, east] = [0, 1, 2].map(|column| cells[3 * row + column]);
        [&west[..2], &middle[..], &east[1..]].concat().into_iter().collect()
    })
}

/// Where roads meet: a crossing, or one road by the sides that it reaches.
fn centre(ends: u8, is_crossing: bool) -> [char; 3] {
    let line = |side: u8| if ends >> side & 1 != 0 { '─' } else { '·' };
    let middle = match ends {
        _ if is_crossing => 'o',
        0b0101 => '│',
        0b1010 => '─',
        0b0011 => '└',
        0b0110 => '┌',
        0b1100 => '┐',
        _ => '┘',
    };
    [line(3), middle, line(1)]
}

/// The board with coordinates, the players, and the tile in hand.
pub(super) fn diagram(pos: &Carcassonne) -> String {
    let open = pos.board.open();
    let (left, right) = (open.iter().map(|o| o.x).min(), open.iter().map(|o| o.x).max());
    let (top, bottom) = (open.iter().map(|o| o.y).min(), open.iter().map(|o| o.y).max());
    let (Some(left), Some(right), Some(top), Some(bottom)) = (left, right, top, bottom) else {
        return String::new();
    };
    let width = usize::from(right.abs_diff(left)) + 1;
    let mut text = String::from("    ");
    (left..=right).for_each(|x| text += &format!("{x:^7}"));
    for y in top..=bottom {
        let mut lines: [String; 3] = std::array::from_fn(|_| String::with_capacity(21 * width));
        for x in left..=right {
            for (line, part) in lines.iter_mut().zip(square(pos, x, y)) {
                *line += &part;
            }
        }
        for (row, line) in lines.iter().enumerate() {
            let label = if row == 1 { y.to_string() } else { String::new() };
            text = text.trim_end().to_string() + &format!("\n{label:>3} {line}");
        }
    }
    text = text.trim_end().to_string() + "\n\n";
    let scores = pos.scores().unwrap_or_default();
    let on_turn = pos.turn().player().filter(|_| !pos.is_over());
    for (seat, score) in scores.iter().enumerate().take(pos.players()) {
        let mark = if on_turn == Some(seat) { '>' } else { ' ' };
        text += &format!(
            "{mark} {} {:<7}{score:>4} points, {} meeples at hand\n",
            seat + 1,
            pos.seat_name(seat),
            pos.supply(seat)
        );
    }
    text + &status(pos)
}

/// The rows of a square of the board: a tile, a place for the tile in hand, or nothing.
fn square(pos: &Carcassonne, x: i8, y: i8) -> [String; 3] {
    let placed = pos.board.tiles().iter().position(|t| (t.x, t.y) == (x, y));
    if let Some(index) = placed {
        let tile = pos.board.tile(index as u8);
        let here = pos.seats.on_board().filter(|(_, m)| usize::from(m.tile) == index);
        let meeples: Vec<(u8, usize)> =
            here.map(|(seat, m)| (m.segment - tile.first, seat)).collect();
        return rows(tile.look(), &meeples);
    }
    let fits = pos.phase == Phase::Place
        && pos
            .board
            .find_open(x, y)
            .is_some_and(|at| FITS[0][pos.hand as usize][pos.board.edges()[at] as usize] != 0);
    let middle = if fits { "  ( )  " } else { "       " };
    [" ".repeat(7), middle.to_string(), " ".repeat(7)]
}

fn status(pos: &Carcassonne) -> String {
    let to_come = pos.bag.total + pos.dealt - pos.drawn;
    let discarded = pos.discarded();
    let gone =
        if discarded.is_empty() { String::new() } else { format!(", {discarded} fitted nowhere") };
    match pos.phase {
        Phase::Over => format!("The game is over{gone}"),
        Phase::Deal => format!("Tiles are dealt, {} to come", pos.bag.total),
        Phase::Draw => {
            format!(
                "A tile is drawn for {}, {to_come} to come{gone}",
                pos.seat_name(pos.seat.into())
            )
        }
        Phase::Place => {
            let name = pos.seat_name(pos.seat.into());
            let tile = pos.hand as usize;
            let picture = rows(&ORIENTED[4 * tile], &[]).map(|row| format!("\n    {row}")).concat();
            format!("{name} places {}, {to_come} to come{gone}{picture}", letter(tile))
        }
    }
}
