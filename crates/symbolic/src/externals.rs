//! What the table of library functions says, for static analyses.

use whydunit_dataflow::{Calls, Content, External, Library, Returned, Writes};
use whydunit_library::{Allocation, Known, Reads, Writes as Written, lookup};

/// The functions of the C library, and of the runtimes of C++ and Rust.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLibrary;

impl Library for KnownLibrary {
    fn external(&self, symbol: &str) -> Option<External> {
        let known = lookup(symbol)?;
        let allocation = known.function.allocation;
        let allocates = allocation != Allocation::None;
        let result = match (allocation, known.name()) {
            (Allocation::Realloc, _) | (_, "__rust_realloc" | "reallocarray") => Returned::Moved(0),
            (Allocation::Free, _) | (_, "__rust_dealloc") => Returned::Plain,
            (Allocation::None, _) if known.log_free() => Returned::Argument(0),
            (Allocation::None, _) => Returned::Unknown,
            _ => Returned::Fresh,
        };
        let frees = matches!(allocation, Allocation::Free | Allocation::Realloc)
            || matches!(known.name(), "__rust_dealloc" | "__rust_realloc" | "reallocarray");
        let calls = match known.name() {
            "qsort" | "qsort_r" => Calls::Argument(3),
            "bsearch" => Calls::Argument(4),
            // What allocates memory for the program is its own function where it has one; else nothing is called.
            _ if known.never_calls_back() || allocates => Calls::Nothing,
            _ => Calls::Anything,
        };
        Some(External {
            writes: writes(known),
            result,
            keeps: !(known.log_free() || known.constant() || allocates),
            frees: frees.then_some(0),
            calls,
            returns: !known.never_returns(),
        })
    }
}

/// What a function writes of memory that the program has: by its arguments where replays compute it, else anything.
fn writes(known: &Known) -> Writes {
    if known.name() == "qsort" {
        return Writes::Arguments(vec![(0, Content::Of(0))]);
    }
    // Bytes that are copied may hold addresses; a text does not.
    let from = known.reads().find_map(|reads| match reads {
        Reads::Bytes(argument, _) | Reads::UpTo(argument, _) => Some(argument),
        _ => None,
    });
    let content = from.map_or(Content::Plain, |argument| Content::Of(argument as u32));
    let mut arguments = Vec::new();
    for written in known.writes() {
        match written {
            // Memory that nobody had before.
            Written::Block => {}
            Written::Bytes(argument, _)
            | Written::UpTo(argument, _)
            | Written::Text(argument)
            | Written::Copy(argument, _)
            | Written::Append(argument, _)
                if known.log_free() =>
            {
                arguments.push((argument as u32, content));
            }
            _ => return Writes::Anything,
        }
    }
    Writes::Arguments(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_as_it_is_meant() {
        let known = |name: &str| KnownLibrary.external(name).unwrap();
        assert_eq!(known("memcpy").writes, Writes::Arguments(vec![(0, Content::Of(1))]));
        assert_eq!(known("strcat").writes, Writes::Arguments(vec![(0, Content::Plain)]));
        assert!(known("strlen").is_quiet() && !known("printf").is_quiet());
        assert_eq!((known("malloc").result, known("realloc").result), (Returned::Fresh, Returned::Moved(0)));
        assert_eq!((known("_ZdlPvm").frees, known("qsort").calls), (Some(0), Calls::Argument(3)));
        assert_eq!((known("getline").writes, known("strdup").result), (Writes::Anything, Returned::Fresh));
        assert!(!known("exit").returns && known("exit").calls == Calls::Anything);
        assert_eq!(known("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc").result, Returned::Fresh);
        assert_eq!(KnownLibrary.external("elsewhere"), None);
    }
}
