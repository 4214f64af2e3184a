//! The subcommands, a file each.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod list;
pub(crate) mod match_;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod picture;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod replicate;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod status;
pub(crate) mod train;
pub(crate) mod traps;
pub(crate) mod tune;
pub(crate) mod work;
