//! The program as its users meet it, run as a real process.

mod answers;
mod demo;
mod play;
mod records;
mod support;
