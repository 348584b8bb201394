//! Names of C++ symbols as people read them.

use cpp_demangle::{DemangleOptions, Symbol};

/// The name behind a mangled one: with its scopes, without parameters, result and template arguments, so that all
/// instantiations of a template have one name. None for what is not mangled.
pub fn readable(symbol: &str) -> Option<String> {
    let options = DemangleOptions::new().no_params().no_return_type();
    let name = demangled(symbol, &options)?;
    Some(without_arguments(&name))
}

/// The name behind a mangled one, complete. None for what is not mangled.
pub fn complete(symbol: &str) -> Option<String> {
    demangled(symbol, &DemangleOptions::new())
}

fn demangled(symbol: &str, options: &DemangleOptions) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    Symbol::new(symbol).ok()?.demangle(options).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

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
        ];
        for (symbol, name) in table {
            assert_eq!(readable(symbol).as_deref(), Some(name), "{symbol}");
        }
        for other in ["main", "", "_Z", "_ZZZ", "__cxa_throw"] {
            assert_eq!(readable(other), None, "{other}");
        }
        assert_eq!(complete("_ZN4Both4nameEi").as_deref(), Some("Both::name(int)"));
    }
}
