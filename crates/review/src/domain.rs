//! The domain of inputs: constraints, one a line.

mod parse;

use std::collections::BTreeMap;

use whydunit_inputs::{Input, Part, Random};
use whydunit_symbolic::Source;
use whydunit_terms::{Compare, Term};

use crate::given::{Key, Place, numbers, part};
use crate::path::Shared;

/// What inputs the program is for.
///
/// One constraint a line: `x in a..b`, `x in {a, b}`, comparisons, `and`, `or`, `not`; `arg1`, `arg2`, … (numbers where they are
/// compared with numbers), `stdin[i]`, `len(stdin)`, `len(arg1)`. What stands behind `#` is a remark.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Domain {
    constraints: Vec<Constraint>,
    /// So many arguments there are; none where there may be any number.
    arguments: Option<usize>,
}

/// A line of a domain that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct DomainError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, PartialEq, Debug)]
enum Constraint {
    Compare(Sign, Value, Value),
    /// Both ends are in it.
    Within(Value, i64, i64),
    OneOf(Value, Vec<Value>),
    All(Vec<Constraint>),
    Any(Vec<Constraint>),
    Not(Box<Constraint>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(i64),
    Text(String),
    /// The whole of a source.
    Whole(Source),
    Byte(Source, usize),
    Length(Source),
}

impl Domain {
    /// Reads one.
    pub fn parse(text: &str) -> Result<Self, DomainError> {
        let mut constraints = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                let constraint = parse::constraint(line);
                constraints.push(constraint.map_err(|message| DomainError { line: number + 1, message })?);
            }
        }
        Ok(Self { constraints, arguments: None })
    }

    /// The same with just so many arguments.
    #[must_use]
    pub fn with_arguments(self, number: usize) -> Self {
        Self { arguments: Some(number), ..self }
    }

    /// Whether it allows everything.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.arguments.is_none()
    }

    /// A domain that a suite's inputs lie in, as text: of each argument the range of its numbers, or the few texts that it is.
    pub fn proposed(inputs: &[Input]) -> String {
        let most = inputs.iter().map(|input| input.args.len()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for argument in 0..most {
            let texts: Vec<&String> = inputs.iter().filter_map(|input| input.args.get(argument)).collect();
            let numbers: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
            let name = format!("arg{}", argument + 1);
            let simple = |text: &&String| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let mut few = texts.clone();
            few.sort();
            few.dedup();
            match numbers {
                Some(numbers) => {
                    let (low, high) = (numbers.iter().min().unwrap_or(&0), numbers.iter().max().unwrap_or(&0));
                    lines.push(if low == high {
                        format!("{name} == {low}")
                    } else {
                        format!("{name} in {low}..{high}")
                    });
                }
                None if few.len() <= 8 && few.iter().all(simple) => {
                    let few: Vec<&str> = few.into_iter().map(String::as_str).collect();
                    lines.push(format!("{name} in {{{}}}", few.join(", ")));
                }
                None => {}
            }
        }
        lines.join("\n")
    }

    /// Whether an input lies in it. What it speaks of and an input does not have is not in it.
    pub fn holds(&self, input: &Input) -> bool {
        self.arguments.is_none_or(|number| input.args.len() == number)
            && self.constraints.iter().all(|constraint| constraint.holds(input))
    }

    /// That an input lies in it, as a formula over what paths have looked at; the rest is as in `input`.
    pub(crate) fn term(&self, shared: &mut Shared, input: &Input) -> Term {
        let mut whole = shared.pool.truth();
        for constraint in &self.constraints {
            let holds = constraint.term(shared, input);
            whole = shared.pool.and(whole, holds);
        }
        whole
    }

    /// Another input with numbers and texts drawn from the ranges and sets that lines of it give; none where there are none.
    pub fn draw(&self, input: &Input, random: &mut Random) -> Option<Input> {
        let mut changed: BTreeMap<Part, Vec<u8>> = BTreeMap::new();
        for constraint in self.constraints.iter().flat_map(Constraint::conjuncts) {
            let (value, text) = match constraint {
                Constraint::Within(value, low, high) if low <= high => {
                    let span = high.abs_diff(*low).saturating_add(1).min(usize::MAX as u64);
                    // The ends are tried often.
                    let offset = match random.below(6) {
                        0 => 0,
                        1 => span - 1,
                        _ => random.below(span as usize) as u64,
                    };
                    (value, low.wrapping_add_unsigned(offset).to_string())
                }
                Constraint::OneOf(value, list) if !list.is_empty() => {
                    let text = match &list[random.below(list.len())] {
                        Value::Number(number) => number.to_string(),
                        Value::Text(text) => text.clone(),
                        _ => continue,
                    };
                    (value, text)
                }
                _ => continue,
            };
            let Value::Whole(source) = value else { continue };
            if let Some(part) = part(source) {
                changed.insert(part, text.into_bytes());
            }
        }
        let drawn = changed.into_iter().fold(input.clone(), |input, (part, text)| input.with(&part, text));
        (drawn != *input && self.holds(&drawn)).then_some(drawn)
    }
}

