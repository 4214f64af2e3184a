//! `replicate` of several papers at once.

use crate::support::{Scratch, error, run, stderr, stdout};

#[test]
fn parts_of_one_paper_are_asked_for_beside_another() {
    let scratch = Scratch::new("replicate-only");
    let out = scratch.path("runs");
    // Names that are nowhere are told before anything is played.
    let told = error(&format!("replicate lion gomoku --only L1,G99 --out '{out}' --quiet"), 2);
    assert!(told.contains("--only G99: no such section or part"), "{told}");
    for text in [" of lion; ", "L1, ", "G3", " of gomoku"] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert!(!scratch.0.join("runs").exists());
    let told = error(&format!("replicate lion --only G3 --out '{out}'"), 2);
    assert!(told.contains("--only G3: ") && !told.contains(" of lion"), "{told}");
    // What is in one of them is played there, and the other is left out.
    let output = run(&format!("replicate gomoku lion --only L1 --out '{out}'"));
    assert!(output.status.success());
    assert!(
        stderr(&output).contains("note: nothing of --only L1 in gomoku"),
        "{}",
        stderr(&output)
    );
    assert!(scratch.0.join("runs/lion-quick/run.json").exists());
    assert!(!scratch.0.join("runs/gomoku-quick").exists());
    // Of each what it has.
    let told =
        stdout(&format!("replicate lion carcassonne --only L1-001,C1 --dry-run --out '{out}'"));
    assert!(told.contains("L1-001") && told.contains("C1-001"), "{told}");
}
