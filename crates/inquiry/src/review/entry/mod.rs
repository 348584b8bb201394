//! A function under test: what it is given is the input, and a driver beside it calls it with that.
//!
//! The failing test is recorded; the arguments of its last call of the function, and what they point to, become the arguments of
//! a program that is the project with a driver in the function's file, which runs before `main`.

mod calls;
mod code;
mod foreseen;
mod given;
mod names;
mod rust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use whydunit_changes::{File, Tree};
use whydunit_findings::{Disruption, Reviewed, UnderTest};
use whydunit_suite::{Case, Test};
use whydunit_workbench::Recordings;

use super::lay;
use super::suites::{Outcomes, THE_CALL};
use super::versions::Fix;
use crate::Error;
use crate::review::error::ReviewError;
use calls::{Call, Language, Signature, calls};
pub use foreseen::foresee;
use given::Given;
use names::Names;
use whydunit_desk::BuiltVersion;
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// Where it is set, the driver runs.
const VARIABLE: &str = "WHYDUNIT_ENTRY";
/// Of so many other tests the calls are looked at.
const OTHERS: usize = 8;

/// A function under test.
pub struct Entry {
    signature: Signature,
    given: Given,
    /// What calls give it, the failing one first.
    calls: Vec<Vec<String>>,
    /// Relative to the project.
    file: String,
    /// Before the fix, and with it.
    pub laid: [BuiltVersion; 2],
    pub names: Names,
}

impl Entry {
    /// Makes the function of this name, as `test` calls it, the program.
    pub fn new(
        desk: &Desk,
        fix: &Fix,
        broken: &BuiltVersion,
        outcomes: &Outcomes,
        (function, test): (&str, &Test),
    ) -> Result<Self, Error> {
        let task = desk.task(&format!("looking for calls of {function}"), None);
        let (link, found) = recorded(broken, test, function)?;
        let name = test.name();
        let Some(Call { signature, given }) = found.into_iter().last() else {
            return Err(ReviewError::NotCalled { test: name.to_owned(), function: function.to_owned() }.into());
        };
        let given = given.map_err(|reason| ReviewError::CannotBeGiven { function: function.to_owned(), reason })?;
        if given.leaves.is_empty() {
            return Err(ReviewError::GivenNothing { function: function.to_owned() }.into());
        }
        if signature.language == Language::Rust
            && let Some(ty) = foreseen::foreign(&fix.broken, given.structures().into_iter())
        {
            let reason = format!("it is given a {ty}, whose fields are a library's own");
            return Err(ReviewError::CannotBeGiven { function: function.to_owned(), reason }.into());
        }
        let others = outcomes.passing().take(OTHERS).filter_map(|other| recorded(broken, other, function).ok());
        let others = others.flat_map(|(_, calls)| calls).filter_map(|call| call.given.ok());
        let mut values: Vec<Vec<String>> = vec![given.values()];
        for other in others.filter(|other| other.is_like(&given)) {
            if !values.contains(&other.values()) {
                values.push(other.values());
            }
        }
        drop(task);
        let folder = &broken.desk.project;
        let file = Path::new(&signature.file).strip_prefix(folder).ok().map(|file| file.to_string_lossy().into_owned());
        let Some(file) = file.filter(|file| fix.broken.files.contains_key(file)) else {
            let (function, file) = (function.to_owned(), signature.file.clone());
            return Err(ReviewError::NotOfProject { function, file }.into());
        };
        let cases = cases(&values);
        let version = |tree: &Tree, version: &str, what: &str| -> Result<BuiltVersion, Error> {
            let tree = with_driver(tree, &signature, &given, &file)?;
            let laid = lay(desk, &tree, version, &format!("{what}, with a driver for {function}"))?;
            adapted(laid, &link, &cases)
        };
        let laid = [
            version(&fix.broken, "entry-before", "the version before the fix")?,
            version(&fix.mended, "entry-after", "the version with the fix")?,
        ];
        let names = Names::new(&given);
        Ok(Self { signature, given, calls: values, file, laid, names })
    }

