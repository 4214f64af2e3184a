//! N-tuple networks: training as a command.

mod options;
mod report;

pub(crate) use options::Options;
use options::{Cool, Course};
pub(crate) use report::document;

use super::dir::{Dir, Header, Timing, pretty, read_header};
use super::{Train, zero};
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::layout;
use crate::output::Output;
use serde::{Deserialize, Serialize};
use spielbaum_core::{Cells, Registered, Stop, param};
use spielbaum_learn::ntuple::{self as learn, Config, Kind, Learner, NetError, Point, Tally};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What it is, for people.
pub(super) const KIND: &str = "n-tuple networks";

/// The learner's name.
const LEARNER: &str = "ntuple";

/// The setting that says which net it began with.
const FROM: &str = "from";

/// Lines of progress are at least this far apart.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl From<NetError> for Failure {
    fn from(e: NetError) -> Self {
        match &e {
            NetError::Io { .. } => Failure::task(e),
            NetError::Unusable { .. } => Failure::input(e),
        }
    }
}

/// What a training keeps in its directory.
const FILES: [&str; 7] =
    ["net.ntuple", "train.json", "curve.jsonl", "timing.jsonl", "test.json", "report.html", "lock"];

/// What games after training came to.
#[derive(Serialize, Deserialize)]
struct Test {
    games: u64,
    moves: u64,
    mean: f64,
    /// Standard error of the mean.
    error: f64,
    best: f64,
    /// The share of games that came as far or further.
    reached: Vec<(String, f64)>,
    /// Games that the net had learned from.
    trained: u64,
}

impl Test {
    fn new<G: Cells>(tally: &Tally, trained: u64) -> Self {
        let (mean, error) = tally.mean();
        let reached = tally.reached::<G>();
        let Tally { games, moves, best, .. } = *tally;
        Test { games, moves, mean, error, best, reached, trained }
    }
}

#[derive(Serialize)]
struct Answer {
    games: u64,
    moves: u64,
    seconds: f64,
    bytes: usize,
    /// Games after which steps made up a tenth.
    cooled: Option<u64>,
    point: Option<Point>,
    test: Option<Test>,
}

/// Carries out `train` for a game of cells.
pub(crate) fn train<G: Cells + Registered>(
    command: &Train,
    args: &param::Args,
    out: &mut Output,
) -> Outcome {
    let start = G::start(args)?;
    super::refuse_options_of(zero::KIND, KIND, &command.zero.given())?;
    if command.games.is_none() && command.time.is_none() {
        return Err(Failure::Input("say how long to train: --games N or --time TIME".to_string()));
    }
    if let Some(path) = &command.ntuple.export {
        may_export(path, &command.out)?;
    }
    let found = read_header(&command.out)?.filter(|found| found.learner == LEARNER);
    let kept = found.map(|found| found.settings);
    let (config, course) = command.ntuple.settle(command.seed, kept.as_deref())?;
    if kept.is_none() {
        // A training that is there goes on with what it has: cells beyond the board are of no use,
        // and do no harm.
        let misfit = |e| Failure::Input(format!("--net: {e}"));
        config.shape.fits(start.board_size()).map_err(misfit)?;
    }
    let mut settings = options::settings(&config, course);
    let began =
        || kept.iter().flatten().find(|(name, _)| name == FROM).map(|(_, from)| from.clone());
    let from = match &command.from {
        Some(path) => Some(origin(path, &args.full(), &config)?),
        None => began(),
    };
    settings.extend(from.iter().map(|from| (FROM.to_string(), from.clone())));
    let dir = Dir::open(&command.out, &Header::new(LEARNER, args, settings))?;
    let stop =
        interrupt::on_ctrl_c("finishing the games that are running (Ctrl-C again: give up)")?;
    let net = dir.file("net.ntuple");
    let game = args.full();
    let learner = match (net.exists(), &command.from, from) {
        (true, ..) => Learner::<G>::resume(start, &game, config, &net)?,
        (false, Some(path), _) => Learner::begin_with(start, &game, config, path)?,
        (false, None, None) => Learner::new(start, &game, config),
        (false, None, Some(from)) => {
            let text = format!("this training begins with the net of another, {from}; give it");
            return Err(Failure::Input(format!("{text} once more: --from FILE")));
        }
    };
    let (points, times) = dir.rewind(learner.games())?;
    let told = points.last().map_or(0, |point| point.games);
    if told + course.every <= learner.games() && !command.quiet {
        let (dir, games) = (command.out.display(), layout::count(learner.games()));
        let text = format!("{dir}: the curve ends at {}, and the net", layout::count(told));
        let _ = writeln!(
            std::io::stderr(),
            "note: {text} has learned from {games} games; what is missing is lost"
        );
    }
    let run = Run {
        command,
        course,
        dir,
        stop,
        before: times.last().map_or(0.0, |time| time.seconds),
        begun: Instant::now(),
        point: points.last().cloned(),
        learner,
    };
    run.carry_out(out)
}

