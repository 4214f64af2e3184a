//! The file of an experiment and the files it names, kept verbatim.

use crate::LabError;
use std::collections::BTreeMap;
use std::path::Path;

/// The text of an experiment and of the files it names: all that its parts come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Source {
    /// What messages call the file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The files it names, by their names without folders.
    pub files: BTreeMap<String, String>,
}

impl Source {
    /// A text that names no files.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), files: BTreeMap::new() }
    }

    /// Reads the file itself; those it names are found when it is understood.
    pub(super) fn read(path: &Path) -> Result<Source, LabError> {
        Ok(Source::new(path.display().to_string(), contents(path)?))
    }

    /// Reads what a run keeps of it: `experiment.toml`, and the files it names in `files`.
    pub fn open(dir: &Path) -> Result<Source, LabError> {
        let mut source = Source::read(&dir.join(FILE))?;
        let folder = dir.join(FILES);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(source),
            Err(e) => return Err(LabError::Io { path: folder, source: e }),
        };
        for entry in entries {
            let path = entry.map_err(|e| LabError::Io { path: folder.clone(), source: e })?.path();
            if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
                source.files.insert(name.to_string(), contents(&path)?);
            }
        }
        Ok(source)
    }
}

const FILE: &str = "experiment.toml";
const FILES: &str = "files";

fn contents(path: &Path) -> Result<String, LabError> {
    std::fs::read_to_string(path).map_err(|e| LabError::Io { path: path.to_path_buf(), source: e })
}

/// A file's name without its folders, whichever way they are separated.
pub(super) fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
