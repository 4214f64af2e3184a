//! How a network is trained: one table of parameters, and the gomoku paper as a preset.

use crate::network::{Asking, Turning};
use crate::search::{Noise, SearchConfig};
use spielbaum_core::param::{Args, Kind, Param, Preset, Schema};
use spielbaum_core::spec::SpecError;
use spielbaum_net::Architecture;

/// The configurations of a training.
pub static TRAINING: Schema = Schema {
    name: "ours",
    aliases: &["default"],
    help: "many games at once, playout-cap randomisation, proven values as targets",
    params: &[SELF_PLAY, LEARNING, LADDER],
    presets: &[Preset {
        name: "paper",
        help: "the procedure of the gomoku paper",
        sets: &[
            ("net", "paper"),
            ("games", "1"),
            ("total", "1000"),
            ("full", "1"),
            ("c", "5"),
            ("urgency", "0"),
            ("centred", "false"),
            ("priors", "raw"),
            ("solver", "false"),
            ("reuse", "false"),
            ("symmetry", "none"),
            ("noise-at", "move"),
            ("alpha", "0.03"),
            ("warm", "10000"),
            ("random", "0"),
            ("buffer", "1250"),
            ("batch", "512"),
            ("repeats", "5"),
            ("passes", "0"),
            ("wins", "2"),
            ("rate", "0.002"),
            ("kl", "0.008"),
            ("cool", "1"),
            ("search-value", "0"),
            ("every", "50"),
            ("duels", "10"),
            ("perfect", "1"),
            ("starter", "random"),
        ],
    }],
};

const SIMULATIONS: Kind = Kind::Int { min: 1, max: 1 << 24 };

const SELF_PLAY: &[Param] = &[
    Param::text(
        "net",
        "\"res:blocks=3,channels=32\"",
        "the network: paper, or res:blocks=B,channels=C",
    ),
    Param::int("games", "128", 1, 1 << 20, "games of self-play in an iteration"),
    Param::int("total", "20000", 1, 1 << 32, "games of self-play in all"),
    Param::unset("simulations", SIMULATIONS, "of a full search; unset: by the size of the board"),
    Param::real(
        "full",
        "0.3",
        0.0,
        1.0,
        "part of the searches that are full; only they teach moves",
    ),
    Param::int("fast", "32", 1, 1 << 24, "simulations of the other searches"),
    Param::real("c", "2", 0.0, 1e6, "exploration constant of PUCT"),
    Param::real("urgency", "0.2", -2.0, 2.0, "unvisited moves are worth so much less"),
    Param::flag("centred", "true", "than their position; otherwise than a draw"),
    Param::choice(
        "priors",
        "legal",
        &[("raw", "as the network has them"), ("legal", "scaled to the sum 1")],
        "probabilities of the legal moves",
    ),
    Param::flag("solver", "true", "prove results in the tree"),
    Param::flag("reuse", "true", "keep the tree between moves"),
    Param::choice(
        "symmetry",
        "random",
        &[("none", "as they are"), ("random", "in a random turn"), ("all", "in all turns")],
        "how positions are shown to the network",
    ),
    Param::real("noise", "0.25", 0.0, 1.0, "part of Dirichlet noise in full searches"),
    Param::real("alpha", "0.3", 1e-4, 1e3, "concentration of the noise"),
    Param::choice(
        "noise-at",
        "root",
        &[("move", "the distribution of the move"), ("root", "the priors")],
        "what the noise is mixed with",
    ),
    Param::int("warm", "8", 0, 1 << 20, "moves with temperature 1; later ones have 0.25"),
    Param::real("random", "0.5", 0.0, 1.0, "part of the games that begin with random moves"),
    Param::int("random-moves", "3", 1, 1 << 10, "one to so many"),
];

const LEARNING: &[Param] = &[
    Param::int("buffer", "60000", 1, 1 << 32, "positions to learn from"),
    Param::int("batch", "256", 1, 1 << 16, "positions of a step"),
    Param::int("repeats", "1", 1, 1000, "steps on the same batch"),
    Param::real(
        "passes",
        "6",
        0.0,
        1000.0,
        "how often a position is shown on average; 0: one batch in an iteration",
    ),
    Param::int("wins", "0", 0, 1000, "wins of each side that must be seen first"),
    Param::real("rate", "0.002", 1e-9, 10.0, "learning rate at the start"),
    Param::real("decay", "0.0001", 0.0, 1.0, "weight decay"),
    Param::real("kl", "0", 0.0, 10.0, "divergence that the learning rate aims at; 0: it does not"),
    Param::real(
        "cool",
        "0.5",
        0.0,
        1.0,
        "part of the training after which the rate falls, to a tenth",
    ),
    Param::real("search-value", "0.3", 0.0, 1.0, "part of the search's value in the target"),
];

