//! Finding functions by name.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::effects::Output;
use crate::function::{Function, Known};
use crate::table;

static TABLE: LazyLock<HashMap<&'static str, Known>> =
    LazyLock::new(|| names().into_iter().map(|known| (known.symbol, known)).collect());

/// All names of the table, in its order.
fn names() -> Vec<Known> {
    let mut names = Vec::new();
    for row in table::rows() {
        for forms in row.functions() {
            let Some(first) = forms.first() else { continue };
            let function: &'static Function = Box::leak(Box::new(Function { name: first.symbol, ..row.function }));
            names.extend(forms.iter().map(|form| Known::new(function, form.symbol, form.wrapped, form.inserted)));
        }
    }
    names
}

/// The function that is called `name` in some object file; none where it is not known.
pub fn lookup(name: &str) -> Option<&'static Known> {
    TABLE.get(of_rustc(name).unwrap_or(name))
}

/// The same, of those only for which the runtime has a wrapper under this very name.
pub fn wrapped(name: &str) -> Option<&'static Known> {
    lookup(name).filter(|known| known.is_wrapped())
}

/// The plain name of the function that is called `name`; of an unknown one the name itself.
pub fn canonical(name: &str) -> &str {
    lookup(name).map_or(name, |known| known.name())
}

/// What the function that is called `name` prints, if it leaves the program; by the arguments under this name.
pub fn prints(name: &str) -> Option<Output> {
    lookup(name)?.output().filter(Output::leaves)
}

/// Whether the function that is called `name` is known to be done with the pointers that it is given when it returns.
pub fn lets_go(name: &str) -> bool {
    // Members of `std::string`, with or without `const`.
    let of_string = ["_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string"];
    match lookup(name) {
        Some(known) => !known.function.keeps,
        None => of_string.iter().any(|prefix| name.starts_with(prefix)),
    }
}

/// All functions under all of their names, in no order.
pub fn all() -> impl Iterator<Item = &'static Known> {
    TABLE.values()
}

