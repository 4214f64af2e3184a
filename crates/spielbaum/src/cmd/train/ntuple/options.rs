//! What n-tuple networks are told, and what a directory has kept of it.

use crate::args::{count, count_to};
use crate::cmd::train::{SEED, time};
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use spielbaum_core::param::format_duration;
use spielbaum_learn::ntuple::{Backward, Config, Method, Shape};
use std::path::PathBuf;
use std::time::Duration;

/// The default of `--lambda`.
const LAMBDA: f32 = 0.5;

/// What only n-tuple networks are told.
#[derive(Args)]
#[group(skip)]
#[command(next_help_heading = "N-tuple networks (2048)")]
pub(crate) struct Options {
    /// The tuples: 4x6, 8x6, small, 4x4, or their cells as in 0123-0145 [default: 4x6]
    #[arg(long, value_name = "NET", value_parser = shape)]
    net: Option<Shape>,

    /// How far the steps of learning go [default: tc]
    #[arg(long, value_enum)]
    method: Option<Steps>,

    /// Share of an error that a step makes up [default: 1 for tc, 0.1 for td]
    #[arg(long, value_name = "A", value_parser = rate)]
    alpha: Option<f32>,

    /// After so many games or so much time of this training, as in 500k or 35m, steps make up a tenth
    /// of --alpha, to its end [default: none]
    #[arg(long, value_name = "N|TIME|none", value_parser = cool)]
    cool: Option<Cool>,

    /// Value of every board at first: a high one makes it try what it does not know [default: 0]
    #[arg(long, value_name = "V", value_parser = value, allow_hyphen_values = true)]
    init: Option<f32>,

    /// Learn after the end of a game, backwards, with so much of what came in the end in a target;
    /// `none`: during the game, each move from the next [default: 0.5]
    #[arg(long, value_name = "L|none", value_parser = lambda)]
    lambda: Option<Lambda>,

    /// Begin another game in the middle of one of more moves than this, and so on [default: none]
    #[arg(long, value_name = "N|none", value_parser = restart)]
    restart: Option<Restart>,

    /// Let weights that are met for the first time begin with what is known of like tiles; for tc
    /// [default: true]
    #[arg(long, value_name = "true|false")]
    promote: Option<bool>,

    /// Games to a point of the learning curve [default: 1000]
    #[arg(long, value_name = "N", value_parser = count)]
    every: Option<u64>,

    /// Save so often, at the least [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = time)]
    save: Option<Duration>,

    /// Games to play greedily after training, of other seeds
    #[arg(long, value_name = "N", value_parser = count)]
    pub(super) test: Option<u64>,

    /// Write the net to this file, for playing: two bytes a weight
    #[arg(long, value_name = "FILE")]
    pub(super) export: Option<PathBuf>,
}

