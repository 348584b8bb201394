//! The readable form of automata, which a person can write, too.
//!
//! One statement a line; `#` starts a comment. States have any names, and are told of before they are used; `start` and `ex` are there.
//!
//! ```text
//! typestate Port
//! method Port, open, quit, send
//! state closed  is_open() = false
//! state open    is_open() = true, sent = "= 0" | "> 0"
//! start -> closed  Port
//! closed -> open   open
//! open -> closed   quit
//! open -> open     send [seen 4; tried 2; with "(1)"; with "(2)"]
//! closed -> ex     quit [exception std::logic_error; left in closed; tried 1], send
//! ```
//!
//! `method` tells of what may be called; where a text has none, it is whatever has transitions. In brackets stands what a transition is known by:
//! executions that were seen in recorded runs and that were tried, arguments, `misuse` where the end tells of wrong use; of an
//! exceptional end the reason and the state that the object is left in. A transition without executions is a person's word.
//! A word with a blank, one of `, ; = | [ ] " #` or `->` in it stands in quotes, where `\"`, `\\` and `\n` are what they are in C.

mod parse;
mod print;
mod words;

pub use parse::parse;
pub use words::Mistake;
