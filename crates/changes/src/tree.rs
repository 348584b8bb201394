//! A version of a project: its files with their contents.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use crate::Error;

/// So many bytes a version may have.
pub(crate) const MOST_BYTES: u64 = 1 << 30;

/// Programs, objects and archives begin like this. A folder that is no repository has those of its last build: they are laid
/// out older than all sources, as no order in which files are written says which was made of which.
const MADE: [&[u8]; 2] = [b"\x7fELF", b"!<arch>\n"];
/// The beginning of 1980, since 1970: the oldest date that archives know.
const LONG_AGO: Duration = Duration::from_secs(315_532_800);

/// The file by which a folder says that it is a cache, and how it begins (Cache Directory Tagging Specification).
const CACHE: (&str, &[u8]) = ("CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55");

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// A file.
    Plain,
    /// One that can be executed.
    Executable,
    /// A symbolic link; the content is where it leads.
    Link,
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its content.
    pub bytes: Arc<[u8]>,
    /// What it is.
    pub mode: Mode,
}

/// Files by path: relative, with `/`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tree {
    /// By path.
    pub files: BTreeMap<String, File>,
}

impl Tree {
    /// The files of a folder; of those for which `leave` says so, and below such folders, nothing is read, and nothing of folders
    /// that say that they are caches ([`CACHE`]): cargo would take what it built elsewhere for what it builds here.
    pub fn of_folder(folder: &Path, leave: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let mut tree = Self::default();
        let (mut bytes, mut open) = (0, vec![String::new()]);
        while let Some(below) = open.pop() {
            let here = folder.join(&below);
            if is_cache(&here) {
                continue;
            }
            for entry in fs::read_dir(&here).map_err(Error::io(&here))? {
                let entry = entry.map_err(Error::io(&here))?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = if below.is_empty() { name } else { format!("{below}/{name}") };
                if leave(&path) {
                    continue;
                }
                let kind = entry.file_type().map_err(Error::io(&entry.path()))?;
                if kind.is_dir() {
                    open.push(path);
                } else if kind.is_file() || kind.is_symlink() {
                    let file = read(&entry.path())?;
                    bytes += file.bytes.len() as u64;
                    if bytes > MOST_BYTES {
                        return Err(Error::TooLarge { what: folder.display().to_string(), limit: MOST_BYTES >> 20 });
                    }
                    tree.files.insert(path, file);
                }
            }
        }
        Ok(tree)
    }

    /// Adds the files of a tree below a folder.
    pub(crate) fn add(&mut self, folder: &str, tree: Tree) {
        self.files.extend(tree.files.into_iter().map(|(path, file)| (format!("{folder}/{path}"), file)));
    }

    /// The files of this list in a folder; what is not there is left out.
    pub fn of_files(folder: &Path, paths: impl Iterator<Item = String>) -> Result<Self, Error> {
        let (mut tree, mut bytes) = (Self::default(), 0);
        for path in paths {
            let full = folder.join(&path);
            let Ok(kind) = fs::symlink_metadata(&full) else { continue };
            if kind.is_file() || kind.is_symlink() {
                let file = read(&full)?;
                bytes += file.bytes.len() as u64;
                if bytes > MOST_BYTES {
                    return Err(Error::TooLarge { what: folder.display().to_string(), limit: MOST_BYTES >> 20 });
                }
                tree.files.insert(path, file);
            }
        }
        Ok(tree)
    }

    /// Makes a folder, which holds `before`, hold this version: only what differs is written, what is gone is removed, and
    /// other files (what builds made) stay. The paths that were written or removed.
    pub fn lay_out(&self, folder: &Path, before: &Tree) -> Result<Vec<String>, Error> {
        let mut touched = Vec::new();
        for path in before.files.keys().filter(|path| !self.files.contains_key(*path)) {
            let full = folder.join(path);
            match fs::remove_file(&full) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&full)(error)),
                _ => touched.push(path.clone()),
            }
        }
        for (path, file) in self.files.iter().filter(|(path, file)| before.files.get(*path) != Some(file)) {
            if !self.is_inside(path) {
                return Err(Error::Outside { file: path.clone() });
            }
            write(&folder.join(path), file)?;
            touched.push(path.clone());
        }
        Ok(touched)
    }

    /// Whether a folder holds this version. Programs, objects and archives may have been made anew.
    pub fn lies_in(&self, folder: &Path) -> bool {
        let is_made = |file: &File| MADE.iter().any(|magic| file.bytes.starts_with(magic));
        self.files.iter().all(|(path, file)| {
            read(&folder.join(path)).is_ok_and(|found| found == *file || is_made(&found) && is_made(file))
        })
    }

    /// Whether a path leads nowhere but below the folder: patches can name any file, and any link on the way to it.
    fn is_inside(&self, path: &str) -> bool {
        let is_link = |above: &&Path| {
            above.to_str().and_then(|above| self.files.get(above)).is_some_and(|file| file.mode == Mode::Link)
        };
        let path = Path::new(path);
        path.components().all(|part| matches!(part, Component::Normal(name) if name != ".git"))
            && !path.ancestors().skip(1).any(|above| is_link(&above))
    }

    /// A hash of all paths, modes and contents, in hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for (path, file) in &self.files {
            hash.update(path.as_bytes()).update(&[0, file.mode as u8]);
            hash.update(&(file.bytes.len() as u64).to_le_bytes()).update(&file.bytes);
        }
        hash.finalize().to_hex().to_string()
    }
}

