//! Captures a program while its own build runs, and builds its flavours.
//!
//! [`build`] runs the project's own build with faces (crate `whydunit_face`) in the place of compilers and linkers. They
//! leave bitcode and recipes in the store. [`products`] lists what was linked; a product is known by the link id in its
//! note wherever it is copied. [`flavour`] makes an instrumented copy of one: each captured unit goes through canonical IR
//! to a program model and an instrumented object, and the recorded link runs again with those.
//!
//! Invariants
//! - The user's products are what the user's tools make, plus a section with ids and a note.
//! - Whatever can be made again is cached by content; an answer does not depend on what is cached.
//! - What could not be captured is reported, not an error: that code is external.

mod again;
mod build;
mod clang;
mod environment;
mod error;
mod faces;
mod flavour;
mod program;
mod report;
pub mod store;
mod templates;
mod watch;
mod whole;

pub use again::{changed_since, compile_again, lowered};
pub use build::{BuildOptions, build, made_beside_tests};
pub use clang::clang;
pub use environment::{observing, run_environment, run_path};
pub use error::Error;
pub use flavour::{
    Cold, Flavour, FlavourReport, Wanted, flavour, flavour_all, flavour_path, flavours, remake_model, version,
};
pub use program::{Product, closure, library_units, link_id_of, product_of, products, recipe, stale_sources, unit};
pub use report::{BuildReport, External, Linked};
pub use store::Store;
pub use watch::Watch;
pub use whole::whole_program_bitcode;
pub use whydunit_face as face;
pub use whydunit_face::recipe::Kind;
pub use whydunit_observe::observer;
