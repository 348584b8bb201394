//! Protocols: the states of objects, and what calls make of them.

use whydunit_model::IntPred;

/// Number of a state in [`Protocol::states`].
pub type StateId = u8;

/// The protocol of a class: a typestate automaton with the calls that its labels stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Protocol {
    /// The class.
    pub class: String,
    /// Where the model comes from, in words.
    pub origin: String,
    /// Names of the states.
    pub states: Vec<String>,
    /// Methods.
    pub methods: Vec<Method>,
    /// What follows where memory of the object is read or written: states in which that is never allowed.
    pub untouchable: Vec<StateId>,
    /// The state of a variable of the class that nothing was done to yet; `None` where such a one may be right.
    pub raw: Option<StateId>,
    /// How large an object is, in bytes; `None` where that is not known.
    pub bytes: Option<u32>,
    /// The protocol does not hold in programs that call one of these.
    pub unless: Vec<String>,
}

/// Where the object of a call is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The call returns its handle or its address: it makes one.
    Result,
    /// It makes the object that an argument points to.
    Made(u32),
    /// It makes an object, and stores its handle behind an argument.
    Behind(u32),
    /// An argument is its handle or points to it.
    Argument(u32),
}

impl Place {
    /// Whether the call makes the object.
    pub fn makes(self) -> bool {
        !matches!(self, Place::Argument(_))
    }
}

/// Functions that do the same to an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Their names for the linker.
    pub symbols: Vec<String>,
    /// Where the object is.
    pub place: Place,
    /// What follows. Of a method that makes objects, `from` is not used.
    pub transitions: Vec<Transition>,
}

/// What a call makes of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state before the call.
    pub from: StateId,
    /// Only with such a result, read as a signed number.
    pub result: Option<(IntPred, i64)>,
    /// What follows.
    pub to: Next,
}

/// What follows a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A state.
    State(StateId),
    /// The call is always wrong.
    Never,
    /// The call fails where the object could not be made: its maker's result had to be tested.
    MayFail,
}

impl Protocol {
    /// Whether nothing can be called in a state: its object is gone for good.
    pub fn is_final(&self, state: StateId) -> bool {
        let leads_on = |method: &Method| {
            let on = |it: &Transition| it.from == state && matches!(it.to, Next::State(_));
            !method.place.makes() && method.transitions.iter().any(on)
        };
        !self.methods.iter().any(leads_on)
    }

    /// Whether something is never right in a state.
    pub fn is_dangerous(&self, state: StateId) -> bool {
        let wrong = |it: &Transition| it.from == state && !matches!(it.to, Next::State(_));
        self.untouchable.contains(&state)
            || self.methods.iter().any(|it| !it.place.makes() && it.transitions.iter().any(wrong))
    }

    /// Whether objects in a state could not be made.
    pub fn may_be_missing(&self, state: StateId) -> bool {
        let missing = |it: &Transition| it.from == state && it.to == Next::MayFail;
        self.methods.iter().any(|method| !method.place.makes() && method.transitions.iter().any(missing))
    }

    /// What holds of a handle that was made: by the results of what makes them.
    pub fn valid(&self) -> (IntPred, i64) {
        let makers = self.methods.iter().filter(|method| method.place == Place::Result);
        makers.flat_map(|method| &method.transitions).find_map(|it| it.result).unwrap_or((IntPred::Ne, 0))
    }

    /// Whether the object is known by the place where it lies, not by a handle.
    pub fn by_place(&self) -> bool {
        self.methods.iter().any(|method| matches!(method.place, Place::Made(_)))
    }
}
