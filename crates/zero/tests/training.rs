//! Training is a function of its seed: threads, batches and interruptions do not show.

#![allow(clippy::unwrap_used)]

use spielbaum_core::Stop;
use spielbaum_core::param::resolve;
use spielbaum_games::gomoku::Gomoku;
use spielbaum_net::{Device, Weights};
use spielbaum_zero::train::{
    Dir, Ended, Event, Header, TRAINING, TrainConfig, Training, read_curve,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const OURS: &str = "ours:games=6,total=30,simulations=16,fast=6,batch=16,buffer=200,passes=2,\
                    net=\"res:blocks=1,channels=16\",every=12,duels=2,step=20,top=40,play=12";
const PAPER: &str = "paper:total=9,simulations=12,batch=16,buffer=30,wins=1,every=4,duels=3,\
                     step=15,top=30,play=10";

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("spielbaum-zero-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Trains until the end, or until so many iterations are complete.
fn train(path: &Path, text: &str, threads: usize, together: usize, most: u64) -> Ended {
    let start = Gomoku::new(4, 4, 3).unwrap();
    let args = resolve(text, "training", &[&TRAINING]).unwrap();
    let config = TrainConfig::new(&args, 16).unwrap();
    let header = Header::new("gomoku:m=4,n=4,k=3".into(), config.text.clone(), 5);
    let stop = Stop::new();
    let iterations = AtomicU64::new(0);
    let training = Training {
        start,
        game: header.game.clone(),
        config,
        dir: Dir::open(path, &header).unwrap(),
        seed: 5,
        device: Device::Cpu,
        threads,
        together,
        time: None,
        from: None,
        stop: stop.clone(),
        watch: &|event| {
            if let Event::Iteration(..) = event
                && iterations.fetch_add(1, Ordering::Relaxed) + 1 >= most
            {
                stop.set();
            }
        },
    };
    training.run().unwrap()
}

/// Everything that can be repeated is the same.
fn compare(one: &Path, other: &Path, what: &str) {
    for file in ["curve.jsonl", "trials.jsonl", "state.safetensors", "net.safetensors"] {
        let read = |dir: &Path| std::fs::read(dir.join(file)).unwrap();
        assert!(read(one) == read(other), "{what}: {file}");
    }
}

#[test]
fn threads_batches_and_interruptions_do_not_show() {
    for (name, text) in [("ours", OURS), ("paper", PAPER)] {
        let whole = folder(&format!("{name}-whole"));
        assert_eq!(train(&whole, text, 1, 1, u64::MAX), Ended::Complete);
        let (curve, trials, times) = read_curve(&whole).unwrap();
        assert_eq!(curve.len(), times.len());
        assert!(trials.len() >= 2, "{name}: {} trials", trials.len());
        assert!(curve.iter().any(|p| p.steps > 0 && p.loss > 0.0), "{name}");

        let threads = folder(&format!("{name}-threads"));
        assert_eq!(train(&threads, text, 2, 5, u64::MAX), Ended::Complete);
        compare(&threads, &whole, &format!("{name}: threads"));

        let broken = folder(&format!("{name}-broken"));
        while train(&broken, text, 1, 3, 2) == Ended::Stopped {
            // What a kill may leave behind: a line and games beyond the state.
            let curve = std::fs::read_to_string(broken.join("curve.jsonl")).unwrap();
            let last = curve.lines().last().unwrap();
            let next = last.replacen("\"iteration\":", "\"iteration\":9", 1);
            std::fs::write(broken.join("curve.jsonl"), format!("{curve}{next}\n{{\"iter")).unwrap();
            std::fs::write(broken.join("games/000099.games"), b"torn").unwrap();
        }
        compare(&broken, &whole, &format!("{name}: interruptions"));

        let weights = Weights::load(&whole.join("net.safetensors")).unwrap();
        assert_eq!(weights.metadata["game"], "gomoku:m=4,n=4,k=3");
        assert!(weights.metadata["training"].contains("simulations="));
        for path in [whole, threads, broken] {
            std::fs::remove_dir_all(path).unwrap();
        }
    }
}

#[test]
fn another_training_in_the_same_directory_is_refused() {
    let path = folder("refused");
    assert_eq!(train(&path, OURS, 1, 4, 1), Ended::Stopped);
    let header = Header::new("gomoku:m=4,n=4,k=3".into(), "other".into(), 5);
    let error = Dir::open(&path, &header).err().unwrap();
    assert!(error.contains("holds another training: config is"), "{error}");
    std::fs::remove_dir_all(path).unwrap();
}
