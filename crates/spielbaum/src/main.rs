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
mod output;
mod paint;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(message) = cpu::check() {
        failure::Failure::Task(message).tell();
        return ExitCode::from(failure::WRONG_CPU);
    }
    // Not inlined: nothing compiled for a newer CPU may run before the question is answered.
    start()
}

#[inline(never)]
fn start() -> ExitCode {
    ExitCode::from(cli::run())
}
