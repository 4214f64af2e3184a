//! Nets in files.
//!
//! ```text
//! file   = "SBNTUPLE" length header { tuple } checksum
//! length = bytes of the header, 4 bytes
//! header = JSON, see Header
//! tuple  = { skip count { weight } } skip 0       weights in order; the last skip leads to the end
//! weight = f32, sum of errors f32, sum of their sizes f32        a checkpoint with coherence
//!        | f32                                                   a checkpoint without
//!        | i16, times the tuple's scale                          a small net
//! ```
//!
//! Numbers are little-endian, `skip` and `count` are LEB128. Skipped weights are `blank`: most fillings
//! of a tuple never occur. The checksum is of all bytes before it (`Digest`).

mod digest;

use super::curve::Tally;
use super::learner::Method;
use super::network::Network;
use super::path::Backward;
use super::shape::Shape;
use digest::{Digesting, Reading};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"SBNTUPLE";

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

/// A header is not longer than this.
const MAX_HEADER: u32 = 1 << 16;

/// What can be wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{name} is no n-tuple net that can be used: {problem}")]
    Unusable {
        /// The file, or the name of a shipped net.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl NetError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> NetError {
        let path = path.to_path_buf();
        |source| NetError::Io { path, source }
    }

    pub(super) fn unusable(name: &str, problem: impl Into<String>) -> Self {
        NetError::Unusable { name: name.to_string(), problem: problem.into() }
    }
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Everything that training needs to go on.
    Checkpoint,
    /// A net to play with.
    Small,
}

/// What a file says about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// What the file is for.
    pub kind: Kind,
    /// The full specification of the game.
    pub game: String,
    /// Rows and columns of its board.
    pub board: [usize; 2],
    /// The tuples.
    pub shape: String,
    /// The weight of what never occurred.
    pub blank: f32,
    /// What the weights of each tuple are multiples of, in a small net.
    pub scales: Vec<f32>,
    /// How it was trained.
    pub training: Training,
}

/// How a net was trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Seed of all games.
    pub seed: u64,
    /// How far steps went.
    pub method: Method,
    /// The share of an error that a step made up, before it was [cooled](super::Learner::cool).
    pub alpha: f32,
    /// The value of every board at first.
    pub init: f32,
    /// Learning after the end of a game; without it, during the game (and so in files from before
    /// there was anything else).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backward: Option<Backward>,
    /// Whether weights began with what was known of like contents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub promote: bool,
    /// The games after which steps made up a [tenth](super::Learner::cool) of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooled: Option<u64>,
    /// The training whose net this one began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Games played.
    pub games: u64,
    /// Moves made.
    pub moves: u64,
    /// The results of the games since the last point of the learning curve.
    pub tally: Tally,
}

/// What was learned before a training began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Seed of the last training before.
    pub seed: u64,
    /// Games of all trainings before.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
}

impl Training {
    /// What a training that begins with this one's net has behind it.
    pub fn as_origin(&self) -> Origin {
        let before = self.origin.map_or((0, 0), |origin| (origin.games, origin.moves));
        Origin { seed: self.seed, games: before.0 + self.games, moves: before.1 + self.moves }
    }
}

/// Writes a file that appears at once and stays.
pub(super) fn publish(path: &Path, header: &Header, net: &Network) -> Result<(), NetError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let create = || -> io::Result<()> {
        let file = File::create(&temporary)?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        write(&mut out, header, net)?;
        out.into_inner().map_err(|e| e.into_error())?.sync_all()?;
        fs::rename(&temporary, path)
    };
    create().map_err(|e| {
        let _ = fs::remove_file(&temporary);
        NetError::io(path)(e)
    })?;
    // The name is safe once the directory is; not every system can sync one.
    if let Some(Ok(dir)) = path.parent().map(File::open) {
        let _ = dir.sync_all();
    }
    Ok(())
}

/// Writes a net. The scales of a small one are chosen here.
pub fn write(out: &mut impl Write, header: &Header, net: &Network) -> io::Result<()> {
    let mut ranges = Vec::new();
    let mut begin = 0;
    for cells in net.shape().tuples() {
        ranges.push(begin..begin + (1usize << (4 * cells.len())));
        begin += 1 << (4 * cells.len());
    }
    let largest = |range: &std::ops::Range<usize>| {
        range.clone().map(|i| net.weight(i).abs()).fold(f32::MIN_POSITIVE, f32::max)
    };
    let scales = match header.kind {
        Kind::Checkpoint => Vec::new(),
        Kind::Small => ranges.iter().map(|r| largest(r) / f32::from(i16::MAX)).collect(),
    };
    let header = Header { scales, ..header.clone() };
    let mut out = Digesting::new(out);
    let text = serde_json::to_vec(&header)?;
    out.write_all(MAGIC)?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&text)?;

    // Blanks in between are cheaper than a new run if they are fewer.
    let gap = if header.kind == Kind::Small { 2 } else { 1 };
    for (tuple, range) in ranges.into_iter().enumerate() {
        let rounded = |i: usize| (net.weight(i) / header.scales[tuple]).round() as i16;
        let is_blank = |i: usize| match header.kind {
            Kind::Small => {
                net.weight(i) == header.blank || (header.blank == 0.0 && rounded(i) == 0)
            }
            Kind::Checkpoint => {
                net.weight(i).to_bits() == header.blank.to_bits()
                    && net.coherence(i).is_none_or(|(_, size)| size == 0.0)
            }
        };
        let mut at = range.start;
        while at < range.end {
            let first = (at..range.end).find(|&i| !is_blank(i)).unwrap_or(range.end);
            leb128(&mut out, first - at)?;
            let mut end = first;
            while end < range.end && !(end..(end + gap).min(range.end)).all(is_blank) {
                end += 1;
            }
            leb128(&mut out, end - first)?;
            for i in first..end {
                match header.kind {
                    Kind::Small => out.write_all(&rounded(i).to_le_bytes())?,
                    Kind::Checkpoint => {
                        out.write_all(&net.weight(i).to_le_bytes())?;
                        if let Some((sum, size)) = net.coherence(i) {
                            out.write_all(&sum.to_le_bytes())?;
                            out.write_all(&size.to_le_bytes())?;
                        }
                    }
                }
            }
            at = end;
            if at == range.end && end > first {
                // The end is told by a run of nothing.
                leb128(&mut out, 0)?;
                leb128(&mut out, 0)?;
            }
        }
    }
    out.finish()
}

