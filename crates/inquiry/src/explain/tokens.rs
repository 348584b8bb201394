//! Sources as tokens, line by line, and the definitions that lines are in, without a parser.

use std::collections::{BTreeMap, HashMap, HashSet};

use whydunit_changes::Tree;

/// Files whose names are looked at.
const SOURCES: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inc", "y", "l", "rs"];
/// Words before the name of a type.
const KINDS: &[&str] = &["struct", "enum", "union", "class", "trait"];

/// Where a change is in a version.
#[derive(Default)]
pub struct Side<'a> {
    /// Its lines, each with the definition that it is in.
    pub lines: Vec<(Place, &'a [String])>,
    /// The definition that it begins in.
    pub start: Option<Place>,
}

/// A definition: a file, and the number of it there.
pub type Place = (String, usize);

/// Whether a token is a name.
pub fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The sources of a version as tokens, line by line, without comments and texts.
pub struct Version {
    /// With the number of the definition that a line is in.
    files: BTreeMap<String, Vec<(usize, Vec<String>)>>,
    /// All names.
    pub words: HashSet<String>,
    local: HashMap<Place, HashSet<String>>,
}

impl Version {
    /// Of all sources of a version.
    pub fn of(tree: &Tree) -> Self {
        let source = |path: &str| path.rsplit_once('.').is_some_and(|(_, end)| SOURCES.contains(&end));
        let (mut files, mut words, mut local) = (BTreeMap::new(), HashSet::new(), HashMap::new());
        for (path, file) in tree.files.iter().filter(|(path, _)| source(path)) {
            let lines = definitions(tokens(&String::from_utf8_lossy(&file.bytes)));
            for (definition, line) in &lines {
                let own: &mut HashSet<String> = local.entry((path.clone(), *definition)).or_default();
                for word in line.iter().filter(|word| is_name(word)) {
                    own.insert(word.clone());
                    words.insert(word.clone());
                }
            }
            files.insert(path.clone(), lines);
        }
        Self { files, words, local }
    }

    /// Whether a definition has a name.
    pub fn has(&self, place: &Place, word: &str) -> bool {
        self.local.get(place).is_some_and(|words| words.contains(word))
    }

    /// The definition that a line (from 0) of a file is in.
    pub fn place(&self, path: &str, line: u32) -> Option<Place> {
        self.side(path, line, line).start
    }

    /// Lines of a file, from one on and before another, counted from 0.
    pub fn side(&self, path: &str, from: u32, to: u32) -> Side<'_> {
        let lines = self.files.get(path).map_or(&[][..], Vec::as_slice);
        let from = (from as usize).min(lines.len());
        let to = (to as usize).clamp(from, lines.len());
        let place = |definition: usize| (path.to_string(), definition);
        let start = lines.get(from).or(lines.last()).map(|line| place(line.0));
        let lines = lines[from..to].iter().map(|(definition, line)| (place(*definition), &line[..])).collect();
        Side { lines, start }
    }
}

/// Numbers definitions: each ends where its last brace is closed, or with a semicolon outside of braces.
fn definitions(lines: Vec<Vec<String>>) -> Vec<(usize, Vec<String>)> {
    let (mut number, mut depth) = (0, 0i64);
    let numbered = lines.into_iter().map(|line| {
        let own = number;
        let before = depth;
        for token in &line {
            match &token[..] {
                "{" => depth += 1,
                "}" => depth = (depth - 1).max(0),
                _ => {}
            }
        }
        if depth == 0 && (before > 0 || line.last().is_some_and(|token| token == "}" || token == ";")) {
            number += 1;
        }
        (own, line)
    });
    numbered.collect()
}

fn tokens(text: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let mut comment = false;
    for line in text.lines() {
        let mut here: Vec<String> = Vec::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if comment {
                let Some(end) = rest.find("*/") else { break };
                (comment, rest) = (false, &rest[end + 2..]);
            } else if rest.starts_with("//") {
                break;
            } else if rest.starts_with("/*") {
                (comment, rest) = (true, &rest[2..]);
            } else if c == '"' {
                rest = after_text(rest);
            } else if c.is_alphanumeric() || c == '_' {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                here.push(rest[..end].to_string());
                rest = &rest[end..];
            } else {
                if !c.is_whitespace() {
                    here.push(c.to_string());
                }
                rest = &rest[c.len_utf8()..];
            }
        }
        out.push(joined(here));
    }
    out
}

/// `struct name` as one token.
fn joined(line: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(line.len());
    for token in line {
        match out.last_mut().filter(|last| KINDS.contains(&&last[..]) && is_name(&token)) {
            Some(kind) => *kind = format!("{kind} {token}"),
            None => out.push(token),
        }
    }
    out
}

/// What follows a text in quotes.
fn after_text(line: &str) -> &str {
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return &line[at + 1..],
            _ => {}
        }
    }
    ""
}
