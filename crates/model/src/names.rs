//! Names of C++ and Rust symbols as people read them.

use cpp_demangle::{DemangleOptions, Symbol};

/// The name behind a mangled one: with its scopes, without parameters, result and template arguments, so that all
/// instantiations of a template have one name. None for what is not mangled.
pub fn readable(symbol: &str) -> Option<String> {
    if let Some(name) = of_rust(symbol) {
        return Some(without_generics(&name));
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let name = demangled(symbol, &options)?;
    Some(without_arguments(&name))
}

/// The name behind a mangled one, complete. None for what is not mangled.
pub fn complete(symbol: &str) -> Option<String> {
    of_rust(symbol).or_else(|| demangled(symbol, &DemangleOptions::new()))
}

/// Whether a symbol has a mangled name of Rust, which says which crate of which version it is of.
pub fn is_of_rust(symbol: &str) -> bool {
    rust(symbol).is_some()
}

fn of_rust(symbol: &str) -> Option<String> {
    Some(format!("{:#}", rust(symbol)?))
}

/// A name of Rust, mangled in its own way or, as older compilers do, in the way of C++ with a hash at the end.
fn rust(symbol: &str) -> Option<rustc_demangle::Demangle<'_>> {
    let own = symbol.starts_with("_R") || symbol.starts_with("_ZN") && symbol.contains("17h") && symbol.ends_with('E');
    own.then(|| rustc_demangle::try_demangle(symbol).ok()).flatten()
}

/// Takes the generic arguments out of a path of Rust: `<alloc::vec::Vec<u8>>::push` is `alloc::vec::Vec::push`,
/// `<a::B<u8> as core::fmt::Display>::fmt` is `<a::B as Display>::fmt`.
fn without_generics(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        if first != '<' {
            // The arrow of a function's type closes nothing.
            let taken = if rest.starts_with("->") { 2 } else { first.len_utf8() };
            out.push_str(&rest[..taken]);
            rest = &rest[taken..];
            continue;
        }
        let (inside, after) = inside(&rest[1..]);
        rest = after;
        let begins =
            out.is_empty() || out.ends_with(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '}' | '>')));
        if !begins {
            // Generic arguments, `::<…>` behind a function.
            out.truncate(out.trim_end_matches("::").len());
        } else if let Some((of, by)) = split_as(inside) {
            let by = without_generics(by);
            out.push_str(&format!("<{} as {}>", without_generics(of), by.rsplit("::").next().unwrap_or(&by)));
        } else if inside.starts_with(|c: char| c.is_alphabetic() || c == '_') && !inside.starts_with("dyn ") {
            out.push_str(&without_generics(inside));
        } else {
            out.push_str(&format!("<{}>", without_generics(inside)));
        }
    }
    out
}

/// What stands before the `>` that closes, and after it.
fn inside(text: &str) -> (&str, &str) {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if at == 0 || text.as_bytes()[at - 1] != b'-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[..at], &text[at + 1..]);
        }
    }
    (text, "")
}

/// Type and trait of `TYPE as TRAIT`.
fn split_as(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if at > 0 && text.as_bytes()[at - 1] == b'-' => {}
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                if let Some(by) = text[at..].strip_prefix(" as ") {
                    return Some((&text[..at], by));
                }
            }
            _ => {}
        }
    }
    None
}

fn demangled(symbol: &str, options: &DemangleOptions) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    Some(without_tags(Symbol::new(symbol).ok()?.demangle(options).ok()?))
}

/// Takes out the tags of the binary interface that compilers put behind names (`name[abi:cxx11]`): no source has them.
fn without_tags(mut name: String) -> String {
    while let Some(at) = name.find("[abi:") {
        let end = name[at..].find(']').map_or(name.len(), |length| at + length + 1);
        name.replace_range(at..end, "");
    }
    name
}

/// Takes out what stands between `<` and `>`, but for those that belong to an operator's name.
fn without_arguments(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let (mut rest, mut depth) = (name, 0usize);
    while let Some(first) = rest.chars().next() {
        let mut taken = first.len_utf8();
        if let Some(after) = rest.strip_prefix("operator") {
            // The longest first.
            let sign = ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"].iter();
            let length = sign.into_iter().find(|sign| after.starts_with(**sign)).map_or(0, |sign| sign.len());
            taken = "operator".len() + length;
            if depth == 0 {
                out.push_str(&rest[..taken]);
            }
        } else if first == '<' {
            depth += 1;
        } else if first == '>' {
            depth = depth.saturating_sub(1);
        } else if depth == 0 {
            out.push(first);
        }
        rest = &rest[taken..];
    }
    out.trim_end().to_owned()
}