/// Reads a net to play with, of either kind; `name` is what errors call it.
pub fn read(input: impl Read, name: &str) -> Result<(Header, Network), NetError> {
    let mut input = Reading::new(input, name);
    let header = head(&mut input)?;
    let shape: Shape = header.shape.parse().map_err(|e: String| input.bad(e))?;
    let net = Network::new(shape, header.blank);
    body(&mut input, &header, &net)?;
    Ok((header, net))
}

/// Reads a file to play with.
pub(super) fn read_file(path: &Path) -> Result<(Header, Network), NetError> {
    let file = File::open(path).map_err(NetError::io(path))?;
    read(BufReader::with_capacity(1 << 20, file), &path.display().to_string())
}

/// Reads a checkpoint into what `target` gives, if it likes the header.
pub(super) fn read_checkpoint<'a>(
    path: &Path,
    target: impl FnOnce(&Header) -> Result<&'a Network, String>,
) -> Result<Header, NetError> {
    let file = File::open(path).map_err(NetError::io(path))?;
    let name = path.display().to_string();
    let mut input = Reading::new(BufReader::with_capacity(1 << 20, file), &name);
    let header = head(&mut input)?;
    let net = target(&header).map_err(|problem| input.bad(problem))?;
    body(&mut input, &header, net)?;
    Ok(header)
}

/// What a checkpoint says about itself.
pub fn read_header(path: &Path) -> Result<Header, NetError> {
    let file = File::open(path).map_err(NetError::io(path))?;
    head(&mut Reading::new(BufReader::new(file), &path.display().to_string()))
}

fn head(input: &mut Reading<'_, impl Read>) -> Result<Header, NetError> {
    if &input.array::<8>()? != MAGIC {
        return Err(input.bad("it does not begin like one"));
    }
    let length = u32::from_le_bytes(input.array()?);
    if length > MAX_HEADER {
        return Err(input.bad(format!("a header of {length} bytes")));
    }
    let text = input.bytes(length as usize)?;
    let header: Header =
        serde_json::from_slice(&text).map_err(|e| input.bad(format!("its header: {e}")))?;
    if header.format != FORMAT {
        return Err(input.bad(format!("format {}, and this program reads {FORMAT}", header.format)));
    }
    Ok(header)
}

fn body(
    input: &mut Reading<'_, impl Read>,
    header: &Header,
    net: &Network,
) -> Result<(), NetError> {
    let is_coherent = header.kind == Kind::Checkpoint && header.training.method == Method::Tc;
    let tuples = net.shape().tuples();
    if header.kind == Kind::Small && header.scales.len() != tuples.len() {
        return Err(input.bad("there is not one scale for each tuple"));
    }
    let mut at = 0;
    for (tuple, cells) in tuples.iter().enumerate() {
        let end = at + (1usize << (4 * cells.len()));
        loop {
            let skip = input.leb128()?;
            let count = input.leb128()?;
            if skip.max(count) > end - at || skip + count > end - at {
                return Err(input.bad("more weights than the tuple has"));
            }
            at += skip;
            for i in at..at + count {
                let weight = match header.kind {
                    Kind::Small => {
                        f32::from(i16::from_le_bytes(input.array()?)) * header.scales[tuple]
                    }
                    Kind::Checkpoint => f32::from_le_bytes(input.array()?),
                };
                if !weight.is_finite() {
                    return Err(input.bad("a weight that is no number"));
                }
                net.set_weight(i, weight);
                if is_coherent {
                    let sum = f32::from_le_bytes(input.array()?);
                    net.set_coherence(i, (sum, f32::from_le_bytes(input.array()?)));
                }
            }
            at += count;
            if count == 0 {
                break;
            }
        }
        if at != end {
            return Err(input.bad("fewer weights than the tuple has"));
        }
    }
    input.finish()
}

fn leb128(out: &mut impl Write, mut n: usize) -> io::Result<()> {
    while n >= 128 {
        out.write_all(&[n as u8 | 128])?;
        n >>= 7;
    }
    out.write_all(&[n as u8])
}

#[cfg(test)]
mod tests;
