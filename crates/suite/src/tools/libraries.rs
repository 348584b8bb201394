//! Where programs of Rust find the libraries that are loaded when they start.

use std::path::{Path, PathBuf};

use super::Lister;

/// Where the toolchain keeps the libraries that the tests of a procedural macro are linked with; `None` where it does not say so.
pub(super) fn of_rust(lister: &Lister<'_>, folder: &Path) -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = lister.answer(Path::new(&rustc), &["--print", "target-libdir"], folder).ok()?;
    Some(folder.trim().to_owned()).filter(|folder| !folder.is_empty())
}

/// The variable that says where libraries are looked for: in these folders, in Rust's own, and where they are looked for anyway.
pub(super) fn search_path(own: &[PathBuf], rust: Option<&str>) -> (String, String) {
    let own = own.iter().map(|folder| folder.display().to_string());
    let inherited = std::env::var("LD_LIBRARY_PATH").ok().filter(|inherited| !inherited.is_empty());
    let folders: Vec<String> = own.chain(rust.map(str::to_owned)).chain(inherited).collect();
    ("LD_LIBRARY_PATH".to_owned(), folders.join(":"))
}
