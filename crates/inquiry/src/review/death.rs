//! How a run dies: the kind of it, where, and what was said of it. By these deaths are told from one another.

use whydunit_process::{Exit, signal_name};
use whydunit_suite::{Outcome, TestResult, reported, skeleton};

/// As a panic of Rust ends.
const PANICKED: i32 = 101;
const SIGABRT: i32 = 6;

/// What panics of Rust say, by their beginnings, that the language or its library brings wherever a program computes.
const LANGUAGE: [&str; 9] = [
    "index out of bounds",
    "attempt to ",
    "called `",
    "called \"\"",
    "range ",
    "slice index",
    "byte index",
    "already ",
    "capacity overflow",
];
/// What those say that somebody has written, and that may stand in many places.
const WRITTEN: [&str; 5] =
    ["assertion `left", "assertion \"\"", "explicit panic", "internal error: entered unreachable code", "not "];

/// What kind of death.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `assert` of C and C++.
    Assertion,
    /// A panic of Rust.
    Panic,
    /// Memory is accessed that must not be, as a sanitizer, a check of the C library or the replay tells.
    Memory,
    /// Undefined behaviour that a sanitizer tells.
    Undefined,
    /// Memory that is not given back.
    Leak,
    /// An exception that nobody catches.
    Exception,
    /// A signal, and no more is known.
    Signal(i32),
    /// The stack was too small.
    Stack,
    /// The memory was.
    Room,
    /// The time was.
    Time,
    /// So were other limits: processes, output.
    Limit,
}

impl Kind {
    /// It ended because there was not enough of something: inputs that are large enough do that to most programs.
    pub fn is_exhausted(self) -> bool {
        matches!(self, Kind::Stack | Kind::Room | Kind::Time | Kind::Limit)
    }
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// As it was told.
    pub file: String,
    pub line: u32,
}

impl At {
    /// The file's own name: versions lie in different folders.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }
}

/// A death.
#[derive(Clone, PartialEq, Debug)]
pub struct Death {
    pub kind: Kind,
    /// Where. None where nothing tells.
    pub at: Option<At>,
    /// What should have held there, or what was said of it, without the numbers of this one run.
    pub says: String,
    /// In words, for people.
    pub how: String,
}

impl Death {
    /// That of a run, as far as it shows from outside. None where the run ends by itself and no sanitizer has told anything.
    pub fn of(result: &TestResult) -> Option<Self> {
        let simple = |kind, how: String| Some(Self { kind, at: None, says: String::new(), how });
        match (&result.outcome, result.exit) {
            (Outcome::Timeout, _) => return simple(Kind::Time, "it does not end within its time limit".into()),
            (Outcome::MemoryLimit, _) => return simple(Kind::Room, result.outcome.reason()?),
            (Outcome::ProcessLimit | Outcome::OutputLimit, _) => return simple(Kind::Limit, result.outcome.reason()?),
            (Outcome::Cancelled | Outcome::Error(_), _) => return None,
            _ => {}
        }
        let errors = String::from_utf8_lossy(&result.stderr);
        let said = reported(&result.stderr);
        let line = said.as_deref().unwrap_or_default();
        if line.starts_with("SUMMARY: ") || line.contains("runtime error: ") {
            return Self::of_sanitizer(line, &errors, result.exit);
        }
        match result.exit? {
            Exit::Signal(signal) => {
                let more = said.as_ref().map(|line| format!(": {line}")).unwrap_or_default();
                let how = format!("it dies by {}{more}", signal_name(signal));
                let (kind, at, says) = of_signal(signal, line, &errors);
                Some(Self { kind, at, says, how })
            }
            Exit::Status(PANICKED) if errors.contains("panicked at") => {
                let more = said.as_ref().map(|line| format!(": {line}")).unwrap_or_default();
                let how = format!("it panics{more}").replacen(": panicked at", " at", 1);
                let (at, says) = of_panic(line);
                Some(Self { kind: Kind::Panic, at, says, how })
            }
            Exit::Status(_) => None,
        }
    }

