//! From a process's folder to its recording.

use std::path::Path;

use crate::error::Error;
use crate::event::Event;
use crate::info::{ByteString, Control, Info, RecordingSummary, RunEnd, RunInfo};
use crate::raw::{LogReader, read_control, read_head};
use crate::write::RecordingWriter;

/// Turns the folder `raw_dir` of a process that has ended into the recording `out`. A damaged log gives the recording of
/// its intact events, with [`RunEnd::Cut`]. The folder stays; `out` appears whole or not at all.
pub fn finalise(raw_dir: &Path, run: RunInfo, out: &Path) -> Result<RecordingSummary, Error> {
    let head = read_head(raw_dir)?;
    let control = read_control(raw_dir)?;
    let mut log = LogReader::open(raw_dir)?;
    let mut writer = RecordingWriter::create(out, Info { run, head, control: control.clone() })?;
    let mut fault = None;
    while let Some(raw) = log.next_event()? {
        match &raw.entry.event {
            Event::Fault { signal, address } => fault = Some((*signal, *address)),
            // Output that was flushed on the way down and remarks do not make a fault a handled one.
            Event::Note { .. } | Event::Output { .. } => {}
            _ => fault = None,
        }
        writer.push(&raw.entry, raw.kind, raw.bytes)?;
        if raw.inherited {
            writer.mark_inherited();
        }
    }
    let end = match log.damage() {
        Some(damage) => RunEnd::Cut { detail: damage.to_string() },
        None => run_end(&control, fault),
    };
    writer.finish(end)
}

fn run_end(control: &Control, fault: Option<(u32, u64)>) -> RunEnd {
    let has = |flag| control.flags & flag != 0;
    if has(Control::STOPPED) {
        let message = if control.stop_message.0.is_empty() {
            ByteString::from("the recording stopped, for a reason that it did not give")
        } else {
            control.stop_message.clone()
        };
        RunEnd::Stopped { reason: control.stop_reason, message }
    } else if has(Control::ORDERLY) {
        RunEnd::Orderly
    } else if has(Control::EXEC) {
        RunEnd::Exec
    } else if let Some((signal, address)) = fault {
        RunEnd::Fault { signal, address }
    } else {
        RunEnd::Killed { counter: control.counter }
    }
}
