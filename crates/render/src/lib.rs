//! Renderers of findings: a file for each format.
//!
//! One function per format from a [`Report`](whydunit_findings::Report) to a string. The JSON is a contract: its keys,
//! their order and their types are those of the schemas in `docs/schema/`.
//!
//! Invariants
//! - A report renders to the same bytes every time; nothing is read but what the caller's [`Sources`] gives.
//! - Text has colour only when the caller asks for it. No format hands on control characters of the program under test,
//!   and each escapes what has a meaning in it: names and sources are hostile.

mod automaton;
mod dot;
mod github;
mod graphml;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod mermaid;
mod options;
mod plain;
mod plot;
mod ranking;
mod runs;
mod sarif;
mod svg;

mod text;

pub use dot::dot;
pub use github::github;
pub use graphml::graphml;
pub use html::html;
pub use json::{SCHEMA, catalogue, json};
pub use jsonl::jsonl;
pub use junit::junit;
pub use markdown::markdown;
pub use mermaid::mermaid;
pub use options::Options;
pub use ranking::told;
pub use sarif::sarif;
pub use svg::svg;
pub use text::text;
pub use whydunit_findings::{NoSources, Sources};
