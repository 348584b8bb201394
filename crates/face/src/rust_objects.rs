//! The objects that rustc gives to a linker, by their names.

use std::path::Path;

/// Whether rustc calls its objects so.
pub fn is_object_name(name: &str) -> bool {
    name.ends_with(".rcgu.o")
}

/// Whether rustc puts such an object into every link, beside what it compiles: names to keep, the allocator's shim, and
/// the description of a library.
pub fn is_own_object(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let shim = is_object_name(&name) && !name.contains("-cgu.");
    name == "lib.rmeta" || shim || name == "symbols.o" && folder.starts_with("rustc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rustc_adds_to_a_link_is_told_from_what_it_compiles() {
        let own = |path: &str| is_own_object(Path::new(path));
        assert!(
            own("/t/rustcO6wzFN/symbols.o") && own("/t/cr-59.bfovibt85ke459lhwt0lvjkaz.rcgu.o") && own("lib.rmeta")
        );
        assert!(!own("/t/symbols.o") && !own("/t/cr-59.cr.12ab-cgu.0.rcgu.o") && !own("/t/a.o"));
    }
}
