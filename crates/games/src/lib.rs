//! Rules of games: positions, notation and evaluations.

pub mod lion;
