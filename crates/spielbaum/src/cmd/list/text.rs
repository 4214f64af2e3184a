//! The list for people, 80 columns wide.

use super::{Selection, games_of, player_names};
use crate::layout::hang;
use spielbaum_core::param::{BUDGET, Kind, Param, Preset, Schema};
use spielbaum_lab::AnyGame;
use spielbaum_lab::budget::DEFAULT_NODES;

/// Where the explanations of games and players begin, and the defaults of parameters.
const HELP_AT: usize = 20;
/// Where the range of a parameter begins, and where its explanation.
const RANGE_AT: usize = 30;
const TEXT_AT: usize = 46;

/// Games and players in full, what they share once at the end.
pub(super) fn overview(selection: &Selection) -> String {
    let mut out = String::from("GAMES\n");
    for game in &selection.games {
        out += &game_entry(*game, false);
        out.push('\n');
    }
    out += "PLAYERS\n";
    for player in &selection.players {
        out += &schema_entry(player, false);
        out.push('\n');
    }
    out += "BUDGET OF A MOVE (every player takes it; the first limit to bind ends a search)\n";
    for param in BUDGET {
        out += &param_line(param);
    }
    out += &format!("    {DEFAULT_NODES} nodes, where nothing else ends a search\n");
    out += "\nA game or a player is written name:key=value,key=value, for example\n\
            \x20 gomoku:m=6,n=6,k=4    uct:c=0.9,iterations=20000\n\
            `spielbaum list NAME` tells more about one of them. [mcts] behind an explanation\n\
            says that the name is a preset: mcts with other defaults.\n";
    out
}

/// Everything about a few.
pub(super) fn details(selection: &Selection) -> String {
    let games = selection.games.iter().map(|&g| game_entry(g, true));
    let players = selection
        .players
        .iter()
        .map(|p| schema_entry(p, true) + &hang(4, "games", HELP_AT, &games_of(p).join(" ")));
    games.chain(players).collect::<Vec<_>>().join("\n")
}

fn game_entry(game: &dyn AnyGame, in_full: bool) -> String {
    let mut out = schema_entry(game.schema(), in_full);
    out += &hang(4, "openings", HELP_AT, &format!("{} (default of a match)", game.openings()));
    for (i, eval) in game.evals().into_iter().enumerate() {
        let head = if i == 0 { "eval" } else { "" };
        let more = if eval.schema.is_some() { "(...)" } else { "" };
        out += &hang(4, head, HELP_AT, &format!("{}{more}: {}", eval.name, eval.help));
        if let (Some(schema), true) = (eval.schema, in_full) {
            out += &params_of(schema);
            for Preset { name, help, .. } in schema.presets {
                out += &hang(4, "", HELP_AT, &format!("{name}(...): {help}"));
            }
        }
    }
    out + &hang(4, "played by", HELP_AT, &player_names(game).join(" "))
}

/// Name, help, parameters and presets; in full also the budget that all players share, and what the
/// names mean that parameters take.
fn schema_entry(schema: &Schema, in_full: bool) -> String {
    let mut help = schema.help.to_string();
    if !schema.aliases.is_empty() {
        help += &format!(" (also called {})", schema.aliases.join(", "));
    }
    let mut out = hang(2, schema.name, HELP_AT, &help);
    for param in schema.all_params() {
        if in_full || !is_budget(param) {
            out += &param_line(param);
        }
        if in_full {
            out += &names_of(param);
        }
    }
    for preset in schema.presets {
        out += &preset_line(schema, preset, in_full);
    }
    out
}

fn is_budget(param: &Param) -> bool {
    BUDGET.iter().any(|b| b.name == param.name && b.help == param.help)
}

/// A preset and whose it is; in full also what it sets.
fn preset_line(schema: &Schema, preset: &Preset, in_full: bool) -> String {
    let line = hang(2, preset.name, HELP_AT, &format!("{} [{}]", preset.help, schema.name));
    if !in_full {
        return line;
    }
    let sets: Vec<String> = preset.sets.iter().map(|(k, v)| format!("{k}={v}")).collect();
    line + &hang(4, "sets", HELP_AT, &sets.join(" "))
}

/// `key  default  range  help`.
fn param_line(param: &Param) -> String {
    let (range, help) = match param.kind {
        // Names go with the help: they take more room than numbers.
        Kind::Choice(_) => ("choice".to_string(), format!("{}: {}", param.help, param.kind)),
        Kind::Nested(_) => ("part".to_string(), format!("{}: {}", param.help, param.kind)),
        _ => (param.kind.to_string(), param.help.to_string()),
    };
    let default = param.default.unwrap_or("-");
    let (name_width, default_width) = (HELP_AT - 4, RANGE_AT - HELP_AT);
    let head = format!("{:<name_width$}{default:<default_width$}{range}", param.name);
    hang(4, &head, TEXT_AT, &help)
}

/// What the names mean that a parameter takes.
fn names_of(param: &Param) -> String {
    match param.kind {
        Kind::Choice(choices) => {
            let line = |(name, help): &(&str, &str)| {
                hang(6, &format!("{}={name}", param.name), RANGE_AT, help)
            };
            choices.iter().map(line).collect()
        }
        Kind::Nested(schemas) => schemas.iter().map(|s| nested(param, s)).collect(),
        _ => String::new(),
    }
}

/// A part in parentheses with its own parameters.
fn nested(param: &Param, schema: &Schema) -> String {
    let head = hang(6, &format!("{}={}", param.name, schema.name), RANGE_AT, schema.help);
    head + &params_of(schema)
}

/// What stands in parentheses.
fn params_of(schema: &Schema) -> String {
    let mut out = String::new();
    for inner in schema.all_params() {
        let default = inner.default.map(|d| format!("={d}")).unwrap_or_default();
        let text = format!("{} ({})", inner.help, inner.kind);
        out += &hang(8, &format!("{}{default}", inner.name), RANGE_AT, &text);
    }
    out
}
