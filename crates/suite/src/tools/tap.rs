//! The Test Anything Protocol: what a program prints, or `prove -v` of several.

use std::time::Duration;

use crate::outcome::{Difference, Outcome, TestResult};
use crate::program::told;
use crate::run::{Context, by_exit, finish};
use whydunit_process::Exit;

/// What a stream says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stream {
    /// The points, in order.
    pub points: Vec<Point>,
    /// What is wrong with the stream as a whole.
    pub broken: Option<String>,
    /// Why all of it was skipped.
    pub skipped: bool,
}

/// A test point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    /// The description, else `test N`; after the file's name where several are run.
    pub name: String,
    /// How it went; what is still to be done may fail.
    pub outcome: Outcome,
}

/// The part of a stream that one file wrote.
#[derive(Default)]
struct Part {
    file: Option<String>,
    planned: Option<usize>,
    seen: usize,
}

impl Part {
    /// What its plan says against it.
    fn end(&self) -> Option<String> {
        let planned = self.planned.filter(|planned| *planned != self.seen)?;
        let of = self.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
        Some(format!("{of}{planned} tests were planned and {} ran", self.seen))
    }
}

/// Reads a stream. Lines that are not TAP are what programs print beside it; indented ones belong to the points before.
pub(crate) fn read(text: &str) -> Stream {
    let mut stream = Stream::default();
    let mut part = Part::default();
    for line in text.lines().map(str::trim_end) {
        if let Some(file) = file_of_prove(line) {
            stream.broken = stream.broken.take().or(part.end());
            part = Part { file: Some(file), ..Part::default() };
        } else if let Some(plan) = line.strip_prefix("1..") {
            let (count, directive) = plan.split_once('#').map_or((plan, None), |(count, why)| (count, Some(why)));
            part.planned = count.trim().parse().ok();
            if part.planned == Some(0) {
                stream.skipped |= directive.is_some_and(|why| why.trim_start().to_lowercase().starts_with("skip"));
            }
        } else if let Some(reason) = line.strip_prefix("Bail out!") {
            stream.broken = Some(format!("it bailed out: {}", reason.trim()));
            return unique(stream);
        } else if let Some((ok, rest)) = verdict(line) {
            // The verdict of `prove` on a file stands alone.
            if part.file.is_some() && (rest.is_empty() && part.planned.is_some_and(|planned| planned <= part.seen)) {
                continue;
            }
            part.seen += 1;
            stream.points.push(point(ok, rest, &part));
        }
    }
    stream.broken = stream.broken.take().or(part.end());
    if stream.points.is_empty() && stream.broken.is_none() && !stream.skipped {
        stream.broken = Some("it printed no TAP".into());
    }
    unique(stream)
}

/// `t/basic.t ..`, with more dots where the names have different lengths.
fn file_of_prove(line: &str) -> Option<String> {
    let name = line.trim_end_matches('.');
    let plain = line.len() >= name.len() + 2 && name.ends_with(' ') && !name.starts_with(' ');
    plain.then(|| name.trim().to_owned()).filter(|name| !name.contains(' '))
}

/// `ok` or `not ok`, and what follows.
fn verdict(line: &str) -> Option<(bool, &str)> {
    let (ok, rest) = match (line.strip_prefix("not ok"), line.strip_prefix("ok")) {
        (Some(rest), _) => (false, rest),
        (None, Some(rest)) => (true, rest),
        (None, None) => return None,
    };
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (ok, rest.trim()))
}

fn point(ok: bool, rest: &str, part: &Part) -> Point {
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().unwrap_or(part.seen);
    let rest = rest[digits..].trim();
    // A `#` that is escaped is part of the description.
    let directive = rest.match_indices('#').find(|(at, _)| !rest[..*at].ends_with('\\')).map(|(at, _)| at);
    let (description, directive) = directive.map_or((rest, ""), |at| (&rest[..at], rest[at + 1..].trim()));
    let description = description.trim().trim_start_matches("- ").replace("\\#", "#");
    let name = if description.is_empty() { format!("test {number}") } else { description.trim().to_owned() };
    let directive = directive.to_lowercase();
    let outcome = if directive.starts_with("skip") {
        Outcome::Skipped
    } else if ok || directive.starts_with("todo") {
        Outcome::Pass
    } else {
        Outcome::Fail { why: vec![Difference::Reported(format!("not ok {number}"))] }
    };
    let name = part.file.as_ref().map_or(name.clone(), |file| format!("{file}: {name}"));
    Point { name, outcome }
}

