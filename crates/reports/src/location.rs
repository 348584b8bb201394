//! A place in a source, as the JSON of answers has it.

use serde::Deserialize;
use whydunit_findings::Location;

/// A place.
#[derive(Deserialize)]
pub(crate) struct JsonLocation {
    file: String,
    line: u32,
    #[serde(default)]
    column: u32,
    #[serde(default)]
    end_line: u32,
    #[serde(default)]
    end_column: u32,
}

impl From<JsonLocation> for Location {
    fn from(it: JsonLocation) -> Self {
        Location { file: it.file, line: it.line, column: it.column, end_line: it.end_line, end_column: it.end_column }
    }
}
