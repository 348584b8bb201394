//! What a command expects of the runs that it drives.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::log::Started;
use crate::observation::{Observation, ObservedRun};

/// Programs that start tests and say of each how it ended by themselves: their own end says nothing of a single run.
const RUNNERS: &[&str] = &["make", "gmake", "ninja", "ctest", "meson", "prove", "parallel", "xargs"];
/// Automake's, which is a script.
const TEST_DRIVER: &[u8] = b"test-driver";
const TAP_DRIVER: &[u8] = b"tap-driver";
const SHELLS: &[&str] = &["sh", "bash", "dash", "ksh", "zsh"];
/// Programs that compare two files.
const COMPARERS: &[&str] = &["diff", "cmp", "git", "colordiff"];
/// What is larger is not compared with.
const MOST: u64 = 4 << 20;

/// How it shows what is expected of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// What drove it ended well: what it did is right.
    Accepted,
    /// The command compared what it printed with this file.
    Compared(PathBuf),
    /// The command was to go on only where it ended with 0.
    Checked,
}

/// What is expected of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// What it must print; `None` where nobody says.
    pub stdout: Option<Vec<u8>>,
    /// Its exit status; `None` where nobody says.
    pub status: Option<i32>,
    /// The signal that must end it; `None` where nobody says.
    pub signal: Option<i32>,
    /// How that shows.
    pub basis: Basis,
}

impl Observation {
    /// What is expected of each run, in their order; `None` where nothing shows it. `said` is what the command printed, and `well`
    /// whether it ended with 0.
    pub fn expectations(&self, said: &[u8], well: bool) -> Vec<Option<Expectation>> {
        let comparisons = self.comparisons();
        let beside = Beside::of(self);
        let by_status = !says_that_tests_fail(said, well);
        let expectation = |run: &ObservedRun| {
            if !run.is_finished() {
                return None;
            }
            let compared = self.compared(&comparisons, run);
            let accepted = self.accepted(run).filter(|_| by_status);
            let compared = match compared {
                Some(Compared::Otherwise) => return None,
                Some(Compared::With(path, text)) => Some((path, text)),
                None => None,
            };
            if accepted == Some(true) && compared.as_ref().is_none_or(|(_, text)| *text == run.stdout) {
                return Some(Expectation {
                    stdout: Some(run.stdout.clone()),
                    status: run.status,
                    signal: run.signal,
                    basis: Basis::Accepted,
                });
            }
            if let Some((path, stdout)) = compared.or_else(|| beside.expected(run)) {
                let stdout = Some(stdout);
                return Some(Expectation { stdout, status: None, signal: None, basis: Basis::Compared(path) });
            }
            let checked = accepted == Some(false);
            checked.then_some(Expectation { stdout: None, status: Some(0), signal: None, basis: Basis::Checked })
        };
        self.runs.iter().map(expectation).collect()
    }

    /// What the run's output was compared with: first by the file that it was printed to, alone or with other runs, then by the same text
    /// in a file that no run printed to. `None` where it was not.
    fn compared(&self, comparisons: &[Comparison], run: &ObservedRun) -> Option<Compared> {
        let after = || comparisons.iter().filter(|comparison| comparison.at >= run.start);
        let anybodys = |path: &PathBuf| self.runs.iter().any(|run| run.stdout_path.as_ref() == Some(path));
        let same = |(path, text): &Side| !run.stdout.is_empty() && *text == run.stdout && !anybodys(path);
        let by_file = after().find_map(|comparison| {
            let (printed, other) = comparison.sides(|(path, _)| run.stdout_path.as_ref() == Some(path))?;
            Some(match self.part(printed, &other.1, run, comparison.at) {
                Some(part) => Compared::With(other.0.clone(), part),
                None if printed.1 == other.1 => Compared::With(other.0.clone(), run.stdout.clone()),
                None => Compared::Otherwise,
            })
        });
        let by_text = || after().find_map(|comparison| Some(comparison.sides(same)?.1.clone()));
        let by_pipe = || comparisons.iter().find_map(|comparison| comparison.piped_from(run, &self.runs));
        by_file.or_else(|| by_text().or_else(by_pipe).map(|(path, text)| Compared::With(path, text)))
    }

