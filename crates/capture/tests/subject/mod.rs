//! Projects in a fresh folder, and builds of them.

#![allow(dead_code)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use whydunit_capture::{BuildOptions, BuildReport, Error, Product, Store, Watch, build};
use whydunit_process::Cancel;

/// A project.
pub struct Subject {
    folder: tempfile::TempDir,
}

impl Subject {
    /// A project with these files; `sh` files are made executable.
    pub fn new(files: &[(&str, &str)]) -> Subject {
        let subject = Subject { folder: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            subject.write(name, text);
        }
        subject
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }
    pub fn store_path(&self) -> PathBuf {
        self.path(".whydunit")
    }
    pub fn store(&self) -> Store {
        Store::open(&self.store_path()).unwrap()
    }

    pub fn try_build(&self, command: &[&str]) -> Result<BuildReport, Error> {
        self.build_until(command, &Cancel::new())
    }

    /// Builds until it is cancelled.
    pub fn build_until(&self, command: &[&str], cancel: &Cancel) -> Result<BuildReport, Error> {
        let options = BuildOptions {
            env: Vec::new(),
            project_dir: self.root(),
            store: self.store_path(),
            command: command.iter().map(Into::into).collect(),
            shown: None,
            optimised: false,
            may_test: true,
            face: Some(env!("CARGO_BIN_EXE_whydunit-face").into()),
        };
        build(&options, Watch::quietly(cancel))
    }

    pub fn build(&self, command: &[&str]) -> BuildReport {
        self.try_build(command).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs something in the project, without us.
    pub fn plain(&self, command: &[&str]) -> Output {
        Command::new(command[0]).args(&command[1..]).current_dir(self.root()).output().unwrap()
    }

    pub fn products(&self) -> Vec<Product> {
        whydunit_capture::products(&self.store()).unwrap()
    }

    pub fn product(&self, name: &str) -> Product {
        whydunit_capture::product_of(&self.store(), &self.path(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// File names of the sources of a product's captured units.
    pub fn sources(&self, product: &Product) -> Vec<String> {
        let name = |path: &Path| path.strip_prefix(self.root()).unwrap_or(path).display().to_string();
        let mut names: Vec<String> =
            product.modules.iter().map(|id| name(&whydunit_capture::unit(&self.store(), id).unwrap().source)).collect();
        names.sort();
        names
    }
}

/// What a command printed, which must have succeeded.
pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Its build.
const MAKEFILE: &str = "
CC = gcc
CFLAGS = -O2 -g -Wall -Werror -MMD -Iinclude
all: prog plugin.so
prog: main.o libparts.a joined.o libshared.so.1 entry.o
\t$(CC) -o $@ main.o entry.o -L. -lparts joined.o -Wl,-rpath,'$$ORIGIN' -l:libshared.so.1 -ldl
libparts.a: one/part.o two/part.o unused.o
\trm -f $@; ar qcs $@ $^
joined.o: left.c right.c
\t$(CC) $(CFLAGS) -c left.c right.c
\tld -r -o $@ left.o right.o
\trm left.o right.o
libshared.so.1: shared.o
\t$(CC) -shared -Wl,-soname,libshared.so.1 -o $@ $^
shared.o: CFLAGS += -fPIC
plugin.so: plugin.c
\t$(CC) $(CFLAGS) -fPIC -shared -o $@ plugin.c
entry.o: entry.S
\t$(CC) -c -o $@ $<
clean:
\trm -f *.o */*.o *.a *.so* prog *.d
-include *.d
";

/// A make project with an archive whose members share a name, a `-r` object, a shared library, a plugin and assembly.
pub fn parts() -> Subject {
    Subject::new(&[
        ("Makefile", MAKEFILE),
        ("include/all.h", "int one(void), two(void), left(void), right(void), shared(int), entry(void);\n"),
        (
            "main.c",
            "#include <stdio.h>\n#include <dlfcn.h>\n#include \"all.h\"\nint main(void) {\n  \
             void *h = dlopen(\"./plugin.so\", RTLD_NOW);\n  int (*plugin)(void) = (int (*)(void)) dlsym(h, \"plugin\");\n  \
             printf(\"%d %d %d %d %d %d %d\\n\", one(), two(), left(), right(), shared(5), plugin(), entry());\n  return 0;\n}\n",
        ),
        ("one/part.c", "int one(void) { return 1; }\n"),
        ("two/part.c", "int two(void) { return 2; }\n"),
        ("unused.c", "int unused(void) { return 2; }\n"),
        ("left.c", "int left(void) { return 3; }\n"),
        ("right.c", "int right(void) { return 4; }\n"),
        ("shared.c", "int shared(int x) { return x; }\n"),
        ("plugin.c", "int plugin(void) { return 6; }\n"),
        ("entry.S", ".globl entry\nentry: mov $7, %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n"),
    ])
}