impl Sign {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Sign::Less => order.is_lt(),
            Sign::LessOrEqual => order.is_le(),
            Sign::Equal => order.is_eq(),
            Sign::NotEqual => order.is_ne(),
            Sign::Greater => order.is_gt(),
            Sign::GreaterOrEqual => order.is_ge(),
        }
    }

    fn term(self, shared: &mut Shared, a: Term, b: Term) -> Term {
        let pool = &mut shared.pool;
        match self {
            Sign::Less => pool.compare(Compare::Slt, a, b),
            Sign::Greater => pool.compare(Compare::Slt, b, a),
            Sign::Equal => pool.eq(a, b),
            Sign::NotEqual => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            Sign::LessOrEqual => {
                let more = pool.compare(Compare::Slt, b, a);
                pool.not(more)
            }
            Sign::GreaterOrEqual => {
                let less = pool.compare(Compare::Slt, a, b);
                pool.not(less)
            }
        }
    }
}

impl Value {
    fn text<'a>(&'a self, input: &'a Input) -> Option<&'a [u8]> {
        match self {
            Value::Text(text) => Some(text.as_bytes()),
            Value::Whole(Source::Argument(number)) => input.args.get(number.checked_sub(1)?).map(|arg| arg.as_bytes()),
            Value::Whole(source) => Some(input.text(&part(source)?)),
            _ => None,
        }
    }

    fn number(&self, input: &Input) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
            Value::Whole(_) => std::str::from_utf8(self.text(input)?).ok()?.trim().parse().ok(),
            Value::Byte(source, at) => input.text(&part(source)?).get(*at).map(|&byte| byte.into()),
            Value::Length(source) => Some(input.text(&part(source)?).len() as i64),
        }
    }

    /// As a number of 64 bits; none where it is none.
    fn term(&self, shared: &mut Shared, input: &Input) -> Option<Term> {
        let variable = match self {
            Value::Whole(source) => {
                let text = input.text(&part(source)?);
                let whole = numbers(text).first().is_some_and(|first| *first == (0..text.len()));
                let key = Key { source: source.clone(), place: Place::Integer(0) };
                whole.then(|| shared.known(&key)).flatten()
            }
            Value::Byte(source, at) => {
                let known = shared.known(&Key { source: source.clone(), place: Place::Byte(*at) });
                known.map(|byte| shared.pool.zext(byte, 64))
            }
            _ => None,
        };
        match variable {
            Some(variable) => Some(variable),
            None => self.number(input).map(|number| shared.pool.constant(64, u128::from(number as u64))),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Value::Text(_))
    }
}

impl Constraint {
    fn conjuncts(&self) -> Vec<&Constraint> {
        match self {
            Constraint::All(list) => list.iter().flat_map(Constraint::conjuncts).collect(),
            other => vec![other],
        }
    }

    fn holds(&self, input: &Input) -> bool {
        match self {
            Constraint::Compare(sign, a, b) if a.is_text() || b.is_text() => match (a.text(input), b.text(input)) {
                (Some(a), Some(b)) => sign.holds(a.cmp(b)),
                _ => false,
            },
            Constraint::Compare(sign, a, b) => match (a.number(input), b.number(input)) {
                (Some(a), Some(b)) => sign.holds(a.cmp(&b)),
                _ => false,
            },
            Constraint::Within(value, low, high) => {
                value.number(input).is_some_and(|value| (*low..=*high).contains(&value))
            }
            Constraint::OneOf(value, list) => {
                list.iter().any(|one| Constraint::Compare(Sign::Equal, value.clone(), one.clone()).holds(input))
            }
            Constraint::All(list) => list.iter().all(|one| one.holds(input)),
            Constraint::Any(list) => list.iter().any(|one| one.holds(input)),
            Constraint::Not(one) => !one.holds(input),
        }
    }

