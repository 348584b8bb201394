//! What is made once and taken again: files that linkers and kernels read, each with a description beside it that has its
//! hash. What is not as described is made again.

use std::{
    fs,
    path::{Path, PathBuf},
};

use whydunit_face::store::{self, Store};
use whydunit_sealed::Format;

use crate::Error;

const DESCRIPTION: Format = Format { kind: "made", version: 1 };

/// Where an object's description lies.
pub(super) fn beside(made: &Path) -> PathBuf {
    made.with_added_extension("made")
}

/// Describes a file that was made: its hash, and words about it.
pub(super) fn describe(store: &Store, made: &Path, description: &Path, words: &str) -> Result<(), Error> {
    let hash = store::hash(&fs::read(made).map_err(Error::io(made))?);
    Ok(store.write(description, &DESCRIPTION.seal(format!("{hash}\n{words}").as_bytes()))?)
}

/// The words about a file that is as it was made; `None` where it or its description is gone or damaged.
pub(super) fn described(made: &Path, description: &Path) -> Option<String> {
    let text = fs::read(description).ok()?;
    let text = str::from_utf8(DESCRIPTION.open(&text).ok()?).ok()?;
    let (hash, words) = text.split_once('\n')?;
    (store::hash(&fs::read(made).ok()?) == hash).then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_as_described_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join(".whydunit")).unwrap();
        let (made, description) = (folder.path().join("a.o"), folder.path().join("a.o.made"));
        assert_eq!(beside(&made), description);
        assert_eq!(described(&made, &description), None);
        fs::write(&made, "code").unwrap();
        describe(&store, &made, &description, "one\ntwo").unwrap();
        assert_eq!(described(&made, &description).as_deref(), Some("one\ntwo"));
        for path in [&made, &description] {
            let whole = fs::read(path).unwrap();
            for at in 0..whole.len() {
                let mut changed = whole.clone();
                changed[at] ^= 4;
                fs::write(path, changed).unwrap();
                assert_eq!(described(&made, &description), None, "{} at {at}", path.display());
                fs::write(path, &whole[..at]).unwrap();
                assert_eq!(described(&made, &description), None, "{} cut at {at}", path.display());
            }
            fs::write(path, whole).unwrap();
        }
        assert!(described(&made, &description).is_some());
    }
}
