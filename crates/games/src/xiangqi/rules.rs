//! The rule sets.

use spielbaum_core::{ParseError, text::nearest};

/// How a game ended, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// A general was captured; won by this seat.
    Capture(u8),
    /// The player to move is in check and has no move; won by this seat, the other one.
    Checkmate(u8),
    /// The player to move has no move, which loses, too; won by this seat, the other one.
    Stalemate(u8),
    /// The other player gave check all the way round a repetition; won by this seat.
    PerpetualCheck(u8),
    /// The other player chased a piece all the way round a repetition; won by this seat.
    PerpetualChase(u8),
    /// A position occurred too often, and neither side is to blame alone: a draw.
    Repetition,
    /// No piece was captured for too long: a draw.
    NoCapture,
    /// The game has reached its greatest length: a draw.
    Length,
}

impl End {
    /// The seat that won, or `None` for a draw.
    pub fn winner(self) -> Option<usize> {
        match self {
            End::Capture(seat)
            | End::Checkmate(seat)
            | End::Stalemate(seat)
            | End::PerpetualCheck(seat)
            | End::PerpetualChase(seat) => Some(seat as usize),
            End::Repetition | End::NoCapture | End::Length => None,
        }
    }
}

/// A rule set: one of the presets, or a variation of it.
///
/// ```
/// use spielbaum_games::xiangqi::Rules;
/// assert_eq!(Rules::named("official").unwrap(), Rules::OFFICIAL);
/// assert_eq!(Rules { plies: 120, ..Rules::PAPER }.name(), "paper");
/// assert!(Rules::named("papier").unwrap_err().to_string().contains("did you mean `paper`"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Whether a player may not leave the general in danger. If not, the general is a piece that is
    /// captured, and generals that see each other on a file may capture each other.
    pub legal: bool,
    /// The so-manieth occurrence of a position ends the game; 0: repetition does not matter.
    pub repetition: u8,
    /// The game is a draw after so many plies without a capture; 0: no limit.
    pub quiet: u16,
    /// The game is a draw after so many plies; 0: no limit.
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
pub(super) const RULE_SETS: &[(&str, &str)] = &[name_and_help(0), name_and_help(1)];

impl Rules {
    /// The game as it is played: a general is never left in danger; on the third occurrence of a
    /// position a lone perpetual check or chase loses, otherwise it is a draw; so are 120 plies
    /// without a capture.
    pub const OFFICIAL: Rules = Rules { legal: true, repetition: 3, quiet: 120, plies: 0 };

    /// The xiangqi paper: the general is captured, no rule about repetition; its experiments draw
    /// games at 120 to 200 plies.
    pub const PAPER: Rules = Rules { legal: false, repetition: 0, quiet: 0, plies: 200 };

    /// All presets, the default first.
    pub const PRESETS: [Preset; 2] = [
        Preset {
            name: "official",
            help: "legal moves only; perpetual check and chase lose on the third occurrence",
            rules: Rules::OFFICIAL,
        },
        Preset {
            name: "paper",
            help: "the general is captured; no repetition rule, a draw after 200 plies",
            rules: Rules::PAPER,
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

    /// The name of the preset with the same moves; the limits may differ.
    pub fn name(&self) -> &'static str {
        if self.legal { "official" } else { "paper" }
    }

    /// The same rules without repetition and limits of length: what a position is worth then
    /// depends on nothing but the board and the side to move.
    pub const fn without_history(self) -> Rules {
        Rules { repetition: 0, quiet: 0, plies: 0, ..self }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::OFFICIAL
    }
}
