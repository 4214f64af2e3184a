//! Specifications: values, messages, round trips, and texts nobody should type.

mod errors;
mod fuzz;
mod generate;
mod open;
mod round_trip;
mod tables;
mod values;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run: a red test stays red until it is mended.
fn config() -> Config {
    Config {
        cases: 2000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    }
}
