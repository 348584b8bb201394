//! A run as a case: its input in a folder of its own.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_suite::{Case, Content};

use crate::log::normal;
use crate::observation::ObservedRun;

/// Variables that belong to where a run was, and not to what it was given.
const OF_THE_PLACE: &[&str] = &[
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "TMPDIR",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MAKE_TERMOUT",
    "MAKE_TERMERR",
];

/// Why a run is no case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Inexpressible {
    /// It was ended from outside, or goes on.
    #[error("not seen to their end")]
    Unfinished,
    /// Its arguments are no text.
    #[error("arguments that are not UTF-8")]
    Arguments,
    /// A file that it read is too large to keep, and no longer there.
    #[error("files that are no longer there")]
    Gone,
}

/// A run's input as a case, without what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// The case; paths in its arguments are relative to its folder.
    pub case: Case,
    /// What its environment has that this process' own has not, or has otherwise.
    pub env: BTreeMap<String, String>,
    /// Paths that were written otherwise, as they were and as they are.
    renamed: Vec<(String, String)>,
}

impl Draft {
    /// That of a run, under a name.
    pub fn of(run: &ObservedRun, name: String) -> Result<Self, Inexpressible> {
        if !run.is_finished() {
            return Err(Inexpressible::Unfinished);
        }
        let args: Option<Vec<String>> = run.args.iter().map(|arg| Some(arg.to_str()?.to_owned())).collect();
        let mut args = args.ok_or(Inexpressible::Arguments)?;
        let mut places = Places { folder: normal(&run.folder), files: BTreeMap::new(), renamed: Vec::new() };
        let known = |path: &Path| run.stdin_path.as_deref() != Some(path) && path != run.program;
        let inputs: Vec<PathBuf> = run.inputs().into_iter().filter(|path| known(path)).collect();
        for arg in &mut args {
            places.rewrite(arg, &inputs, run);
        }
        let mut files = BTreeMap::new();
        for path in inputs {
            let Some(name) = places.name(&path) else { continue };
            files.insert(name, Content::Inline(content(run, &path)?));
        }
        let stdin = run.stdin.clone().map(Content::Inline);
        let case = Case { name, args, stdin, files, ..Case::default() };
        Ok(Self { case, env: environment(run), renamed: places.renamed })
    }

    /// What the run printed, with the paths that the case has.
    pub fn renamed(&self, printed: &[u8]) -> Vec<u8> {
        // A short name stands in other words, too.
        let long = self.renamed.iter().filter(|(old, _)| old.contains('/'));
        long.fold(printed.to_vec(), |text, (old, new)| replaced(&text, old.as_bytes(), new.as_bytes()))
    }
}

fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(old.len()).position(|window| window == old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// What stood in a file when the run opened it, else what stands there.
fn content(run: &ObservedRun, path: &Path) -> Result<Vec<u8>, Inexpressible> {
    let kept = run.reads.iter().find(|read| read.path == path).and_then(|read| read.content.as_ref());
    kept.and_then(|copy| fs::read(copy).ok()).or_else(|| fs::read(path).ok()).ok_or(Inexpressible::Gone)
}

fn environment(run: &ObservedRun) -> BTreeMap<String, String> {
    let text = |value: &OsStr| value.to_str().map(str::to_owned);
    let other = run.env.iter().filter(|(name, value)| std::env::var_os(name).as_ref() != Some(value));
    let pairs = other.filter_map(|(name, value)| Some((text(name)?, text(value)?)));
    pairs.filter(|(name, _)| !OF_THE_PLACE.contains(&name.as_str())).collect()
}

/// Where the files of a run stand in the folder of its case.
struct Places {
    /// The run's.
    folder: PathBuf,
    /// Files and folders that lie elsewhere, with their names in the case's folder.
    files: BTreeMap<PathBuf, String>,
    renamed: Vec<(String, String)>,
}

impl Places {
    /// Where a file stands: as it lies in the run's folder, or under the name that it was given; `None` where no argument leads to it.
    fn name(&self, path: &Path) -> Option<String> {
        if let Ok(inside) = path.strip_prefix(&self.folder) {
            return inside.to_str().map(str::to_owned);
        }
        let (place, name) = self.files.iter().rfind(|(place, _)| path.starts_with(place))?;
        let rest = path.strip_prefix(place).ok()?.to_str()?;
        Some(if rest.is_empty() { name.clone() } else { format!("{name}/{rest}") })
    }

    /// Writes the path in an argument so that it leads there from the case's folder.
    fn rewrite(&mut self, arg: &mut String, inputs: &[PathBuf], run: &ObservedRun) {
        for start in starts(arg) {
            let written = arg[start..].to_owned();
            let path = normal(&self.folder.join(&written));
            let leads =
                inputs.iter().any(|input| input.starts_with(&path)) || run.made.contains(&path) || path.is_file();
            let stays = !written.starts_with('/') && !written.split('/').any(|part| part == "..");
            if written.is_empty() || !leads || path == self.folder || path.parent().is_none() {
                continue;
            }
            if stays {
                return;
            }
            let Some(name) = self.name(&path).or_else(|| self.give(&path)) else { return };
            arg.replace_range(start.., &name);
            self.renamed.push((written, name));
            return;
        }
    }

    /// A name for a file or folder from elsewhere: its own, with a number where that is taken.
    fn give(&mut self, path: &Path) -> Option<String> {
        let own = path.file_name()?.to_str()?;
        let taken = |name: &String| self.files.values().any(|other| other == name) || self.folder.join(name).exists();
        let numbered = (2..).map(|number| format!("{number}-{own}"));
        let name = std::iter::once(own.to_owned()).chain(numbered).find(|name| !taken(name))?;
        self.files.insert(path.to_owned(), name.clone());
        Some(name)
    }
}

/// Where a path can begin in an argument: `in.txt`, `--in=in.txt`, `-Iin`.
fn starts(arg: &str) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(arg.find('=').map(|at| at + 1));
    if arg.starts_with('-') && !arg.starts_with("--") && arg.is_char_boundary(2.min(arg.len())) {
        starts.push(2.min(arg.len()));
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Read;

    fn run(folder: &Path, args: &[&str], inputs: &[PathBuf]) -> ObservedRun {
        let read = |path: &PathBuf| Read { pid: 1, at: 1, path: path.clone(), content: None, made: false };
        ObservedRun {
            program: "/p".into(),
            args: args.iter().map(Into::into).collect(),
            env: vec![("PWD".into(), "/x".into()), ("WHYDUNIT_TEST_ONLY".into(), "1".into())],
            folder: folder.to_owned(),
            stdin: Some(b"in".to_vec()),
            stdin_path: None,
            stdout_path: None,
            stdout: Vec::new(),
            mixed: false,
            status: Some(0),
            signal: None,
            processes: vec![1],
            start: 1,
            reads: inputs.iter().map(read).collect(),
            made: vec!["/tmp/out.txt".into()],
        }
    }

    #[test]
    fn files_come_with_the_case_and_arguments_lead_to_them() {
        let root = tempfile::tempdir().expect("a folder");
        let place = root.path().canonicalize().expect("it is there");
        let here = place.join("build");
        for folder in ["build/sub", "data/more"] {
            fs::create_dir_all(place.join(folder)).expect("it is made");
        }
        let files = ["build/sub/a.txt", "data/b.txt", "data/more/c.txt"].map(|name| place.join(name));
        for file in &files {
            fs::write(file, "text").expect("it is written");
        }
        let whole = format!("--copy={}", files[0].display());
        let args = ["sub/a.txt", "../data/b.txt", "-I../data/more", &whole, "-o", "/tmp/out.txt", "../unknown", "3"];
        let draft = Draft::of(&run(&here, &args, &files), "one".into()).expect("it is a case");
        assert_eq!(
            draft.case.args,
            ["sub/a.txt", "b.txt", "-Imore", "--copy=sub/a.txt", "-o", "out.txt", "../unknown", "3"]
        );
        let names: Vec<&String> = draft.case.files.keys().collect();
        assert_eq!(names, ["b.txt", "more/c.txt", "sub/a.txt"]);
        assert_eq!(draft.env.keys().collect::<Vec<_>>(), ["WHYDUNIT_TEST_ONLY"]);
        assert_eq!(draft.renamed(b"../data/b.txt:1: bad"), b"b.txt:1: bad");
    }

    #[test]
    fn what_cannot_be_a_case_says_why() {
        let here = std::env::temp_dir();
        let unfinished = ObservedRun { status: None, ..run(&here, &[], &[]) };
        assert_eq!(Draft::of(&unfinished, "one".into()), Err(Inexpressible::Unfinished));
        let gone = run(&here, &["no-such-file"], &[here.join("no-such-file")]);
        assert_eq!(Draft::of(&gone, "one".into()), Err(Inexpressible::Gone));
    }
}
