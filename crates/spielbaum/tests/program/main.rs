//! The program as its users meet it, run as a real process.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod answers;
#[cfg(unix)]
mod cluster;
mod demo;
mod digests;
mod export;
mod mistakes;
mod networks;
mod older;
mod play;
mod records;
mod replicate;
mod report;
mod runs;
mod support;
mod train;
mod train_zero;
mod traps;
mod tune;
