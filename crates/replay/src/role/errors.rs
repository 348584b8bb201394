//! Functions of the standard exceptions of C++.

/// Where `what` of exceptions lies that what-if runs make. No program has code there.
pub(crate) const MADE_UP_WHAT: u64 = 0x6fff_ffff_0000;

/// Classes that the program makes by calling the library.
const CLASSES: &[&str] = &[
    "St11logic_error",
    "St12domain_error",
    "St16invalid_argument",
    "St12length_error",
    "St12out_of_range",
    "St13runtime_error",
    "St11range_error",
    "St14overflow_error",
    "St15underflow_error",
];

/// A function of a standard exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StandardError {
    /// Makes one from a text of C or C++, or from another one.
    Make(Source),
    Destroy,
    What,
}

/// What one is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Text,
    String,
    Other,
}

impl StandardError {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        match symbol {
            "_ZNSt9exceptionD1Ev" | "_ZNSt9exceptionD2Ev" => return Some(Self::Destroy),
            "_ZNKSt9exception4whatEv" | "_ZNKSt13runtime_error4whatEv" | "_ZNKSt11logic_error4whatEv" => {
                return Some(Self::What);
            }
            _ => {}
        }
        let member = symbol.strip_prefix("_ZN")?;
        let class = CLASSES.iter().find(|class| member.starts_with(**class))?;
        Some(match &member[class.len()..] {
            "C1EPKc" | "C2EPKc" => Self::Make(Source::Text),
            "C1ERKS_" | "C2ERKS_" | "C1EOS_" | "C2EOS_" => Self::Make(Source::Other),
            "D1Ev" | "D2Ev" => Self::Destroy,
            other if other.ends_with("basic_stringIcSt11char_traitsIcESaIcEEE") => Self::Make(Source::String),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_exceptions_are_known_by_their_symbols() {
        let string = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
        let of = StandardError::of;
        assert_eq!(of("_ZNSt13runtime_errorC2EPKc"), Some(StandardError::Make(Source::Text)));
        assert_eq!(of(&format!("_ZNSt12out_of_rangeC1E{string}")), Some(StandardError::Make(Source::String)));
        assert_eq!(of("_ZNSt11logic_errorC1ERKS_"), Some(StandardError::Make(Source::Other)));
        assert_eq!(of("_ZNSt11logic_errorD2Ev"), Some(StandardError::Destroy));
        assert_eq!(of("_ZNSt13runtime_erroraSERKS_"), None);
        assert_eq!(of(crate::role::made_up_name(MADE_UP_WHAT)), Some(StandardError::What));
        assert_eq!(crate::role::made_up_name(MADE_UP_WHAT - 8), "");
    }
}
