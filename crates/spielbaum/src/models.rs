//! Nets that ship with the program, so that their players work wherever it is installed.

use spielbaum_learn::ntuple::Model;

/// N-tuple nets by name.
pub(crate) static MODELS: &[Model] =
    &[Model { name: "small", bytes: include_bytes!("../../../data/models/2048-small.ntuple") }];
