//! The Carcassonne paper's players (Kummer 2019): point differences as they are, c = √2, the most
//! visited move, and all of them know the order of the tiles. Those with `-code` have the bound of
//! its program, in which the published games were played: the quotient in the logarithm.

use spielbaum_core::param::Preset;

const ROOT_2: (&str, &str) = ("c", "1.4142135623730951");
const RAW: (&str, &str) = ("scale", "raw");
const MARGIN: (&str, &str) = ("reward", "margin");
const QUOTIENT: (&str, &str) = ("select", "quotient-in-log");
const FLAT: (&str, &str) = ("depth", "1");
const AHEAD: (&str, &str) = ("expansion", "ahead");
const KEPT: (&str, &str) = ("reuse", "true");
const SEES: (&str, &str) = ("sees", "all");

pub(super) const PRESETS: [Preset; 7] = [
    Preset {
        name: "mc-carcassonne",
        help: "simple Monte Carlo of the Carcassonne paper: every move as often, the best mean",
        sets: &[("select", "even"), MARGIN, ("order", "generation"), ("final", "max"), FLAT, SEES],
    },
    Preset {
        name: "flat-ucb-carcassonne",
        help: "Flat-UCB of the Carcassonne paper, as printed",
        sets: &[ROOT_2, RAW, MARGIN, ("order", "generation"), FLAT, SEES],
    },
    Preset {
        name: "flat-ucb-carcassonne-code",
        help: "the same as its program has it",
        sets: &[QUOTIENT, ROOT_2, RAW, MARGIN, ("order", "generation"), FLAT, SEES],
    },
    Preset {
        name: "uct-carcassonne",
        help: "UCT of the Carcassonne paper, as printed, its tree kept between moves",
        sets: &[ROOT_2, RAW, MARGIN, AHEAD, KEPT, SEES],
    },
    Preset {
        name: "uct-carcassonne-code",
        help: "the same as its program has it",
        sets: &[QUOTIENT, ROOT_2, RAW, MARGIN, AHEAD, KEPT, SEES],
    },
    Preset {
        name: "uct-hidden",
        help: "UCT for points that does not know what is hidden: chance and hidden parts drawn on \
               each way down",
        sets: &[("c", "0.7"), MARGIN, ("chance", "open")],
    },
    Preset {
        name: "hop",
        help: "hindsight optimisation for points: eight samples of what is to come, averaged",
        sets: &[("c", "0.7"), MARGIN, ("hop", "8")],
    },
];
