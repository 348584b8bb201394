//! Functions of the compiled part of libstdc++ that streams use.

use crate::streams::Number;

/// Gives the facet for characters.
pub(crate) const USE_CHARACTERS: &str = "_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale";

/// A function of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compiled {
    /// Its effect is not seen.
    Nothing,
    /// Gives its first argument.
    First,
    /// What was written goes out: it is seen as it is written.
    Flush,
    MakeIosBase,
    StartIosBase,
    HasFacet,
    UseFacet,
    Widen,
    Number(Number),
}

impl Compiled {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        if let Some(number) = Number::of(symbol) {
            return Some(Self::Number(number));
        }
        Some(match symbol {
            "_ZNSt6localeC1Ev"
            | "_ZNSt6localeC2Ev"
            | "_ZNSt6localeC1ERKS_"
            | "_ZNSt6localeC2ERKS_"
            | "_ZNSt6localeD1Ev"
            | "_ZNSt6localeD2Ev"
            | "_ZNSt8ios_baseD2Ev"
            // The standard streams are there from the start.
            | "_ZNSt8ios_base4InitC1Ev"
            | "_ZNSt8ios_base4InitD1Ev" => Self::Nothing,
            "_ZNSt6localeaSERKS_" => Self::First,
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE4syncEv" => Self::Flush,
            "_ZNSt8ios_baseC2Ev" => Self::MakeIosBase,
            "_ZNSt8ios_base7_M_initEv" => Self::StartIosBase,
            "_ZNKSt5ctypeIcE13_M_widen_initEv" => Self::Widen,
            _ if symbol.starts_with("_ZSt9has_facetI") => Self::HasFacet,
            _ if symbol.starts_with("_ZSt9use_facetI") => Self::UseFacet,
            _ => return None,
        })
    }

    /// Whether it writes nothing but memory of the library's own.
    pub fn is_harmless(self) -> bool {
        !matches!(self, Self::MakeIosBase | Self::StartIosBase | Self::Number(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_library_are_known_by_their_symbols() {
        assert_eq!(Compiled::of(USE_CHARACTERS), Some(Compiled::UseFacet));
        assert_eq!(Compiled::of("_ZNSt8ios_base7_M_initEv"), Some(Compiled::StartIosBase));
        assert_eq!(Compiled::of("_ZNSt8ios_base8copyfmtERKS_"), None);
    }
}