/// Whether a net for playing may be written there: not over what a training needs.
fn may_export(path: &Path, out: &Path) -> Outcome {
    let refuse = |why: &str| Err(Failure::Input(format!("--export {}: {why}", path.display())));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // A folder that training is to make has no canonical name yet.
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    let is_own = matches!((whole(folder), whole(out)), (Ok(a), Ok(b)) if a == b);
    if !is_own && !folder.is_dir() {
        return refuse("there is no such folder");
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if is_own && FILES.contains(&name) {
        return refuse("the training keeps a file of its own there; choose another name");
    }
    match learn::read_header(path) {
        Ok(header) if header.kind == Kind::Checkpoint => {
            refuse("the net of a training is there, which could not go on; choose another name")
        }
        _ => Ok(()),
    }
}

/// Which net a training began with: its name may change, what it learned may not.
fn origin(path: &Path, game: &str, config: &Config) -> Result<String, Failure> {
    let header = learn::read_header(path)?;
    let unlike = |e| Failure::Input(format!("--from {}: {e}", path.display()));
    config.may_begin_with(game, &header).map_err(unlike)?;
    let before = header.training.as_origin();
    Ok(format!("{} games, {} moves, seed {}", before.games, before.moves, before.seed))
}

/// A training in progress.
struct Run<'a, G: Cells> {
    command: &'a Train,
    course: Course,
    dir: Dir,
    stop: Stop,
    learner: Learner<G>,
    /// Seconds of training before this process.
    before: f64,
    begun: Instant,
    /// The last point of the curve.
    point: Option<Point>,
}

/// The moves that were made when the time was noted last.
struct Pace {
    moves: u64,
    since: Instant,
    threads: usize,
}

