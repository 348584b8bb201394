//! Compiles by which a build system only asks what the compiler can do: nothing of the program.

use std::path::{Component, Path};

use crate::{command::Command, context::Context};

/// Folders in which CMake and Meson try things out.
const FOLDERS: &[&str] = &["CMakeScratch", "CMakeTmp", "CompilerIdC", "CompilerIdCXX", "meson-private"];
/// How the files of configure scripts begin (autoconf's, Python's, zlib's, CMake's, Meson's).
const NAMES: &[&str] =
    &["conftest", "_configtest", "ztest", "cmTC_", "testCCompiler", "testCXXCompiler", "sanitycheckc"];

/// Whether a path lies in a folder for probes.
pub fn in_probe_folder(path: &Path) -> bool {
    path.components().any(|component| match component {
        Component::Normal(name) => name.to_str().is_some_and(|name| FOLDERS.contains(&name)),
        _ => false,
    })
}

/// Whether a file is called as those of probes are.
pub fn is_probe_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // config.guess: cgXXXXXX/dummy.c in the folder for temporary files.
    let guess = name.starts_with("dummy.")
        && path.parent().and_then(Path::file_name).is_some_and(|folder| folder.as_encoded_bytes().starts_with(b"cg"));
    guess || NAMES.iter().any(|probe| name.starts_with(probe))
}

/// Whether a command is such a question.
pub fn is_probe(context: &Context, command: &Command) -> bool {
    let probe = |path: &str| {
        let path = Path::new(path);
        is_probe_name(path) || in_probe_folder(path) || path == Path::new("/dev/null")
    };
    in_probe_folder(&context.folder)
        || command.output.as_deref().is_some_and(probe)
        || command.inputs().all(|(input, _)| probe(input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tests::{context, parse};

    #[test]
    fn probes_of_configure_cmake_and_meson_are_known() {
        let probe = |line: &str| is_probe(&context("gcc"), &parse("gcc", line));
        for line in [
            "-o conftest conftest.c -lm",
            "-c conftest.c",
            "-c /b/CMakeFiles/CMakeScratch/TryCompile-x/a.c -o x.o",
            "/b/meson-private/tmpab/testfile.c -o /b/meson-private/tmpab/output.exe",
            "-c ztest1234.c",
            "-c a.c -o /dev/null",
            "-c -o /tmp/cgAbCdEf/dummy.o /tmp/cgAbCdEf/dummy.c",
        ] {
            assert!(probe(line), "{line}");
        }
        for line in ["-c test.c", "main.c -o main", "-c CMakeFiles/x.dir/main.c -o CMakeFiles/x.dir/main.c.o"] {
            assert!(!probe(line), "{line}");
        }
    }
}
