//! Changes of values in words.

use std::path::Path;

use whydunit_locate::Change;
use whydunit_symbolic::{FreeKind, Knowledge};

use crate::convert;
use crate::sources::ProjectSources;

/// A line of the sources, trimmed; empty where it is not there.
pub fn sources_line(sources: &ProjectSources, file: &str, line: u32) -> String {
    use whydunit_render::Sources;
    sources.line(file, line).unwrap_or_default().trim().to_string()
}

/// A change in words.
pub fn words(knowledge: &Knowledge, project: &Path, sources: &ProjectSources, change: &Change) -> String {
    let Some(statement) = knowledge.statements.get(change.free.statement) else { return String::new() };
    let file = convert::relative(project, &statement.file);
    let code = sources_line(sources, &file, statement.line);
    let value = |bits: u64| number(bits, change.free.width);
    let (was, now) = (value(change.free.value), value(change.now));
    let place = format!("line {}", statement.line);
    let more = if change.times > 1 { format!(" (and {} other times)", change.times - 1) } else { String::new() };
    match change.free.kind {
        FreeKind::Condition if change.free.width == 1 => {
            let truth = if change.now & 1 == 1 { "true" } else { "false" };
            format!("if the condition of {place} (`{code}`) were {truth}{more}")
        }
        FreeKind::Condition => format!("if the value of {place} (`{code}`) were {now} instead of {was}{more}"),
        FreeKind::Argument => format!("if {place} (`{code}`) passed {now} instead of {was}{more}"),
        FreeKind::Returned => format!("if {place} (`{code}`) returned {now} instead of {was}{more}"),
        FreeKind::Value | FreeKind::Stored | FreeKind::Result => {
            format!("if {place} (`{code}`) gave {now} instead of {was}{more}")
        }
    }
}

fn number(bits: u64, width: u32) -> String {
    let shift = 64 - width.clamp(1, 64);
    let signed = ((bits << shift) as i64) >> shift;
    match width {
        1 => (bits & 1).to_string(),
        _ if signed.unsigned_abs() < 1 << 48 => signed.to_string(),
        _ => format!("{bits:#x}"),
    }
}
