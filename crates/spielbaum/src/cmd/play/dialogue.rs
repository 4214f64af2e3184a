//! The talk at the table: shows, asks, answers.

use super::commands::{self, Command, Input};
use super::saved::Saved;
use super::sitting::{Chair, Next, Sitting, Step};
use super::{HUMAN, words};
use crate::cmd::analyze::Analyze;
use crate::failure::{Failure, Outcome};
use crate::layout;
use crate::live::Live;
use crate::output::Output;
use crate::paint::Paint;
use spielbaum_core::{Forfeit, Report, Stop};
use std::io::{BufRead, IsTerminal};
use std::path::Path;

/// Few moves are told with the question.
const FEW: usize = 4;

pub(super) struct Dialogue<'a> {
    sitting: Sitting,
    out: &'a mut Output,
    paint: Paint,
    live: Live,
    /// Ends the search that is running.
    stop: Stop,
    /// Set while a search is running.
    thinking: Stop,
    /// A person types; otherwise what is read is shown, so that the output can be followed.
    typed: bool,
    /// Something happened since the board was drawn.
    fresh: bool,
}

/// Whether the talk goes on.
#[derive(PartialEq)]
enum Flow {
    On,
    Quit,
}

impl<'a> Dialogue<'a> {
    pub(super) fn new(sitting: Sitting, out: &'a mut Output) -> Result<Self, Failure> {
        let (stop, thinking) = (Stop::new(), Stop::new());
        let (ends, thinks) = (stop.clone(), thinking.clone());
        ctrlc::set_handler(move || {
            if thinks.is_set() && !ends.is_set() {
                ends.set();
                return;
            }
            let _ = std::io::Write::write_all(&mut std::io::stderr(), b"\n");
            std::process::exit(130);
        })
        .map_err(|e| Failure::Task(format!("cannot listen to Ctrl-C: {e}")))?;
        let (paint, live) = (Paint::stdout(), Live::new(false, false));
        let typed = std::io::stdin().is_terminal();
        Ok(Dialogue { sitting, out, paint, live, stop, thinking, typed, fresh: true })
    }

