//! What can go wrong, and the exit code that says so.

use spielbaum_core::spec::SpecError;
use spielbaum_lab::LabError;
use std::fmt::Display;
use std::io;

/// The exit codes, as `--help` documents them. They are stable.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    the task failed: a record does not replay, a player failed, a file
       could not be written
  2    bad input: a command line, specification, position, move or record file
       that cannot be understood
  3    this build cannot run on this CPU
  130  interrupted; what was complete is saved";

/// The exit code of a CPU that is too old for this build.
pub(crate) const WRONG_CPU: u8 = 3;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input cannot be understood.
    Input(String),
    /// The input is good and the task failed.
    Task(String),
    /// Already told in the output; only the exit code is left to say.
    Told(u8),
    /// Ctrl-C.
    Interrupted(String),
    /// Whoever read our output has had enough.
    Closed,
}

/// What a command gives.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn input(e: impl Display) -> Self {
        Failure::Input(e.to_string())
    }

    pub(crate) fn task(e: impl Display) -> Self {
        Failure::Task(e.to_string())
    }

    /// Tells the user on standard error and gives the exit code.
    pub(crate) fn tell(&self) -> u8 {
        // Standard error may be closed as well; there is nobody left to tell then.
        let say = |text: std::fmt::Arguments<'_>| {
            let _ = io::Write::write_fmt(&mut io::stderr(), text);
        };
        match self {
            Failure::Input(text) => {
                say(format_args!("error: {text}\n"));
                2
            }
            Failure::Task(text) => {
                say(format_args!("error: {text}\n"));
                1
            }
            Failure::Told(code) => *code,
            Failure::Interrupted(text) => {
                say(format_args!("{text}\n"));
                130
            }
            Failure::Closed => 0,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(text) | Failure::Task(text) | Failure::Interrupted(text) => {
                f.write_str(text)
            }
            Failure::Told(_) | Failure::Closed => Ok(()),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(e: SpecError) -> Self {
        Failure::input(e)
    }
}

impl From<LabError> for Failure {
    fn from(e: LabError) -> Self {
        use io::ErrorKind::{NotADirectory, NotFound};
        match &e {
            LabError::Spec(_) | LabError::Request(_) => Failure::input(e),
            LabError::Damaged { .. } | LabError::Differs { .. } => Failure::input(e),
            // A directory that is not there was misspelt.
            LabError::Io { source, .. } if matches!(source.kind(), NotFound | NotADirectory) => {
                Failure::input(e)
            }
            LabError::Full { .. }
            | LabError::Io { .. }
            | LabError::Busy { .. }
            | LabError::Cluster(_)
            | LabError::Replay { .. } => Failure::task(e),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::task(e),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(e: serde_json::Error) -> Self {
        match e.io_error_kind() {
            Some(kind) => io::Error::from(kind).into(),
            None => Failure::task(e),
        }
    }
}
