//! Methods of `locate`, `explain` and `repair` by one name.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::{explaining, locating, repairing};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// On projects with a fault.
    Locate(locating::Method),
    /// On regressions.
    Explain(explaining::Method),
    /// On projects with a fault, too.
    Repair(repairing::Method),
}

impl Method {
    pub fn locate(self) -> Option<locating::Method> {
        if let Method::Locate(method) = self { Some(method) } else { None }
    }

    pub fn explain(self) -> Option<explaining::Method> {
        if let Method::Explain(method) = self { Some(method) } else { None }
    }

    pub fn repair(self) -> Option<repairing::Method> {
        if let Method::Repair(method) = self { Some(method) } else { None }
    }

    /// Those that are listed; of `locate` there may be more, whose names are made of several.
    fn of_explain_and_repair() -> impl Iterator<Item = (&'static str, Self)> {
        let explain = explaining::Method::value_variants().iter();
        let repair = repairing::Method::value_variants().iter();
        let explain = explain.map(|&method| (method.name(), Method::Explain(method)));
        explain.chain(repair.map(|&method| (method.name(), Method::Repair(method))))
    }

    fn parse(name: &str) -> Result<Self, String> {
        match Self::of_explain_and_repair().find(|(own, _)| *own == name) {
            Some((_, method)) => Ok(method),
            None => locating::Method::parse(name).map(Method::Locate),
        }
    }

    /// All names.
    fn names() -> impl Iterator<Item = &'static str> {
        locating::Method::names().chain(Self::of_explain_and_repair().map(|(name, _)| name))
    }

    /// For the command line.
    pub fn parser() -> impl TypedValueParser<Value = Method> {
        PossibleValuesParser::new(Self::names()).try_map(|name| Method::parse(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_methods_have_the_same_name() {
        let mut seen = HashSet::new();
        assert!(Method::names().all(|name| seen.insert(name) && Method::parse(name).is_ok()), "{seen:?}");
        for method in repairing::Method::value_variants() {
            assert_eq!(Method::parse(method.name()), Ok(Method::Repair(*method)));
        }
    }
}
