//! What a log says: one [`Event`] for each thing that the program learned from outside.

/// How many kinds of events there are; [`Event::kind`] is below it, from 1.
pub const KINDS: usize = 15;

/// Names of the kinds, by number; 0 is padding.
pub const KIND_NAMES: [&str; KINDS] = [
    "padding", "load", "ret", "ret_int", "ret_same", "write", "fix", "alloc", "callback", "signal", "setjmp", "module",
    "start", "fault", "more",
];

/// An event and the safepoint count at which it happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// How many safepoints had been counted.
    pub counter: u64,
    /// What happened.
    pub event: Event,
}

/// The value of a load, at most 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LoadValue {
    bytes: [u8; 16],
    len: u8,
}

impl LoadValue {
    /// From the bytes really there, low first; none when there are no or more than 16 of them.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() || bytes.len() > 16 {
            return None;
        }
        let mut value = Self { bytes: [0; 16], len: bytes.len() as u8 };
        value.bytes[..bytes.len()].copy_from_slice(bytes);
        Some(value)
    }
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
    /// The load's size, 1 to 16.
    pub fn size(&self) -> usize {
        self.len as usize
    }
    /// As an integer, zero-extended.
    pub fn bits(&self) -> u128 {
        u128::from_le_bytes(self.bytes)
    }
}

impl std::fmt::Debug for LoadValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}/{}", self.bits(), self.len)
    }
}

/// The result of an external call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RetValue {
    /// No result.
    Void,
    /// An integer or pointer as a 64-bit word (logged as a difference to the last one of the slot, here resolved).
    Int(u64),
    /// The bytes of any other result, at least one.
    Bytes(Box<[u8]>),
}

/// A module was registered: where its symbols lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleLoaded {
    /// Content hash of its bitcode.
    pub id: [u8; 32],
    /// Number in order of registration.
    pub index: u32,
    /// Addresses of the globals, in the model's order.
    pub globals: Vec<u64>,
    /// Addresses of the functions, in the model's order.
    pub functions: Vec<u64>,
    /// For each function, whether the body in this module is the one at that address.
    pub own_bodies: Vec<bool>,
    /// Hash of its initialised data as it was when registered.
    pub data_hash: u64,
}

impl ModuleLoaded {
    /// The id in hex, as the program model has it.
    pub fn id_hex(&self) -> String {
        crate::hex::encode(&self.id)
    }
}

/// The process starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Start {
    /// Version of the log.
    pub version: u32,
    /// Emulated stack pointer.
    pub usp: u64,
    /// Addresses of the FILE objects.
    pub stdin: u64,
    pub stdout: u64,
    pub stderr: u64,
    pub argc: u64,
    pub argv: u64,
    pub envp: u64,
    /// Id of the main thread.
    pub main_tid: u64,
}

/// Another thread runs from here on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// Its number; the main thread has 0.
    pub thread: u32,
    /// Set where it runs for the first time.
    pub new: Option<NewThread>,
    /// Where its thread-local globals lie, of modules that were registered since it last ran by others.
    pub locals: Box<[ThreadLocals]>,
}

/// What is known of a thread when it runs for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewThread {
    /// Number of the thread that made it.
    pub creator: u32,
    /// Its id in the system.
    pub tid: u32,
    /// Emulated stack pointer.
    pub usp: u64,
    /// Lowest address of its emulated stack.
    pub stack_low: u64,
    /// Rounding modes: two bits as in MXCSR, two as in the x87 control word.
    pub rounding: u32,
}

/// Thread-local globals of a module as one thread has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadLocals {
    /// Number of the module in order of registration.
    pub module: u32,
    /// Index in the model, and address.
    pub addresses: Box<[(u32, u64)]>,
}

