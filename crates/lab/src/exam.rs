//! An exam: one player is asked about positions, one by one, and plays none of them out. How
//! deep it sees within a budget, or how often it keeps the value of a position that is known.
//!
//! Each question is put to a player as good as new, so the questions do not depend on one
//! another and a unit of them can be asked by any process.

use crate::budget::{self, Budget};
use crate::erased::{Acting, ReadPlayer};
use crate::plan::{FORMAT, SpecText};
use crate::{AnyGame, LabError, former};
use serde::{Deserialize, Serialize};
use spielbaum_core::param::{Args, resolve};
use spielbaum_core::{Limits, Rng};
use std::ops::Range;

/// A question: a position and what may be spent on it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// The position as text; `None`: the start of the game.
    pub position: Option<String>,
    /// Replaces the budget of the exam, key by key.
    pub limits: Limits,
    /// Moves with their value for the player to move, the more the better (1 a win, ½ a draw,
    /// 0 a loss); empty where no value is known.
    pub known: Vec<(String, f64)>,
}

impl Question {
    /// Whether a move is as good as the best known one; `None` if its value is not known.
    ///
    /// ```
    /// use spielbaum_lab::Question;
    /// let known = vec![("a1".to_string(), 0.5), ("b1".to_string(), 0.0)];
    /// let question = Question { known, ..Question::default() };
    /// assert_eq!(question.keeps("a1"), Some(true));
    /// assert_eq!(question.keeps("b1"), Some(false));
    /// assert_eq!(question.keeps("c1"), None);
    /// ```
    pub fn keeps(&self, mv: &str) -> Option<bool> {
        let &(_, value) = self.known.iter().find(|(m, _)| m == mv)?;
        Some(self.known.iter().all(|&(_, other)| other <= value))
    }

    /// Whether it can be answered wrongly: the known moves are not all of equal value.
    pub fn tells(&self) -> bool {
        self.known.iter().any(|&(_, value)| value != self.known[0].1)
    }
}

/// An exam as it is asked for.
#[derive(Clone, Debug)]
pub struct ExamRequest {
    /// The game.
    pub game: Args,
    /// The player.
    pub player: Args,
    /// Budget keys that replace those of the player.
    pub limits: Limits,
    /// The questions, those about one position side by side.
    pub questions: Vec<Question>,
    /// Plays after which no deeper question about a position is asked.
    pub max_nodes: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
}

impl ExamRequest {
    /// An exam with the defaults of a section that says nothing.
    pub fn new(game: Args, player: Args, questions: Vec<Question>) -> Self {
        let limits = Limits::default();
        ExamRequest { game, player, limits, questions, max_nodes: None, seed: 1 }
    }
}

/// An exam ready to be taken.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The game.
    pub game: Args,
    /// The player.
    pub player: Args,
    /// Its budget, as far as the questions do not say otherwise.
    pub limits: Limits,
    /// The questions, those about one position side by side.
    pub questions: Vec<Question>,
    /// Once an answer took more plays than this, the questions that follow about the same
    /// position, deeper ones, are not asked.
    pub max_nodes: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
    /// Questions in each unit but the last, which may be shorter.
    pub questions_per_unit: usize,
    /// Reads players of its game.
    pub(crate) read: ReadPlayer,
    header: ExamHeader,
}

/// The header of an exam's record: everything that decides the answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamHeader {
    /// Version of the format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The game.
    pub game: SpecText,
    /// The player.
    pub player: SpecText,
    /// Its budget.
    pub limits: Budget,
    /// Seed of everything random.
    pub seed: u64,
    /// Plays after which no deeper question is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nodes: Option<u64>,
    /// Questions in a unit.
    pub questions_per_unit: usize,
    /// Number of units.
    pub units: u64,
    /// Positions of the file that were left out, because all their moves are of equal value.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// The questions, so that the record needs no other file.
    pub questions: Vec<QuestionRecord>,
}

/// A question in a record.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionRecord {
    /// The position, if it is not the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What the question itself says about the budget.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub limits: Budget,
    /// Moves with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<(String, f64)>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_empty(budget: &Budget) -> bool {
    *budget == Budget::default()
}

impl From<&Question> for QuestionRecord {
    fn from(question: &Question) -> Self {
        QuestionRecord {
            position: question.position.clone(),
            limits: Budget::from(&question.limits),
            known: question.known.clone(),
        }
    }
}

impl From<&QuestionRecord> for Question {
    fn from(record: &QuestionRecord) -> Self {
        Question {
            position: record.position.clone(),
            limits: Limits::from(&record.limits),
            known: record.known.clone(),
        }
    }
}

