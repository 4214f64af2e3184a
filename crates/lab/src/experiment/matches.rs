//! What the matches of a section have in common.

use super::Format;
use super::build::Lookup;
use super::fields;
use super::keys::Settings;
use super::resolved::{Board, World};
use super::source::file_name;
use super::sweep::{Node, Template};
use super::text::Text;
use crate::stats::{SPRT, Sprt};
use crate::{Detail, LabError, MAX_PLIES, Match, Opening, Openings, Plan, Seating};
use spielbaum_core::param::{Args, resolve};
use spielbaum_core::spec::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Games of a match that names no number.
const GAMES: u64 = 100;

/// The settings of a section that plays games.
pub(super) struct Matches {
    seed: u64,
    games: u64,
    openings: Beginnings,
    record: Detail,
    max_plies: u32,
    seating: Seating,
    sprt: Option<Sprt>,
    width: Option<f64>,
    traps: Option<Template>,
    /// Openings that were checked, by game and name.
    checked: RefCell<BTreeMap<(String, String), Option<Openings>>>,
}

/// How games begin.
enum Beginnings {
    /// As the game has it.
    Default,
    /// `none`, `random:N` or a file.
    Named(Template),
    /// Lines in the experiment itself.
    Lines(Vec<Text>, Span),
}

impl Matches {
    pub(super) fn read(
        world: &World<'_>,
        settings: &Settings<'_, '_>,
        format: Format,
    ) -> Option<Self> {
        let log = world.log;
        let before = log.count();
        let integer = |key: &str, default: u64, range| match settings.get(key) {
            Some(value) => fields::integer(key, value, range, log).unwrap_or(default),
            None => default,
        };
        let seed = integer("seed", 1, 0..=u64::MAX);
        let games = settings.quantity("games", integer("games", GAMES, 1..=1_000_000_000));
        let max_plies = integer("max-plies", u64::from(MAX_PLIES), 1..=u64::from(u32::MAX));
        let record = match settings.get("record") {
            Some(value) => {
                let choices = [("full", Detail::Full), ("results", Detail::Results)];
                fields::choice("record", value, &choices, log).unwrap_or_default()
            }
            None => Detail::Full,
        };
        let seating = match settings.get("seatings") {
            Some(value) => {
                let choices = [("all", Seating::All), ("rotate", Seating::Rotate)];
                fields::choice("seatings", value, &choices, log).unwrap_or_default()
            }
            None => Seating::All,
        };
        let (sprt, width) = stop(world, settings).unwrap_or_default();
        let traps = match settings.get("traps") {
            Some(_) if format == Format::Scores => None,
            Some(value) => fields::scalar("traps", value, log).and_then(|t| plain(&t, world)),
            None => None,
        };
        let openings = openings(world, settings);
        // Whatever was wrong has been told.
        (log.count() == before).then_some(())?;
        let max_plies = u32::try_from(max_plies).unwrap_or(u32::MAX);
        let (openings, checked) = (openings?, RefCell::default());
        Some(Matches {
            seed,
            games,
            openings,
            record,
            max_plies,
            seating,
            sprt,
            width,
            traps,
            checked,
        })
    }

    /// The texts in which variables may stand.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Template> {
        let openings = match &self.openings {
            Beginnings::Named(template) => Some(template),
            _ => None,
        };
        openings.into_iter().chain(&self.traps)
    }

    /// Whether the settings fit a game.
    pub(super) fn check(
        &self,
        world: &World<'_>,
        settings: &Settings<'_, '_>,
        board: &Board<'_>,
        lookup: &Lookup<'_>,
    ) -> Option<()> {
        let traps = match &self.traps {
            Some(template) => self.levels(world, settings, board, template, lookup).map(drop),
            None => Some(()),
        };
        let openings = self.openings_of(world, board, lookup);
        traps.and(openings.map(drop))
    }

    /// The plan of a part, and the level of traps to look for.
    pub(super) fn plan(
        &self,
        world: &World<'_>,
        settings: &Settings<'_, '_>,
        board: &Board<'_>,
        players: Vec<Args>,
        lookup: &Lookup<'_>,
    ) -> Option<(Plan, Option<u32>)> {
        let traps = match &self.traps {
            Some(template) => Some(self.levels(world, settings, board, template, lookup)?),
            None => None,
        };
        let openings = self.openings_of(world, board, lookup)?;
        let request = Match {
            openings,
            seed: self.seed,
            games: self.games,
            seating: self.seating,
            max_plies: self.max_plies,
            sprt: self.sprt,
            width: self.width,
            record: self.record,
            ..Match::new(board.args.clone(), players)
        };
        match Plan::new(board.game, request.clone()) {
            Ok(plan) => Some((plan, traps)),
            Err(error) => {
                // If it is good without its stop rule, that is what is wrong.
                let endless = Match { sprt: None, width: None, ..request };
                let stops = self.sprt.is_some() || self.width.is_some();
                let key = if stops && Plan::new(board.game, endless).is_ok() { "stop" } else { "" };
                let problem = match error {
                    LabError::Spec(error) => error.problem,
                    other => other.to_string(),
                };
                world.log.wrong(settings.place_of(key), problem);
                None
            }
        }
    }

    fn levels(
        &self,
        world: &World<'_>,
        settings: &Settings<'_, '_>,
        board: &Board<'_>,
        template: &Template,
        lookup: &Lookup<'_>,
    ) -> Option<u32> {
        let text = one(template, lookup);
        let help = "`traps` is an odd number from 1 to 15: the opponent makes the last move";
        let name = board.game.schema().name;
        match text.as_str().parse() {
            _ if !board.game.has_traps() => {
                let problem =
                    format!("{name} has no traps: they are of two players without chance");
                world.log.wrong(text.span(), problem);
            }
            _ if self.record == Detail::Results => {
                let problem = "traps are looked for in the moves, which `results` leaves out";
                world.log.help(settings.place_of("record"), problem, "write record = \"full\"");
            }
            Ok(levels @ 1..=15) if levels % 2 == 1 => return Some(levels),
            _ => world.log.help(text.span(), format!("`traps` = {}", text.as_str()), help),
        }
        None
    }

    /// The openings of a part; the inner `None` means the game's own.
    fn openings_of(
        &self,
        world: &World<'_>,
        board: &Board<'_>,
        lookup: &Lookup<'_>,
    ) -> Option<Option<Openings>> {
        let (text, lines) = match &self.openings {
            Beginnings::Default => return Some(None),
            Beginnings::Named(template) => (one(template, lookup), None),
            Beginnings::Lines(lines, place) => (Text::at("", place), Some(lines)),
        };
        let key = (board.full.clone(), text.as_str().to_string());
        if let Some(known) = self.checked.borrow().get(&key) {
            return known.clone().map(Some);
        }
        let found = match lines {
            Some(lines) => in_lines(world, board, lines, &text.span()),
            None => named(world, board, &text),
        };
        self.checked.borrow_mut().insert(key, found.clone());
        found.map(Some)
    }
}

