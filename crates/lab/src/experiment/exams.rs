//! What the exams of a section have in common: `depths` and `accuracy`.

use super::Format;
use super::accuracy;
use super::fields::{self, Value};
use super::keys::Settings;
use super::resolved::{Board, World};
use super::source::file_name;
use super::text::Text;
use crate::erased::Acting;
use crate::{Exam, ExamRequest, LabError, Opening, Openings, Question};
use spielbaum_core::Limits;
use spielbaum_core::param::Args;
use spielbaum_core::spec::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// Depths of a section that says nothing.
const DEPTHS: u64 = 12;

/// Plays after which no deeper search is begun.
const MAX_NODES: u64 = 50_000_000;

/// The settings of a section that asks questions.
pub(super) struct Exams<'t, 'a> {
    seed: u64,
    place: Span,
    kind: Kind<'t, 'a>,
    /// The questions to each game.
    asked: RefCell<BTreeMap<String, Option<Asked>>>,
}

/// Questions, and how many positions were left out.
type Asked = (Vec<Question>, u64);

enum Kind<'t, 'a> {
    Depths { depths: u32, max_nodes: u64, positions: Option<&'t Value<'a>> },
    Accuracy { values: String, place: Span, questions: u64, every: bool },
}

impl<'t, 'a> Exams<'t, 'a> {
    pub(super) fn read(
        world: &World<'_>,
        settings: &Settings<'t, 'a>,
        format: Format,
    ) -> Option<Self> {
        let log = world.log;
        let before = log.count();
        let integer = |key: &str, default: u64, range| match settings.get(key) {
            Some(value) => fields::integer(key, value, range, log).unwrap_or(default),
            None => default,
        };
        let seed = integer("seed", 1, 0..=u64::MAX);
        let kind = if format == Format::Depths {
            let depths = integer("depths", DEPTHS, 1..=1000) as u32;
            let max_nodes = integer("max-nodes", MAX_NODES, 1..=u64::MAX);
            Kind::Depths { depths, max_nodes, positions: settings.get("positions") }
        } else {
            let Some(value) = settings.get("values") else {
                let help = "name the file with known values: values = \"FILE.jsonl\"";
                fields::missing("values", settings.place.clone(), help, log);
                return None;
            };
            let right = "the name of a file beside the experiment";
            let name = fields::string("values", value, right, log)?;
            let questions = integer("questions", u64::MAX, 1..=u64::MAX);
            let values = world.file(name, value.span())?;
            let all = values.lines().filter(|line| !line.trim().is_empty()).count() as u64;
            let questions = settings.quantity("questions", questions.min(all));
            let every = match settings.get("every-position") {
                Some(value) => fields::boolean("every-position", value, log)?,
                None => settings.options.every_position,
            };
            Kind::Accuracy { values: name.to_string(), place: value.span(), questions, every }
        };
        let place = settings.place.clone();
        (log.count() == before).then(|| Exams { seed, place, kind, asked: RefCell::default() })
    }

    /// Whether it asks for depth after depth.
    pub(super) fn is_depths(&self) -> bool {
        matches!(self.kind, Kind::Depths { .. })
    }

    /// The exam of a player; `text` is what the file calls it.
    pub(super) fn exam(
        &self,
        world: &World<'_>,
        board: &Board<'_>,
        player: Args,
        text: &Text,
    ) -> Option<Exam> {
        if self.is_depths() {
            let asked = Limits::depth(1).or(player.limits());
            let ends = board.game.budget(&player, asked).is_ok_and(|limits| limits == asked);
            if !ends {
                let problem = format!("a depth does not end a search of `{}`", player.name());
                let help = "`depths` asks players that search to a depth, such as alpha-beta";
                world.wrong_spec(text, player.name_error(problem).help(help));
                return None;
            }
        }
        let known = self.asked.borrow().get(&board.full).cloned();
        let (questions, left_out) = known.unwrap_or_else(|| {
            let questions = self.questions(world, board);
            self.asked.borrow_mut().insert(board.full.clone(), questions.clone());
            questions
        })?;
        let max_nodes = match self.kind {
            Kind::Depths { max_nodes, .. } => Some(max_nodes),
            Kind::Accuracy { .. } => None,
        };
        let request = ExamRequest {
            max_nodes,
            seed: self.seed,
            ..ExamRequest::new(board.args.clone(), player, questions)
        };
        match Exam::new(board.game, request) {
            Ok(exam) => Some(exam.leaving_out(left_out)),
            Err(error) => {
                let problem = match error {
                    LabError::Spec(error) => error.problem,
                    other => other.to_string(),
                };
                world.log.wrong(self.place.clone(), problem);
                None
            }
        }
    }

