//! The runs that observers wrote down.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::folder::Folder;
use crate::log::{Log, Read, Started};
use crate::observer::{DESCRIPTION, Description, OPENED, STDIN, STDOUT};

/// A run of a program of the project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedRun {
    /// The program, as the project's build made it.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, without what is ours.
    pub env: Vec<(OsString, OsString)>,
    /// Where it ran.
    pub folder: PathBuf,
    /// What came from standard input; `None`: nothing, or nothing that can be written down.
    pub stdin: Option<Vec<u8>>,
    /// The file that standard input was.
    pub stdin_path: Option<PathBuf>,
    /// The file that standard output was.
    pub stdout_path: Option<PathBuf>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it printed on standard error is among it.
    pub mixed: bool,
    /// Its exit status.
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    pub(crate) processes: Vec<u32>,
    pub(crate) start: u64,
    pub(crate) reads: Vec<Read>,
    pub(crate) made: Vec<PathBuf>,
}

impl ObservedRun {
    /// Whether it was seen to its end.
    pub fn is_finished(&self) -> bool {
        self.status.is_some() || self.signal.is_some()
    }

    /// The files that it was given: those that it read and had not made, its standard input, and what its arguments name.
    pub fn inputs(&self) -> BTreeSet<PathBuf> {
        let read = self.reads.iter().filter(|read| !read.made).map(|read| read.path.clone());
        let named =
            self.args.iter().map(|arg| crate::log::normal(&self.folder.join(arg))).filter(|path| path.is_file());
        read.chain(self.stdin_path.clone()).chain(named).filter(|path| !self.made.contains(path)).collect()
    }

    fn read(place: &Path) -> Result<Self, Error> {
        let path = place.join(DESCRIPTION);
        let text = fs::read(&path).map_err(Error::io(&path))?;
        let Description { program, args, env, folder, stdin, stdout, mixed, processes, start, status, signal } =
            serde_json::from_slice(&text).map_err(|error| Error::Damaged(path, error))?;
        let log = Log::read(&place.join(OPENED));
        Ok(Self {
            program: OsString::from_vec(program).into(),
            args: args.into_iter().map(OsString::from_vec).collect(),
            env: env.into_iter().map(|(name, value)| (OsString::from_vec(name), OsString::from_vec(value))).collect(),
            folder: OsString::from_vec(folder).into(),
            stdin: fs::read(place.join(STDIN)).ok().filter(|bytes| !bytes.is_empty()),
            stdin_path: stdin.map(|path| OsString::from_vec(path).into()),
            stdout_path: stdout.map(|path| OsString::from_vec(path).into()),
            stdout: fs::read(place.join(STDOUT)).unwrap_or_default(),
            mixed,
            status,
            signal,
            processes,
            start,
            reads: log.reads,
            made: log.made,
        })
    }
}

/// All runs of an observation, in the order in which they began.
#[derive(Debug)]
pub struct Observation {
    /// They.
    pub runs: Vec<ObservedRun>,
    pub(crate) log: Log,
    root: PathBuf,
}

impl Observation {
    /// Reads a folder. The command has ended.
    pub fn read(folder: &Folder) -> Result<Self, Error> {
        let runs = folder.runs();
        let mut places: Vec<PathBuf> =
            fs::read_dir(&runs).map_err(Error::io(&runs))?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        // Their names begin with the time.
        places.sort();
        let described = places.iter().filter(|place| place.join(DESCRIPTION).exists());
        let runs = described.map(|place| ObservedRun::read(place)).collect::<Result<_, _>>()?;
        Ok(Self { runs, log: Log::read(&folder.log()), root: folder.root().to_owned() })
    }

    /// The processes that drove a run, the nearest one first: what each of them was executing, with its number.
    pub(crate) fn drivers(&self, run: &ObservedRun) -> Vec<(u32, &Started)> {
        let executing = |pid: &u32| Some((*pid, self.log.executing(*pid, run.start)?));
        // The first is the observer itself.
        run.processes.iter().skip(1).filter_map(executing).collect()
    }

    /// What processes of the command read, and none of them had made; without what is ours.
    pub(crate) fn given(&self) -> impl Iterator<Item = &Read> {
        self.log.reads.iter().filter(|read| !read.made && !read.path.starts_with(&self.root))
    }

    /// What the run is called after: the script that drove it, relative to the project, or the name of the program that did.
    pub fn driver(&self, run: &ObservedRun, project: &Path) -> String {
        let drivers = self.drivers(run);
        let script = drivers.iter().find_map(|(pid, started)| self.script(*pid, started));
        match script {
            Some(path) => path.strip_prefix(project).unwrap_or(&path).to_string_lossy().into_owned(),
            None => drivers.first().map_or_else(|| "run".into(), |(_, started)| started.name()),
        }
    }

    /// The script that an interpreter executes: it reads what its first argument names. `None` where its text is an argument itself.
    fn script(&self, pid: u32, started: &Started) -> Option<PathBuf> {
        let args = started.args.iter().skip(1);
        let given = |arg: &&Vec<u8>| arg.starts_with(b"-") && !arg.starts_with(b"--") && arg.ends_with(b"c");
        if args.clone().any(|arg| given(&arg)) {
            return None;
        }
        let first = args.into_iter().find(|arg| !arg.starts_with(b"-"))?;
        let name = Path::new(OsStr::from_bytes(first)).file_name()?;
        let mut own = self.log.reads.iter().filter(|read| read.pid == pid && read.at >= started.at);
        own.find(|read| read.path.file_name() == Some(name)).map(|read| read.path.clone())
    }
}

impl Started {
    /// The program's name, without a folder.
    pub(crate) fn name(&self) -> String {
        let path = self.args.first().map(|arg| Path::new(OsStr::from_bytes(arg)));
        path.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
    }
}
