//! What is read of Rust: the sites of suspicious lines, with types that rustc is asked for.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use whydunit_capture::Store;
use whydunit_changes::Tree;
use whydunit_findings::Finding;
use whydunit_repair::Site;
use whydunit_repair::rust::{Declared, Question, Source, Types, asking, lenient, questions, sites, statements};
use whydunit_variants::Workshop;

use super::surroundings::{pure_of_rust, texts};
use crate::Error;

/// Folders of tests, which are not what is mended.
const TESTS: &[&str] = &["tests", "benches"];

/// The sources of Rust that have suspicious lines.
#[derive(Default)]
pub struct Crates {
    /// By their paths.
    pub files: HashMap<String, Read>,
    pub problems: Vec<String>,
}

/// A source that was read.
pub struct Read {
    pub text: Rc<str>,
    pub sites: Vec<Site>,
    /// The bytes of the statements of its suspicious functions.
    pub statements: Vec<Range<usize>>,
}

/// A source with suspicious lines, the most suspicious first.
struct Suspicious {
    file: String,
    source: Source,
    lines: Vec<u32>,
    questions: Vec<Question>,
}

impl Crates {
    /// Reads the sources of the most suspicious lines.
    pub fn read(
        store: &Store,
        tree: &Tree,
        findings: &[Finding],
        lines: usize,
        shop: &mut Workshop<'_>,
    ) -> Result<Self, Error> {
        let mut out = Self::default();
        let mut suspicious: Vec<Suspicious> = Vec::new();
        for finding in findings.iter().take(lines) {
            let (file, line) = (&finding.location.file, finding.location.line);
            let is_source = file.ends_with(".rs") && !file.split('/').any(|part| TESTS.contains(&part));
            let Some(bytes) = tree.files.get(file).filter(|_| is_source).map(|file| &file.bytes) else { continue };
            if let Some(known) = suspicious.iter_mut().find(|known| known.file == *file) {
                known.lines.push(line);
                continue;
            }
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            match Source::parse(text.into()) {
                Ok(source) => {
                    suspicious.push(Suspicious {
                        file: file.clone(),
                        source,
                        lines: vec![line],
                        questions: Vec::new(),
                    });
                }
                Err(says) => {
                    let text = format!("{file} is left out: {says}");
                    if !out.problems.contains(&text) {
                        out.problems.push(text);
                    }
                }
            }
        }
        if suspicious.is_empty() {
            return Ok(out);
        }
        for one in &mut suspicious {
            one.questions = questions(&one.source, &one.lines);
        }
        let mut around = Declared::new(pure_of_rust(store)?);
        around.texts = texts(tree);
        for (_, file) in tree.files.iter().filter(|(name, _)| name.ends_with(".rs")) {
            let source = std::str::from_utf8(&file.bytes).ok().and_then(|text| Source::parse(text.into()).ok());
            source.iter().for_each(|source| around.add(source));
        }
        let asked =
            with_texts(tree, suspicious.iter().map(|one| (&*one.file, asking(one.source.text(), &one.questions))));
        let said = shop.make(&asked)?.err().unwrap_or_default();
        for one in suspicious {
            let mut types = Types::default();
            let text = asked.files.get(&one.file).and_then(|file| std::str::from_utf8(&file.bytes).ok());
            types.read(text.unwrap_or_default(), &one.questions, &one.file, &said);
            let sites = sites(&one.source, &one.lines, &around, &mut types);
            let statements = statements(&one.source, &one.lines);
            out.files.insert(one.file, Read { text: one.source.text().into(), sites, statements });
        }
        Ok(out)
    }
}

/// The project with other texts of some files, and nothing that compilers only warn of an error in it.
pub fn with_texts<'a>(tree: &Tree, texts: impl IntoIterator<Item = (&'a str, String)>) -> Tree {
    let mut tree = tree.clone();
    for (name, text) in texts {
        if let Some(file) = tree.files.get_mut(name) {
            file.bytes = text.into_bytes().into();
        }
    }
    for (_, file) in tree.files.iter_mut().filter(|(name, _)| name.ends_with(".rs")) {
        if let Some(text) = std::str::from_utf8(&file.bytes).ok().map(lenient)
            && text.as_bytes() != &file.bytes[..]
        {
            file.bytes = text.into_bytes().into();
        }
    }
    tree
}
