//! A tuning on disk, and how it is run: step after step, killed at any moment, gone on with.
//!
//! ```text
//! DIR/tune.json             the header: everything that decides the tuning
//! DIR/units/000000.jsonl    a line for each player of a step, then a line with their checksum
//! DIR/fresh/before, after/  the matches at the end, each as any match
//! DIR/summary.json          what came of it, once it is complete
//! DIR/timing/               wall times and the lock: outside the promise of identical bytes
//! ```
//!
//! The optimiser itself is not recorded: told the recorded values again, it is where it was. It is
//! always told what stands in the file, so that a tuning that was killed goes on with the same bits.

use super::optimiser::Optimiser;
use super::{Objective, TuneHeader, Tuning, fresh_seed, training_seed};
use crate::runner::{Assignment, Backend, Concluded, Ending, Labour, Place, Watcher, run_parts};
use crate::stats::Mean;
use crate::store::{Lock, Store, header_of, unit_bytes};
use crate::summary::MeanText;
use crate::{AnyGame, FORMAT, LabError, Plan};
use serde::{Deserialize, Serialize};
use spielbaum_core::Stop;
use spielbaum_core::param::Args;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A player of a step, and how it did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Number of the step.
    pub step: u64,
    /// Number in the step.
    pub trial: u64,
    /// The player.
    pub player: String,
    /// What it was worth in these games.
    pub value: f64,
    /// The 95 % interval.
    pub ci: Option<[f64; 2]>,
    /// Games it played.
    pub games: u64,
    /// Games it forfeited.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forfeits: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The wall time of a step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrialTime {
    /// Seconds.
    pub seconds: f64,
}

/// A step that is done.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneStep {
    /// Its players.
    pub trials: Vec<Trial>,
    /// What the optimiser would answer after it: a value for each parameter.
    pub answer: Vec<f64>,
    /// How far the optimiser is, for people.
    pub note: String,
}

impl TuneStep {
    /// The mean value of its players.
    pub fn mean(&self) -> f64 {
        self.trials.iter().map(|t| t.value).sum::<f64>() / self.trials.len().max(1) as f64
    }

    /// The best value of its players.
    pub fn best(&self, objective: Objective) -> f64 {
        let better = |a: f64, b: f64| if objective.gain(b) > objective.gain(a) { b } else { a };
        self.trials.iter().map(|t| t.value).reduce(better).unwrap_or(f64::NAN)
    }
}

/// A player judged by fresh games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// The player, ready to be used.
    pub player: String,
    /// What it is worth, with the 95 % interval.
    #[serde(flatten)]
    pub value: MeanText,
}

/// What came of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneSummary {
    /// Version of the format.
    pub format: u32,
    /// What was tuned for.
    pub objective: Objective,
    /// Games that were played to find it.
    pub games: u64,
    /// Fresh games that each of the two played.
    pub fresh: u64,
    /// The player it began with.
    pub before: Judged,
    /// The player that was found.
    pub after: Judged,
    /// How much better the one found is, round by round of the same fresh games; above 0 it is better,
    /// of places as well.
    pub gain: MeanText,
    /// How sure it is that it is better at all.
    pub superiority: Option<f64>,
}

/// News of a tuning.
pub enum TuneNews<'a> {
    /// A step is done; whether it was recorded before.
    Step(&'a TuneStep, bool),
    /// The fresh games go on.
    Fresh(&'a crate::Progress<'a>),
}

/// A tuning as it is recorded, complete or not.
pub struct Tuned {
    /// What is tuned.
    pub tuning: Tuning,
    /// The steps that are done.
    pub steps: Vec<TuneStep>,
    /// What came of it, once it is complete.
    pub summary: Option<TuneSummary>,
}

impl Tuned {
    /// Whether a directory holds a tuning.
    pub fn is_in(dir: &Path) -> bool {
        dir.join("tune.json").is_file()
    }

    /// Reads a tuning.
    pub fn read(dir: &Path, catalog: &[&dyn AnyGame]) -> Result<Tuned, LabError> {
        let (game, tuning) = Tuning::of_header(&TuneHeader::read(dir)?, catalog)?;
        let store = Store::open(dir, &tuning);
        let mut course = Course::new(&tuning);
        let mut steps = Vec::new();
        while (steps.len() as u64) < tuning.header().steps
            && let Some(trials) = store.read(steps.len() as u64)?
        {
            let players = course.ask(game)?;
            steps.push(course.tell(dir, &players, trials)?);
        }
        let summary = std::fs::read(dir.join("summary.json")).ok();
        let summary = summary.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(Tuned { tuning, steps, summary })
    }
}

