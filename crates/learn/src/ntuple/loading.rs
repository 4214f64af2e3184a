//! Nets by name or path, loaded once and shared.

use super::file::{self, Header, NetError};
use super::network::Network;
use spielbaum_core::{Cells, LARGEST_CONTENT, Shared};
use std::path::Path;
use std::sync::Arc;

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

/// Nets in use: players of all threads share them.
static LOADED: Shared<Loaded> = Shared::new();

/// The net of this name, else the one in the file of this path. It is loaded once, and dropped when
/// nobody uses it any more.
///
/// What it says of contents above `known` does not count, as long as there are any: they are taken for
/// [like](Cells::likened) smaller ones, and so is whatever it has never met.
pub fn load<G: Cells>(name: &str, models: &[Model], known: u32) -> Result<Arc<Loaded>, NetError> {
    LOADED.get_variant(name, known, || {
        let model = models.iter().find(|model| model.name == name);
        let (header, net) = match model {
            Some(model) => file::read(model.bytes, model.name)?,
            None => file::read_file(Path::new(name))?,
        };
        if known < LARGEST_CONTENT {
            net.liken_above(known, G::likened);
        }
        Ok(Loaded { header, net })
    })
}
