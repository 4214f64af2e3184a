//! The heuristic that needs no learning: four properties of each line, by table.

use super::G2048;
use super::lines::{self, LineTable, Lines};
use super::outcomes;
use spielbaum_core::param::{Args, Param, Preset, Schema};
use spielbaum_core::{AfterChance, Eval, Parameters, math};

/// How much the properties of a line count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// A lost position counts as minus this.
    pub lost: f32,
    /// An empty cell.
    pub empty: f32,
    /// A tile with an equal neighbour, empty cells between them aside.
    pub merge: f32,
    /// What spoils the order of a line, in its better direction: differences of this power.
    pub order: f32,
    /// The power of the order.
    pub order_power: f32,
    /// Against many tiles: the sum of this power of the ranks.
    pub sum: f32,
    /// The power of the sum.
    pub sum_power: f32,
}

/// The weights as parameters: `eval=heuristic(empty=300)`.
pub static HEURISTIC: Schema = Schema {
    name: "heuristic",
    aliases: &[],
    help: "empty cells, tiles that can merge, order and number of tiles in every line",
    params: &[&[
        Param::real("lost", "1600000", 0.0, 1e9, "a lost position counts as minus this"),
        Param::real("empty", "270", -1e6, 1e6, "an empty cell"),
        Param::real("merge", "700", -1e6, 1e6, "a tile with an equal neighbour"),
        Param::real("order", "47", -1e6, 1e6, "against what spoils the order of a line"),
        Param::real("order-power", "4", 0.0, 8.0, "power of the ranks in the order"),
        Param::real("sum", "11", -1e6, 1e6, "against many tiles and large ones"),
        Param::real("sum-power", "3.5", 0.0, 8.0, "power of the ranks in the sum"),
    ]],
    presets: &[Preset {
        name: "heuristic-shallow",
        help: "the same with weights tuned for depth=3, one tile and one slide ahead (docs/2048.md)",
        sets: &[
            ("lost", "2051700"),
            ("empty", "803.4"),
            ("merge", "413.35"),
            ("order", "154.13"),
            ("order-power", "2.1059"),
            ("sum", "41.035"),
            ("sum-power", "2.3707"),
        ],
    }],
};

impl From<&Args> for Weights {
    fn from(args: &Args) -> Self {
        let real = |name: &str| args.real(name) as f32;
        Weights {
            lost: real("lost"),
            empty: real("empty"),
            merge: real("merge"),
            order: real("order"),
            order_power: real("order-power"),
            sum: real("sum"),
            sum_power: real("sum-power"),
        }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            lost: 1_600_000.0,
            empty: 270.0,
            merge: 700.0,
            order: 47.0,
            order_power: 4.0,
            sum: 11.0,
            sum_power: 3.5,
        }
    }
}

/// The sum over all rows and columns of what [`Weights`] says; after nneonneo's 2048-ai.
///
/// ```
/// use spielbaum_core::{Eval, Game};
/// use spielbaum_games::g2048::{G2048, Heuristic};
/// let game = G2048::new(4, 4).unwrap();
/// let value = |text: &str| Heuristic::default().expected(&game.parse(text).unwrap(), 0);
/// let order = value("64,32,16,8/.,.,2,4/.,.,.,./.,.,.,.");
/// let chaos = value("8,64,16,32/.,.,2,4/.,.,.,./.,.,.,.");
/// assert!(order > chaos);
/// ```
#[derive(Clone, Debug)]
pub struct Heuristic {
    lost: f32,
    lines: LineTable<f32>,
}

impl Default for Heuristic {
    fn default() -> Self {
        Heuristic::new(&Weights::default())
    }
}

