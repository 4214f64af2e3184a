//! Nets by name or path, loaded once and shared.

use super::file::{self, Header, NetError};
use super::network::Network;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// A net that ships with the program.
#[derive(Clone, Copy)]
pub struct Model {
    /// What users call it.
    pub name: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// A net with what its file says about it.
pub struct Loaded {
    /// What the file says.
    pub header: Header,
    /// The net.
    pub net: Network,
}

/// What tells one net from another: a file may be written anew while the program runs.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    name: String,
    state: Option<(u64, Option<SystemTime>)>,
}

/// Nets in use: players of all threads share them.
static LOADED: Mutex<Vec<(Key, Weak<Loaded>)>> = Mutex::new(Vec::new());

/// The net of this name, else the one in the file of this path. It is loaded once, and dropped when
/// nobody uses it any more.
pub fn load(name: &str, models: &[Model]) -> Result<Arc<Loaded>, NetError> {
    let model = models.iter().find(|model| model.name == name);
    let state = match model {
        Some(_) => None,
        None => {
            let path = Path::new(name);
            let data = std::fs::metadata(path)
                .map_err(|source| NetError::Io { path: path.to_path_buf(), source })?;
            Some((data.len(), data.modified().ok()))
        }
    };
    let key = Key { name: name.to_string(), state };
    // Loading under the lock: others who want the same wait for it.
    let mut all = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|(_, net)| net.strong_count() > 0);
    if let Some(net) = all.iter().find(|(k, _)| *k == key).and_then(|(_, net)| net.upgrade()) {
        return Ok(net);
    }
    let (header, net) = match model {
        Some(model) => file::read(model.bytes, model.name)?,
        None => file::read_file(Path::new(name))?,
    };
    let loaded = Arc::new(Loaded { header, net });
    all.push((key, Arc::downgrade(&loaded)));
    Ok(loaded)
}
