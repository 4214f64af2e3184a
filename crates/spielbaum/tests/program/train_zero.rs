//! Training by the real program: killed at any moment, it goes on as if nothing had happened.

use crate::support::{Scratch, command, error, json, stdout};
use spielbaum_net::{Architecture, Shape, Weights};
use std::process::Stdio;
use std::time::Duration;

const TRAIN: &str = "train gomoku:m=4,n=4,k=3 --config \
    'ours:games=8,total=64,simulations=24,fast=8,batch=32,buffer=400,passes=2,\
    net=\"res:blocks=1,channels=16\",every=16,duels=2,step=20,top=60,play=16' --threads 1 --json";

#[test]
fn a_killed_training_goes_on_as_if_nothing_had_happened() {
    let scratch = Scratch::new("train-zero-kill");
    let (whole, broken) = (scratch.path("whole"), scratch.path("broken"));
    let answer = json(&format!("{TRAIN} --quiet --out {whole}"));
    assert_eq!((answer["games"].as_u64(), answer["ended"].as_str()), (Some(64), Some("complete")));

    let line = format!("{TRAIN} --quiet --out {broken}");
    let mut kills = 0;
    for wait in (0..).map(|i| Duration::from_millis(10 + 10 * i)) {
        let mut child = command(&line).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(wait);
        // SIGKILL: no chance to clean up.
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 3, "only {kills} kills");
    for file in ["curve.jsonl", "trials.jsonl", "net.safetensors", "state.safetensors"] {
        let read = |dir: &str| std::fs::read(format!("{dir}/{file}")).unwrap();
        assert_eq!(read(&whole), read(&broken), "{file} after {kills} kills");
    }

    let report = stdout(&format!("report {whole}"));
    assert!(report.contains("Strength") && report.contains("Loss"), "{report}");
    assert!(std::fs::read_to_string(format!("{whole}/report.html")).unwrap().contains("Entropy"));
    stdout(&format!("run {whole}/duels.toml --out {whole}/duels --quick --quiet"));
    let report = stdout(&format!("report {whole}"));
    assert!(report.contains("Every variant and checkpoint against every level of UCT"), "{report}");
    let net = format!("{whole}/net.safetensors");
    let game = "gomoku:m=4,n=4,k=3";
    let played = json(&format!(
        "match {game} zerox:net={net},iterations=20 uct-gomoku:iterations=50 --games 4 --json"
    ));
    assert!(played.is_object());
    let wrong = error(&format!("train {game} --out {whole} --config paper"), 2);
    assert!(wrong.contains("holds another training"), "{wrong}");
}

#[test]
fn what_cannot_be_trained_is_explained() {
    let scratch = Scratch::new("train-zero-wrong");
    let out = scratch.path("out");
    let message = error(&format!("train pig --out {out}"), 2);
    assert!(message.contains("nothing here learns pig") && message.contains("gomoku"), "{message}");
    let message = error(&format!("train gomoku --config ours:simulation=5 --out {out}"), 2);
    assert!(message.contains("simulations"), "{message}");
    let message = error(&format!("train gomoku --device tpu --out {out}"), 2);
    assert!(message.contains("cpu"), "{message}");
    if cfg!(not(feature = "cuda")) {
        let message = error(&format!("train gomoku --device cuda --out {out}"), 2);
        assert!(message.contains("CUDA"), "{message}");
    }
    let shape = Shape { planes: 4, height: 4, width: 4 };
    let net = scratch.0.join("paper.safetensors");
    Weights::new(Architecture::Paper, shape, 1).unwrap().save(&net).unwrap();
    let from = format!("--config paper --from '{}' --out {out}", net.display());
    let message = error(&format!("train gomoku:m=2,n=2,k=2 {from}"), 2);
    assert!(message.contains("4x2x2") && message.contains("4x4x4"), "{message}");
    let shape = Shape { planes: 3, ..shape };
    Weights::new(Architecture::Paper, shape, 1).unwrap().save(&net).unwrap();
    let message = error(&format!("train gomoku:m=4,n=4,k=3 {from}"), 2);
    assert!(message.contains("for 3 planes, and the game has 4"), "{message}");
    assert!(!std::path::Path::new(&out).exists(), "a refused training takes no directory");
    let message = error("analyze gomoku:m=6,n=6,k=4 zero:net=nowhere.safetensors", 2);
    assert!(message.contains("no network `nowhere.safetensors`"), "{message}");
}
