//! The laboratory from outside, with a game of its own.

#![allow(clippy::unwrap_used)] // helpers may fail as tests do

mod claims;
mod common;
mod compared;
mod damage;
mod digests;
mod digests_edited;
mod experiment;
mod experiment_exams;
mod experiment_mistakes;
mod experiment_sweeps;
mod matches;
mod networks;
mod notes;
mod pooled;
mod replication;
mod report;
mod runs;
mod scales;
mod session;
mod stats;
mod stats_comparisons;
mod stats_published;
mod stats_rating;
mod stats_samples;
mod studies;
mod summary;
mod tune;
