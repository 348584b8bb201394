//! The exceptions of C++ that captured code has thrown, and those that the library has made.

/// A type: the address of its description, or its mangled name where nothing of the program describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    At(u64),
    Named(&'static str),
}

/// An exception that was thrown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrown {
    pub object: u64,
    pub ty: Type,
    pub destructor: u64,
    /// The object as the type that it was last caught as.
    pub caught: u64,
    /// How many handlers are under way.
    pub handlers: u32,
    /// Thrown again by a handler that has not ended.
    pub again: bool,
}

/// The exceptions of a run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Exceptions {
    pub thrown: Vec<Thrown>,
    /// The objects of the handlers under way, the innermost last.
    pub handled: Vec<u64>,
    /// The types that landings of what-if runs have met; their numbers begin at [`FIRST_TYPE`].
    types: Vec<u64>,
    /// What the program has set to be called when it is terminated.
    pub terminate: u64,
}

/// Selectors of recorded landings are lower.
pub(crate) const FIRST_TYPE: u64 = 1 << 24;

impl Exceptions {
    /// The last exception thrown with this object.
    pub fn find(&mut self, object: u64) -> Option<&mut Thrown> {
        self.thrown.iter_mut().rev().find(|thrown| thrown.object == object)
    }

    /// An object of this type is thrown; an older exception with it is gone.
    pub fn throw(&mut self, object: u64, ty: Type, destructor: u64) {
        self.thrown.retain(|thrown| thrown.object != object);
        self.thrown.push(Thrown { object, ty, destructor, caught: object, handlers: 0, again: false });
    }

    /// A handler begins with this object; gives it as the type that it is caught as, `None` where it was not seen thrown.
    pub fn begin(&mut self, object: u64) -> Option<u64> {
        self.handled.push(object);
        let thrown = self.find(object)?;
        thrown.handlers += 1;
        thrown.again = false;
        Some(thrown.caught)
    }

    /// The innermost handler ends; gives the exception where that was its last one.
    pub fn end(&mut self) -> Option<Thrown> {
        let object = self.handled.pop()?;
        let thrown = self.find(object)?;
        thrown.handlers = thrown.handlers.saturating_sub(1);
        let last = *thrown;
        if last.handlers > 0 || last.again {
            return None;
        }
        self.thrown.retain(|thrown| thrown.object != object);
        Some(last)
    }

    /// The program keeps the exception that is handled, and may throw it again whenever it likes; gives its object, 0 where
    /// there is none.
    pub fn keep(&mut self) -> u64 {
        let object = self.handled.last().copied().unwrap_or(0);
        self.find(object).into_iter().for_each(|thrown| thrown.again = true);
        object
    }

    /// The selector of a type in landings of what-if runs.
    pub fn number(&mut self, ty: u64) -> u64 {
        let at = self.types.iter().position(|known| *known == ty).unwrap_or_else(|| {
            self.types.push(ty);
            self.types.len() - 1
        });
        FIRST_TYPE + at as u64
    }
}

/// A standard exception that the library made in a recorded run.
#[derive(Clone, Debug)]
pub(crate) struct MadeError {
    pub object: u64,
    pub text: Vec<u8>,
    /// What its words were before.
    pub before: [u64; 2],
}