impl TuneHeader {
    /// The header of a tuning.
    pub fn read(dir: &Path) -> Result<TuneHeader, LabError> {
        header_of::<Tuning>(dir)
    }
}

/// The directory of a tuning, taken for work until it is dropped.
pub struct TuneDir {
    dir: PathBuf,
    store: Store<Tuning>,
    lock: Lock,
}

impl TuneDir {
    /// Takes a directory: creates it, or goes on with what is there.
    pub fn create(dir: &Path, tuning: &Tuning) -> Result<TuneDir, LabError> {
        let (store, lock) = Store::create_with_parts(dir, tuning)?;
        Ok(TuneDir { dir: dir.to_path_buf(), store, lock })
    }

    /// Runs the tuning on `jobs` threads; what is recorded is not played again. `None` if it was
    /// stopped: a step begun is given up, what is recorded stays.
    pub fn run(
        &self,
        game: &dyn AnyGame,
        jobs: usize,
        stop: &Stop,
        news: &mut dyn FnMut(TuneNews<'_>),
    ) -> Result<Option<TuneSummary>, LabError> {
        let tuning = self.store.work();
        let mut course = Course::new(tuning);
        let mut games = 0;
        for step in 0..tuning.header().steps {
            let players = course.ask(game)?;
            let recorded = self.store.read(step)?;
            let is_old = recorded.is_some();
            let trials = match recorded {
                Some(trials) => trials,
                None => {
                    let begun = Instant::now();
                    let Some(trials) = play(tuning, game, step, &players, jobs, stop)? else {
                        return Ok(None);
                    };
                    let times = vec![TrialTime { seconds: begun.elapsed().as_secs_f64() }];
                    self.store.publish(step, &unit_bytes(step, &trials)?, times)?;
                    // What counts is what stands in the file.
                    self.store.read(step)?.unwrap_or(trials)
                }
            };
            games += trials.iter().map(|trial| trial.games).sum::<u64>();
            let done = course.tell(&self.dir, &players, trials)?;
            news(TuneNews::Step(&done, is_old));
        }
        let values = course.answer();
        let found = tuning.varying.with(game, &values)?;
        let mut watch = |progress: &crate::Progress<'_>| news(TuneNews::Fresh(progress));
        let summary = self.judge(game, found, games, jobs, stop, &mut watch)?;
        if let Some(summary) = &summary {
            self.store.finish(summary, tuning.header().steps)?;
        }
        Ok(summary)
    }

    /// Both players in fresh games.
    fn judge(
        &self,
        game: &dyn AnyGame,
        found: Args,
        games: u64,
        jobs: usize,
        stop: &Stop,
        progress: Watcher<'_>,
    ) -> Result<Option<TuneSummary>, LabError> {
        let tuning = self.store.work();
        let TuneHeader { objective, fresh, seed, .. } = *tuning.header();
        let players = [tuning.varying.player.clone(), found];
        let plan = |player: &Args| tuning.plan(game, player.clone(), fresh_seed(seed), fresh);
        let (folder, names) = (self.dir.join("fresh"), ["before", "after"]);
        let [before, after] = names.map(|name| folder.join(name));
        let plans =
            [plan(&players[0])?.as_recorded(&before), plan(&players[1])?.as_recorded(&after)];
        let parts: Vec<Assignment<'_>> = (names.iter().zip(&plans))
            .map(|(name, plan)| Assignment { name, game, work: Labour::Match(plan), first: None })
            .collect();
        let place = Place::Parts(&folder, &self.lock);
        let ended = run_parts(&parts, place, Backend::Threads(jobs), stop, progress)?;
        let mut judged = Vec::new();
        let mut rounds = Vec::new();
        for (((name, plan), player), ended) in names.iter().zip(&plans).zip(&players).zip(&ended) {
            let Some(value) = value(objective, ended)? else { return Ok(None) };
            judged.push(Judged { player: player.to_string(), value });
            rounds.push(objective.by_round(plan, &records(&folder.join(name), plan)?));
        }
        let mut gain = Mean::default();
        for (before, after) in rounds[0].iter().zip(&rounds[1]) {
            gain.add(objective.gain(*after) - objective.gain(*before));
        }
        let (Some(after), Some(before)) = (judged.pop(), judged.pop()) else { return Ok(None) };
        let fresh = plans[0].schedule.games();
        let superiority = gain.likelihood_above_zero().map(rounded);
        let gain = MeanText {
            mean: rounded(gain.mean().unwrap_or_default()),
            ci: gain.interval().map(|ci| ci.map(rounded)),
        };
        let format = FORMAT;
        Ok(Some(TuneSummary { format, objective, games, fresh, before, after, gain, superiority }))
    }
}

/// As all statistics on disk: the last bit of a logarithm must not change a file.
fn rounded(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}

/// All games of a match that is complete.
fn records(dir: &Path, plan: &Plan) -> Result<Vec<crate::GameRecord>, LabError> {
    let store = Store::open(dir, plan);
    let mut all = Vec::new();
    for unit in 0..plan.schedule.units() {
        all.extend(store.read(unit)?.unwrap_or_default());
    }
    Ok(all)
}

/// The value of a match that is complete; `None` if it was stopped.
fn value(objective: Objective, ended: &Concluded) -> Result<Option<MeanText>, LabError> {
    let Concluded::Match(finished) = ended else { return Ok(None) };
    if finished.ending != Ending::Complete {
        return Ok(None);
    }
    let value = objective
        .of(&finished.summary)
        .ok_or_else(|| LabError::Request(format!("the games have no {}", objective.name())))?;
    Ok(Some(value))
}

/// Plays the games of a step; `None` if it was stopped.
fn play(
    tuning: &Tuning,
    game: &dyn AnyGame,
    step: u64,
    players: &[Args],
    jobs: usize,
    stop: &Stop,
) -> Result<Option<Vec<Trial>>, LabError> {
    let TuneHeader { seed, games, .. } = *tuning.header();
    let seed = training_seed(seed, step);
    let plans = (players.iter())
        .map(|player| tuning.plan(game, player.clone(), seed, games))
        .collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<Assignment<'_>> = (plans.iter())
        .map(|plan| Assignment { name: "trial", game, work: Labour::Match(plan), first: None })
        .collect();
    let ended = run_parts(&parts, Place::Nowhere, Backend::Threads(jobs), stop, &mut |_| {})?;
    let mut trials = Vec::new();
    for ((trial, player), ended) in (0..).zip(players).zip(&ended) {
        let Some(value) = value(tuning.header().objective, ended)? else { return Ok(None) };
        let Concluded::Match(finished) = ended else { return Ok(None) };
        let summary = &finished.summary;
        trials.push(Trial {
            step,
            trial,
            player: player.to_string(),
            value: value.mean,
            ci: value.ci,
            games: summary.games,
            forfeits: summary.players.first().map_or(0, |first| first.forfeits),
        });
    }
    Ok(Some(trials))
}

/// The optimiser on its way.
struct Course<'a> {
    tuning: &'a Tuning,
    optimiser: Box<dyn Optimiser>,
}

