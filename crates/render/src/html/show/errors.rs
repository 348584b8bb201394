//! What a run did wrong, with the calls under way.

use whydunit_findings::{Location, MemoryError, Moments, Show, UndefinedBehaviour};

use super::code::Code;
use super::place;
use crate::plain::{Words, plain, words};
use crate::runs::{LEAK, call_lines, freed, object_place, wrappers};

/// A memory error, or other undefined behaviour.
pub struct ErrorCard {
    pub kind: String,
    pub message: String,
    pub place: String,
    pub function: String,
    /// The line that did it.
    pub moment: Option<usize>,
    pub anchor: Option<String>,
    /// The calls under way, the innermost first; then what else there is to say, and the calls of that.
    pub stacks: Vec<(Words, Vec<String>)>,
}

/// All that the run did wrong, in the order of text and JSON.
pub fn cards(show: &Show, moments: &Moments, code: &Code) -> Vec<ErrorCard> {
    let at = |list: &[Option<usize>], index: usize| list.get(index).copied().flatten();
    let memory = show.errors.memory.iter().enumerate();
    let memory = memory.map(|(index, error)| memory_error(error, at(&moments.memory, index), code));
    let undefined = show.errors.undefined.iter().enumerate();
    let undefined = undefined.map(|(index, found)| undefined_behaviour(found, at(&moments.undefined, index), code));
    memory.chain(undefined).collect()
}

fn memory_error(error: &MemoryError, moment: Option<usize>, code: &Code) -> ErrorCard {
    let mut stacks = vec![(String::new(), call_lines(&error.stack))];
    if let Some(object) = &error.object {
        let rest = |calls: &[(String, Option<Location>)]| call_lines(calls.get(1..).unwrap_or_default());
        if error.kind == LEAK {
            stacks.push((format!("allocated{}", wrappers(object)), Vec::new()));
        } else {
            stacks.push((object_place(object), rest(&object.allocation)));
            stacks.extend(freed(object).map(|freed| (freed, rest(&object.freeing))));
        }
    }
    card((&error.kind, &error.message), (error.location.as_ref(), &error.function), (moment, code), stacks)
}

fn undefined_behaviour(found: &UndefinedBehaviour, moment: Option<usize>, code: &Code) -> ErrorCard {
    let mut stacks = vec![(String::new(), call_lines(&found.stack))];
    if found.times > 1 {
        stacks.push((format!("{} times in all, this is the first", found.times), Vec::new()));
    }
    let kind = format!("undefined behaviour ({})", found.kind);
    card((&kind, &found.message), (found.location.as_ref(), &found.function), (moment, code), stacks)
}

fn card(
    (kind, message): (&str, &str),
    (location, function): (Option<&Location>, &str),
    (moment, code): (Option<usize>, &Code),
    stacks: Vec<(String, Vec<String>)>,
) -> ErrorCard {
    ErrorCard {
        kind: plain(kind).into_owned(),
        message: plain(message).into_owned(),
        place: location.map(place).unwrap_or_default(),
        function: plain(function).into_owned(),
        moment,
        anchor: location.and_then(|location| code.anchor(location)),
        stacks: stacks.into_iter().map(|(what, calls)| (words(&what), calls)).collect(),
    }
}
