//! The players of this crate with their parameters, and how a specification becomes one.

use crate::evaluator::{Evaluator, Leaf, Mixed, Playouts};
use crate::models;
use crate::network::{Asking, Network, Turning, shape_of};
use crate::player::{Zero, ZeroConfig};
use crate::search::{Noise, SearchConfig};
use spielbaum_core::param::{Args, BUDGET, Kind, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Planes, Registered, TwoPlayer};
use spielbaum_net::{Device, Weights};
use spielbaum_search::bandit::Rule;
use spielbaum_search::spec::Built;
use std::sync::Arc;

/// Search guided by a network.
pub static ZERO: Schema = Schema {
    name: "zero",
    aliases: &["alphazero"],
    help: "tree search guided by a network (AlphaZero), as in the gomoku paper",
    params: &[PARAMS, BUDGET],
    presets: &[
        Preset {
            name: "zerox",
            help: "zero that keeps its tree between moves",
            sets: &[("reuse", "true")],
        },
        Preset {
            name: "zero-plus",
            help: "zero as we play it: proofs, the tree kept, less exploration, resistance",
            sets: &[
                ("c", "2"),
                ("urgency", "0.2"),
                ("priors", "legal"),
                ("solver", "true"),
                ("reuse", "true"),
                ("resist", "32"),
            ],
        },
        Preset {
            name: "flat",
            help: "the network's best move, no search",
            sets: &[("iterations", "1")],
        },
        Preset {
            name: "uct-gomoku",
            help: "the gomoku paper's UCT: zero with uniform priors and random playouts",
            sets: &[("judge", "playout")],
        },
    ],
};

const PARAMS: &[Param] = &[
    Param::choice(
        "judge",
        "net",
        &[("net", "a network"), ("playout", "uniform priors and one random game to the end")],
        "who judges new positions",
    ),
    Param::text(
        "net",
        "auto",
        "name or file of the network; auto: the one that comes for this board",
    ),
    Param::choice(
        "ucb",
        "puct",
        &[
            ("puct", "Q + c P √N / (1 + n)"),
            ("classic", "Q + c √(2 ln N / n), as the gomoku paper prints it"),
        ],
        "the bound that selection compares, on values from -1 to 1",
    ),
    Param::real("c", "5", 0.0, 1e6, "its exploration constant"),
    Param::unset(
        "urgency",
        Kind::Real { min: -2.0, max: 2.0 },
        "a move before its first visit is worth so much less than its position; unset: a draw",
    ),
    Param::choice(
        "priors",
        "raw",
        &[("raw", "as the network has them"), ("legal", "scaled to the sum 1")],
        "probabilities of the legal moves",
    ),
    Param::choice(
        "symmetry",
        "none",
        &[
            ("none", "positions are shown as they are"),
            ("random", "in a random turn"),
            ("all", "in all turns, answers averaged"),
        ],
        "how positions are shown to the network",
    ),
    Param::real("mix", "0", 0.0, 1.0, "part of random games in the network's value"),
    Param::int("playouts", "8", 1, 10_000, "random games for each position, with mix"),
    Param::int("batch", "1", 1, 4096, "positions of one tree that are judged together"),
    Param::real("temperature", "0.001", 1e-6, 1e3, "the move is drawn from visits^(1/temperature)"),
    Param::real("noise", "0", 0.0, 1.0, "part of Dirichlet noise"),
    Param::real("alpha", "0.03", 1e-4, 1e3, "concentration of the noise"),
    Param::choice(
        "noise-at",
        "move",
        &[("move", "the distribution of the move, as in the gomoku paper"), ("root", "the priors")],
        "what the noise is mixed with",
    ),
    Param::flag("solver", "false", "prove results in the tree and stop at a proven root"),
    Param::flag("reuse", "false", "keep the tree between moves; simulations come on top"),
    Param::int(
        "resist",
        "0",
        0,
        10_000,
        "in a lost position random games judge, so many for each; 0: the network",
    ),
    Param::int("memory", "1024", 1, 1 << 20, "MiB of the tree; at the limit it stops growing"),
];