impl<'a> Course<'a> {
    fn new(tuning: &'a Tuning) -> Self {
        Course { tuning, optimiser: tuning.optimiser() }
    }

    /// The players of the next step.
    fn ask(&mut self, game: &dyn AnyGame) -> Result<Vec<Args>, LabError> {
        let points = self.optimiser.ask();
        let player = |point: &Vec<f64>| self.tuning.varying.with(game, &self.tuning.values(point));
        Ok(points.iter().map(player).collect::<Result<_, _>>()?)
    }

    /// Tells how they did. Players that are not those asked for come from another tuning.
    fn tell(
        &mut self,
        dir: &Path,
        players: &[Args],
        trials: Vec<Trial>,
    ) -> Result<TuneStep, LabError> {
        let asked = players.iter().map(ToString::to_string);
        if !asked.eq(trials.iter().map(|trial| trial.player.clone())) {
            let problem = "a step has other players than the optimiser asks for here";
            return Err(LabError::damaged(dir, problem, "choose another directory"));
        }
        let gain = |trial: &Trial| self.tuning.header().objective.gain(trial.value);
        self.optimiser.tell(&trials.iter().map(gain).collect::<Vec<_>>());
        Ok(TuneStep { trials, answer: self.answer(), note: self.optimiser.note() })
    }

    fn answer(&self) -> Vec<f64> {
        self.tuning.values(&self.optimiser.answer())
    }
}
