//! Models of runs that were changed, merged into the model of the runs as they are (Dallmeier, 7.3).

use std::collections::{BTreeMap, BTreeSet};

use std::path::{Path, PathBuf};

use whydunit_behavior::{Ending, Example, Model, State, Transition};
use whydunit_desk::convert::relative;
use whydunit_enrich::{Change, Mutant};
use whydunit_typestate::{End, Evidence, Kind, Reason, Typestate};

/// How a transition was tried.
pub(super) struct Tried {
    /// The call, or the one that it was put in behind.
    pub example: Example,
    pub change: String,
}

/// What is known by the runs as they are and by changed ones.
pub(super) struct Merged {
    project: PathBuf,
    /// States of both; transitions of the runs as they are.
    pub model: Model,
    /// So many states are of the runs as they are, the one before construction among them.
    pub known: usize,
    /// Transitions that only changed runs have.
    new: BTreeMap<(usize, String, End), Evidence>,
    /// How the first of each was tried.
    pub tried: BTreeMap<(usize, String, End), Tried>,
    old: BTreeSet<(usize, String, End)>,
}

/// A change in words.
fn words(mutant: &Mutant) -> String {
    let Mutant { method, place, change, .. } = mutant;
    match change {
        Change::Insert { .. } => format!("{method} behind {}", place.method),
        Change::Suppress { calls } if calls.len() == 1 => format!("{method} without the call before it"),
        Change::Suppress { calls } => format!("{method} without the {} calls before it", calls.len()),
    }
}

/// What makes an execution another one than others of its method: where the call stands that it comes from, and of which object.
fn label(project: &Path, mutant: &Mutant) -> String {
    let number = match &mutant.change {
        Change::Insert { after } => *after,
        Change::Suppress { calls } => calls.last().map_or(0, |last| last + 1),
    };
    let file = relative(project, &mutant.place.file);
    format!("{} {}:{} object {} call {number}", mutant.run, file, mutant.place.line, mutant.object)
}

fn end(ending: &Ending, to: usize) -> End {
    match ending {
        Ending::Regular => End::To(to),
        Ending::Exception(text) | Ending::Failure(text) => {
            let reason = Reason { kind: Kind::Exception, text: text.clone() };
            End::Ex { reason, left_in: Some(to).filter(|to| *to != 0) }
        }
    }
}

impl Merged {
    pub fn of(project: &Path, model: Model) -> Self {
        let key = |it: &Transition| (it.from, it.method.clone(), end(&it.ending, it.to));
        let old = model.transitions.iter().map(key).collect();
        let known = model.states.len();
        Self { project: project.to_path_buf(), model, known, new: BTreeMap::new(), tried: BTreeMap::new(), old }
    }

    fn state(&mut self, values: &[(String, String)]) -> usize {
        let known = self.model.states.iter().skip(1).position(|state| state.values == values);
        known.map_or_else(
            || {
                self.model.states.push(State { values: values.to_vec(), ended: 0 });
                self.model.states.len() - 1
            },
            |known| known + 1,
        )
    }

    /// Takes what a changed run has shown.
    pub fn add(&mut self, mutant: &Mutant, of: &Model) {
        let numbers: Vec<usize> = of
            .states
            .iter()
            .enumerate()
            .map(|(number, state)| if number == 0 { 0 } else { self.state(&state.values) })
            .collect();
        for it in &of.transitions {
            let end = end(&it.ending, numbers[it.to]);
            self.saw(mutant, numbers[it.from], &it.method, end, it.examples.first().cloned());
        }
    }

    /// A changed run has shown a transition, which may be known.
    pub fn saw(&mut self, mutant: &Mutant, from: usize, method: &str, end: End, example: Option<Example>) {
        let key = (from, method.to_owned(), end);
        if self.old.contains(&key) {
            return;
        }
        let evidence = self.new.entry(key.clone()).or_default();
        evidence.tried += 1;
        evidence.arguments.insert(label(&self.project, mutant));
        // A call that was put in stands behind another one's place.
        let place = &mutant.place;
        let known = example.filter(|it| it.line > 0);
        let example =
            known.unwrap_or_else(|| Example { run: mutant.run.clone(), file: place.file.clone(), line: place.line });
        self.tried.entry(key).or_insert_with(|| Tried { example, change: words(mutant) });
    }

    /// The automaton, which has all methods that can be called.
    pub fn typestate(&self, methods: impl IntoIterator<Item = String>) -> Typestate {
        let mut made = Typestate::of(&self.model);
        made.methods.extend(methods);
        for ((from, method, end), evidence) in &self.new {
            let evidence = evidence.clone();
            let (from, method, end) = (*from, method.clone(), end.clone());
            made.add(whydunit_typestate::Transition { from, method, end, evidence });
        }
        made
    }
}
