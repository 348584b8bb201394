//! What programs under a command compared with what runs printed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::observation::{Observation, ObservedRun};

/// Programs that compare two files.
const COMPARERS: &[&str] = &["diff", "cmp", "git", "colordiff"];
/// Both ends of a pipe are started at once, in either order: nanoseconds in which the one that prints may come later.
const PIPE: u64 = 50_000_000;

/// What the output of a run was compared with.
pub(super) enum Compared {
    /// This file, and found the same, as far as the program looks: some leave white space or case out.
    Same(PathBuf),
    /// This file, of which the text belongs to the run.
    With(PathBuf, Vec<u8>),
    /// A text that differs, and what of it belongs to the run does not show.
    Otherwise,
}

/// A file that was compared, with its text.
type Side = (PathBuf, Vec<u8>);

/// What a program compared.
pub(super) struct Comparison {
    pid: u32,
    at: u64,
    end: u64,
    parent: u32,
    /// One side came through a pipe.
    piped: bool,
    files: Vec<Side>,
    /// It found no difference.
    same: bool,
}

impl Comparison {
    /// A side that is such a file, and the other one.
    fn sides(&self, such: impl Fn(&Side) -> bool) -> Option<(&Side, &Side)> {
        let [one, other] = &self.files[..] else { return None };
        // The same text on both sides: the second is the expected one as well as the first.
        [(one, other), (other, one)].into_iter().find(|(side, _)| such(side))
    }

    /// The file, where the other side is what this run printed into a pipe.
    fn piped_from(&self, run: &ObservedRun, runs: &[ObservedRun]) -> Option<&Side> {
        let [file] = &self.files[..] else { return None };
        // It ends after who prints; what starts later prints into another pipe.
        let latest = self.end.min(self.at + PIPE);
        let drives = |run: &&ObservedRun| run.processes.contains(&self.parent) && run.start <= latest;
        let nearest = runs.iter().filter(drives).max_by_key(|run| run.start)?;
        (self.piped && nearest.start == run.start).then_some(file)
    }

    /// That a file was compared, of which this text belongs to the run.
    fn with(&self, path: &Path, text: Vec<u8>) -> Compared {
        if self.same { Compared::Same(path.to_owned()) } else { Compared::With(path.to_owned(), text) }
    }
}

impl Observation {
    /// What programs compared, in the order of time.
    pub(super) fn comparisons(&self) -> Vec<Comparison> {
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
                    pid: *pid,
                    at: program.at,
                    end: self.log.end(*pid, program.at),
                    parent: program.parent,
                    piped: program.args.iter().any(|arg| is_pipe(arg)),
                    files,
                    same: self.log.status(*pid, program.at) == Some(0),
                });
            }
        }
        out.sort_by_key(|comparison| comparison.at);
        out
    }

    /// What the run's output was compared with: first by the file that it was printed to, alone or with other runs, then by the same text
    /// in a file that no run printed to. `None` where it was not.
    pub(super) fn compared(&self, comparisons: &[Comparison], run: &ObservedRun) -> Option<Compared> {
        let after = || comparisons.iter().filter(|comparison| comparison.at >= run.start);
        let anybodys = |path: &PathBuf| self.runs.iter().any(|run| run.stdout_path.as_ref() == Some(path));
        let same = |(path, text): &Side| !run.stdout.is_empty() && *text == run.stdout && !anybodys(path);
        let by_file = after().find_map(|comparison| {
            let (printed, other) = comparison.sides(|(path, _)| run.stdout_path.as_ref() == Some(path))?;
            if comparison.same {
                return Some(Compared::Same(other.0.clone()));
            }
            let part = self.part(printed, &other.1, run, comparison.at);
            Some(part.map_or(Compared::Otherwise, |part| comparison.with(&other.0, part)))
        });
        let by_text = || {
            after().find_map(|comparison| {
                let (_, (path, text)) = comparison.sides(same)?;
                Some(comparison.with(path, text.clone()))
            })
        };
        let by_pipe = || {
            comparisons.iter().find_map(|comparison| {
                let (path, text) = comparison.piped_from(run, &self.runs)?;
                let known = comparison.same || !self.is_filtered(run, comparison);
                Some(if known { comparison.with(path, text.clone()) } else { Compared::Otherwise })
            })
        };
        by_file.or_else(|| by_text().or_else(by_pipe))
    }

    /// Whether another program ran between a run and what it was compared by, which may have changed what it printed.
    fn is_filtered(&self, run: &ObservedRun, comparison: &Comparison) -> bool {
        let drives = |pid: u32| pid == comparison.parent || run.processes[1..].contains(&pid);
        let all = self.log.started.iter().flat_map(|(pid, started)| started.iter().map(move |it| (*pid, it)));
        let mut others =
            all.filter(|(pid, it)| !run.processes.contains(pid) && *pid != comparison.pid && drives(it.parent));
        others.any(|(pid, it)| it.at <= comparison.end && self.log.end(pid, it.at) >= run.start)
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
}

/// Whether an argument can mean a file: its last part is the same.
fn names(arg: &[u8], path: &Path) -> bool {
    Path::new(OsStr::from_bytes(arg)).file_name().is_some_and(|name| Some(name) == path.file_name())
}

/// Standard input, or a pipe that the shell made.
fn is_pipe(arg: &[u8]) -> bool {
    arg == b"-" || arg.starts_with(b"/dev/fd/") || arg.starts_with(b"/proc/self/fd/") || arg == b"/dev/stdin"
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
}
