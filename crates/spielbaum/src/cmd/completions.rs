//! `completions`: a script for the shell.

use crate::cli;
use crate::failure::Outcome;
use crate::output::Output;
use clap::Args;
use clap_complete::Shell;

const AFTER_HELP: &str = "\
Examples:
  spielbaum completions bash > ~/.local/share/bash-completion/completions/spielbaum
  spielbaum completions zsh  > \"${fpath[1]}/_spielbaum\"
  spielbaum completions fish > ~/.config/fish/completions/spielbaum.fish";

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut Output) -> Outcome {
        // The generator panics when it cannot write: let it write into memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli::command(), "spielbaum", &mut script);
        std::io::Write::write_all(out, &script)?;
        Ok(())
    }
}
