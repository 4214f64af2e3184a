//! A player with some of its numbers changed.

use super::space::Varied;
use crate::{AnyGame, LabError};
use spielbaum_core::param::{Args, Kind, Param, resolve};
use spielbaum_core::spec::{Arg, Spec, SpecError, Value};

/// A player, completed for a game, with the parameters that are varied checked.
#[derive(Clone, Debug)]
pub(super) struct Varying {
    /// The player as it begins.
    pub(super) player: Args,
    /// What is varied, whole numbers told apart.
    pub(super) varied: Vec<Varied>,
    /// The values it begins with.
    pub(super) values: Vec<f64>,
}

impl Varying {
    pub(super) fn new(
        game: &dyn AnyGame,
        player: &Args,
        varied: &[Varied],
    ) -> Result<Varying, LabError> {
        if varied.is_empty() {
            return Err(LabError::Request("nothing is varied: write --vary NAME=LOW..HIGH".into()));
        }
        let mut player = game.complete(player)?;
        for varied in varied {
            player = with_open_part(game, player, &varied.name)?;
        }
        let (mut checked, mut values) = (Vec::<Varied>::new(), Vec::new());
        for one in varied {
            if checked.iter().any(|c| c.name == one.name) {
                return Err(wrong(one, "it is varied twice"));
            }
            let (varied, value) = check(&player, one)?;
            checked.push(varied);
            values.push(value);
        }
        Ok(Varying { player, varied: checked, values })
    }

    /// The player with other values.
    pub(super) fn with(&self, game: &dyn AnyGame, values: &[f64]) -> Result<Args, SpecError> {
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        let names = self.varied.iter().map(|varied| varied.name.as_str());
        let changes: Vec<_> = names.zip(values.iter().map(String::as_str)).collect();
        set(game, &self.player, &changes)
    }
}

/// Parameters by their paths, and the values they get.
type Changes<'a> = [(&'a str, &'a str)];

/// An open part that is not named, such as the evaluation, is the game's first: then its parameters
/// can be varied too.
fn with_open_part(game: &dyn AnyGame, player: Args, path: &str) -> Result<Args, LabError> {
    let Some((head, _)) = path.split_once('.') else { return Ok(player) };
    let unset = player.schema().param(head).is_some_and(|p| matches!(p.kind, Kind::Open(_)))
        && player.opt_open(head).is_none();
    Ok(if unset { set(game, &player, &[(head, "default")])? } else { player })
}

/// The player with some parameters set.
fn set(game: &dyn AnyGame, player: &Args, changes: &Changes<'_>) -> Result<Args, SpecError> {
    let text = assigned(player, changes)?.to_string();
    game.complete(&resolve(&text, "player", &game.players())?)
}

/// The specification of some arguments with parameters set, here and in their parts.
fn assigned(args: &Args, changes: &Changes<'_>) -> Result<Spec, SpecError> {
    let mut spec = Spec::parse(&args.canonical())?;
    for (path, value) in changes {
        let (head, value) = match path.split_once('.') {
            None => (*path, Value::parse(value)?),
            Some((head, _)) => {
                let Some(inner) = part(args, head) else { continue };
                let within = |(path, value): &(&'_ str, &'_ str)| -> Option<(String, String)> {
                    let rest = path.strip_prefix(head)?.strip_prefix('.')?;
                    Some((rest.to_string(), value.to_string()))
                };
                let inside: Vec<(String, String)> = changes.iter().filter_map(within).collect();
                let inside: Vec<(&str, &str)> =
                    inside.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
                (head, Value::Nested(assigned(inner, &inside)?))
            }
        };
        let arg = Arg { key: head.to_string(), key_span: 0..0, value, value_span: 0..0 };
        match spec.args.iter_mut().find(|arg| arg.key == head) {
            Some(there) => *there = arg,
            None => spec.args.push(arg),
        }
    }
    Ok(spec)
}

/// The arguments inside a parameter.
fn part<'a>(args: &'a Args, name: &str) -> Option<&'a Args> {
    match args.schema().param(name)?.kind {
        Kind::Nested(_) => args.opt_nested(name),
        Kind::Open(_) => args.opt_open(name)?.found(),
        _ => None,
    }
}

/// Whether a player has such a parameter and the range lies within that of the parameter; and its
/// value now.
fn check(player: &Args, varied: &Varied) -> Result<(Varied, f64), LabError> {
    let (args, param) = find(player, varied)?;
    let (value, whole, min, max) = match param.kind {
        Kind::Int { min, max } => {
            (args.opt_int(param.name).map(|n| n as f64), true, min as f64, max as f64)
        }
        Kind::Real { min, max } => (args.opt_real(param.name), false, min, max),
        _ => {
            let is = param.kind.describe();
            return Err(wrong(varied, &format!("only numbers are varied, and this is {is}")));
        }
    };
    let Varied { low, high, .. } = *varied;
    if low < min || high > max {
        let is = param.kind.describe();
        return Err(wrong(varied, &format!("`{}` ({}) is {is}", param.name, param.help)));
    }
    if whole && (low.fract() != 0.0 || high.fract() != 0.0) {
        return Err(wrong(varied, "the parameter is an integer, and so are the ends of its range"));
    }
    let value = match value {
        Some(value) if (low..=high).contains(&value) => value,
        Some(value) => {
            let text =
                format!("the player has {value} now, and tuning begins there; widen the range");
            return Err(wrong(varied, &text));
        }
        None => {
            let help = format!("give the player a value to begin with: `{}=…`", varied.name);
            return Err(wrong(varied, &format!("it is not set; {help}")));
        }
    };
    Ok((Varied { whole, ..varied.clone() }, value))
}

/// The parameter of a path and the arguments it stands in.
fn find<'a>(player: &'a Args, varied: &Varied) -> Result<(&'a Args, &'static Param), LabError> {
    let mut args = player;
    let mut path = varied.name.split('.').peekable();
    while let Some(name) = path.next() {
        let schema = args.schema();
        let Some(param) = schema.param(name) else {
            let known: Vec<&str> = schema.all_params().map(|p| p.name).collect();
            let known = match known.is_empty() {
                true => "it has none".to_string(),
                false => format!("parameters: {}", known.join(", ")),
            };
            let problem = format!("`{}` has no parameter `{name}`; {known}", args.name());
            return Err(wrong(varied, &problem));
        };
        if path.peek().is_none() {
            return Ok((args, param));
        }
        args = part(args, name).ok_or_else(|| {
            wrong(varied, &format!("`{name}` of `{}` has no parameters", args.name()))
        })?;
    }
    Err(wrong(varied, "no parameter is named"))
}

fn wrong(varied: &Varied, problem: &str) -> LabError {
    LabError::Request(format!("`{varied}`: {problem}"))
}
