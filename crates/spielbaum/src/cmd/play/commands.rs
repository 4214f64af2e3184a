//! What a person may type.

use crate::layout;
use spielbaum_core::text::nearest;
use std::path::PathBuf;

/// A line that is not a move.
#[derive(PartialEq, Debug)]
pub(super) enum Command {
    Help,
    Moves,
    Hint,
    /// So many moves of the table.
    Analyze(usize),
    Undo,
    Redo,
    Board,
    Position,
    Save(PathBuf),
    Resign,
    New,
    Quit,
}

/// A line, understood.
#[derive(PartialEq, Debug)]
pub(super) enum Input {
    Nothing,
    Move(String),
    Command(Command),
}

/// Every command with its usage and what it does.
const COMMANDS: [(&str, &str); 12] = [
    ("help", "this list"),
    ("moves", "the legal moves"),
    ("hint", "a good move, its value and how the game may go on"),
    ("analyze [N]", "what a search thinks of the N best moves"),
    ("undo", "take back your last move, and what was played after it"),
    ("redo", "play again what was taken back"),
    ("board", "draw the board"),
    ("position", "the position as text, and the moves so far"),
    ("save FILE", "write the game to a file; `spielbaum play --load FILE` goes on with it"),
    ("resign", "give up"),
    ("new", "another game"),
    ("quit", "leave"),
];

/// The list of commands.
pub(super) fn help() -> String {
    COMMANDS.iter().map(|(usage, text)| layout::hang(2, usage, 15, text)).collect()
}

/// Understands a line; moves of the game go before commands of the same name.
pub(super) fn parse(line: &str, legal: &[String]) -> Result<Input, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Input::Nothing);
    }
    if legal.iter().any(|m| m == line) {
        return Ok(Input::Move(line.to_string()));
    }
    let mut near = legal.iter().filter(|m| m.eq_ignore_ascii_case(line));
    if let (Some(mv), None) = (near.next(), near.next()) {
        return Ok(Input::Move(mv.clone()));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_lowercase(), rest.trim());
    let command = match (&*word, rest) {
        ("help" | "h" | "?", "") => Command::Help,
        ("moves", "") => Command::Moves,
        ("hint", "") => Command::Hint,
        ("analyze" | "analyse", "") => Command::Analyze(10),
        ("analyze" | "analyse", n) => match n.parse() {
            Ok(n) if n > 0 => Command::Analyze(n),
            _ => return Err(format!("`{n}` is no number of moves: `analyze`, or `analyze 20`")),
        },
        ("undo" | "u", "") => Command::Undo,
        ("redo", "") => Command::Redo,
        ("board", "") => Command::Board,
        ("position", "") => Command::Position,
        ("save", "") => return Err("save where? `save FILE`".to_string()),
        ("save", file) => Command::Save(PathBuf::from(file)),
        ("resign", "") => Command::Resign,
        ("new", "") => Command::New,
        ("quit" | "q" | "exit", "") => Command::Quit,
        _ => return Err(unknown(line, &word, legal)),
    };
    Ok(Input::Command(command))
}

fn unknown(line: &str, word: &str, legal: &[String]) -> String {
    let commands = COMMANDS.map(|(usage, _)| usage.split(' ').next().unwrap_or(usage));
    if commands.contains(&word) {
        return format!("`{word}` stands alone");
    }
    let names: Vec<&str> = legal.iter().map(String::as_str).chain(commands).collect();
    let what = if legal.is_empty() { "a command" } else { "a legal move or a command" };
    let problem = format!("`{line}` is not {what}");
    match nearest(word, &names) {
        Some(name) => format!("{problem}; did you mean `{name}`?"),
        None if legal.is_empty() => format!("{problem}, and the game is over; try `help`"),
        None => format!("{problem}; `moves` and `help` show what is"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal() -> Vec<String> {
        ["b2", "hold", "N", "n", "quit"].map(String::from).to_vec()
    }

    #[test]
    fn moves_go_before_commands() {
        let parsed = |line| parse(line, &legal()).unwrap();
        assert_eq!(parsed(" b2 "), Input::Move("b2".into()));
        assert_eq!(parsed("B2"), Input::Move("b2".into()));
        assert_eq!(parsed("n"), Input::Move("n".into()));
        assert_eq!(parsed("quit"), Input::Move("quit".into()));
        assert_eq!(parse("quit", &[]), Ok(Input::Command(Command::Quit)));
        assert_eq!(parsed("  "), Input::Nothing);
    }

    #[test]
    fn commands_have_arguments_or_none() {
        let command = |line| parse(line, &legal());
        assert_eq!(command("Undo"), Ok(Input::Command(Command::Undo)));
        assert_eq!(command("analyze 3"), Ok(Input::Command(Command::Analyze(3))));
        let file = Command::Save(PathBuf::from("my game.json"));
        assert_eq!(command("save my game.json"), Ok(Input::Command(file)));
        assert_eq!(command("save"), Err("save where? `save FILE`".into()));
        assert_eq!(command("undo 3"), Err("`undo` stands alone".into()));
        assert!(command("analyze many").is_err());
    }

    #[test]
    fn mistakes_are_answered_with_what_was_meant() {
        let mistake = |line| parse(line, &legal()).unwrap_err();
        assert_eq!(
            mistake("hlod"),
            "`hlod` is not a legal move or a command; did you mean `hold`?"
        );
        assert_eq!(
            mistake("hnit"),
            "`hnit` is not a legal move or a command; did you mean `hint`?"
        );
        assert!(mistake("xyzzy").contains("`moves` and `help`"));
    }

    #[test]
    fn the_list_fits_the_terminal_and_every_entry_is_understood() {
        assert!(help().lines().all(|l| l.chars().count() <= layout::WIDTH));
        for (usage, _) in COMMANDS {
            let line = usage.replace("[N]", "3");
            assert!(matches!(parse(&line, &[]), Ok(Input::Command(_))), "{usage}");
        }
    }
}