/// What a function is called that rustc makes for each program, without the crate that it pretends to be in:
/// `_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc` is `__rust_alloc`.
pub fn of_rustc(symbol: &str) -> Option<&str> {
    let (_, name) = symbol.strip_prefix("_R")?.rsplit_once("7___rustc")?;
    name.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('_').filter(|name| name.starts_with("__rust_"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Content, Destination, Fails, Reads, Size, Writes};

    #[test]
    fn no_name_stands_in_the_table_twice() {
        let mut seen = HashSet::new();
        let twice: Vec<&str> = names().iter().map(|known| known.symbol).filter(|name| !seen.insert(*name)).collect();
        assert_eq!(twice, Vec::<&str>::new());
        assert_eq!(all().count(), seen.len());
    }

    #[test]
    fn functions_are_found_by_name() {
        assert!(lookup("strlen").is_some_and(|known| known.log_free() && known.never_calls_back()));
        assert!(lookup("qsort").is_some_and(|known| !known.never_calls_back() && !known.log_free()));
        assert!(lookup("__errno_location").is_some_and(|known| known.constant()));
        assert!(wrapped("dlopen").is_none());
        let allocator = lookup("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc");
        assert!(allocator.is_some_and(|known| known.wrapper() == "__wd_w___rust_alloc" && known.wants_itself()));
        assert!(lookup("_RNvCsfLfy6EI15iL_7___rustc10rust_begin").is_none());
        assert_eq!((canonical("fopen64"), canonical("no_such_function")), ("fopen", "no_such_function"));
    }

    #[test]
    fn every_name_of_a_function_has_its_properties() {
        // Each form with arguments in between, and where the plain function's lie in it.
        for known in all() {
            let plain = lookup(known.name()).unwrap_or_else(|| panic!("{} is not in the table", known.name()));
            assert_eq!(plain.function, known.function, "{}", known.symbol);
            assert_eq!(plain.symbol, plain.name());
            let places: Vec<usize> = (0..8).collect();
            let moved: Vec<usize> = (0..8).map(|n| known.argument(n)).collect();
            // What a call has at the moved places is what the plain function has at its own.
            let call: Vec<usize> = (0..16).map(|n| moved.iter().position(|&place| place == n).unwrap_or(99)).collect();
            assert_eq!(known.plain(&call)[..8], places, "{}", known.symbol);
            assert_eq!(known.reads().count(), plain.reads().count(), "{}", known.symbol);
            assert_eq!(known.writes_nothing(), plain.writes_nothing(), "{}", known.symbol);
            assert_eq!(known.output().is_some(), plain.output().is_some(), "{}", known.symbol);
        }
    }

    /// Functions of one job are one function, whatever the list that somebody thought of first.
    #[test]
    fn forms_of_other_standards_and_sizes_are_names_of_the_same_function() {
        let same = [
            "fopen fopen64 _IO_fopen",
            "stat stat64 __xstat __xstat64",
            "fstat fstat64 __fxstat __fxstat64",
            "pread pread64 __pread_chk __pread64_chk",
            "sscanf __isoc99_sscanf __isoc23_sscanf",
            "vfscanf __isoc99_vfscanf __isoc23_vfscanf",
            "fgets fgets_unlocked __fgets_chk __fgets_unlocked_chk",
            "printf __printf_chk",
            "memcpy __memcpy_chk",
            "strtol strtoll strtoimax __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax",
        ];
        for names in same {
            let mut names = names.split(' ');
            let first = names.next().unwrap();
            names.for_each(|name| assert_eq!(lookup(name).map(|known| known.name()), Some(first), "{name}"));
        }
    }

    #[test]
    fn fortified_forms_have_their_arguments_in_between() {
        let place = |name: &str, n| lookup(name).unwrap_or_else(|| panic!("{name}")).argument(n);
        assert_eq!([place("__memcpy_chk", 2), place("__fgets_chk", 0), place("__fgets_chk", 2)], [2, 0, 3]);
        assert_eq!([place("__sprintf_chk", 0), place("__sprintf_chk", 1), place("__snprintf_chk", 2)], [0, 3, 4]);
        assert_eq!([place("__recvfrom_chk", 2), place("__recvfrom_chk", 3), place("__xstat", 0)], [2, 4, 1]);
        assert_eq!(lookup("__fread_chk").unwrap().plain(&[10, 11, 12, 13, 14])[..], [10, 12, 13, 14]);
        let reads: Vec<Reads> = lookup("__vsnprintf_chk").unwrap().reads().collect();
        assert_eq!(reads, [Reads::FormatList(4)]);
        let writes: Vec<Writes> = lookup("__read_chk").unwrap().writes().collect();
        assert_eq!(writes, [Writes::UpTo(1, Size::Argument(2))]);
        let output = lookup("__fprintf_chk").and_then(|known| known.output()).unwrap();
        assert_eq!(
            (output.content, output.destination),
            (Content::Format { format: 2, first: 3 }, Destination::Stream(0))
        );
    }

    #[test]
    fn functions_that_print_are_known_by_name() {
        use Destination::{Descriptor, StandardOutput, Stream};
        for (name, content, destination) in [
            ("printf", Content::Format { format: 0, first: 1 }, StandardOutput),
            ("__printf_chk", Content::Format { format: 1, first: 2 }, StandardOutput),
            ("fprintf", Content::Format { format: 1, first: 2 }, Stream(0)),
            ("dprintf", Content::Format { format: 1, first: 2 }, Descriptor(0)),
            ("vprintf", Content::List { format: 0, list: 1 }, StandardOutput),
            ("__vfprintf_chk", Content::List { format: 2, list: 3 }, Stream(0)),
            ("puts", Content::Line { text: 0 }, StandardOutput),
            ("fputs_unlocked", Content::Text { text: 0 }, Stream(1)),
            ("putchar_unlocked", Content::Byte { byte: 0 }, StandardOutput),
            ("_IO_putc", Content::Byte { byte: 0 }, Stream(1)),
            ("fwrite_unlocked", Content::Memory { memory: 0, size: Some(1), count: 2 }, Stream(3)),
            ("write", Content::Memory { memory: 1, size: None, count: 2 }, Descriptor(0)),
        ] {
            assert_eq!(prints(name), Some(Output { content, destination }), "{name}");
        }
        for name in
            ["sprintf", "snprintf", "vsnprintf", "__sprintf_chk", "printf_unlocked", "read", "vputs", "__puts_chk", ""]
        {
            assert_eq!(prints(name), None, "{name}");
        }
    }

    #[test]
    fn functions_that_keep_what_they_are_given_are_known() {
        for name in ["putenv", "setvbuf", "_IO_setvbuf", "pthread_create", "atexit", "pthread_setspecific", "own"] {
            assert!(!lets_go(name), "{name}");
        }
        for name in ["setenv", "strlen", "free", "qsort", "_ZNSt7__cxx1112basic_stringIcE6appendEPKc"] {
            assert!(lets_go(name), "{name}");
        }
    }

    #[test]
    fn functions_say_how_they_fail() {
        let fails = |name: &str| lookup(name).unwrap_or_else(|| panic!("{name}")).function.fails;
        assert_eq!(
            ["fopen", "malloc", "getenv", "strchr"].map(fails),
            [Fails::Null, Fails::Null, Fails::NotFound, Fails::NotFound]
        );
        assert_eq!(["open", "read", "stat64", "printf"].map(fails), [Fails::Negative; 4]);
        assert_eq!(["fclose", "getc", "sscanf"].map(fails), [Fails::Eof; 3]);
        assert_eq!(["pthread_create", "posix_memalign"].map(fails), [Fails::ErrorNumber; 2]);
        assert_eq!(["fread", "fwrite"].map(fails), [Fails::Fewer(2); 2]);
        assert_eq!(["mmap", "strtol", "strlen"].map(fails), [Fails::AllOnes, Fails::Errno, Fails::Never]);
        // What reads files or the system can always fail and says so.
        let silent = ["feof", "ferror"];
        for known in all().filter(|known| known.function.source == crate::Source::Files) {
            assert!(silent.contains(&known.name()) || known.function.fails != Fails::Never, "{}", known.symbol);
        }
    }

    #[test]
    fn pure_functions_do_nothing_but_compute() {
        let pure = |name: &&str| lookup(name).is_some_and(|known| known.function.is_pure());
        for name in ["abs", "strcmp", "memchr", "sqrt", "isalpha", "toupper", "atoi", "strcasestr"] {
            assert!(pure(&name), "{name}");
        }
        for name in
            ["memcpy", "strtok", "rand", "time", "getenv", "malloc", "strdup", "puts", "abort", "frexp", "setjmp"]
        {
            assert!(!pure(&name), "{name}");
        }
    }
}
