//! Tests drafted from what was executed.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_classes::Method;
use whydunit_enrich::{Ending, Execution, Given, Origin, Reached, StateRef};
use whydunit_objects::Callable;
use whydunit_suite::{Suite, skeleton};
use whydunit_typestate::{End, Grade};
use whydunit_unittest::{
    Call, Draft, Expected, Kind, Shape, Source, Stop, Stopped, Style, Wanted, arguments_of, draft, identifier, literal,
    state_words, stop,
};

use super::Learned;
use super::expecting::{conditions, expected, word};
use crate::locate::TestCode;

/// Beginnings of tests that are tried for one transition.
const BEGINNINGS: usize = 4;

/// A state that takes more characters to tell is not told in a comment.
const LONGEST: usize = 80;

/// A test that is to be tried.
pub(super) struct Drafted {
    /// Number of the transition.
    pub transition: usize,
    pub name: String,
    /// The test that it begins as, as the suite calls it.
    pub from_test: String,
    /// What its file calls that one.
    pub old_name: String,
    pub file: String,
    /// The last line of that test.
    pub line: u32,
    /// A framework tells of it by its name.
    pub listed: bool,
    pub draft: Draft,
}

/// Where a run was left.
type Key = (String, u32, String, String);

/// Drafts tests.
pub(super) struct Drafter<'a> {
    learned: &'a Learned<'a>,
    sources: &'a BTreeMap<String, Source>,
    code: TestCode,
    stops: BTreeMap<Key, Result<Stop<'a>, String>>,
    /// Names of tests, by file.
    taken: BTreeSet<(String, String)>,
    /// States, methods and ends of which there is a test.
    shown: BTreeSet<(usize, String, String)>,
    /// Methods that change nothing, as far as they were seen.
    pure: BTreeSet<&'a str>,
}

impl<'a> Drafter<'a> {
    pub fn new(learned: &'a Learned<'a>, suite: &Suite, sources: &'a BTreeMap<String, Source>) -> Self {
        let methods = &learned.catalogue.classes()[learned.class].methods;
        let constant = methods.iter().filter(|method| method.receiver.is_some_and(|receiver| receiver.constant));
        let mut pure: BTreeSet<&str> = constant.map(|method| method.name.as_str()).collect();
        for transition in &learned.made.typestate.transitions {
            if transition.end != End::To(transition.from) {
                pure.remove(transition.method.as_str());
            }
        }
        let (stops, taken, shown) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Self { learned, sources, code: TestCode::of(suite), stops, taken, shown, pure }
    }

    /// A test of the transition with this number; `None` for one that the suite shows, the reason where there can be none.
    pub fn draft(&mut self, number: usize) -> Option<Result<Drafted, String>> {
        let transition = &self.learned.made.typestate.transitions[number];
        let executions = self.learned.made.executions.get(&number).filter(|_| transition.evidence.seen == 0)?;
        let end = match &transition.end {
            End::To(to) => to.to_string(),
            // Messages that differ in numbers say the same of different arguments.
            End::Ex { reason, .. } => format!("{} {}", reason.kind.name(), skeleton(&reason.text)),
        };
        if self.shown.contains(&(transition.from, transition.method.clone(), end.clone())) {
            return Some(Err(
                "a test of the same method in the same state, with another argument, expects the same".into()
            ));
        }
        let mut why = None;
        let mut best: Option<Drafted> = None;
        for execution in executions {
            match self.of_execution(number, execution) {
                Ok(drafted) if best.as_ref().is_none_or(|best| drafted.draft.lines < best.draft.lines) => {
                    best = Some(drafted);
                }
                Ok(_) => {}
                Err(reason) => _ = why.get_or_insert(reason),
            }
        }
        Some(match best {
            Some(drafted) => {
                self.taken.insert((drafted.file.clone(), drafted.name.clone()));
                self.shown.insert((transition.from, transition.method.clone(), end));
                Ok(drafted)
            }
            None => Err(why.unwrap_or_else(|| "it was not executed".into())),
        })
    }