impl Exam {
    /// Checks a request: every error a user can make appears here, before anything runs.
    pub fn new(game: &dyn AnyGame, request: ExamRequest) -> Result<Exam, LabError> {
        let ExamRequest { game: args, player, limits: given, questions, max_nodes, seed } = request;
        let player = game.complete(&player)?;
        if questions.is_empty() {
            return Err(LabError::Request("an exam without questions is none".to_string()));
        }
        let mut table = game.open(&args)?;
        let mut before = None;
        for (i, question) in questions.iter().enumerate() {
            // Depth after depth about one position: it is set up once.
            if before != Some(&question.position) {
                let wrong = |problem| LabError::Request(format!("question {}: {problem}", i + 1));
                match &question.position {
                    Some(text) => table.set_position(text).map_err(|e| wrong(e.to_string()))?,
                    None => table.reset(),
                }
                if !matches!(table.acting(), Acting::Seat(_)) {
                    return Err(wrong("no player is to move there".to_string()));
                }
                before = Some(&question.position);
            }
        }
        game.admit(&args, &player)?;
        // Whatever ends no search is completed by the default; a question may end it by itself.
        let own = given.or(player.limits());
        let mut limits = own;
        let mut seen: Vec<Limits> = Vec::new();
        for question in &questions {
            if !seen.contains(&question.limits) {
                seen.push(question.limits);
                let asked = question.limits.or(own);
                if game.budget(&player, asked)? != asked {
                    limits = game.budget(&player, given)?;
                }
            }
        }
        let questions_per_unit = per_unit(&questions, limits);
        let header = ExamHeader {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: SpecText::from(&args),
            player: SpecText::of_player(game, &args, &player)?,
            limits: Budget::from(&limits),
            seed,
            max_nodes,
            questions_per_unit,
            units: questions.len().div_ceil(questions_per_unit) as u64,
            left_out: 0,
            questions: questions.iter().map(QuestionRecord::from).collect(),
        };
        Ok(Exam {
            game: args,
            player,
            limits,
            questions,
            max_nodes,
            seed,
            questions_per_unit,
            read: game.reader(),
            header,
        })
    }

    /// The same exam, which says that so many positions were left out.
    #[must_use]
    pub fn leaving_out(mut self, positions: u64) -> Exam {
        self.header.left_out = positions;
        self
    }

    /// The exam of a record, with the game found in the catalog.
    pub fn of_header<'a>(
        header: &ExamHeader,
        catalog: &[&'a dyn AnyGame],
    ) -> Result<(&'a dyn AnyGame, Exam), LabError> {
        let schemas: Vec<_> = catalog.iter().map(|g| g.schema()).collect();
        let args = resolve(&header.game.full, "game", &schemas)?;
        let game = *(catalog.iter())
            .find(|g| g.schema().name == args.name())
            .ok_or_else(|| LabError::Request(format!("no game `{}`", args.name())))?;
        let player = resolve(&former::renewed(&header.player.full), "player", &game.players())?;
        let questions = header.questions.iter().map(Question::from).collect();
        let request = ExamRequest {
            limits: Limits::from(&header.limits),
            max_nodes: header.max_nodes,
            seed: header.seed,
            ..ExamRequest::new(args, player, questions)
        };
        let mut exam = Exam::new(game, request)?.leaving_out(header.left_out);
        let (version, game_text) = (header.version.clone(), header.game.clone());
        exam.header =
            ExamHeader { version, game: game_text, player: header.player.clone(), ..exam.header };
        if exam.header != *header {
            return Err(LabError::Request(
                "the header contradicts itself: its questions, units and limits do not belong \
                 together"
                    .to_string(),
            ));
        }
        Ok((game, exam))
    }

    /// The header of the record.
    pub fn header(&self) -> &ExamHeader {
        &self.header
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.header.units
    }

    /// The questions of a unit, by number.
    pub fn unit(&self, unit: u64) -> Range<usize> {
        let first = (unit as usize).saturating_mul(self.questions_per_unit);
        let last = first.saturating_add(self.questions_per_unit);
        first.min(self.questions.len())..last.min(self.questions.len())
    }

    /// The budget of a question.
    pub fn limits_of(&self, question: usize) -> Limits {
        self.questions[question].limits.or(self.limits)
    }

    /// The seed with which the player is begun anew for a question.
    pub fn seed_of(&self, question: usize) -> u64 {
        Rng::split(self.seed, question as u64)
    }

    /// Whether the same seed gives the same answers: no budget is wall time.
    pub fn is_deterministic(&self) -> bool {
        (0..self.questions.len()).all(|q| self.limits_of(q).is_deterministic())
    }
}

/// All questions about one position are in one unit. Otherwise one position in a unit up to a
/// hundred, then about a hundred units; but quick questions are put together, up to a thousand,
/// until a unit is worth its file.
fn per_unit(questions: &[Question], limits: Limits) -> usize {
    let same = questions.iter().take_while(|q| q.position == questions[0].position).count();
    let positions = questions.len().div_ceil(same);
    let plays = questions[..same].iter().map(|q| budget::plays(&q.limits.or(limits)));
    let quick = budget::A_UNIT / plays.fold(1, u64::saturating_add);
    let most = positions.min((1024 / same).max(1));
    same * positions.div_ceil(100).max(usize::try_from(quick).unwrap_or(most).min(most))
}
