//! Which reports are shown: each once, the surest first, without those that comments allow or a baseline has.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use whydunit_findings::{Checked, Misuse};

use super::CheckError;

/// In a comment on the line of a report, or on the line before.
const ALLOW: &str = "whydunit: allow";

/// Programs that share units find the same. The surest come first, then by place.
pub fn distinct(misuses: &mut Vec<Misuse>) {
    let mut seen = BTreeSet::new();
    misuses
        .retain(|it| seen.insert((it.location.file.clone(), it.location.line, it.location.column, it.class.clone())));
    let place = |it: &Misuse| (it.location.file.clone(), it.location.line, it.location.column);
    misuses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| place(a).cmp(&place(b))));
}

/// Takes out what comments in the sources allow.
pub fn allowed(project: &Path, checked: &mut Checked) {
    let mut sources: HashMap<String, Vec<String>> = HashMap::new();
    let before = checked.misuses.len();
    checked.misuses.retain(|misuse| {
        let file = &misuse.location.file;
        let lines = sources.entry(file.clone()).or_insert_with(|| {
            let text = std::fs::read(project.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
        });
        let line = misuse.location.line as usize;
        let near = [line, line.saturating_sub(1)];
        !near.iter().any(|&it| it > 0 && lines.get(it - 1).is_some_and(|text| text.contains(ALLOW)))
    });
    checked.allowed = (before - checked.misuses.len()) as u64;
}

/// What tells a report apart though lines come and go: file, function, class, method, state.
fn key(misuse: &Misuse) -> String {
    let Misuse { location, function, class, method, state, .. } = misuse;
    format!("{}\t{function}\t{class}\t{method}\t{state}", location.file)
}

/// Writes a baseline with these reports.
pub fn write(path: &Path, misuses: &[Misuse]) -> Result<(), CheckError> {
    let mut lines: Vec<String> = misuses.iter().map(key).collect();
    lines.sort();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(path, text).map_err(|error| unread(path, &error))
}

fn unread(path: &Path, error: &std::io::Error) -> CheckError {
    CheckError::Unread { path: PathBuf::from(path), reason: error.to_string() }
}

/// Reports that are known: so many of each.
pub struct Baseline(BTreeMap<String, u64>);

impl Baseline {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CheckError> {
        let text = std::fs::read_to_string(path).map_err(|error| unread(path, &error))?;
        let mut known = BTreeMap::new();
        for (line, entry) in (1..).zip(text.lines()) {
            if entry.split('\t').count() != 5 {
                return Err(CheckError::Baseline { path: PathBuf::from(path), line });
            }
            *known.entry(entry.to_owned()).or_default() += 1;
        }
        Ok(Self(known))
    }

    /// Takes out the reports that it has.
    pub fn leave_out(mut self, checked: &mut Checked) {
        let before = checked.misuses.len();
        checked.misuses.retain(|misuse| match self.0.get_mut(&key(misuse)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
        checked.known = (before - checked.misuses.len()) as u64;
    }
}
