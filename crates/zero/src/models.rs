//! Networks by name: those that come with the program, and files. Loaded once for all workers.

use spielbaum_net::{NetError, Shape, Tensors, Weights};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A network that comes with the program.
pub struct Shipped {
    /// Its name: `net=NAME`.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    bytes: &'static [u8],
}

/// The networks that come with the program, the best of a board first.
pub static SHIPPED: &[Shipped] = &[];

/// Weights loaded so far. Workers share them: a player is built for every thread.
static LOADED: Mutex<BTreeMap<String, Arc<Weights>>> = Mutex::new(BTreeMap::new());

/// The network of a name or a path.
pub fn load(name: &str) -> Result<Arc<Weights>, String> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(weights) = loaded.get(name) {
        return Ok(Arc::clone(weights));
    }
    let shipped = SHIPPED.iter().find(|s| s.name == name);
    let weights = match shipped {
        Some(shipped) => shipped.weights(),
        None if Path::new(name).is_file() => Weights::load(Path::new(name)),
        None => return Err(format!("there is no network `{name}`: {}", known())),
    };
    let weights = Arc::new(weights.map_err(|e| e.to_string())?);
    loaded.insert(name.to_string(), Arc::clone(&weights));
    Ok(weights)
}

/// The network that comes with the program for a board of a game, `game` being its name.
pub fn for_board(game: &str, shape: Shape) -> Result<Arc<Weights>, String> {
    for shipped in SHIPPED {
        let weights = load(shipped.name)?;
        if weights.shape() == shape && game_of(&weights) == Some(game) {
            return Ok(weights);
        }
    }
    Err(format!("no network for {game} on a board of {shape} comes with the program: {}", known()))
}

/// The game that weights are for, by their header.
fn game_of(weights: &Weights) -> Option<&str> {
    let text = weights.metadata.get("game")?;
    text.split(':').next()
}

fn known() -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|s| s.name).collect();
    match names.is_empty() {
        true => "give the path of a file, net=FILE; `spielbaum train` makes one".to_string(),
        false => format!("give one of {}, or the path of a file", names.join(", ")),
    }
}

impl Shipped {
    fn weights(&self) -> Result<Weights, NetError> {
        let tensors = Tensors::from_bytes(self.bytes)
            .map_err(|problem| NetError::File { path: self.name.to_string(), problem })?;
        Weights::from_tensors(tensors)
    }
}
