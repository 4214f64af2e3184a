//! A person at the table, played by a script.

use crate::support::{Scratch, error, run_with, stderr};
use std::io::{Read, Write};
use std::process::Stdio;

const TTT: &str = "gomoku:m=3,n=3,k=3";

/// The output of a session that must end well.
fn session(line: &str, input: &str) -> String {
    let output = run_with(&format!("play {line}"), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    assert!(output.stderr.is_empty(), "{line}: {}", stderr(&output));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains('\x1b'), "no escape codes without a terminal: {text:?}");
    text
}

/// The lines that hold `part`.
fn with<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(part)).collect()
}

#[test]
fn a_game_of_two_is_played_to_its_end() {
    let text = session(&format!("{TTT} human --seed 1"), "a1\nb1\na2\nb2\na3\n");
    assert_eq!(with(&text, "> ").len(), 6, "{text}");
    assert_eq!(with(&text, "O to move (turn 4)"), ["O to move (turn 4) > b2"], "{text}");
    assert!(text.contains("\n 3 (X) .  . \n"), "{text}");
    assert!(text.contains("X wins\nX wins\nwhat now? `undo`, `new`, `save FILE` or `quit`\n"));
    assert!(text.ends_with("game over > \n"), "{text}");
}

#[test]
fn a_perfect_player_is_not_beaten_and_beats_mistakes() {
    let text =
        session(&format!("{TTT} alphabeta --second --depth 9"), "b1\na1\na2\na3\nb3\nc1\nc2\nc3\n");
    assert!(text.contains("  X  alphabeta\n  O  you\n"), "{text}");
    assert!(text.contains("(a proven win, depth "), "{text}");
    assert!(text.contains("X wins, you lose\n"), "{text}");

    let hints =
        session(&format!("{TTT} random --hint minimax --seed 5 --depth 9"), "hint\nb2\nhint\n");
    assert_eq!(with(&hints, "hint: ").len(), 2, "{hints}");
    assert!(hints.contains("(minimax: a proven draw, depth 9"), "{hints}");
    assert_eq!(with(&hints, "line:  ").len(), 2, "{hints}");
}

#[test]
fn every_game_can_be_played_saved_and_loaded() {
    let scratch = Scratch::new("play-every");
    let list = crate::support::json("list --json");
    for game in list["games"].as_array().expect("games") {
        let name = game["name"].as_str().expect("a name");
        let file = scratch.path(&format!("{name}.json"));
        let text = session(&format!("{name} random --seed 1"), &format!("position\nsave {file}\n"));
        assert!(text.contains("saved to"), "{name}: {text}");
        let loaded = session(&format!("--load {file}"), "position\nmoves\n");
        assert!(loaded.contains("(turn 1"), "{name}: {loaded}");
    }
}