impl Heuristic {
    /// The heuristic with these weights.
    pub fn new(weights: &Weights) -> Self {
        let powers = |power: f32| -> [f64; 16] {
            std::array::from_fn(|rank| math::pow(rank as f64, power.into()))
        };
        let (order, sum) = (powers(weights.order_power), powers(weights.sum_power));
        let lines = LineTable::new(|ranks| {
            let sum: f64 = ranks.iter().map(|&r| sum[r as usize]).sum();
            let empty = ranks.iter().filter(|&&r| r == 0).count();
            let (mut falls, mut rises) = (0.0, 0.0);
            for pair in ranks.windows(2) {
                let fall = order[pair[0] as usize] - order[pair[1] as usize];
                falls += fall.max(0.0);
                rises += (-fall).max(0.0);
            }
            (f64::from(weights.empty) * empty as f64
                + f64::from(weights.merge) * f64::from(mergeable(ranks))
                - f64::from(weights.order) * f64::min(falls, rises)
                - f64::from(weights.sum) * sum) as f32
        });
        Heuristic { lost: -weights.lost, lines }
    }
}

/// Tiles that belong to runs of two or more equal ones, empty cells between them aside.
fn mergeable(ranks: &[u32]) -> u32 {
    let (mut count, mut run, mut last) = (0, 0, 0);
    for &rank in ranks.iter().filter(|&&r| r > 0) {
        run = if rank == last { run + 1 } else { 1 };
        last = rank;
        // The second of a run brings the first along.
        count += match run {
            1 => 0,
            2 => 2,
            _ => 1,
        };
    }
    count
}

impl Lines for Heuristic {
    type Line = f32;

    #[inline]
    fn table(&self, length: u8) -> &[f32; 1 << 16] {
        self.lines.of(length)
    }

    #[inline]
    fn join(a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline]
    fn value(&self, _pos: &G2048, rows: f32, columns: f32, _board: u64) -> f32 {
        rows + columns
    }

    fn lost(&self) -> f32 {
        self.lost
    }
}

impl Eval<G2048> for Heuristic {
    fn eval(&self, pos: &G2048) -> i32 {
        lines::in_hundredths(self.expected(pos, 0) / 1000.0)
    }

    fn expected(&self, pos: &G2048, _seat: usize) -> f32 {
        lines::expected(self, pos)
    }

    fn expected_next(&self, pos: &G2048, _seat: usize) -> Option<(f32, u32)> {
        lines::expected_next(self, pos)
    }

    fn expected_after_chance(&self, pos: &G2048, _seat: usize) -> Option<AfterChance> {
        outcomes::expected_after_chance(self, pos)
    }

    fn key(&self, pos: &G2048) -> u64 {
        lines::key(pos)
    }

    fn keys_next(&self, pos: &G2048, out: &mut Vec<u64>) {
        lines::keys_next(pos, out);
    }

    fn depth_hint(&self, pos: &G2048) -> Option<u32> {
        Some(lines::depth_hint(pos))
    }

    fn parameters(&self) -> Option<Parameters<G2048>> {
        Some(Parameters {
            schema: &HEURISTIC,
            make: |args| Ok(Box::new(Heuristic::new(&Weights::from(args)))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::resolve;

    #[test]
    fn the_table_has_the_weights_and_each_arrives() {
        let read = |text: &str| Weights::from(&resolve(text, "evaluation", &[&HEURISTIC]).unwrap());
        assert_eq!(read("heuristic"), Weights::default());
        let text = "heuristic:lost=1,empty=2,merge=3,order=4,order-power=5,sum=6,sum-power=7";
        let weights = read(text);
        assert_eq!((weights.lost, weights.empty, weights.merge), (1.0, 2.0, 3.0));
        assert_eq!((weights.order, weights.order_power), (4.0, 5.0));
        assert_eq!((weights.sum, weights.sum_power), (6.0, 7.0));
    }

    #[test]
    fn runs_are_counted() {
        for (ranks, count) in [
            (&[1, 1, 2, 2][..], 4),
            (&[1, 0, 0, 1], 2),
            (&[1, 2, 1, 2], 0),
            (&[3, 3, 0, 3], 3),
            (&[0, 0], 0),
            (&[5, 5, 5, 5], 4),
        ] {
            assert_eq!(mergeable(ranks), count, "{ranks:?}");
        }
    }
}
