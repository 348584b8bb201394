//! Writes catalogues.

use std::fs;
use std::path::Path;

use serde::Serialize;
use whydunit_inputs::shuffle;
use whydunit_process::Pool;
use whydunit_suite::{Case, HELD_OUT};

use crate::compiler::Language;
use crate::error::Error;
use crate::fault::{Place, Use};
use crate::held_out::{held_out, table};
use crate::mutant::Mutant;
use crate::subject::Subject;
use crate::trial::{Bench, Verdict, examine, write};
use crate::walk::mutants;

/// The file of a program's cases.
const CASES: &str = "cases.jsonl";

/// What a catalogue holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The faults that people made.
    pub faults: bool,
    /// So many mutants of each program, those of both uses counted.
    pub mutants: usize,
    /// For their order, and for what the suite does not have.
    pub seed: u64,
    /// Of these only those for this use.
    pub purpose: Option<Use>,
    /// So many cases that the suite does not have stand beside each program, to judge patches by.
    pub held_out: usize,
    /// So many of its cases are left to each program, in the seed's order, one at least that fails; all where it has no more.
    pub cases: Option<usize>,
}

/// What was made of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Made {
    /// Its name.
    pub program: String,
    /// Faults written.
    pub faults: usize,
    /// Mutants written.
    pub mutants: usize,
    /// How mutants were taken.
    pub selection: Selection,
    /// Cases that the suite does not have.
    pub held_out: usize,
}

/// How many mutants were taken, and what became of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// There are.
    pub all: usize,
    /// Were tried.
    pub tried: usize,
    /// Did not compile.
    pub broken: usize,
    /// Passed all cases.
    pub survived: usize,
    /// Were taken.
    pub taken: usize,
}

/// What `truth.json` says.
#[derive(Serialize)]
struct Truth<'a> {
    fault: &'a [Place],
    kind: &'a str,
    #[serde(rename = "use")]
    purpose: String,
}

/// Writes a catalogue of these subjects into a folder, which is made. Fails where something of a catalogue is there.
pub fn make(subjects: &[Subject], out: &Path, options: &Options) -> Result<Vec<Made>, Error> {
    subjects.iter().map(|subject| of_subject(subject, out, options)).collect()
}

fn of_subject(subject: &Subject, out: &Path, options: &Options) -> Result<Made, Error> {
    let wanted = |purpose: Use| options.purpose.is_none_or(|only| only == purpose);
    let mut made = Made { program: subject.name.clone(), ..Made::default() };
    let bench = if options.mutants > 0 || options.held_out > 0 { Some(Bench::new(subject)?) } else { None };
    let mut more = Vec::new();
    if let Some(bench) = bench.as_ref().filter(|_| options.held_out > 0) {
        let cases = held_out(subject, bench, options.held_out, options.seed)?;
        made.held_out = cases.len();
        more.push((HELD_OUT.to_string(), table(&cases)));
    }
    let more = &more[..];
    for fault in subject.faults.iter().filter(|fault| options.faults && wanted(fault.purpose)) {
        let truth = Truth { fault: &fault.places, kind: &fault.kind, purpose: fault.purpose.to_string() };
        let name = format!("{}-{}", subject.name, fault.name);
        let failing = if options.cases.is_some() { examine(subject, fault)?.failing } else { Vec::new() };
        let files = fewer_cases(subject, fault.apply(&subject.files)?, &failing, options, &name);
        entry(&out.join(name), &[&files, more].concat(), &truth)?;
        made.faults += 1;
    }
    let Some(bench) = bench.filter(|_| options.mutants > 0) else { return Ok(made) };
    let (taken, selection) = select(subject, &bench, options)?;
    made.selection = selection;
    for (index, mutant) in taken.iter().enumerate() {
        // Their order is a chance's, so half of them are.
        let purpose = if index % 2 == 0 { Use::Development } else { Use::Final };
        if !wanted(purpose) {
            continue;
        }
        let mut files = subject.files.clone();
        for (name, text) in files.iter_mut().filter(|(name, _)| *name == mutant.file) {
            *text = mutant.apply(subject.file(name).unwrap_or_default());
        }
        let kind = mutant.operator.to_string();
        let truth = Truth { fault: &mutant.places(), kind: &kind, purpose: purpose.to_string() };
        files.extend_from_slice(more);
        entry(&out.join(format!("{}-mutant-{:03}", subject.name, index + 1)), &files, &truth)?;
        made.mutants += 1;
    }
    Ok(made)
}

/// The files of a program with as many of its cases as are wanted: a third of them, and at least one, fail, where so many do.
fn fewer_cases(
    subject: &Subject,
    mut files: Vec<(String, String)>,
    failing: &[String],
    options: &Options,
    name: &str,
) -> Vec<(String, String)> {
    let Some(wanted) = options.cases else { return files };
    let mut cases: Vec<Case> = subject.cases().cloned().collect();
    shuffle(&mut cases, options.seed, name);
    let (mut fail, mut pass): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| failing.contains(&case.name));
    fail.truncate((wanted / 3).max(1));
    pass.truncate(wanted.saturating_sub(fail.len()));
    fail.append(&mut pass);
    files.iter_mut().filter(|(name, _)| name == CASES).for_each(|(_, text)| *text = table(&fail));
    files
}

/// The first mutants in the seed's order that compile and are killed.
fn select(subject: &Subject, bench: &Bench<'_>, options: &Options) -> Result<(Vec<Mutant>, Selection), Error> {
    let mut all = Vec::new();
    for (name, _) in subject.sources().filter(|(name, _)| Language::of(name) == Some(Language::C)) {
        all.extend(mutants(bench.folder(), name)?);
    }
    shuffle(&mut all, options.seed, &subject.name);
    let mut selection = Selection { all: all.len(), ..Selection::default() };
    let mut taken = Vec::new();
    let pool = Pool::of_cores();
    // A few more than needed may be tried: side by side, but they count only in their order.
    for some in all.chunks(2 * pool.jobs()) {
        let verdicts = pool.run(some, |mutant| {
            bench.verdict(&mutant.file, &mutant.apply(subject.file(&mutant.file).unwrap_or_default()))
        });
        for (mutant, verdict) in some.iter().zip(verdicts) {
            if taken.len() == options.mutants {
                break;
            }
            selection.tried += 1;
            match verdict? {
                Verdict::Broken => selection.broken += 1,
                Verdict::Survived => selection.survived += 1,
                Verdict::Killed => taken.push(mutant.clone()),
            }
        }
        if taken.len() == options.mutants {
            break;
        }
    }
    selection.taken = taken.len();
    Ok((taken, selection))
}

/// A folder of a catalogue.
fn entry(folder: &Path, files: &[(String, String)], truth: &Truth<'_>) -> Result<(), Error> {
    if folder.exists() {
        return Err(Error::at(folder, "it exists already: remove it or name another folder"));
    }
    fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
    write(folder, files)?;
    let text = serde_json::to_string_pretty(truth).map_err(|error| Error::at(folder, error.to_string()))?;
    write(folder, &[("truth.json".to_string(), text + "\n")])
}
