//! A small game for one to five seats with chance, points and a choice, and players for it
//! that are good, random, illegal, failing or slow.

use spielbaum_core::param::{Args, BUDGET, Param, Schema, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{
    Forfeit, Game, Limits, MAX_PLAYERS, ParseError, Payoffs, Player, Registered, Report, Rng, Task,
    Turn, zobrist,
};
use spielbaum_lab::{AnyGame, Match, Of, Playable};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Chance shows 1 to 4; the player takes it or leaves it. A 1 that is taken costs 3 points. A 4
/// must be taken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dice {
    seats: u8,
    length: u16,
    turns: u16,
    shown: u8,
    points: [i32; MAX_PLAYERS],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Choice {
    Show(u8),
    Take,
    Leave,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Show(n) => write!(f, "{n}"),
            Choice::Take => write!(f, "take"),
            Choice::Leave => write!(f, "leave"),
        }
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: Vec<String> =
            self.points[..self.seats as usize].iter().map(ToString::to_string).collect();
        write!(f, "{} {} {}", self.turns, self.shown, points.join(","))
    }
}

impl Game for Dice {
    type Move = Choice;

    fn turn(&self) -> Turn {
        match self.shown {
            0 => Turn::Chance,
            _ => Turn::Player((self.turns % u16::from(self.seats)) as u8),
        }
    }

    fn moves(&self, out: &mut Vec<Choice>) {
        match self.shown {
            _ if self.turns >= self.length * u16::from(self.seats) => {}
            0 => out.extend((1..=4).map(Choice::Show)),
            4 => out.push(Choice::Take),
            _ => out.extend([Choice::Take, Choice::Leave]),
        }
    }

    fn play(&mut self, m: Choice) {
        match m {
            Choice::Show(n) => self.shown = n,
            Choice::Take | Choice::Leave => {
                let gain = if self.shown == 1 { -3 } else { i32::from(self.shown) };
                let seat = usize::from(self.turns % u16::from(self.seats));
                self.points[seat] += if m == Choice::Take { gain } else { 0 };
                self.turns += 1;
                self.shown = 0;
            }
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        let points = &self.points[..self.players()];
        if points.len() == 1 {
            payoffs[0] = points[0] as f32;
            return payoffs;
        }
        let best = points.iter().max();
        let winners = points.iter().filter(|p| Some(*p) == best).count();
        for (payoff, points) in payoffs.iter_mut().zip(points) {
            *payoff = if Some(points) == best { 1.0 / winners as f32 } else { 0.0 };
        }
        payoffs
    }

    fn key(&self) -> u64 {
        let text = self.to_string();
        text.bytes().fold(0, |k, b| zobrist::key(k, u64::from(b)))
    }

    fn code(&self, m: Choice) -> usize {
        match m {
            Choice::Take => 0,
            Choice::Leave => 1,
            Choice::Show(n) => 1 + usize::from(n),
        }
    }

    fn codes(&self) -> usize {
        6
    }

    fn parse(&self, text: &str) -> Result<Self, ParseError> {
        let wrong = || ParseError::new(format!("`{text}` is not a position"));
        let [turns, shown, points] = text.split(' ').collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let mut pos = self.clone();
        pos.turns = turns.parse().map_err(|_| wrong())?;
        pos.shown = shown.parse().map_err(|_| wrong())?;
        let points: Vec<&str> = points.split(',').collect();
        if points.len() != self.players() || pos.shown > 4 {
            return Err(wrong());
        }
        for (i, p) in points.iter().enumerate() {
            pos.points[i] = p.parse().map_err(|_| wrong())?;
        }
        Ok(pos)
    }

    fn players(&self) -> usize {
        usize::from(self.seats)
    }

    fn weight(&self, m: Choice) -> u32 {
        if m == Choice::Show(1) { 2 } else { 1 }
    }

    fn scores(&self) -> Option<[i32; MAX_PLAYERS]> {
        Some(self.points)
    }
}

/// Takes what is larger than `least`; spends `work` plays on a move and stops when told to.
struct Greedy {
    least: u8,
    work: u64,
    pause: Duration,
}

struct Coin(Rng);

/// Errs at the n-th move it is asked for.
struct Faulty {
    after: u64,
    asked: u64,
    illegal: bool,
    panics: bool,
    place: &'static str,
}

impl Player<Dice> for Greedy {
    fn think(
        &mut self,
        pos: &Dice,
        task: &mut Task<'_, Choice>,
    ) -> Result<Report<Choice>, Forfeit> {
        std::thread::sleep(self.pause);
        task.meter.iteration();
        while task.meter.nodes() < self.work && task.meter.node() {}
        let best = if pos.shown > self.least { Choice::Take } else { Choice::Leave };
        let best = if pos.shown == 4 { Choice::Take } else { best };
        let mut report = Report::new(best, 0.5, &task.meter);
        report.depth = 1;
        task.publish(&report);
        Ok(report)
    }

