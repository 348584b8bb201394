//! What a call that was tried comes to.

use whydunit_events::End;
use whydunit_memcheck::{Kind as MemoryKind, MemoryError};
use whydunit_objects::{Blocks, Tried};
use whydunit_replay::{Limits, WhatIfStop};
use whydunit_typestate::{Kind, Reason};

use crate::checks::Checks;

/// How a call has ended, but for the state of the object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It has returned.
    Returned,
    /// Exceptionally. `known`: the object is in a state that can be told. `misuse`: whatever the arguments.
    Ex { reason: Reason, known: bool, misuse: bool },
    /// It was not executed to an end: why.
    Unseen(String),
    /// The user does not want to wait.
    Interrupted,
}

/// Of a call that stopped so, under the checks. `null`: an argument was null.
pub(crate) fn of(
    tried: Tried,
    end: Option<End>,
    checks: &Checks,
    blocks: &Blocks,
    null: bool,
    limits: Limits,
) -> Outcome {
    let Tried::Stopped(stopped) = tried else { return Outcome::Interrupted };
    if let Some(error) = checks.0.errors().first() {
        return memory(error, blocks, null);
    }
    let ex = |kind, text: String, known| Outcome::Ex { reason: Reason { kind, text }, known, misuse: false };
    if let Some(found) = checks.1.found().first() {
        return match null && found.kind == whydunit_undefined::Kind::Null {
            true => Outcome::Unseen("it does not take null as an argument".into()),
            false => ex(Kind::Undefined, found.kind.name().into(), false),
        };
    }
    match stopped {
        WhatIfStop::Returned(_) => match end {
            Some(End::Failed(text)) => ex(Kind::Error, text, true),
            Some(End::Exception(text)) => ex(Kind::Exception, text, true),
            Some(End::Returned) | None => Outcome::Returned,
        },
        WhatIfStop::Thrown { panic: true, text } => ex(Kind::Panic, text, false),
        WhatIfStop::Thrown { panic: false, text } => ex(Kind::Exception, text, true),
        WhatIfStop::Trap { .. } if null => Outcome::Unseen("it does not take null as an argument".into()),
        WhatIfStop::Trap { signal, .. } => ex(Kind::Signal, whydunit_process::signal_name(signal), false),
        WhatIfStop::Limit { what: "instructions" } => {
            ex(Kind::Hang, format!("after {} instructions", limits.instructions), false)
        }
        WhatIfStop::Limit { what } => Outcome::Unseen(format!("it was followed no farther: {what}")),
        WhatIfStop::Exited { status } => Outcome::Unseen(format!("it ends the program, with exit status {status}")),
        WhatIfStop::External { name } | WhatIfStop::BackInExternal { name } if name.is_empty() => {
            Outcome::Unseen("it calls code that was not captured".into())
        }
        WhatIfStop::External { name } | WhatIfStop::BackInExternal { name } => {
            let name = whydunit_model::names::readable(&name).unwrap_or(name);
            Outcome::Unseen(format!("it calls `{name}`, which is not computed"))
        }
        WhatIfStop::UnknownMemory { .. } => Outcome::Unseen("it reads memory of which nothing is known".into()),
        WhatIfStop::OtherOutput { .. } | WhatIfStop::NoChange { .. } => Outcome::Unseen("it was not made".into()),
    }
}

/// An error of memory: of the data of arguments it says nothing about the state.
fn memory(error: &MemoryError, blocks: &Blocks, null: bool) -> Outcome {
    let of_argument =
        |address: u64| blocks.iter().any(|&(start, end)| start <= address && address < end.max(start + 1));
    let object = error.object.as_ref().map(|object| object.start);
    if of_argument(error.address) || object.is_some_and(of_argument) {
        return Outcome::Unseen("it uses more of an argument than was there".into());
    }
    if null && error.kind == MemoryKind::NullPointer {
        return Outcome::Unseen("it does not take null as an argument".into());
    }
    let misuse = matches!(error.kind, MemoryKind::UseAfterFree | MemoryKind::DoubleFree);
    let reason = Reason { kind: Kind::Memory, text: error.kind.name().into() };
    Outcome::Ex { reason, known: false, misuse }
}
