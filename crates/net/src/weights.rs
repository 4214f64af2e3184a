//! The numbers of a network, with what is needed to use them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::architecture::{Architecture, Shape};
use crate::error::NetError;
use crate::plan::{self, Start};
use crate::tensors::{Tensor, Tensors};

/// Keys of the header that this crate writes itself.
const ARCHITECTURE: &str = "architecture";
const SHAPE: &str = "shape";

/// The tensors of a network, its architecture and shape, and free texts (the game, the state of
/// the training). Kept in a safetensors file.
///
/// ```
/// use spielbaum_net::{Architecture, CpuNet, Forward, Shape, Weights};
/// let shape = Shape { planes: 4, height: 6, width: 6 };
/// let mut weights = Weights::new(Architecture::Paper, shape, 1)?;
/// weights.metadata.insert("game".to_owned(), "gomoku:size=6,k=4".to_owned());
/// let mut net = CpuNet::new(&weights)?;
/// let (mut logits, mut values) = (vec![0.0; 36], vec![0.0]);
/// net.forward(1, &vec![0.0; 4 * 36], &mut logits, &mut values);
/// assert!(values[0].abs() < 1.0);
/// # Ok::<(), spielbaum_net::NetError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Free texts that go into the file's header; `architecture` and `shape` are written anew.
    pub metadata: BTreeMap<String, String>,
    architecture: Architecture,
    shape: Shape,
    tensors: Vec<Tensor>,
}

/// SplitMix64 (Steele, Lea and Flood 2014), enough for a start.
struct SplitMix(u64);

impl SplitMix {
    /// Uniform between -1 and 1, a multiple of 2^-23.
    fn signed(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

impl Weights {
    /// Fresh weights, a function of architecture, shape and seed alone.
    ///
    /// # Errors
    ///
    /// A shape out of bounds.
    pub fn new(architecture: Architecture, shape: Shape, seed: u64) -> Result<Weights, NetError> {
        shape.check()?;
        let mut random = SplitMix(seed);
        let tensors = plan::tensors(architecture, &shape).into_iter().map(|spec| {
            let data = (0..spec.len()).map(|_| match spec.start {
                Start::Uniform(bound) => bound * random.signed(),
                Start::Constant(value) => value,
            });
            Tensor { data: data.collect(), name: spec.name, dims: spec.dims }
        });
        Ok(Weights { metadata: BTreeMap::new(), architecture, shape, tensors: tensors.collect() })
    }

    /// The layers.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Planes and board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All tensors, in the order of the file.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    pub(crate) fn tensors_mut(&mut self) -> &mut [Tensor] {
        &mut self.tensors
    }

    /// The numbers of a tensor of this architecture.
    pub(crate) fn data(&self, name: &str) -> &[f32] {
        let tensor = self.tensors.iter().find(|tensor| tensor.name == name);
        &tensor.expect("weights hold every tensor of their plan").data
    }

    /// The same weights for a board of another size.
    ///
    /// # Errors
    ///
    /// A size out of bounds, or an architecture tied to one size.
    pub fn for_board(&self, height: usize, width: usize) -> Result<Weights, NetError> {
        let shape = Shape { height, width, ..self.shape };
        shape.check()?;
        if shape != self.shape && !self.architecture.any_board() {
            return Err(NetError::Shape {
                text: shape.to_string(),
                problem: format!(
                    "`{}` weights fit {} alone; `res` fits every board",
                    self.architecture, self.shape
                ),
            });
        }
        Ok(Weights { shape, ..self.clone() })
    }

    /// Takes tensors with the texts `architecture` and `shape`.
    ///
    /// # Errors
    ///
    /// A text or tensor is missing or wrong, a number not finite, a tensor too many.
    pub fn from_tensors(mut tensors: Tensors) -> Result<Weights, NetError> {
        let mut text = |key: &str| {
            let text = tensors.metadata.remove(key);
            text.ok_or_else(|| NetError::tensor("__metadata__", format!("no text `{key}`")))
        };
        let architecture: Architecture = text(ARCHITECTURE)?.parse()?;
        let shape: Shape = text(SHAPE)?.parse()?;
        let mut list = Vec::new();
        for spec in plan::tensors(architecture, &shape) {
            let tensor = tensors.get(&spec.name, &spec.dims)?.clone();
            if tensor.data.iter().any(|number| !number.is_finite()) {
                return Err(NetError::tensor(&spec.name, "holds a number that is not finite"));
            }
            list.push(tensor);
        }
        let extra = tensors.list.iter().find(|tensor| !list.iter().any(|t| t.name == tensor.name));
        if let Some(extra) = extra {
            let problem = format!("`{architecture}` has no such tensor");
            return Err(NetError::tensor(&extra.name, problem));
        }
        Ok(Weights { metadata: tensors.metadata, architecture, shape, tensors: list })
    }

    /// The content of the file.
    pub fn to_tensors(&self) -> Tensors {
        let mut metadata = self.metadata.clone();
        metadata.insert(ARCHITECTURE.to_owned(), self.architecture.to_string());
        metadata.insert(SHAPE.to_owned(), self.shape.to_string());
        Tensors { metadata, list: self.tensors.clone() }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn load(path: &Path) -> Result<Weights, NetError> {
        let tensors = Tensors::load(path)?;
        Weights::from_tensors(tensors).map_err(|error| NetError::file(path, error))
    }

    /// Writes a file, by renaming a finished one.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        self.to_tensors().save(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_weights_depend_on_the_seed() {
        let shape = "4x5x4".parse().unwrap();
        for text in ["paper", "res:blocks=2,channels=16"] {
            let architecture = text.parse().unwrap();
            let weights = Weights::new(architecture, shape, 7).unwrap();
            assert_eq!(weights, Weights::new(architecture, shape, 7).unwrap());
            assert_ne!(weights, Weights::new(architecture, shape, 8).unwrap());
            let back = Weights::from_tensors(weights.to_tensors()).unwrap();
            assert_eq!(back, weights);
        }
    }

    #[test]
    fn residual_weights_fit_every_board() {
        let shape = "4x6x6".parse().unwrap();
        let weights = Weights::new("res".parse().unwrap(), shape, 1).unwrap();
        let large = weights.for_board(15, 15).unwrap();
        assert_eq!(large.tensors(), weights.tensors());
        assert_eq!(large.shape().cells(), 225);
        assert!(weights.for_board(0, 4).is_err());
        let paper = Weights::new(Architecture::Paper, shape, 1).unwrap();
        assert!(paper.for_board(6, 6).is_ok());
        assert!(paper.for_board(8, 8).unwrap_err().to_string().contains("4x6x6"));
    }

    #[test]
    fn wrong_weights_are_refused() {
        let shape = "4x5x5".parse().unwrap();
        let tensors = || Weights::new(Architecture::Paper, shape, 1).unwrap().to_tensors();
        let error = |tensors| Weights::from_tensors(tensors).unwrap_err().to_string();
        let mut bad = tensors();
        bad.metadata.remove(ARCHITECTURE);
        assert!(error(bad).contains("architecture"));
        let mut bad = tensors();
        bad.metadata.insert(SHAPE.to_owned(), "4x5x6".to_owned());
        assert!(error(bad).contains("policy.dense.weight"));
        let mut bad = tensors();
        bad.list[0].data[3] = f32::NAN;
        assert!(error(bad).contains("finite"));
        let mut bad = tensors();
        bad.list.pop();
        assert!(error(bad).contains("value.dense2.bias"));
        let mut bad = tensors();
        bad.list[0].name = "other".to_owned();
        assert!(error(bad).contains("conv1.weight"));
    }
}