/// Whether a symbol names a function of Rust's library that panics, whatever for.
pub fn panics(symbol: &str) -> bool {
    let mangled = symbol.starts_with("_R") || symbol.starts_with("_ZN");
    if !mangled || !["panic", "_fail", "handle_", "_overflow"].iter().any(|part| symbol.contains(part)) {
        return false;
    }
    let Some(name) = readable(symbol) else { return false };
    let (first, last) = (name.split("::").next().unwrap_or_default(), name.rsplit("::").next().unwrap_or_default());
    let told = last.starts_with("panic") && last != "panicking" && last != "panic_count";
    let fails = ["_fail", "_failed", "_failed_inner"].iter().any(|end| last.ends_with(end));
    let other = matches!(last, "begin_panic" | "handle_alloc_error" | "handle_error" | "capacity_overflow");
    matches!(first, "core" | "alloc" | "std") && (told || fails || other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_panic_are_told_from_their_neighbours() {
        for symbol in [
            "_ZN4core9panicking18panic_bounds_check17h05af221e174051e9E",
            "_ZN4core9panicking11panic_const24panic_const_add_overflow17h05af221e174051e9E",
            "_ZN4core6option13unwrap_failed17h05af221e174051e9E",
            "_ZN4core9panicking19assert_failed_inner17h05af221e174051e9E",
            "_ZN3std9panicking11begin_panic17h05af221e174051e9E",
            "_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt",
        ] {
            assert!(panics(symbol), "{symbol}");
        }
        for symbol in [
            "_ZN3std9panicking11panic_count17is_zero_slow_path17h05af221e174051e9E",
            "_ZN3std6thread9panicking17h05af221e174051e9E",
            "_ZN2cr5panic17h05af221e174051e9E",
            "_ZN3std9panicking12catch_unwind17h05af221e174051e9E",
            "panic",
        ] {
            assert!(!panics(symbol), "{symbol}");
        }
    }

    #[test]
    fn instantiations_of_a_template_have_one_name() {
        let table = [
            ("_Z7largestIiET_RKSt6vectorIS0_SaIS0_EE", "largest"),
            ("_Z7largestIdET_RKSt6vectorIS0_SaIS0_EE", "largest"),
            ("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector::push_back"),
            ("_ZN4BothD0Ev", "Both::~Both"),
            ("_ZlsRSoRK5Point", "operator<<"),
            ("_ZNKSt8functionIFiiEEclEi", "std::function::operator()"),
            ("_ZN5BoxedIiEltERKS0_", "Boxed::operator<"),
            ("_ZN12_GLOBAL__N_16hiddenEi", "(anonymous namespace)::hidden"),
            ("_Znwm", "operator new"),
            ("_ZTV4Both", "{vtable(Both)}"),
            ("_ZNK6cipher14plain_segmentsB5cxx11Ev", "cipher::plain_segments"),
        ];
        for (symbol, name) in table {
            assert_eq!(readable(symbol).as_deref(), Some(name), "{symbol}");
        }
        for other in ["main", "", "_Z", "_ZZZ", "__cxa_throw"] {
            assert_eq!(readable(other), None, "{other}");
        }
        let rust = [
            ("_ZN3foo3bar17h05af221e174051e9E", "foo::bar"),
            ("_RNvCshOTVwF1S9hW_2cr3mid", "cr::mid"),
            ("_RINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuECshOTVwF1S9hW_2cr", "std::rt::lang_start"),
            ("_RNCNvNtCshOTVwF1S9hW_2cr5tests1a0B5_", "cr::tests::a::{closure#0}"),
        ];
        for (symbol, name) in rust {
            assert_eq!(readable(symbol).as_deref(), Some(name), "{symbol}");
        }
        let paths = [
            ("<alloc::vec::Vec<alloc::vec::Vec<u8>>>::push", "alloc::vec::Vec::push"),
            ("<a::B<u8> as core::fmt::Display>::fmt", "<a::B as Display>::fmt"),
            ("<[u32] as a::Sum<u8>>::total::<u8>", "<[u32] as Sum>::total"),
            ("<[u32]>::sort::<fn(u8) -> bool>::{closure#1}", "<[u32]>::sort::{closure#1}"),
            ("core::ptr::drop_in_place::<a::B>", "core::ptr::drop_in_place"),
            ("<&a::B<u8> as a::C>::d", "<&a::B as C>::d"),
        ];
        for (path, name) in paths {
            assert_eq!(without_generics(path), name, "{path}");
        }
        assert_eq!(complete("_ZN4Both4nameEi").as_deref(), Some("Both::name(int)"));
    }
}
