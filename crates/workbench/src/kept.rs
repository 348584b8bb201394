//! The recordings that are kept: where they lie and how they are named.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whydunit_capture::Store;

use crate::Error;

/// Ending of a recording's file name.
const ENDING: &str = "rec";

/// A recording in a folder of recordings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Its name: of the test or program, with a number when the run had several processes.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    changed: SystemTime,
}

/// A folder of recordings.
#[derive(Clone, Debug)]
pub struct Recordings {
    folder: PathBuf,
}

impl Recordings {
    /// Those of a project.
    pub fn of(store: &Store) -> Self {
        Self { folder: store.root().join("recordings") }
    }

    /// Those of any folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder where it is not there.
    pub fn create(&self) -> Result<(), Error> {
        fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))
    }

    /// The file of process number `number` (from 1) of the run `name`.
    pub fn path(&self, name: &str, number: usize) -> PathBuf {
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.+=@".contains(c) { c } else { '_' }).collect();
        // A name must stay inside the folder and within what file systems take.
        let plain = plain.trim_start_matches('.').chars().take(120).collect::<String>();
        let plain = if plain.is_empty() { "run".into() } else { plain };
        let file = if number <= 1 { format!("{plain}.{ENDING}") } else { format!("{plain}.{number}.{ENDING}") };
        self.folder.join(file)
    }

    /// Removes what an earlier run of this name left, except `new`.
    pub fn clear(&self, name: &str, new: &[PathBuf]) -> Result<(), Error> {
        let first = self.path(name, 1);
        let stem = first.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        for kept in self.all()? {
            let rest = kept.name.strip_prefix(&stem).unwrap_or("no");
            let numbered = rest.strip_prefix('.').is_some_and(|number| number.parse::<usize>().is_ok());
            if (rest.is_empty() || numbered) && !new.contains(&kept.path) {
                fs::remove_file(&kept.path).map_err(Error::io(&kept.path))?;
            }
        }
        Ok(())
    }

    /// All, the latest first.
    pub fn all(&self) -> Result<Vec<Kept>, Error> {
        let mut found = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(Error::io(&self.folder)(error)),
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == ENDING)
                && let Some(name) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
            {
                let changed = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                found.push(Kept { name, path, changed });
            }
        }
        found.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
        Ok(found)
    }

    /// The recordings of the run that `asked` names as [`find`](Self::find) takes it, one a process, the first process first; only that
    /// of one process where its number is in the name.
    pub fn find_run(&self, asked: Option<&str>) -> Result<Vec<PathBuf>, Error> {
        let path = self.find(asked)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (name, number) = match numbered(&stem) {
            Some(_) if asked.is_some() => return Ok(vec![path]),
            Some(parts) => parts,
            None => (&stem[..], 1),
        };
        let all = self.all()?;
        let place = |kept: &Kept| match kept.name.strip_prefix(name)? {
            "" => Some(1),
            rest => rest.strip_prefix('.')?.parse::<usize>().ok(),
        };
        let mut found: Vec<(usize, PathBuf)> =
            all.into_iter().filter_map(|kept| Some((place(&kept)?, kept.path))).collect();
        if !found.contains(&(number, path.clone())) {
            return Ok(vec![path]);
        }
        found.sort();
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// The recording that `asked` names: a path, a name, or the latest where nothing is asked for.
    pub fn find(&self, asked: Option<&str>) -> Result<PathBuf, Error> {
        let all = self.all()?;
        let Some(asked) = asked else {
            return all.into_iter().next().map(|kept| kept.path).ok_or(Error::NothingKept);
        };
        if let Some(kept) = all.iter().find(|kept| kept.name == asked) {
            return Ok(kept.path.clone());
        }
        let (path, named) = (Path::new(asked), self.path(asked, 1));
        // Tests are often called after files of theirs.
        let is_recording = path.extension().is_some_and(|ending| ending == ENDING);
        if named.is_file() && !(is_recording && path.is_file()) {
            return Ok(named);
        }
        if path.is_file() && !is_program(path) {
            return Ok(path.to_owned());
        }
        // The program that was run, or a path below another folder: as they are printed when a run is recorded.
        let last = if is_recording { path.file_stem() } else { path.file_name() };
        let last = last.and_then(|name| name.to_str());
        if let Some(kept) = all.iter().find(|kept| last == Some(kept.name.as_str())) {
            return Ok(kept.path.clone());
        }
        if all.is_empty() {
            return Err(Error::NothingKept);
        }
        let names: Vec<&str> = all.iter().take(8).map(|kept| kept.name.as_str()).collect();
        Err(Error::NoRecording { name: asked.into(), known: names.join(", ") })
    }
}

/// The name of a run and the number of the process, where the name of a recording has one.
fn numbered(stem: &str) -> Option<(&str, usize)> {
    let (name, number) = stem.rsplit_once('.')?;
    Some((name, number.parse().ok()?))
}

/// Whether a file is a program, and so no recording.
fn is_program(path: &Path) -> bool {
    let mut begin = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut begin));
    read.is_ok() && &begin == b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder_and_are_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let recordings = Recordings::at(folder.path());
        let odd = recordings.path("../a b/c", 1);
        assert_eq!(odd.parent(), Some(folder.path()));
        fs::write(&odd, "x").expect("a file");
        fs::write(recordings.path("t1", 2), "x").expect("a file");
        fs::write(recordings.path("t1", 1), "x").expect("a file");
        fs::write(recordings.path("t10", 1), "x").expect("a file");
        assert_eq!(recordings.find(Some("../a b/c")).expect("found"), odd);
        let run = |asked: Option<&str>| recordings.find_run(asked).expect("found");
        assert_eq!(run(Some("t1")), [recordings.path("t1", 1), recordings.path("t1", 2)]);
        assert_eq!(run(Some("t1.2")), [recordings.path("t1", 2)]);
        assert_eq!(run(Some("t10")), [recordings.path("t10", 1)]);
        assert!(recordings.find(Some("t2")).is_err());
        let named = |asked: &str| recordings.find(Some(asked)).expect("found");
        assert_eq!(named("elsewhere/recordings/t10.rec"), recordings.path("t10", 1));
        let program = folder.path().join("sub");
        fs::create_dir(&program).expect("a folder");
        fs::write(program.join("t10"), b"\x7fELF\x02").expect("a program");
        assert_eq!(named(program.join("t10").to_str().expect("text")), recordings.path("t10", 1));
        recordings.clear("t1", &[recordings.path("t1", 1)]).expect("cleared");
        assert!(recordings.path("t1", 1).exists() && !recordings.path("t1", 2).exists());
        recordings.clear("t1", &[]).expect("cleared");
        let mut names: Vec<String> = recordings.all().expect("a list").into_iter().map(|kept| kept.name).collect();
        names.sort();
        assert_eq!(names, ["_a_b_c", "t10"]);
        // What tests are called is often a file as well.
        let (file, own) = (folder.path().join("t10"), folder.path().join("own.rec"));
        fs::write(&file, "x").expect("a file");
        fs::write(&own, "x").expect("a file");
        assert_eq!(recordings.find(file.to_str()).expect("found"), file);
        assert_eq!(recordings.find(own.to_str()).expect("found"), own);
        let none = Recordings::at(folder.path().join("none"));
        assert!(matches!((none.find(None), none.find(Some("t1"))), (Err(Error::NothingKept), Err(Error::NothingKept))));
    }
}
