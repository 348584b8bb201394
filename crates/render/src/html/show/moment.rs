//! What is seen at each moment.

use whydunit_findings::Moments;

use super::code::Code;
use super::place;
use crate::plain::plain;

/// A moment.
pub struct Moment {
    pub index: usize,
    /// For a debugger to go to.
    pub number: u64,
    pub place: String,
    pub function: String,
    pub thread: Option<u32>,
    /// The element of its line.
    pub anchor: Option<String>,
    /// What it is; whether that is bad.
    pub signs: Vec<(bool, String)>,
    pub variables: Vec<Variable>,
    pub more_variables: usize,
    /// The calls under way but the innermost.
    pub callers: Vec<Caller>,
    pub more_calls: usize,
    /// The page begins with it.
    pub first: bool,
}

/// A variable.
pub struct Variable {
    pub name: String,
    pub value: String,
    pub changed: bool,
}

/// A call under way.
pub struct Caller {
    pub function: String,
    pub place: String,
    pub moment: Option<usize>,
    pub anchor: Option<String>,
}

/// All of them.
pub fn moments(moments: &Moments, code: &Code) -> Vec<Moment> {
    let moment = |(index, moment): (usize, &whydunit_findings::Moment)| {
        let innermost = moment.stack.first();
        let location = innermost.and_then(|call| call.location.as_ref());
        let callers = moment.stack.iter().skip(1).map(|call| Caller {
            function: plain(&call.function).into_owned(),
            place: call.location.as_ref().map(place).unwrap_or_default(),
            moment: call.moment,
            anchor: call.location.as_ref().and_then(|location| code.anchor(location)),
        });
        let variables = moment.variables.iter().map(|variable| Variable {
            name: plain(&variable.name).into_owned(),
            value: plain(&variable.value).into_owned(),
            changed: variable.changed,
        });
        Moment {
            index,
            number: moment.number,
            place: location.map(place).unwrap_or_default(),
            function: plain(innermost.map_or("", |call| &call.function)).into_owned(),
            thread: moment.thread,
            anchor: location.and_then(|location| code.anchor(location)),
            signs: signs(moments, index),
            variables: variables.collect(),
            more_variables: moment.more_variables,
            callers: callers.collect(),
            more_calls: moment.more_calls,
            first: index == moments.begin,
        }
    };
    moments.moments.iter().enumerate().map(moment).collect()
}

/// What a moment is.
fn signs(moments: &Moments, index: usize) -> Vec<(bool, String)> {
    let here = |place: &Option<usize>| *place == Some(index);
    let mut signs = Vec::new();
    if moments.failure == Some(index) {
        signs.push((true, "fails here".to_string()));
    }
    if moments.memory.iter().any(here) {
        signs.push((true, "memory error".into()));
    }
    if moments.undefined.iter().any(here) {
        signs.push((true, "undefined behaviour".into()));
    }
    signs.extend(moments.moments[index].events.iter().map(|event| (true, plain(event).into_owned())));
    let steps = || moments.steps.iter().enumerate();
    signs.extend(steps().filter(|(_, (line, _))| here(line)).map(|(step, _)| (false, format!("step {}", step + 1))));
    let after = steps().filter(|(_, (_, next))| here(next));
    signs.extend(after.map(|(step, _)| (false, format!("after step {}", step + 1))));
    signs
}

/// A mark of the overview, which is 1000 wide: where, and how much it stands out, from 1 to 5.
pub struct Mark {
    pub at: u32,
    pub level: u8,
}

/// Marks of all moments, those that stand out most last.
pub fn marks(moments: &Moments) -> Vec<Mark> {
    let level = |index: usize| {
        let signs = signs(moments, index);
        match (moments.failure == Some(index), signs.iter().any(|(bad, _)| *bad), signs.is_empty()) {
            (true, ..) => 5,
            (false, true, _) => 4,
            (false, false, false) => 3,
            (false, false, true) => 1,
        }
    };
    let mark = |(index, moment): (usize, &whydunit_findings::Moment)| Mark {
        at: moment.permille.min(996),
        level: level(index),
    };
    let mut marks: Vec<Mark> = moments.moments.iter().enumerate().map(mark).collect();
    marks.sort_by_key(|mark| mark.level);
    marks
}