fn unique(mut stream: Stream) -> Stream {
    let mut seen = std::collections::HashMap::new();
    for point in &mut stream.points {
        let times = seen.entry(point.name.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            point.name = format!("{} ({times})", point.name);
        }
    }
    stream
}

/// The program as one test.
pub(crate) fn whole(stream: &Stream, exit: Exit) -> Outcome {
    let not_ok = stream.points.iter().filter(|point| point.outcome.is_failure());
    let mut lines: Vec<String> = not_ok.map(|point| format!("not ok: {}", point.name)).collect();
    lines.extend(stream.broken.clone());
    match exit {
        _ if !lines.is_empty() => told(lines, exit),
        Exit::Status(0) if stream.points.iter().all(|point| point.outcome == Outcome::Skipped) => Outcome::Skipped,
        exit => by_exit(exit),
    }
}

/// Runs a command and gives a result for each of its points; one for itself where it says more than they do.
pub(crate) fn run(context: &Context<'_>, name: &str, prefix: Option<&str>, command: &str) -> Vec<TestResult> {
    let ended = context.shell(name, command);
    let mut stream = Stream::default();
    let own = finish(name, ended, |ended| {
        stream = read(&String::from_utf8_lossy(&ended.stdout));
        whole(&stream, ended.exit)
    });
    let named = |point: &Point| {
        let name = prefix.map_or(point.name.clone(), |prefix| format!("{prefix}: {}", point.name));
        TestResult { time: Duration::ZERO, ..TestResult::new(&name, point.outcome.clone()) }
    };
    let mut results: Vec<TestResult> = stream.points.iter().map(named).collect();
    let explained = results.iter().any(|result| result.outcome.is_failure()) && stream.broken.is_none();
    let whole = match own.outcome {
        Outcome::Fail { .. } if explained => false,
        _ => own.outcome != Outcome::Pass || results.is_empty(),
    };
    if let Some(first) = results.first_mut().filter(|_| !whole) {
        // The time of all of them; they do not tell their own.
        first.time = own.time;
        first.problems = own.problems;
        return results;
    }
    if own.outcome == Outcome::Skipped && !results.is_empty() {
        return results;
    }
    results.push(own);
    results
}

#[cfg(test)]
mod unit {
    use super::*;

    fn told(stream: &Stream) -> Vec<String> {
        stream
            .points
            .iter()
            .map(|point| {
                let word = match &point.outcome {
                    Outcome::Pass => "pass",
                    Outcome::Skipped => "skip",
                    _ => "fail",
                };
                format!("{}: {word}", point.name)
            })
            .collect()
    }

    #[test]
    fn points_with_directives_and_what_stands_between() {
        let text = "TAP version 13\n1..6\nok 1 - opens\nnot ok 2 - reads \\#2\n  ---\n  message: no\n  ...\n# noise\nok 3\nok 4 - net # SKIP no net\n\
                    not ok 5 later # TODO\n    ok 1 - inner\nokay then\nok 6 - opens\n";
        let stream = read(text);
        assert_eq!(
            told(&stream),
            ["opens: pass", "reads #2: fail", "test 3: pass", "net: skip", "later: pass", "opens (2): pass"]
        );
        assert_eq!(stream.broken, None);
        assert_eq!(whole(&stream, Exit::Status(0)).reason().unwrap(), "not ok: reads #2");
    }

    #[test]
    fn plans_that_are_not_kept_and_bailing_out() {
        assert_eq!(read("1..3\nok 1\n").broken.unwrap(), "3 tests were planned and 1 ran");
        assert_eq!(read("ok 1\nok 2\n1..2\n").broken, None);
        assert_eq!(read("1..2\nok 1\nBail out! no disk\n").broken.unwrap(), "it bailed out: no disk");
        assert_eq!(read("hello\n").broken.unwrap(), "it printed no TAP");
        let skipped = read("1..0 # SKIP no server\n");
        assert_eq!(whole(&skipped, Exit::Status(0)), Outcome::Skipped);
        assert!(whole(&read("1..1\nok 1\n"), Exit::Status(2)).is_failure());
        assert_eq!(whole(&read("1..1\nok 1\n"), Exit::Signal(11)), Outcome::Crash(11));
    }

    #[test]
    fn files_that_prove_runs_are_told_apart() {
        let text = "t/a.t ..... \n1..2\nok 1 - x\nok 2 - y\nok\nt/long.t .. \nnot ok 1 - x\n1..1\nDubious, test returned 1\nFailed 1/1 subtests\n\n\
                    Test Summary Report\n";
        let stream = read(text);
        assert_eq!(told(&stream), ["t/a.t: x: pass", "t/a.t: y: pass", "t/long.t: x: fail"]);
        assert_eq!(stream.broken, None);
    }
}