impl Options {
    /// The names of what was given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let all = [
            ("net", self.net.is_some()),
            ("method", self.method.is_some()),
            ("alpha", self.alpha.is_some()),
            ("cool", self.cool.is_some()),
            ("init", self.init.is_some()),
            ("lambda", self.lambda.is_some()),
            ("restart", self.restart.is_some()),
            ("promote", self.promote.is_some()),
            ("every", self.every.is_some()),
            ("save", self.save.is_some()),
            ("test", self.test.is_some()),
            ("export", self.export.is_some()),
        ];
        all.iter().filter(|(_, given)| *given).map(|&(name, _)| name).collect()
    }

    pub(super) fn save(&self) -> Duration {
        self.save.unwrap_or(Duration::from_secs(600))
    }

    /// What is trained and how the training goes. What is not given is what the directory has
    /// `kept`, if it holds a training, else the default.
    pub(super) fn settle(
        &self,
        seed: Option<u64>,
        kept: Option<&[(String, String)]>,
    ) -> Result<(Config, Course), Failure> {
        let is_new = kept.is_none();
        let kept = Kept(kept.unwrap_or_default());
        let method = self.method.or(kept.get("method", |text| Steps::from_str(text, false))?);
        let (method, alpha) = match method.unwrap_or(Steps::Tc) {
            Steps::Tc => (Method::Tc, 1.0),
            Steps::Td => (Method::Td, 0.1),
        };
        let net = self.net.clone().or(kept.get("net", shape)?);
        let net = net.map_or_else(|| shape("4x6"), Ok).map_err(Failure::Input)?;
        // Trainings from before there was anything else learn during the game, and say nothing of it.
        let lambda = self.lambda.or(kept.get("lambda", lambda)?);
        let Lambda(lambda) = lambda.unwrap_or(Lambda(is_new.then_some(LAMBDA)));
        if let (None, Some(Restart(Some(most)))) = (lambda, self.restart) {
            return Err(Failure::Input(format!(
                "--restart {most} begins games in the path of others, and only learning after the game \
                 keeps one: --lambda with a number, not none"
            )));
        }
        let restart = self.restart.or(kept.get("restart", restart)?);
        let Restart(restart) = restart.unwrap_or(Restart(None));
        let promote = self.promote.or(kept.get("promote", truth)?);
        let promote = promote.unwrap_or(is_new) && method == Method::Tc;
        if self.promote == Some(true) && !promote {
            let text = "--promote true: only --method tc knows which weights were met";
            return Err(Failure::Input(text.to_string()));
        }
        let backward = lambda.map(|lambda| Backward { lambda, restart });
        let config = Config {
            shape: net,
            method,
            alpha: self.alpha.or(kept.get("alpha", rate)?).unwrap_or(alpha),
            init: self.init.or(kept.get("init", value)?).unwrap_or(0.0),
            backward,
            promote,
            seed: seed.or(kept.get("seed", number)?).unwrap_or(SEED),
        };
        let every = self.every.or(kept.get("every", number)?).unwrap_or(1000);
        let cool = self.cool.or(kept.get("cool", cool)?).unwrap_or(Cool::Never);
        Ok((config, Course { every, cool }))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Steps {
    /// Temporal coherence: shorter for weights whose errors cancel out
    Tc,
    /// The same for all weights
    Td,
}

fn shape(text: &str) -> Result<Shape, String> {
    text.parse()
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 10.0);
    rate.ok_or_else(|| "not a number above 0 and at most 10".to_string())
}

fn value(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|value: &f32| value.abs() <= 1e9);
    value.ok_or_else(|| "not a number".to_string())
}

/// What happens at which games of a training.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// Games to a point of the curve.
    pub(super) every: u64,
    /// When it is cooled.
    pub(super) cool: Cool,
}

/// When steps begin to make up a tenth of what they did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Cool {
    Never,
    /// After so many games in all.
    Games(u64),
    /// After so much time in all.
    Time(Duration),
}

impl Cool {
    /// Whether it is time after so many games; `is_spent` says whether so much time has passed.
    pub(super) fn is_due(self, games: u64, is_spent: impl Fn(Duration) -> bool) -> bool {
        self.games().is_some_and(|full| games >= full) || self.time().is_some_and(is_spent)
    }

    /// Whether it lies behind the end of a training of so many games or so much time.
    pub(super) fn is_beyond(self, games: Option<u64>, time: Option<Duration>) -> bool {
        match self {
            Cool::Never => false,
            Cool::Games(full) => games.is_some_and(|last| last <= full),
            Cool::Time(full) => time.is_some_and(|last| last <= full),
        }
    }

    /// The games with full steps, if they are what counts.
    pub(super) fn games(self) -> Option<u64> {
        if let Cool::Games(games) = self { Some(games) } else { None }
    }

    /// The time with full steps, if it is what counts.
    pub(super) fn time(self) -> Option<Duration> {
        if let Cool::Time(time) = self { Some(time) } else { None }
    }
}

impl std::fmt::Display for Cool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cool::Never => write!(f, "none"),
            Cool::Games(games) => write!(f, "{games}"),
            Cool::Time(time) => write!(f, "{}", format_duration(*time)),
        }
    }
}

fn cool(text: &str) -> Result<Cool, String> {
    let games = || count(text).ok().map(Cool::Games);
    let cool = if text == "none" { Some(Cool::Never) } else { None };
    let cool = cool.or_else(games).or_else(|| time(text).ok().map(Cool::Time));
    let problem =
        "neither a number of games above 0, such as 500k, nor a time, such as 35m, nor `none`";
    cool.ok_or_else(|| problem.to_string())
}

