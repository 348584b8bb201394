//! Which changes touch a statement.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whydunit_changes::{ChangeKind, Changes};
use whydunit_explain::Stopped;
use whydunit_replay::Position;

use super::belonging::{Belonging, Parts};
use super::subject::Bad;
use whydunit_desk::convert;

/// Words that every source has.
const KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "define",
    "double",
    "else",
    "endif",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "ifdef",
    "ifndef",
    "include",
    "inline",
    "int",
    "let",
    "long",
    "mut",
    "namespace",
    "pub",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "typedef",
    "union",
    "unsigned",
    "use",
    "void",
    "volatile",
    "while",
];

/// Changes by the lines and names that they touch.
pub struct Touching {
    project: std::path::PathBuf,
    /// By file and line of the bad version.
    lines: HashMap<(String, u32), Vec<usize>>,
    /// Whole files that are new.
    files: HashMap<String, usize>,
    /// By a name that is declared otherwise: macros, constants, tables, types, functions that are gone.
    names: HashMap<String, Vec<usize>>,
    sources: HashMap<String, Vec<String>>,
    /// What the file of each change is to the program.
    pub belonging: Vec<Belonging>,
}

impl Touching {
    /// Of all changes; the program says which lines have statements.
    pub fn new(bad: &Bad, changes: &Changes, stopped: &Stopped) -> Self {
        let project = bad.desk.project.clone();
        let mut statements: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for loaded in stopped.machine.code().modules() {
            for function in &loaded.model.functions {
                for loc in function.locs.iter().filter(|loc| loc.line > 0) {
                    if let Some(file) = loaded.model.files.get(loc.file as usize) {
                        statements.entry(convert::relative(&project, file)).or_default().insert(loc.line);
                    }
                }
            }
        }
        let text = |bytes: &[u8]| -> Vec<String> { String::from_utf8_lossy(bytes).lines().map(String::from).collect() };
        let sources: HashMap<String, Vec<String>> =
            changes.new.files.iter().map(|(path, file)| (path.clone(), text(&file.bytes))).collect();
        let mut known: BTreeSet<String> = statements.keys().cloned().collect();
        for loaded in stopped.machine.code().modules() {
            known.extend(loaded.model.files.iter().map(|file| convert::relative(&project, file)));
        }
        let parts = Parts::of(known, &sources);
        let belonging: Vec<Belonging> = changes.list.iter().map(|change| parts.belonging(change)).collect();
        let (lines, files, names) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut touching = Self { project, lines, files, names, sources, belonging };
        for (number, change) in changes.list.iter().enumerate() {
            match &change.kind {
                ChangeKind::Lines { new, .. } => {
                    let here = statements.get(&change.file);
                    let executable = |line: u32| here.is_some_and(|lines| lines.contains(&line));
                    let mut own: Vec<u32> = (new.start + 1..=new.end).filter(|line| executable(*line)).collect();
                    if new.is_empty()
                        && let Some(lines) = here
                    {
                        // What was deleted stood between these.
                        own.extend(lines.range(..=new.start).next_back());
                        own.extend(lines.range(new.start + 1..).next());
                    }
                    for line in &own {
                        touching.lines.entry((change.file.clone(), *line)).or_default().push(number);
                    }
                    let belonging = touching.belonging[number];
                    if (own.is_empty() || new.is_empty()) && belonging < Belonging::Apart {
                        let names = touching.declared(changes, number).into_iter();
                        // Of what build files say only macros matter to a statement.
                        for name in names.filter(|name| belonging == Belonging::Program || is_of_capitals(name)) {
                            touching.names.entry(name).or_default().push(number);
                        }
                    }
                }
                ChangeKind::Added => _ = touching.files.insert(change.file.clone(), number),
                ChangeKind::Deleted | ChangeKind::Renamed { .. } | ChangeKind::Mode | ChangeKind::Content => {}
            }
        }
        touching
    }

    /// The names that a change of declarations is about: those on its lines, and on the line that opens what it stands in.
    fn declared(&self, changes: &Changes, number: usize) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        let change = &changes.list[number];
        let ChangeKind::Lines { new, .. } = &change.kind else { return out };
        if let Some((old, young)) = changes.texts(number) {
            for line in old.into_iter().chain(young) {
                // Macros that a build defines are called otherwise in its files.
                out.extend(words(&String::from_utf8_lossy(line).replace("-D", " ")));
            }
        }
        let Some(lines) = self.sources.get(&change.file) else { return out };
        let mut depth = 0i32;
        for line in lines[..(new.start as usize).min(lines.len())].iter().rev().take(2000) {
            depth += line.matches('}').count() as i32 - line.matches('{').count() as i32;
            let goes_on = line.ends_with('\\');
            if depth < 0 || goes_on {
                out.extend(words(line));
            }
            if depth < 0 || depth == 0 && !goes_on && line.trim_start().starts_with('#') {
                break;
            }
        }
        out
    }

    /// The changes that touch the statement at a position, ascending.
    pub fn at(&self, position: &Position) -> Vec<usize> {
        let file = convert::relative(&self.project, &position.file);
        let mut out: BTreeSet<usize> = self.files.get(&file).copied().into_iter().collect();
        let line = self.sources.get(&file).and_then(|lines| lines.get((position.loc.line as usize).checked_sub(1)?));
        if let Some(line) = line.filter(|_| !self.names.is_empty()) {
            out.extend(words(line).iter().filter_map(|word| self.names.get(word)).flatten());
        }
        out.extend(self.lines.get(&(file, position.loc.line)).into_iter().flatten());
        out.into_iter().collect()
    }

    /// The changes that the run executes before its failure, the nearest first.
    pub fn nearest_first(&self, stopped: &Stopped) -> Vec<usize> {
        let code = stopped.machine.code();
        let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut out: Vec<usize> = Vec::new();
        for id in stopped.trace.latest_first() {
            let node = stopped.trace.node(id);
            if known.insert((node.function.0, node.pc)) {
                for change in self.at(&code.position(node.function, node.pc)) {
                    if !out.contains(&change) {
                        out.push(change);
                    }
                }
            }
        }
        out
    }
}

/// Whether a name is written as macros are.
fn is_of_capitals(name: &str) -> bool {
    !name.contains(|c: char| c.is_lowercase())
}

/// Whether every source has a word.
pub fn is_common(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Names in a line.
fn words(line: &str) -> BTreeSet<String> {
    let words = super::words(line);
    let names = words.filter(|word| word.len() > 2 && !word.starts_with(|c: char| c.is_ascii_digit()));
    names.filter(|word| !KEYWORDS.contains(word)).map(String::from).collect()
}
