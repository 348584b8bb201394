//! The files that a client has open, as they are in it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::paths;
use crate::position::{Encoding, offset};

/// A file that is open.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the client names it.
    pub uri: Uri,
    /// Which version of it this is.
    pub version: i32,
    /// Its text.
    pub text: String,
}

impl Document {
    /// Takes a change in.
    pub fn change(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let Some(range) = change.range else {
            self.text = change.text;
            return;
        };
        let start = offset(&self.text, range.start, encoding);
        // A range that ends before it starts is none.
        let end = offset(&self.text, range.end, encoding).max(start);
        self.text.replace_range(start..end, &change.text);
    }
}

/// All that are open, by the real paths of their files.
#[derive(Default)]
pub struct Documents(HashMap<PathBuf, Document>);

impl Documents {
    /// One is opened; its path, where it is a file.
    pub fn open(&mut self, document: Document) -> Option<PathBuf> {
        let path = paths::real(&paths::path(&document.uri)?);
        self.0.insert(path.clone(), document);
        Some(path)
    }

    /// The path of a file that a client names.
    pub fn path(&self, uri: &Uri) -> Option<PathBuf> {
        // The file may be gone by now, and its path with it.
        let known = self.0.iter().find(|(_, document)| document.uri == *uri);
        known.map(|(path, _)| path.clone()).or_else(|| paths::path(uri).map(|path| paths::real(&path)))
    }

    /// The document of a path, where it is open.
    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.0.get(path)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.0.get_mut(path)
    }

    /// It is closed.
    pub fn close(&mut self, path: &Path) {
        self.0.remove(path);
    }

    /// The paths of all.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.keys().cloned().collect()
    }

    /// The text of a file: as it is in the client, else on the disk.
    pub fn text(&self, path: &Path) -> Option<String> {
        match self.0.get(path) {
            Some(document) => Some(document.text.clone()),
            None => on_disk(path),
        }
    }

    /// How a file is named to the client.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        self.0.get(path).map(|document| document.uri.clone()).or_else(|| paths::uri(path))
    }
}

/// The text of a file on the disk. Old sources are often Latin-1.
pub fn on_disk(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};
    use std::str::FromStr;

    #[test]
    fn changes_follow_each_other() {
        let uri = Uri::from_str("file:///a.c").expect("a name");
        let mut document = Document { uri, version: 1, text: "a\r\n🦀b\n".into() };
        let mut change = |start: (u32, u32), end: (u32, u32), text: &str| {
            let range = Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1));
            let change = TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.into() };
            document.change(change, Encoding::Utf16);
            document.text.clone()
        };
        assert_eq!(change((1, 2), (1, 3), "c"), "a\r\n🦀c\n");
        assert_eq!(change((0, 1), (1, 0), " "), "a 🦀c\n");
        assert_eq!(change((9, 9), (2, 0), "!"), "a 🦀c\n!");
        assert_eq!(change((0, 1), (0, 0), ""), "a 🦀c\n!");
    }
}
