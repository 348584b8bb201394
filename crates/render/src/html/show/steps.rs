//! The way back from the failure, step by step.

use whydunit_findings::Moments;

use super::code::Code;
use super::place;
use crate::plain::{Words, plain};
use crate::runs::{fact, lead};

/// A step.
pub struct Step {
    /// From 1.
    pub number: usize,
    /// How it hangs together with the one before.
    pub lead: &'static str,
    pub fact: Words,
    pub place: String,
    /// The line of the source.
    pub code: String,
    pub note: String,
    /// The thread, where that is another one than that of the value asked for.
    pub thread: Option<u32>,
    /// The moment before the line that gave the value.
    pub moment: Option<usize>,
    /// The one after it.
    pub next: Option<usize>,
    /// The element of its line, where there is no moment.
    pub anchor: Option<String>,
}

/// The steps; none where there is no way back.
pub fn steps(moments: &Moments, code: &Code) -> Vec<Step> {
    let Some(walk) = &moments.walk else { return Vec::new() };
    let asked = walk.steps.first().and_then(|first| first.thread);
    let step = |(index, step): (usize, &whydunit_findings::Step)| {
        let (moment, next) = moments.steps.get(index).copied().unwrap_or_default();
        Step {
            number: index + 1,
            lead: lead(walk, index, step),
            fact: parts(step),
            place: step.location.as_ref().map(place).unwrap_or_default(),
            code: step.location.as_ref().and_then(|location| code.line(location)).unwrap_or_default(),
            note: step.note.as_deref().map(plain).unwrap_or_default().into_owned(),
            thread: step.thread.filter(|_| step.thread != asked),
            moment,
            next,
            anchor: step.location.as_ref().and_then(|location| code.anchor(location)),
        }
    };
    walk.steps.iter().enumerate().map(step).collect()
}

/// What a step says, in parts.
fn parts(step: &whydunit_findings::Step) -> Words {
    match &step.condition {
        Some(condition) => {
            vec![(true, plain(condition).into_owned()), (false, format!(" is {}", plain(&step.value)))]
        }
        None => vec![(true, fact(step))],
    }
}
