//! Drafts are compiled and run in a copy of the project.

use std::collections::BTreeMap;

use whydunit_changes::Tree;
use whydunit_desk::{Desk, prepare};
use whydunit_suite::{Outcome, RunOptions, Suite, Test, TestResult};
use whydunit_unittest::{Insertion, inserted, mark};
use whydunit_variants::{Subject, Workshop, complaint};

use super::blame::{Lines, blamed};
use super::drafting::Drafted;
use crate::Error;
use crate::repair::copies;

/// Builds with some drafts left out each time.
const ROUNDS: usize = 8;
/// Drafts that are built one by one, where nothing says which of them is wrong.
const SINGLY: usize = 30;

/// What became of drafts.
#[derive(Default)]
pub(super) struct Tried {
    /// They compile, and pass.
    pub kept: Vec<Drafted>,
    /// The others, with the reason, and what a compiler or the test said.
    pub left_out: Vec<(Drafted, String, String)>,
    pub builds: u64,
}

/// Why a draft is none, and what was said.
type Wrong = (String, String);

/// Compiles and runs drafts; nothing of the project's own folder is changed.
pub(super) fn tried(desk: &Desk, suite: &Suite, tree: &Tree, drafted: Vec<Drafted>) -> Result<Tried, Error> {
    let mut tried = Tried::default();
    let Some(first) = drafted.first() else { return Ok(tried) };
    let folder = whydunit_suite::store_of(&desk.project).join("enrich");
    let (executable, made) = (prepare::executable(desk, suite), prepare::made_beside_tests(desk)?);
    let subject = Subject { test: first.from_test.clone(), executable, made };
    let place = copies(&folder, "unit-tests", &desk.project);
    let mut shop = Workshop::new(&place, &folder.join("verdicts"), subject, 1, &desk.cancel)?;
    shop.seed(&desk.project);
    let task = desk.task("compiling unit tests", None);
    let mut rest = drafted;
    for round in 0..ROUNDS {
        if rest.is_empty() {
            break;
        }
        task.detail(&format!("{} of them", rest.len()));
        let (version, lines) = version(tree, &rest);
        let wrong: BTreeMap<usize, Wrong> = match shop.make(&version)? {
            Ok(built) => {
                let wrong = failures(desk, &built, &rest);
                let unsure =
                    rest.iter().enumerate().any(|(number, draft)| !draft.listed && wrong.contains_key(&number));
                if unsure && rest.len() > 1 {
                    singly(desk, &mut shop, tree, rest, &mut tried)?;
                    rest = Vec::new();
                    break;
                }
                sort_out(rest, wrong, &mut tried);
                rest = Vec::new();
                break;
            }
            Err(said) => {
                let blamed = blamed(&said, &lines);
                if blamed.is_empty() || round + 1 == ROUNDS {
                    singly(desk, &mut shop, tree, rest, &mut tried)?;
                    rest = Vec::new();
                    break;
                }
                blamed.into_iter().map(|(number, words)| (number, ("it does not compile".into(), words))).collect()
            }
        };
        let mut some = Tried::default();
        sort_out(rest, wrong, &mut some);
        tried.left_out.extend(some.left_out);
        rest = some.kept;
    }
    tried.left_out.extend(rest.into_iter().map(|draft| (draft, "it does not compile".to_owned(), String::new())));
    tried.builds = shop.counts.builds;
    Ok(tried)
}

/// Keeps drafts of which nothing is wrong.
fn sort_out(drafts: Vec<Drafted>, mut wrong: BTreeMap<usize, Wrong>, tried: &mut Tried) {
    for (number, draft) in drafts.into_iter().enumerate() {
        match wrong.remove(&number) {
            Some((reason, said)) => tried.left_out.push((draft, reason, said)),
            None => tried.kept.push(draft),
        }
    }
}

