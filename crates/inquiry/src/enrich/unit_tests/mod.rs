//! Unit tests of what was learned: drafted from the texts of recorded tests, then compiled and run in a copy of the project.

mod blame;
mod drafting;
mod expecting;
mod trying;

use std::collections::BTreeMap;

use whydunit_changes::{Changes, Tree};
use whydunit_desk::{Desk, Output, prepare};
use whydunit_enrich::{Enriched as Made, Executor};
use whydunit_findings::{Location, NoUnitTest, UnitTest, UnitTests};
use whydunit_objects::{Callable, Catalogue};
use whydunit_unittest::{Insertion, Source, inserted};
use whydunit_workbench::Project;

use self::drafting::{Drafted, Drafter};
use crate::Error;
use crate::explain::as_it_is;

/// What the tests are made of.
pub(super) struct Learned<'a> {
    pub project: &'a Project,
    pub catalogue: &'a Catalogue,
    /// The class, in the catalogue.
    pub class: usize,
    pub methods: &'a [Callable],
    pub made: &'a Made<'a>,
    pub executor: &'a Executor<'a>,
    /// The values of each state of the automaton.
    pub states: Vec<Vec<(String, String)>>,
}

/// Builds that were made for them.
pub(super) type Builds = u64;

/// The unit tests of all transitions that no recorded run has; `write`: they are put into the project's files.
pub(super) fn unit_tests(desk: &Desk, learned: &Learned<'_>, write: bool) -> Result<(UnitTests, Builds), Error> {
    let tree = as_it_is(&desk.project)?;
    let suite = prepare::suite(desk, learned.project)?;
    let sources = sources(&tree, learned);
    let mut drafter = Drafter::new(learned, &suite, &sources);
    let mut answer = UnitTests::default();
    let mut drafted = Vec::new();
    for number in 0..learned.made.typestate.transitions.len() {
        match drafter.draft(number) {
            Some(Ok(draft)) => drafted.push(draft),
            Some(Err(reason)) => answer.left_out.push(NoUnitTest { transition: number, reason, said: String::new() }),
            None => {}
        }
    }
    let tried = trying::tried(desk, &suite, &tree, drafted)?;
    for (draft, reason, said) in tried.left_out {
        answer.left_out.push(NoUnitTest { transition: draft.transition, reason, said });
    }
    answer.left_out.sort_by_key(|it| it.transition);
    let texts = written(&tree, &tried.kept);
    answer.patch = patch(&tree, &texts);
    if write {
        for (file, text) in &texts {
            Output::open(&desk.project.join(file))?.write(text.as_bytes())?;
        }
        answer.written = !texts.is_empty();
    }
    answer.tests = tried.kept.into_iter().map(told).collect();
    answer.tests.sort_by(|one, other| {
        one.location.file.cmp(&other.location.file).then(one.location.line.cmp(&other.location.line))
    });
    Ok((answer, tried.builds))
}

fn told(draft: Drafted) -> UnitTest {
    UnitTest {
        location: Location::line(draft.file, draft.line),
        name: draft.name,
        transition: draft.transition,
        from_test: draft.from_test,
        text: draft.draft.text,
    }
}

/// The sources in which runs were left, as far as they are the project's and their language is known.
fn sources(tree: &Tree, learned: &Learned<'_>) -> BTreeMap<String, Source> {
    let executed = learned.executor.executions.iter().map(|it| &it.reached.file);
    let places = learned.executor.places.values().flatten().map(|it| &it.file);
    let mut sources = BTreeMap::new();
    for file in executed.chain(places) {
        if sources.contains_key(file) {
            continue;
        }
        let text = tree.files.get(file).and_then(|it| String::from_utf8(it.bytes.to_vec()).ok());
        if let Some(source) = text.and_then(|text| Source::read(file, text)) {
            sources.insert(file.clone(), source);
        }
    }
    sources
}

/// The files in which tests stand, with them.
fn written(tree: &Tree, kept: &[Drafted]) -> BTreeMap<String, String> {
    let mut by_file: BTreeMap<&str, Vec<(usize, Insertion)>> = BTreeMap::new();
    for (number, draft) in kept.iter().enumerate() {
        let all = draft.draft.insertions.iter().map(|insertion| (number, insertion.clone()));
        by_file.entry(&draft.file).or_default().extend(all);
    }
    let text = |(file, insertions): (&str, Vec<(usize, Insertion)>)| {
        let old = tree.files.get(file).map(|it| String::from_utf8_lossy(&it.bytes).into_owned()).unwrap_or_default();
        (file.to_owned(), inserted(&old, &insertions).0)
    };
    by_file.into_iter().map(text).collect()
}

fn patch(tree: &Tree, texts: &BTreeMap<String, String>) -> String {
    let mut new = tree.clone();
    for (file, text) in texts {
        if let Some(file) = new.files.get_mut(file) {
            file.bytes = text.as_bytes().into();
        }
    }
    let changes = Changes::between(tree.clone(), new, &|_| false);
    let all: Vec<usize> = (0..changes.list.len()).collect();
    String::from_utf8_lossy(&changes.patch(&all)).into_owned()
}
