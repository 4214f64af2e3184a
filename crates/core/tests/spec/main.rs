//! Specifications: values, messages, round trips, and texts nobody should type.

mod errors;
mod fuzz;
mod generate;
mod round_trip;
mod tables;
mod values;