    pub(super) fn run(mut self) -> Outcome {
        self.greet()?;
        loop {
            match self.sitting.next() {
                Next::Chance => {
                    if let Some(outcome) = self.sitting.roll() {
                        self.say(&format!("rolled {}", self.paint.bold(&outcome)))?;
                    }
                    self.fresh = true;
                }
                Next::Computer(seat) => self.let_think(seat)?,
                Next::Human(_) | Next::Over => {
                    if self.ask()? == Flow::Quit {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.text(text)?)
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let title = self.paint.bold(&self.sitting.game.to_string());
        let seed = self.sitting.seed;
        self.say(&format!("{title}, seed {seed}; `help` shows the commands"))?;
        let names = self.sitting.names();
        let people = self.sitting.chairs.iter().filter(|c| c.mind().is_none()).count();
        for (seat, name) in names.iter().enumerate() {
            let who = match &self.sitting.chairs[seat] {
                Chair::Human if people == 1 => "you".to_string(),
                Chair::Human => HUMAN.to_string(),
                Chair::Computer(mind) => {
                    let given = self.sitting.limits;
                    match mind.budget(given).time.filter(|_| given.is_empty()) {
                        Some(time) => format!("{}, {} s a move", mind.args, time.as_secs()),
                        None => mind.args.to_string(),
                    }
                }
            };
            self.say(&format!("  {}  {who}", self.paint.seat(seat, name)))?;
        }
        Ok(())
    }

    /// Draws the board, and tells the result of a game that is over.
    fn show(&mut self) -> Result<(), Failure> {
        self.fresh = false;
        let mut board = self.sitting.table.diagram();
        if let Next::Human(seat) = self.sitting.next() {
            // The question says it again.
            let whose = format!("\n{} to move", self.sitting.table.seat_name(seat));
            board.truncate(board.strip_suffix(&whose).unwrap_or(&board).len());
        }
        let board = self.paint.board(&board, &self.sitting.names());
        self.say(&format!("\n{board}"))?;
        if let Next::Over = self.sitting.next() {
            let result = words::result(&self.sitting);
            self.say(&self.paint.bold(&result))?;
            self.say("what now? `undo`, `new`, `save FILE` or `quit`")?;
        }
        Ok(())
    }

    fn prompt(&self) -> String {
        let Next::Human(seat) = self.sitting.next() else {
            return self.paint.bold("game over > ");
        };
        let name = self.paint.seat(seat, &self.sitting.table.seat_name(seat));
        let mut moves = self.sitting.table.moves();
        moves.truncate(FEW + 1);
        let choice =
            if moves.len() > FEW { String::new() } else { format!(": {}", moves.join(", ")) };
        format!("{name} to move (turn {}{choice}) > ", self.sitting.turn())
    }

    fn ask(&mut self) -> Result<Flow, Failure> {
        if self.fresh {
            self.show()?;
        }
        let prompt = self.prompt();
        std::io::Write::write_all(self.out, prompt.as_bytes())?;
        self.out.flush()?;
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line)?;
        let line = String::from_utf8_lossy(&line).trim().to_string();
        if read == 0 || !self.typed {
            self.say(&line)?;
        }
        if read == 0 {
            return Ok(Flow::Quit);
        }
        let legal = match self.sitting.next() {
            Next::Over => Vec::new(),
            _ => self.sitting.table.moves(),
        };
        match commands::parse(&line, &legal) {
            Ok(Input::Nothing) => {}
            Ok(Input::Move(mv)) => match self.sitting.play(mv) {
                Ok(()) => self.fresh = true,
                Err(e) => self.complain(&e.to_string())?,
            },
            Ok(Input::Command(Command::Quit)) => return Ok(Flow::Quit),
            Ok(Input::Command(command)) => self.obey(&command)?,
            Err(problem) => self.complain(&problem)?,
        }
        Ok(Flow::On)
    }

    fn complain(&mut self, problem: &str) -> Result<(), Failure> {
        self.say(&self.paint.bad(problem))
    }

    fn obey(&mut self, command: &Command) -> Result<(), Failure> {
        match command {
            Command::Help => self.say(&commands::help()),
            Command::Board => self.show(),
            Command::Position => self.tell_position(),
            Command::Save(path) => self.save(path),
            Command::New => {
                self.fresh = true;
                self.sitting.restart()
            }
            Command::Undo => self.undo(),
            Command::Redo => {
                let moves = texts(&self.sitting.redo());
                match moves.is_empty() {
                    true => self.complain("nothing was taken back"),
                    false => self.changed(&format!("played again: {moves}")),
                }
            }
            // What is left is about a decision.
            _ => match self.sitting.next() {
                Next::Human(seat) => self.advise(command, seat),
                _ => self.complain("the game is over: `undo`, `new`, `save FILE` or `quit`"),
            },
        }
    }

    fn advise(&mut self, command: &Command, seat: usize) -> Result<(), Failure> {
        match command {
            Command::Moves => {
                let moves = self.sitting.table.moves().join(" ");
                self.say(&layout::wrap(&moves, layout::WIDTH).join("\n"))
            }
            Command::Resign => {
                self.fresh = true;
                self.sitting.forfeit = Some((seat, Forfeit::Resigned));
                Ok(())
            }
            Command::Hint => self.hint(),
            Command::Analyze(top) => self.analyze(*top),
            _ => Ok(()),
        }
    }

    fn changed(&mut self, text: &str) -> Result<(), Failure> {
        self.fresh = true;
        self.say(text)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        if matches!(self.sitting.forfeit, Some((_, Forfeit::Resigned))) {
            self.sitting.forfeit = None;
            return self.changed("you go on");
        }
        let moves = texts(&self.sitting.undo());
        match moves.is_empty() {
            true => self.complain("there is no move of yours to take back"),
            false => self.changed(&format!("taken back: {moves}")),
        }
    }

    fn tell_position(&mut self) -> Result<(), Failure> {
        let table = self.sitting.table.as_ref();
        let mut text = format!("{}\n", table.text());
        let history = table.history();
        if !history.is_empty() {
            text += &layout::hang(0, "moves:", 8, &history.join(" "));
        }
        if let Some(origin) = table.origin() {
            text += &format!("from:   {origin}\n");
        }
        self.say(&text)
    }

    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        match Saved::of(&self.sitting).write(path) {
            Ok(()) => self.say(&format!("saved to {}", path.display())),
            Err(e) => self.complain(&e.to_string()),
        }
    }

    /// A search that Ctrl-C ends with the best so far.
    fn search<R>(&mut self, search: impl FnOnce(&mut Self) -> R) -> Result<R, Failure> {
        self.thinking.set();
        self.out.flush()?;
        let result = search(self);
        self.thinking.clear();
        self.stop.clear();
        Ok(result)
    }

    fn let_think(&mut self, seat: usize) -> Result<(), Failure> {
        self.fresh = true;
        let report = self.search(|s| s.sitting.think(seat, &s.stop, &mut s.live))?;
        let name = self.paint.seat(seat, &self.sitting.table.seat_name(seat));
        let played = report.and_then(|report| {
            let illegal = |e: spielbaum_core::ParseError| Forfeit::Illegal(e.problem);
            self.sitting.play(report.best.clone()).map_err(illegal).map(|()| report)
        });
        match played {
            Ok(report) => {
                let thought = words::thought(self.sitting.chairs.len(), &report);
                let thought = match thought.is_empty() {
                    true => thought,
                    false => self.paint.dim(&format!("  ({thought})")),
                };
                self.say(&format!("{name} plays {}{thought}", self.paint.bold(&report.best)))
            }
            // `words::result` tells it.
            Err(forfeit) => {
                self.sitting.forfeit = Some((seat, forfeit));
                Ok(())
            }
        }
    }

    /// What the player that gives hints says; its failure is no reason to end the game.
    fn consult(&mut self) -> Result<Option<(Report<String>, usize)>, Failure> {
        match self.search(|s| s.sitting.advise(&s.stop, &mut s.live))? {
            Ok(advice) => Ok(Some(advice)),
            Err(e) => self.complain(&e.to_string()).map(|()| None),
        }
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let Some((report, _)) = self.consult()? else { return Ok(()) };
        let thought = words::thought(self.sitting.chairs.len(), &report);
        let best = self.paint.good(&report.best);
        let by = &self.sitting.hint.args;
        self.say(&format!("hint: {best}  {}", self.paint.dim(&format!("({by}: {thought})"))))?;
        match report.pv.len() {
            0 | 1 => Ok(()),
            _ => self.say(&layout::hang(0, "line:", 7, &report.pv.join(" "))),
        }
    }

    fn analyze(&mut self, top: usize) -> Result<(), Failure> {
        let Some((report, bytes)) = self.consult()? else { return Ok(()) };
        let table = self.sitting.table.as_ref();
        self.say(&Analyze::describe(table, &report, bytes, (top, "analyze N")))
    }
}

fn texts(steps: &[&Step]) -> String {
    steps.iter().map(|step| step.mv.as_str()).collect::<Vec<_>>().join(" ")
}
