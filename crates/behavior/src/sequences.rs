//! Call-sequence sets (Dallmeier, 3.3): the calls that each object makes, as far as a window sees them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use whydunit_events::{Event, ObjectId};

use crate::names::{ClassIndex, MethodIndex, Names};

/// Calls that a window sees unless another number is asked for.
pub const WINDOW: usize = 5;

/// The set of all windows of a trace. A trace that is shorter than the window counts as a whole.
pub fn windows<T: Clone + Ord>(trace: &[T], window: usize) -> BTreeSet<Vec<T>> {
    if trace.is_empty() || trace.len() < window {
        return (!trace.is_empty()).then(|| trace.to_vec()).into_iter().collect();
    }
    trace.windows(window.max(1)).map(<[T]>::to_vec).collect()
}

/// The windows of each class in one run.
pub type Sets = BTreeMap<String, BTreeSet<Vec<String>>>;

/// Collects the windows of one run.
pub struct CallSequences {
    window: usize,
    names: Names,
    threads: FxHashMap<u32, Vec<Option<ObjectId>>>,
    objects: FxHashMap<ObjectId, (ClassIndex, VecDeque<MethodIndex>, bool)>,
    sets: FxHashMap<ClassIndex, BTreeSet<Vec<MethodIndex>>>,
}

impl CallSequences {
    /// With windows of so many calls.
    pub fn new(window: usize) -> Self {
        Self {
            window: window.max(1),
            names: Names::default(),
            threads: FxHashMap::default(),
            objects: FxHashMap::default(),
            sets: FxHashMap::default(),
        }
    }

    /// The next event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Source(source) => self.names.add_source(source.id, &source.path),
            Event::Class(class) => self.names.add_class(class.id, &class.name, class.library),
            Event::Method(method) => self.names.add_method(method),
            Event::Created { object, class, .. } => {
                if let Some(class) = self.names.class(*class) {
                    self.objects.insert(*object, (class, VecDeque::new(), false));
                }
            }
            Event::Destroyed { object } => self.ended(*object),
            Event::Entered { method, object, thread, .. } => {
                if let Some(method) = self.names.method(*method) {
                    let stack = self.threads.entry(*thread).or_default();
                    let caller = stack.last().copied().flatten();
                    stack.push(*object);
                    // What an object calls on itself is no matter of others.
                    if let Some(caller) = caller.filter(|caller| Some(*caller) != *object) {
                        self.called(caller, method);
                    }
                }
            }
            Event::Left { method, thread, .. } if self.names.method(*method).is_some() => {
                self.threads.get_mut(thread).and_then(Vec::pop);
            }
            _ => {}
        }
    }

    fn called(&mut self, caller: ObjectId, method: MethodIndex) {
        let Some((class, calls, slid)) = self.objects.get_mut(&caller) else { return };
        calls.push_back(method);
        if calls.len() > self.window {
            calls.pop_front();
        }
        if calls.len() == self.window {
            *slid = true;
            self.sets.entry(*class).or_default().insert(calls.iter().copied().collect());
        }
    }

    /// A sequence that never filled a window counts as a whole.
    fn ended(&mut self, object: ObjectId) {
        if let Some((class, calls, slid)) = self.objects.remove(&object)
            && !slid
            && !calls.is_empty()
        {
            self.sets.entry(class).or_default().insert(calls.into_iter().collect());
        }
    }

    /// The windows of the run.
    pub fn finish(mut self) -> Sets {
        let left: Vec<ObjectId> = self.objects.keys().copied().collect();
        left.into_iter().for_each(|object| self.ended(object));
        let name = |window: &Vec<MethodIndex>| window.iter().map(|&method| self.names.full_name(method)).collect();
        let of = |(&class, windows): (&ClassIndex, &BTreeSet<Vec<MethodIndex>>)| {
            (self.names.classes[class].name.clone(), windows.iter().map(name).collect())
        };
        self.sets.iter().map(of).collect()
    }
}

