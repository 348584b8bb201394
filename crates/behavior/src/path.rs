//! Value access paths from the objects of a class.

use rustc_hash::FxHashMap;
use whydunit_events::FieldKind;

use crate::names::{ClassIndex, FieldIndex, MethodIndex, Names};
use crate::options::{Abstraction, Options};

/// Number of a path. Paths of different classes are different.
pub(crate) type PathIndex = u32;

/// The last step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    Field(FieldIndex),
    Inspector(MethodIndex),
}

/// A path.
pub(crate) struct Path {
    pub text: String,
    /// It is a part of the state.
    pub shown: bool,
    pub how: Abstraction,
    pub step: Step,
}

/// The paths in use.
#[derive(Default)]
pub(crate) struct Paths {
    pub all: Vec<Path>,
    known: FxHashMap<(ClassIndex, Option<PathIndex>, Step), PathIndex>,
}

impl Paths {
    /// All paths in use from the objects of a class.
    pub fn of(&self, class: ClassIndex) -> Vec<String> {
        let own = self.known.iter().filter(|((of, ..), _)| *of == class);
        let mut texts: Vec<String> = own.map(|(_, &path)| self.all[path as usize].text.clone()).collect();
        texts.sort();
        texts
    }

    /// The path that goes on from another one, or from an object of the class, by a step.
    pub fn step(
        &mut self,
        names: &Names,
        options: &Options,
        class: ClassIndex,
        prefix: Option<PathIndex>,
        step: Step,
    ) -> PathIndex {
        if let Some(&known) = self.known.get(&(class, prefix, step)) {
            return known;
        }
        let last = match step {
            Step::Field(field) => names.fields[field].name.clone(),
            Step::Inspector(method) => format!("{}()", names.methods[method].name),
        };
        let text = match prefix {
            Some(prefix) => format!("{}.{last}", self.all[prefix as usize].text),
            None => last,
        };
        let class_options = options.of_class.get(&names.classes[class].name);
        let part = matches!(step, Step::Field(field) if names.fields[field].kind == FieldKind::Part);
        self.all.push(Path {
            shown: !part && class_options.is_none_or(|it| it.shows(&text)),
            how: class_options.map_or(Abstraction::Sign, |it| it.sees(&text)),
            text,
            step,
        });
        let index = self.all.len() as PathIndex - 1;
        self.known.insert((class, prefix, step), index);
        index
    }
}