    /// The inputs that there are: what the types of the parameters say, and constraints on them by their names.
    pub fn domain(&self, constraints: &str) -> String {
        self.given.domain(&self.calls) + &self.names.numbered(constraints)
    }

    /// So many numbers and texts the driver takes.
    pub fn arguments(&self) -> usize {
        self.given.leaves.len()
    }

    /// What varies, by name.
    pub fn parameters(&self) -> String {
        let names: Vec<&str> = self.given.leaves.iter().map(|leaf| &leaf.name[..]).collect();
        names.join(", ")
    }

    /// Tells an answer in terms of the function: calls instead of cases, parameters instead of arguments.
    pub fn tell(&self, reviewed: &mut Reviewed) {
        let shown = reviewed.counterexample.as_mut().map(|shown| arguments(&std::mem::take(&mut shown.case)));
        reviewed.entry = Some(self.told(shown.unwrap_or_default()));
        for predicate in &mut reviewed.predicate {
            *predicate = self.names.named(predicate);
        }
        reviewed.proposed_domain = reviewed.proposed_domain.as_ref().map(|domain| self.names.named(domain));
        for remark in reviewed.questions.iter_mut().chain(&mut reviewed.remarks) {
            remark.case = self.call(&remark.case);
        }
        for Disruption { test, case, .. } in reviewed.disruptions.iter_mut().chain(&mut reviewed.differences) {
            // The suite's own tests stay.
            if test.is_none()
                && let Some(input) = case.take()
            {
                *test = Some(self.call(&input));
            }
        }
    }

    /// A case as a call: the function, and its parameters with their values.
    fn call(&self, case: &str) -> String {
        let leaves = self.given.leaves.iter().zip(arguments(case));
        let values = leaves.map(|(leaf, value)| format!("{} = {}", leaf.name, leaf.shown(&leaf.read(value))));
        format!("{}: {}", self.signature.name, values.collect::<Vec<_>>().join(", "))
    }

    fn told(&self, arguments: Vec<String>) -> UnderTest {
        let leaves = self.given.leaves.iter();
        let arguments: Vec<String> = leaves.zip(arguments).map(|(leaf, text)| leaf.read(text)).collect();
        let test = (arguments.len() == self.given.leaves.len()).then(|| match self.signature.language {
            Language::Rust => rust::unit_test(&self.signature, &self.given, &arguments, &self.file),
            Language::C | Language::Cpp => code::unit_test(&self.signature, &self.given, &arguments, &self.file),
        });
        UnderTest {
            function: self.signature.name.clone(),
            file: self.file.clone(),
            parameters: self.given.leaves.iter().map(|leaf| leaf.name.clone()).collect(),
            arguments: self.given.leaves.iter().zip(&arguments).map(|(leaf, value)| leaf.shown(value)).collect(),
            unit_test: test,
        }
    }
}

/// The arguments of a case, as it is written.
fn arguments(case: &str) -> Vec<String> {
    let case: serde_json::Value = serde_json::from_str(case).unwrap_or_default();
    let args = case["args"].as_array().into_iter().flatten();
    args.filter_map(|arg| arg.as_str().map(String::from)).collect()
}

/// The calls of a function while a test runs; and what runs, as it was linked.
fn recorded(laid: &BuiltVersion, test: &Test, function: &str) -> Result<(PathBuf, Vec<Call>), Error> {
    let store = laid.desk.store()?;
    // What is no case is run as this version has it.
    let own = laid.suite.single.iter().chain(&laid.suite.tests).find(|own| own.name() == test.name());
    let test = if let Test::Case(_) = test { test } else { own.unwrap_or(test) };
    let run = laid.project.record_test(test, &Recordings::of(&store), &laid.desk.cancel)?;
    let Some(recorded) = run.recordings.first() else {
        return Err(ReviewError::NotRecorded { test: test.name().to_owned() }.into());
    };
    let opened = laid.desk.open_recording(&store, &recorded.path)?;
    let exe = opened.recording.head().exe.to_string();
    let products = whydunit_capture::products(&store)?;
    let ran = products.into_iter().find(|product| exe.contains(&product.link_id));
    let path = ran.map(|product| laid.project.relative(&product.path)).unwrap_or_default();
    Ok((path.into(), calls(&opened, function)?))
}

