//! Playouts that learn: against the paper's listings, in the tree, and as players.
#![allow(clippy::unwrap_used)]

mod literal;
mod nrpa;
mod play;
mod seam;
mod softmax;

use spielbaum_core::{Game, Limits, Meter, Reward, Stop};
use spielbaum_search::adaptive::{AdaptiveConfig, Draws, Learning, Subtract};
use spielbaum_search::trace::Coding;

fn legal<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

fn endless() -> Meter {
    Meter::new(Limits::default(), Stop::new())
}

fn config(learning: Learning, coding: Coding) -> AdaptiveConfig {
    let (draws, warm, reward, cutoff) = (Draws::Literal, false, Reward::Win, None);
    AdaptiveConfig { learning, coding, draws, warm, reward, cutoff }
}

/// One of each, features and extras included.
fn all() -> Vec<AdaptiveConfig> {
    let ppap = |alpha, p, subtract| Learning::Ppap { alpha, p, subtract };
    let mut all = Vec::new();
    for coding in [Coding::Code, Coding::Pattern] {
        for learning in [
            Learning::Ppa { alpha: 1.0 },
            ppap(0.04, 1.0, Subtract::Both),
            ppap(0.32, 2.0, Subtract::Both),
            ppap(1.0, 0.5, Subtract::WinnerOnly),
            Learning::Mast { k: 16.0, untried: 0.0 },
            Learning::Mast { k: 4.0, untried: 0.75 },
        ] {
            let plain = config(learning, coding);
            all.push(plain);
            all.push(AdaptiveConfig { draws: Draws::Skip, cutoff: Some(9), ..plain });
        }
    }
    all
}
