//! Canonical IR: what the program model and the instrumented copy are both made from.

pub mod layout;
