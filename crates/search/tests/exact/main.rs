//! Every exact search equals plain minimax, within every budget.

#![allow(clippy::unwrap_used)] // helpers of tests may as well

mod any_game;
mod budgets;
mod conformance;
mod expectimax;
mod history;
mod lion;
mod oracle;
mod real_games;
mod selective;
mod solver;
mod star;
mod two_player;
mod whole_chance;
mod xiangqi;