/// One thing that the program learned from outside. Addresses are native; `site` is global: the module's base plus the
/// number of the instruction in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A load found another value than the shadow had.
    Load {
        /// Where.
        site: u32,
        /// What was really there.
        value: LoadValue,
    },
    /// An external call returned.
    Ret {
        /// The call.
        site: u32,
        /// Its result.
        value: RetValue,
    },
    /// External code wrote memory.
    Write {
        /// From here on.
        address: u64,
        /// The bytes.
        bytes: Box<[u8]>,
    },
    /// Memory was found changed before an operation that reads it.
    Fix {
        /// The operation.
        site: u32,
        /// From here on.
        address: u64,
        /// The bytes now.
        bytes: Box<[u8]>,
    },
    /// An allocation that was not predicted.
    Alloc {
        /// The call.
        site: u32,
        /// Address minus the predicted one.
        delta: i64,
        /// Its chunk class, in 16-byte units.
        class: u64,
    },
    /// External code calls captured code.
    Callback {
        /// Address of the function.
        function: u64,
        /// Its argument words.
        words: Box<[u64]>,
    },
    /// A signal handler runs at this safepoint, before its count.
    Signal {
        /// Address of the handler.
        function: u64,
        /// Its argument words.
        words: Box<[u64]>,
    },
    /// A call of setjmp returns.
    Setjmp {
        /// The call.
        site: u32,
        /// Safepoint count just after the entry of the frame it belongs to.
        serial: u64,
        /// What it returns.
        value: i64,
    },
    /// The unwinder brought an exception to a landing pad.
    Landed {
        /// The landing pad.
        site: u32,
        /// The emulated stack pointer there.
        usp: u64,
        /// The exception.
        exception: u64,
        /// Which of the pad's clauses it fits.
        selector: i64,
    },
    /// An exception left a function that external code had called.
    Unwound {
        /// Address of the function.
        function: u64,
    },
    /// Another thread runs from here on.
    Switch(Box<Switch>),
    /// The running thread ends.
    ThreadEnd,
    /// A module was registered.
    Module(Box<ModuleLoaded>),
    /// The process starts.
    Start(Box<Start>),
    /// A synchronous signal; a [`Event::Callback`] follows when it is handled.
    Fault {
        /// Its number.
        signal: u32,
        /// The address at fault.
        address: u64,
    },
    /// The variadic area of the callback before.
    Variadic {
        /// Register save area and stack arguments.
        bytes: Box<[u8]>,
    },
    /// A module was closed.
    Unload {
        /// Its number.
        index: u32,
    },
    /// A remark of the runtime.
    Note {
        /// Its text.
        text: Box<[u8]>,
    },
    /// Of the functions of the program that are tests by themselves only one has an effect; the others return zero at once.
    OneTest {
        /// Its symbol; of no function, where all are left out.
        symbol: Box<[u8]>,
    },
    /// Memory became zero (unmapped or mapped anew).
    Zeroed {
        /// From here on.
        address: u64,
        /// So many bytes.
        length: u64,
    },
    /// What a call of the printf family (or perror, psignal) printed; its RET follows.
    Output {
        /// The descriptor; -1 where there is no file.
        fd: i32,
        /// The bytes.
        bytes: Box<[u8]>,
    },
}

impl Event {
    /// The kind's number in the log; `ret_int` for all integer results.
    pub fn kind(&self) -> usize {
        match self {
            Event::Load { .. } => 1,
            Event::Ret { value: RetValue::Int(_), .. } => 3,
            Event::Ret { .. } => 2,
            Event::Write { .. } => 5,
            Event::Fix { .. } => 6,
            Event::Alloc { .. } => 7,
            Event::Callback { .. } => 8,
            Event::Signal { .. } => 9,
            Event::Setjmp { .. } => 10,
            Event::Module(_) => 11,
            Event::Start(_) => 12,
            Event::Fault { .. } => 13,
            Event::Variadic { .. }
            | Event::Unload { .. }
            | Event::Note { .. }
            | Event::OneTest { .. }
            | Event::Output { .. }
            | Event::Landed { .. }
            | Event::Unwound { .. }
            | Event::Switch(_)
            | Event::ThreadEnd
            | Event::Zeroed { .. } => 14,
        }
    }

    /// The kind's name.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Variadic { .. } => "variadic",
            Event::Unload { .. } => "unload",
            Event::Note { .. } => "note",
            Event::OneTest { .. } => "one test",
            Event::Output { .. } => "output",
            Event::Zeroed { .. } => "zeroed",
            Event::Landed { .. } => "landing of an exception",
            Event::ThreadEnd => "end of a thread",
            Event::Switch(_) => "switch of threads",
            Event::Unwound { .. } => "exception out of a callback",
            other => KIND_NAMES[other.kind()],
        }
    }

    /// The site it names, if its kind has one.
    pub fn site(&self) -> Option<u32> {
        match self {
            Event::Load { site, .. }
            | Event::Ret { site, .. }
            | Event::Fix { site, .. }
            | Event::Alloc { site, .. }
            | Event::Landed { site, .. }
            | Event::Setjmp { site, .. } => Some(*site),
            _ => None,
        }
    }

    /// How many bytes it carries from outside.
    pub fn payload_bytes(&self) -> u64 {
        (match self {
            Event::Load { value, .. } => value.size(),
            Event::Ret { value: RetValue::Int(_), .. } => 8,
            Event::Ret { value: RetValue::Bytes(bytes), .. } => bytes.len(),
            Event::Write { bytes, .. }
            | Event::Fix { bytes, .. }
            | Event::Variadic { bytes }
            | Event::Output { bytes, .. } => bytes.len(),
            _ => 0,
        }) as u64
    }
}
