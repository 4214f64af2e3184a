//! The directory of a training: what is trained, its curve and its times.

use super::at;
use crate::failure::{Failure, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use spielbaum_core::param::Args;
use spielbaum_learn::ntuple::Point;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the files.
const FORMAT: u32 = 1;

/// What is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: u32,
    /// The learner.
    pub(crate) learner: String,
    /// The full specification of the game.
    pub(crate) game: String,
    /// What the learner was told, by name.
    pub(crate) settings: Vec<(String, String)>,
}

impl Header {
    pub(crate) fn new(learner: &str, game: &Args, settings: Vec<(String, String)>) -> Self {
        Header { format: FORMAT, learner: learner.to_string(), game: game.full(), settings }
    }
}

/// Wall time at a point of the curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Timing {
    /// Games played in all.
    pub(crate) games: u64,
    /// Seconds of training in all.
    pub(crate) seconds: f64,
    /// Since the last point.
    pub(crate) moves_per_second: f64,
    pub(crate) threads: usize,
}

/// A directory taken for training, until this is dropped.
pub(crate) struct Dir {
    path: PathBuf,
    /// Held, not read: the operating system's, so that a killed process leaves none behind.
    _lock: File,
}

impl Dir {
    /// Takes a directory for the training that the header describes.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<Dir, Failure> {
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = path.join("lock");
        let lock = File::create(&lock).map_err(at(&lock))?;
        if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
            let text = format!("{}: another process is training here", path.display());
            return Err(Failure::Task(text));
        }
        let dir = Dir { path: path.to_path_buf(), _lock: lock };
        match read_header(path)? {
            Some(found) if found == *header => {}
            Some(found) => return Err(dir.differs(&found, header)),
            None => dir.publish("train.json", &pretty(header)?)?,
        }
        Ok(dir)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn differs(&self, found: &Header, asked: &Header) -> Failure {
        let list = |h: &Header| {
            let own = [("learner", &h.learner), ("game", &h.game)];
            let own = own.map(|(name, value)| (name.to_string(), value.clone()));
            own.into_iter().chain(h.settings.iter().cloned()).collect::<Vec<_>>()
        };
        let (mut found, mut asked) = (list(found), list(asked));
        // Settings of different learners do not compare.
        if found[0] != asked[0] {
            found.truncate(1);
            asked.truncate(1);
        }
        let value = |all: &[(String, String)], name: &str| {
            all.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone())
        };
        // What one of them does not have is nothing there, and a flag is false.
        let told = |value: Option<String>, other: &Option<String>| {
            let flag = other.as_deref().is_some_and(|other| other.parse::<bool>().is_ok());
            value.unwrap_or_else(|| if flag { "false" } else { "none" }.to_string())
        };
        let only_asked = asked.iter().filter(|(name, _)| found.iter().all(|(n, _)| n != name));
        let names = found.iter().chain(only_asked).map(|(name, _)| name);
        let what: Vec<String> = names
            .map(|name| (name, value(&found, name), value(&asked, name)))
            .map(|(name, f, a)| (name, told(f.clone(), &a), told(a, &f)))
            .filter(|(_, f, a)| f != a)
            .map(|(name, f, a)| format!("{name} is {f}, not {a}"))
            .collect();
        let dir = self.path.display();
        Failure::Input(format!("{dir} holds another training: {}", what.join("; ")))
    }

    /// Makes a file appear at once.
    pub(crate) fn publish(&self, name: &str, text: &str) -> Outcome {
        let (path, temporary) = (self.file(name), self.file(&format!("{name}.tmp")));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(at(&path))
    }

    /// Adds a line to a file.
    pub(crate) fn append(&self, name: &str, line: &impl Serialize) -> Outcome {
        let path = self.file(name);
        let text = serde_json::to_string(line)? + "\n";
        let open = File::options().create(true).append(true).open(&path);
        open.and_then(|mut file| file.write_all(text.as_bytes())).map_err(at(&path))
    }

    /// Waits until what was added to the curve is on the disk: a net that is saved afterwards never knows more
    /// games than the curve.
    pub(crate) fn sync(&self) -> Outcome {
        for path in ["curve.jsonl", "timing.jsonl"].map(|name| self.file(name)) {
            if path.exists() {
                File::open(&path).and_then(|file| file.sync_all()).map_err(at(&path))?;
            }
        }
        Ok(())
    }

    /// Forgets what came after so many games: it was not saved, and will come again. Gives what
    /// is left.
    pub(crate) fn rewind(&self, games: u64) -> Result<(Vec<Point>, Vec<Timing>), Failure> {
        let mut points: Vec<Point> = lines(&self.file("curve.jsonl"))?;
        let mut times: Vec<Timing> = lines(&self.file("timing.jsonl"))?;
        points.retain(|point| point.games <= games);
        times.retain(|time| time.games <= games);
        self.publish("curve.jsonl", &joined(&points)?)?;
        self.publish("timing.jsonl", &joined(&times)?)?;
        Ok((points, times))
    }
}

/// What is trained in a directory, if anything is.
pub(crate) fn read_header(dir: &Path) -> Result<Option<Header>, Failure> {
    let path = dir.join("train.json");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(at(&path)(e)),
    };
    let bad = |e: &dyn std::fmt::Display| Failure::Input(format!("{}: {e}", path.display()));
    let header: Header = serde_json::from_str(&text).map_err(|e| bad(&e))?;
    if header.format != FORMAT {
        let problem = format!("format {}, and this program reads {FORMAT}", header.format);
        return Err(bad(&problem));
    }
    Ok(Some(header))
}

/// Who learns in a directory, if anybody does.
pub(crate) fn learner_of(dir: &Path) -> Result<Option<String>, Failure> {
    #[derive(Deserialize)]
    struct Learner {
        learner: String,
    }
    let path = dir.join("train.json");
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    let learner: Learner = serde_json::from_str(&text)
        .map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    Ok(Some(learner.learner))
}

/// The lines of a file; none if there is no file. A last one that was cut off does not count.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(at(path)(e)),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let read = |(i, line)| {
        serde_json::from_str(line)
            .map_err(|e| Failure::Input(format!("{}, line {}: {e}", path.display(), i + 1)))
    };
    whole.lines().enumerate().map(read).collect()
}

fn joined<T: Serialize>(all: &[T]) -> Result<String, Failure> {
    let mut text = String::new();
    for one in all {
        text.push_str(&serde_json::to_string(one)?);
        text.push('\n');
    }
    Ok(text)
}

pub(crate) fn pretty(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
