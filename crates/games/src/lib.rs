//! The games of Spielbaum: rules, notation and what is known about playing them well.

pub mod carcassonne;
pub mod g2048;
pub mod gomoku;
pub mod lion;
pub mod morpion;
pub mod pig;
pub mod reroll;
pub mod xiangqi;