/// Learning after the game, or during it.
#[derive(Clone, Copy)]
struct Lambda(Option<f32>);

fn lambda(text: &str) -> Result<Lambda, String> {
    if text == "none" {
        return Ok(Lambda(None));
    }
    let lambda = text.parse().ok().filter(|lambda| (0.0..=1.0).contains(lambda));
    let lambda = lambda.ok_or_else(|| "not a number from 0 to 1, or `none`".to_string())?;
    Ok(Lambda(Some(lambda)))
}

/// The moves after which a game begins in the middle of another.
#[derive(Clone, Copy)]
struct Restart(Option<u32>);

fn restart(text: &str) -> Result<Restart, String> {
    if text == "none" {
        return Ok(Restart(None));
    }
    let most = count_to(u32::MAX)(text);
    let most = most.map_err(|_| "not a number of moves, such as 500 or 10k, or `none`")?;
    Ok(Restart(Some(most)))
}

fn truth(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "neither `true` nor `false`".to_string())
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "not a number".to_string())
}

/// The settings of a directory.
struct Kept<'a>(&'a [(String, String)]);

impl Kept<'_> {
    fn get<T>(
        &self,
        name: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let Some((_, text)) = self.0.iter().find(|(found, _)| found == name) else {
            return Ok(None);
        };
        let bad = |e| Failure::Input(format!("train.json has {name} = {text}, and it is {e}"));
        read(text).map(Some).map_err(bad)
    }
}

/// What a directory keeps of what is trained. Of learning during the game, of weights that begin with
/// nothing and of steps that stay as they are it says nothing, as before there was anything else.
pub(super) fn settings(config: &Config, course: Course) -> Vec<(String, String)> {
    let mut all = vec![
        ("net", config.shape.to_string()),
        ("method", config.method.name().to_string()),
        ("alpha", config.alpha.to_string()),
        ("init", config.init.to_string()),
        ("seed", config.seed.to_string()),
        ("every", course.every.to_string()),
    ];
    if course.cool != Cool::Never {
        all.push(("cool", course.cool.to_string()));
    }
    if let Some(Backward { lambda, restart }) = config.backward {
        all.push(("lambda", lambda.to_string()));
        all.push(("restart", restart.map_or("none".to_string(), |most| most.to_string())));
    }
    if config.promote {
        all.push(("promote", "true".to_string()));
    }
    all.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_behind_the_end_is_known() {
        let minutes = |n: u64| Duration::from_secs(60 * n);
        for (cool, games, time, expected) in [
            (Cool::Games(500), Some(500), None, true),
            (Cool::Games(499), Some(500), None, false),
            (Cool::Games(500), None, Some(minutes(1)), false),
            (Cool::Time(minutes(35)), None, Some(minutes(20)), true),
            (Cool::Time(minutes(35)), Some(5), Some(minutes(60)), false),
            (Cool::Never, Some(1), Some(minutes(1)), false),
        ] {
            assert_eq!(cool.is_beyond(games, time), expected, "{cool} {games:?} {time:?}");
        }
    }

    #[test]
    fn steps_become_shorter_after_games_or_time() {
        let minutes = |n: u64| Cool::Time(Duration::from_secs(60 * n));
        let all = [("none", Cool::Never), ("500k", Cool::Games(500_000)), ("36m", minutes(36))];
        for (text, expected) in all {
            assert_eq!(cool(text), Ok(expected));
            assert_eq!(cool(&expected.to_string()), Ok(expected), "{expected} is read again");
        }
        for wrong in ["0", "0s", "-5", "soon", "36 m", ""] {
            assert!(cool(wrong).unwrap_err().contains("such as 35m"), "{wrong}");
        }
    }

    #[test]
    fn moves_before_a_restart_are_counted_as_games_are() {
        let most = |text| restart(text).map(|Restart(most)| most);
        assert_eq!(most("10k"), Ok(Some(10_000)));
        assert_eq!(most("500"), Ok(Some(500)));
        assert_eq!(most("none"), Ok(None));
        for wrong in ["0", "-5", "5G", "k", ""] {
            assert!(most(wrong).unwrap_err().contains("10k, or `none`"), "{wrong}");
        }
    }
}
