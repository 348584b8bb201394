//! The sources of a recorded program, as the client has them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The files that a recorded program was compiled of, and where they are now.
pub struct Sources {
    /// By the name that the build gave them.
    places: BTreeMap<String, PathBuf>,
}

impl Sources {
    /// Of files by the names that a build in `project` gave them.
    pub fn new<'a>(files: impl Iterator<Item = &'a String>, project: &Path) -> Self {
        let place = |file: &str| {
            let path = project.join(file);
            path.canonicalize().unwrap_or(path)
        };
        Self { places: files.map(|file| (file.clone(), place(file))).collect() }
    }

    /// The names that the build gave a file of the client's; none where it is none of the program's.
    pub fn names(&self, path: &str) -> Vec<&String> {
        let path = Path::new(path);
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        self.places
            .iter()
            .filter(|(name, place)| **place == real || Path::new(name) == path)
            .map(|(name, _)| name)
            .collect()
    }

    /// A file as the protocol has it.
    pub fn shown(&self, file: &str) -> Value {
        let place = self.places.get(file).cloned().unwrap_or_else(|| PathBuf::from(file));
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match place.is_file() {
            true => json!({ "name": name, "path": place.to_string_lossy() }),
            false => json!({
                "name": name, "path": place.to_string_lossy(), "presentationHint": "deemphasize", "origin": "not here",
            }),
        }
    }

    /// All that are here, each once.
    pub fn all(&self) -> Vec<Value> {
        let mut places: Vec<(&PathBuf, &String)> = self.places.iter().map(|(name, place)| (place, name)).collect();
        places.sort();
        places.dedup_by_key(|(place, _)| *place);
        places.iter().filter(|(place, _)| place.is_file()).map(|(_, name)| self.shown(name)).collect()
    }

    /// The text of a file of the program.
    pub fn text(&self, path: Option<&str>) -> Result<String, Refusal> {
        let path = path.ok_or_else(|| Refusal::new("`source` needs the path of a source"))?;
        let name = self.names(path).first().copied().cloned();
        let place = name.and_then(|name| self.places.get(&name));
        let place = place.ok_or_else(|| Refusal::new(format!("{path} is no source of the recorded program")))?;
        let bytes = std::fs::read(place).map_err(|error| Refusal::new(format!("{}: {error}", place.display())))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
