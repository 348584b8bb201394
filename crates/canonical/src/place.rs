//! Where an instruction stands for the user.

use whydunit_llvm::Metadata;
use whydunit_model::paths;

/// The place of an instruction: of code that was inlined from a library, the place of the call in the project, if there is
/// one. That is where a person would look: `list[2]` and not what the library does for it.
pub fn place(location: Metadata) -> Metadata {
    let mut at = Some(location);
    while let Some(here) = at {
        let file = here.scope().and_then(Metadata::scope_file).and_then(Metadata::file_name);
        let (directory, name) = file.unwrap_or_default();
        let path = if name.starts_with('/') { name } else { format!("{directory}/{name}") };
        if !paths::is_library(&paths::plain(&path)) {
            return here;
        }
        at = here.inlined_at();
    }
    location
}
