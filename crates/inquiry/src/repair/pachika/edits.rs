//! Changes of sources after which a call finds what its method needs, or is not made.

use std::ops::Range;

use whydunit_anomalies::{Anomaly, Calls, Expected, Fact};
use whydunit_behavior::Abstract;
use whydunit_classes::{Class, Method};
use whydunit_findings::{Location, Replacement};
use whydunit_objects::Catalogue;
use whydunit_repair::calls::{Call, Operand, Variable};

use super::super::places::{Places, column};
use super::sources::{Around, Sources};
use super::style::{Style, is_of_class, object_of_argument};

/// Methods that lead to what is needed, and ways to name an object, that are tried.
const MOST: usize = 3;

/// A change of a source.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::repair) struct Edit {
    pub replaced: Replacement,
    /// So many others of the same kind are known to pass as well.
    pub rivals: u64,
}

/// An anomaly where its call and its method stand in sources.
pub(super) struct Suspect<'a> {
    pub anomaly: &'a Anomaly,
    pub fact: &'a Fact,
    pub caller: Option<Around>,
    pub callee: Option<Around>,
    pub catalogue: &'a Catalogue,
    /// What methods change.
    pub calls: &'a Calls,
}

impl<'a> Suspect<'a> {
    pub fn of(
        sources: &mut Sources<'_>,
        places: &mut Places,
        (anomaly, fact): (&'a Anomaly, &'a Fact),
        catalogue: &'a Catalogue,
        calls: &'a Calls,
    ) -> Self {
        let caller = sources.function(places, &anomaly.at.file, anomaly.at.line);
        let class = catalogue.classes().iter().find(|class| class.name == anomaly.class);
        let at = class.and_then(|class| method(class, &anomaly.method)).and_then(|method| method.position.clone());
        let callee = at.and_then(|at| sources.function(places, &at.file, at.line));
        let callee = callee.filter(|around| around.function.name == anomaly.method);
        Self { anomaly, fact, caller, callee, catalogue, calls }
    }

    /// All of them: calls that are missing, fields that are assigned, the call left out, the method left early.
    pub fn edits(&self) -> Vec<Edit> {
        let mut all = Vec::new();
        if let Some((caller, call)) = self.call() {
            self.insertions(caller, call, &mut all);
        }
        let mut left = Vec::new();
        if let Some((caller, call)) = self.call() {
            self.left_out(caller, call, &mut left);
        }
        let mut early = Vec::new();
        if let Some(callee) = &self.callee {
            self.left_early(callee, &mut early);
        }
        // What a method is given it can look at itself, for all of its callers.
        all.extend(if self.parameter().is_some() { [early, left] } else { [left, early] }.into_iter().flatten());
        all
    }

    /// The call in its caller.
    fn call(&self) -> Option<(&Around, &Call)> {
        let caller = self.caller.as_ref()?;
        let named = caller.function.calls.iter().filter(|call| call.name == self.anomaly.method);
        let near = named.min_by_key(|call| call.line.abs_diff(self.anomaly.at.line))?;
        (near.line.abs_diff(self.anomaly.at.line) <= 2).then_some((caller, near))
    }

