//! What tests share.

pub mod adapter;
pub mod dataflow;
pub mod editor;
pub mod functions;
pub mod git;
pub mod made;
pub mod models;
pub mod modules;
pub mod numbers;
pub mod one_page;
pub mod project;
pub mod regression;
#[path = "../../../../render/tests/support/schema.rs"]
pub mod schema;
pub mod steps;
pub mod summed;
pub mod what_if;
pub mod wire;