    /// The part of an expected text that a run has to print, where several have printed to the file that it is compared with.
    fn part(&self, (path, text): &Side, expected: &[u8], run: &ObservedRun, at: u64) -> Option<Vec<u8>> {
        let there = self.runs.iter().filter(|run| run.stdout_path.as_ref() == Some(path) && run.start <= at);
        let mut printed: Vec<&ObservedRun> = there.collect();
        // The file may have been emptied meanwhile: the last ones whose texts are what stands there.
        let mut length = 0;
        let first = printed.iter().rposition(|run| {
            length += run.stdout.len();
            length >= text.len()
        })?;
        printed.drain(..first);
        let index = printed.iter().position(|other| other.start == run.start)?;
        let texts: Vec<&[u8]> = printed.iter().map(|run| &run.stdout[..]).collect();
        (texts.concat() == *text).then(|| divided(&texts, expected).swap_remove(index)).flatten()
    }

    /// Whether what drove a run took it for right: yes, no (it was to end with 0, and did not), or not said.
    fn accepted(&self, run: &ObservedRun) -> Option<bool> {
        let drivers = self.drivers(run);
        let is_make = |index: usize| drivers.get(index).is_some_and(|(_, started)| is_runner(started));
        // The shell of a recipe that starts a script of its own only passes on how that one ended.
        let passes_on = |index: usize| index > 0 && is_shell_command(drivers[index].1) && is_make(index + 1);
        let scripts = (0..drivers.len()).find(|index| is_make(*index) || passes_on(*index)).unwrap_or(drivers.len());
        // Scripts that speak the Test Anything Protocol end with 0 whatever they say: who reads it knows.
        // The command is the run itself.
        let Some((top, _)) = drivers.last() else { return (run.status == Some(0)).then_some(true) };
        let all_well = self.log.status(*top, run.start) == Some(0);
        if drivers.get(scripts).is_some_and(|(_, started)| reads_tap(started)) {
            return all_well.then_some(true);
        }
        if scripts > 0 {
            // A recipe that goes wrong although all that it started ended well has seen something else.
            if let Some((pid, started)) = drivers.get(scripts)
                && is_shell_command(started)
                && !self.is_explained(*pid, run.start)
            {
                return None;
            }
            let ended_well = |(pid, _): &(u32, &Started)| self.log.status(*pid, run.start) == Some(0);
            return drivers[..scripts].iter().all(ended_well).then_some(true);
        }
        // A runner started it itself.
        if all_well {
            return Some(true);
        }
        let recipe = ["make", "gmake"].contains(&drivers[0].1.name().as_str());
        recipe.then_some(run.status == Some(0))
    }

    /// Whether a process ended well, or one that it started did not.
    fn is_explained(&self, pid: u32, at: u64) -> bool {
        let mut children =
            self.log.started.iter().flat_map(|(child, started)| started.iter().map(move |it| (*child, it)));
        let went_wrong = |(child, started): (u32, &Started)| {
            started.parent == pid && self.log.status(child, started.at).is_none_or(|status| status != 0)
        };
        self.log.status(pid, at) == Some(0) || children.any(went_wrong)
    }

    /// What programs compared, in the order of time.
    fn comparisons(&self) -> Vec<Comparison> {
        let mut out = Vec::new();
        for (pid, started) in &self.log.started {
            for (index, program) in started.iter().enumerate() {
                let compares = COMPARERS.contains(&program.name().as_str());
                if !compares || (program.name() == "git" && !program.args.iter().any(|arg| arg == b"diff")) {
                    continue;
                }
                let until = started.get(index + 1).map_or(u64::MAX, |next| next.at);
                let own =
                    self.log.reads.iter().filter(|read| read.pid == *pid && (program.at..until).contains(&read.at));
                let content = |path: &PathBuf| fs::read(path).ok();
                let files: Vec<(PathBuf, Vec<u8>)> = own
                    .filter(|read| program.args.iter().any(|arg| names(arg, &read.path)))
                    .filter_map(|read| Some((read.path.clone(), read.content.as_ref().and_then(content)?)))
                    .collect();
                out.push(Comparison {
                    at: program.at,
                    parent: program.parent,
                    piped: program.args.iter().any(|arg| is_pipe(arg)),
                    files,
                });
            }
        }
        out.sort_by_key(|comparison| comparison.at);
        out
    }
}

/// Whether an argument can mean a file: its last part is the same.
fn names(arg: &[u8], path: &Path) -> bool {
    Path::new(OsStr::from_bytes(arg)).file_name().is_some_and(|name| Some(name) == path.file_name())
}

/// Standard input, or a pipe that the shell made.
fn is_pipe(arg: &[u8]) -> bool {
    arg == b"-" || arg.starts_with(b"/dev/fd/") || arg.starts_with(b"/proc/self/fd/") || arg == b"/dev/stdin"
}

