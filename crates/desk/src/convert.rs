//! What the engine's crates say, as findings: positions relative to the project, ends of runs in words.

use std::path::{Component, Path, PathBuf};

use crate::ProjectSources;
use crate::condition::stated;
use whydunit_causes::failure::KEPT;
use whydunit_causes::walk::{Cause, Dependence};
use whydunit_findings as findings;
use whydunit_findings::Sources;
use whydunit_memcheck::MemoryError;
use whydunit_process::signal_name;
use whydunit_recording::{Exit, RunEnd};
use whydunit_replay::{Divergence, End, Position};
use whydunit_spectra::{Entity, RankedEntity, Spectrum};
use whydunit_suite::TestResult;
use whydunit_undefined::UndefinedBehaviour;

/// A position in a source file; none where there is no line.
pub fn location(project: &Path, position: &Position) -> Option<findings::Location> {
    let line = position.loc.line;
    let known = line > 0 && !position.file.is_empty();
    known.then(|| findings::Location::point(relative(project, &position.file), line, position.loc.column))
}

/// `file` relative to the project where it lies inside it, else as it is.
pub fn relative(project: &Path, file: &str) -> String {
    let path = without_dots(Path::new(file));
    path.strip_prefix(project).unwrap_or(&path).to_string_lossy().into_owned()
}

/// Without `.` and `..` as far as the text tells: debug information has `build/../src/a.c`.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A divergence of the replay.
pub fn divergence(project: &Path, divergence: &Divergence) -> findings::Divergence {
    let Divergence { position, instruction, counter, expected, got } = divergence;
    let site = if position.function.is_empty() {
        "outside captured code".to_string()
    } else {
        format!("site {} of {} in {}", position.site, relative(project, &position.module), position.function)
    };
    findings::Divergence {
        instruction: format!("instruction {instruction}, safepoint {counter}, {site}"),
        location: location(project, position),
        expected: expected.clone(),
        got: got.clone(),
    }
}

/// A test as run.
pub fn test(result: &TestResult) -> findings::TestResult {
    use whydunit_suite::Outcome;
    let outcome = match &result.outcome {
        _ if result.is_flaky() => findings::Outcome::Flaky,
        Outcome::Pass => findings::Outcome::Pass,
        Outcome::Fail { .. } | Outcome::OutputLimit | Outcome::MemoryLimit | Outcome::ProcessLimit => {
            findings::Outcome::Fail
        }
        Outcome::Timeout => findings::Outcome::Timeout,
        Outcome::Crash(_) => findings::Outcome::Crash,
        Outcome::Skipped => findings::Outcome::Skip,
        Outcome::Cancelled | Outcome::Error(_) => findings::Outcome::Error,
    };
    findings::TestResult {
        name: result.name.clone(),
        outcome,
        seconds: result.time.as_secs_f64(),
        reason: result.outcome.reason(),
        runs: result.reruns.map(|_| {
            let (runs, failures) = result.runs();
            findings::Runs { runs, failures }
        }),
        ..findings::TestResult::default()
    }
}

/// A test as run, with the last lines of what it printed where it failed.
pub fn failed_test(result: &TestResult, lines: usize) -> findings::TestResult {
    let failed = result.outcome.is_failure() || result.is_flaky();
    findings::TestResult { printed: (failed && lines > 0).then(|| printed(result, lines)), ..test(result) }
}

