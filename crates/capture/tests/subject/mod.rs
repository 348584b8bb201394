//! Projects in a fresh folder, and builds of them.

#![allow(dead_code)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use whydunit_capture::{BuildOptions, BuildReport, Error, Product, Store, build};

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
        build(&BuildOptions {
            project_dir: self.root(),
            store: self.store_path(),
            command: command.iter().map(Into::into).collect(),
            face: Some(env!("CARGO_BIN_EXE_whydunit-face").into()),
            show_output: false,
        })
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
        let mut names: Vec<String> = product
            .modules
            .iter()
            .map(|id| name(&whydunit_capture::unit(&self.store(), id).unwrap().source))
            .collect();
        names.sort();
        names
    }
}

/// What a command printed, which must have succeeded.
pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
