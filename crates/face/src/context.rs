//! What a face knows when it starts: who it stands for, and where the store is.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use crate::store::Store;

/// The store of the build under way, absolute.
pub const STORE: &str = "WHYDUNIT_STORE";
/// Number of the build under way.
pub const BUILD: &str = "WHYDUNIT_BUILD";
/// The clang that makes bitcode.
pub const CLANG: &str = "WHYDUNIT_CLANG";
/// Set where code is captured as optimised as the build asks for it.
pub const OPTIMISED: &str = "WHYDUNIT_OPTIMISED";
/// Set for the tools that a face starts: what they start is no business of ours.
pub const INSIDE: &str = "WHYDUNIT_INSIDE";

/// The tool that a face stands for.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name that the face was started under.
    pub name: String,
    /// The tool itself.
    pub real: PathBuf,
    /// Standard of C that it has by default.
    pub standard: Option<String>,
    /// Standard of C++ that it has by default.
    pub standard_cxx: Option<String>,
}

impl Tool {
    /// A linker, not a compiler driver.
    pub fn is_linker(&self) -> bool {
        is_linker_name(&self.name)
    }
    /// A driver that takes `.c` files for C++.
    pub fn is_cxx(&self) -> bool {
        self.name.contains("++")
    }
}

/// Whether a program of this name is a linker.
pub fn is_linker_name(name: &str) -> bool {
    let name = name.rsplit_once("-linux-gnu-").map_or(name, |(_, tool)| tool);
    matches!(name, "ld" | "ld.bfd" | "ld.gold" | "ld.lld" | "gold" | "lld" | "mold" | "ld.mold")
}

/// Everything that a face knows.
#[derive(Clone, Debug)]
pub struct Context {
    /// The store; its folder may be gone outside of a build.
    pub store: Store,
    /// Number of the build under way.
    pub build: Option<String>,
    /// Who it stands for.
    pub tool: Tool,
    /// Folder of the faces.
    pub faces: PathBuf,
    /// The clang that makes bitcode.
    pub clang: PathBuf,
    /// Code is captured as optimised as the build asks for it.
    pub optimised: bool,
    /// Working folder.
    pub folder: PathBuf,
}

impl Context {
    /// Reads `argv[0]` and the environment; none when this is no face.
    pub fn from_process(argv0: &OsStr) -> Option<Context> {
        let path = Path::new(argv0);
        let name = path.file_name()?.to_str()?.to_owned();
        let has = |faces: &Path| faces.join(".real").join(&name).symlink_metadata().is_ok();
        // By path: also long after the build, when a build system has written the path down.
        let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_owned);
        let of_build = env::var_os(STORE).map(|store| Path::new(&store).join("faces"));
        let in_path = || env::split_paths(&env::var_os("PATH")?).find(|folder| has(folder));
        let faces =
            beside.filter(|faces| has(faces)).or_else(|| of_build.filter(|faces| has(faces))).or_else(in_path)?;
        let real = fs::read_link(faces.join(".real").join(&name)).ok()?;
        let standard = |ending: &str| {
            let text = fs::read_to_string(faces.join(".real").join(format!("{name}.{ending}"))).ok()?;
            Some(text.trim().to_owned())
        };
        let (standard, standard_cxx) = (standard("std"), standard("std++"));
        let store = env::var_os(STORE).map(PathBuf::from).or_else(|| faces.parent().map(Path::to_owned))?;
        Some(Context {
            store: Store::at(store),
            build: env::var(BUILD).ok(),
            tool: Tool { name, real, standard, standard_cxx },
            faces,
            clang: env::var_os(CLANG).map_or_else(|| PathBuf::from("clang-22"), PathBuf::from),
            optimised: env::var_os(OPTIMISED).is_some(),
            folder: env::current_dir().unwrap_or_default(),
        })
    }

    /// Whether a build of ours is under way and this is not a tool inside of a tool.
    pub fn capturing(&self) -> bool {
        self.build.is_some() && env::var_os(INSIDE).is_none()
    }

    /// PATH without the faces.
    pub fn original_path(&self) -> OsString {
        let path = env::var_os("PATH").unwrap_or_default();
        let kept = env::split_paths(&path).filter(|folder| *folder != self.faces && *folder != self.store.faces());
        env::join_paths(kept).unwrap_or(path)
    }

    /// A path of the user's as absolute.
    pub fn absolute(&self, path: impl AsRef<Path>) -> PathBuf {
        normalise(&self.folder.join(path))
    }
}

/// Takes `.` and `x/..` out of an absolute path where `x` is no symbolic link.
pub fn normalise(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() && !out.is_symlink() => {
                out.pop();
            }
            component => out.push(component),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkers_are_told_from_drivers_by_name() {
        for name in ["ld", "x86_64-linux-gnu-ld", "ld.gold", "x86_64-linux-gnu-ld.bfd"] {
            assert!(is_linker_name(name), "{name}");
        }
        for name in ["gcc", "cc", "clang-22", "ldd", "x86_64-linux-gnu-gcc-12"] {
            assert!(!is_linker_name(name), "{name}");
        }
        assert_eq!(normalise(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