const LADDER: &[Param] = &[
    Param::int("every", "1024", 1, 1 << 32, "games between two trials against UCT"),
    Param::int("duels", "20", 1, 10_000, "games of a trial"),
    Param::real("perfect", "0.9", 0.5, 1.0, "score rate that climbs; who has as little steps down"),
    Param::unset("step", SIMULATIONS, "simulations between two levels of UCT; unset: by the board"),
    Param::unset("top", SIMULATIONS, "simulations of the highest level; unset: by the board"),
    Param::unset("play", SIMULATIONS, "simulations of the network's player; unset: by the board"),
    Param::choice(
        "starter",
        "turns",
        &[("turns", "both sides begin equally often"), ("random", "drawn for each game")],
        "who begins",
    ),
];

/// The first iteration has so small a part of an iteration's games; from then on all games double.
const FIRST: u64 = 16;

/// What a training does, complete.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainConfig {
    /// All values as text, for the record.
    pub text: String,
    /// Short, for people.
    pub name: String,
    /// Layers of the network.
    pub architecture: Architecture,
    /// Games of an iteration.
    pub games: u64,
    /// Games in all.
    pub total: u64,
    /// Simulations of a full search.
    pub simulations: u64,
    /// Part of the searches that are full.
    pub full: f64,
    /// Simulations of the others.
    pub fast: u64,
    /// The search, without noise.
    pub search: SearchConfig,
    /// Whether the tree is kept.
    pub reuse: bool,
    /// How the network is asked.
    pub asking: Asking,
    /// Noise on the priors in full searches.
    pub root_noise: Option<Noise>,
    /// Noise on the distribution of the move.
    pub move_noise: Option<Noise>,
    /// Moves with temperature 1.
    pub warm: u64,
    /// Part of the games that begin with random moves, and how many at most.
    pub random: (f64, usize),
    /// Positions to learn from.
    pub buffer: usize,
    /// Positions of a step.
    pub batch: usize,
    /// Steps on the same batch.
    pub repeats: usize,
    /// How often a position is shown; 0: one batch in an iteration.
    pub passes: f64,
    /// Wins of each side before the first step.
    pub wins: u64,
    /// Learning rate at the start.
    pub rate: f64,
    /// Weight decay.
    pub decay: f64,
    /// Divergence that the learning rate aims at.
    pub kl: Option<f64>,
    /// Part of the training after which the learning rate falls.
    pub cool: f64,
    /// Part of the search's value in the target.
    pub search_value: f64,
    /// Games between two trials.
    pub every: u64,
    /// Games of a trial.
    pub duels: u64,
    /// Score rate from which on the opponent gets stronger.
    pub perfect: f64,
    /// Simulations between two levels.
    pub step: u64,
    /// Simulations of the highest level.
    pub top: u64,
    /// Simulations of the network's player.
    pub play: u64,
    /// Whether the starter of a duel is drawn.
    pub random_starter: bool,
}

/// Levels of UCT and simulations of the network's player by the cells of the board: small,
/// medium and large of the gomoku paper.
fn by_size(cells: usize) -> (u64, u64, u64) {
    match cells {
        0..=49 => (1000, 5000, 400),
        50..=80 => (1500, 6000, 500),
        _ => (2000, 6000, 600),
    }
}

