//! Files with a patch applied.

use whydunit_changes::{File, Mode, Tree};

/// Files with a patch applied, by name in order; the error is a sentence.
pub fn patched(
    files: impl Iterator<Item = (String, String)>,
    patch: &str,
) -> Result<impl Iterator<Item = (String, String)>, String> {
    let file = |text: String| File { bytes: text.into_bytes().into(), mode: Mode::Plain };
    let tree = Tree { files: files.map(|(name, text)| (name, file(text))).collect() };
    let patched = tree.with_patch(patch).map_err(|error| error.to_string())?;
    let text = |file: File| String::from_utf8_lossy(&file.bytes).into_owned();
    Ok(patched.files.into_iter().map(move |(name, file)| (name, text(file))))
}