#[test]
fn mistakes_are_explained_and_asked_again() {
    let input = "b9\nhlep\n\n\u{fffd}\nb2 c3\nundo\nredo\nsave\nanalyze x\nb2\nb2\n";
    let text = session(&format!("{TTT} human"), input);
    for part in [
        "`b9` is not a legal move or a command; `moves` and `help` show what is",
        "did you mean `help`?",
        "`b2 c3` is not a legal move or a command",
        "there is no move of yours to take back",
        "nothing was taken back",
        "save where?",
        "`x` is no number of moves",
        "`b2` is not a legal move",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(with(&text, "X to move (turn 1) > ").len(), 10, "{text}");

    let bytes = run_with(&format!("play {TTT} human"), b"\xff\xfe\nb2\n");
    assert_eq!(bytes.status.code(), Some(0));
}

#[test]
fn undo_goes_back_to_the_person_and_redo_forward() {
    let input = "b2\na1\nundo\nposition\nundo\nundo\nredo\nredo\nposition\nredo\n";
    let text = session(&format!("{TTT} uct:iterations=50 --seed 3"), input);
    let taken = with(&text, "taken back: ");
    assert_eq!(taken.len(), 2, "{text}");
    assert!(taken[1].starts_with("taken back: b2 "), "{text}");
    assert_eq!(with(&text, "played again: ").len(), 2, "{text}");
    assert_eq!(with(&text, "played again: b2 "), [taken[1].replace("taken back", "played again")]);
    assert_eq!(with(&text, "nothing was taken back").len(), 1, "{text}");
    assert_eq!(with(&text, "there is no move of yours").len(), 1, "{text}");
    // Back where it was: the same moves after the last redo as before the first undo.
    let moves = with(&text, "moves:  ");
    assert!(moves[1].starts_with(moves[0]) && moves[1] != moves[0], "{moves:?}");
}

#[test]
fn one_plays_alone_with_dice() {
    let line = "reroll:dice=2 uct:iterations=500 --seed 3";
    let text = session(line, "hint\nkeep\nkeep\nundo\nundo\nkeep\nkeep\nnew\n");
    assert_eq!(with(&text, "taken back: keep").len(), 2, "{text}");
    let points = with(&text, "the game is over with ");
    assert_eq!(points.len(), 2, "{text}");
    assert_eq!(points[0], points[1], "taking back buys no other dice: {text}");
    assert!(points[0].ends_with(" points"), "{text}");
    // The dice of another game are others, those of the same seed are not.
    assert_eq!(session(line, "keep\nkeep\nnew\n"), session(line, "keep\nkeep\nnew\n"));
    assert!(text.contains("(turn 1: keep, again) > "), "{text}");
}

#[test]
fn three_sit_at_a_table_and_the_last_player_fills_it() {
    let line = "pig:players=3,target=25 uct:iterations=200 --seat 2 --seed 2";
    let text = session(line, &"roll\nroll\nhold\nposition\n".repeat(12));
    for seat in ["  player 1  uct:", "  player 2  you", "  player 3  uct:"] {
        assert!(text.contains(seat), "{seat}: {text}");
    }
    assert!(text.contains("player 1 plays roll") && text.contains("player 3 plays roll"), "{text}");
    assert!(!with(&text, "rolled ").is_empty(), "{text}");
    assert_eq!(with(&text, " wins").len(), 1, "{text}");
    assert!(with(&text, " wins")[0].contains(" : "), "the points are told: {text}");

    let resigned = session(line, "resign\nhint\nundo\nmoves\n");
    assert!(resigned.contains("player 2 resigned, and the game ends"), "{resigned}");
    assert!(resigned.contains("the game is over: `undo`"), "{resigned}");
    assert!(resigned.contains("you go on"), "{resigned}");
    assert!(resigned.contains("moves\nroll\n"), "{resigned}");
}

#[test]
fn a_saved_game_goes_on() {
    let scratch = Scratch::new("play-save");
    let file = scratch.path("my game.json");
    let line = "pig:target=40 uct:iterations=100 --seed 11";
    let first = session(line, &format!("roll\nroll\nsave {file}\nposition\n"));
    assert!(first.contains(&format!("saved to {file}\n")), "{first}");
    let loaded = session(&format!("--load '{file}'"), "position\nundo\nroll\nposition\n");
    let positions = with(&first, "scores=");
    assert_eq!(with(&loaded, "moves:  ")[0], with(&first, "moves:  ")[0]);
    assert_eq!(with(&loaded, "scores=")[0], *positions.last().unwrap());
    assert!(loaded.starts_with("pig:target=40, seed 11;"), "{loaded}");
    assert!(loaded.contains("  player 2  uct:iterations=100\n"), "{loaded}");
    // The dice go on as they would have.
    assert_eq!(with(&loaded, "moves:  ")[1], with(&first, "moves:  ")[0]);
    // Saved again over itself, and never over anything else.
    let other = scratch.path("other.txt");
    std::fs::write(&other, "precious").unwrap();
    let again = session(&format!("--load '{file}'"), &format!("save {other}\nsave {file}\n"));
    assert!(again.contains("there is another file of this name"), "{again}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
    assert_eq!(with(&again, "saved to").len(), 1);
    let nowhere = session(line, &format!("save {}\n", scratch.path("no/where/x")));
    assert!(nowhere.contains("cannot save to"), "{nowhere}");
}

#[test]
fn damaged_saves_are_refused_with_the_reason() {
    let scratch = Scratch::new("play-damage");
    let file = scratch.path("game.json");
    session(&format!("{TTT} human --seed 1"), &format!("a1\nb1\nsave {file}\n"));
    let good = std::fs::read_to_string(&file).unwrap();
    let damages = [
        ("\"format\": 1", "\"format\": 99", "format 99, and this program reads format 1"),
        ("\"format\": 1,", "", "it has no `format`"),
        ("\"b1\"", "\"b7\"", "move 2: `b7` is not a legal move here"),
        ("\"human\",", "", "1 players for 2 seats"),
        ("\"human\",", "\"humn\",", "unknown player"),
        ("gomoku", "gomku", "gomoku"),
        ("\"seed\": 1", "\"seed\": -1", "not a saved game"),
        ("\"resigned\": null", "\"resigned\": 7", "a seat that is not there"),
        ("\"round\"", "\"rounds\"", "unknown field `rounds`"),
        ("}", "", "not a saved game"),
    ];
    for (from, to, reason) in damages {
        assert!(good.contains(from), "{from}");
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        let message = error(&format!("play --load {file}"), 2);
        assert!(message.contains(reason), "{from} → {to}: {message}");
    }
    assert!(error("play --load /no/such/file", 2).contains("/no/such/file"));
}

#[test]
fn requests_that_make_no_table_are_refused() {
    for (line, reason) in [
        (format!("play {TTT} uct random"), "2 players for one seat beside yours"),
        (format!("play {TTT} --seat 3"), "there is no seat 3 at a table of 2"),
        ("play reroll uct random".to_string(), "a game of one"),
        ("play pig alphabeta".to_string(), "cannot play pig"),
        (format!("play {TTT} uct --hint nobody"), "nobody"),
        (format!("play {TTT} --moves 'b2 b2'"), "move 2: `b2` is not a legal move here"),
        (format!("play {TTT} --position nonsense"), "position: "),
    ] {
        let message = error(&line, 2);
        assert!(message.contains(reason), "{line}: {message}");
    }
}

#[test]
fn a_game_begins_where_it_is_told_and_new_comes_back_there() {
    let line = format!("{TTT} human --position '3/1X1/O2 x' --moves c3");
    let text = session(&line, "position\na3\nnew\nposition\n");
    let positions = with(&text, "2X/1X1/O2 o");
    assert_eq!(positions.len(), 2, "{text}");
    assert_eq!(with(&text, "from:   3/1X1/O2 x").len(), 2, "{text}");
}

/// Ctrl-C while the program thinks makes it move; at the prompt it ends the game.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_thinking_then_the_game() {
    let line = "play gomoku uct:time=600s --second --seed 1";
    let mut child = crate::support::command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    let interrupt = || {
        let pid = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    };
    let mut text = String::new();
    let mut read_to = |part: &str| {
        let mut buffer = [0; 4096];
        while !text.contains(part) {
            let n = stdout.read(&mut buffer).expect("it writes");
            assert!(n > 0, "ended before `{part}`: {text}");
            text += &String::from_utf8_lossy(&buffer[..n]);
        }
    };
    read_to("O  you");
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt();
    read_to("X plays ");
    read_to("O to move (turn 2) > ");
    stdin.write_all(b"moves\n").expect("it reads");
    read_to("a1 ");
    interrupt();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