/// The words of the check that failed, and the last lines of output. What the reason tells already is not told twice.
fn printed(result: &TestResult, lines: usize) -> findings::Printed {
    let check = whydunit_suite::reported(&result.stderr).or_else(|| whydunit_suite::reported(&result.stdout));
    let all: Vec<String> = [&result.stdout, &result.stderr]
        .into_iter()
        .flat_map(|bytes| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let left_out = all.len().saturating_sub(lines);
    let told = |check: &String| result.outcome.reason().is_some_and(|reason| reason.contains(check.as_str()));
    findings::Printed { check: check.filter(|check| !told(check)), lines: all[left_out..].to_vec(), left_out }
}

/// A ranked statement or branch outcome.
pub fn finding(
    project: &Path,
    sources: &impl Sources,
    ranked: &RankedEntity<'_>,
    spectrum: &Spectrum,
) -> findings::Finding {
    let Entity { position, function, outcome } = ranked.entity;
    let file = relative(project, &position.file);
    let code = sources.line(&file, position.line).unwrap_or_default().trim().to_string();
    findings::Finding {
        rank: ranked.rank.mid(),
        rank_best: ranked.rank.best,
        rank_worst: ranked.rank.worst,
        score: ranked.score,
        location: findings::Location::point(file, position.line, position.column),
        function: function.clone(),
        code,
        branch: outcome.clone(),
        counts: Some(findings::SpectrumCounts {
            failed: ranked.counts.failed,
            passed: ranked.counts.passed,
            failed_total: spectrum.failed_total(),
            passed_total: spectrum.passed_total(),
        }),
        ..findings::Finding::default()
    }
}

/// How a recorded process ended, in words that go after "the run".
pub fn run_end(end: &RunEnd, exit: Option<Exit>) -> String {
    match (exit, end) {
        (Some(Exit::Status(status)), _) => format!("exited with {status}"),
        (Some(Exit::Signal(signal)), _) => format!("was killed by {}", signal_name(signal)),
        (None, RunEnd::Orderly) => "exited".into(),
        (None, RunEnd::Exec) => "became another program".into(),
        (None, RunEnd::Fault { signal, .. }) => format!("was killed by {}", signal_name(*signal as i32)),
        (None, RunEnd::Killed { .. }) => "was killed from outside".into(),
        (None, RunEnd::Stopped { message, .. }) => format!("goes on, but the recording stopped: {message}"),
        (None, RunEnd::Cut { detail }) => format!("goes on, but the log is damaged: {detail}"),
    }
}

/// A step of the way back. A condition is told as the source has it; where that cannot be told for certain, without its truth.
pub fn step(sources: &ProjectSources, project: &Path, cause: &Cause, several_threads: bool) -> findings::Step {
    let location = cause.position.as_ref().and_then(|position| location(project, position));
    let (mut value, mut condition) = (cause.value.clone(), cause.condition.clone());
    if cause.is_branch {
        let tested = cause.tested.as_ref().zip(location.as_ref());
        let stated = tested.and_then(|((tested, taken), place)| stated(sources, &place.file, tested, *taken));
        (value, condition) = match stated {
            Some((text, truth)) => (truth.to_string(), Some(text)),
            None => (String::new(), None),
        };
    }
    let file = location.as_ref().map(|location| &location.file);
    let variable =
        if file.is_some_and(|file| is_of_rustc(sources, file, &cause.variable)) { "" } else { &cause.variable };
    findings::Step {
        variable: variable.to_owned(),
        location,
        value,
        kind: match cause.kind {
            Dependence::Data => findings::StepKind::Data,
            Dependence::Control => findings::StepKind::Control,
            Dependence::Kept => findings::StepKind::Kept,
            Dependence::Input => findings::StepKind::Input,
        },
        note: cause.note.clone(),
        condition,
        thread: (several_threads && cause.position.is_some()).then_some(cause.thread),
    }
}

/// Whether a variable is none of the source's: rustc names what it makes of a `for` as if it were one (`iter.start`).
fn is_of_rustc(sources: &ProjectSources, file: &str, variable: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let root = variable.trim_start_matches(|c| !is_word(c)).split(|c| !is_word(c)).next().unwrap_or_default();
    // A method of that name is no variable.
    let is_variable = |text: &str, at: usize| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let behind = text[at + root.len()..].chars().next().unwrap_or(' ');
        !is_word(before) && before != '.' && !is_word(behind) && behind != '('
    };
    let names_it = |text: String| text.match_indices(root).any(|(at, _)| is_variable(&text, at));
    root == "iter" && file.ends_with(".rs") && sources.text(file).is_some_and(|text| !names_it(text))
}

/// A failure point.
pub fn failure(project: &Path, failure: whydunit_causes::failure::Failure) -> findings::Failure {
    let line = |position: &Position| (position.function.clone(), location(project, position));
    findings::Failure {
        kind: failure.kind.name().into(),
        thread: failure.thread,
        location: failure.position.as_ref().and_then(|position| location(project, position)),
        predicate: failure.predicate,
        message: failure.message,
        stack: failure.stack.iter().map(line).collect(),
        stack_left_out: (failure.left_out > 0).then_some((failure.left_out, KEPT)),
        variables: failure.variables,
    }
}

