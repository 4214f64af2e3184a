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

/// The networks that come with the program. A board of none of them gets the first that fits.
pub static SHIPPED: &[Shipped] = &[
    Shipped {
        name: "gomoku-10x10",
        help: "five in a row on 10x10: 18,432 games of self-play on a graphics card",
        bytes: include_bytes!("../../../data/models/gomoku-10x10.safetensors"),
    },
    Shipped {
        name: "gomoku-15x15",
        help: "five in a row on 15x15: 11,264 games of self-play on a graphics card",
        bytes: include_bytes!("../../../data/models/gomoku-15x15.safetensors"),
    },
    Shipped {
        name: "gomoku-8x8",
        help: "five in a row on 8x8: 55,296 games of self-play on a graphics card",
        bytes: include_bytes!("../../../data/models/gomoku-8x8.safetensors"),
    },
    Shipped {
        name: "gomoku-6x6",
        help: "four in a row on 6x6: 344,064 games of self-play on a graphics card",
        bytes: include_bytes!("../../../data/models/gomoku-6x6.safetensors"),
    },
];

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

/// The network that comes with the program for a board of a game, `game` being its name: one that
/// learned on such a board, or else one that fits every board.
pub fn for_board(game: &str, shape: Shape) -> Result<Arc<Weights>, String> {
    let mut fitting = None;
    for shipped in SHIPPED {
        let weights = load(shipped.name)?;
        if game_of(&weights) != Some(game) || weights.shape().planes != shape.planes {
            continue;
        }
        if weights.shape() == shape {
            return Ok(weights);
        }
        if fitting.is_none() && weights.architecture().any_board() {
            fitting = Some(weights);
        }
    }
    let none = || format!("no network for {game} on {shape} comes with the program: {}", known());
    fitting.ok_or_else(none)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_that_comes_with_the_program_is_whole() {
        for shipped in SHIPPED {
            let weights = load(shipped.name).unwrap();
            assert!(weights.metadata.contains_key("training"), "{}", shipped.name);
            let game = game_of(&weights).unwrap();
            let found = for_board(game, weights.shape()).unwrap();
            assert_eq!(found.shape(), weights.shape());
            assert!(Arc::ptr_eq(&load(shipped.name).unwrap(), &weights), "loaded once");
        }
    }

    #[test]
    fn what_is_not_there_is_explained() {
        let error = load("nothing").unwrap_err();
        assert!(error.contains("no network `nothing`") && error.contains("gomoku-6x6"), "{error}");
        let shape = Shape { planes: 4, height: 6, width: 6 };
        assert!(for_board("chess", shape).unwrap_err().contains("chess"));
    }
}
