//! What a server knows: its client, and the recording that is debugged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use whydunit_debugger::{Breakpoint, FrameId, FuncId, Position, Session};
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Cancel, Desk};

use crate::arguments::Initialize;
use crate::handles::Handles;
use crate::outgoing::Outgoing;
use crate::reading::Current;
use crate::refusal::Refusal;
use crate::sources::Sources;

/// A server of one client.
pub struct Server {
    /// The way to the client.
    pub outgoing: Outgoing,
    /// The request under way.
    pub current: Current,
    /// Where recordings are looked for.
    pub project: PathBuf,
    /// What the client said of itself.
    pub client: Initialize,
    /// Once it was launched.
    pub debugged: Option<Debugged>,
}

/// A recording that is debugged.
pub struct Debugged {
    /// For questions about its project.
    pub desk: Desk,
    /// The recording.
    pub opened: Opened,
    /// The session over it.
    pub session: Session,
    /// What the client knows of the present stop.
    pub handles: Handles,
    /// Its sources.
    pub sources: Sources,
    /// The client was told where it stands.
    pub started: bool,
    /// The run was checked for memory errors and other undefined behaviour.
    pub checked: bool,
    /// Where it stands first.
    pub begin: Position,
    /// Up to there the client was told what the run printed.
    pub told: Position,
    /// Breakpoints at lines, by the client's paths.
    pub lines: BTreeMap<String, Vec<Breakpoint>>,
    /// Function breakpoints.
    pub functions: Vec<Breakpoint>,
    /// The number of the last breakpoint.
    pub number: u32,
    /// Positions that the client was told as targets of `goto`, by their numbers from 1.
    pub targets: Vec<Position>,
    /// Functions that the client was told as targets of `stepIn` at this stop, by their numbers from 1.
    pub step_targets: Vec<FuncId>,
}

impl Server {
    /// Before anything was asked.
    pub fn new(outgoing: Outgoing, current: Current, project: &Path) -> Self {
        let project = project.to_path_buf();
        Self { outgoing, current, project, client: Initialize::default(), debugged: None }
    }

    /// The recording that is debugged. What it does from here on `cancel` ends.
    pub fn debugged(&mut self, cancel: &Cancel) -> Result<&mut Debugged, Refusal> {
        let debugged = self.debugged.as_mut();
        let debugged = debugged.ok_or_else(|| Refusal::new("no recording is opened yet: `launch` comes first"))?;
        debugged.session.cancel = cancel.clone();
        debugged.desk.cancel = cancel.clone();
        Ok(debugged)
    }

    /// A line of ours, as the client counts.
    pub fn line_out(&self, line: u32) -> u32 {
        if self.client.lines_start_at1 { line } else { line.saturating_sub(1) }
    }

    /// A line of the client's, as we count.
    pub fn line_in(&self, line: u32) -> u32 {
        if self.client.lines_start_at1 { line } else { line.saturating_add(1) }
    }

    /// A column of ours, as the client counts.
    pub fn column_out(&self, column: u32) -> u32 {
        if self.client.columns_start_at1 { column } else { column.saturating_sub(1) }
    }
}

impl Debugged {
    /// A number for one more breakpoint.
    pub fn next_number(&mut self) -> u32 {
        self.number = self.number.saturating_add(1);
        self.number
    }

    /// The frame of a number; without one the innermost frame of the thread that runs.
    pub fn frame(&self, number: Option<u64>) -> Result<FrameId, Refusal> {
        if let Some(number) = number {
            return self.handles.frame_of(number);
        }
        let frames = self.session.frames(self.session.running(), 0, 1)?;
        frames.first().map(|frame| frame.id).ok_or_else(|| Refusal::new("there is no frame at this moment"))
    }
}

/// The number of a thread, as the client has it: none has 0.
pub fn thread_out(thread: u32) -> u64 {
    u64::from(thread) + 1
}

/// The thread of a number of the client's.
pub fn thread_in(number: u64) -> Result<u32, Refusal> {
    let thread = number.checked_sub(1).and_then(|thread| u32::try_from(thread).ok());
    thread.ok_or_else(|| Refusal::new(format!("there is no thread {number}")))
}
