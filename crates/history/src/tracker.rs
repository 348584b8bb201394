//! Exports of bug trackers, as tables or as JSON.

use std::collections::BTreeMap;

use serde_json::Value;

/// A report of a tracker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// It is a bug, not a wish or a task.
    pub is_bug: bool,
    /// As the tracker has it.
    pub priority: Option<String>,
    /// As the tracker has it.
    pub severity: Option<String>,
}

/// The reports of a tracker, by number.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tracker {
    reports: BTreeMap<String, Report>,
}

/// Why an export cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrackerError {
    /// It begins as JSON does, and is none.
    #[error("it is not JSON: {0}")]
    Json(String),
    /// No table.
    #[error("line {line} is no row of a table: {reason}")]
    Row {
        /// From 1.
        line: u64,
        /// Why not.
        reason: String,
    },
    /// Nothing has a number.
    #[error("no report has a number: a column or key `id`, `number` or `key` is needed")]
    NoNumbers,
}

/// Names that the parts of a report go by.
const ID: &[&str] = &["id", "number", "key", "bug_id", "issue", "bug id", "issue key"];
const TYPE: &[&str] = &["type", "kind", "issue_type", "issue type", "labels", "label", "tracker"];
const PRIORITY: &[&str] = &["priority"];
const SEVERITY: &[&str] = &["severity"];
/// What reports that are no bugs are called.
const OTHER: &[&str] = &["feature", "enhancement", "wish", "task", "improvement", "question", "documentation", "story"];
const BUG: &[&str] = &["bug", "defect", "regression", "crash", "fault"];

impl Tracker {
    /// Reads an export: a list of objects in JSON, or a table with a head, divided by commas, semicolons or tabs.
    pub fn parse(text: &str) -> Result<Self, TrackerError> {
        let text = text.trim_start_matches('\u{feff}');
        let rows = if text.trim_start().starts_with(['[', '{']) { of_json(text)? } else { of_table(text)? };
        let mut reports = BTreeMap::new();
        for row in rows {
            let get =
                |names: &[&str]| names.iter().find_map(|name| row.get(*name)).filter(|it| !it.is_empty()).cloned();
            // `PROJ-12` is named `12` in messages, too.
            let Some(id) = get(ID) else { continue };
            let kind = get(TYPE).unwrap_or_default().to_lowercase();
            let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
            let report = Report { is_bug: has(BUG) || !has(OTHER), priority: get(PRIORITY), severity: get(SEVERITY) };
            if let Some((_, number)) = id.rsplit_once(['-', '#']) {
                reports.insert(number.to_owned(), report.clone());
            }
            reports.insert(id, report);
        }
        if reports.is_empty() { Err(TrackerError::NoNumbers) } else { Ok(Self { reports }) }
    }

    /// A report by its number.
    pub fn report(&self, id: &str) -> Option<&Report> {
        self.reports.get(id)
    }
}

type Row = BTreeMap<String, String>;

fn of_json(text: &str) -> Result<Vec<Row>, TrackerError> {
    let value: Value = serde_json::from_str(text).map_err(|error| TrackerError::Json(error.to_string()))?;
    let list = match &value {
        Value::Array(list) => list.as_slice(),
        // Trackers wrap their lists: `{"issues": [...]}`.
        Value::Object(keys) => keys.values().find_map(Value::as_array).map(Vec::as_slice).unwrap_or_default(),
        _ => &[],
    };
    let row = |report: &Value| {
        let keys = report.as_object().into_iter().flatten();
        keys.map(|(key, value)| (key.to_lowercase(), words(value))).collect()
    };
    Ok(list.iter().map(row).collect())
}

/// A value in words: names of objects, parts of lists.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(list) => list.iter().map(words).collect::<Vec<_>>().join(" "),
        Value::Object(keys) => keys.get("name").map(words).unwrap_or_default(),
        other => other.to_string(),
    }
}

fn of_table(text: &str) -> Result<Vec<Row>, TrackerError> {
    let head = text.lines().next().unwrap_or_default();
    let divider = [b',', b';', b'\t'].into_iter().max_by_key(|by| head.bytes().filter(|byte| byte == by).count());
    let mut reader = csv::ReaderBuilder::new().delimiter(divider.unwrap_or(b',')).from_reader(text.as_bytes());
    let wrong = |error: csv::Error| TrackerError::Row {
        line: error.position().map_or(1, |at| at.line()),
        reason: error.to_string(),
    };
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(|name| name.trim().to_lowercase()).collect();
    let row = |record: csv::StringRecord| {
        names.iter().cloned().zip(record.iter().map(|field| field.trim().to_owned())).collect()
    };
    reader.records().map(|record| record.map(row).map_err(wrong)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_of_many_forms_are_read() {
        let json = r#"{"issues": [{"number": 7, "labels": [{"name": "enhancement"}]}, {"number": 8, "labels": []}]}"#;
        let tracker = Tracker::parse(json).expect("an export");
        assert_eq!(
            [7, 8].map(|id: u32| tracker.report(&id.to_string()).map(|it| it.is_bug)),
            [Some(false), Some(true)]
        );
        let tracker = Tracker::parse("Key;Issue Type;Priority\nAB-3;Bug;\"high; really\"\n").expect("an export");
        assert_eq!(tracker.report("3").and_then(|it| it.priority.as_deref()), Some("high; really"));
        assert_eq!(tracker.report("AB-3"), tracker.report("3"));
        assert_eq!(Tracker::parse("a,b\n1,2\n"), Err(TrackerError::NoNumbers));
        assert!(matches!(Tracker::parse("[1"), Err(TrackerError::Json(_))));
        assert!(matches!(Tracker::parse("id,b\n1,2\n1,2,3\n"), Err(TrackerError::Row { line: 3, .. })));
    }
}
