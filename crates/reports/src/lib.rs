//! The last answers of `locate`, `repair` and `review` on a project, kept below `.whydunit` for who asks later: an editor shows them while
//! people work on. And answers of `test` that several machines gave, put together ([`merge`]).
//!
//! Invariants
//! - What is kept is the command's own JSON (`docs/schema`) and its page, so that what is read again are the words of the command.
//! - A file changes whole or not at all. What cannot be written is left out, and what cannot be read counts as not kept: nobody
//!   depends on it.
//!
//! Boundary: nothing is asked here; what a finding means is its command's.

mod error;
mod location;
mod read;
mod shards;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whydunit_desk::{Desk, Error, Output};
use whydunit_findings::{Body, Report};
use whydunit_render::{Options, html, json};

pub use error::ShardError;
pub use read::{KeptLocate, KeptPatch, KeptReplacement, KeptReview, locate, patches, review};
pub use shards::{Merged, merge};

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// An answer of `locate`.
    Locate,
    /// An answer of `repair`.
    Repair,
    /// An answer of `review`.
    Review,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Locate => "locate",
            Kind::Repair => "repair",
            Kind::Review => "review",
        }
    }

    fn of(report: &Report) -> Option<Self> {
        match &report.body {
            Body::Locate(_) => Some(Kind::Locate),
            Body::Repair(_) => Some(Kind::Repair),
            Body::Review(_) => Some(Kind::Review),
            _ => None,
        }
    }

    /// Where the JSON lies in a project's store.
    pub fn file(self, store: &Path) -> PathBuf {
        folder(store).join(format!("{}.json", self.name()))
    }

    /// Where the page lies in a project's store.
    pub fn page(self, store: &Path) -> PathBuf {
        folder(store).join(format!("{}.html", self.name()))
    }

    /// When the answer was kept; `None` where none is.
    pub fn kept(self, store: &Path) -> Option<SystemTime> {
        self.file(store).metadata().and_then(|data| data.modified()).ok()
    }
}

fn folder(store: &Path) -> PathBuf {
    store.join("reports")
}

/// Keeps a report where it is of a command whose answers are kept, and was not interrupted.
pub fn keep(desk: &Desk, report: &Report) -> Result<(), Error> {
    let Some(kind) = Kind::of(report).filter(|_| !report.interrupted) else { return Ok(()) };
    let store = desk.store()?;
    std::fs::create_dir_all(folder(store.root())).map_err(Error::io(folder(store.root())))?;
    let sources = desk.sources();
    let options = Options { sources: &sources, ..Options::default() };
    Output::open(&kind.page(store.root()))?.write(html(report, &options).as_bytes())?;
    // Last: who sees it finds the page, too.
    Output::open(&kind.file(store.root()))?.write(json(report).as_bytes())
}