/// A window with its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedWindow {
    /// The calls.
    pub calls: Vec<String>,
    /// From 0 to 1: how much it tells the failing run from the passing ones.
    pub weight: f64,
    /// The failing run has it.
    pub failing: bool,
    /// So many passing runs have it.
    pub passing: usize,
}

/// A class with its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedClass {
    /// The class.
    pub class: String,
    /// The mean of its windows' weights.
    pub weight: f64,
    /// Its windows, the heaviest first.
    pub windows: Vec<WeighedWindow>,
}

/// The classes of a failing run and passing ones by how differently their objects call. A window that is absent from the failing run
/// weighs k/n, one that it has 1 - k/n, where k of n passing runs have it; a class weighs the mean.
pub fn weigh(failing: &Sets, passing: &[Sets]) -> Vec<WeighedClass> {
    let classes: BTreeSet<&String> = failing.keys().chain(passing.iter().flat_map(Sets::keys)).collect();
    let mut weighed: Vec<WeighedClass> = classes.into_iter().map(|class| of_class(class, failing, passing)).collect();
    weighed.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.class.cmp(&b.class)));
    weighed
}

fn of_class(class: &str, failing: &Sets, passing: &[Sets]) -> WeighedClass {
    let none = BTreeSet::new();
    let own = failing.get(class).unwrap_or(&none);
    let others: Vec<&BTreeSet<Vec<String>>> = passing.iter().filter_map(|sets| sets.get(class)).collect();
    let all: BTreeSet<&Vec<String>> = own.iter().chain(others.iter().flat_map(|set| set.iter())).collect();
    let weigh = |calls: &Vec<String>| {
        let having = others.iter().filter(|set| set.contains(calls)).count();
        let share = if passing.is_empty() { 0.0 } else { having as f64 / passing.len() as f64 };
        let failing = own.contains(calls);
        let weight = if failing { 1.0 - share } else { share };
        WeighedWindow { calls: calls.clone(), weight, failing, passing: having }
    };
    let mut windows: Vec<WeighedWindow> = all.into_iter().map(weigh).collect();
    windows.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.calls.cmp(&b.calls)));
    let sum: f64 = windows.iter().map(|window| window.weight).sum();
    let weight = if windows.is_empty() { 0.0 } else { sum / windows.len() as f64 };
    WeighedClass { class: class.to_owned(), weight, windows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(trace: &str, window: usize) -> BTreeSet<String> {
        let calls: Vec<char> = trace.chars().collect();
        windows(&calls, window).into_iter().map(String::from_iter).collect()
    }

    fn of(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_call_sequence_set_is_that_of_example_1() {
        assert_eq!(set("abcabcdc", 2), of(&["ab", "bc", "ca", "cd", "dc"]));
    }

    #[test]
    fn two_traces_have_the_sets_of_example_2() {
        assert_eq!(set("abcabcdc", 2), set("abcdca", 2));
        for window in 3..8 {
            assert_ne!(set("abcabcdc", window), set("abcdca", window), "{window}");
        }
        assert_eq!(set("ab", 5), of(&["ab"]));
        assert_eq!(set("", 5), of(&[]));
    }

    #[test]
    fn a_class_weighs_the_mean_of_its_windows() {
        let sets = |windows: &[&str]| -> Sets {
            let windows = windows.iter().map(|it| it.chars().map(String::from).collect()).collect();
            Sets::from([("C".to_owned(), windows)])
        };
        let weighed = weigh(&sets(&["ab", "bd"]), &[sets(&["ab", "bc"]), sets(&["ab", "bc"]), sets(&["ab"])]);
        let weight = |calls: &str| {
            let joined = |window: &&WeighedWindow| window.calls.concat() == calls;
            weighed[0].windows.iter().find(joined).expect("it is there").weight
        };
        assert_eq!((weight("ab"), weight("bd")), (0.0, 1.0));
        assert!((weight("bc") - 2.0 / 3.0).abs() < 1e-9);
        assert!((weighed[0].weight - 5.0 / 9.0).abs() < 1e-9);
    }
}
