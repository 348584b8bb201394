//! What is known of functions that no module has.

/// What a call of an external function does with memory, as far as the program can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// What it writes.
    pub writes: Writes,
    /// What it returns.
    pub result: Returned,
    /// Pointers that it is given may be kept or used after it has returned, or by what it calls.
    pub keeps: bool,
    /// Number of the argument whose memory it frees.
    pub frees: Option<u32>,
    /// What it calls back.
    pub calls: Calls,
    /// It may come back: by returning, or by an exception.
    pub returns: bool,
}

/// What an external function writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Writes {
    /// Memory behind these arguments only: their numbers, and what comes there.
    Arguments(Vec<(u32, Content)>),
    /// It may write everything that code outside the program can reach.
    Anything,
}

/// What comes to memory that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// No pointers.
    Plain,
    /// What lies behind this argument.
    Of(u32),
    /// Anything.
    Unknown,
}

/// What an external function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// No pointer.
    Plain,
    /// New memory, without pointers in it.
    Fresh,
    /// New memory with the content of what this argument points to, or that memory itself.
    Moved(u32),
    /// A pointer into what this argument points to.
    Argument(u32),
    /// Anything.
    Unknown,
}

/// What an external function calls before it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Nothing of the program.
    Nothing,
    /// What this argument points to, with arguments of its own.
    Argument(u32),
    /// Whatever outside code can name or was given.
    Anything,
}

impl External {
    /// What is assumed of a function of which nothing is known.
    pub fn unknown() -> Self {
        Self {
            writes: Writes::Anything,
            result: Returned::Unknown,
            keeps: true,
            frees: None,
            calls: Calls::Anything,
            returns: true,
        }
    }

    /// Whether it writes nothing and calls nothing.
    pub fn is_quiet(&self) -> bool {
        self.writes == Writes::Arguments(Vec::new()) && self.calls == Calls::Nothing
    }
}

/// Knowledge of external functions.
pub trait Library {
    /// What the function with this symbol does; `None` where nothing is known of it.
    fn external(&self, symbol: &str) -> Option<External>;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn external(&self, _: &str) -> Option<External> {
        None
    }
}
