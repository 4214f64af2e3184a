//! The `spielbaum` program.
fn main() {}
