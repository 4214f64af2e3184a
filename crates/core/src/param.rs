//! Tables of parameters: one per game or algorithm drives parsing, printing and `list`.
//!
//! ```
//! use spielbaum_core::param::{BUDGET, Param, Preset, Schema, resolve};
//!
//! static RANDOM: Schema = Schema::plain("random", "uniformly random moves");
//! static MAST: Schema = Schema {
//!     name: "mast",
//!     aliases: &[],
//!     help: "moves that did well elsewhere",
//!     params: &[&[Param::int("k", "16", 1, 1000, "prior visits")]],
//!     presets: &[],
//! };
//! static MCTS: Schema = Schema {
//!     name: "mcts",
//!     aliases: &[],
//!     help: "Monte-Carlo tree search",
//!     params: &[
//!         &[
//!             Param::real("c", "0.7", 0.0, f64::INFINITY, "exploration"),
//!             Param::nested("playout", "random", &[&RANDOM, &MAST], "how games are finished"),
//!         ],
//!         BUDGET,
//!     ],
//!     presets: &[Preset { name: "uct", help: "as published", sets: &[("c", "1.4")] }],
//! };
//!
//! let args = resolve("uct:playout=mast(k=16),iterations=20k", "player", &[&MCTS])?;
//! assert_eq!(args.real("c"), 1.4);
//! assert_eq!(args.nested("playout").int("k"), 16);
//! assert_eq!(args.limits().iterations, Some(20_000));
//! assert_eq!(args.to_string(), "uct:playout=mast,iterations=20000");
//! assert_eq!(args.full(), "mcts:c=1.4,playout=mast(k=16),iterations=20000");
//!
//! let error = resolve("uct:itrations=20000", "player", &[&MCTS]).unwrap_err();
//! assert_eq!(error.problem, "unknown parameter `itrations` of player `uct`");
//! # Ok::<(), spielbaum_core::spec::SpecError>(())
//! ```

mod args;
mod check;
mod kind;
mod open;
mod resolve;
mod scalar;

pub use args::Args;
pub use check::check_all;
pub use kind::Kind;
pub use open::{LookUp, Open};
pub use resolve::resolve;
pub use scalar::{format_clock, format_duration, parse_clock, parse_duration};

/// A parameter of a game or an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key in a specification.
    pub name: &'static str,
    /// What it may be set to.
    pub kind: Kind,
    /// Its value when nothing is said, in the same text form; `None`: it is unset.
    pub default: Option<&'static str>,
    /// One line for people.
    pub help: &'static str,
}

/// A named setting of a schema, such as `uct` of `mcts`.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Parameters with the values that take the place of their defaults.
    pub sets: &'static [(&'static str, &'static str)],
}

/// A game or an algorithm with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name in a specification.
    pub name: &'static str,
    /// Other names that are accepted and never printed.
    pub aliases: &'static [&'static str],
    /// One line for people.
    pub help: &'static str,
    /// Groups of parameters, in the order in which they are printed.
    pub params: &'static [&'static [Param]],
    /// Named settings.
    pub presets: &'static [Preset],
}

/// The group of parameters that every player has: what it may spend on a move, and what it sees.
pub const BUDGET: &[Param] = &[
    Param::unset("time", Kind::Duration, "wall time of a move"),
    Param::unset("clock", Kind::Clock, "wall time of a game + of each of its moves"),
    Param::unset("iterations", Kind::at_least(1), "simulations, or root iterations"),
    Param::unset("nodes", Kind::at_least(1), "plays on a board"),
    Param::unset("depth", Kind::Int { min: 1, max: u32::MAX as i64 }, "plies, or levels of a tree"),
    Param::unset(
        "sees",
        Kind::Choice(&[
            ("own", "what its seat may know; the rest is drawn anew for each of its moves"),
            ("all", "everything, hidden parts such as the order of a stack included"),
        ]),
        "what it knows of hidden parts; own unless given",
    ),
];

/// Of these, what it may spend.
pub const LIMITS: &[Param] = BUDGET.split_at(5).0;

impl Param {
    /// A parameter that has no value unless one is given.
    pub const fn unset(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Param { name, kind, default: None, help }
    }

    const fn with(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Param { name, kind, default: Some(default), help }
    }

    /// An integer within `min..=max`; the largest and smallest `i64` mean no bound.
    pub const fn int(
        name: &'static str,
        default: &'static str,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Self {
        Self::with(name, Kind::Int { min, max }, default, help)
    }

    /// A finite number within `min..=max`; infinities mean no bound.
    pub const fn real(
        name: &'static str,
        default: &'static str,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Self::with(name, Kind::Real { min, max }, default, help)
    }

    /// True or false.
    pub const fn flag(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::with(name, Kind::Bool, default, help)
    }

    /// One of a few names, each with a line for people.
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        choices: &'static [(&'static str, &'static str)],
        help: &'static str,
    ) -> Self {
        Self::with(name, Kind::Choice(choices), default, help)
    }

    /// A positive wall time.
    pub const fn duration(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::with(name, Kind::Duration, default, help)
    }

    /// A clock for a game.
    pub const fn clock(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::with(name, Kind::Clock, default, help)
    }

    /// Any text, such as a path.
    pub const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::with(name, Kind::Text, default, help)
    }

    /// A specification of its own.
    pub const fn nested(
        name: &'static str,
        default: &'static str,
        schemas: &'static [&'static Schema],
        help: &'static str,
    ) -> Self {
        Self::with(name, Kind::Nested(schemas), default, help)
    }
}

impl Schema {
    /// A schema without parameters.
    pub const fn plain(name: &'static str, help: &'static str) -> Self {
        Schema { name, aliases: &[], help, params: &[], presets: &[] }
    }

    /// All parameters in table order.
    pub fn all_params(&self) -> impl Iterator<Item = &'static Param> + use<> {
        self.params.iter().copied().flatten()
    }

    /// The parameter of this name.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.all_params().find(|p| p.name == name)
    }

    /// The names that select this schema and are printed: its own, then its presets'.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.presets.iter().map(|p| p.name))
    }
}

/// The schema of this name, alias or preset, and the preset if it is one.
pub fn find(
    name: &str,
    schemas: &[&'static Schema],
) -> Option<(&'static Schema, Option<&'static Preset>)> {
    schemas.iter().find_map(|&schema| {
        if schema.name == name || schema.aliases.contains(&name) {
            return Some((schema, None));
        }
        schema.presets.iter().find(|p| p.name == name).map(|preset| (schema, Some(preset)))
    })
}
