//! The numbers of a trap profile.

use super::{Probe, Risk};
use crate::stats::Ratio;
use serde::{Deserialize, Serialize};

/// A position is at risk by a trap up to this level: what Baier and Winands (2014) plot.
const AT_RISK: u32 = 3;

/// Rows of the course of the games, at most.
const ROWS: u32 = 16;

/// How many traps there are, where, and how wrong playouts are about them. Intervals hold with
/// 95 %, games being independent of each other and the positions of a game not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrapProfile {
    /// Games.
    pub games: u64,
    /// Positions in which a move was chosen.
    pub positions: u64,
    /// Legal moves in all of them.
    pub moves: u64,
    /// Positions with a trap up to level [`risk_level`](TrapProfile::risk_level).
    pub at_risk: u64,
    /// The highest level that makes a position count as at risk: 3, or less if less is looked at.
    pub risk_level: u32,
    /// Their share.
    pub density: Option<f64>,
    /// Its interval.
    pub density_ci: Option<[f64; 2]>,
    /// Playouts after each trap.
    pub rollouts: u32,
    /// The numbers of each level.
    pub levels: Vec<LevelTraps>,
    /// The numbers of all levels together.
    pub all: LevelTraps,
    /// Positions at risk over the course of the games.
    pub plies: Vec<PliesAtRisk>,
}

/// The traps of a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LevelTraps {
    /// The level; the highest for all together.
    pub level: u32,
    /// Moves into traps.
    pub traps: u64,
    /// Positions that have one.
    pub positions: u64,
    /// How often one was played although a move does not lose up to the highest level.
    pub fallen: u64,
    /// The share of playouts after a trap that its victim does not lose, mean over traps.
    pub wrong: Option<f64>,
    /// Its interval.
    pub wrong_ci: Option<[f64; 2]>,
}

/// A stretch of the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PliesAtRisk {
    /// The first ply, counted from 0.
    pub first: u32,
    /// The last ply.
    pub last: u32,
    /// Positions.
    pub positions: u64,
    /// Positions at risk.
    pub at_risk: u64,
    /// Their share.
    pub density: Option<f64>,
    /// Its interval.
    pub density_ci: Option<[f64; 2]>,
}

impl TrapProfile {
    pub(super) fn new(games: &[Vec<Risk>], probe: &Probe) -> Self {
        let risk_level = AT_RISK.min(probe.levels);
        let is_at_risk = |risk: &Risk| risk.traps.iter().any(|t| t.level <= risk_level);
        let all = || games.iter().flatten();
        let longest = all().map(|risk| risk.ply + 1).max().unwrap_or(0);
        let width = width(longest);
        let stretch = |first: u32, last: u32| {
            let mut ratio = Ratio::default();
            let (mut positions, mut at_risk) = (0, 0);
            for game in games {
                let here = game.iter().filter(|r| (first..=last).contains(&r.ply));
                let (cases, hits) = (here.clone().count(), here.filter(|r| is_at_risk(r)).count());
                ratio.add(hits as f64, cases as f64);
                positions += cases as u64;
                at_risk += hits as u64;
            }
            let (density, density_ci) = (ratio.share(), ratio.interval());
            PliesAtRisk { first, last, positions, at_risk, density, density_ci }
        };
        let whole = stretch(0, longest);
        TrapProfile {
            games: games.len() as u64,
            positions: whole.positions,
            moves: all().map(|risk| u64::from(risk.moves)).sum(),
            at_risk: whole.at_risk,
            risk_level,
            density: whole.density,
            density_ci: whole.density_ci,
            rollouts: probe.rollouts,
            levels: (1..=probe.levels)
                .step_by(2)
                .map(|level| LevelTraps::new(games, level..=level, probe.rollouts))
                .collect(),
            all: LevelTraps::new(games, 1..=probe.levels, probe.rollouts),
            plies: (0..longest)
                .step_by(width as usize)
                .map(|first| stretch(first, first + width - 1))
                .filter(|row| row.positions > 0)
                .collect(),
        }
    }
}

impl LevelTraps {
    fn new(games: &[Vec<Risk>], levels: std::ops::RangeInclusive<u32>, rollouts: u32) -> Self {
        let mut ratio = Ratio::default();
        let (mut traps, mut positions, mut fallen) = (0, 0, 0);
        for game in games {
            let (mut here, mut wrong) = (0, 0);
            for risk in game {
                let before = here;
                for trap in risk.traps.iter().filter(|t| levels.contains(&t.level)) {
                    here += 1;
                    wrong += u64::from(trap.wrong);
                }
                positions += u64::from(here > before);
                fallen += u64::from(risk.fallen.is_some_and(|level| levels.contains(&level)));
            }
            traps += here;
            ratio.add(wrong as f64, here as f64 * f64::from(rollouts));
        }
        let (wrong, wrong_ci) = (ratio.share(), ratio.interval());
        LevelTraps { level: *levels.end(), traps, positions, fallen, wrong, wrong_ci }
    }
}

/// The length of a stretch: 1, 2, 5, 10, 20, … plies.
fn width(longest: u32) -> u32 {
    let widths = (0..9).flat_map(|e| [1, 2, 5].map(|w| w * 10u32.pow(e)));
    widths.into_iter().find(|w| longest.div_ceil(*w) <= ROWS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::Misjudged;
    use super::*;

    fn risk(ply: u32, traps: &[(u32, u32)], fallen: Option<u32>) -> Risk {
        let traps = traps.iter().map(|&(level, wrong)| Misjudged { level, wrong }).collect();
        Risk { ply, moves: 5, traps, fallen }
    }

    #[test]
    fn counts_by_level_and_ply() {
        let games = [
            vec![risk(2, &[], None), risk(3, &[(1, 4), (3, 8)], Some(3))],
            vec![risk(2, &[(5, 10)], None), risk(3, &[(1, 6)], Some(1)), risk(4, &[], None)],
        ];
        let profile = TrapProfile::new(&games, &Probe { levels: 5, rollouts: 10, seed: 1 });
        assert_eq!((profile.games, profile.positions, profile.moves), (2, 5, 25));
        assert_eq!((profile.at_risk, profile.density), (2, Some(0.4)));
        let by_level: Vec<_> =
            profile.levels.iter().map(|l| (l.level, l.traps, l.positions, l.fallen)).collect();
        assert_eq!(by_level, [(1, 2, 2, 1), (3, 1, 1, 1), (5, 1, 1, 0)]);
        let wrong: Vec<_> = profile.levels.iter().map(|l| l.wrong).collect();
        assert_eq!(wrong, [Some(0.5), Some(0.8), Some(1.0)]);
        assert_eq!((profile.all.traps, profile.all.positions, profile.all.fallen), (4, 3, 2));
        assert_eq!(profile.all.wrong, Some(0.7));
        let course: Vec<_> =
            profile.plies.iter().map(|p| (p.first, p.last, p.positions, p.at_risk)).collect();
        assert_eq!(course, [(2, 2, 2, 0), (3, 3, 2, 2), (4, 4, 1, 0)]);
    }

    #[test]
    fn nothing_is_no_number() {
        let profile = TrapProfile::new(&[], &Probe { levels: 1, rollouts: 10, seed: 1 });
        assert_eq!((profile.density, profile.all.wrong, profile.risk_level), (None, None, 1));
        assert!(profile.plies.is_empty());
    }

    #[test]
    fn stretches_are_round() {
        assert_eq!([0, 16, 17, 40, 81, 200, 321].map(width), [1, 1, 2, 5, 10, 20, 50]);
    }
}
