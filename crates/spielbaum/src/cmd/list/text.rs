//! The list for people, 80 columns wide.

use super::{Selection, games_of, player_names};
use crate::layout::{WIDTH, hang, wrap};
use spielbaum_core::param::{BUDGET, Kind, Param, Preset, Schema};
use spielbaum_lab::AnyGame;

/// Where the explanations of games, players and parameters begin.
const HELP_AT: usize = 14;
/// Where the range of a parameter begins, and where its explanation.
const RANGE_AT: usize = 26;
const TEXT_AT: usize = 42;

/// Games and players in full, what they share once at the end.
pub(super) fn overview(selection: &Selection) -> String {
    let mut out = String::from("GAMES\n");
    for game in &selection.games {
        out += &game_entry(*game);
        out.push('\n');
    }
    out += "PLAYERS\n";
    for player in &selection.players {
        out += &player_entry(player, false);
        out.push('\n');
    }
    out += "BUDGET OF A MOVE (every player takes it; the first limit to bind ends a search)\n";
    for param in BUDGET {
        out += &param_line(param);
    }
    out += "\nA game or a player is written name:key=value,key=value, for example\n\
            \x20 gomoku:m=6,n=6,k=4    uct:c=0.9,iterations=20000\n\
            `spielbaum list NAME` tells more about one of them.\n";
    out
}

/// Everything about a few.
pub(super) fn details(selection: &Selection) -> String {
    let games = selection.games.iter().map(|&g| game_entry(g));
    let players = selection.players.iter().map(|p| {
        let games = hang(4, "games", HELP_AT, &games_of(p).join(" "));
        player_entry(p, true) + &games
    });
    games.chain(players).collect::<Vec<_>>().join("\n")
}

fn game_entry(game: &dyn AnyGame) -> String {
    let mut out = schema_entry(game.schema(), true);
    out += &hang(4, "openings", HELP_AT, &format!("{} (default of a match)", game.openings()));
    for (i, (name, help)) in game.evals().into_iter().enumerate() {
        let head = if i == 0 { "eval" } else { "" };
        out += &hang(4, head, HELP_AT, &format!("{name}: {help}"));
    }
    out + &hang(4, "players", HELP_AT, &player_names(game).join(" "))
}

fn player_entry(player: &Schema, with_budget: bool) -> String {
    let mut out = schema_entry(player, with_budget);
    for preset in player.presets {
        out += &preset_line(player, preset);
    }
    out
}

/// Name, help and parameters; the budget that all players share only on request.
fn schema_entry(schema: &Schema, with_budget: bool) -> String {
    let mut help = schema.help.to_string();
    if !schema.aliases.is_empty() {
        help += &format!(" (also called {})", schema.aliases.join(", "));
    }
    let mut out = hang(2, schema.name, HELP_AT, &help);
    for param in schema.all_params() {
        if with_budget || !is_budget(param) {
            out += &param_line(param);
        }
    }
    out
}

fn is_budget(param: &Param) -> bool {
    BUDGET.iter().any(|b| b.name == param.name && b.help == param.help)
}

fn preset_line(schema: &Schema, preset: &Preset) -> String {
    let sets: Vec<String> = preset.sets.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let text = format!("{}; preset, {}:{}", preset.help, schema.name, sets.join(","));
    hang(2, preset.name, HELP_AT, &text)
}

/// `key  default  range  help`; names and choices too long for their column are wrapped.
fn param_line(param: &Param) -> String {
    let head = format!("{:<w$}{}", param.name, param.default.unwrap_or("-"), w = HELP_AT - 4);
    let range = param.kind.to_string();
    let fits = range.chars().count() + 2 <= TEXT_AT - RANGE_AT && head.len() + 6 <= RANGE_AT;
    let mut out = if fits {
        let head = format!("{head:<w$}{range}", w = RANGE_AT - 4);
        hang(4, &head, TEXT_AT, param.help)
    } else {
        let lines = wrap(&range, WIDTH - RANGE_AT).join(&format!("\n{:RANGE_AT$}", ""));
        let pad = (RANGE_AT - 4).saturating_sub(head.chars().count()).max(2);
        format!("    {head}{:pad$}{lines}\n", "") + &hang(0, "", TEXT_AT, param.help)
    };
    if let Kind::Choice(choices) = param.kind {
        for (name, help) in choices {
            out += &hang(RANGE_AT, name, TEXT_AT, help);
        }
    }
    if let Kind::Nested(schemas) = param.kind {
        for schema in schemas {
            out += &nested(schema);
        }
    }
    out
}

/// A part in parentheses with its own parameters, one level in.
fn nested(schema: &Schema) -> String {
    let mut out = hang(RANGE_AT, schema.name, TEXT_AT, schema.help);
    for param in schema.all_params() {
        let default = param.default.map(|d| format!("={d}")).unwrap_or_default();
        let text = format!("{} ({})", param.help, param.kind);
        out += &hang(RANGE_AT + 2, &format!("{}{default}", param.name), TEXT_AT, &text);
    }
    out
}
