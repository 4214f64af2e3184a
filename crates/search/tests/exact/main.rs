//! Every exact search equals plain minimax, within every budget.

mod any_game;
mod budgets;
mod oracle;
mod two_player;
