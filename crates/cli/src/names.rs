//! Closed sets of names on the command line: methods and solvers, with what `--help` says of each.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use whydunit_inquiry::locate::SolverName;
use whydunit_inquiry::{explain, locate, repair};

/// Parses one of `all` by its name.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    help: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|&one| PossibleValue::new(name(one)).help(help(one)));
    PossibleValuesParser::new(values).try_map(move |text| {
        let found = all.iter().copied().find(|&one| name(one) == text);
        found.ok_or_else(|| format!("`{text}` is none of them"))
    })
}

/// Methods of `locate`.
pub fn locate_method() -> impl TypedValueParser<Value = locate::Method> {
    PossibleValuesParser::new(locate::Method::names()).try_map(|name| locate::Method::parse(&name))
}

/// Methods of `explain`.
pub fn explain_method() -> impl TypedValueParser<Value = explain::Method> {
    one_of(&explain::Method::ALL, explain::Method::name, |method| match method {
        explain::Method::After => "By the causes of the failure (AFTER)",
        explain::Method::Dd => "By delta debugging over all changes",
        explain::Method::Add => "The same, only over what the failing run executes, the nearest to the failure first",
    })
}

/// Methods of `repair`.
pub fn repair_method() -> impl TypedValueParser<Value = repair::Method> {
    one_of(&repair::Method::ALL, repair::Method::name, |method| match method {
        repair::Method::Combined => "Enumeration where some values would make the failing tests pass, then synthesis",
        repair::Method::Enumeration => "What could stand there, one after the other, the closest first",
        repair::Method::Synthesis => "What the values that would make the failing tests pass demand (SemFix)",
        repair::Method::Genprog => {
            "Statements deleted, doubled elsewhere and replaced by others, bred by how many tests pass"
        }
        repair::Method::Pachika => {
            "Calls that find objects otherwise than passing tests do: what they need before them, or left out (PACHIKA)"
        }
    })
}

/// What answers formulas.
pub fn solver() -> impl TypedValueParser<Value = SolverName> {
    one_of(&SolverName::ALL, SolverName::name, |solver| match solver {
        SolverName::Cadical => "Bits, given to a SAT solver; part of this program",
        SolverName::Z3 => "Z3's library, which knows floats",
        SolverName::Cvc5 => "The program `cvc5`",
        SolverName::Bitwuzla => "The program `bitwuzla`",
    })
}
