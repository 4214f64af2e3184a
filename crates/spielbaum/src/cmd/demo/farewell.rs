//! What to try next. Every command works as it is printed.

use super::screen::Screen;
use crate::failure::Outcome;
use std::path::Path;

const COMMANDS: [(&str, &str); 7] = [
    ("play gomoku:m=6,n=6,k=4 uct", "you against it"),
    ("play lion alphabeta", "Catch the Lion"),
    ("play pig:players=3 uct", "dice for three"),
    ("analyze gomoku uct --time 3s", "watch a search"),
    ("match gomoku:m=6,n=6,k=4 uct alphabeta --nodes 20k", ""),
    ("list", "all there is"),
    ("--help", "and more"),
];

pub(super) fn show(screen: &mut Screen<'_>) -> Outcome {
    let name = program();
    let paint = screen.paint;
    screen.say(&format!(" {}\n\n", paint.bold("Try next")))?;
    let noted = COMMANDS.iter().filter(|(_, note)| !note.is_empty());
    let width = noted.map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, note) in COMMANDS {
        let line = match note.is_empty() {
            true => format!("   {name} {command}"),
            false => format!("   {name} {command:<width$}   {}", paint.dim(note)),
        };
        screen.say(&line)?;
    }
    Ok(())
}

/// The program as the user can call it from here.
fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    let path = Path::new(&called);
    if path.components().count() <= 1 {
        // Found by its name, wherever it lies.
        return if called.is_empty() { "spielbaum".to_string() } else { called };
    }
    let here = std::env::current_dir().ok();
    let shorter = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    match shorter {
        // A name without a directory would be looked for elsewhere.
        Some(path) if path.components().count() == 1 => format!("./{}", path.display()),
        Some(path) => path.display().to_string(),
        None => called,
    }
}
