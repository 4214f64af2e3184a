//! The directory of a training. What is whole appears by rename, so that a process may be killed
//! at any moment; `state.safetensors` says how far the training is, and whatever goes beyond it
//! is forgotten and done again.

use super::line::Line;
use super::record::{self, GameRecord};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use spielbaum_net::{Tensors, Weights};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the files.
const FORMAT: u32 = 1;
const STATE: &str = "state.safetensors";
const LINE: &str = "line.json";

/// What is trained.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the files.
    pub format: u32,
    /// The learner: `zero`.
    pub learner: String,
    /// The full specification of the game.
    pub game: String,
    /// What the learner was told, by name.
    pub settings: Vec<(String, String)>,
}

impl Header {
    /// A training of a game by a configuration.
    pub fn new(game: String, config: String, seed: u64) -> Self {
        let settings = vec![("config".to_string(), config), ("seed".to_string(), seed.to_string())];
        Header { format: FORMAT, learner: "zero".to_string(), game, settings }
    }

    /// The same with one setting more.
    pub fn with(mut self, name: &str, value: String) -> Self {
        self.settings.push((name.to_string(), value));
        self
    }
}

/// What an iteration was like: a line of `curve.jsonl`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Iterations, this one included.
    pub iteration: u64,
    /// Games played in all.
    pub games: u64,
    /// Positions that this iteration brought.
    pub positions: u64,
    /// Wins of the first player, draws, wins of the second in its games.
    pub results: [u64; 3],
    /// Mean length of its games.
    pub plies: f64,
    /// Steps of the optimiser; 0 while it is too early, then there are no measures.
    pub steps: u64,
    /// Loss, the sum of the next two.
    pub loss: f64,
    /// Mean squared error of the value.
    pub value_loss: f64,
    /// Cross entropy of the policy.
    pub policy_loss: f64,
    /// Entropy of the network's policy.
    pub entropy: f64,
    /// Divergence of the policy from the one before.
    pub kl: f64,
    /// Explained variance of the value before learning, and after.
    pub explained: [f64; 2],
    /// Learning rate.
    pub rate: f64,
}

/// A trial against UCT: a line of `trials.jsonl`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TrialPoint {
    /// Iterations so far.
    pub iteration: u64,
    /// Games played in all.
    pub games: u64,
    /// Simulations of the opponent.
    pub uct: u64,
    /// Wins, draws and losses moving first.
    pub first: [u64; 3],
    /// And moving second.
    pub second: [u64; 3],
    /// Strength S.
    pub strength: f64,
}

/// Wall times of an iteration: a line of `timing.jsonl`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Iterations, this one included.
    pub iteration: u64,
    /// Games played in all.
    pub games: u64,
    /// Seconds of training in all.
    pub seconds: f64,
    /// Of this iteration: self-play, learning, trial.
    pub self_play: f64,
    /// Seconds of learning.
    pub learning: f64,
    /// Seconds of the trial.
    pub trial: f64,
    /// Threads.
    pub threads: usize,
}

/// A line that belongs to an iteration.
pub(super) trait Dated: Serialize + DeserializeOwned {
    const FILE: &'static str;
    fn iteration(&self) -> u64;
}

impl Dated for Point {
    const FILE: &'static str = "curve.jsonl";
    fn iteration(&self) -> u64 {
        self.iteration
    }
}

impl Dated for TrialPoint {
    const FILE: &'static str = "trials.jsonl";
    fn iteration(&self) -> u64 {
        self.iteration
    }
}

impl Dated for Timing {
    const FILE: &'static str = "timing.jsonl";
    fn iteration(&self) -> u64 {
        self.iteration
    }
}

/// A directory taken for training, until this is dropped.
pub struct Dir {
    path: PathBuf,
    /// Held, not read: the operating system's, so that a killed process leaves none behind.
    _lock: File,
}