    fn questions(&self, world: &World<'_>, board: &Board<'_>) -> Option<Asked> {
        match &self.kind {
            Kind::Accuracy { values, place, questions, every } => {
                let text = world.file(values, place.clone())?;
                let (name, wanted) = (file_name(values), *questions as usize);
                let read = accuracy::questions(board.game, &board.args, &text, wanted, *every);
                let wrong = |problem| {
                    world.log.wrong(place.clone(), format!("values `{name}`, {problem}"));
                };
                read.map_err(wrong).ok()
            }
            Kind::Depths { depths, positions, .. } => {
                let positions = match positions {
                    Some(value) => positions_of(world, board, value)?,
                    None => vec![None],
                };
                let ask = |position: Option<String>| {
                    (1..=*depths).map(move |depth| Question {
                        position: position.clone(),
                        limits: Limits::depth(depth),
                        known: Vec::new(),
                    })
                };
                Some((positions.into_iter().flat_map(ask).collect(), 0))
            }
        }
    }
}

/// Reads positions: a file or a list of lines as openings are written, or `start`.
fn positions_of(
    world: &World<'_>,
    board: &Board<'_>,
    value: &Value<'_>,
) -> Option<Vec<Option<String>>> {
    let right = "`start`, a file beside the experiment, or a list of lines";
    let lines: Vec<Text> = match value.get_ref() {
        DeValue::Array(list) => {
            let lines = list.iter().map(|item| fields::text("positions", item, right, world.log));
            lines.collect::<Option<_>>()?
        }
        _ => {
            let name = fields::text("positions", value, right, world.log)?;
            match name.as_str() {
                "start" => vec![name],
                file => {
                    let text = world.file(file, name.span())?;
                    match Openings::list(file_name(file), &text) {
                        Ok(list) => {
                            let lines = list.texts().into_iter();
                            lines.map(|line| Text::at(line, &name.span())).collect()
                        }
                        Err(error) => {
                            world.log.wrong(name.span(), error.to_string());
                            return None;
                        }
                    }
                }
            }
        }
    };
    if lines.is_empty() {
        world.log.wrong(value.span(), "`positions` is an empty list");
        return None;
    }
    let positions: Vec<_> = lines.iter().map(|line| position(world, board, line)).collect();
    positions.into_iter().collect()
}

/// The position a line leads to, as text; the inner `None` is the start.
fn position(world: &World<'_>, board: &Board<'_>, line: &Text) -> Option<Option<String>> {
    let text = line.as_str().trim();
    let set_up = || {
        let mut table = board.game.open(&board.args).map_err(|e| e.to_string())?;
        let opening = Opening::read(text);
        if let Some(position) = &opening.position {
            table.set_position(position).map_err(|e| e.to_string())?;
        }
        table.play_moves(&opening.moves).map_err(|e| e.to_string())?;
        match table.acting() {
            Acting::Seat(_) => Ok(table.text()),
            Acting::Chance => Err("chance is to act there, not a player".to_string()),
            Acting::Over => Err("the game is over there".to_string()),
        }
    };
    if text == "start" {
        return Some(None);
    }
    match set_up() {
        Ok(position) => Some(Some(position)),
        Err(problem) => {
            world.log.wrong(line.span(), format!("position `{text}`: {problem}"));
            None
        }
    }
}