    /// The shortest test that makes the call of an execution, behind any call of a test that leaves an object in its state.
    fn of_execution(&mut self, number: usize, execution: &Execution) -> Result<Drafted, String> {
        // What no test can expect needs no place.
        expected(execution, Vec::new())?;
        let (learned, sources) = (self.learned, self.sources);
        let mut places = vec![&execution.reached];
        if execution.reached.steps.is_empty() {
            places.extend(learned.executor.places.get(&execution.from).into_iter().flatten());
        }
        let mut found: Vec<(&Reached, &Source, Stop<'a>)> = Vec::new();
        let mut why = None;
        for place in places {
            let Some(source) = sources.get(&place.file) else {
                why.get_or_insert_with(|| match place.file.is_empty() {
                    true => "where the run was left is not known".to_string(),
                    false => format!(
                        "the run was left in {}, which is no source of the project that can be read",
                        place.file
                    ),
                });
                continue;
            };
            match self.stop(place, source) {
                Ok(stop) => found.push((place, source, stop)),
                Err(reason) => _ = why.get_or_insert(reason),
            }
        }
        found.sort_by_key(|(_, _, stop)| stop.statements());
        if !found.is_empty() {
            // Why it does not begin elsewhere is no matter then.
            why = None;
        }
        let mut best: Option<Drafted> = None;
        for (place, source, stop) in found.into_iter().take(BEGINNINGS) {
            match self.beginning(number, execution, (place, source, &stop)) {
                Ok(drafted) if best.as_ref().is_none_or(|best| drafted.draft.lines < best.draft.lines) => {
                    best = Some(drafted);
                }
                Ok(_) => {}
                Err(reason) => _ = why.get_or_insert(reason),
            }
        }
        best.ok_or_else(|| why.unwrap_or_else(|| "where the run was left is not known".into()))
    }

    /// Where a run was left, in the text of a test of the suite.
    fn stop(&mut self, place: &Reached, source: &'a Source) -> Result<Stop<'a>, String> {
        let key = (place.file.clone(), place.line, place.after.clone(), place.run.clone());
        if let Some(known) = self.stops.get(&key) {
            return known.clone();
        }
        let shape = self.shape(&place.after);
        let stopped =
            Stopped { line: place.line, method: &place.after, shape, constructor: place.constructor, time: place.time };
        let found = stop(source, &stopped).and_then(|stop| self.is_test(place, stop));
        self.stops.insert(key, found.clone());
        found
    }

    fn is_test(&self, place: &Reached, stop: Stop<'a>) -> Result<Stop<'a>, String> {
        let body = &stop.body;
        let no_test = || format!("the run was left in `{}`, which is no test", body.name);
        match body.kind {
            Kind::Function | Kind::Main if !self.code.holds(&place.file, &body.name) => Err(no_test()),
            Kind::Function => {
                let lower = body.name.to_ascii_lowercase();
                let named = ["test", "check", "case", "spec"].iter().any(|word| lower.contains(word));
                if named { Ok(stop) } else { Err(no_test()) }
            }
            Kind::Main => Ok(stop),
            _ if place.run.ends_with(&body.name) => Ok(stop),
            _ => Err(no_test()),
        }
    }

    fn method(&self, name: &str) -> Option<&'a Method> {
        let classes = self.learned.catalogue.classes();
        let callable = self.learned.methods.iter().find(|it| it.name == name);
        let of_callable = |it: &Callable| &classes[it.class].methods[it.method];
        callable.map(of_callable).or_else(|| classes[self.learned.class].methods.iter().find(|it| it.name == name))
    }

    /// How a method is called in a source: functions of C have their names for symbols.
    fn shape(&self, method: &str) -> Shape {
        match self.method(method) {
            Some(of) if of.symbols.contains(&of.name) => {
                Shape::Function(of.receiver.map_or(0, |receiver| receiver.parameter.saturating_sub(1) as usize))
            }
            _ => Shape::Member,
        }
    }

    /// A call as it is written in a source.
    fn call(&self, method: &str, given: &[Given], file: &str, source: &Source) -> Result<Call, String> {
        let of = self.method(method).ok_or("nothing is known of the method")?;
        let shape = self.shape(method);
        let mut arguments = Vec::new();
        for (number, argument) in given.iter().enumerate() {
            let here = match &argument.origin {
                Origin::Call { file: from, line, .. } if from == file => {
                    arguments_of(source, *line, method, shape).and_then(|all| all.get(number).cloned().flatten())
                }
                _ => None,
            };
            let ty = of.parameters.get(number).map_or("", String::as_str);
            arguments.push(match here {
                Some(text) => text,
                None => literal(&argument.text, ty, source.language)?,
            });
        }
        let changes = of.receiver.is_some_and(|receiver| !receiver.constant);
        Ok(Call { method: method.to_owned(), shape, arguments, result: of.result.clone(), changes })
    }

    /// What is told of a state in names; empty of one that is like all others.
    fn words(&self, state: usize) -> String {
        let states = &self.learned.states;
        let others: Vec<&[(String, String)]> = states.iter().map(Vec::as_slice).filter(|it| !it.is_empty()).collect();
        states.get(state).map(|values| state_words(values, &others)).unwrap_or_default()
    }

    /// A test that begins as one that is there.
    fn beginning(
        &self,
        number: usize,
        execution: &Execution,
        (place, source, stop): (&Reached, &Source, &Stop<'_>),
    ) -> Result<Drafted, String> {
        let made = self.learned.made;
        let transition = &made.typestate.transitions[number];
        let call = self.call(&execution.method, &execution.arguments, &place.file, source)?;
        let steps = execution.reached.steps.iter();
        let steps: Vec<Call> = steps
            .map(|step| self.call(&step.method, &step.arguments, &place.file, source))
            .collect::<Result<_, _>>()?;
        let values = |state: usize| self.learned.states.get(state).map_or(&[][..], Vec::as_slice);
        let after = match execution.ending {
            Ending::To(to) if to != StateRef::Ended => made.state(to),
            _ => None,
        };
        let methods = &self.learned.catalogue.classes()[self.learned.class].methods;
        let after_values = after.map(|to| conditions(methods, call.shape, values(transition.from), values(to)));
        let expected = expected(execution, after_values.unwrap_or_default())?;
        let from = self.words(transition.from);
        let to = after.filter(|to| *to != transition.from).map(|to| self.words(to)).unwrap_or_default();
        let end = word(&expected, &to);
        let mut parts = vec![execution.method.as_str()];
        if !from.is_empty() {
            parts.extend(["when", &from]);
        }
        parts.push(&end);
        let taken =
            |name: &str| source.text.contains(name) || self.taken.contains(&(place.file.clone(), name.to_owned()));
        let name = identifier(&parts, Style::of(&stop.body.name), &taken);
        let grade = made.typestate.grade(transition.from, &execution.method);
        let comment = comment(grade, &expected, &execution.method, values(transition.from));
        let is_pure = |method: &str| self.pure.contains(method);
        let wanted = Wanted {
            name: &name,
            comment: &comment,
            steps: &steps,
            call: &call,
            expected: &expected,
            is_pure: &is_pure,
        };
        let draft = draft(source, stop, &wanted)?;
        let line = source.text[..stop.body.item.end].matches('\n').count() as u32 + 1;
        let listed = !matches!(stop.body.kind, Kind::Function | Kind::Main);
        let (from_test, old_name, file) = (place.run.clone(), stop.body.name.clone(), place.file.clone());
        Ok(Drafted { transition: number, name, from_test, old_name, file, line, listed, draft })
    }
}

/// What a test says of itself: the state in full; nothing where that would be too much.
fn comment(grade: Grade, expected: &Expected, method: &str, values: &[(String, String)]) -> String {
    let known = values.iter().filter(|(_, value)| value != "unknown");
    let told = |(path, value): &(String, String)| {
        let is = if value.starts_with(['=', '<', '>']) { " " } else { " = " };
        format!("{path}{is}{value}")
    };
    let all = known.map(told).collect::<Vec<_>>().join(", ");
    let end = match (expected, grade) {
        (Expected::Returns(_), _) => "returns",
        (_, Grade::Never) => "is never right",
        _ => "may fail",
    };
    if all.is_empty() || all.chars().count() > LONGEST || all.contains(['\n', '*']) {
        return String::new();
    }
    format!("`{method}` {end} where {all}.")
}
