//! Nets by name or path, loaded once and shared.

use super::file::{self, Header, NetError};
use super::network::Network;
use spielbaum_core::Shared;
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
pub fn load(name: &str, models: &[Model]) -> Result<Arc<Loaded>, NetError> {
    LOADED.get(name, || {
        let model = models.iter().find(|model| model.name == name);
        let (header, net) = match model {
            Some(model) => file::read(model.bytes, model.name)?,
            None => file::read_file(Path::new(name))?,
        };
        Ok(Loaded { header, net })
    })
}
