//! Where answers go: standard output, buffered, and closed politely when the reader has had enough; and files
//! that a user names.

use crate::failure::{Failure, Outcome};
use serde::Serialize;
use spielbaum_lab::Replacement;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

/// The version of the JSON that describes records and lists.
pub(crate) const FORMAT: u32 = 1;

/// Where the answer of a command goes.
pub(crate) struct Output {
    out: BufWriter<Stdout>,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output { out: BufWriter::new(io::stdout()) }
    }

    /// One JSON value in one line. Numbers that are not finite become null.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Text as it is, ended by a line break.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        if text.ends_with('\n') { Ok(()) } else { self.out.write_all(b"\n") }
    }

    /// Sends what is buffered, for readers who wait for it.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Sends the rest.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file that a user named. One that is there is replaced as a whole, a link leads to its file,
/// and what is no regular file, a pipe or a device, is refused.
pub(crate) fn write_file(path: &Path, text: &str) -> Outcome {
    Ok(Replacement::begin(path)?.fill(text.as_bytes())?)
}
