//! Rust's own library, which comes compiled, with bitcode in its objects: what of it formats values calls the program's code
//! back for every piece of text, and is recorded as code of the program.

use std::path::Path;

use crate::{
    archive::Member,
    context::Context,
    elf::Elf,
    recipe::{Code, Object, Unit},
    rust, store,
};

/// The crates that format: their files begin so.
const CRATES: &[&str] = &["libcore-", "liballoc-"];
/// Where rustc leaves the bitcode of an object.
const BITCODE: &str = ".llvmbc";
/// How bitcode begins.
const MAGIC: &[u8] = b"BC\xc0\xde";

/// Whether a file lies where Rust has its own library.
pub fn is_of_rust(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("lib") && folder.to_string_lossy().contains("/lib/rustlib/"))
}

/// Whether a file is a library of Rust's own of which a part is recorded.
pub fn is_recorded(path: &Path, members: &[Member]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let one = is_of_rust(path) && CRATES.iter().any(|start| name.starts_with(start));
    one && members.iter().any(|member| Elf::parse(&member.data).and_then(bitcode_in).is_some())
}

fn bitcode_in(object: Elf<'_>) -> Option<&[u8]> {
    object.section(BITCODE).filter(|bitcode| bitcode.starts_with(MAGIC))
}

/// Keeps a member of such a library, and its bitcode as a unit.
pub fn object(context: &Context, library: &Path, member: &Member) -> Result<Object, crate::Error> {
    let hash = context.store.keep(&member.data)?;
    let code = match Elf::parse(&member.data).and_then(bitcode_in) {
        Some(bitcode) => {
            let unit = Unit {
                id: store::hash(bitcode),
                source: library.to_owned(),
                folder: context.folder.clone(),
                rust: true,
                library: true,
                ..Unit::default()
            };
            rust::keep(&context.store, &unit, bitcode)?;
            Code::Partly(unit.id)
        }
        None => Code::External,
    };
    Ok(Object { name: member.name.clone(), hash, code })
}