/// A case for each list of arguments; the first one shows the bug.
fn cases(values: &[Vec<String>]) -> Vec<Case> {
    let case = |(number, args): (usize, &Vec<String>)| Case {
        name: if number == 0 { THE_CALL.into() } else { format!("another-call-{number}") },
        args: args.clone(),
        stdin: None,
        files: BTreeMap::new(),
        env: [(VARIABLE.to_string(), "1".to_string())].into(),
        stdout: None,
        // As a panic ends is a failure.
        status: (number == 0).then_some(0),
        signal: None,
    };
    values.iter().enumerate().map(case).collect()
}

/// A version with a driver in the file of the function.
fn with_driver(tree: &Tree, signature: &Signature, given: &Given, file: &str) -> Result<Tree, Error> {
    let mut tree = tree.clone();
    let text = |file: &File| String::from_utf8(file.bytes.to_vec()).ok();
    let Some((mode, own)) = tree.files.get(file).and_then(|file| Some((file.mode, text(file)?))) else {
        return Err(ReviewError::NoFile { file: file.to_owned() }.into());
    };
    let driver = match signature.language {
        Language::Rust => rust::driver(signature, given),
        Language::C | Language::Cpp => code::driver(signature, given),
    };
    tree.files.insert(file.into(), File { bytes: (own + &driver).into_bytes().into(), mode });
    if signature.language == Language::Rust {
        // The driver looks at the program's arguments as C does.
        let forbids = tree.files.iter().filter(|(name, _)| name.ends_with(".rs")).filter_map(|(name, file)| {
            let text = text(file).filter(|text| text.contains("forbid(unsafe_code)"))?;
            let bytes = text.replace("forbid(unsafe_code)", "allow(unsafe_code)").into_bytes().into();
            Some((name.clone(), File { bytes, mode: file.mode }))
        });
        let changed: Vec<(String, File)> = forbids.collect();
        tree.files.extend(changed);
    }
    Ok(tree)
}

/// A version whose tests are these cases of the program that the failing test ran.
fn adapted(mut laid: BuiltVersion, program: &Path, cases: &[Case]) -> Result<BuiltVersion, Error> {
    let folder = laid.desk.project.clone();
    let store = laid.desk.store()?;
    let products = whydunit_capture::products(&store)?;
    let stem = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Cargo's programs have a hash in their names, which depends on where they lie.
        name.rsplit_once('-').filter(|(_, hash)| hash.len() == 16).map_or(name.clone(), |(stem, _)| stem.into())
    };
    let whole = folder.join(program);
    let same = products.iter().find(|product| product.path == whole);
    let similar = || {
        let inside = |path: &Path| path.parent().map(Path::to_path_buf) == whole.parent().map(Path::to_path_buf);
        products.iter().find(|product| inside(&product.path) && stem(&product.path) == stem(&whole))
    };
    let Some(product) = same.or_else(similar) else {
        return Err(ReviewError::NoDriver { program: program.to_path_buf() }.into());
    };
    let table = folder.with_extension("jsonl");
    let lines: String = cases.iter().map(|case| format!("{}\n", case.to_json())).collect();
    std::fs::write(&table, lines)?;
    laid.project = laid.project.with_cases(product.path.clone(), table);
    laid.suite = laid.project.suite(&laid.desk.cancel)?;
    prepare::flavours(&laid.desk, &laid.project, whydunit_capture::Flavour::Record)?;
    Ok(laid)
}