fn is_runner(started: &Started) -> bool {
    RUNNERS.contains(&started.name().as_str())
        || reads_tap(started)
        || started.args.iter().any(|arg| arg.rsplit(|byte| *byte == b'/').next() == Some(TEST_DRIVER))
}

fn reads_tap(started: &Started) -> bool {
    started.name() == "prove"
        || started.args.iter().any(|arg| arg.windows(TAP_DRIVER.len()).any(|part| part == TAP_DRIVER))
}

fn is_shell_command(started: &Started) -> bool {
    SHELLS.contains(&started.name().as_str())
        && started.args.iter().any(|arg| arg.starts_with(b"-") && arg.ends_with(b"c"))
}

/// What the output of a run was compared with.
enum Compared {
    /// This file, of which the text belongs to the run.
    With(PathBuf, Vec<u8>),
    /// A text that differs, and what of it belongs to the run does not show.
    Otherwise,
}

/// A file that was compared, with its text.
type Side = (PathBuf, Vec<u8>);

/// What a program compared.
struct Comparison {
    at: u64,
    parent: u32,
    /// One side came through a pipe.
    piped: bool,
    files: Vec<Side>,
}

impl Comparison {
    /// A side that is such a file, and the other one.
    fn sides(&self, such: impl Fn(&Side) -> bool) -> Option<(&Side, &Side)> {
        let [one, other] = &self.files[..] else { return None };
        // The same text on both sides: the second is the expected one as well as the first.
        [(one, other), (other, one)].into_iter().find(|(side, _)| such(side))
    }

    /// The file, where the other side is what this run printed into a pipe.
    fn piped_from(&self, run: &ObservedRun, runs: &[ObservedRun]) -> Option<Side> {
        let [file] = &self.files[..] else { return None };
        let drives = |run: &&ObservedRun| run.processes.contains(&self.parent) && run.start <= self.at + PIPE;
        let nearest = runs.iter().filter(drives).max_by_key(|run| run.start)?;
        (self.piped && nearest.start == run.start).then(|| file.clone())
    }
}

/// What of an expected text belongs to each of several texts that were printed one after the other; `None` where that does not show.
/// Where there are as many lines they belong together one by one; else what is the same from the start on and from the end on, and what is
/// left where one text alone is left.
fn divided(printed: &[&[u8]], expected: &[u8]) -> Vec<Option<Vec<u8>>> {
    let lines = |text: &[u8]| text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let wanted = lines(expected);
    let whole = printed.iter().all(|text| text.is_empty() || text.ends_with(b"\n"));
    if whole && printed.iter().map(|text| lines(text).len()).sum::<usize>() == wanted.len() {
        let mut wanted = wanted.into_iter();
        return printed.iter().map(|text| Some(wanted.by_ref().take(lines(text).len()).flatten().collect())).collect();
    }
    let (mut out, mut rest) = (vec![None; printed.len()], expected);
    let (mut first, mut last) = (0, printed.len());
    while let Some(left) = (first < last).then(|| rest.strip_prefix(printed[first])).flatten() {
        (out[first], rest, first) = (Some(printed[first].to_vec()), left, first + 1);
    }
    while let Some(left) = (first < last).then(|| rest.strip_suffix(printed[last - 1])).flatten() {
        (out[last - 1], rest, last) = (Some(printed[last - 1].to_vec()), left, last - 1);
    }
    if last == first + 1 {
        out[first] = Some(rest.to_vec());
    }
    out
}

/// Whether a command tells of tests that fail otherwise than by its own end: what ended with 0 under it need not be right.
fn says_that_tests_fail(said: &[u8], well: bool) -> bool {
    let text = String::from_utf8_lossy(said);
    text.lines().any(|line| {
        // The Test Anything Protocol.
        let tap = line.trim_start().strip_prefix("not ok").is_some_and(|rest| !rest.contains("# TODO"));
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_bad = |word: &&&str| ["BAD", "FAIL", "FAILED", "FAILURE", "Failed", "failed"].contains(*word);
        let none = words.contains(&"0") || words.contains(&"no");
        tap || (well && !none && words.iter().any(|word| is_bad(&word)))
    })
}

/// Both ends of a pipe are started at once, in either order: nanoseconds in which the one that prints may come later.
const PIPE: u64 = 50_000_000;

/// Files that the command read beside the runs, and which of them are what runs printed.
struct Beside<'a> {
    /// By path: their text, without white space at the end.
    texts: HashMap<&'a Path, Vec<u8>>,
    /// The endings of files that were what a run printed whose input has the same name but for the ending.
    endings: BTreeSet<OsString>,
}

