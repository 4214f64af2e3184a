//! Learning from play: knowledge that a program gathers itself, generic over games.

pub mod ntuple;
