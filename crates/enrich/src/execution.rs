//! What was executed: plain data.

use whydunit_typestate::Reason;

/// A state of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateRef {
    /// By its number in [`Miner::states`](whydunit_behavior::Miner::states).
    State(usize),
    /// There is no object any more: a destructor has ended it, or its memory was freed.
    Ended,
}

/// Where an argument comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A recorded call had it.
    Call {
        /// The run.
        run: String,
        /// Where the call was made; empty and 0 where that is not known.
        file: String,
        /// The line.
        line: u32,
    },
    /// It is a boundary value of its type.
    Boundary,
}

/// An argument of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// In words.
    pub text: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// A call on the way to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The method.
    pub method: String,
    /// Its arguments.
    pub arguments: Vec<Given>,
}

/// How an object came to be in the state in which a method was tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// The run that was left.
    pub run: String,
    /// The method behind whose call it was left; empty where that is not known.
    pub after: String,
    /// It makes the object.
    pub constructor: bool,
    /// Where that call stands; empty and 0 where that is not known.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The how manieth time that the run came there with an object of the class, from 1.
    pub time: u64,
    /// Calls that were made after that.
    pub steps: Vec<Step>,
}

/// How an execution has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It has returned, with the object in this state.
    To(StateRef),
    /// Exceptionally.
    Ex {
        /// Why.
        reason: Reason,
        /// The state that the object is left in; `None` where that is not known.
        left_in: Option<StateRef>,
        /// It is no matter of the arguments: memory was used that an earlier call had freed.
        misuse: bool,
    },
}

/// A call that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The state before.
    pub from: StateRef,
    /// The method.
    pub method: String,
    /// Its arguments.
    pub arguments: Vec<Given>,
    /// How it has ended.
    pub ending: Ending,
    /// How the state was reached.
    pub reached: Reached,
}

impl Execution {
    /// What makes it another one than others of its method in its state: the arguments, or the object where there are none.
    pub fn label(&self) -> String {
        label(&self.arguments, &self.reached)
    }
}

/// The same of arguments and of how the object came there.
pub(crate) fn label(arguments: &[Given], reached: &Reached) -> String {
    let texts = |given: &[Given]| given.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(", ");
    if !arguments.is_empty() {
        return texts(arguments);
    }
    let steps = reached.steps.iter().map(|step| format!(" {}({})", step.method, texts(&step.arguments)));
    let time = if reached.time > 1 { format!(" ({})", reached.time) } else { String::new() };
    let at = if reached.file.is_empty() { String::new() } else { format!(" {}:{}", reached.file, reached.line) };
    format!("{}{at}{time}{}", reached.run, steps.collect::<String>())
}
