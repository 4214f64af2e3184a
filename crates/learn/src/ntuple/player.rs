//! The net as a player.

use super::eval::NetEval;
use super::loading::{Model, load};
use spielbaum_core::param::{Args, BUDGET, Param, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Cells, Forfeit, Limits, Player, Registered, Report, Task};
use spielbaum_search::expectimax::{Expectimax, ExpectimaxConfig, Plies};

/// Greedy play and expectimax with a net.
pub static NTUPLE: Schema = Schema {
    name: "ntuple",
    aliases: &[],
    help: "an n-tuple network that learned from its own play: greedy, or in expectimax with table; \
           depth 1 is greedy, each further one adds a tile and a move",
    params: &[
        &[
            Param::text("net", "small", "the net: `small`, or a file that `train` wrote"),
            Param::real(
                "cutoff",
                "0",
                0.0,
                1.0,
                "evaluate what is reached with a smaller probability; 0 for nothing",
            ),
            Param::int(
                "lower",
                "0",
                0,
                15,
                "see boards with a tile of this power of two or more as if the tiles above a missing \
                 size were half as large; 0 for never",
            ),
            Param::int(
                "known",
                "15",
                1,
                15,
                "believe the net up to tiles of this power of two: weights of larger ones, and those that were \
                 never met, are those of like smaller ones; 15 believes all",
            ),
            Param::int("memory", "64", 1, 1 << 20, "MiB of the table"),
        ],
        BUDGET,
    ],
    presets: &[],
};

/// The player that a specification of [`NTUPLE`] describes; `models` are the nets with names.
pub fn player<G: Cells + Registered>(
    args: &Args,
    models: &[Model],
) -> Result<Box<dyn Player<G>>, SpecError> {
    let name = args.text("net");
    let loaded = load::<G>(name, models, args.int("known") as u32).map_err(|e| {
        let names: Vec<&str> = models.iter().map(|model| model.name).collect();
        args.error("net", e).help(format!("a file that `train` wrote, or {}", names.join(", ")))
    })?;
    let game = loaded.header.game.split(':').next().unwrap_or_default();
    if game != G::SCHEMA.name {
        let own = G::SCHEMA.name;
        return Err(args.error("net", format!("{name} learned {game} and cannot play {own}")));
    }
    let config = ExpectimaxConfig {
        plies: Plies::Moves,
        memory: (args.int("memory") as usize) << 20,
        cutoff: args.real("cutoff") as f32,
        default_depth: Some(1),
        step: 2,
        ..ExpectimaxConfig::default()
    };
    let [rows, columns] = loaded.header.board;
    let search = Expectimax::new(&config, Box::new(NetEval(loaded)));
    let lower = args.int("lower") as u32;
    Ok(Box::new(Ntuple { search, net: name.to_string(), board: (rows, columns), lower }))
}

/// Expectimax with a net, on the board that the net knows.
struct Ntuple<G: Cells> {
    search: Expectimax<G>,
    /// What users call the net.
    net: String,
    board: (usize, usize),
    /// The largest content from which on boards are lowered; 0 for none.
    lower: u32,
}

impl<G: Cells> Player<G> for Ntuple<G> {
    fn think(&mut self, pos: &G, task: &mut Task<'_, G::Move>) -> Result<Report<G::Move>, Forfeit> {
        self.fits(pos).map_err(Forfeit::Crashed)?;
        match pos.lowered(self.lower) {
            Some(lowered) => self.search.think(&lowered, task),
            None => self.search.think(pos, task),
        }
    }

    fn fits(&mut self, start: &G) -> Result<(), String> {
        if start.board_size() == self.board {
            return Ok(());
        }
        let (net, (rows, columns), (own_rows, own_columns)) =
            (&self.net, self.board, start.board_size());
        Err(format!(
            "the net `{net}` learned on a board of {rows} x {columns}, and this one is {own_rows} x \
             {own_columns}; give a file of one that learned on it, net=FILE: `train` makes one"
        ))
    }

    fn restart(&mut self, seed: u64) {
        self.search.restart(seed);
    }

    /// Without limits it is greedy.
    fn is_bounded_by(&self, limits: &Limits) -> bool {
        self.search.is_bounded_by(limits)
    }

    fn bytes(&self) -> usize {
        self.search.bytes()
    }
}
