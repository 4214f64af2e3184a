//! Chance nodes that an evaluation values as a whole are those of the search outcome by outcome.

use crate::expectimax::{random_position, think};
use crate::oracle::timeless;
use spielbaum_core::{Eval, Game, Limits, Registered, Rng};
use spielbaum_games::g2048::{EVALS, G2048};
use spielbaum_search::expectimax::{ExpectimaxConfig, TableRule};

/// An evaluation that does not tell of chance nodes as a whole, and is the same otherwise.
struct OneByOne(Box<dyn Eval<G2048>>);

impl Eval<G2048> for OneByOne {
    fn eval(&self, pos: &G2048) -> i32 {
        self.0.eval(pos)
    }
    fn expected(&self, pos: &G2048, seat: usize) -> f32 {
        self.0.expected(pos, seat)
    }
    fn expected_next(&self, pos: &G2048, seat: usize) -> Option<(f32, u32)> {
        self.0.expected_next(pos, seat)
    }
    fn key(&self, pos: &G2048) -> u64 {
        self.0.key(pos)
    }
    fn keys_next(&self, pos: &G2048, out: &mut Vec<u64>) {
        self.0.keys_next(pos, out);
    }
    fn depth_hint(&self, pos: &G2048) -> Option<u32> {
        self.0.depth_hint(pos)
    }
}

/// Chance nodes told as a whole change nothing: values, plays, where a budget ends the search, what the
/// table holds.
#[test]
fn chance_nodes_as_a_whole_are_as_one_by_one() {
    let mut rng = Rng::new(12);
    let sizes = [(4, 4, 100), (4, 4, 160), (3, 4, 40), (4, 3, 40), (4, 2, 12), (2, 3, 8)];
    for i in 0..480 {
        let (rows, columns, plies) = sizes[rng.below(sizes.len())];
        let pos = random_position(rows, columns, plies, &mut rng);
        let named = &EVALS[rng.below(3)];
        let rules = [TableRule::Exact, TableRule::Stored, TableRule::Literal];
        let config = ExpectimaxConfig {
            table: rng.below(2) == 0,
            table_rule: rules[rng.below(3)],
            deepening: rng.below(2) == 0,
            cutoff: [0.0, 0.02, 0.003][rng.below(3)],
            ..Default::default()
        };
        // Every budget up to some hundreds, then larger ones.
        let nodes = if i < 300 { 1 + i } else { 1 + rng.below(20_000) as u64 };
        let depth = if rows * columns < 8 { 20 } else { 5 + 2 * rng.below(2) as u32 };
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(depth) };
        let whole = think(&config, (named.make)(), &pos, limits);
        let single = think(&config, Box::new(OneByOne((named.make)())), &pos, limits);
        assert_eq!(timeless(&whole), timeless(&single), "{pos} {nodes} {config:?}");
    }
}

/// Where all outcomes lose, nothing is left to search.
#[test]
fn a_search_with_whole_chance_nodes_knows_when_it_has_seen_everything() {
    let game = G2048::new(2, 2).unwrap();
    for text in ["8,4/2,.", "4,4/2,8", "8,4/.,2", "16,8/2,2"] {
        let pos = game.parse(text).unwrap();
        for table in [false, true] {
            let config = ExpectimaxConfig { table, ..Default::default() };
            let find = |eval| think(&config, eval, &pos, Limits::depth(99));
            let heuristic = || (G2048::EVALS[0].make)();
            let (whole, single) = (find(heuristic()), find(Box::new(OneByOne(heuristic()))));
            assert_eq!(timeless(&whole), timeless(&single), "{text}");
            assert!(whole.depth < 99, "{text}: {}", whole.depth);
        }
    }
}