/// `none`, `random:N` or a file.
fn named(world: &World<'_>, board: &Board<'_>, text: &Text) -> Option<Openings> {
    let (name, place) = (text.as_str(), text.span());
    let list = if name == "none" || name.starts_with("random:") {
        Openings::read(name)
    } else {
        Openings::list(file_name(name), &world.file(name, place.clone())?)
    };
    let openings = list.map_err(|e| world.log.wrong(place.clone(), e.to_string())).ok()?;
    if let Openings::List { lines, numbers, .. } = &openings {
        for (line, number) in lines.iter().zip(numbers) {
            if let Err(e) = board.game.check_opening(&board.args, line) {
                world.log.wrong(place, format!("openings `{name}`, line {number}: {e}"));
                return None;
            }
        }
    }
    Some(openings)
}

/// Openings that stand in the experiment itself, each checked at its place.
fn in_lines(
    world: &World<'_>,
    board: &Board<'_>,
    lines: &[Text],
    place: &Span,
) -> Option<Openings> {
    let mut good = true;
    for line in lines {
        let opening = Opening::read(line.as_str().trim());
        if let Err(e) = board.game.check_opening(&board.args, &opening) {
            world.log.wrong(line.span(), format!("opening: {e}"));
            good = false;
        }
    }
    let texts: Vec<&str> = lines.iter().map(Text::as_str).collect();
    let list = Openings::list("lines", &texts.join("\n"));
    let list = list.map_err(|e| world.log.wrong(place.clone(), e.to_string())).ok();
    list.filter(|_| good)
}

fn openings(world: &World<'_>, settings: &Settings<'_, '_>) -> Option<Beginnings> {
    let Some(value) = settings.get("openings") else { return Some(Beginnings::Default) };
    let right = "`none`, `random:PLIES`, a file beside the experiment, or a list of lines";
    if let DeValue::Array(list) = value.get_ref() {
        let lines = list.iter().map(|item| fields::text("openings", item, right, world.log));
        return Some(Beginnings::Lines(lines.collect::<Option<Vec<_>>>()?, value.span()));
    }
    let text = fields::text("openings", value, right, world.log)?;
    plain(&text, world).map(Beginnings::Named)
}

/// A text with variables and no lists.
fn plain(text: &Text, world: &World<'_>) -> Option<Template> {
    let template = Template::scan(text, world.log)?;
    if template.nodes.iter().any(|node| matches!(node, Node::List(_))) {
        let help = "write `$NAME` and put the list into [vary]";
        world.log.help(text.span(), "a list is not allowed inside this text", help);
        return None;
    }
    Some(template)
}

/// The text of a template without lists.
fn one(template: &Template, lookup: &Lookup<'_>) -> Text {
    let expansion = template.expand().into_iter().next();
    expansion.map(|expansion| expansion.text(&|name| lookup(name))).unwrap_or_default()
}

/// Reads `[stop]`.
fn stop(world: &World<'_>, settings: &Settings<'_, '_>) -> Option<(Option<Sprt>, Option<f64>)> {
    let log = world.log;
    let Some(value) = settings.get("stop") else { return Some((None, None)) };
    let table: &DeTable<'_> = fields::table("stop", value, log)?;
    fields::check_keys(table, "of [stop]", &["sprt", "width"], log);
    if let (Some(_), Some((key, _))) = (table.get("sprt"), table.get_key_value("width")) {
        log.help(key.span(), "two stop rules", "keep one of `sprt` and `width`");
        return None;
    }
    let width = match table.get("width") {
        None => None,
        Some(value) => {
            let width = fields::number("width", value, log)?;
            if !(width > 0.0 && width < 1.0) {
                let help = "`width` is between 0 and 1: 0.04 is an interval of ± 2 %";
                log.help(value.span(), format!("`width` = {width}"), help);
                return None;
            }
            Some(width)
        }
    };
    let sprt = match table.get("sprt") {
        None => None,
        Some(value) => {
            let text = fields::text("sprt", value, "a text such as \"elo0=0,elo1=10\"", log)?;
            let mut whole = Text::at("sprt:", &text.span());
            whole.push(&text);
            let args = resolve(whole.as_str(), "test", &[&SPRT]);
            let args = args.map_err(|error| world.wrong_spec(&whole, error)).ok()?;
            Some(Sprt::of_args(&args).map_err(|e| log.wrong(text.span(), e)).ok()?)
        }
    };
    Some((sprt, width))
}
