//! A function, and the names under which it is called.

use std::borrow::Cow;

use crate::effects::{Allocation, Character, Ending, Fails, Input, Number, Output, Precision, Reads, Source, Writes};

/// What is known of a function, with its arguments as the plain function has them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Function {
    /// Its name: of several, the plainest.
    pub name: &'static str,
    /// How it fails.
    pub fails: Fails,
    /// What memory it reads.
    pub reads: &'static [Reads],
    /// What memory it writes.
    pub writes: &'static [Writes],
    /// What its result and what it writes depend on.
    pub source: Source,
    /// How it reads what the program is given.
    pub input: Option<Input>,
    /// What it prints.
    pub output: Option<Output>,
    /// Through it, or after it, output may come from elsewhere, or go elsewhere: it starts a process, or changes what a stream or
    /// descriptor is.
    pub diverts_output: bool,
    /// What it does with the heap.
    pub allocation: Allocation,
    /// The number that it reads from a text.
    pub number: Option<Number>,
    /// What it says of a character.
    pub character: Option<Character>,
    /// It is a function of mathematics, of floating-point numbers so precise.
    pub mathematics: Option<Precision>,
    /// How it leaves, if it does not return.
    pub ending: Option<Ending>,
    /// It may return a second time, when another function goes back to it.
    pub returns_twice: bool,
    /// It keeps pointers that it is given, which are used after it has returned.
    pub keeps: bool,
    /// It may call code of the program (signal handlers aside, which may run in any function).
    pub calls_back: bool,
    /// The replay computes it, and recordings have nothing of it.
    pub(crate) computed: bool,
    /// It gives the same each time that a thread calls it, as a rule.
    pub(crate) constant: bool,
}

impl Function {
    /// Whether what it gives follows from the values of its arguments and the memory of the program that it reads, and it does
    /// nothing else: a call can be left out, or done twice.
    pub fn is_pure(&self) -> bool {
        self.source == Source::Arguments
            && self.writes.is_empty()
            && !self.calls_back
            && !self.returns_twice
            && self.ending.is_none()
            && self.allocation == Allocation::None
            && self.output.is_none()
    }

    /// Whether people write a call of it again where its result is needed again: it is pure, and does not read a number out of a text,
    /// which is done once.
    pub fn is_written_again(&self) -> bool {
        self.is_pure() && self.number.is_none()
    }

    /// Whether a call of the function is the end of what captured code does: the process ends, with a status or by SIGABRT.
    pub fn ends_process(&self) -> bool {
        matches!(self.ending, Some(Ending::Exit { .. } | Ending::Abort | Ending::Assertion { .. }))
    }
}

/// A function under one of its names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    /// The function.
    pub function: &'static Function,
    /// This name.
    pub symbol: &'static str,
    /// The runtime has a wrapper for this name.
    wrapped: bool,
    /// Before which argument of the plain function this form of it has others, and how many.
    inserted: (usize, usize),
}

impl Known {
    pub(crate) fn new(
        function: &'static Function,
        symbol: &'static str,
        wrapped: bool,
        inserted: (usize, usize),
    ) -> Self {
        Self { function, symbol, wrapped, inserted }
    }

    /// The function's name, however it is called here.
    pub fn name(&self) -> &'static str {
        self.function.name
    }

    /// Where under this name the argument is that the plain function has at `n`.
    pub fn argument(&self, n: usize) -> usize {
        let (at, count) = self.inserted;
        if n < at { n } else { n + count }
    }

    /// The arguments of a call under this name, as the plain function has them.
    pub fn plain<'a, T: Clone>(&self, args: &'a [T]) -> Cow<'a, [T]> {
        let (at, count) = self.inserted;
        if count == 0 || args.len() < at + count {
            return Cow::Borrowed(args);
        }
        Cow::Owned([&args[..at], &args[at + count..]].concat())
    }

    /// What it reads, by the arguments under this name.
    pub fn reads(&self) -> impl Iterator<Item = Reads> + use<> {
        let known = *self;
        self.function.reads.iter().map(move |reads| reads.placed(|n| known.argument(n)))
    }

    /// What it writes, by the arguments under this name.
    pub fn writes(&self) -> impl Iterator<Item = Writes> + use<> {
        let known = *self;
        self.function.writes.iter().map(move |writes| writes.placed(|n| known.argument(n)))
    }

    /// What it prints, by the arguments under this name.
    pub fn output(&self) -> Option<Output> {
        self.function.output.map(|output| output.placed(|n| self.argument(n)))
    }

    /// Whether it writes no memory.
    pub fn writes_nothing(&self) -> bool {
        self.function.writes.is_empty()
    }

    /// Whether the runtime has a wrapper for this name. What has none is called by the generic protocol, and what it writes is
    /// found when it is loaded.
    pub fn is_wrapped(&self) -> bool {
        self.wrapped
    }

    /// Nothing is logged but the memory that it reads and that external code had changed (FIX): the replay computes it.
    pub fn log_free(&self) -> bool {
        self.wrapped && self.function.computed
    }

    /// Its result is logged only when it differs from the last one.
    pub fn constant(&self) -> bool {
        self.wrapped && self.function.constant
    }

    /// What of the heap the recording has of it.
    pub fn allocation(&self) -> Allocation {
        if self.wrapped { self.function.allocation } else { Allocation::None }
    }

    /// Its wrapper does not come back.
    pub fn never_returns(&self) -> bool {
        self.function.ending.is_some()
    }

    /// It comes back, and does not call captured code meanwhile, except that a signal's handler may run during it.
    pub fn never_calls_back(&self) -> bool {
        !self.function.calls_back && !self.never_returns()
    }

    /// The name of its wrapper.
    pub fn wrapper(&self) -> String {
        format!("__wd_w_{}", self.symbol)
    }

    /// Whether the wrapper wants the function itself before its arguments: its symbol is the compiler's own affair.
    pub fn wants_itself(&self) -> bool {
        self.function.allocation == Allocation::Rust
    }
}
