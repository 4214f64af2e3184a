//! Networks by name: those that come with the program, and files. Loaded once for all workers.

use spielbaum_core::Shared;
use spielbaum_net::{NetError, Shape, Tensors, Weights};
use std::path::Path;
use std::sync::Arc;

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
        help: "five in a row on 15x15: 20,480 games of self-play on a graphics card",
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

/// Weights in use. Workers share them: a player is built for every thread.
static LOADED: Shared<Weights> = Shared::new();

/// The network of a name or a path.
pub fn load(name: &str) -> Result<Arc<Weights>, String> {
    LOADED.get(name, || {
        let weights = match SHIPPED.iter().find(|s| s.name == name) {
            Some(shipped) => shipped.weights(),
            None if Path::new(name).is_file() => Weights::load(Path::new(name)),
            None => return Err(format!("there is no network `{name}`: {}", known())),
        };
        weights.map_err(|e| e.to_string())
    })
}

/// The network that comes with the program for a board of a game, `game` being its name and
/// `variant` what [else](spielbaum_core::Planes::variant) tells it from others: one that learned on
/// such a board, or else one that learned this variant and fits every board.
pub fn for_board(game: &str, shape: Shape, variant: &str) -> Result<Arc<Weights>, String> {
    load(name_for_board(game, shape, variant)?)
}

/// The bytes of a network that comes with the program.
pub fn bytes_of(name: &str) -> Option<&'static [u8]> {
    SHIPPED.iter().find(|shipped| shipped.name == name).map(|shipped| shipped.bytes)
}

/// The name of the network [for a board](for_board).
pub fn name_for_board(game: &str, shape: Shape, variant: &str) -> Result<&'static str, String> {
    let mut fitting = None;
    for shipped in SHIPPED {
        let weights = load(shipped.name)?;
        if !learned(&weights, game, variant) || weights.shape().planes != shape.planes {
            continue;
        }
        if weights.shape() == shape {
            return Ok(shipped.name);
        }
        if fitting.is_none() && weights.architecture().any_board() {
            fitting = Some(shipped.name);
        }
    }
    let none = || {
        let with = if variant.is_empty() { String::new() } else { format!(" with {variant}") };
        format!("no network for {game} on {shape}{with} comes with the program: {}", known())
    };
    fitting.ok_or_else(none)
}

/// Whether weights learned this game, by their header: the full specification.
fn learned(weights: &Weights, game: &str, variant: &str) -> bool {
    let text = weights.metadata.get("game").map_or("", String::as_str);
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    name == game
        && variant.split(',').all(|v| v.is_empty() || parameters.split(',').any(|p| p == v))
}

fn known() -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|s| s.name).collect();
    match names.is_empty() {
        true => "give the path of a file, net=FILE; `spielbaum train` makes one".to_string(),
        false => format!("give one of {}, or the path of a file, net=FILE", names.join(", ")),
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
            let game = &weights.metadata["game"];
            let (game, parameters) = game.split_once(':').unwrap();
            let found = for_board(game, weights.shape(), parameters).unwrap();
            assert!(Arc::ptr_eq(&found, &weights), "{}", shipped.name);
            assert!(Arc::ptr_eq(&load(shipped.name).unwrap(), &weights), "loaded once");
        }
    }

    #[test]
    fn what_is_not_there_is_explained() {
        let error = load("nothing").unwrap_err();
        assert!(error.contains("no network `nothing`") && error.contains("gomoku-6x6"), "{error}");
        let shape = Shape { planes: 4, height: 6, width: 6 };
        assert!(for_board("chess", shape, "").unwrap_err().contains("chess"));
        let error = for_board("gomoku", shape, "k=3").unwrap_err();
        assert!(error.contains("k=3") && error.contains("net=FILE"), "{error}");
    }

    /// A board of the right size is not enough: four in a row is another game than five.
    #[test]
    fn the_variant_comes_before_the_size() {
        let small = Shape { planes: 4, height: 6, width: 6 };
        let of = |shape, variant| for_board("gomoku", shape, variant).unwrap();
        assert_eq!(of(small, "k=4").shape(), small);
        assert!(of(small, "k=5").metadata["game"].contains("k=5"));
        let odd = Shape { planes: 4, height: 7, width: 9 };
        assert_eq!(of(odd, "k=4").shape(), small);
    }
}