    fn term(&self, shared: &mut Shared, input: &Input) -> Term {
        match self {
            Constraint::Compare(sign, a, b) if a.is_text() || b.is_text() => {
                let (whole, text) = if b.is_text() { (a, b) } else { (b, a) };
                let bytes = match (whole, text) {
                    (Value::Whole(source), Value::Text(text)) => spelled(shared, source, text, input),
                    _ => None,
                };
                match (bytes, sign) {
                    (Some(same), Sign::Equal) => same,
                    (Some(same), Sign::NotEqual) => shared.pool.not(same),
                    _ => shared.pool.bool(self.holds(input)),
                }
            }
            Constraint::Compare(sign, a, b) => match (a.term(shared, input), b.term(shared, input)) {
                (Some(a), Some(b)) => sign.term(shared, a, b),
                _ => shared.pool.falsity(),
            },
            Constraint::Within(value, low, high) => {
                let above = Constraint::Compare(Sign::GreaterOrEqual, value.clone(), Value::Number(*low));
                let below = Constraint::Compare(Sign::LessOrEqual, value.clone(), Value::Number(*high));
                Constraint::All(vec![above, below]).term(shared, input)
            }
            Constraint::OneOf(value, list) => {
                let one = |one: &Value| Constraint::Compare(Sign::Equal, value.clone(), one.clone());
                Constraint::Any(list.iter().map(one).collect()).term(shared, input)
            }
            Constraint::All(list) => list.iter().fold(shared.pool.truth(), |whole, one| {
                let one = one.term(shared, input);
                shared.pool.and(whole, one)
            }),
            Constraint::Any(list) => list.iter().fold(shared.pool.falsity(), |whole, one| {
                let one = one.term(shared, input);
                shared.pool.or(whole, one)
            }),
            Constraint::Not(one) => {
                let one = one.term(shared, input);
                shared.pool.not(one)
            }
        }
    }
}

/// That a source is a text, by the bytes that paths have looked at; none where they have looked at none.
fn spelled(shared: &mut Shared, source: &Source, text: &str, input: &Input) -> Option<Term> {
    let now = input.text(&part(source)?);
    if now.len() != text.len() {
        return Some(shared.pool.falsity());
    }
    let (mut same, mut looked) = (shared.pool.truth(), false);
    for (at, (byte, now)) in text.bytes().zip(now).enumerate() {
        let here = match shared.known(&Key { source: source.clone(), place: Place::Byte(at) }) {
            Some(variable) => {
                looked = true;
                let byte = shared.pool.constant(8, byte.into());
                shared.pool.eq(variable, byte)
            }
            None => shared.pool.bool(byte == *now),
        };
        same = shared.pool.and(same, here);
    }
    looked.then_some(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_hold_or_not() {
        let domain = Domain::parse("arg1 in 1..10 # small\n\narg2 in {A, B} or not len(stdin) <= 3\nstdin[0] != 'x'\n");
        let domain = domain.expect("it is one");
        assert!(domain.holds(&Input::given(&["3", "A"], "y")) && domain.holds(&Input::given(&["10", "C"], "yyyy")));
        assert!(!domain.holds(&Input::given(&["11", "A"], "y")), "outside the range");
        assert!(!domain.holds(&Input::given(&["3", "C"], "y")) && !domain.holds(&Input::given(&["3", "A"], "x")));
        assert!(!domain.holds(&Input::given(&["three", "A"], "y")) && !domain.holds(&Input::given(&["3", "A"], "")));
    }

    #[test]
    fn what_is_no_constraint_is_told_with_its_line() {
        let error = |text: &str| Domain::parse(text).expect_err("it is wrong").to_string();
        assert_eq!(error("arg1 > 2\narg1 in 1.."), "line 2: a number is missing behind `..`");
        assert_eq!(
            error("speed < 3"),
            "line 1: `speed` is no part of an input: there are arg1, arg2, …, stdin[i], len(stdin) and len(arg1)"
        );
        assert_eq!(error("arg1 < 3 arg2"), "line 1: `arg2` is too much");
        assert_eq!(error("(arg1 < 3"), "line 1: `)` is missing");
        assert!(error("arg1 ? 3").contains("`?`"));
    }

    #[test]
    fn a_suite_proposes_ranges_and_sets() {
        let inputs = [Input::given(&["3", "up", "x y"], ""), Input::given(&["-4", "down"], "")];
        let proposed = Domain::proposed(&inputs);
        assert_eq!(proposed, "arg1 in -4..3\narg2 in {down, up}");
        let domain = Domain::parse(&proposed).expect("it is one");
        assert!(domain.holds(&inputs[0]) && domain.holds(&inputs[1]));
        let mut random = Random::new(1, "test");
        let drawn: Vec<Input> = (0..50).filter_map(|_| domain.draw(&inputs[0], &mut random)).collect();
        assert!(drawn.len() > 20 && drawn.iter().all(|input| domain.holds(input)));
        assert!(drawn.iter().any(|input| input.args[0] == "-4") && drawn.iter().any(|input| input.args[1] == "down"));
    }
}