/// Builds and runs drafts one by one.
fn singly(
    desk: &Desk,
    shop: &mut Workshop<'_>,
    tree: &Tree,
    drafts: Vec<Drafted>,
    tried: &mut Tried,
) -> Result<(), Error> {
    for (number, draft) in drafts.into_iter().enumerate() {
        if number >= SINGLY {
            tried.left_out.push((draft, format!("more than {SINGLY} are not built one by one"), String::new()));
            continue;
        }
        let one = [draft];
        let wrong = match shop.make(&version(tree, &one).0)? {
            Ok(built) => failures(desk, &built, &one),
            Err(said) => {
                let words = complaint(&said).or(said.lines().last()).unwrap_or_default().to_owned();
                [(0, ("it does not compile".to_owned(), words))].into()
            }
        };
        sort_out(one.into(), wrong, tried);
    }
    Ok(())
}

/// The project with drafts in it, and the lines of each by file.
fn version(tree: &Tree, drafts: &[Drafted]) -> (Tree, Lines) {
    let mut by_file: BTreeMap<&str, Vec<(usize, Insertion)>> = BTreeMap::new();
    for (number, draft) in drafts.iter().enumerate() {
        let of_file = by_file.entry(&draft.file).or_default();
        for insertion in &draft.draft.marked {
            // One header for all.
            let known = insertion.at == 0 && of_file.iter().any(|(_, it)| it == insertion);
            if !known {
                of_file.push((number, insertion.clone()));
            }
        }
    }
    let (mut version, mut lines) = (tree.clone(), BTreeMap::new());
    for (file, insertions) in by_file {
        if let Some(known) = version.files.get_mut(file) {
            let (text, of_file) = inserted(&String::from_utf8_lossy(&known.bytes), &insertions);
            known.bytes = text.into_bytes().into();
            lines.insert(file.to_owned(), of_file);
        }
    }
    (version, lines)
}

/// Runs drafts; what is wrong with those that do not pass.
fn failures(desk: &Desk, suite: &Suite, drafts: &[Drafted]) -> BTreeMap<usize, Wrong> {
    let mut results: BTreeMap<String, TestResult> = BTreeMap::new();
    let mut run = |test: &Test| -> Option<TestResult> {
        if let Some(known) = results.get(test.name()) {
            return Some(known.clone());
        }
        let options = RunOptions { reruns: Some(0), cancel: Some(&desk.cancel), ..RunOptions::default() };
        let all = suite.run_test(test, &options);
        let own = all.iter().find(|result| result.name == test.name()).or(all.first())?.clone();
        results.insert(test.name().to_owned(), own.clone());
        Some(own)
    };
    let mut wrong = BTreeMap::new();
    for (number, draft) in drafts.iter().enumerate() {
        if let Err(why) = passes(suite, draft, &mut run) {
            wrong.insert(number, why);
        }
    }
    wrong
}

fn passes(suite: &Suite, draft: &Drafted, run: &mut dyn FnMut(&Test) -> Option<TestResult>) -> Result<(), Wrong> {
    let none = |reason: &str| (reason.to_owned(), String::new());
    let name = |own: &str| draft.from_test.strip_suffix(draft.old_name.as_str()).map(|before| format!("{before}{own}"));
    let own = name(&draft.name).filter(|_| draft.listed).and_then(|name| suite.test(&name).ok());
    let whole = || suite.test(&draft.from_test).ok();
    let test = own.or_else(whole).ok_or_else(|| none("the suite does not list it"))?;
    let result = run(test).ok_or_else(|| none("the suite does not run it"))?;
    match &result.outcome {
        Outcome::Pass => {}
        other => return Err(("it does not pass".into(), other.reason().unwrap_or_default())),
    }
    if own.is_none() {
        let told = if draft.listed { draft.name.clone() } else { mark(&draft.name) };
        let output = [&result.stdout, &result.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let is_told = |text: &String| {
            text.lines().any(|line| line.trim_end().ends_with(&told) || draft.listed && line.contains(&told))
        };
        if !output.iter().any(is_told) {
            return Err(none("nothing tells that the suite runs it"));
        }
    }
    if let Some(beginning) = &draft.draft.beginning {
        let test = name(beginning).and_then(|name| suite.test(&name).ok());
        let result = test.and_then(run).ok_or_else(|| none("the suite does not list it"))?;
        if result.outcome != Outcome::Pass {
            return Err(none("what stands before the call panics already"));
        }
    }
    Ok(())
}
