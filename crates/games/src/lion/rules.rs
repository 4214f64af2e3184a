//! The rule sets in circulation. They differ in the value of the game, so records name theirs.

use spielbaum_core::{ParseError, text::nearest};

/// What happens when a lion arrives on the far rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arrival {
    /// It wins at once, attacked or not.
    Wins,
    /// It wins at once unless it can be taken. If it can, every move stays legal, but any
    /// reply other than taking it ends the game as a win for its owner.
    MustBeTaken,
    /// It wins as soon as it stands there unattacked after a move of either side; two lions
    /// home and safe at once are a draw. Attacked, it just stays there.
    MustBeSafe,
}

/// How a game ended, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// A lion was taken; won by this seat.
    Capture(u8),
    /// A lion came home; won by this seat.
    Try(u8),
    /// Both lions are home and safe: a draw.
    BothHome,
    /// The player to move has none; won by this seat, the other one.
    NoMoves(u8),
    /// A position occurred too often: a draw.
    Repetition,
    /// The game has reached its greatest length: a draw.
    Length,
}

impl End {
    /// The seat that won, or `None` for a draw.
    pub fn winner(self) -> Option<usize> {
        match self {
            End::Capture(seat) | End::Try(seat) | End::NoMoves(seat) => Some(seat as usize),
            End::BothHome | End::Repetition | End::Length => None,
        }
    }
}

/// A rule set: one of the presets, or a variation of it.
///
/// ```
/// use spielbaum_games::lion::Rules;
/// assert_eq!(Rules::named("official").unwrap(), Rules::OFFICIAL);
/// assert_eq!(Rules { repetition: 4, ..Rules::OFFICIAL }.name(), "official");
/// assert!(Rules::named("offical").unwrap_err().to_string().contains("did you mean `official`"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// What happens when a lion arrives on the far rank.
    pub arrival: Arrival,
    /// Whether a chick may be dropped on the far rank, where it can never move.
    pub far_chicks: bool,
    /// The so-manieth occurrence of a position is a draw; 0: repetition does not matter.
    pub repetition: u8,
    /// The game is a draw once more plies than this were played; 0: no limit.
    pub plies: u16,
}

/// A preset by its name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name in a specification: `rules=NAME`.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// The rules.
    pub rules: Rules,
}

const fn name_and_help(i: usize) -> (&'static str, &'static str) {
    (Rules::PRESETS[i].name, Rules::PRESETS[i].help)
}

/// Name and help of the presets, as a parameter lists them.
pub(super) const RULE_SETS: &[(&str, &str)] =
    &[name_and_help(0), name_and_help(1), name_and_help(2), name_and_help(3)];

impl Rules {
    /// The published rules: a lion that arrives where it can be taken has not won yet; the
    /// third occurrence of a position is a draw. The start is lost in 78 plies and no position
    /// takes more than 173, so the limit of 256 is out of the way of play that knows how.
    pub const OFFICIAL: Rules =
        Rules { arrival: Arrival::MustBeTaken, far_chicks: true, repetition: 3, plies: 256 };

    /// The lion paper as printed: arriving wins at once, drops are free.
    pub const PAPER: Rules =
        Rules { arrival: Arrival::Wins, far_chicks: true, repetition: 0, plies: 100 };

    /// The lion paper's program, which its experiments ran: arriving wins at once, no chick is
    /// dropped on the far rank.
    pub const CODE: Rules = Rules { far_chicks: false, ..Rules::PAPER };

    /// Fairy-Stockfish's `dobutsu`; the fourth occurrence of a position is a draw.
    pub const FSF: Rules =
        Rules { arrival: Arrival::MustBeSafe, far_chicks: true, repetition: 4, plies: 256 };

    /// All presets, the default first.
    pub const PRESETS: [Preset; 4] = [
        Preset {
            name: "official",
            help: "a lion arriving under attack wins unless taken at once; third occurrence draws",
            rules: Rules::OFFICIAL,
        },
        Preset {
            name: "paper",
            help: "arriving wins at once; drops are free; no repetition rule",
            rules: Rules::PAPER,
        },
        Preset {
            name: "code",
            help: "arriving wins at once; no chick drops on the far rank; no repetition rule",
            rules: Rules::CODE,
        },
        Preset {
            name: "fsf",
            help: "a lion wins once it is home and safe; fourth occurrence draws",
            rules: Rules::FSF,
        },
    ];

    /// The preset with this name.
    pub fn named(name: &str) -> Result<Rules, ParseError> {
        if let Some(preset) = Self::PRESETS.iter().find(|p| p.name == name) {
            return Ok(preset.rules);
        }
        let names = Self::PRESETS.map(|p| p.name);
        let near = nearest(name, &names).map(|n| format!("did you mean `{n}`? "));
        Err(ParseError::new(format!("there is no rule set `{name}`")).help(format!(
            "{}rule sets: {}",
            near.unwrap_or_default(),
            names.join(", ")
        )))
    }

    /// The name of the preset that moves and wins alike; `repetition` and `plies` may differ.
    pub fn name(&self) -> &'static str {
        let alike =
            |p: &&Preset| p.rules.arrival == self.arrival && p.rules.far_chicks == self.far_chicks;
        Self::PRESETS.iter().find(alike).map_or("variant", |p| p.name)
    }

    /// The same rules without repetition and length limit: what a position is worth then
    /// depends on nothing but the board, the hands and the side to move, as perft and exact
    /// tables assume.
    pub const fn without_history(self) -> Rules {
        Rules { repetition: 0, plies: 0, ..self }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::OFFICIAL
    }
}
