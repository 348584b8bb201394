//! The store: the folder `.whydunit` of a project.
//!
//! ```text
//! version               layout number of this folder
//! .gitignore            `*`
//! optimised             there where code was captured optimised
//! lock                  held by a build, or by whoever makes flavours
//! faces/                links under the names of compilers and linkers, to the face program
//! faces/.real/NAME      link to the tool that NAME means
//! faces/.real/NAME.std  language standard that the tool has by default
//! bitcode/ID.bc         bitcode of a translation unit; ID is the hash of its content, 64 hexadecimal digits
//! units/ID.json         how it was compiled and from which files ([`crate::recipe::Unit`])
//! compiles/KEY.json     what a compile of this command, folder and source gave the last time
//! objects/HASH          inputs of links, each member of an archive for itself
//! links/ID.json         recipes ([`crate::recipe::Recipe`])
//! builds/NUMBER.jsonl   events of a build ([`crate::event::Event`]), NUMBER.log its output
//! models/ID.model       program models
//! spectra/ID.table      tables of spectrum counters
//! runtime/              libraries that flavours load
//! flavours/NAME/LINK    flavoured products; shared libraries are links into
//! flavours/NAME/lib/LINK/SONAME
//! flavours/NAME/objects, archives, stamps; what lies there is described beside it, with its hash
//! tmp/                  files being written
//! ```
//!
//! Everything is written to `tmp` and renamed, so readers see whole files and writers of the same content do not
//! disturb each other; only builds and the making of flavours exclude each other, by the lock.
//!
//! Everything that is read again has a checksum, which is looked at then: descriptions, models and tables are sealed
//! ([`whydunit_sealed`]), bitcode and objects are called after their content. What is damaged is removed, so that it is
//! made again, or its name is told ([`Error::Lost`]).

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use serde::{Serialize, de::DeserializeOwned};
use whydunit_sealed::Format;
pub use whydunit_sealed::hash;

use crate::{
    Error,
    recipe::{Recipe, Unit},
};

/// Number of the layout above.
pub const LAYOUT: u32 = 2;
/// How units are described.
const UNIT: Format = Format { kind: "unit", version: 1 };
/// How links are described.
const RECIPE: Format = Format { kind: "recipe", version: 1 };
/// Name of the folder in a project.
pub const FOLDER: &str = ".whydunit";

