//! The duel matrix of a training: every variant of some checkpoints against every level of UCT. The
//! training writes it as an experiment; whoever runs it finds the tables in the training's report.

use super::at;
use crate::catalog::RECORDED;
use crate::failure::{Failure, Outcome};
use spielbaum_document::Section;
use spielbaum_lab::{self as lab, Results};
use spielbaum_zero::train::TrainConfig;
use std::fs;
use std::path::Path;

/// The experiment, and the directory of its run, both in that of the training.
const FILE: &str = "duels.toml";
const RUN: &str = "duels";

/// Checkpoints that play, spread evenly over the training.
const CHECKPOINTS: usize = 6;

/// Games of each duel.
const GAMES_EACH: u64 = 20;

/// Writes the experiment; without checkpoints there is none.
pub(super) fn write(dir: &Path, game: &str, config: &TrainConfig) -> Outcome {
    let Ok(entries) = fs::read_dir(dir.join("checkpoints")) else { return Ok(()) };
    let is_net = |path: &Path| path.extension().is_some_and(|e| e == "safetensors");
    let mut nets: Vec<_> = entries.flatten().map(|e| e.path()).filter(|p| is_net(p)).collect();
    if nets.is_empty() {
        return Ok(());
    }
    nets.sort();
    let nets: Vec<String> =
        spread(nets.len()).map(|i| quoted(&nets[i].display().to_string())).collect();
    let (play, top) = (config.play, config.top.max(config.step));
    let levels: Vec<String> =
        (1..=top / config.step.max(1)).map(|level| (level * config.step).to_string()).collect();
    let variants: Vec<String> = ["zero", "zerox", "zero-plus"]
        .map(|name| format!("\"{name}:net=$net,iterations={play}\""))
        .to_vec();
    let text = format!(
        "# Checkpoints of this training against UCT. The report of the training shows the result of\n\
         # spielbaum run {}/{FILE} --out {}/{RUN}\n\
         title = \"Checkpoints against UCT\"\n\
         game = {}\n\
         openings = \"none\"\n\
         games = {GAMES_EACH}\n\n\
         [[experiment]]\n\
         id = \"duels\"\n\
         title = \"Every variant and checkpoint against every level of UCT\"\n\
         format = \"gauntlet\"\n\
         players = [\"flat:net=$net\", {}]\n\
         opponents = [\"uct-gomoku:iterations=[{}]\"]\n\n\
         [experiment.vary]\n\
         net = [{}]\n",
        dir.display(),
        dir.display(),
        quoted(game),
        variants.join(", "),
        levels.join(","),
        nets.join(", ")
    );
    let path = dir.join(FILE);
    fs::write(&path, text).map_err(at(&path))
}

/// What the experiment has found so far, for the report of the training.
pub(super) fn sections(dir: &Path) -> Result<Vec<Section>, Failure> {
    let run = dir.join(RUN);
    if !run.join("run.json").exists() {
        return Ok(Vec::new());
    }
    Ok(lab::report(&Results::read(&run, RECORDED)?).sections)
}

/// So many of `n` numbers, the last one included.
fn spread(n: usize) -> impl Iterator<Item = usize> {
    let most = n.min(CHECKPOINTS);
    (1..=most).map(move |i| i * n / most - 1)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_spread_and_the_last_is_there() {
        assert_eq!(spread(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(12).collect::<Vec<_>>(), [1, 3, 5, 7, 9, 11]);
        assert_eq!(spread(7).last(), Some(6));
    }
}
