//! A source in which the values of sites pass through functions of ours, together with what an expression there could be made
//! of: a recording of it says at each execution what both are.

use std::fmt::Write;

use crate::expression::{Class, Expression};
use crate::rewrite::{rewritten, with_prologue};
use crate::site::{Role, Site};

/// What warnings there are of what is written here is not said.
const QUIET: &str = include_str!("../../c/quiet.h");
/// The functions stand on lines of their own, which no source has: the first one's.
const FIRST_LINE: u32 = 3_000_001;
/// Variables that are given to a function.
const MOST_VARIABLES: usize = 12;
/// Constants that have names, besides.
const MOST_CONSTANTS: usize = 6;

/// What the names of functions begin with; the number of the site follows.
pub const ANGEL: &str = "whydunit_angel_";

/// The line of the function of a site, by its number.
pub const fn line_of_angel(number: usize) -> u32 {
    FIRST_LINE + number as u32
}

/// What an expression at a site can be made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As an expression has it.
    pub expression: Expression,
    /// As it can be looked at wherever the site is executed.
    text: String,
}

impl Input {
    /// What stands there, variables, and constants with names.
    pub fn of(site: &Site) -> Vec<Input> {
        let mut out: Vec<Input> = Vec::new();
        if site.role != Role::Guarded {
            let text = site.expression.text();
            out.push(Input { expression: site.expression.clone(), text });
        }
        let mut evaluated = Vec::new();
        always(&site.expression, &mut evaluated);
        let mut add = |expression: &Expression, text: String| {
            if out.iter().all(|known| known.expression != *expression) {
                out.push(Input { expression: expression.clone(), text });
            }
        };
        let variables = site.variables.iter().filter(|variable| variable.is_pure() && variable.class() != Class::Float);
        let looked_at = |variable: &Expression| match evaluated.contains(&variable) {
            true => Some(variable.text()),
            false => guarded(&variable.text()),
        };
        let variables = variables.filter_map(|variable| Some((variable, looked_at(variable)?)));
        variables.take(MOST_VARIABLES).for_each(|(variable, text)| add(variable, text));
        let named = |constant: &&Expression| {
            matches!(constant, Expression::Atom { class: Class::Int | Class::Char, pure: true, .. })
        };
        site.constants.iter().filter(named).take(MOST_CONSTANTS).for_each(|constant| add(constant, constant.text()));
        out
    }
}

/// What of an expression is evaluated whenever it is.
fn always<'a>(expression: &'a Expression, out: &mut Vec<&'a Expression>) {
    out.push(expression);
    match expression {
        Expression::Binary("&&" | "||", left, _) => always(left, out),
        Expression::Choice(test, ..) => always(test, out),
        other => other.operands().into_iter().for_each(|operand| always(operand, out)),
    }
}

/// A variable, or a member that is looked at only where all pointers to it are set; none for what could be out of bounds.
fn guarded(text: &str) -> Option<String> {
    let plain = |text: &str| text.chars().all(|at| at.is_ascii_alphanumeric() || matches!(at, '_' | '.'));
    let parts: Vec<&str> = text.split("->").collect();
    if parts.iter().any(|part| part.is_empty() || !plain(part)) {
        return None;
    }
    let pointers: Vec<String> = (1..parts.len()).map(|upto| parts[..upto].join("->")).collect();
    Some(if pointers.is_empty() { text.to_string() } else { format!("({}) ? {text} : 0", pointers.join(" && ")) })
}

/// A site whose values are looked at.
pub struct Looked<'a> {
    /// The site.
    pub site: &'a Site,
    /// Its number in the program, from 1.
    pub number: usize,
    /// What is given to its function.
    pub inputs: &'a [Input],
    /// What stands there in place of what does.
    pub instead: Option<&'a Expression>,
}

/// A source with functions around these sites.
pub fn angelic(source: &str, sites: &[Looked<'_>]) -> String {
    // A header may be read several times.
    let first = sites.first().map_or(0, |looked| looked.number);
    let mut prologue = format!("{QUIET}#ifndef {ANGEL}{first}_\n#define {ANGEL}{first}_\n");
    prologue.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for looked in sites {
        let of = |class: Class| if class == Class::Float { "double" } else { "long long" };
        let ty = of(looked.site.result);
        let given: Vec<String> = (0..looked.inputs.len()).map(|at| format!(", long long a{at}")).collect();
        let (line, number) = (line_of_angel(looked.number), looked.number);
        let _ = writeln!(
            prologue,
            "#line {line}\nstatic __attribute__((noinline, unused)) {ty} {ANGEL}{number}({ty} value{}) {{ return value; }}",
            given.concat()
        );
    }
    prologue.push_str("#ifdef __cplusplus\n}\n#endif\n#endif\n");
    let parts: Vec<_> = sites.iter().map(|looked| looked.site.range.clone()).collect();
    let body = rewritten(source, &parts, &|number, original| {
        let Looked { site, number, inputs, instead } = &sites[number];
        let is_guard = site.role == Role::Guarded;
        let own = if is_guard { "1".to_string() } else { original.to_string() };
        let value = instead.map_or(own, Expression::text);
        let truth = is_guard || site.role == Role::Condition;
        let value = match (truth, site.result) {
            (true, _) => format!("({value}) ? 1 : 0"),
            (_, Class::Float) => format!("(double)({value})"),
            _ => format!("(long long)({value})"),
        };
        let mut out = format!("{ANGEL}{number}({value}");
        for Input { expression, text } in *inputs {
            match expression.class() {
                Class::Bool => {
                    let _ = write!(out, ", (({text})) ? 1 : 0");
                }
                _ => {
                    let _ = write!(out, ", (long long)({text})");
                }
            }
        }
        out.push(')');
        match (is_guard, truth) {
            (true, _) => format!("if ({out}) {original}"),
            (_, true) => format!("({out} != 0)"),
            _ => format!("(({}){out})", site.ty),
        }
    });
    with_prologue(&prologue, source, &body)
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn members_are_looked_at_where_there_are_objects() {
        assert_eq!(guarded("width").as_deref(), Some("width"));
        assert_eq!(guarded("a.b->c->d").as_deref(), Some("(a.b && a.b->c) ? a.b->c->d : 0"));
        for text in ["a[i]", "*p", "strlen(s)", "f(x)->y"] {
            assert_eq!(guarded(text), None, "{text}");
        }
    }
}