/// A store, by its path.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// The lock of a store; released when dropped.
pub struct Lock(#[allow(dead_code)] nix::fcntl::Flock<File>);

impl Store {
    /// The store at `root`, unchecked: for faces, which a checked build started.
    pub fn at(root: impl Into<PathBuf>) -> Store {
        Store { root: root.into() }
    }

    /// Opens the store at `root`, which must exist and have our layout.
    pub fn open(root: &Path) -> Result<Store, Error> {
        let version = root.join("version");
        let found = match fs::read_to_string(&version) {
            Ok(text) => text.trim().to_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(Error::NoStore(root.to_owned())),
            Err(error) => return Err(Error::Io(version, error)),
        };
        if found != LAYOUT.to_string() {
            return Err(Error::Layout { path: root.to_owned(), found });
        }
        Ok(Store { root: fs::canonicalize(root).map_err(Error::io(root))? })
    }

    /// Opens the store at `root`, or makes it.
    pub fn create(root: &Path) -> Result<Store, Error> {
        if !root.join("version").exists() {
            fs::create_dir_all(root).map_err(Error::io(root))?;
            let new = Store { root: fs::canonicalize(root).map_err(Error::io(root))? };
            fs::create_dir_all(new.tmp()).map_err(Error::io(new.tmp()))?;
            new.write(&new.root.join(".gitignore"), b"*\n")?;
            new.write(&new.root.join("version"), format!("{LAYOUT}\n").as_bytes())?;
        }
        let store = Store::open(root)?;
        for folder in
            ["tmp", "faces", "bitcode", "units", "compiles", "objects", "links", "builds", "models", "spectra"]
        {
            let path = store.root.join(folder);
            fs::create_dir_all(&path).map_err(Error::io(path))?;
        }
        Ok(store)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// The project's folder around it.
    pub fn project(&self) -> &Path {
        self.root.parent().unwrap_or(&self.root)
    }
    /// Where files are being written.
    pub fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }
    /// Links that stand first in PATH during a build.
    pub fn faces(&self) -> PathBuf {
        self.root.join("faces")
    }
    /// What clang reads in the place of some headers of libstdc++; there is none where that is not known.
    pub fn header_overlay(&self) -> PathBuf {
        self.faces().join(".headers.yaml")
    }
    /// Bitcode of a unit.
    pub fn bitcode(&self, id: &str) -> PathBuf {
        self.root.join("bitcode").join(format!("{id}.bc"))
    }
    /// The folder with descriptions of units.
    pub fn units(&self) -> PathBuf {
        self.root.join("units")
    }
    /// Whether any source was ever captured.
    pub fn has_units(&self) -> bool {
        fs::read_dir(self.units()).is_ok_and(|mut units| units.next().is_some())
    }
    /// Description of a unit.
    pub fn unit(&self, id: &str) -> PathBuf {
        self.units().join(format!("{id}.json"))
    }
    /// Outcome of an earlier compile.
    pub fn compile(&self, key: &str) -> PathBuf {
        self.root.join("compiles").join(format!("{key}.json"))
    }
    /// An input of a link.
    pub fn object(&self, hash: &str) -> PathBuf {
        self.root.join("objects").join(hash)
    }
    /// Folder of the recipes.
    pub fn links(&self) -> PathBuf {
        self.root.join("links")
    }
    /// A recipe.
    pub fn link(&self, id: &str) -> PathBuf {
        self.links().join(format!("{id}.json"))
    }
    /// Events of a build.
    pub fn build_events(&self, build: &str) -> PathBuf {
        self.root.join("builds").join(format!("{build}.jsonl"))
    }
    /// Output of a build.
    pub fn build_log(&self, build: &str) -> PathBuf {
        self.root.join("builds").join(format!("{build}.log"))
    }
    /// Program model of a unit.
    pub fn model(&self, id: &str) -> PathBuf {
        self.root.join("models").join(format!("{id}.model"))
    }
    /// Table of a unit's spectrum counters.
    pub fn spectrum_table(&self, id: &str) -> PathBuf {
        self.root.join("spectra").join(format!("{id}.table"))
    }
    /// Folder of a flavour: the products by link id.
    pub fn flavour(&self, name: &str) -> PathBuf {
        self.root.join("flavours").join(name)
    }
    /// Folder of the libraries that flavours load.
    pub fn runtime(&self) -> PathBuf {
        self.root.join("runtime")
    }

    /// A path below `tmp` that nobody else uses.
    pub fn temporary(&self, suffix: &str) -> PathBuf {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
        self.tmp().join(format!("{}-{count}-{nanos}{suffix}", std::process::id()))
    }

    /// Writes a file of the store whole or not at all.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let temporary = self.temporary("");
        let written = File::create(&temporary).and_then(|mut file| file.write_all(bytes));
        if let Err(error) = written {
            let _ = fs::remove_file(&temporary);
            return Err(Error::Io(temporary, error));
        }
        self.rename(&temporary, path)
    }

    /// Moves a finished file to its place.
    pub fn rename(&self, temporary: &Path, path: &Path) -> Result<(), Error> {
        fs::rename(temporary, path).map_err(|error| {
            let _ = fs::remove_file(temporary);
            Error::Io(path.to_owned(), error)
        })
    }

    /// Keeps the content of an input of a link; gives its hash.
    pub fn keep(&self, bytes: &[u8]) -> Result<String, Error> {
        let hash = hash(bytes);
        self.keep_content(&self.object(&hash), bytes)?;
        Ok(hash)
    }

    /// Keeps a content in the file that is called after it; one that is damaged is written again.
    pub(crate) fn keep_content(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let same_length = || fs::metadata(path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64);
        let is_there = same_length() && fs::read(path).is_ok_and(|known| known == bytes);
        if is_there { Ok(()) } else { self.write(path, bytes) }
    }

    /// The content of a file that is called after it: an object, bitcode.
    pub fn content(&self, path: &Path, hash: &str) -> Result<Vec<u8>, Error> {
        let bytes = read(path)?;
        if self::hash(&bytes) == hash { Ok(bytes) } else { Err(remove_damaged(path)) }
    }

    /// Describes a unit.
    pub fn describe_unit(&self, unit: &Unit) -> Result<(), Error> {
        self.write_sealed(&self.unit(&unit.id), UNIT, unit)
    }

    /// The description of a unit.
    pub fn described_unit(&self, id: &str) -> Result<Unit, Error> {
        read_sealed(&self.unit(id), UNIT)
    }

    /// Keeps what a compile gave.
    pub fn keep_compile(&self, key: &str, unit: &Unit) -> Result<(), Error> {
        self.write_sealed(&self.compile(key), UNIT, unit)
    }

    /// What an earlier compile gave, where all that it made is still there.
    pub fn known_compile(&self, key: &str) -> Option<Unit> {
        let unit: Unit = read_sealed(&self.compile(key), UNIT).ok()?;
        let is_there = self.bitcode(&unit.id).exists() && self.described_unit(&unit.id).is_ok();
        is_there.then_some(unit)
    }

    /// Keeps a recipe.
    pub fn keep_recipe(&self, recipe: &Recipe) -> Result<(), Error> {
        self.write_sealed(&self.link(&recipe.id), RECIPE, recipe)
    }

    /// A recipe.
    pub fn recipe(&self, id: &str) -> Result<Recipe, Error> {
        read_sealed(&self.link(id), RECIPE)
    }

    fn write_sealed(&self, path: &Path, format: Format, value: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_vec(value).map_err(|error| Error::Io(path.to_owned(), error.into()))?;
        self.write(path, &format.seal(&text))
    }

    /// Removes what killed writers left. Only for the holder of the lock.
    pub fn sweep(&self, _: &Lock) {
        for entry in fs::read_dir(self.tmp()).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Waits for the lock; `waiting` is called once if somebody else has it.
    pub fn lock(&self, waiting: impl FnOnce()) -> Result<Lock, Error> {
        use nix::fcntl::{Flock, FlockArg};
        let path = self.root.join("lock");
        let file = File::create(&path).map_err(Error::io(&path))?;
        let file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => return Ok(Lock(lock)),
            Err((file, _)) => file,
        };
        waiting();
        Flock::lock(file, FlockArg::LockExclusive).map(Lock).map_err(|(_, error)| Error::Io(path, error.into()))
    }
}