impl Dir {
    /// Takes a directory for the training that the header describes.
    pub fn open(path: &Path, header: &Header) -> Result<Dir, String> {
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = path.join("lock");
        let lock = File::create(&lock).map_err(at(&lock))?;
        if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
            return Err(format!("{}: another process is training here", path.display()));
        }
        let dir = Dir { path: path.to_path_buf(), _lock: lock };
        match read_header(path)? {
            Some(found) if found == *header => {}
            Some(found) => return Err(dir.differs(&found, header)),
            None => {
                let text = serde_json::to_string_pretty(header).map_err(|e| e.to_string())?;
                dir.publish("train.json", format!("{text}\n").as_bytes())?;
            }
        }
        // Not before it is known that this training may use the directory.
        for part in ["games", "checkpoints"] {
            let part = dir.file(part);
            fs::create_dir_all(&part).map_err(at(&part))?;
        }
        Ok(dir)
    }

    fn differs(&self, found: &Header, asked: &Header) -> String {
        let game = (found.game != asked.game)
            .then(|| format!("the game is {}, not {}", found.game, asked.game));
        let value = |header: &Header, name: &str| {
            let setting = header.settings.iter().find(|(n, _)| n == name);
            setting.map_or("not given".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in found.settings.iter().chain(&asked.settings) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let other = names.into_iter().filter_map(|name| {
            let (found, asked) = (value(found, name), value(asked, name));
            (found != asked).then(|| format!("{name} is {found}, not {asked}"))
        });
        let what: Vec<String> = game.into_iter().chain(other).collect();
        format!("{} holds another training: {}", self.path.display(), what.join("; "))
    }

    /// The path of a file.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes a file appear at once.
    pub fn publish(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let (path, temporary) = (self.file(name), self.file(&format!("{name}.tmp")));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(at(&path))
    }

    /// Adds a line to its file.
    pub(super) fn append<T: Dated>(&self, line: &T) -> Result<(), String> {
        let path = self.file(T::FILE);
        let text = serde_json::to_string(line).map_err(|e| e.to_string())? + "\n";
        let open = File::options().create(true).append(true).open(&path);
        open.and_then(|mut file| file.write_all(text.as_bytes())).map_err(at(&path))
    }

    /// Forgets lines that came after an iteration.
    pub(super) fn rewind<T: Dated>(&self, iteration: u64) -> Result<Vec<T>, String> {
        let all: Vec<(String, T)> = lines(&self.file(T::FILE))?;
        let (mut text, mut kept) = (String::new(), Vec::new());
        for (line, read) in all {
            if read.iteration() <= iteration {
                // As it was: a number read and written again may differ in its last digit.
                text.push_str(&line);
                text.push('\n');
                kept.push(read);
            }
        }
        self.publish(T::FILE, text.as_bytes())?;
        Ok(kept)
    }

    /// The games of an iteration.
    pub fn write_games(&self, iteration: u64, games: &[GameRecord]) -> Result<(), String> {
        self.publish(&games_file(iteration), &record::to_bytes(games))
    }

    /// The games of an iteration, read back.
    pub fn read_games(&self, iteration: u64) -> Result<Vec<GameRecord>, String> {
        let path = self.file(&games_file(iteration));
        let bytes = fs::read(&path).map_err(at(&path))?;
        record::from_bytes(&bytes)
            .ok_or_else(|| format!("{}: not a whole file of games", path.display()))
    }

    /// How far the training is, if it has begun.
    pub fn state(&self) -> Result<Option<Tensors>, String> {
        let path = self.file(STATE);
        match path.exists() {
            true => Tensors::load(&path).map(Some).map_err(|e| e.to_string()),
            false => Ok(None),
        }
    }

    /// Everything up to here counts.
    pub fn commit(&self, state: &Tensors) -> Result<(), String> {
        self.publish(STATE, &state.to_bytes())
    }

    /// Writes the best line of a network.
    pub fn write_line(&self, line: &Line) -> Result<(), String> {
        let text = serde_json::to_string(line).map_err(|e| e.to_string())?;
        self.publish(LINE, format!("{text}\n").as_bytes())
    }

    /// Writes weights that players can use.
    pub fn write_net(&self, name: &str, weights: &Weights) -> Result<(), String> {
        self.publish(name, &weights.to_tensors().to_bytes())
    }
}

fn games_file(iteration: u64) -> String {
    format!("games/{iteration:06}.games")
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    let path = path.display().to_string();
    move |e| format!("{path}: {e}")
}

/// What is trained in a directory, if anything is.
pub fn read_header(dir: &Path) -> Result<Option<Header>, String> {
    let path = dir.join("train.json");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(at(&path)(e)),
    };
    let header: Header =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    if header.format != FORMAT {
        let problem = format!("format {}, and this program reads {FORMAT}", header.format);
        return Err(format!("{}: {problem}", path.display()));
    }
    Ok(Some(header))
}

/// The best line of the network of the last trial, if there was one.
pub fn read_line(dir: &Path) -> Result<Option<Line>, String> {
    let path = dir.join(LINE);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let line =
                serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            Ok(Some(line))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(at(&path)(e)),
    }
}

/// The curve of a training: iterations, trials and wall times.
pub type Curves = (Vec<Point>, Vec<TrialPoint>, Vec<Timing>);

/// Reads the curve of a training.
pub fn read_curve(dir: &Path) -> Result<Curves, String> {
    Ok((read(dir)?, read(dir)?, read(dir)?))
}

fn read<T: Dated>(dir: &Path) -> Result<Vec<T>, String> {
    Ok(lines(&dir.join(T::FILE))?.into_iter().map(|(_, line)| line).collect())
}

/// The lines of a file as text and read; none if there is no file. A last one that was cut off
/// does not count.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<(String, T)>, String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(at(path)(e)),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let read = |(i, line): (usize, &str)| {
        let value = serde_json::from_str(line)
            .map_err(|e| format!("{}, line {}: {e}", path.display(), i + 1))?;
        Ok((line.to_string(), value))
    };
    whole.lines().enumerate().map(read).collect()
}
