//! What the runtime's table of external functions says, for static analyses.

use whydunit_dataflow::{Calls, Content, External, Library, Returned, Writes};
use whydunit_runtime::{Allocation, lookup};

/// The functions that the runtime knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLibrary;

impl Library for KnownLibrary {
    fn external(&self, symbol: &str) -> Option<External> {
        let known = lookup(symbol)?;
        let allocates = known.allocation != Allocation::None;
        let writes = match known.writes {
            "" => Writes::Arguments(Vec::new()),
            // Memory that nobody had before.
            "the block, with zeros" | "the new block, moved" | "the copy" if allocates => Writes::Arguments(Vec::new()),
            "the destination, moved" if known.name == "bcopy" => Writes::Arguments(vec![(1, Content::Of(0))]),
            "the destination, moved" if known.log_free => Writes::Arguments(vec![(0, Content::Of(1))]),
            "the destination" | "the end of the destination" if known.log_free => {
                Writes::Arguments(vec![(0, Content::Plain)])
            }
            "the array" => Writes::Arguments(vec![(0, Content::Of(0))]),
            _ => Writes::Anything,
        };
        let result = match (known.allocation, known.name) {
            (Allocation::Realloc, _) | (_, "__rust_realloc" | "reallocarray") => Returned::Moved(0),
            (Allocation::Free, _) | (_, "__rust_dealloc") => Returned::Plain,
            (Allocation::None, _) if known.log_free => Returned::Argument(0),
            (Allocation::None, _) => Returned::Unknown,
            _ => Returned::Fresh,
        };
        let frees = matches!(known.allocation, Allocation::Free | Allocation::Realloc)
            || matches!(known.name, "__rust_dealloc" | "__rust_realloc" | "reallocarray");
        let calls = match known.name {
            "qsort" | "qsort_r" => Calls::Argument(3),
            "bsearch" => Calls::Argument(4),
            // What allocates memory for the program is its own function where it has one; else nothing is called.
            _ if known.never_calls_back || allocates => Calls::Nothing,
            _ => Calls::Anything,
        };
        Some(External {
            writes,
            result,
            keeps: !(known.log_free || known.constant || allocates),
            frees: frees.then_some(0),
            calls,
            returns: !known.never_returns,
        })
    }
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
