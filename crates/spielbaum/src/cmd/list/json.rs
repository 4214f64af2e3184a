//! The list for programs.

use super::{Selection, games_of, player_names};
use crate::output::FORMAT;
use serde::Serialize;
use serde_json::{Map, Value};
use spielbaum_core::param::{Kind, Param, Preset, Schema};
use spielbaum_lab::{AnyGame, Evaluation};

#[derive(Serialize)]
pub(super) struct Listing {
    format: u32,
    version: &'static str,
    games: Vec<Game>,
    players: Vec<Player>,
}

#[derive(Serialize)]
struct Game {
    #[serde(flatten)]
    entry: Entry,
    openings: &'static str,
    evals: Vec<Eval>,
    players: Vec<&'static str>,
}

#[derive(Serialize)]
struct Player {
    #[serde(flatten)]
    entry: Entry,
    games: Vec<&'static str>,
}

/// A game, a player, or a part that stands in parentheses.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
    params: Vec<Parameter>,
    presets: Vec<PresetEntry>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    help: &'static str,
}

#[derive(Serialize)]
struct Eval {
    name: &'static str,
    help: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    params: Vec<Parameter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presets: Vec<PresetEntry>,
}

#[derive(Serialize)]
struct PresetEntry {
    name: &'static str,
    help: &'static str,
    sets: Map<String, Value>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    kind: &'static str,
    default: Option<&'static str>,
    range: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nested: Vec<Entry>,
    help: &'static str,
}

pub(super) fn listing(selection: &Selection) -> Listing {
    Listing {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION"),
        games: selection.games.iter().map(|&g| game(g)).collect(),
        players: (selection.players.iter())
            .map(|p| Player { entry: entry(p), games: games_of(p) })
            .collect(),
    }
}

fn game(game: &dyn AnyGame) -> Game {
    Game {
        entry: entry(game.schema()),
        openings: game.openings(),
        evals: game.evals().iter().map(eval).collect(),
        players: player_names(game),
    }
}

fn eval(eval: &Evaluation) -> Eval {
    let Entry { params, presets, .. } = match eval.schema {
        Some(schema) => entry(schema),
        None => entry(&Schema::plain(eval.name, eval.help)),
    };
    Eval { name: eval.name, help: eval.help, params, presets }
}

fn entry(schema: &Schema) -> Entry {
    Entry {
        name: schema.name,
        aliases: schema.aliases,
        help: schema.help,
        params: schema.all_params().map(parameter).collect(),
        presets: schema.presets.iter().map(preset).collect(),
    }
}

fn preset(preset: &Preset) -> PresetEntry {
    let sets = preset.sets.iter().map(|&(key, value)| (key.to_string(), Value::from(value)));
    PresetEntry { name: preset.name, help: preset.help, sets: sets.collect() }
}

fn parameter(param: &Param) -> Parameter {
    let (kind, min, max) = match param.kind {
        Kind::Int { min, max } => (
            "int",
            (min != i64::MIN).then_some(min as f64),
            (max != i64::MAX).then_some(max as f64),
        ),
        Kind::Real { min, max } => {
            ("real", min.is_finite().then_some(min), max.is_finite().then_some(max))
        }
        Kind::Bool => ("bool", None, None),
        Kind::Choice(_) => ("choice", None, None),
        Kind::Duration => ("duration", None, None),
        Kind::Clock => ("clock", None, None),
        Kind::Text => ("text", None, None),
        Kind::Nested(_) => ("nested", None, None),
        Kind::Open(_) => ("open", None, None),
    };
    Parameter {
        name: param.name,
        kind,
        default: param.default,
        range: param.kind.to_string(),
        min,
        max,
        choices: match param.kind {
            Kind::Choice(all) => all.iter().map(|&(name, help)| Named { name, help }).collect(),
            _ => Vec::new(),
        },
        nested: match param.kind {
            Kind::Nested(all) => all.iter().map(|s| entry(s)).collect(),
            _ => Vec::new(),
        },
        help: param.help,
    }
}
