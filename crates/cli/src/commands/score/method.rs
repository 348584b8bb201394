//! Methods of `locate` and of `explain` by one name.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::{explaining, locating};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// On projects with a fault.
    Locate(locating::Method),
    /// On regressions.
    Explain(explaining::Method),
}

impl Method {
    pub fn locate(self) -> Option<locating::Method> {
        if let Method::Locate(method) = self { Some(method) } else { None }
    }

    pub fn explain(self) -> Option<explaining::Method> {
        if let Method::Explain(method) = self { Some(method) } else { None }
    }

    fn parse(name: &str) -> Result<Self, String> {
        let mut explain = explaining::Method::value_variants().iter();
        match explain.find(|method| method.name() == name) {
            Some(&method) => Ok(Method::Explain(method)),
            None => locating::Method::parse(name).map(Method::Locate),
        }
    }

    /// For the command line.
    pub fn parser() -> impl TypedValueParser<Value = Method> {
        let explain = explaining::Method::value_variants().iter().map(|method| method.name());
        PossibleValuesParser::new(locating::Method::names().chain(explain)).try_map(|name| Method::parse(&name))
    }
}