/// Builds a player for a game that a network can look at.
pub fn learned<G: TwoPlayer + Planes + Registered>(args: &Args) -> Built<G> {
    (args.schema().name == ZERO.name).then(|| {
        let player = Zero::new(&config(args), evaluator::<G>(args)?, 0);
        Ok(Box::new(player) as Box<_>)
    })
}

/// The configuration of a specification.
pub fn config(args: &Args) -> ZeroConfig {
    let noise = Noise { part: args.real("noise"), alpha: args.real("alpha") };
    let noise = (noise.part > 0.0).then_some(noise);
    let at_root = args.choice("noise-at") == "root";
    let (rule, c) = match args.choice("ucb") {
        "classic" => (Rule::Ucb1, args.real("c") * std::f64::consts::SQRT_2),
        _ => (Rule::Puct, args.real("c")),
    };
    ZeroConfig {
        search: SearchConfig {
            rule,
            c,
            urgency: args.opt_real("urgency"),
            solver: args.flag("solver"),
            noise: noise.filter(|_| at_root),
            memory: (args.int("memory") as usize) << 20,
        },
        batch: args.int("batch") as usize,
        temperature: args.real("temperature"),
        noise: noise.filter(|_| !at_root),
        reuse: args.flag("reuse"),
        resist: args.int("resist") as u32,
    }
}

fn evaluator<G: Planes + Registered>(args: &Args) -> Result<Box<dyn Evaluator<G>>, SpecError> {
    if args.choice("judge") == "playout" {
        return Ok(Box::new(Playouts));
    }
    let asking = Asking {
        turning: match args.choice("symmetry") {
            "random" => Turning::Random,
            "all" => Turning::All,
            _ => Turning::None,
        },
        raw: args.choice("priors") == "raw",
    };
    // A file that is not there is told before anything is played; the board is not known yet.
    let weights = match args.text("net") {
        "auto" => None,
        name => Some(models::load(name).map_err(|e| args.error("net", e))?),
    };
    let named = Named { weights, asking, network: None };
    let (part, playouts) = (args.real("mix") as f32, args.int("playouts") as u32);
    Ok(match part > 0.0 {
        true => Box::new(Mixed { judge: named, playouts, part }),
        false => Box::new(named),
    })
}

/// The name of the network that a player of this crate uses in a game; `None` if it uses none, or is
/// of another crate.
pub fn network<G: Planes + Registered>(
    args: &Args,
    start: &G,
) -> Option<Result<String, SpecError>> {
    if args.schema().name != ZERO.name || args.choice("judge") == "playout" {
        return None;
    }
    Some(match args.text("net") {
        "auto" => models::name_for_board(G::SCHEMA.name, shape_of(start), &start.variant())
            .map(str::to_string)
            .map_err(|e| args.error("net", e)),
        name => Ok(name.to_string()),
    })
}

/// A network that is made for the first board it sees.
struct Named {
    /// `None`: the one that comes with the program for the board.
    weights: Option<Arc<Weights>>,
    asking: Asking,
    network: Option<Network>,
}

impl Named {
    /// The network, made for the board of this position.
    fn network<G: Planes + Registered>(&mut self, pos: &G) -> Result<&mut Network, String> {
        let shape = shape_of(pos);
        if self.network.as_ref().is_none_or(|network| network.shape() != shape) {
            let weights = match &self.weights {
                Some(weights) => Arc::clone(weights),
                None => models::for_board(G::SCHEMA.name, shape, &pos.variant())?,
            };
            let problem = |e: spielbaum_net::NetError| e.to_string();
            let weights = weights.for_board(shape.height, shape.width).map_err(problem)?;
            let net = Device::Cpu.network(&weights).map_err(problem)?;
            self.network = Some(Network::new(net, weights.shape(), self.asking));
        }
        self.network.as_mut().ok_or_else(|| "there is no network".to_string())
    }
}

impl<G: Planes + Registered> Evaluator<G> for Named {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), String> {
        let Some(first) = leaves.first() else { return Ok(()) };
        self.network(&first.pos)?.judge(leaves)
    }

    fn fits(&mut self, pos: &G) -> Result<(), String> {
        Evaluator::<G>::fits(self.network(pos)?, pos)
    }

    fn bytes(&self) -> usize {
        self.network.as_ref().map_or(0, <Network as Evaluator<G>>::bytes)
    }
}
