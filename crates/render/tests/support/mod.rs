//! What the tests of all renderers share.

pub mod fixtures;
pub mod schema;
