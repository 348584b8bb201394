//! Versions out of a git repository, which is only read: `git` itself is asked, and told to take no locks.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::tree::MOST_BYTES;
use crate::{Error, File, Mode, Tree};

/// A repository, and the project's folder in it.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Where git is run.
    folder: PathBuf,
    /// The project's folder below the repository's, with a `/` at its end; empty where it is the same.
    prefix: String,
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// As asked.
    pub name: String,
    /// Its object's name.
    pub commit: String,
}

/// What a revision holds.
struct Entry {
    path: String,
    mode: Mode,
    /// `blob`, or `commit` for a submodule.
    kind: String,
    /// The object's name.
    id: String,
}

impl Repository {
    /// The one that a project's folder is in.
    pub fn of(project: &Path) -> Result<Self, Error> {
        let mut repository = Self { folder: project.to_path_buf(), prefix: String::new() };
        match repository.git(&["rev-parse", "--show-prefix"]) {
            Ok(prefix) => repository.prefix = String::from_utf8_lossy(&prefix).trim_end_matches('\n').to_string(),
            Err(Error::Git { .. }) => return Err(Error::NoRepository { folder: project.to_path_buf() }),
            Err(error) => return Err(error),
        }
        Ok(repository)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        // Nothing is fetched, nobody is asked, nothing is locked or refreshed.
        command.args(["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        command.arg("-C").arg(&self.folder).stdin(Stdio::null());
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn git(&self, args: &[&str]) -> Result<Vec<u8>, Error> {
        let output = self.command().args(args).output().map_err(Error::NoGit)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let message = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it failed").to_string();
        Err(Error::Git { command: args.join(" "), message })
    }

    /// The commit that a name stands for.
    pub fn revision(&self, name: &str) -> Result<Revision, Error> {
        let wanted = format!("{name}^{{commit}}");
        match self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]) {
            Ok(commit) => {
                Ok(Revision { name: name.to_string(), commit: String::from_utf8_lossy(&commit).trim().to_string() })
            }
            Err(Error::Git { .. }) => {
                Err(Error::NoRevision { revision: name.to_string(), folder: self.folder.clone() })
            }
            Err(error) => Err(error),
        }
    }

    /// Fails where two revisions have no common ancestor.
    pub fn related(&self, old: &Revision, new: &Revision) -> Result<(), Error> {
        match self.git(&["merge-base", &old.commit, &new.commit]) {
            Ok(_) => Ok(()),
            Err(Error::Git { .. }) => Err(Error::Unrelated { old: old.name.clone(), new: new.name.clone() }),
            Err(error) => Err(error),
        }
    }

    /// The commits after `old` up to `new` by first parents, the oldest first, `new` at the end.
    pub fn between(&self, old: &Revision, new: &Revision) -> Result<Vec<Revision>, Error> {
        let range = format!("{}..{}", old.commit, new.commit);
        let list = self.git(&["rev-list", "--reverse", "--first-parent", &range])?;
        let commits = String::from_utf8_lossy(&list);
        Ok(commits.lines().map(|commit| Revision { name: commit.into(), commit: commit.into() }).collect())
    }

    /// The first line of a commit's message.
    pub fn subject(&self, revision: &Revision) -> Result<String, Error> {
        let subject = self.git(&["log", "-1", "--format=%s", &revision.commit])?;
        Ok(String::from_utf8_lossy(&subject).trim().to_string())
    }

    /// The project's files in a revision, those of its submodules that are checked out among them.
    pub fn tree(&self, revision: &Revision) -> Result<Tree, Error> {
        let entries = self.entries(revision)?;
        let blobs = || entries.iter().filter(|entry| entry.kind == "blob");
        let mut tree = Tree::default();
        for Entry { path, id, .. } in entries.iter().filter(|entry| entry.kind == "commit") {
            let Some(module) = self.module(path) else { continue };
            let commit = module.revision(id).map_err(|_| Error::NoCommit {
                commit: id.clone(),
                revision: revision.name.clone(),
                submodule: path.clone(),
            })?;
            tree.add(path, module.tree(&commit)?);
        }
        if blobs().next().is_none() && tree.files.is_empty() {
            return Err(Error::Empty { revision: revision.name.clone(), folder: format!("/{}", self.prefix) });
        }
        let contents = self.contents(blobs().map(|entry| entry.id.as_str()), &revision.name)?;
        for Entry { path, mode, id, .. } in blobs() {
            if let Some(bytes) = contents.get(id) {
                tree.files.insert(path.clone(), File { bytes: bytes.clone(), mode: *mode });
            }
        }
        Ok(tree)
    }

    /// What the project's folder holds in a revision.
    fn entries(&self, revision: &Revision) -> Result<Vec<Entry>, Error> {
        let list =
            self.git(&["ls-tree", "-r", "-z", "--full-tree", &revision.commit, "--", self.prefix.as_str()].map(
                // Without a prefix all is meant.
                |arg| if arg.is_empty() { "." } else { arg },
            ))?;
        let entry = |line: &[u8]| -> Option<Entry> {
            let line = String::from_utf8_lossy(line);
            let (about, path) = line.split_once('\t')?;
            let mut about = about.split(' ');
            let (mode, kind, id) = (about.next()?, about.next()?, about.next()?);
            let mode = match mode {
                "100755" => Mode::Executable,
                "120000" => Mode::Link,
                _ => Mode::Plain,
            };
            Some(Entry { path: path.strip_prefix(&self.prefix)?.into(), mode, kind: kind.into(), id: id.into() })
        };
        Ok(list.split(|&byte| byte == 0).filter_map(entry).collect())
    }

    /// The repository of a submodule, where it is checked out.
    fn module(&self, path: &str) -> Option<Self> {
        let folder = self.folder.join(path);
        folder.join(".git").exists().then(|| Self { folder, prefix: String::new() })
    }

    /// The submodules of a revision that are not checked out: they have no files.
    pub fn absent(&self, revision: &Revision) -> Result<Vec<String>, Error> {
        let entries = self.entries(revision)?.into_iter();
        let absent = |entry: &Entry| entry.kind == "commit" && self.module(&entry.path).is_none();
        Ok(entries.filter(absent).map(|entry| entry.path).collect())
    }

    /// The contents of objects.
    pub(crate) fn contents<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
        what: &str,
    ) -> Result<BTreeMap<String, Arc<[u8]>>, Error> {
        let lost = |message: &str| Error::Git { command: "cat-file --batch".into(), message: message.into() };
        let mut child = self
            .command()
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Error::NoGit)?;
        let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(lost("it cannot be spoken to"));
        };
        let mut asked: Vec<String> = ids.map(String::from).collect();
        asked.sort_unstable();
        asked.dedup();
        let list = asked.join("\n") + "\n";
        let writer = std::thread::spawn(move || to.write_all(list.as_bytes()));
        let (mut from, mut out, mut bytes) = (BufReader::new(from), BTreeMap::new(), 0);
        let mut read = || -> Result<(), Error> {
            for id in &asked {
                let mut head = String::new();
                from.read_line(&mut head).map_err(|error| lost(&error.to_string()))?;
                let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
                let size = size.ok_or_else(|| lost(head.trim_end()))?;
                bytes += size;
                if bytes > MOST_BYTES {
                    return Err(Error::TooLarge { what: what.to_string(), limit: MOST_BYTES >> 20 });
                }
                let mut content = vec![0; size as usize + 1];
                from.read_exact(&mut content).map_err(|error| lost(&error.to_string()))?;
                content.pop();
                out.insert(id.clone(), content.into());
            }
            Ok(())
        };
        let done = read();
        if done.is_err() {
            child.kill().ok();
        }
        drop(from);
        writer.join().ok();
        child.wait().ok();
        done.map(|()| out)
    }

    /// The project's files as they are in the work tree now: what git tracks, and what it does not ignore.
    pub fn work_tree(&self) -> Result<Tree, Error> {
        let list = self.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let paths = list.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        let paths = paths.filter_map(|path| String::from_utf8(path.to_vec()).ok());
        let paths: Vec<String> = paths.filter(|path| !path.split('/').any(|part| part == ".whydunit")).collect();
        let mut tree = Tree::of_files(&self.folder, paths.iter().cloned())?;
        // Of a submodule only the folder is listed; of a repository that git does not know about, with a `/`.
        for path in paths.iter().filter(|path| !path.ends_with('/')) {
            if let Some(module) = self.module(path) {
                tree.add(path, module.work_tree()?);
            }
        }
        Ok(tree)
    }
}
