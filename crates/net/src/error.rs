//! What can go wrong.

use std::path::Path;

/// An error of this crate: it names what is wrong and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// A text that names no architecture.
    #[error("architecture `{text}`: {problem}")]
    Architecture {
        /// The text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A board or a number of planes that networks cannot have.
    #[error("shape `{text}`: {problem}")]
    Shape {
        /// The shape as text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A tensor that is missing or has the wrong size.
    #[error("tensor `{name}`: {problem}")]
    Tensor {
        /// The tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A batch whose parts do not fit together.
    #[error("batch: {0}")]
    Batch(String),
    /// A device that is not there or failed.
    #[error("device: {0}")]
    Device(String),
}

impl NetError {
    // Errors are small and made to be passed on.
    #[allow(clippy::needless_pass_by_value)]
    pub(crate) fn file(path: &Path, problem: impl ToString) -> NetError {
        NetError::File { path: path.display().to_string(), problem: problem.to_string() }
    }

    pub(crate) fn tensor(name: &str, problem: impl Into<String>) -> NetError {
        NetError::Tensor { name: name.to_owned(), problem: problem.into() }
    }
}
