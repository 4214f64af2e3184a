//! The command line: what is asked, and who answers.

use crate::cmd;
use crate::failure::{EXIT_CODES, Outcome};
use crate::output::Output;
use clap::{CommandFactory, Parser, Subcommand};

/// The lines under `spielbaum --help`.
const AFTER_HELP: &str = "\
Games and players are named by short texts; `spielbaum list` shows them all:
  gomoku:m=6,n=6,k=4      a game with its parameters
  uct:c=0.9,time=2s       a player with its parameters and its budget for a move

Examples:
  spielbaum                without a command: a short show of what it can do
  spielbaum list
  spielbaum play gomoku:m=6,n=6,k=4 uct
  spielbaum analyze gomoku:m=3,n=3,k=3 alphabeta --moves \"b2 a1\"
  spielbaum match gomoku:m=6,n=6,k=4 uct:iterations=2000 random --games 200 --seed 7";

#[derive(Parser)]
#[command(name = "spielbaum", version, about = "A laboratory for game-tree search")]
#[command(after_help = format!("{AFTER_HELP}\n\n{EXIT_CODES}"))]
#[command(max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    List(cmd::list::List),
    Moves(cmd::moves::Moves),
    Picture(cmd::picture::Picture),
    Perft(cmd::perft::Perft),
    Analyze(cmd::analyze::Analyze),
    Match(cmd::match_::Match),
    Run(cmd::run::Run),
    Status(cmd::status::Status),
    Report(cmd::report::Report),
    Replicate(cmd::replicate::Replicate),
    Export(cmd::export::Export),
    Play(cmd::play::Play),
    Bench(cmd::bench::Bench),
    Replay(cmd::replay::Replay),
    Traps(cmd::traps::Traps),
    Train(cmd::train::Train),
    Tune(cmd::tune::Tune),
    Completions(cmd::completions::Completions),
    #[command(hide = true)]
    Work(cmd::work::Work),
}

/// The whole program as clap knows it, for completions.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program and gives its exit code.
pub(crate) fn run() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are "errors" that go to standard output and succeed.
            let printed = e.print();
            return if printed.is_err() && !e.use_stderr() { 0 } else { e.exit_code() as u8 };
        }
    };
    let mut out = Output::stdout();
    let outcome = dispatch(cli.command, &mut out);
    // What was written before an error belongs to the user as well.
    let outcome = outcome.and(out.finish());
    match outcome {
        Ok(()) => 0,
        Err(failure) => failure.tell(),
    }
}

fn dispatch(command: Option<Command>, out: &mut Output) -> Outcome {
    match command {
        None => cmd::demo::run(out),
        Some(Command::List(list)) => list.run(out),
        Some(Command::Moves(moves)) => moves.run(out),
        Some(Command::Picture(picture)) => picture.run(out),
        Some(Command::Perft(perft)) => perft.run(out),
        Some(Command::Analyze(analyze)) => analyze.run(out),
        Some(Command::Match(match_)) => match_.run(out),
        Some(Command::Run(run)) => run.run(out),
        Some(Command::Status(status)) => status.run(out),
        Some(Command::Report(report)) => report.run(out),
        Some(Command::Replicate(replicate)) => replicate.run(out),
        Some(Command::Export(export)) => export.run(out),
        Some(Command::Play(play)) => play.run(out),
        Some(Command::Bench(bench)) => bench.run(out),
        Some(Command::Replay(replay)) => replay.run(out),
        Some(Command::Traps(traps)) => traps.run(out),
        Some(Command::Train(train)) => train.run(out),
        Some(Command::Tune(tune)) => tune.run(out),
        Some(Command::Completions(completions)) => completions.run(out),
        Some(Command::Work(work)) => work.run(out),
    }
}
