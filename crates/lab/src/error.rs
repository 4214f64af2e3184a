//! What can go wrong around a match. What players do wrong is not here: that is a result.

use spielbaum_core::spec::SpecError;
use std::path::{Path, PathBuf};

/// An error of the laboratory.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A specification of a game or a player is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),

    /// The match asked for makes no sense.
    #[error("{0}")]
    Request(String),

    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },

    /// A file is not what the program wrote.
    #[error("{}: {problem}; {help}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        help: String,
    },

    /// There is no room for a file. What was published before is whole.
    #[error("{}: {source}; what was recorded before is safe: make room and repeat the command", path.display())]
    Full {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },

    /// The directory holds another match.
    #[error("{} holds another {what}: {} differ{}; choose another directory or repeat the options it was begun with{}", dir.display(), fields.join(", "), if fields.len() == 1 { "s" } else { "" }, if *what == "experiment" { "; in another directory `--from` takes over what is the same" } else { "" })]
    Differs {
        /// The directory.
        dir: PathBuf,
        /// What it holds: a match, an exam.
        what: &'static str,
        /// The fields of `match.json` that differ, each with both values.
        fields: Vec<String>,
    },

    /// Another process works on the directory.
    #[error("{} is in use by process {pid}; wait for it or end it", dir.display())]
    Busy {
        /// The directory.
        dir: PathBuf,
        /// The other process, as far as it can be told.
        pid: String,
    },

    /// A batch system, or a task that it ran, failed.
    #[error("{0}")]
    Cluster(String),

    /// A recorded game is not what the rules say.
    #[error("game {game}: {problem}")]
    Replay {
        /// Number of the game.
        game: u64,
        /// What differs.
        problem: String,
    },
}

impl LabError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> LabError + '_ {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        move |source| match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => {
                LabError::Full { path: path.to_path_buf(), source }
            }
            _ => LabError::Io { path: path.to_path_buf(), source },
        }
    }

    pub(crate) fn damaged(path: &Path, problem: impl Into<String>, help: &str) -> LabError {
        LabError::Damaged {
            path: path.to_path_buf(),
            problem: problem.into(),
            help: help.to_string(),
        }
    }
}
