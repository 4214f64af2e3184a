//! Adam, and its state in a file.

use crate::error::NetError;
use crate::plan;
use crate::simd::Isa;
use crate::simd::element::{self, AdamStep};
use crate::tensors::{Tensor, Tensors};
use crate::weights::Weights;

/// Adam with weight decay; the default is the paper's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimiser {
    /// Learning rate.
    pub learning_rate: f64,
    /// Share of each weight that is added to its gradient.
    pub weight_decay: f64,
    /// Decay of the mean of gradients.
    pub beta1: f64,
    /// Decay of the mean of squared gradients.
    pub beta2: f64,
    /// Added to the root of the mean square.
    pub epsilon: f64,
}

impl Default for Optimiser {
    fn default() -> Optimiser {
        Optimiser {
            learning_rate: 0.002,
            weight_decay: 1e-4,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
        }
    }
}

impl Optimiser {
    /// The coefficients of a step, counted from one.
    pub(crate) fn at(&self, step: u64) -> AdamStep {
        let correction = |beta: f64| 1.0 - libm::pow(beta, step as f64);
        AdamStep {
            decay: self.weight_decay as f32,
            beta1: self.beta1 as f32,
            beta2: self.beta2 as f32,
            rate: (self.learning_rate / correction(self.beta1)) as f32,
            correction: (1.0 / correction(self.beta2).sqrt()) as f32,
            epsilon: self.epsilon as f32,
        }
    }

    fn fields(&mut self) -> [(&'static str, &mut f64); 5] {
        [
            ("learning_rate", &mut self.learning_rate),
            ("weight_decay", &mut self.weight_decay),
            ("beta1", &mut self.beta1),
            ("beta2", &mut self.beta2),
            ("epsilon", &mut self.epsilon),
        ]
    }
}

/// What Adam remembers: a pair of numbers per weight.
#[derive(Debug, Clone)]
pub(crate) struct Moments {
    pub(crate) steps: u64,
    pub(crate) first: Vec<Vec<f32>>,
    pub(crate) second: Vec<Vec<f32>>,
    /// False for running statistics.
    pub(crate) trained: Vec<bool>,
}

/// Prefixes of the moments' tensors.
const FIRST: &str = "adam.first.";
const SECOND: &str = "adam.second.";
const STEPS: &str = "adam.steps";

impl Moments {
    pub(crate) fn new(weights: &Weights) -> Moments {
        let zeros = || weights.tensors().iter().map(|t| vec![0.0; t.data.len()]).collect();
        let specs = plan::tensors(weights.architecture(), &weights.shape());
        Moments {
            steps: 0,
            first: zeros(),
            second: zeros(),
            trained: specs.iter().map(|spec| spec.trained).collect(),
        }
    }

    pub(crate) fn step(
        &mut self,
        isa: Isa,
        optimiser: &Optimiser,
        gradients: &[Vec<f32>],
        weights: &mut [Tensor],
    ) {
        self.steps += 1;
        let with = optimiser.at(self.steps);
        let moments = self.first.iter_mut().zip(&mut self.second).zip(&self.trained);
        let trained =
            weights.iter_mut().zip(gradients).zip(moments).filter(|(_, (_, trained))| **trained);
        for ((tensor, gradient), ((first, second), _)) in trained {
            element::adam(isa, &with, gradient, &mut tensor.data, first, second);
        }
    }

    /// Weights, moments and settings as the content of one file.
    pub(crate) fn save(&self, optimiser: &Optimiser, weights: &Weights) -> Tensors {
        let mut state = weights.to_tensors();
        state.metadata.insert(STEPS.to_owned(), self.steps.to_string());
        for (name, value) in { *optimiser }.fields() {
            // The shortest text that reads back as the same number.
            state.metadata.insert(format!("adam.{name}"), format!("{value:?}"));
        }
        for (prefix, moments) in [(FIRST, &self.first), (SECOND, &self.second)] {
            for ((tensor, data), _) in
                weights.tensors().iter().zip(moments).zip(&self.trained).filter(|(_, t)| **t)
            {
                state.list.push(Tensor {
                    name: format!("{prefix}{}", tensor.name),
                    dims: tensor.dims.clone(),
                    data: data.clone(),
                });
            }
        }
        state
    }

    /// Reads what [`Moments::save`] made, for weights of the same kind.
    pub(crate) fn load(
        state: &Tensors,
        like: &Weights,
    ) -> Result<(Moments, Optimiser, Weights), NetError> {
        let mut moments = Moments::new(like);
        let mut optimiser = Optimiser::default();
        let mut rest = state.clone();
        let mut text = |key: &str| {
            let text = rest.metadata.remove(key);
            text.ok_or_else(|| {
                NetError::tensor(
                    "__metadata__",
                    format!("no text `{key}`; not the state of a trainer"),
                )
            })
        };
        let wrong = |key: &str, text: &str| {
            NetError::tensor("__metadata__", format!("`{key}` is `{text}`, no number"))
        };
        let steps = text(STEPS)?;
        moments.steps = steps.parse().map_err(|_| wrong(STEPS, &steps))?;
        for (name, value) in optimiser.fields() {
            let key = format!("adam.{name}");
            let text = text(&key)?;
            *value = text.parse().map_err(|_| wrong(&key, &text))?;
        }
        rest.list.retain(|tensor| !tensor.name.starts_with("adam."));
        let weights = Weights::from_tensors(rest)?;
        if (weights.architecture(), weights.shape()) != (like.architecture(), like.shape()) {
            return Err(NetError::tensor(
                "__metadata__",
                format!(
                    "the state is of {} on {}, the trainer of {} on {}",
                    weights.architecture(),
                    weights.shape(),
                    like.architecture(),
                    like.shape()
                ),
            ));
        }
        for (prefix, all) in [(FIRST, &mut moments.first), (SECOND, &mut moments.second)] {
            let places = like.tensors().iter().zip(all).zip(&moments.trained);
            for ((tensor, place), _) in places.filter(|(_, trained)| **trained) {
                let name = format!("{prefix}{}", tensor.name);
                place.clone_from(&state.get(&name, &tensor.dims)?.data);
            }
        }
        Ok((moments, optimiser, weights))
    }
}
