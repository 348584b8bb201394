//! A model while it is mined.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use whydunit_events::FieldKind;

use crate::model::{Ending, Example, Model, State, Transition};
use crate::names::{ClassIndex, FieldIndex, MethodIndex, Names};
use crate::path::{PathIndex, Paths, Step};
use crate::value::Abstract;
use crate::{Abstraction, Options};

/// Examples that are kept of a transition.
const EXAMPLES: usize = 3;
/// Beyond so many states numbers are seen by their sign, whatever was asked for.
const MOST_STATES: usize = 2000;

/// What leads from a state to another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Label {
    /// A method of the object.
    Method(MethodIndex),
    /// A method of an object that this one refers to by a path.
    At(PathIndex, MethodIndex),
    /// A method of another object, or one without an object.
    Foreign(MethodIndex),
    /// No method: these fields were written, by their number in [`Automaton::written`].
    Written(u32),
    /// The object came to be without a constructor that was seen.
    Made,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    from: u32,
    to: u32,
    label: Label,
    ending: u32,
}

#[derive(Default)]
struct Seen {
    count: u64,
    examples: Vec<Example>,
}

/// The states and transitions of a class.
pub(crate) struct Automaton {
    class: ClassIndex,
    states: Vec<Vec<(PathIndex, Abstract)>>,
    by_value: FxHashMap<Vec<(PathIndex, Abstract)>, u32>,
    ended: Vec<u64>,
    transitions: FxHashMap<Key, Seen>,
    endings: Vec<Ending>,
    written: Vec<Vec<FieldIndex>>,
    pub objects: u64,
    pub calls: FxHashMap<MethodIndex, u64>,
    coarse: bool,
}

impl Automaton {
    pub fn new(class: ClassIndex) -> Self {
        Self {
            class,
            // No object has this value.
            states: vec![Vec::new()],
            by_value: FxHashMap::default(),
            ended: vec![0],
            transitions: FxHashMap::default(),
            endings: vec![Ending::Regular],
            written: Vec::new(),
            objects: 0,
            calls: FxHashMap::default(),
            coarse: false,
        }
    }

    /// The number of a state with these values.
    pub fn state(&mut self, mut values: Vec<(PathIndex, Abstract)>) -> u32 {
        if self.coarse {
            values.iter_mut().for_each(|(_, value)| *value = signed(*value));
        }
        if let Some(&known) = self.by_value.get(&values) {
            return known;
        }
        self.states.push(values.clone());
        self.ended.push(0);
        let number = self.states.len() as u32 - 1;
        self.by_value.insert(values, number);
        self.coarse |= self.states.len() > MOST_STATES;
        number
    }

    /// Where one of two has too many states to tell numbers apart, the other one does not either.
    pub fn agree_with(&mut self, other: &mut Self) {
        let coarse = self.coarse || other.coarse;
        (self.coarse, other.coarse) = (coarse, coarse);
    }

    pub fn ended(&mut self, state: u32) {
        self.ended[state as usize] += 1;
    }

    /// Fields that have other values in one state than in another.
    pub fn differing(&self, paths: &Paths, from: u32, to: u32) -> Vec<FieldIndex> {
        let before: BTreeMap<_, _> = self.states[from as usize].iter().copied().collect();
        let after: BTreeMap<_, _> = self.states[to as usize].iter().copied().collect();
        let mut fields: Vec<FieldIndex> = Vec::new();
        for path in before.keys().chain(after.keys()) {
            if before.get(path) != after.get(path)
                && let Step::Field(field) = paths.all[*path as usize].step
                && !fields.contains(&field)
            {
                fields.push(field);
            }
        }
        fields
    }

    pub fn written(&mut self, fields: Vec<FieldIndex>) -> Label {
        let number = self.written.iter().position(|known| *known == fields).unwrap_or_else(|| {
            self.written.push(fields);
            self.written.len() - 1
        });
        Label::Written(number as u32)
    }

    /// A transition was seen.
    pub fn saw(&mut self, from: u32, to: u32, label: Label, ending: &Ending, example: impl FnOnce() -> Example) {
        let ending = match ending {
            Ending::Regular => 0,
            ending => self.endings.iter().position(|known| known == ending).unwrap_or_else(|| {
                self.endings.push(ending.clone());
                self.endings.len() - 1
            }),
        };
        let seen = self.transitions.entry(Key { from, to, label, ending: ending as u32 }).or_default();
        seen.count += 1;
        if seen.examples.len() < EXAMPLES {
            let example = example();
            if !seen.examples.iter().any(|known| (&known.file, known.line) == (&example.file, example.line)) {
                seen.examples.push(example);
            }
        }
    }

    /// The states in words.
    pub fn told(&self, names: &Names, paths: &Paths) -> Vec<Vec<(String, String)>> {
        (0..self.states.len()).filter_map(|number| self.told_one(names, paths, number)).collect()
    }

