//! What is known about external functions by their names. The parts are the libraries that they belong to, or what they do.

mod compiled;
mod errors;
mod exceptional;
mod models;
mod mutex;
mod print;
mod rust_input;
mod rust_output;
mod specific;
mod standard;

use whydunit_library::{Allocation, Ending, RustHeap};

pub(crate) use self::compiled::{Compiled, USE_CHARACTERS};
pub(crate) use self::errors::{MADE_UP_WHAT, Source, StandardError};
pub(crate) use self::exceptional::{Exceptional, NO_MEMORY};
use self::models::is_constant;
pub(crate) use self::models::{HeapCall, LONGEST, Model};
pub(crate) use self::mutex::{Locked, MutexCall};
pub(crate) use self::print::{Places, Print};
pub(crate) use self::rust_input::RustInput;
use self::rust_output::{CHARACTER_NAME, TEXT_NAME};
pub(crate) use self::rust_output::{RustOutput, WRITE_CHARACTER, WRITE_TEXT};
pub(crate) use self::specific::{Specific, SpecificCall};
pub(crate) use self::standard::Standard;
use crate::extraction::{BufferCall, Extraction};
use crate::rounding::Environment;

/// What the replay knows about an external function by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Role {
    pub kind: RoleKind,
    /// What it prints, where its arguments tell.
    pub print: Option<Print>,
    /// It ends the process with its first argument as status.
    pub exits: bool,
    /// It gives the program a heap block.
    pub allocates: bool,
    /// It says that a variable of C++ is made: its argument is the guard.
    pub releases: bool,
    /// What it does to a mutex.
    pub mutex: Option<MutexCall>,
    /// What it does to a value of the thread's own.
    pub specific: Option<SpecificCall>,
    /// It changes how floating arithmetic rounds.
    pub environment: Option<Environment>,
    /// What of Rust's library it is, where what-if runs compute that.
    pub standard: Option<Standard>,
    /// What of the library of C++ it is, where what-if runs compute that.
    pub compiled: Option<Compiled>,
    /// How it prints, where it is of Rust's library.
    pub rust_output: Option<RustOutput>,
    /// How it reads standard input, where it is of Rust's library.
    pub rust_input: Option<RustInput>,
    /// What it takes from a stream of C++.
    pub extraction: Option<Extraction>,
    /// What it takes from a buffer of such a stream.
    pub buffer: Option<BufferCall>,
    /// What exceptions go through.
    pub exceptional: Option<Exceptional>,
    /// What of a standard exception it is.
    pub error: Option<StandardError>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoleKind {
    /// The recording has everything.
    Recorded,
    /// Computed from arguments and memory.
    Modelled(Model),
    /// malloc and its like.
    Heap(HeapCall),
    /// A function of Rust's allocator: what it moves and zeroes is computed, the result is recorded.
    Allocator(RustHeap),
    /// The result is logged only when it changes.
    Constant,
}

/// The name of a function that only replays have; empty where there is none.
pub(crate) fn made_up_name(address: u64) -> &'static str {
    match address {
        MADE_UP_WHAT => "_ZNKSt9exception4whatEv",
        WRITE_TEXT => TEXT_NAME,
        WRITE_CHARACTER => CHARACTER_NAME,
        _ => "",
    }
}

/// Whether the function of this name is one of Rust's library by which programs print.
pub fn is_output_of_rust(name: &str) -> bool {
    RustOutput::of(name).is_some()
}

/// What an external function writes that the recording does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Untold {
    /// Nothing but memory of the library's own.
    Own,
    /// The stream to which it prints, its first argument.
    Stream,
    /// What this function writes ([`Standard::writes`]).
    Ranges(Standard),
    /// Nobody knows.
    Any,
}

impl Role {
    /// Nothing is known.
    pub const OTHER: Role = Role {
        kind: RoleKind::Recorded,
        print: None,
        exits: false,
        allocates: false,
        releases: false,
        mutex: None,
        specific: None,
        environment: None,
        standard: None,
        compiled: None,
        rust_output: None,
        rust_input: None,
        extraction: None,
        buffer: None,
        exceptional: None,
        error: None,
    };

    /// What the function of this name writes that the recording does not tell.
    pub fn written_untold(name: &str) -> Untold {
        let mangled = name.starts_with("_Z") || name.starts_with("_R");
        if !mangled && whydunit_library::lookup(name).is_some() {
            return Untold::Own;
        }
        let role = Self::of(name);
        match (role.standard, role.print) {
            (Some(call), _) => Untold::Ranges(call),
            _ if role.rust_output.is_some() || role.compiled.is_some_and(Compiled::is_harmless) => Untold::Own,
            (_, Some(_)) => Untold::Stream,
            _ => Untold::Any,
        }
    }

    /// By name.
    pub fn of(name: &str) -> Role {
        let standard = Standard::of(name);
        let known = whydunit_library::lookup(name);
        let allocation = known.map_or(Allocation::None, |known| known.allocation());
        let kind = if let Some(model) = Model::of(name) {
            RoleKind::Modelled(model)
        } else if let Some(call) = HeapCall::of(name) {
            RoleKind::Heap(call)
        } else if let Some(Standard::Heap(does)) = standard
            && allocation == Allocation::Rust
        {
            RoleKind::Allocator(does)
        } else if is_constant(name) {
            RoleKind::Constant
        } else {
            RoleKind::Recorded
        };
        let exits = known.is_some_and(|known| matches!(known.function.ending, Some(Ending::Exit { .. })));
        let allocates = allocation == Allocation::Block;
        let (print, environment) = (Print::of(name), Environment::of(name));
        let (compiled, exceptional) = (Compiled::of(name), Exceptional::of(name));
        let error = StandardError::of(name);
        let rust_output = RustOutput::of(name);
        let (rust_input, extraction) = (RustInput::of(name), Extraction::of(name));
        let buffer = BufferCall::of(name);
        let releases = name == "__cxa_guard_release";
        Role {
            kind,
            print,
            exits,
            allocates,
            releases,
            mutex: MutexCall::of(name),
            specific: SpecificCall::of(name),
            environment,
            standard,
            compiled,
            rust_output,
            rust_input,
            extraction,
            buffer,
            exceptional,
            error,
        }
    }
}
