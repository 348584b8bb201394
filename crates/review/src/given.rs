//! What programs are given, by names that two versions share.

use std::ops::Range;

use whydunit_inputs::{Input, Part};
use whydunit_symbolic::{InputVariable, ReadAs, Source};

/// Names something that a program is given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// Where it is from.
    pub source: Source,
    /// Which of it.
    pub place: Place,
}

/// A place in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A byte, from 0.
    Byte(usize),
    /// A whole number, by its place among the source's numbers, from 0.
    Integer(usize),
    /// A number with a fraction, likewise.
    Float(usize),
}

impl Place {
    /// Its bits.
    pub fn width(self) -> u32 {
        if let Place::Byte(_) = self { 8 } else { 64 }
    }
}

/// The part of an input that a source is; none for an argument that an input does not have.
pub fn part(source: &Source) -> Option<Part> {
    Some(match source {
        Source::Argument(number) => Part::Arg(number.checked_sub(1)?),
        Source::Stdin => Part::Stdin,
        Source::File(name) => Part::File(name.clone()),
    })
}

impl Key {
    /// The part of an input that it is in.
    pub fn part(&self) -> Option<Part> {
        part(&self.source)
    }

    /// Of a variable of a run with this input; none where there is no such number.
    pub fn of(variable: &InputVariable, input: &Input) -> Option<Self> {
        let text = input.text(&part(&variable.source)?);
        let number = || numbers(text).iter().position(|known| known.end > variable.range.start);
        let place = match variable.read {
            ReadAs::Byte => Place::Byte(variable.range.start),
            ReadAs::Integer => Place::Integer(number()?),
            ReadAs::Float => Place::Float(number()?),
        };
        Some(Self { source: variable.source.clone(), place })
    }

    /// How it is called.
    pub fn name(&self) -> String {
        let source = match &self.source {
            Source::Argument(number) => format!("arg{number}"),
            Source::Stdin => "stdin".into(),
            Source::File(name) => name.clone(),
        };
        match (self.place, &self.source) {
            (Place::Byte(at), _) => format!("{source}[{at}]"),
            (Place::Integer(0) | Place::Float(0), Source::Argument(_)) => source,
            (Place::Integer(at) | Place::Float(at), _) => format!("{source}.number{}", at + 1),
        }
    }
}

/// The numbers in a text, with their signs.
pub fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if !text[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let signed = at > 0 && matches!(text[at - 1], b'-' | b'+') && !(at > 1 && text[at - 2].is_ascii_alphanumeric());
        let start = at - usize::from(signed);
        at += digits(at);
        if text.get(at) == Some(&b'.') && text.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at += 1 + digits(at + 1);
        }
        let exponent = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        if matches!(text.get(at), Some(b'e' | b'E')) && text.get(exponent).is_some_and(u8::is_ascii_digit) {
            at = exponent + digits(exponent);
        }
        found.push(start..at);
    }
    found
}

/// An input with other values in some places; none where it has no such places, or cannot have such values.
pub fn with(input: &Input, values: &[(Key, u128)]) -> Option<Input> {
    let mut sources: Vec<&Source> = values.iter().map(|(key, _)| &key.source).collect();
    sources.sort();
    sources.dedup();
    let mut changed = input.clone();
    for source in sources {
        let part = part(source)?;
        let mut text = input.text(&part).to_vec();
        let mut written: Vec<(Range<usize>, String)> = Vec::new();
        for (key, value) in values.iter().filter(|(key, _)| key.source == *source) {
            match key.place {
                Place::Byte(at) => *text.get_mut(at)? = *value as u8,
                Place::Integer(at) => {
                    written.push((numbers(input.text(&part)).get(at)?.clone(), (*value as i64).to_string()));
                }
                Place::Float(at) => {
                    let value = f64::from_bits(*value as u64);
                    written.push((numbers(input.text(&part)).get(at)?.clone(), format!("{value:?}")));
                }
            }
        }
        written.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, number) in written {
            text.splice(range, number.into_bytes());
        }
        if let Part::Arg(_) = part
            && (std::str::from_utf8(&text).is_err() || text.contains(&0))
        {
            return None;
        }
        changed = changed.with(&part, text);
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_fractions_and_exponents() {
        let text = b"a-1 -2,+3.5 4e-3x 5e7";
        let found: Vec<&str> =
            numbers(text).into_iter().map(|range| std::str::from_utf8(&text[range]).expect("text")).collect();
        assert_eq!(found, ["1", "-2", "+3.5", "4e-3", "5e7"]);
    }

    #[test]
    fn values_are_written_where_they_were_read() {
        let key = |source: Source, place| Key { source, place };
        let values = [
            (key(Source::Argument(1), Place::Integer(0)), (-12i64) as u64 as u128),
            (key(Source::Stdin, Place::Integer(1)), 100),
            (key(Source::Stdin, Place::Float(2)), 0.5f64.to_bits().into()),
            (key(Source::Stdin, Place::Byte(0)), b'X'.into()),
        ];
        let changed = with(&Input::given(&["7", "k"], "n 1 22 3.25\n"), &values).expect("all places are there");
        assert_eq!((changed.args, changed.stdin), (vec!["-12".into(), "k".into()], Some(b"X 1 100 0.5\n".to_vec())));
        let gone = [(key(Source::Argument(2), Place::Integer(0)), 1)];
        assert_eq!(with(&Input::given(&["7", "k"], ""), &gone), None);
        let zero = [(key(Source::Argument(2), Place::Byte(0)), 0)];
        assert_eq!(with(&Input::given(&["7", "k"], ""), &zero), None);
    }

    #[test]
    fn variables_are_named_alike_whatever_other_numbers_are() {
        let of = |stdin: &str, start: usize| {
            let pool_term = whydunit_terms::Pool::new().truth();
            let variable = InputVariable {
                term: pool_term,
                source: Source::Stdin,
                range: start..start + 1,
                read: ReadAs::Integer,
                value: 0,
            };
            Key::of(&variable, &Input::given(&[], stdin)).map(|key| key.name())
        };
        assert_eq!(of("1 2 3", 2), Some("stdin.number2".into()));
        assert_eq!(of("-1000 2 3", 6), Some("stdin.number2".into()));
        assert_eq!(of("x", 0), None);
    }
}