    /// By what a sanitizer says: its line, and all that was printed besides.
    fn of_sanitizer(line: &str, errors: &str, exit: Option<Exit>) -> Option<Self> {
        let is_summary = line.starts_with("SUMMARY: ");
        let (tool, what) = match line.strip_prefix("SUMMARY: ").and_then(|rest| rest.split_once(": ")) {
            Some((tool, what)) => (tool, what),
            None => ("UndefinedBehaviorSanitizer", line.split_once("runtime error: ").map_or(line, |(_, what)| what)),
        };
        let word = what.split_whitespace().next().unwrap_or_default();
        let kind = match word {
            "stack-overflow" => Kind::Stack,
            "out-of-memory" | "allocation-size-too-big" | "calloc-overflow" | "rss-limit-exceeded" => Kind::Room,
            _ if line.contains("leaked") || tool == "LeakSanitizer" => Kind::Leak,
            _ if tool.starts_with("Undefined") => Kind::Undefined,
            _ => Kind::Memory,
        };
        let at = match is_summary && kind != Kind::Undefined {
            true => first_frame(errors).or_else(|| what.split_whitespace().find_map(place)),
            false => errors.lines().find_map(|line| place(line.split_once(": runtime error: ")?.0)),
        };
        let says = match kind {
            Kind::Undefined => {
                skeleton(errors.lines().find_map(|l| Some(l.split_once("runtime error: ")?.1)).unwrap_or(what))
            }
            _ => word.to_string(),
        };
        let how = match exit {
            Some(Exit::Signal(signal)) => format!("it dies by {}: {line}", signal_name(signal)),
            _ => line.to_string(),
        };
        Some(Self { kind, at, says, how })
    }

    /// Whether what was said tells this place from all others: a condition of the program's own, not a check that stands everywhere.
    pub fn is_specific(&self) -> bool {
        let everywhere = LANGUAGE.iter().chain(&WRITTEN);
        match self.kind {
            Kind::Assertion => !matches!(&self.says[..], "" | "0" | "false" | "!1"),
            Kind::Panic => !self.says.is_empty() && everywhere.copied().all(|begin| !self.says.starts_with(begin)),
            Kind::Exception => self.says.contains("what():"),
            _ => false,
        }
    }

    /// Whether somebody has written down that the program is to end here, and not the language or its library.
    pub fn is_check(&self) -> bool {
        match self.kind {
            Kind::Assertion | Kind::Exception | Kind::Signal(SIGABRT) => true,
            Kind::Panic => LANGUAGE.iter().all(|begin| !self.says.starts_with(begin)),
            _ => false,
        }
    }

    /// Whether another one is of the same kind, with the same words.
    pub fn is_alike(&self, other: &Self) -> bool {
        self.kind == other.kind && !self.says.is_empty() && self.says == other.says
    }
}

/// Kind, place and text of a death by a signal.
fn of_signal(signal: i32, line: &str, errors: &str) -> (Kind, Option<At>, String) {
    if let Some((head, rest)) = line.split_once("Assertion ").filter(|_| line.contains("failed")) {
        let says = rest.trim_start_matches(['`', '\'']).rsplit_once("' failed").map_or(rest, |(says, _)| says);
        let at = head.split_whitespace().find_map(place);
        return (Kind::Assertion, at, says.to_string());
    }
    if errors.contains("has overflowed its stack") {
        return (Kind::Stack, None, String::new());
    }
    if line.contains("panicked at ") {
        let (at, says) = of_panic(line);
        return (Kind::Panic, at, says);
    }
    if line.contains("std::bad_alloc") || errors.contains("memory allocation of ") {
        return (Kind::Room, None, String::new());
    }
    if line.starts_with("terminate called ") {
        let what = errors.lines().map(str::trim).find(|line| line.starts_with("what():")).unwrap_or_default();
        return (Kind::Exception, None, format!("{} {}", skeleton(line), skeleton(what)).trim().to_string());
    }
    match line {
        "" => (Kind::Signal(signal), None, String::new()),
        // A check of the C library.
        _ => (Kind::Memory, None, skeleton(line)),
    }
}

/// Place and text of a panic.
fn of_panic(line: &str) -> (Option<At>, String) {
    let rest = line.strip_prefix("panicked at ").unwrap_or(line);
    let (at, message) = rest.split_once(": ").unwrap_or((rest.trim_end_matches(':'), ""));
    // Where Rust's library panics nobody has called it.
    let own = |at: &At| !at.file.starts_with("/rustc/") && !at.file.contains("/library/");
    (place(at).filter(own), skeleton(message))
}

/// `file:line` or `file:line:column`, with or without a colon behind it.
fn place(text: &str) -> Option<At> {
    let text = text.trim_end_matches(':');
    let mut parts = text.rsplitn(3, ':');
    let (last, middle) = (parts.next()?, parts.next()?);
    let number = |text: &str| text.parse::<u32>().ok();
    match (number(last), number(middle), parts.next()) {
        (Some(_), Some(line), Some(file)) => Some(At { file: file.into(), line }),
        (Some(line), None, rest) => {
            let file = rest.map_or_else(|| middle.to_string(), |rest| format!("{rest}:{middle}"));
            (!file.is_empty()).then_some(At { file, line })
        }
        _ => None,
    }
}

