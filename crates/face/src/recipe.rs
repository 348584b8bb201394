//! What the store keeps about units and links.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::rust_objects::is_own_object;

/// So many members of an archive are told by name.
const NAMED: usize = 8;

/// A file that a compile read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dependency {
    /// Absolute path.
    pub path: PathBuf,
    /// Size in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    pub modified: i128,
    /// Hash of the content.
    pub hash: String,
}

/// A captured translation unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Hash of its bitcode.
    pub id: String,
    /// Source, absolute.
    pub source: PathBuf,
    /// The source as the compile named it; empty for Rust.
    #[serde(default)]
    pub given: String,
    /// Where the compile ran.
    pub folder: PathBuf,
    /// Arguments that clang got, without those for output.
    pub arguments: Vec<String>,
    /// The source is C++.
    #[serde(default)]
    pub cxx: bool,
    /// The source is preprocessed already.
    #[serde(default)]
    pub preprocessed: bool,
    /// The source is the root of a crate, of which this is all or a part; cargo knows when to compile it again.
    #[serde(default)]
    pub rust: bool,
    /// Bitcode of Rust's own library, of which only a part is recorded.
    #[serde(default)]
    pub library: bool,
    /// Flags that only gcc knows and that the bitcode was made without.
    pub dropped: Vec<String>,
    /// Sanitizers asked for.
    pub sanitizers: Vec<String>,
    /// Everything that was read, the source first.
    pub dependencies: Vec<Dependency>,
}

/// What a link makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A program.
    Executable,
    /// A shared library or plugin.
    SharedLibrary,
    /// An object, by `-r`.
    Relocatable,
}

/// What an object is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// One captured unit.
    Unit(String),
    /// The product of a recorded `-r` link.
    Link(String),
    /// Several captured units that somebody put together without us.
    Units(Vec<String>),
    /// Rust's own library: recordings have a part of this unit in its place.
    Partly(String),
    /// Not captured.
    External,
}

impl Code {
    /// Whether it is code of the project.
    pub fn is_captured(&self) -> bool {
        !matches!(self, Code::Partly(_) | Code::External)
    }
}

/// An object, or a member of an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// File or member name.
    pub name: String,
    /// Hash of the content; it is kept in the store.
    pub hash: String,
    /// What it is made of.
    pub code: Code,
}

/// What an input of a link is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// A source that the link compiles itself.
    Source {
        /// As the user wrote it.
        given: String,
        /// Absolute path.
        path: PathBuf,
        /// Captured unit, unless that failed.
        unit: Option<String>,
        /// The object, where it is not captured.
        object: Option<String>,
    },
    /// An object.
    Object {
        /// Absolute path.
        path: PathBuf,
        /// The object.
        object: Object,
    },
    /// A static library, by path or found for a `-l`.
    Archive {
        /// Absolute path.
        path: PathBuf,
        /// Members in order.
        members: Vec<Object>,
    },
    /// A shared library of the project, by path or found for a `-l`.
    Library {
        /// As the user wrote it.
        given: String,
        /// Absolute path.
        path: PathBuf,
        /// Link id, where it is captured.
        link: Option<String>,
    },
    /// Anything else: a linker script.
    Other {
        /// As the user wrote it.
        given: String,
        /// Absolute path.
        path: PathBuf,
        /// Hash of the content; it is kept in the store.
        hash: Option<String>,
    },
}

/// An argument of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// A flag of the compiler driver with its value.
    Driver(Vec<String>),
    /// A flag of the linker with its value (without `-Wl,`).
    Linker(Vec<String>),
    /// A linker's flag with a file: `--version-script` and its like.
    LinkerFile {
        /// The flag.
        flag: String,
        /// Absolute path.
        path: PathBuf,
        /// Hash of the content; it is kept in the store.
        hash: String,
    },
    /// Something to link.
    Input(Input),
}

/// How a product was linked: enough to do it again when the build has deleted its intermediate files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Hash of the rest.
    pub id: String,
    /// What it makes.
    pub kind: Kind,
    /// Compiler driver or linker, the real one.
    pub driver: PathBuf,
    /// Whether `driver` is a linker.
    pub direct: bool,
    /// Where it ran.
    pub folder: PathBuf,
    /// Arguments in order, without the output.
    pub arguments: Vec<Argument>,
    /// Product, absolute.
    pub output: PathBuf,
    /// Name that the dynamic linker knows a shared library by.
    pub soname: Option<String>,
    /// Units that are in the product: an archive gives only the members that are needed.
    pub units: Vec<String>,
}

impl Recipe {
    /// Inputs in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Input(input) => Some(input),
            _ => None,
        })
    }

    /// Link ids of the project's shared libraries that it names.
    pub fn libraries(&self) -> impl Iterator<Item = (&PathBuf, &String)> {
        self.inputs().filter_map(|input| match input {
            Input::Library { path, link: Some(link), .. } => Some((path, link)),
            _ => None,
        })
    }

    /// Units of Rust's own library, of which recordings have a part.
    pub fn library_units(&self) -> impl Iterator<Item = &String> {
        let archives = self.inputs().filter_map(|input| match input {
            Input::Archive { members, .. } => Some(members),
            _ => None,
        });
        archives.flatten().filter_map(|member| match &member.code {
            Code::Partly(unit) => Some(unit),
            _ => None,
        })
    }

    /// Names of the objects that are not captured, without those that rustc puts into every link. Members of archives count only where the archive holds nothing else
    /// captured or they may have been taken, which the link does not tell.
    /// Of an archive with many of them the number is told.
    pub fn external_objects(&self) -> Vec<String> {
        let mut names = Vec::new();
        for input in self.inputs() {
            match input {
                Input::Source { unit: None, path, .. } => names.push(path.display().to_string()),
                Input::Object { path, object } if object.code == Code::External && !is_own_object(path) => {
                    names.push(path.display().to_string())
                }
                Input::Archive { path, members } => {
                    let external: Vec<&str> = members
                        .iter()
                        .filter(|member| member.code == Code::External && !is_own_object(member.name.as_ref()))
                        .map(|member| member.name.as_str())
                        .collect();
                    let path = path.display();
                    match external.len() {
                        ..=NAMED => names.extend(external.iter().map(|name| format!("{path}({name})"))),
                        // Those of Rust's library are some hundred.
                        more => names.push(format!("{path}({more} of {} members)", members.len())),
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// The hash of everything but the id and what was found in the product.
    pub fn identity(&self) -> String {
        let bare = Recipe { id: String::new(), units: Vec::new(), ..self.clone() };
        whydunit_sealed::hash(&serde_json::to_vec(&bare).unwrap_or_default())
    }
}