/// Whether a folder says that it is a cache.
fn is_cache(folder: &Path) -> bool {
    fs::read(folder.join(CACHE.0)).is_ok_and(|tag| tag.starts_with(CACHE.1))
}

fn read(path: &Path) -> Result<File, Error> {
    let kind = fs::symlink_metadata(path).map_err(Error::io(path))?;
    if kind.is_symlink() {
        let to = fs::read_link(path).map_err(Error::io(path))?;
        let bytes = std::os::unix::ffi::OsStrExt::as_bytes(to.as_os_str()).into();
        return Ok(File { bytes, mode: Mode::Link });
    }
    let mode = if kind.permissions().mode() & 0o100 != 0 { Mode::Executable } else { Mode::Plain };
    Ok(File { bytes: fs::read(path).map_err(Error::io(path))?.into(), mode })
}

/// A file is replaced as a whole: what is linked to the old one keeps it.
fn write(path: &Path, file: &File) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Error::io(parent))?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(path)(error)),
        _ => {}
    }
    if file.mode == Mode::Link {
        let to: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(&file.bytes);
        return symlink(PathBuf::from(to), path).map_err(Error::io(path));
    }
    fs::write(path, &file.bytes).map_err(Error::io(path))?;
    if MADE.iter().any(|magic| file.bytes.starts_with(magic)) {
        let written = fs::File::options().write(true).open(path).map_err(Error::io(path))?;
        written.set_modified(UNIX_EPOCH + LONG_AGO).map_err(Error::io(path))?;
    }
    let bits = if file.mode == Mode::Executable { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(bits)).map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_elsewhere() {
        let file = |text: &str, mode| File { bytes: text.as_bytes().into(), mode };
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("elsewhere");
        fs::create_dir_all(&outside).unwrap();
        let to = outside.to_str().unwrap();
        for files in [
            vec![("../elsewhere/x", file("", Mode::Plain))],
            vec![("here/../../elsewhere/x", file("", Mode::Plain))],
            vec![(&*format!("{to}/x"), file("", Mode::Plain))],
            vec![("link", file(to, Mode::Link)), ("link/x", file("", Mode::Plain))],
            vec![(".git/config", file("", Mode::Plain))],
        ] {
            let tree = Tree { files: files.into_iter().map(|(path, file)| (path.to_string(), file)).collect() };
            let laid = tree.lay_out(&folder.path().join("version"), &Tree::default());
            assert!(matches!(laid, Err(Error::Outside { .. })), "{tree:?}");
            assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        }
    }

    #[test]
    fn what_was_built_is_older_than_what_it_was_built_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |bytes: &[u8]| File { bytes: bytes.into(), mode: Mode::Plain };
        let built = [("a.o", MADE[0]), ("liba.a", MADE[1])].map(|(path, magic)| (path.to_owned(), file(magic)));
        let mut tree = Tree { files: built.into() };
        tree.files.insert("ELF.c".to_owned(), file(b"int main(void) { return 0; }\n"));
        tree.lay_out(folder.path(), &Tree::default()).expect("laid out");
        let time =
            |path: &str| fs::metadata(folder.path().join(path)).and_then(|data| data.modified()).expect("a time");
        assert!(time("a.o") < time("ELF.c") && time("liba.a") < time("ELF.c"));
        assert!(time("ELF.c").elapsed().is_ok_and(|age| age < Duration::from_secs(3600)));
    }

    #[test]
    fn a_folder_holds_a_version_until_a_file_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |bytes: &[u8]| File { bytes: bytes.into(), mode: Mode::Plain };
        let files = [("a.c", &b"int a;\n"[..]), ("d/a.o", MADE[0])].map(|(path, bytes)| (path.to_owned(), file(bytes)));
        let tree = Tree { files: files.into() };
        assert!(!tree.lies_in(folder.path()));
        tree.lay_out(folder.path(), &Tree::default()).expect("laid out");
        assert!(tree.lies_in(folder.path()));
        fs::write(folder.path().join("d/a.o"), [MADE[0], &b"anew"[..]].concat()).expect("a file");
        assert!(tree.lies_in(folder.path()));
        fs::write(folder.path().join("a.c"), b"int b;\n").expect("a file");
        assert!(!tree.lies_in(folder.path()));
    }
}
