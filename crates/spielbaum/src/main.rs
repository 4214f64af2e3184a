//! `spielbaum`, a laboratory for game-tree search: games, players, matches, analysis.

mod args;
mod catalog;
mod cli;
mod cmd;
mod cpu;
mod failure;
mod interrupt;
mod layout;
mod live;
mod models;
mod output;
mod paint;
mod screen;
mod watch;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    if !cpu::is_able() {
        // Nobody is left to tell if standard error is closed.
        let _ = std::io::stderr().write_all(cpu::TOO_OLD.as_bytes());
        return ExitCode::from(failure::WRONG_CPU);
    }
    // Not inlined: nothing compiled for a newer CPU may run before the question is answered.
    start()
}

#[inline(never)]
fn start() -> ExitCode {
    ExitCode::from(cli::run())
}
