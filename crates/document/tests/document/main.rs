//! The writers: golden files of a sample document, and properties of escaping.

#![allow(clippy::unwrap_used)]

mod escaping;
mod golden;
mod sample;
