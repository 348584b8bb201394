//! What a failure is known by.

use whydunit_suite::process::Exit;
use whydunit_suite::{Difference, Outcome, TestResult};

/// How a run failed, as far as another one can fail the same way.
#[derive(Clone, Debug)]
pub struct Failure {
    end: End,
    /// What it said, as it was said.
    message: Option<String>,
    /// In words.
    reason: String,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// By itself or by a signal.
    Exit(Exit),
    /// By a limit.
    Time,
    Output,
    Memory,
    Processes,
}

/// Why a run gives no failure to go by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFailure {
    /// It is as expected.
    Passes,
    /// Only what it prints differs: nobody knows what it should print for another input.
    Output(String),
    /// It could not be run: why.
    NotRun(String),
    /// The caller ended it.
    Cancelled,
}

impl Failure {
    /// That of a failing case.
    pub fn of(result: &TestResult) -> Result<Self, NoFailure> {
        let reason = result.outcome.reason().unwrap_or_default();
        match &result.outcome {
            Outcome::Pass | Outcome::Skipped => return Err(NoFailure::Passes),
            Outcome::Cancelled => return Err(NoFailure::Cancelled),
            Outcome::Error(why) => return Err(NoFailure::NotRun(why.clone())),
            Outcome::Fail { why } => {
                let by_end = |it: &Difference| matches!(it, Difference::Status { .. } | Difference::Signal { .. });
                // A sanitizer may end the run with a status that nobody compares.
                let told = reported(&result.stderr).is_some() && result.exit != Some(Exit::Status(0));
                if !told && !why.iter().any(by_end) {
                    return Err(NoFailure::Output(reason));
                }
            }
            _ => {}
        }
        let end = end(result).ok_or_else(|| NoFailure::NotRun("it did not end".into()))?;
        Ok(Self { end, message: message(result), reason })
    }

    /// Whether another run failed the same way: the same end, and where there is a message the same text but for numbers and
    /// what stands in quotes.
    pub fn is(&self, result: &TestResult) -> bool {
        let plain = |message: Option<&str>| message.map(skeleton);
        end(result) == Some(self.end) && plain(message(result).as_deref()) == plain(self.message.as_deref())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

fn end(result: &TestResult) -> Option<End> {
    match result.outcome {
        Outcome::Timeout => Some(End::Time),
        Outcome::OutputLimit => Some(End::Output),
        Outcome::MemoryLimit => Some(End::Memory),
        Outcome::ProcessLimit => Some(End::Processes),
        Outcome::Skipped | Outcome::Cancelled | Outcome::Error(_) => None,
        Outcome::Pass | Outcome::Fail { .. } | Outcome::Crash(_) => result.exit.map(End::Exit),
    }
}

/// What a run said of its failure: the line of an assertion, a sanitizer or a library, else where it ended by itself the
/// last line.
fn message(result: &TestResult) -> Option<String> {
    let by_itself = matches!(end(result), Some(End::Exit(Exit::Status(status))) if status != 0);
    let last = || {
        let text = String::from_utf8_lossy(&result.stderr);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(String::from)
    };
    reported(&result.stderr).or_else(|| last().filter(|_| by_itself))
}

/// The line by which assertions, sanitizers, panics and the checks of the C library tell what was wrong.
fn reported(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = |is: &dyn Fn(&str) -> bool| text.lines().map(str::trim).find(|line| is(line)).map(String::from);
    // The summary has kind, file and function.
    line(&|line| line.starts_with("SUMMARY: ") && line.contains("Sanitizer"))
        .or_else(|| line(&|line| line.contains("runtime error: ")))
        .or_else(|| line(&|line| line.contains("Assertion") && line.contains("failed")))
        .or_else(|| line(&|line| line.contains("panicked at ")))
        .or_else(|| line(&|line| line.starts_with("*** ") || line.starts_with("terminate called ")))
        .or_else(|| line(&|line| line.starts_with("double free or corruption") || is_heap_check(line)))
}

/// `free(): invalid pointer` and its like.
fn is_heap_check(line: &str) -> bool {
    ["free(): ", "malloc(): ", "realloc(): ", "malloc_consolidate(): "].iter().any(|head| line.starts_with(head))
}

/// A message without numbers, texts in quotes, and the names of working folders.
fn skeleton(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let folder = rest.starts_with('/').then(|| rest.split(char::is_whitespace).next().unwrap_or_default());
        if let Some(path) = folder.filter(|path| path.contains("/whydunit-")) {
            rest = &rest[path.len()..];
            out.push('/');
            continue;
        }
        let closing = match first {
            '"' => Some('"'),
            '`' | '\'' => Some('\''),
            '‘' => Some('’'),
            _ => None,
        };
        // An assertion's own text is what tells it from others.
        let quoted = closing.filter(|_| !message.contains("Assertion"));
        if let Some(end) = quoted.and_then(|closing| rest[first.len_utf8()..].find(closing).map(|end| (end, closing))) {
            rest = &rest[first.len_utf8() + end.0 + end.1.len_utf8()..];
            out.push_str("\"\"");
        } else if let Some(digits) = number(rest) {
            rest = &rest[digits..];
            out.push('#');
        } else {
            rest = &rest[first.len_utf8()..];
            out.push(first);
        }
    }
    out
}

/// How long the number is that begins here.
fn number(text: &str) -> Option<usize> {
    let run = |text: &str, digit: fn(&u8) -> bool| text.bytes().take_while(digit).count();
    let hex = text.strip_prefix("0x").map(|rest| run(rest, u8::is_ascii_hexdigit)).filter(|&length| length > 0);
    hex.map(|length| length + 2).or(Some(run(text, u8::is_ascii_digit))).filter(|&length| length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_quotes_and_working_folders_do_not_count() {
        let same = |a: &str, b: &str| assert_eq!(skeleton(a), skeleton(b));
        same("in.c:12: unknown `abc' at 0x7f3a", "in.c:7: unknown `x' at 0x1");
        same("cannot open /tmp/whydunit-ab12cd34/work/x y", "cannot open /tmp/whydunit-zz/work/z y");
        same("got \"1\" not \"2\"", "got \"\" not \"\"");
        assert_ne!(skeleton("unknown word"), skeleton("unknown number"));
        assert_ne!(
            skeleton("p: a.c:1: f: Assertion `x > 1' failed."),
            skeleton("p: a.c:1: f: Assertion `y > 1' failed.")
        );
        assert_eq!(skeleton("it's 5"), "it's #");
    }

    #[test]
    fn what_was_wrong_is_found_among_what_was_said() {
        let asan = "==1==ERROR: AddressSanitizer: heap-buffer-overflow\n #0 f\nSUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f\n";
        assert_eq!(
            reported(asan.as_bytes()).as_deref(),
            Some("SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f")
        );
        let assertion = "reading\nprog: a.c:5: main: Assertion `n < 3' failed.\nAborted\n";
        assert_eq!(reported(assertion.as_bytes()).as_deref(), Some("prog: a.c:5: main: Assertion `n < 3' failed."));
        assert_eq!(reported(b"free(): invalid pointer\n").as_deref(), Some("free(): invalid pointer"));
        assert_eq!(reported(b"all went well\n"), None);
    }
}
