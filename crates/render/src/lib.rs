//! Renderers of findings: text and JSON.
//!
//! One function per format from a [`Report`](whydunit_findings::Report) to a string. The JSON is a contract: its keys,
//! their order and their types are those of the schemas in `docs/schema/`.
//!
//! Invariants
//! - A report renders to the same bytes every time; nothing is read but what the caller's [`Sources`] gives.
//! - Text has colour only when the caller asks for it, and never control characters of the program under test.

mod json;
mod sources;
mod text;

pub use json::{SCHEMA, json};
pub use sources::{NoSources, Sources};
pub use text::{TextOptions, text};