impl<'a> Beside<'a> {
    fn of(observation: &'a Observation) -> Self {
        let mut texts = HashMap::new();
        for read in observation.given() {
            let Some(copy) = &read.content else { continue };
            if fs::metadata(copy).is_ok_and(|meta| meta.len() <= MOST)
                && let Ok(text) = fs::read(copy)
            {
                texts.entry(read.path.as_path()).or_insert(text);
            }
        }
        let mut beside = Self { texts, endings: BTreeSet::new() };
        let endings = observation.runs.iter().flat_map(|run| {
            let same = |path: &&&Path| {
                beside.texts.get(**path).is_some_and(|text| text.trim_ascii_end() == run.stdout.trim_ascii_end())
            };
            let named = beside.named(run);
            named.iter().filter(same).map(|path| ending(path)).collect::<Vec<_>>()
        });
        beside.endings = endings.collect();
        beside
    }

    /// Files with the name of one that the run was given, but for the ending.
    fn named(&self, run: &ObservedRun) -> Vec<&'a Path> {
        let given: BTreeSet<PathBuf> = run.inputs();
        let stems: BTreeSet<&OsStr> = given.iter().filter_map(|path| path.file_stem()).collect();
        let other =
            |path: &&&'a Path| path.file_stem().is_some_and(|stem| stems.contains(stem)) && !given.contains(**path);
        self.texts.keys().filter(other).copied().collect()
    }

    /// The text that must be printed: the file that is it already, or the only one that is called as those of other runs are.
    fn expected(&self, run: &ObservedRun) -> Option<(PathBuf, Vec<u8>)> {
        let mut named = self.named(run);
        named.retain(|path| self.endings.contains(&ending(path)));
        let [path] = named[..] else { return None };
        let text = &self.texts[path];
        let same = text.trim_ascii_end() == run.stdout.trim_ascii_end();
        // Shells and scripts compare without what ends the last line.
        Some((path.to_owned(), if same { run.stdout.clone() } else { text.clone() }))
    }
}

fn ending(path: &Path) -> OsString {
    path.extension().unwrap_or_default().to_owned()
}

impl ObservedRun {
    /// The files that it was given: those that it read and had not made, its standard input, and what its arguments name.
    pub fn inputs(&self) -> BTreeSet<PathBuf> {
        let read = self.reads.iter().filter(|read| !read.made).map(|read| read.path.clone());
        let named =
            self.args.iter().map(|arg| crate::log::normal(&self.folder.join(arg))).filter(|path| path.is_file());
        read.chain(self.stdin_path.clone()).chain(named).filter(|path| !self.made.contains(path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_text_is_divided_among_those_who_printed() {
        let all = |printed: &[&str], expected: &str| {
            let printed: Vec<&[u8]> = printed.iter().map(|text| text.as_bytes()).collect();
            let text = |part: Option<Vec<u8>>| part.map(|part| String::from_utf8(part).expect("UTF-8"));
            divided(&printed, expected.as_bytes()).into_iter().map(text).collect::<Vec<_>>()
        };
        let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
        assert_eq!(all(&["a\n"], "b\nc\n"), some(&["b\nc\n"]));
        assert_eq!(all(&["a\n", "b\nc\n", "d\n"], "a\nx\nc\ny\n"), some(&["a\n", "x\nc\n", "y\n"]));
        assert_eq!(all(&["a\n", "b\n", "d\n"], "a\nx\ny\nd\n"), some(&["a\n", "x\ny\n", "d\n"]));
        let [first, second, third, last] = &all(&["a\n", "b\n", "c\n", "d\n"], "a\nx\nd\n")[..] else { panic!("four") };
        assert_eq!((first.as_deref(), last.as_deref()), (Some("a\n"), Some("d\n")));
        assert_eq!((second, third), (&None, &None));
    }

    #[test]
    fn a_command_may_say_that_tests_fail_and_end_well() {
        for said in ["not ok 3 - sums", "T.split: BAD: fields", "2 tests FAILED", "1 failed, 3 passed"] {
            assert!(says_that_tests_fail(said.as_bytes(), true), "{said}");
        }
        for said in ["ok 3 - sums", "# FAIL:  0", "0 failed, 3 passed", "not ok 4 - later # TODO", "no test failed"] {
            assert!(!says_that_tests_fail(said.as_bytes(), true), "{said}");
        }
        // It says by its own end which of its parts went wrong.
        assert!(!says_that_tests_fail(b"2 tests FAILED", false) && says_that_tests_fail(b"not ok 1", false));
    }
}