/// The first place of a sanitizer's stack that is no library's.
fn first_frame(errors: &str) -> Option<At> {
    let frames = errors.lines().map(str::trim).skip_while(|line| !line.starts_with("#0 "));
    let frames = frames.take_while(|line| line.starts_with('#'));
    let places = frames.filter_map(|line| place(line.split_whitespace().last()?));
    let own = |at: &At| at.file.starts_with('/') && !at.file.starts_with("/usr/") && !at.file.starts_with("/lib");
    places.into_iter().find(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(exit: Exit, stderr: &str) -> TestResult {
        let outcome = if let Exit::Signal(signal) = exit { Outcome::Crash(signal) } else { Outcome::Pass };
        TestResult { exit: Some(exit), stderr: stderr.into(), ..TestResult::new("x", outcome) }
    }

    fn death(exit: Exit, stderr: &str) -> (Kind, Option<(String, u32)>, String) {
        let death = Death::of(&ended(exit, stderr)).expect("it dies");
        (death.kind, death.at.map(|at| (at.file, at.line)), death.says)
    }

    #[test]
    fn an_assertion_has_a_place_and_a_condition() {
        let said = "prog: src/prog.c:8: main: Assertion `s >= 0 && t' failed.\n";
        assert_eq!(
            death(Exit::Signal(6), said),
            (Kind::Assertion, Some(("src/prog.c".into(), 8)), "s >= 0 && t".into())
        );
    }

    #[test]
    fn a_sanitizer_is_told_from_the_status_that_it_ends_with() {
        let said = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\nREAD of size 4\n    #0 0x1 in strlen ../../src/x.cpp:3\n    \
                    #1 0x2 in main /a/b/prog.c:12:9\n\n0x6 is located\nallocated by:\n    #0 0x3 in f /a/b/prog.c:4\n\
                    SUMMARY: AddressSanitizer: heap-buffer-overflow ../../src/x.cpp:3 in strlen\n";
        let found = death(Exit::Status(1), said);
        assert_eq!(found, (Kind::Memory, Some(("/a/b/prog.c".into(), 12)), "heap-buffer-overflow".into()));
        let said =
            "prog.c:5:13: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n";
        let (kind, at, says) = death(Exit::Status(0), said);
        assert_eq!((kind, at), (Kind::Undefined, Some(("prog.c".into(), 5))));
        assert!(says.starts_with("signed integer overflow: # + #"), "{says}");
        assert_eq!(Death::of(&ended(Exit::Status(1), "not a word\n")), None);
    }

    #[test]
    fn panics_that_can_be_anywhere_are_told_by_their_places_only() {
        let panic = |message: &str| {
            let said = format!("thread 'main' panicked at src/main.rs:10:5:\n{message}\nnote: run\n");
            Death::of(&ended(Exit::Status(101), &said)).expect("it panics")
        };
        let index = panic("index out of bounds: the len is 3 but the index is 5");
        assert_eq!(index.at, Some(At { file: "src/main.rs".into(), line: 10 }));
        assert!(!index.is_specific() && panic("no day has 25 hours").is_specific());
        assert_eq!(index.says, panic("index out of bounds: the len is 8 but the index is 9").says);
        assert!(panic("assertion failed: low <= high").is_specific());
    }

    #[test]
    fn what_the_language_brings_is_no_check_of_the_program() {
        let panic = |message: &str| {
            let said = format!("thread 'main' panicked at src/main.rs:10:5:\n{message}\nnote: run\n");
            Death::of(&ended(Exit::Status(101), &said)).expect("it panics")
        };
        let shift = panic("attempt to shift left with overflow");
        assert!(!shift.is_check() && !panic("index out of bounds: the len is 3 but the index is 5").is_check());
        assert!(panic("assertion failed: low <= high").is_check() && panic("explicit panic").is_check());
        assert!(shift.is_alike(&panic("attempt to shift left with overflow")));
        assert!(!shift.is_alike(&panic("attempt to add with overflow")));
        let signal = |signal| Death::of(&ended(Exit::Signal(signal), "")).expect("it dies");
        assert!(signal(6).is_check() && !signal(11).is_check());
        assert!(!signal(11).is_alike(&signal(11)), "nothing is said of either");
    }

    #[test]
    fn too_little_of_something_is_no_error_of_memory() {
        let stack = "AddressSanitizer:DEADLYSIGNAL\nSUMMARY: AddressSanitizer: stack-overflow /a/prog.c:3 in f\n";
        assert!(death(Exit::Status(1), stack).0.is_exhausted());
        assert_eq!(death(Exit::Signal(6), "thread 'main' has overflowed its stack\n").0, Kind::Stack);
        assert_eq!(
            death(Exit::Signal(6), "terminate called after throwing an instance of 'std::bad_alloc'\n").0,
            Kind::Room
        );
        assert_eq!(death(Exit::Signal(11), "").0, Kind::Signal(11));
        assert_eq!(death(Exit::Signal(6), "free(): invalid pointer\n").0, Kind::Memory);
    }
}