impl TrainConfig {
    /// The configuration of a specification for a board.
    pub fn new(args: &Args, cells: usize) -> Result<Self, SpecError> {
        let architecture: Architecture =
            args.text("net").parse().map_err(|e| args.error("net", e))?;
        let (step, top, play) = by_size(cells);
        let count = |name| args.int(name) as u64;
        let or = |name, otherwise| args.opt_int(name).map_or(otherwise, |n| n as u64);
        let noise = Noise { part: args.real("noise"), alpha: args.real("alpha") };
        let noise = (noise.part > 0.0).then_some(noise);
        let at_root = args.choice("noise-at") == "root";
        let is_paper = args.real("full") >= 1.0;
        Ok(TrainConfig {
            text: args.full(),
            name: args.canonical(),
            architecture,
            games: count("games"),
            total: count("total"),
            simulations: or("simulations", if is_paper { play } else { play / 2 }),
            full: args.real("full"),
            fast: count("fast"),
            search: SearchConfig {
                c: args.real("c"),
                urgency: args.flag("centred").then(|| args.real("urgency")),
                solver: args.flag("solver"),
                memory: 1 << 28,
                ..SearchConfig::default()
            },
            reuse: args.flag("reuse"),
            asking: Asking {
                turning: match args.choice("symmetry") {
                    "random" => Turning::Random,
                    "all" => Turning::All,
                    _ => Turning::None,
                },
                raw: args.choice("priors") == "raw",
            },
            root_noise: noise.filter(|_| at_root),
            move_noise: noise.filter(|_| !at_root),
            warm: count("warm"),
            random: (args.real("random"), count("random-moves") as usize),
            buffer: count("buffer") as usize,
            batch: count("batch") as usize,
            repeats: count("repeats") as usize,
            passes: args.real("passes"),
            wins: count("wins"),
            rate: args.real("rate"),
            decay: args.real("decay"),
            kl: Some(args.real("kl")).filter(|&kl| kl > 0.0),
            cool: args.real("cool"),
            search_value: args.real("search-value"),
            every: count("every"),
            duels: count("duels"),
            perfect: args.real("perfect"),
            step: or("step", step),
            top: or("top", top),
            play: or("play", play),
            random_starter: args.choice("starter") == "random",
        })
    }

    /// Games of the next iteration when so many are played. The first ones are shorter: what a fresh
    /// network plays teaches little, and learning begins sooner.
    pub fn games_after(&self, played: u64) -> u64 {
        let next = self.games.min(played.max(self.games / FIRST)).max(1);
        next.min(self.total.saturating_sub(played))
    }

    /// The learning rate after a part of the training, without the divergence: as at the start,
    /// then in a straight line down to a tenth.
    pub fn rate_at(&self, done: f64) -> f64 {
        if done <= self.cool || self.cool >= 1.0 {
            return self.rate;
        }
        let cooled = ((done - self.cool) / (1.0 - self.cool)).min(1.0);
        self.rate * (1.0 - 0.9 * cooled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::{check_all, resolve};

    fn config(text: &str) -> TrainConfig {
        let args = resolve(text, "training", &[&TRAINING]).unwrap();
        TrainConfig::new(&args, 36).unwrap()
    }

    #[test]
    fn the_table_is_sound() {
        static ALL: &[&Schema] = &[&TRAINING];
        assert_eq!(check_all(ALL), Vec::<String>::new());
    }

    #[test]
    fn the_paper_is_a_preset() {
        let paper = config("paper");
        assert_eq!((paper.games, paper.simulations, paper.play), (1, 400, 400));
        assert_eq!((paper.step, paper.top, paper.every, paper.duels), (1000, 5000, 50, 10));
        assert_eq!((paper.batch, paper.repeats, paper.kl), (512, 5, Some(0.008)));
        assert_eq!(paper.search.urgency, None);
        assert_eq!(paper.root_noise, None);
        assert_eq!(paper.move_noise, Some(Noise { part: 0.25, alpha: 0.03 }));
        assert_eq!(paper.rate_at(0.999), 0.002);
    }

    #[test]
    fn the_learning_rate_falls_to_a_tenth() {
        let ours = config("ours:rate=0.01,cool=0.5,total=1000");
        assert_eq!(ours.rate_at(0.5), 0.01);
        assert!((ours.rate_at(0.75) - 0.0055).abs() < 1e-12);
        assert!((ours.rate_at(2.0) - 0.001).abs() < 1e-12);
    }

    #[test]
    fn the_first_iterations_are_shorter() {
        let sizes = |text: &str| {
            let (config, mut played) = (config(text), 0);
            std::iter::from_fn(|| {
                let next = config.games_after(played);
                played += next;
                (next > 0).then_some(next)
            })
            .collect::<Vec<u64>>()
        };
        assert_eq!(sizes("ours:games=64,total=200"), [4, 4, 8, 16, 32, 64, 64, 8]);
        assert_eq!(sizes("paper:total=3"), [1, 1, 1]);
    }

    #[test]
    fn a_wrong_network_is_explained() {
        let args = resolve("ours:net=big", "training", &[&TRAINING]).unwrap();
        let error = TrainConfig::new(&args, 36).unwrap_err();
        assert!(error.to_string().contains("res"), "{error}");
    }
}
