//! The folder of faces: links under the names of the compilers and linkers of this machine.

use std::{
    collections::HashMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use whydunit_face::{context, rust, store::Store};

use crate::Error;

/// Compilers and linkers, without a machine before and a version after their name.
const TOOLS: &[&str] = &["cc", "gcc", "clang", "c++", "g++", "clang++", "c99", "c89", "c99-gcc", "c89-gcc"];

/// Whether a program of this name gets a face.
fn is_tool(name: &str) -> bool {
    if context::is_linker_name(name) {
        return true;
    }
    let name = match name.rsplit_once("-linux-gnu-") {
        Some((machine, tool)) if machine.starts_with("x86_64") => tool,
        Some(_) => return false,
        None => name,
    };
    let bare = match name.rsplit_once('-') {
        Some((bare, version)) if version.chars().all(|c| c.is_ascii_digit() || c == '.') && !version.is_empty() => bare,
        _ => name,
    };
    TOOLS.contains(&bare)
}

/// The program that stands behind the links.
pub(crate) fn face_program(given: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let own = env::current_exe().map_err(Error::io("the running program"))?;
    let beside = own.with_file_name("whydunit-face");
    // Our own program can do it too, only slower.
    Ok(if beside.is_file() { beside } else { own })
}

/// Sets the folder up; gives PATH with it in front, and what CC and CXX must be where they name a tool by its path.
pub(crate) fn install(store: &Store, program: &Path) -> Result<Vec<(OsString, OsString)>, Error> {
    let faces = store.faces();
    let _ = fs::remove_dir_all(&faces);
    let mut installer = Installer { program: faces.join(".face"), standards: HashMap::new() };
    fs::create_dir_all(&faces).map_err(Error::io(&faces))?;
    fs::copy(program, &installer.program).map_err(Error::io(&installer.program))?;

    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).filter(|folder| !is_face_folder(folder)).collect();
    for folder in folders.iter().filter(|folder| folder.is_absolute()) {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(is_tool) && is_executable(&entry.path()) {
                installer.add(&faces, &name, &entry.path())?;
            }
        }
    }
    installer.link(&faces, rust::NAME.as_ref(), Path::new("rustc"))?;
    let mut environment = vec![("RUSTC_WRAPPER".into(), faces.join(rust::NAME).into_os_string())];
    let joined = env::join_paths([faces.clone()].iter().chain(&folders)).unwrap_or(path);
    environment.push(("PATH".into(), joined));
    for variable in ["CC", "CXX", "LD", "HOSTCC"] {
        let Some(value) = env::var(variable).ok() else { continue };
        let (tool, rest) = value.split_once(' ').unwrap_or((&value, ""));
        let tool = Path::new(tool);
        if let (true, Some(name)) = (tool.is_absolute(), tool.file_name())
            && name.to_str().is_some_and(is_tool)
            && !tool.parent().is_some_and(is_face_folder)
        {
            let by_path = faces.join("by-path");
            installer.add(&by_path, name, tool)?;
            let face = by_path.join(name);
            environment.push((variable.into(), format!("{} {rest}", face.display()).trim_end().into()));
        }
    }
    Ok(environment)
}

fn is_face_folder(folder: &Path) -> bool {
    folder.join(".real").is_dir()
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

struct Installer {
    program: PathBuf,
    standards: HashMap<PathBuf, [Option<String>; 2]>,
}

impl Installer {
    fn add(&mut self, folder: &Path, name: &OsStr, real: &Path) -> Result<(), Error> {
        if folder.join(name).symlink_metadata().is_ok() {
            return Ok(());
        }
        let reals = folder.join(".real");
        fs::create_dir_all(&reals).map_err(Error::io(&reals))?;
        let text = name.to_string_lossy();
        if !context::is_linker_name(&text) {
            let canonical = fs::canonicalize(real).unwrap_or_else(|_| real.to_owned());
            let standards = self.standards.entry(canonical);
            let standards = standards.or_insert_with(|| ["c", "c++"].map(|language| default_standard(real, language)));
            for (standard, ending) in standards.iter().zip(["std", "std++"]) {
                if let Some(standard) = standard {
                    let path = reals.join(format!("{text}.{ending}"));
                    fs::write(&path, standard).map_err(Error::io(&path))?;
                }
            }
        }
        self.link(folder, name, real)
    }

    /// Makes the links of a face.
    fn link(&self, folder: &Path, name: &OsStr, real: &Path) -> Result<(), Error> {
        let (link, reals) = (folder.join(name), folder.join(".real"));
        fs::create_dir_all(&reals).map_err(Error::io(&reals))?;
        symlink(real, reals.join(name)).map_err(Error::io(reals.join(name)))?;
        symlink(&self.program, &link).map_err(Error::io(&link))
    }
}

/// The language standard that a compiler has when nothing is said: clang's own may be another.
fn default_standard(compiler: &Path, language: &str) -> Option<String> {
    let output = Command::new(compiler)
        .args(["-dM", "-E", "-x", language, "/dev/null"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    if !output.status.success() {
        return None;
    }
    Some(standard_of(&text))
}

fn standard_of(macros: &str) -> String {
    let value = |name: &str| {
        macros.lines().find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '))
    };
    let strict = value("__STRICT_ANSI__").is_some();
    let number = |name: &str| value(name)?.trim_end_matches('L').parse::<u32>().ok();
    if let Some(version) = number("__cplusplus") {
        let year = match version {
            0..201103 => "98",
            201103..201402 => "11",
            201402..201703 => "14",
            201703..202002 => "17",
            202002..202302 => "20",
            _ => "23",
        };
        return format!("{}{year}", if strict { "c++" } else { "gnu++" });
    }
    let dialect = if strict { "c" } else { "gnu" };
    let version = number("__STDC_VERSION__");
    let number = match version.unwrap_or(0) {
        0..199901 => "89",
        199901..201112 => "99",
        201112..201710 => "11",
        201710..202000 => "17",
        _ => "23",
    };
    format!("{dialect}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_of_this_machine_get_faces_and_nothing_else() {
        for name in
            ["cc", "gcc", "gcc-12", "x86_64-linux-gnu-gcc-12", "clang-22", "g++", "clang++-22", "c99", "ld", "ld.bfd"]
        {
            assert!(is_tool(name), "{name}");
        }
        for name in [
            "gcc-ar",
            "gcc-ranlib-12",
            "aarch64-linux-gnu-gcc",
            "clang-format-22",
            "ccache",
            "gcc-",
            "clang-tidy",
            "ldd",
            "tcc",
        ] {
            assert!(!is_tool(name), "{name}");
        }
    }

    #[test]
    fn the_standard_is_read_from_the_macros() {
        assert_eq!(standard_of("#define __STDC_VERSION__ 201710L\n"), "gnu17");
        assert_eq!(standard_of("#define __STRICT_ANSI__ 1\n#define __STDC_VERSION__ 199901L\n"), "c99");
        assert_eq!(standard_of("#define __STDC__ 1\n"), "gnu89");
        assert_eq!(standard_of("#define __cplusplus 201703L\n"), "gnu++17");
        assert_eq!(standard_of("#define __STRICT_ANSI__ 1\n#define __cplusplus 199711L\n"), "c++98");
    }
}
