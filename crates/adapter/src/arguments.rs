//! Arguments of requests, as far as they mean anything to a recording.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::refusal::Refusal;

/// Reads the arguments of a request.
pub fn read<T: DeserializeOwned>(command: &str, arguments: &Value) -> Result<T, Refusal> {
    // Clients leave out what has no arguments.
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments.clone() };
    serde_json::from_value(arguments)
        .map_err(|error| Refusal::new(format!("the arguments of `{command}` cannot be understood: {error}")))
}

/// Of `initialize`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialize {
    /// Lines are counted from 1, and not from 0.
    pub lines_start_at1: bool,
    /// Columns are counted from 1, and not from 0.
    pub columns_start_at1: bool,
    /// Events of progress are understood.
    pub supports_progress_reporting: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true, supports_progress_reporting: false }
    }
}

/// Of `launch` and `attach`.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The test whose recording is debugged; it is recorded where it never was.
    pub test: Option<String>,
    /// A recording: a path, or the name of a recorded test.
    pub recording: Option<String>,
    /// The project's folder.
    pub project: Option<String>,
    /// Stands at the start of the run, and not where it failed.
    pub stop_on_entry: bool,
    /// The test is recorded again.
    pub record: bool,
}

/// A source of the client's.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Where it is.
    pub path: Option<String>,
}

/// A breakpoint of the client's.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceBreakpoint {
    /// Its line.
    pub line: u32,
    /// It stops only where this holds.
    pub condition: Option<String>,
    /// It stops only at these hits.
    pub hit_condition: Option<String>,
    /// It does not stop, but says this.
    pub log_message: Option<String>,
}

/// Of `setBreakpoints`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct SetBreakpoints {
    /// In this file.
    pub source: Source,
    /// All of its breakpoints.
    #[serde(default)]
    pub breakpoints: Option<Vec<SourceBreakpoint>>,
    /// The same, as older clients say it.
    #[serde(default)]
    pub lines: Vec<u32>,
}

/// A function breakpoint of the client's.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct FunctionBreakpoint {
    /// The function.
    pub name: String,
    /// It stops only where this holds.
    pub condition: Option<String>,
    /// It stops only at these hits.
    pub hit_condition: Option<String>,
}

/// Of `setFunctionBreakpoints`.
#[derive(Deserialize, Debug, Clone)]
pub struct SetFunctionBreakpoints {
    /// All of them.
    pub breakpoints: Vec<FunctionBreakpoint>,
}

/// A filter of exceptions with options.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct FilterOptions {
    /// The filter.
    pub filter_id: String,
}

/// Of `setExceptionBreakpoints`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct SetExceptionBreakpoints {
    /// Filters.
    #[serde(default)]
    pub filters: Vec<String>,
    /// Filters with options.
    #[serde(default)]
    pub filter_options: Vec<FilterOptions>,
}

/// Of `dataBreakpointInfo`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpointInfo {
    /// What the variable is a part of.
    pub variables_reference: Option<u64>,
    /// The variable, or an expression.
    pub name: String,
    /// The frame that an expression is of.
    pub frame_id: Option<u64>,
}

/// A data breakpoint of the client's.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpoint {
    /// As we called it.
    pub data_id: String,
    /// Which accesses stop the run.
    pub access_type: Option<String>,
    /// It stops only where this holds.
    pub condition: Option<String>,
    /// It stops only at these hits.
    pub hit_condition: Option<String>,
}

/// Of `setDataBreakpoints`.
#[derive(Deserialize, Debug, Clone)]
pub struct SetDataBreakpoints {
    /// All of them.
    pub breakpoints: Vec<DataBreakpoint>,
}

/// Of `breakpointLocations` and `gotoTargets`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct InSource {
    /// The file.
    pub source: Source,
    /// From this line on.
    pub line: u32,
    /// Up to this one.
    pub end_line: Option<u32>,
}

/// Of what concerns a thread.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    /// The thread.
    pub thread_id: u64,
}

/// Of `stackTrace`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    /// The thread.
    pub thread_id: u64,
    /// The first frame that is wanted.
    #[serde(default)]
    pub start_frame: usize,
    /// So many; none or 0: all.
    #[serde(default)]
    pub levels: usize,
}

/// Of `scopes`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Scopes {
    /// The frame.
    pub frame_id: u64,
}

/// Of `variables`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Variables {
    /// Whose.
    pub variables_reference: u64,
    /// `indexed` or `named` ones; none: both.
    pub filter: Option<String>,
    /// The first that is wanted.
    #[serde(default)]
    pub start: u64,
    /// So many; none or 0: all.
    #[serde(default)]
    pub count: u64,
}

/// Of `evaluate` and `whydunit/why`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    /// The expression.
    pub expression: String,
    /// In this frame; none: the innermost one of the thread that runs.
    pub frame_id: Option<u64>,
    /// Where the answer is shown.
    pub context: Option<String>,
}

/// Of `completions`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Completions {
    /// In this frame; none: the innermost one of the thread that runs.
    pub frame_id: Option<u64>,
    /// What was written.
    pub text: String,
    /// Where in it, as the client counts columns.
    pub column: u64,
}

/// Of `stepInTargets`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct StepInTargets {
    /// The frame.
    pub frame_id: u64,
}

/// Of `stepIn`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct StepIn {
    /// The thread.
    pub thread_id: u64,
    /// Into this function, as we called it; none: into the first that is called.
    pub target_id: Option<u64>,
}

/// Of `goto`.
#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Goto {
    /// As we called it.
    pub target_id: u64,
}

/// Of `source`.
#[derive(Deserialize, Debug, Clone)]
pub struct SourceText {
    /// The file.
    #[serde(default)]
    pub source: Source,
}