    fn restart(&mut self, _seed: u64) {}
}

impl Player<Dice> for Coin {
    fn think(
        &mut self,
        pos: &Dice,
        task: &mut Task<'_, Choice>,
    ) -> Result<Report<Choice>, Forfeit> {
        let best = pos.random_move(&mut self.0, &mut Vec::new());
        best.map(|m| Report::new(m, 0.5, &task.meter)).ok_or(Forfeit::Resigned)
    }

    fn restart(&mut self, seed: u64) {
        self.0 = Rng::new(seed);
    }
}

impl Player<Dice> for Faulty {
    fn think(
        &mut self,
        pos: &Dice,
        task: &mut Task<'_, Choice>,
    ) -> Result<Report<Choice>, Forfeit> {
        self.asked += 1;
        if self.asked <= self.after {
            return Ok(Report::new(Choice::Take, 0.5, &task.meter));
        }
        assert!(!self.panics, "a mistake in a player");
        match self.illegal {
            true => Ok(Report::new(Choice::Show(pos.shown), 0.5, &task.meter)),
            false => Err(Forfeit::Crashed("the pipe is broken".to_string())),
        }
    }

    fn restart(&mut self, _seed: u64) {
        self.asked = 0;
        assert_ne!(self.place, "restart", "a mistake in a player");
    }

    fn observe(&mut self, _pos: &Dice, _m: Choice) {
        assert_ne!(self.place, "observe", "a mistake in a player");
    }

    /// Any depth ends what it calls a search.
    fn is_bounded_by(&self, limits: &Limits) -> bool {
        *limits != Limits::default()
    }
}

static DICE: Schema = Schema {
    name: "dice",
    aliases: &[],
    help: "take or leave",
    params: &[&[
        Param::int("seats", "2", 1, 5, "players"),
        Param::int("length", "6", 1, 1000, "turns of each player"),
    ]],
    presets: &[],
};
static GREEDY: Schema = Schema {
    name: "greedy",
    aliases: &[],
    help: "takes what is larger than `least`",
    params: &[
        &[
            Param::int("least", "1", 0, 4, "what is left"),
            Param::int("work", "10", 1, 1_000_000, "plays on a move"),
            Param::int("pause", "0", 0, 1000, "milliseconds of sleep"),
        ],
        BUDGET,
    ],
    presets: &[],
};
static COIN: Schema =
    Schema { name: "coin", aliases: &[], help: "random", params: &[BUDGET], presets: &[] };
static FAULTY: Schema = Schema {
    name: "faulty",
    aliases: &[],
    help: "errs",
    params: &[
        &[
            Param::int("after", "2", 0, 1000, "good moves before"),
            Param::flag("illegal", "false", "whether the error is an illegal move"),
            Param::flag("panics", "false", "whether the error is a panic"),
            Param::choice(
                "place",
                "think",
                &[("think", ""), ("observe", ""), ("restart", "")],
                "where it panics",
            ),
        ],
        BUDGET,
    ],
    presets: &[],
};

impl Registered for Dice {
    const SCHEMA: &'static Schema = &DICE;
    const OPENINGS: &'static str = "random:1";

    fn start(args: &Args) -> Result<Dice, SpecError> {
        Ok(Dice {
            seats: args.int("seats") as u8,
            length: args.int("length") as u16,
            turns: 0,
            shown: 0,
            points: [0; MAX_PLAYERS],
        })
    }
}

/// The row of the catalog.
pub(crate) struct Row;

impl Playable for Row {
    type Game = Dice;

    fn player(args: &Args) -> Result<Box<dyn Player<Dice>>, SpecError> {
        Ok(match args.schema().name {
            "greedy" => Box::new(Greedy {
                least: args.int("least") as u8,
                work: args.int("work") as u64,
                pause: Duration::from_millis(args.int("pause") as u64),
            }),
            "coin" => Box::new(Coin(Rng::new(0))),
            _ => Box::new(Faulty {
                after: args.int("after") as u64,
                asked: 0,
                illegal: args.flag("illegal"),
                panics: args.flag("panics"),
                place: args.choice("place"),
            }),
        })
    }

    fn roster() -> &'static [&'static Schema] {
        static ROSTER: &[&Schema] = &[&GREEDY, &COIN, &FAULTY];
        ROSTER
    }
}

pub(crate) static GAME: &dyn AnyGame = &Of::<Row>::NEW;

pub(crate) fn game(text: &str) -> Args {
    resolve(text, "game", &[&DICE]).unwrap()
}

pub(crate) fn player(text: &str) -> Args {
    resolve(text, "player", Row::roster()).unwrap()
}

pub(crate) fn request(game_text: &str, players: &[&str], games: u64) -> Match {
    let players = players.iter().map(|text| player(text)).collect();
    Match { games, seed: 7, ..Match::new(game(game_text), players) }
}

/// An empty directory of this name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// All files the promise of identical bytes covers, by name.
pub(crate) fn bytes(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["match.json", "summary.json"] {
        if let Ok(bytes) = std::fs::read(dir.join(name)) {
            files.push((name.to_string(), bytes));
        }
    }
    let units = std::fs::read_dir(dir.join("units")).unwrap();
    for entry in units.map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        files.push((name, std::fs::read(entry.path()).unwrap()));
    }
    files.sort();
    files
}
