//! Which cells the tuples of a net look at.

use std::fmt;
use std::str::FromStr;

/// The longest tuple: a table of 16^7 weights is a gigabyte.
const MAX_CELLS: usize = 7;

/// The most weights of a net.
const MAX_WEIGHTS: usize = 1 << 28;

/// Cells are counted along the rows of a board of so many columns, whatever the board of a game.
const SIDE: usize = 4;

/// A net that has a name.
pub struct NamedNet {
    /// Its name.
    pub name: &'static str,
    /// Its tuples, as [`Shape`] writes them.
    pub shape: &'static str,
    /// One line for people.
    pub help: &'static str,
}

/// The nets that have names. Tuples lie in the corner of the last cells: the index counts the first cell
/// least, and with a cell from the middle there a game meets fewer cache lines than with the corner.
pub static NETS: &[NamedNet] = &[
    NamedNet {
        name: "4x4",
        shape: "cdef-89ab-abef-9ade-679a",
        help: "lines and squares of four cells (after Szubert and Jaśkowski 2014)",
    },
    NamedNet {
        name: "small",
        shape: "bcdef-789ab-abdef-9abde-679ab-5679a",
        help: "six tuples of five cells: the shipped net",
    },
    NamedNet {
        name: "4x6",
        shape: "abcdef-6789ab-9abdef-5679ab",
        help: "four tuples of six cells (Yeh et al. 2017)",
    },
    NamedNet {
        name: "8x6",
        shape: "9abdef-6789ab-abcdef-69abcd-56adef-789abc-89abce-567bef",
        help: "eight tuples of six cells (Matsuzaki 2016)",
    },
];

/// The tuples of a net. As text: the cells of each as hexadecimal digits, 0 to 3 the first row,
/// tuples joined by `-`; or one of the [names](NETS).
///
/// ```
/// use spielbaum_learn::ntuple::Shape;
/// let shape: Shape = "0145-0123".parse().unwrap();
/// assert_eq!(shape.weights(), 2 * 16usize.pow(4));
/// assert_eq!(shape.to_string(), "0145-0123");
/// assert!("4x6".parse::<Shape>().is_ok() && "0110".parse::<Shape>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    tuples: Vec<Vec<u8>>,
}

impl Shape {
    /// The cells of each tuple, ascending.
    pub fn tuples(&self) -> &[Vec<u8>] {
        &self.tuples
    }

    /// The number of weights.
    pub fn weights(&self) -> usize {
        self.tuples.iter().map(|cells| 1 << (4 * cells.len())).sum()
    }

    /// Whether all cells lie on a board of so many rows and columns: those beyond are empty for ever,
    /// and tuples with them learn little. The error says what would be right.
    pub fn fits(&self, (rows, columns): (usize, usize)) -> Result<(), String> {
        let cells = || self.tuples.iter().flatten().map(|&cell| usize::from(cell));
        let needed = (
            1 + cells().map(|cell| cell / SIDE).max().unwrap_or(0),
            1 + cells().map(|cell| cell % SIDE).max().unwrap_or(0),
        );
        if needed.0 <= rows && needed.1 <= columns {
            return Ok(());
        }
        let text = self.to_string();
        let name = NETS.iter().find(|net| net.shape == text).map_or(&*text, |net| net.name);
        let (all, some) = (block(rows, columns), block(rows.min(2), columns.min(3)));
        Err(format!(
            "the net {name} is for a board of {} x {}, and this one is {rows} x {columns}; give tuples of \
             its cells, {all}, such as {some}",
            needed.0, needed.1
        ))
    }
}

/// The cells of the first rows and columns.
fn block(rows: usize, columns: usize) -> String {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| SIDE * row + column));
    cells.map(|cell| format!("{cell:x}")).collect()
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = NETS.iter().find(|net| net.name == text).map_or(text, |net| net.shape);
        let tuples = text.split('-').map(tuple).collect::<Result<Vec<_>, _>>()?;
        let shape = Shape { tuples };
        if shape.weights() > MAX_WEIGHTS {
            let (have, most) = (shape.weights() >> 20, MAX_WEIGHTS >> 20);
            return Err(format!("a net of {have} Mi weights, and {most} Mi are the most"));
        }
        Ok(shape)
    }
}

fn tuple(text: &str) -> Result<Vec<u8>, String> {
    let names: Vec<&str> = NETS.iter().map(|net| net.name).collect();
    let digit = |c: char| c.to_digit(16).filter(|_| !c.is_uppercase()).map(|d| d as u8);
    let cells: Option<Vec<u8>> = text.chars().map(digit).collect();
    match cells {
        Some(cells) if cells.is_empty() || cells.len() > MAX_CELLS => {
            Err(format!("a tuple of {} cells, not 1 to {MAX_CELLS}", cells.len()))
        }
        Some(cells) if cells.windows(2).any(|pair| pair[0] >= pair[1]) => {
            Err(format!("the cells of `{text}` do not ascend"))
        }
        Some(cells) => Ok(cells),
        None => Err(format!(
            "`{text}` is no tuple: cells are hexadecimal digits as in 0145, tuples are joined by `-`; \
             or a name: {}",
            names.join(", ")
        )),
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, tuple) in self.tuples.iter().enumerate() {
            f.write_str(if i > 0 { "-" } else { "" })?;
            tuple.iter().try_for_each(|cell| write!(f, "{cell:x}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_nets_are_read_and_written() {
        for net in NETS {
            let shape: Shape = net.name.parse().unwrap();
            assert_eq!(shape.to_string(), net.shape);
            assert!(!net.help.is_empty());
        }
        assert_eq!("8x6".parse::<Shape>().unwrap().weights(), 8 << 24);
    }

    #[test]
    fn what_is_no_net_is_told() {
        for (text, problem) in [
            ("", "0 cells"),
            ("01234567", "8 cells"),
            ("01-10", "do not ascend"),
            ("5x6", "is no tuple"),
            ("0123-", "0 cells"),
            ("0123456-1234567", "Mi weights"),
        ] {
            let error = text.parse::<Shape>().unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn cells_beyond_the_board_are_told() {
        let fits = |text: &str, board| text.parse::<Shape>().unwrap().fits(board);
        for net in NETS {
            assert_eq!(fits(net.name, (4, 4)), Ok(()));
            for board in [(3, 3), (2, 4), (4, 3), (2, 2)] {
                assert!(fits(net.name, board).is_err(), "{} {board:?}", net.name);
            }
        }
        let error = fits("4x6", (3, 3)).unwrap_err();
        assert!(error.contains("the net 4x6 is for a board of 4 x 4, and this one is 3 x 3"));
        assert!(error.ends_with("its cells, 01245689a, such as 012456"), "{error}");
        let error = fits("0145-123", (3, 3)).unwrap_err();
        assert!(error.contains("the net 0145-123 is for a board of 2 x 4"), "{error}");
        assert!(fits("048c", (3, 4)).unwrap_err().contains("for a board of 4 x 1"));
        // What a message proposes is right.
        for board in [(3, 3), (2, 4), (4, 2), (2, 2), (3, 4)] {
            let error = fits("f", board).unwrap_err();
            let proposed = error.rsplit(' ').next().unwrap();
            assert_eq!(fits(proposed, board), Ok(()), "{error}");
        }
    }
}
