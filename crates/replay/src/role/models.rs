//! Library functions that the replay computes, and those of the heap whose results are predicted.

use whydunit_library::{Allocation, wrapped};

use crate::memory::Memory;

/// Nothing longer than this is moved: the process had no such memory.
pub(crate) const LONGEST: u64 = 1 << 40;

/// A function that logs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    Memmove,
    Mempcpy,
    Bcopy,
    Memset,
    Bzero,
    Memcmp,
    Memchr,
    Memrchr,
    Strlen,
    Strnlen,
    Strcmp { fold: bool, limited: bool },
    Strchr,
    Strchrnul,
    Strrchr,
    Strstr,
    Strspn,
    Strcspn,
    Strpbrk,
    Strcpy,
    Stpcpy,
    Strncpy,
    Strcat,
    Strncat,
    Abs { bits: u8 },
}

/// A function of the heap whose result is predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HeapCall {
    Malloc,
    Calloc,
    Realloc,
    Free,
    /// operator new of C++.
    New,
}

/// Whether the function's result is logged only when it changes.
pub(crate) fn is_constant(name: &str) -> bool {
    wrapped(name).is_some_and(|known| known.constant())
}

impl Model {
    /// Of the function of which the recording has nothing, by its name.
    pub fn of(name: &str) -> Option<Model> {
        wrapped(name).filter(|known| known.log_free()).and_then(|known| Model::computing(known.name()))
    }

    /// By the plain name of a function.
    pub fn computing(name: &str) -> Option<Model> {
        Some(match name {
            "memcpy" | "memmove" => Model::Memmove,
            "mempcpy" => Model::Mempcpy,
            "bcopy" => Model::Bcopy,
            "memset" => Model::Memset,
            "bzero" => Model::Bzero,
            "memcmp" => Model::Memcmp,
            "memchr" => Model::Memchr,
            "memrchr" => Model::Memrchr,
            "strlen" => Model::Strlen,
            "strnlen" => Model::Strnlen,
            "strcmp" => Model::Strcmp { fold: false, limited: false },
            "strncmp" => Model::Strcmp { fold: false, limited: true },
            "strcasecmp" => Model::Strcmp { fold: true, limited: false },
            "strncasecmp" => Model::Strcmp { fold: true, limited: true },
            "strchr" => Model::Strchr,
            "strchrnul" => Model::Strchrnul,
            "strrchr" => Model::Strrchr,
            "strstr" => Model::Strstr,
            "strspn" => Model::Strspn,
            "strcspn" => Model::Strcspn,
            "strpbrk" => Model::Strpbrk,
            "strcpy" => Model::Strcpy,
            "stpcpy" => Model::Stpcpy,
            "strncpy" => Model::Strncpy,
            "strcat" => Model::Strcat,
            "strncat" => Model::Strncat,
            "abs" => Model::Abs { bits: 32 },
            "labs" => Model::Abs { bits: 64 },
            _ => return None,
        })
    }

    /// The ranges that a call reads and writes; strings with what lies behind them in the same block of 16 bytes.
    pub fn accesses(self, memory: &Memory, args: &[u64]) -> Vec<(u64, u64)> {
        self.ranges(memory, args, 16)
    }

    /// The ranges that a call reads and writes, strings with the NUL behind them.
    pub fn needs(self, memory: &Memory, args: &[u64]) -> Vec<(u64, u64)> {
        self.ranges(memory, args, 1)
    }

    /// Where the range among them begins that a call only writes, all of it.
    pub fn overwrites(self, args: &[u64]) -> Option<u64> {
        let writes = |n: usize| args.get(n).copied();
        match self {
            Model::Memmove | Model::Mempcpy | Model::Memset | Model::Bzero => writes(0),
            Model::Strcpy | Model::Stpcpy | Model::Strncpy => writes(0),
            Model::Bcopy => writes(1),
            _ => None,
        }
    }

    /// Whether a call moves one range to another place.
    pub fn moves(self) -> bool {
        matches!(self, Model::Memmove | Model::Mempcpy | Model::Bcopy)
    }

    fn ranges(self, memory: &Memory, args: &[u64], behind: u64) -> Vec<(u64, u64)> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let string = |n: usize| (arg(n), memory.read_string(arg(n), LONGEST).len() as u64 + behind);
        match self {
            Model::Memmove | Model::Mempcpy | Model::Bcopy | Model::Memcmp => vec![(arg(0), arg(2)), (arg(1), arg(2))],
            Model::Memset | Model::Memchr | Model::Memrchr => vec![(arg(0), arg(2))],
            Model::Bzero => vec![(arg(0), arg(1))],
            Model::Strlen | Model::Strnlen | Model::Strchr | Model::Strchrnul | Model::Strrchr => vec![string(0)],
            Model::Strcmp { .. } | Model::Strstr | Model::Strspn | Model::Strcspn | Model::Strpbrk => {
                vec![string(0), string(1)]
            }
            Model::Strcpy | Model::Stpcpy => vec![string(1), (arg(0), string(1).1)],
            Model::Strncpy => vec![string(1), (arg(0), arg(2))],
            Model::Strcat | Model::Strncat => {
                let (to, from) = (string(0), string(1));
                vec![(to.0, to.1 + from.1), from]
            }
            Model::Abs { .. } => Vec::new(),
        }
    }
}

impl HeapCall {
    /// By name.
    pub fn of(name: &str) -> Option<HeapCall> {
        Some(match wrapped(name)?.allocation() {
            Allocation::Malloc => HeapCall::Malloc,
            Allocation::Calloc => HeapCall::Calloc,
            Allocation::Realloc => HeapCall::Realloc,
            Allocation::Free => HeapCall::Free,
            Allocation::New => HeapCall::New,
            Allocation::None | Allocation::Block | Allocation::Rust => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_which_recordings_have_nothing_is_computed() {
        for known in whydunit_library::all() {
            let computed = Model::of(known.symbol);
            assert_eq!(computed.is_some(), known.log_free(), "{}", known.symbol);
        }
        // A form that the runtime has no wrapper for is recorded, though it does the same.
        assert_eq!((Model::of("__memcpy_chk"), Model::computing("memcpy")), (None, Some(Model::Memmove)));
    }
}