impl<G: Cells> Run<'_, G> {
    fn carry_out(mut self, out: &mut Output) -> Outcome {
        let (threads, options) = (self.command.threads(), &self.command.ntuple);
        let (cool, Train { games, time, .. }) = (self.course.cool, self.command);
        if !self.command.quiet && cool.is_beyond(*games, *time) {
            let text = "the training ends before: none of its steps is shorter";
            let _ = writeln!(std::io::stderr(), "note: --cool {cool}: {text}");
        }
        self.learn(threads)?;
        self.save()?;
        let seconds = self.seconds();
        if self.stop.is_set() {
            self.draw()?;
            let text = "interrupted; the same command goes on where it was";
            return Err(Failure::Interrupted(text.to_string()));
        }
        if let Some(path) = &options.export {
            self.learner.export(path)?;
        }
        let mut test = None;
        if let Some(games) = options.test {
            let tally = self.learner.test(games, threads, &|| self.stop.is_set());
            if self.stop.is_set() {
                return Err(Failure::Interrupted("interrupted; the net is saved".to_string()));
            }
            let found = Test::new::<G>(&tally, self.learner.games());
            self.dir.publish("test.json", &pretty(&found)?)?;
            test = Some(found);
        }
        self.draw()?;
        let answer = Answer {
            games: self.learner.games(),
            moves: self.learner.moves(),
            seconds,
            bytes: self.learner.net().bytes(),
            cooled: self.learner.cooled(),
            point: self.point,
            test,
        };
        if self.command.json { out.json(&answer) } else { Ok(out.text(&describe(&answer))?) }
    }

    fn save(&self) -> Outcome {
        self.dir.sync()?;
        Ok(self.learner.save(&self.dir.file("net.ntuple"))?)
    }

    /// Seconds of training in all.
    fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    fn learn(&mut self, threads: usize) -> Outcome {
        let (Course { every, cool }, save) = (self.course, self.command.ntuple.save());
        let last = self.command.games.unwrap_or(u64::MAX);
        let (begun, before) = (self.begun, self.before);
        let (stop, time) = (self.stop.clone(), self.command.time);
        let is_spent =
            |time: Duration| before + begun.elapsed().as_secs_f64() >= time.as_secs_f64();
        let over = || stop.is_set() || time.is_some_and(is_spent);
        let (mut saved, mut told) = (Instant::now(), Instant::now());
        let mut pace = Pace { moves: self.learner.moves(), since: Instant::now(), threads };
        while self.learner.games() < last && !over() {
            let next = (self.learner.games() / every + 1) * every;
            // However often it saves, a game is played in between.
            let played = AtomicBool::new(false);
            if cool.is_due(self.learner.games(), is_spent) {
                self.learner.cool();
            }
            let to_come = if self.learner.cooled().is_some() { Cool::Never } else { cool };
            let (full, late) = (to_come.games(), to_come.time());
            let pause = || saved.elapsed() >= save || late.is_some_and(is_spent);
            let halt = || over() || (played.swap(true, Relaxed) && pause());
            self.learner.train(next.min(last).min(full.unwrap_or(u64::MAX)), threads, &halt);
            if self.learner.games() == next {
                let tally = self.learner.take_tally();
                let point = Point::new::<G>(next, self.learner.moves(), &tally);
                self.dir.append("curve.jsonl", &point)?;
                let rate = self.clock(&mut pace)?;
                if !self.learner.is_finite() {
                    let text = "the net's values are no numbers any more: learning diverged; \
                                begin anew in another directory with a smaller --alpha";
                    return Err(Failure::Task(text.to_string()));
                }
                if !self.command.quiet && told.elapsed() >= LINE_EVERY {
                    told = Instant::now();
                    let _ = writeln!(std::io::stderr(), "{}", line(&point, rate));
                }
                self.point = Some(point);
            }
            if saved.elapsed() >= save {
                self.save()?;
                self.clock(&mut pace)?;
                saved = Instant::now();
            }
        }
        // The time since the last point counts as well when this is gone on with.
        self.clock(&mut pace).map(drop)
    }

    /// Notes the time at which so many games are played, if there are more than when it was noted
    /// last; gives the moves of a second since then.
    fn clock(&mut self, pace: &mut Pace) -> Result<f64, Failure> {
        let (games, moves) = (self.learner.games(), self.learner.moves());
        let rate = (moves - pace.moves) as f64 / pace.since.elapsed().as_secs_f64();
        if moves > pace.moves {
            let (seconds, threads) = (self.seconds(), pace.threads);
            let timing = Timing { games, seconds, moves_per_second: rate, threads };
            self.dir.append("timing.jsonl", &timing)?;
            (pace.moves, pace.since) = (moves, Instant::now());
        }
        Ok(rate)
    }

    /// Draws the curve into the directory.
    fn draw(&self) -> Outcome {
        let document = document(&self.command.out)?;
        self.dir.publish("report.html", &spielbaum_document::html(&document))
    }
}

fn line(point: &Point, rate: f64) -> String {
    let most = point.reached.iter().rev().take(3).rev();
    let most: Vec<String> = most.map(|(name, s)| format!("{name} {:.1} %", 100.0 * s)).collect();
    format!(
        "{} games, {} moves, mean {}, best {}, {}, {} moves/s",
        layout::count(point.games),
        layout::short(point.moves as f64),
        layout::count(point.mean.round() as u64),
        layout::count(point.best as u64),
        most.join(", "),
        layout::short(rate),
    )
}

fn describe(a: &Answer) -> String {
    let mut text = format!(
        "{} games and {} moves in {}, {} of memory\n",
        layout::count(a.games),
        layout::short(a.moves as f64),
        layout::seconds(a.seconds),
        layout::bytes(a.bytes as u64),
    );
    let mean = |mean: f64, error: f64| {
        let [mean, error] = [mean, error].map(|x| layout::count(x.round() as u64));
        format!("{mean} (standard error {error})")
    };
    if let Some(games) = a.cooled {
        text += &format!("steps were cut to a tenth after {} games\n", layout::count(games));
    }
    if let Some(p) = &a.point {
        let shown = mean(p.mean, p.error);
        text += &format!("\nlast point of the curve: mean {shown} after {} games\n", p.games);
    }
    if let Some(t) = &a.test {
        let shown = mean(t.mean, t.error);
        text += &format!("\n{} games with other seeds: mean {shown}, ", layout::count(t.games));
        text += &format!("best {}\n\n", layout::count(t.best as u64));
        let rows: Vec<_> = (t.reached.iter())
            .map(|(name, share)| vec![name.clone(), format!("{:.1} %", 100.0 * share)])
            .collect();
        text += &layout::table(&["reached", "games"], &rows);
    }
    text
}