fn read_sealed<T: DeserializeOwned>(path: &Path, format: Format) -> Result<T, Error> {
    let bytes = read(path)?;
    let value = format.open(&bytes).ok().and_then(|text| serde_json::from_slice(text).ok());
    value.ok_or_else(|| remove_damaged(path))
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::Lost { path: path.to_owned(), how: "is not there".into() },
        _ => Error::Io(path.to_owned(), error),
    })
}

/// Removes a damaged file: what can be made again is made where it is not there.
fn remove_damaged(path: &Path) -> Error {
    let how = match fs::remove_file(path) {
        Ok(()) => "was damaged and has been removed".into(),
        Err(error) => format!("is damaged and cannot be removed ({error})"),
    };
    Error::Lost { path: path.to_owned(), how }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_that_is_damaged_is_told_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join(FOLDER)).unwrap();
        let unit = Unit { id: hash(b"bitcode"), dropped: vec!["-x".into()], ..Unit::default() };
        store.describe_unit(&unit).unwrap();
        assert_eq!(store.described_unit(&unit.id).unwrap(), unit);
        let whole = fs::read(store.unit(&unit.id)).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(store.unit(&unit.id), changed).unwrap();
            let told = store.described_unit(&unit.id).unwrap_err().to_string();
            assert!(told.contains(&unit.id) && told.contains("build"), "{told}");
            assert!(!store.unit(&unit.id).exists());
        }
    }

    #[test]
    fn a_store_keeps_content_once_and_knows_its_layout() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(FOLDER);
        assert!(matches!(Store::open(&root), Err(Error::NoStore(_))));
        let store = Store::create(&root).unwrap();
        assert_eq!(fs::read_to_string(root.join(".gitignore")).unwrap(), "*\n");
        let one = store.keep(b"content").unwrap();
        assert_eq!(one, store.keep(b"content").unwrap());
        assert_eq!(fs::read(store.object(&one)).unwrap(), b"content");
        assert_eq!(fs::read_dir(store.tmp()).unwrap().count(), 0);
        // One that is damaged is told, and kept again.
        fs::write(store.object(&one), b"c0ntent").unwrap();
        assert!(store.content(&store.object(&one), &one).unwrap_err().to_string().contains(&one));
        fs::write(store.object(&one), b"c0ntent").unwrap();
        store.keep(b"content").unwrap();
        assert_eq!(store.content(&store.object(&one), &one).unwrap(), b"content");
        fs::write(root.join("version"), "77\n").unwrap();
        assert!(Store::open(&root).unwrap_err().to_string().contains("77"));
    }
}
