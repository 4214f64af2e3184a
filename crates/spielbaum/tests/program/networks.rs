//! Records of players with networks, and networks that change or vanish.

use crate::runs::write;
use crate::support::{Scratch, error, json, stdout};
use std::fs;
use std::path::Path;

/// A copy of a network that comes with the program.
fn copy(scratch: &Scratch, model: &str, name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/models");
    fs::copy(models.join(model), scratch.0.join(name)).unwrap();
    scratch.path(name)
}

#[test]
fn a_match_does_not_go_on_with_another_network_of_the_same_name() {
    let scratch = Scratch::new("net-changed");
    let net = copy(&scratch, "gomoku-6x6.safetensors", "mine.safetensors");
    let dir = scratch.path("match");
    let line = format!(
        "match gomoku:m=6,n=6,k=4 zero:net={net},iterations=8 random --games 4 --quiet --out '{dir}'"
    );
    stdout(&line);
    assert!(stdout(&format!("replay '{dir}' --rerun")).contains("4 played again"));
    let mut bytes = fs::read(&net).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(&net, &bytes).unwrap();
    for line in [&line, &format!("replay '{dir}' --rerun")] {
        let message = error(line, 2);
        assert!(message.contains("the network `") && message.contains("checksum"), "{message}");
        assert!(message.contains("mine.safetensors") && message.contains("of `zero:"), "{message}");
    }
    fs::remove_file(&net).unwrap();
    assert!(error(&line, 2).contains("there is no network"));
    assert!(stdout(&format!("replay '{dir}'")).contains("4 games verified"));
    assert!(stdout(&format!("replay '{dir}' --game 2")).contains("zero:net="));
    assert!(stdout(&format!("report '{dir}'")).contains("4 games"));
}

#[test]
fn a_run_is_read_without_its_networks() {
    let scratch = Scratch::new("net-gone");
    let net = copy(&scratch, "2048-small.ntuple", "mine.ntuple");
    let text = format!(
        "title = 'Alone'\ngame = '2048'\nbudget = 'depth=2'\n[[experiment]]\nid = 'scores'\nformat = 'scores'\n\
         games = 4\nmax-plies = 50\nplayers = [\"ntuple:net={net}\", 'random']\n"
    );
    let file = write(&scratch, &text);
    let (dir, digest) = (scratch.path("run"), scratch.path("run.json"));
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    let before = json(&format!("status '{dir}' --json"));
    fs::remove_file(&net).unwrap();
    assert!(error(&format!("run '{dir}'"), 2).contains("mine.ntuple"));
    assert_eq!(json(&format!("status '{dir}' --json")), before);
    let csv = stdout(&format!("export '{dir}' --csv -"));
    assert_eq!(csv.split_terminator("\r\n").count(), 5);
    stdout(&format!("export '{dir}' --digest '{digest}'"));
    for place in [&dir, &digest] {
        assert!(stdout(&format!("report '{place}'")).contains("mine.ntuple"));
    }
    assert!(stdout(&format!("replay '{dir}/parts/scores-001'")).contains("4 games verified"));
}
