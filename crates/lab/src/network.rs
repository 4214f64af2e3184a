//! The networks that players use: files, known in records by their bytes and not by their names, which
//! the next training may give to another one.

use crate::LabError;
use crate::erased::AnyGame;
use crate::plan::SpecText;
use crate::store::{FNV1A, fnv1a, fnv1a_on};
use serde::{Deserialize, Serialize};
use spielbaum_core::param::Args;
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Forfeit, Game, Limits, Player, Report, Task};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::SystemTime;

/// A network that a player uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What it is called: a name, or the path of a file.
    pub name: String,
    /// Its bytes.
    pub bytes: NetworkBytes,
}

/// Where the bytes of a network are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkBytes {
    /// In the program.
    Shipped(&'static [u8]),
    /// In this file.
    File(PathBuf),
}

impl Network {
    /// The network of a name: one that comes with the program, or a file.
    pub fn new(name: &str, shipped: Option<&'static [u8]>) -> Network {
        let file = || NetworkBytes::File(PathBuf::from(name));
        Network { name: name.to_string(), bytes: shipped.map_or_else(file, NetworkBytes::Shipped) }
    }

    fn checksum(&self) -> io::Result<u64> {
        match &self.bytes {
            NetworkBytes::Shipped(bytes) => {
                known(Key::Shipped(bytes.as_ptr() as usize), || Ok(fnv1a(bytes)))
            }
            NetworkBytes::File(path) => {
                let about = std::fs::metadata(path)?;
                let key = Key::File(path.clone(), about.len(), about.modified().ok());
                known(key, || of_file(path))
            }
        }
    }
}

/// What tells networks apart without reading them: a file may be written anew at any time.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Shipped(usize),
    File(PathBuf, u64, Option<SystemTime>),
}

/// Checksums that were computed: every part of a run asks for them, and large networks have
/// hundreds of megabytes.
static KNOWN: LazyLock<Mutex<HashMap<Key, u64>>> = LazyLock::new(Mutex::default);

fn known(key: Key, compute: impl FnOnce() -> io::Result<u64>) -> io::Result<u64> {
    let mut all = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(&sum) = all.get(&key) {
        return Ok(sum);
    }
    let sum = compute()?;
    all.insert(key, sum);
    Ok(sum)
}

fn of_file(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let (mut sum, mut buffer) = (FNV1A, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sum),
            n => sum = fnv1a_on(sum, &buffer[..n]),
        }
    }
}

/// A network in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkText {
    /// What it was called.
    pub name: String,
    /// The FNV-1a hash of its bytes, 64 bits.
    pub checksum: String,
}

impl SpecText {
    /// A player as a record has it: with the network that it uses, if it uses one.
    pub(crate) fn of_player(
        game: &dyn AnyGame,
        args: &Args,
        player: &Args,
    ) -> Result<SpecText, SpecError> {
        let net = match game.network(args, player)? {
            Some(network) => {
                let sum = network.checksum().map_err(|e| player.error("net", e))?;
                Some(NetworkText { name: network.name, checksum: format!("{sum:016x}") })
            }
            None => None,
        };
        Ok(SpecText { net, ..SpecText::from(player) })
    }

    /// Whether it may be the player that was recorded, by its network. Records of older versions do
    /// not tell, and who only reads a record need not have the network.
    pub(crate) fn has_network_of(&self, there: &SpecText) -> bool {
        match (&self.net, &there.net) {
            (Some(own), Some(there)) => own.checksum == there.checksum,
            _ => true,
        }
    }

    /// How the networks of two records of a player differ, if they do.
    pub(crate) fn other_network(&self, there: &SpecText) -> Option<String> {
        let (own, recorded) = (self.net.as_ref()?, there.net.as_ref()?);
        (own.checksum != recorded.checksum).then(|| {
            format!(
                "the network `{}` of `{}` (checksum {} there, `{}` has {})",
                recorded.name, there.spec, recorded.checksum, own.name, own.checksum
            )
        })
    }
}

/// An error if a player of a record has another network today.
pub(crate) fn check_networks(
    game: &dyn AnyGame,
    args: &Args,
    players: &[Args],
    recorded: &[SpecText],
) -> Result<(), LabError> {
    for (player, there) in players.iter().zip(recorded) {
        if let Some(differs) = SpecText::of_player(game, args, player)?.other_network(there) {
            let text = format!("{differs} is another one than when the games were played");
            return Err(LabError::Request(text));
        }
    }
    Ok(())
}

/// A player whose network is not there any more. Its records can be read; it cannot play.
pub struct Absent {
    reason: String,
    ends: bool,
}

impl Absent {
    /// Why it cannot play, and whether its searches end by themselves where no budget says so.
    pub fn new(reason: String, ends: bool) -> Absent {
        Absent { reason, ends }
    }
}

impl<G: Game> Player<G> for Absent {
    fn think(&mut self, _: &G, _: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        Err(Forfeit::Crashed(self.reason.clone()))
    }

    fn restart(&mut self, _seed: u64) {}

    fn is_bounded_by(&self, limits: &Limits) -> bool {
        self.ends || Limits { depth: None, ..*limits } != Limits::default()
    }
}
