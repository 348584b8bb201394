//! A folder in which versions are laid out and built, one after the other.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use whydunit_changes::Tree;
use whydunit_process::{Cancel, Exit, Limits, Program, Stdin, Watch, run};
use whydunit_suite::{BuildHow, Config, compile};

use crate::{Error, depend, sow};

/// A build may take so long.
const BUILD: Duration = Duration::from_secs(3600);
/// So long one that runs tests, which need not end.
const WITH_TESTS: Duration = Duration::from_secs(60);
/// So much of what a compiler said is kept.
const SAID: usize = 16 << 20;

/// A folder, and what lies in it.
pub(crate) struct Bench {
    pub folder: PathBuf,
    /// None before the first version, and where it is not known.
    laid: Option<Tree>,
    /// The project, of which what cargo has built is copied before the first build.
    seed: Option<PathBuf>,
}

impl Bench {
    /// One in `folder`, which may be there from before and is emptied then.
    pub fn new(folder: &Path) -> Result<Self, Error> {
        emptied(folder)?;
        Ok(Self { folder: folder.canonicalize().map_err(Error::io(folder))?, laid: None, seed: None })
    }

    /// Says which project it is: what cargo has made there of other crates is not built once more.
    pub fn seed(&mut self, project: &Path) {
        self.seed = Some(project.to_path_buf());
    }

    /// Whether nothing was built in it yet.
    pub fn is_new(&self) -> bool {
        self.laid.is_none()
    }

    /// Makes the folder hold a version.
    pub fn lay(&mut self, version: &Tree) -> Result<(), Error> {
        // None where the folder holds nothing, or it is not known what.
        let before = self.laid.take().filter(|before| {
            let differs = |path: &&String| before.files.get(*path) != version.files.get(*path);
            !before.files.keys().chain(version.files.keys()).filter(differs).any(|path| depend::describes_build(path))
        });
        match before {
            Some(before) => {
                let touched = version.lay_out(&self.folder, &before)?;
                self.age(version, &touched)?;
            }
            None => {
                fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
                fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
                version.lay_out(&self.folder, &Tree::default())?;
                if let Some(project) = &self.seed {
                    sow(project, &self.folder, false).map_err(Error::io(&self.folder))?;
                }
            }
        }
        self.laid = Some(version.clone());
        Ok(())
    }

    /// Makes what includes touched files look as new as these.
    fn age(&self, version: &Tree, touched: &[String]) -> Result<(), Error> {
        let now = SystemTime::now();
        for path in depend::dependents(version, touched) {
            let path = self.folder.join(path);
            let file = fs::File::options().write(true).open(&path).map_err(Error::io(&path))?;
            file.set_modified(now).map_err(Error::io(&path))?;
        }
        Ok(())
    }

    /// Builds what lies in the folder; what the compiler said where that fails. It does not where everything of `made`, paths relative to
    /// the project, was made anew: the command runs tests then, and ends with an error because of them.
    pub fn build(&self, config: &Config, made: &[PathBuf], cancel: &Cancel) -> Result<Option<String>, Error> {
        for path in made {
            match fs::remove_file(self.folder.join(path)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(path)(error)),
                _ => {}
            }
        }
        let no_build = || Error::NoBuild { folder: self.folder.clone() };
        let mut args: Vec<OsString> = vec!["-c".into()];
        match &config.build.how {
            Some(BuildHow::Command(shell)) => args.push(shell.into()),
            Some(BuildHow::Sources { .. }) => {
                let compile = compile(config).map_err(Error::io(&self.folder))?;
                args.extend(["exec \"$@\"".into(), "sh".into()]);
                args.extend(compile.ok_or_else(no_build)?.command);
            }
            None => return Err(no_build()),
        }
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        // What does not compile says so of all files at once.
        if std::env::var_os("MAKEFLAGS").is_none() {
            env.push(("MAKEFLAGS".into(), "k".into()));
        }
        for (name, value) in config.build_environment() {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
        let program = Program {
            executable: "/bin/sh".into(),
            arg0: "sh".into(),
            args,
            env,
            folder: self.folder.clone(),
            randomise_addresses: true,
        };
        let time = if made.is_empty() { BUILD } else { WITH_TESTS };
        let limits = Limits { time: Some(time), memory: None, processes: None, file_size: None, ..Limits::default() };
        let ended = run(&program, Stdin::Null, &limits, Watch { cancel: Some(cancel), on_output: None })?;
        if ended.exit == Exit::Status(0) && ended.stop.is_none() {
            return Ok(None);
        }
        Error::of_cancelled(cancel)?;
        if !made.is_empty() && made.iter().all(|path| self.folder.join(path).is_file()) {
            return Ok(None);
        }
        let mut said = ended.stdout;
        said.extend(ended.stderr);
        let from = said.len().saturating_sub(SAID);
        Ok(Some(self.without_folder(&String::from_utf8_lossy(&said[from..]))))
    }

    /// A text in which paths begin where the version does.
    pub fn without_folder(&self, text: &str) -> String {
        let folder = self.folder.display();
        let text = text.replace(&format!("{folder}/"), "");
        text.strip_prefix(&format!("{folder}: ")).map(str::to_owned).unwrap_or(text)
    }
}

/// Makes a folder that holds nothing, whatever it held.
pub(crate) fn emptied(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(folder)(error)),
        _ => {}
    }
    fs::create_dir_all(folder).map_err(Error::io(folder))
}