/// So many calls of a memory error are told, the innermost.
const CALLS: usize = 64;

/// Calls under way that are no library's: function and position.
fn calls(project: &Path, positions: &[Position]) -> Vec<(String, Option<findings::Location>)> {
    let line = |position: &Position| (position.function.clone(), location(project, position));
    positions.iter().filter(|position| !position.in_library()).map(line).collect()
}

/// What a run does wrong.
pub fn errors(project: &Path, memory: &[MemoryError], undefined: &[UndefinedBehaviour]) -> findings::RunErrors {
    findings::RunErrors {
        memory: memory.iter().map(|error| memory_error(project, error)).collect(),
        undefined: undefined.iter().map(|found| undefined_behaviour(project, found)).collect(),
    }
}

/// Undefined behaviour.
pub fn undefined_behaviour(project: &Path, found: &UndefinedBehaviour) -> findings::UndefinedBehaviour {
    findings::UndefinedBehaviour {
        kind: found.kind.name().into(),
        location: location(project, &found.position),
        function: found.position.function.clone(),
        message: found.message.clone(),
        stack: calls(project, &found.stack[..found.stack.len().min(CALLS)]),
        times: found.times,
    }
}

/// A memory error.
pub fn memory_error(project: &Path, error: &MemoryError) -> findings::MemoryError {
    let calls = |positions: &[Position]| calls(project, positions);
    findings::MemoryError {
        kind: error.kind.name().into(),
        location: location(project, &error.position),
        function: error.position.function.clone(),
        message: error.message(),
        stack: calls(&error.stack[..error.stack.len().min(CALLS)]),
        access: (error.size > 0).then_some(findings::Access { write: error.write, size: error.size }),
        object: error.object.as_ref().map(|object| findings::MemoryObject {
            kind: object.kind.into(),
            name: object.name.clone(),
            size: object.size,
            offset: error.address.wrapping_sub(object.start) as i64,
            allocated: object.allocated.as_ref().and_then(|position| location(project, position)),
            freed: object.freed.as_ref().and_then(|position| location(project, position)),
            allocation: calls(&object.allocation),
            wrappers: object.wrappers.clone(),
            freeing: calls(&object.freeing),
        }),
    }
}

/// How a replay ended, in words: the run's end, or that it parted from its recording.
pub fn outcome(end: &Result<End, Box<Divergence>>) -> String {
    match end {
        Ok(ended) => self::end(ended),
        Err(divergence) => {
            format!("parts from its recording: expected {}, got {}", divergence.expected, divergence.got)
        }
    }
}

/// How a run ended, in words that go after "the run".
pub fn end(end: &End) -> String {
    match end {
        End::Exited { status: Some(status) } => format!("exited with {status}"),
        End::Exited { status: None } => "exited in external code".into(),
        End::Exec => "became another program".into(),
        End::Fault { signal, near, .. } => {
            let near = if *near { " near here" } else { "" };
            format!("was killed by {}{near}", signal_name(*signal))
        }
        End::Killed { .. } => "was killed from outside".into(),
        End::RecordingEnds { reason } => format!("goes on, but the recording ends: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_project_are_relative_to_it() {
        let project = Path::new("/p");
        assert_eq!(relative(project, "/p/build/../src/./a.c"), "src/a.c");
        assert_eq!(relative(project, "/usr/include/stdio.h"), "/usr/include/stdio.h");
        assert_eq!(relative(project, "src/a.c"), "src/a.c");
        assert_eq!(relative(project, "../a.c"), "../a.c");
    }

    #[test]
    fn a_signal_has_one_name_wherever_it_is_told() {
        for (number, name) in [(9, "SIGKILL"), (10, "SIGUSR1"), (11, "SIGSEGV"), (20, "SIGTSTP"), (40, "signal 40")] {
            assert_eq!(whydunit_process::Exit::Signal(number).to_string(), name);
            assert_eq!(run_end(&RunEnd::Orderly, Some(Exit::Signal(number))), format!("was killed by {name}"));
            let fault = End::Fault { signal: number, address: 0, near: false };
            assert_eq!(end(&fault), format!("was killed by {name}"));
        }
    }

    #[test]
    fn a_position_without_a_line_is_no_location() {
        let position = Position { file: "/p/a.c".into(), ..Position::default() };
        assert_eq!(location(Path::new("/p"), &position), None);
    }
}
