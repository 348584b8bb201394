//! Where an instruction stands for the user.

use whydunit_llvm::Metadata;
use whydunit_model::paths;

/// The place of an instruction: of code that was inlined from a library, the place of the call in the project, if there is
/// one. That is where a person would look: `list[2]` and not what the library does for it.
pub fn place(location: Metadata) -> Metadata {
    let mut at = Some(location);
    while let Some(here) = at {
        if !here.scope().is_some_and(is_library) {
            return here;
        }
        at = here.inlined_at();
    }
    location
}

/// Whether a position is in code of a library that stands in the place of its call.
pub fn is_inlined_library(location: Metadata) -> bool {
    location.inlined_at().is_some() && location.scope().is_some_and(is_library)
}

/// Whether a scope is code of a library.
pub(crate) fn is_library(scope: Metadata) -> bool {
    let (directory, name) = scope.scope_file().and_then(Metadata::file_name).unwrap_or_default();
    let path = if name.starts_with('/') { name } else { format!("{directory}/{name}") };
    paths::is_library(&paths::plain(&path))
}