    fn class(&self, name: &str) -> Option<&'a Class> {
        self.catalogue.classes().iter().find(|class| class.name == name)
    }

    /// How the object that the call finds otherwise is named where the call stands.
    fn objects(&self, caller: &Around, call: &Call) -> Vec<Operand> {
        let mut found = Vec::new();
        let own = self.own(caller, call);
        if self.fact.owner.is_empty() {
            found.extend(own);
            return found;
        }
        let class = &self.fact.owner_class;
        if let Some(index) = self.parameter().and_then(|name| self.argument_index(name)) {
            found.extend(call.arguments.get(index).map(|text| object_of_argument(text, self.passes_pointer(index))));
            return found;
        }
        let there = caller.function.there(call.statement.start);
        found.extend(there.filter_map(|variable| named(variable, class)));
        if let Some(own) = own {
            let getters = self.class(&self.anomaly.class).into_iter().flat_map(|known| &known.methods);
            let gives = |method: &&Method| {
                method.parameters.is_empty()
                    && method.receiver.is_some()
                    && is_of_class(&method.result, class).is_some()
            };
            found.extend(getters.filter(gives).map(|method| Operand {
                text: caller.style.call(&own, &method.name),
                pointer: method.result.trim_end().ends_with('*'),
            }));
            let text = caller.style.member(&own, &self.fact.owner);
            found.push(Operand { text, pointer: true });
        }
        found.truncate(MOST);
        found
    }

    /// What the method is called on.
    fn own(&self, caller: &Around, call: &Call) -> Option<Operand> {
        match caller.style {
            Style::C => call.arguments.first().map(|text| object_of_argument(text, true)),
            _ => call.receiver.clone(),
        }
    }

    /// The parameter that the object is given as, where it is no part of the own one.
    fn parameter(&self) -> Option<&str> {
        let callee = self.callee.as_ref()?;
        let own = callee.function.parameters.iter().find(|parameter| parameter.name == self.fact.owner)?;
        Some(&own.name)
    }

    fn argument_index(&self, name: &str) -> Option<usize> {
        self.callee.as_ref()?.function.parameters.iter().position(|parameter| parameter.name == name)
    }

    fn passes_pointer(&self, index: usize) -> bool {
        let parameters = self.callee.as_ref().map(|callee| &callee.function.parameters[..]).unwrap_or_default();
        parameters.get(index).is_some_and(|parameter| parameter.ty.trim_end().ends_with('*'))
    }

    /// Calls and assignments right before the call.
    fn insertions(&self, caller: &Around, call: &Call, all: &mut Vec<Edit>) {
        let Expected::Values(values) = &self.fact.expected else { return };
        if self.fact.field.is_empty() {
            return;
        }
        let leading = self.calls.leading(&self.fact.owner_class, &self.fact.field, self.fact.found, values);
        let objects = self.objects(caller, call);
        for (class, name) in leading.iter().take(MOST) {
            let known = self.class(class).and_then(|class| method(class, name));
            let takes = known.map_or(0, |method| method.parameters.len());
            let own = usize::from(caller.style == Style::C);
            for object in objects.iter().filter(|_| takes <= own) {
                all.push(before(caller, call, &format!("{};", caller.style.call(object, name))));
            }
            // One that stands in the function already has its arguments.
            let known: Vec<&Call> = caller.function.calls.iter().filter(|it| it.name == *name && it.whole).collect();
            let on_the_same = |other: &&&Call| match caller.style {
                Style::C => other.arguments.first() == call.arguments.first() || !self.fact.owner.is_empty(),
                _ => other.receiver == call.receiver || !self.fact.owner.is_empty(),
            };
            for other in known.iter().filter(on_the_same).take(MOST) {
                all.push(before(caller, call, &caller.text[other.statement.clone()]));
            }
        }
        for value in values.iter().filter_map(|value| caller.style.value(*value, &self.fact.names)) {
            for object in &objects {
                let field = caller.style.member(object, &self.fact.field);
                all.push(before(caller, call, &format!("{field} = {value};")));
            }
        }
    }

    /// The call is made only where it finds what it needs.
    fn left_out(&self, caller: &Around, call: &Call, all: &mut Vec<Edit>) {
        if !call.whole {
            return;
        }
        for object in self.objects(caller, call) {
            for condition in self.conditions(caller.style, &object, true) {
                let statement = &caller.text[call.statement.clone()];
                let indent = indent(&caller.text, call.statement.start);
                let text = caller.style.only_where(&condition, statement, &indent);
                all.push(edit(caller, call.statement.clone(), text));
            }
        }
    }

    /// The method is left at once where it does not find what it needs.
    fn left_early(&self, callee: &Around, all: &mut Vec<Edit>) {
        let Some(first) = &callee.function.first else { return };
        let object = match (self.parameter(), callee.style) {
            (Some(name), _) => {
                let index = self.argument_index(name).unwrap_or(0);
                Operand { text: name.to_owned(), pointer: self.passes_pointer(index) }
            }
            (None, style) => {
                let own = match style {
                    Style::C => callee.function.parameters.first().map(|it| it.name.clone()).unwrap_or_default(),
                    Style::Cxx => "this".into(),
                    Style::Rust => "self".into(),
                };
                let own = Operand { text: own, pointer: style != Style::Rust };
                match self.fact.owner.as_str() {
                    "" => own,
                    owner => Operand { text: style.member(&own, owner), pointer: true },
                }
            }
        };
        for condition in self.conditions(callee.style, &object, false) {
            for leave in &callee.function.leaves {
                let indent = indent(&callee.text, first.start);
                let text = match callee.style {
                    Style::Rust => format!("if {condition} {{\n{indent}    {leave}\n{indent}}}\n{indent}"),
                    _ => format!("if ({condition})\n{indent}    {leave}\n{indent}"),
                };
                all.push(edit(callee, first.start..first.start, text.replace("this->", "")));
            }
        }
    }

    /// What says that the object is as it has to be, or (`holds` is false) that it is not: by an inspector, then by the field.
    fn conditions(&self, style: Style, object: &Operand, holds: bool) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(saying) = &self.fact.inspector {
            let name = saying.path.rsplit('.').next().unwrap_or(&saying.path).trim_end_matches("()");
            let called = style.call(object, name);
            found.extend(style.condition(&called, saying.value, &[], !holds));
        }
        let field = match self.fact.field.as_str() {
            "" => object.text.clone(),
            field => style.member(object, field),
        };
        let names = &self.fact.names;
        found.extend(match &self.fact.expected {
            Expected::Values(values) if values.len() == 1 && values[0] != Abstract::Unknown => {
                style.condition(&field, values[0], names, holds)
            }
            _ => style.condition(&field, self.fact.found, names, !holds),
        });
        found
    }
}

/// A variable as an object of a class, where it is one.
fn named(variable: &Variable, class: &str) -> Option<Operand> {
    let pointer = is_of_class(&variable.ty, class)?;
    Some(Operand { text: variable.name.clone(), pointer })
}

fn method<'c>(class: &'c Class, name: &str) -> Option<&'c Method> {
    class.methods.iter().find(|method| method.name == name)
}

/// A statement of its own before that of a call.
fn before(around: &Around, call: &Call, statement: &str) -> Edit {
    let start = call.statement.start;
    let text = format!("{statement}\n{}", indent(&around.text, start));
    edit(around, start..start, text)
}

fn edit(around: &Around, bytes: Range<usize>, after: String) -> Edit {
    let line = around.text[..bytes.start].matches('\n').count() as u32 + 1;
    let after = if around.text.contains("\r\n") { after.replace('\n', "\r\n") } else { after };
    Edit {
        replaced: Replacement {
            location: Location {
                file: around.file.clone(),
                line,
                column: column(&around.text, bytes.start),
                ..Location::default()
            },
            function: around.function.name.clone(),
            before: around.text[bytes.clone()].into(),
            after,
            bytes,
        },
        rivals: 0,
    }
}

/// What stands before the first word of a byte's line.
fn indent(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[line..].chars().take_while(|character| matches!(character, ' ' | '\t')).collect()
}
