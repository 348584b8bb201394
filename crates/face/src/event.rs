//! What happened during a build, one JSON object a line.

use std::{fs::OpenOptions, io::Write};

use serde::{Deserialize, Serialize};

use crate::context::Context;

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A unit was captured.
    Captured {
        /// Source, absolute.
        source: String,
        /// Id of the bitcode.
        unit: String,
        /// The bitcode of an earlier compile was good.
        reused: bool,
        /// Flags that only gcc knows and that the bitcode was made without.
        dropped: Vec<String>,
        /// Sanitizers asked for; captured code is without them.
        sanitizers: Vec<String>,
    },
    /// A unit could not be captured and is external.
    External {
        /// Source, absolute.
        source: String,
        /// Why: the first line of clang's error, or what the source is.
        reason: String,
    },
    /// A product was linked and its recipe kept.
    Linked {
        /// Its id.
        link: String,
        /// Its path.
        output: String,
        /// How many captured units went in.
        units: usize,
        /// Inputs that are not captured.
        external: Vec<String>,
    },
    /// A product was linked from nothing captured.
    Unlinked {
        /// Its path.
        output: String,
    },
    /// A build system tried something out.
    Probe,
    /// A compile or a link failed, by the real tool.
    Failed {
        /// The tool, by the name that it was called by.
        tool: String,
    },
    /// Something of ours went wrong; the build was not touched by it.
    Problem {
        /// What.
        message: String,
    },
}

impl Event {
    /// Appends the event to the build's events. One write of a line: faces that run side by side do not mix.
    pub fn log(&self, context: &Context) {
        let Some(build) = &context.build else { return };
        let Ok(mut line) = serde_json::to_string(self) else { return };
        line.push('\n');
        let path = context.store.build_events(build);
        if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
            let _ = file.write_all(line.as_bytes());
        }
    }
}