    /// One of them.
    pub fn told_one(&self, names: &Names, paths: &Paths, number: usize) -> Option<Vec<(String, String)>> {
        let values = self.states.get(number)?.iter();
        let values: Vec<_> = values.map(|&(path, value)| (path, self.seen(names, paths, path, value))).collect();
        Some(in_words(names, paths, &values))
    }

    /// The model. States that are one when it is known which fields vary become one.
    pub fn finish(&self, names: &Names, paths: &Paths, options: &Options) -> Model {
        let mut model = Model {
            class: names.classes[self.class].name.clone(),
            depth: options.depth,
            states: vec![State { values: Vec::new(), ended: self.ended[0] }],
            transitions: Vec::new(),
            objects: self.objects,
            calls: BTreeMap::new(),
            constant: BTreeSet::new(),
            paths: paths.of(self.class),
            notes: Vec::new(),
        };
        let mut known: FxHashMap<Vec<(PathIndex, Abstract)>, usize> = FxHashMap::default();
        let mut becomes = vec![0];
        for (values, ended) in self.states.iter().zip(&self.ended).skip(1) {
            let values: Vec<_> =
                values.iter().map(|&(path, value)| (path, self.seen(names, paths, path, value))).collect();
            let number = *known.entry(values).or_insert_with_key(|values| {
                model.states.push(State { values: in_words(names, paths, values), ended: 0 });
                model.states.len() - 1
            });
            model.states[number].ended += ended;
            becomes.push(number);
        }
        for (&method, &count) in &self.calls {
            let known = &names.methods[method];
            *model.calls.entry(known.name.clone()).or_default() += count;
            if known.constant {
                model.constant.insert(known.name.clone());
            }
        }
        model.transitions = self.merged(names, paths, &becomes);
        if self.coarse {
            model.notes.push(format!("more than {MOST_STATES} states: numbers are seen by their sign"));
        }
        model
    }

    fn merged(&self, names: &Names, paths: &Paths, becomes: &[usize]) -> Vec<Transition> {
        let mut merged: BTreeMap<(usize, usize, String, Ending), Transition> = BTreeMap::new();
        for (key, seen) in &self.transitions {
            let (from, to) = (becomes[key.from as usize], becomes[key.to as usize]);
            // A change that is none.
            if from == to && matches!(key.label, Label::At(..) | Label::Foreign(_) | Label::Written(_)) {
                continue;
            }
            // What is a part of the state is not drawn where it changes nothing.
            let asked = matches!(key.label, Label::Method(method) if names.results.contains_key(&method));
            if from == to && asked && key.ending == 0 {
                continue;
            }
            let (method, ending) = (self.label(names, paths, key.label), self.endings[key.ending as usize].clone());
            let new = || Transition {
                from,
                to,
                method: method.clone(),
                ending: ending.clone(),
                count: 0,
                examples: Vec::new(),
            };
            let known = merged.entry((from, to, method.clone(), ending.clone())).or_insert_with(new);
            known.count += seen.count;
            known.examples.extend(seen.examples.iter().cloned());
            known.examples.sort();
            known.examples.dedup_by(|a, b| (&a.file, a.line) == (&b.file, b.line));
            known.examples.truncate(EXAMPLES);
        }
        merged.into_values().collect()
    }

    fn seen(&self, names: &Names, paths: &Paths, path: PathIndex, value: Abstract) -> Abstract {
        let path = &paths.all[path as usize];
        match path.step {
            _ if self.coarse => signed(value),
            Step::Field(field) if path.how == Abstraction::Sign && names.fields[field].varies => {
                match names.fields[field].kind {
                    FieldKind::Integer => signed(value),
                    _ => value,
                }
            }
            _ => value,
        }
    }

    fn label(&self, names: &Names, paths: &Paths, label: Label) -> String {
        match label {
            Label::Method(method) => names.methods[method].name.clone(),
            Label::At(path, method) => format!("{}.{}", paths.all[path as usize].text, names.methods[method].name),
            Label::Foreign(method) => names.full_name(method),
            Label::Written(number) => {
                let fields = self.written[number as usize].iter().map(|&field| names.fields[field].name.as_str());
                format!("{} =", fields.collect::<Vec<_>>().join(", "))
            }
            Label::Made => "(made)".into(),
        }
    }
}

fn signed(value: Abstract) -> Abstract {
    match value {
        Abstract::Exactly(number) => Abstract::of_number(number),
        value => value,
    }
}

fn in_words(names: &Names, paths: &Paths, values: &[(PathIndex, Abstract)]) -> Vec<(String, String)> {
    let text = |&(path, value): &(PathIndex, Abstract)| {
        let path = &paths.all[path as usize];
        let known: &[(i64, String)] = match path.step {
            Step::Field(field) => &names.fields[field].names,
            Step::Inspector(method) => names.results.get(&method).map_or(&[], |kind| match kind {
                FieldKind::Enumeration(names) | FieldKind::Variant(names) => names,
                _ => &[],
            }),
        };
        (path.text.clone(), value.text(known))
    };
    values.iter().map(text).collect()
}
