//! The `whydunit` command.
fn main() {}
