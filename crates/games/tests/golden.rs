//! One random game of each kind, move by move, kept as a file: texts, keys and the generator stay
//! what they are. After a change on purpose: `SPIELBAUM_BLESS=1 cargo test -p spielbaum-games`.

use spielbaum_core::{Game, Rng};
use spielbaum_games::{
    carcassonne::{self, Carcassonne},
    g2048::G2048,
    gomoku::Gomoku,
    morpion::{Morpion, Variant},
    pig::Pig,
    reroll::Reroll,
    xiangqi::{Rules, Xiangqi},
};
use std::fmt::Write as _;
use std::path::Path;

/// A random game from a seed, then the end of a playout from the same start and seed.
fn record<G: Game>(name: &str, start: &G, seed: u64) -> String {
    let mut out = format!("# {name}, seed {seed}: position | moves | key | move played\n");
    let (mut pos, mut rng, mut scratch) = (start.clone(), Rng::new(seed), Vec::new());
    loop {
        let _ = write!(out, "{pos} | {} | {:016x}", pos.count_moves(), pos.key());
        let Some(m) = pos.random_move(&mut rng, &mut scratch) else { break };
        let _ = writeln!(out, " | {m}");
        pos.play(m);
    }
    let payoffs = |pos: &G| format!("{:?}", &pos.payoffs()[..pos.players()]);
    let _ = writeln!(out, "\npayoffs {}", payoffs(&pos));
    let (mut end, mut rng) = (start.clone(), Rng::new(seed));
    let plies = end.playout(u32::MAX, &mut rng, &mut scratch);
    let _ = writeln!(out, "# playout: moves made | position | key | payoffs");
    let _ = writeln!(out, "{plies} | {end} | {:016x} | {}", end.key(), payoffs(&end));
    out
}

fn compare(file: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden").join(file);
    if std::env::var_os("SPIELBAUM_BLESS").is_some() {
        std::fs::write(&path, found).expect("the folder data/golden");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for (i, (kept, found)) in kept.lines().zip(found.lines()).enumerate() {
        assert_eq!(kept, found, "{file}, line {}", i + 1);
    }
    assert_eq!(kept.lines().count(), found.lines().count(), "{file}");
}

/// A short game with all its texts, then the end of a whole one, drawn.
fn carcassonne() -> String {
    let short = carcassonne::Options { tiles: Some("UJLBOVSJKA"), ..Default::default() };
    let short = Carcassonne::new(&short).expect("ten tiles of the box");
    let mut end = Carcassonne::default();
    end.playout(u32::MAX, &mut Rng::new(6), &mut Vec::new());
    record("carcassonne with ten tiles", &short, 5)
        + &format!("# a whole game, seed 6\n{end}\n{end:#}\n")
}

#[test]
fn games_are_as_they_were() {
    let gomoku = |m, n, k| Gomoku::new(m, n, k).unwrap();
    compare("tic-tac-toe.txt", &record("gomoku 3,3,3", &gomoku(3, 3, 3), 1));
    compare("gomoku.txt", &record("gomoku 9,7,5", &gomoku(9, 7, 5), 2));
    compare("pig.txt", &record("pig of 3 to 20", &Pig::new(3, 20).unwrap(), 3));
    compare("carcassonne.txt", &carcassonne());
    for preset in Rules::PRESETS {
        let name = format!("xiangqi {}", preset.name);
        let start = Xiangqi::new(Rules { plies: 120, ..preset.rules });
        compare(&format!("xiangqi-{}.txt", preset.name), &record(&name, &start, 5));
    }
    compare("morpion-5d.txt", &record("morpion 5D", &Morpion::new(Variant::Disjoint), 5));
    compare("morpion-5t.txt", &record("morpion 5T", &Morpion::new(Variant::Touching), 6));
    compare("reroll.txt", &record("reroll with 5 dice", &Reroll::new(5).unwrap(), 4));
    compare("2048.txt", &record("2048", &G2048::new(4, 4).unwrap(), 5));
    compare("2048-3x3.txt", &record("2048-3x3", &G2048::new(3, 3).unwrap(), 6));
}
