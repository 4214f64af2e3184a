//! A file that a user names, replaced as a whole.

use super::disk::{settle, temporary};
use crate::LabError;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// A file that is written beside its place and takes it once it is complete: whoever looks sees the
/// old one or the new one, whole. One that is dropped before leaves nothing.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    is_complete: bool,
}

impl Replacement {
    /// Begins a file of this name, or that to which a link of this name leads. What is there and is
    /// no regular file is refused.
    pub fn begin(path: &Path) -> Result<Replacement, LabError> {
        let refused =
            |problem: &str| Err(LabError::Request(format!("{} {problem}", path.display())));
        let there = match fs::metadata(path) {
            Ok(there) if there.is_file() => Some(there),
            Ok(there) if there.is_dir() => {
                return refused("is a directory; give the name of a file in it");
            }
            Ok(_) => return refused("is a pipe or a device; give the name of a regular file"),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(LabError::io(path)(e)),
        };
        let path = target(path);
        let temporary = temporary(&path);
        // Written beside its place: who may write the file alone may not do that.
        let file = File::create(&temporary).map_err(LabError::io(&temporary))?;
        if let Some(there) = there {
            // Who may read it stays; where that cannot be told it is a matter of the folder.
            let _ = file.set_permissions(there.permissions());
        }
        Ok(Replacement { path, temporary, file, is_complete: false })
    }

    /// Where to write.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Writes all of it.
    pub fn fill(self, bytes: &[u8]) -> Result<(), LabError> {
        self.file().write_all(bytes).map_err(LabError::io(&self.path))?;
        self.finish()
    }

    /// It is complete, and takes its place.
    pub fn finish(mut self) -> Result<(), LabError> {
        let moved = self.file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path));
        moved.map_err(LabError::io(&self.path))?;
        self.is_complete = true;
        settle(&self.path);
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_complete {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Where a path leads, links followed, also to where no file is yet.
fn target(path: &Path) -> PathBuf {
    // As many as Linux follows; one that leads to itself has been told before.
    const LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => break,
        }
    }
    path
}
