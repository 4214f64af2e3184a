//! The laboratory: matches that can be trusted. It knows no game and no algorithm.
//!
//! A [`Match`] is checked into a [`Plan`]; [`run`] plays its units on any number of threads
//! and publishes them in order; the statistics of the completed prefix are a [`Summary`].
//! Games come through one type-erased door, [`AnyGame`].

mod answers;
pub mod budget;
pub mod cluster;
mod erased;
mod error;
mod exam;
mod experiment;
mod former;
mod network;
mod openings;
mod plan;
mod playable;
mod record;
mod replay;
pub mod replication;
mod report;
mod results;
mod runner;
mod schedule;
mod session;
pub mod stats;
mod store;
mod summary;
mod table;
mod tally;
mod times;
pub mod traps;
pub mod tune;
mod worker;

pub use answers::{
    Answer, AnswerTime, Candidate, ExamSummary, ExamTally, ExamTimes, Kept, Row, Verdict,
};
pub use erased::{Acting, AnyGame, AnyTable, Evaluation, Live, Of, ReadPlayer, Worker};
pub use error::LabError;
pub use exam::{Exam, ExamHeader, ExamRequest, Question, QuestionRecord};
pub use experiment::{
    Axis, Experiment, Format, MAX_PARTS, Mistake, Mistakes, Part, Pick, RunOptions, Section,
    Source, Work, paper,
};
pub use network::{Absent, Network, NetworkBytes, NetworkText};
pub use openings::{Opening, Openings};
pub use plan::{Detail, FORMAT, Header, MAX_PLIES, Match, Plan, SpecText};
pub use playable::{Archived, Build, FindTraps, Playable};
pub use record::{Counts, End, ForfeitRecord, GameRecord, GameTimes};
pub use replay::{Replayed, replay};
pub use report::report;
pub use results::{
    Adopted, Cell, Column, ColumnKind, Donor, Offer, Outcome, PartResult, Results, RunDir,
    RunHeader, Stamp, digest_instead, setting,
};
pub use runner::{
    Assignment, Concluded, Ending, Estimate, Finished, Labour, PartProgress, Progress, TrapSearch,
    Watcher, estimate, run,
};
pub use schedule::{Beginning, Job, Schedule, Seating, seatings};
pub use store::{Access, Recorded, Replacement, Store, TakenOver, read_header};
pub use summary::{MeanText, PlayerSummary, SprtState, StatisticSummary, Summary};
pub use tally::{PlayerTally, Statistic, Tally};
pub use times::Times;
