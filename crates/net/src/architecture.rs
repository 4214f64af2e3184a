//! Which layers a network has, and the board it looks at.

use std::fmt;
use std::str::FromStr;

use crate::error::NetError;

/// Rows and columns of the largest board.
pub(crate) const MAX_SIDE: usize = 64;

/// Cells and planes a network looks at: its input has `planes` values for each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Planes per position.
    pub planes: usize,
    /// Rows of the board.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
}

impl Shape {
    /// Cells of the board, which is the number of logits.
    pub const fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Numbers in one position's planes.
    pub const fn inputs(&self) -> usize {
        self.planes * self.cells()
    }

    pub(crate) fn check(&self) -> Result<(), NetError> {
        let problem = if !(1..=256).contains(&self.planes) {
            "between 1 and 256 planes"
        } else if !(1..=MAX_SIDE).contains(&self.height) || !(1..=MAX_SIDE).contains(&self.width) {
            "between 1 and 64 rows and columns"
        } else {
            return Ok(());
        };
        Err(NetError::Shape { text: self.to_string(), problem: problem.to_owned() })
    }
}

/// Written as planes, rows and columns: `4x15x15`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.planes, self.height, self.width)
    }
}

impl FromStr for Shape {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Shape, NetError> {
        let numbers: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
        let Some([planes, height, width]) = numbers.as_deref() else {
            return Err(NetError::Shape {
                text: text.to_owned(),
                problem: "planes, rows and columns are wanted, such as 4x15x15".to_owned(),
            });
        };
        let shape = Shape { planes: *planes, height: *height, width: *width };
        shape.check()?;
        Ok(shape)
    }
}

/// The layers of a network.
///
/// ```
/// use spielbaum_net::{Architecture, Shape};
/// let net: Architecture = "res:blocks=4,channels=32".parse()?;
/// assert_eq!(net.to_string(), "res:blocks=4,channels=32");
/// let (small, large) = ("4x6x6".parse()?, "4x15x15".parse()?);
/// assert_eq!(net.parameters(&small), net.parameters(&large));
/// assert!(Architecture::Paper.parameters(&small) < Architecture::Paper.parameters(&large));
/// # Ok::<(), spielbaum_net::NetError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// Three 3x3 convolutions of 32, 64 and 128 channels with ReLU; a policy head (1x1 convolution
    /// to 4 channels, dense) and a value head (1x1 convolution to 2 channels, dense 64, dense 1).
    /// The dense layers tie the weights to one size of the board.
    Paper,
    /// A 3x3 stem, residual blocks of two 3x3 convolutions with batch normalisation, a policy head of
    /// 1x1 convolutions and a value head that pools over the board (mean and maximum): the weights
    /// fit every size of the board.
    Residual {
        /// Residual blocks.
        blocks: usize,
        /// Channels of each convolution, a multiple of 16.
        channels: usize,
    },
}

impl Architecture {
    /// Number of trained parameters on a board.
    pub fn parameters(&self, shape: &Shape) -> usize {
        crate::plan::tensors(*self, shape)
            .iter()
            .filter(|tensor| tensor.trained)
            .map(|tensor| tensor.len())
            .sum()
    }

    /// True if the weights fit every size of the board.
    pub const fn any_board(&self) -> bool {
        matches!(self, Architecture::Residual { .. })
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Architecture::Paper => write!(f, "paper"),
            Architecture::Residual { blocks, channels } => {
                write!(f, "res:blocks={blocks},channels={channels}")
            }
        }
    }
}

impl FromStr for Architecture {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Architecture, NetError> {
        let error = |problem: String| NetError::Architecture { text: text.to_owned(), problem };
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let options = options.split(',').filter(|option| !option.is_empty());
        match name {
            "paper" => match options.into_iter().next() {
                None => Ok(Architecture::Paper),
                Some(option) => Err(error(format!("`paper` has no option `{option}`"))),
            },
            "res" => {
                let (mut blocks, mut channels) = (6, 64);
                for option in options {
                    let (key, value) = option.split_once('=').unwrap_or((option, ""));
                    let number: usize = value
                        .parse()
                        .map_err(|_| error(format!("`{option}`: a number is wanted, {key}=N")))?;
                    match key {
                        "blocks" if (1..=64).contains(&number) => blocks = number,
                        "blocks" => return Err(error("blocks: 1 to 64".to_owned())),
                        "channels" if (16..=512).contains(&number) && number.is_multiple_of(16) => {
                            channels = number;
                        }
                        "channels" => {
                            return Err(error("channels: a multiple of 16, 16 to 512".to_owned()));
                        }
                        _ => {
                            return Err(error(format!(
                                "no option `{key}`; there are blocks and channels"
                            )));
                        }
                    }
                }
                Ok(Architecture::Residual { blocks, channels })
            }
            _ => Err(error("unknown; there are `paper` and `res:blocks=6,channels=64`".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in ["paper", "res:blocks=6,channels=64", "res:blocks=1,channels=16"] {
            assert_eq!(text.parse::<Architecture>().unwrap().to_string(), text);
        }
        assert_eq!("res".parse(), "res:blocks=6,channels=64".parse::<Architecture>());
        for text in
            ["", "pape", "paper:x=1", "res:blocks", "res:blocks=0", "res:channels=20", "res:c=1"]
        {
            assert!(text.parse::<Architecture>().is_err(), "{text}");
        }
        for text in ["4x6x6", "1x3x7"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        for text in ["4x6", "4x6x0", "0x6x6", "4x6x65", "4x6x6x6", "axb"] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }

    #[test]
    fn parameters_of_the_paper() {
        // 4-32-64-128 with biases, then the heads on 36 cells.
        let trunk = (4 * 9 + 1) * 32 + (32 * 9 + 1) * 64 + (64 * 9 + 1) * 128;
        let policy = 129 * 4 + (4 * 36 + 1) * 36;
        let value = 129 * 2 + (2 * 36 + 1) * 64 + 65;
        let shape = "4x6x6".parse().unwrap();
        assert_eq!(Architecture::Paper.parameters(&shape), trunk + policy + value);
    }
}
