//! Values as abstract states see them.

use whydunit_events::{FieldKind, Value};

use crate::options::Abstraction;

/// A value in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Abstract {
    /// It is not known.
    Unknown,
    /// A number, as it is.
    Exactly(i64),
    /// A number below zero.
    Negative,
    /// Zero.
    Zero,
    /// A number above zero.
    Positive,
    /// What is no number.
    NoNumber,
    /// True or false.
    Truth(bool),
    /// One of several things with names.
    Named(i64),
    /// No object.
    Null,
    /// Some object.
    Reference,
    /// No elements.
    Empty,
    /// Some elements.
    Filled,
}

impl Abstract {
    /// How a value is seen. `varies`: the field is assigned more than constants.
    pub fn of(value: Value, kind: &FieldKind, how: Abstraction, varies: bool) -> Self {
        match (value, kind) {
            (Value::Unknown, _) => Self::Unknown,
            (Value::Null, _) => Self::Null,
            (Value::Object(_) | Value::Other, _) => Self::Reference,
            (Value::Length(length), _) if how == Abstraction::Value => {
                Self::Exactly(length.min(i64::MAX as u64) as i64)
            }
            (Value::Length(0), _) => Self::Empty,
            (Value::Length(_), _) => Self::Filled,
            (Value::Float(number), _) => Self::sign(number.partial_cmp(&0.0)),
            (Value::Integer(number), FieldKind::Boolean) => Self::Truth(number != 0),
            (Value::Integer(number), FieldKind::Enumeration(_) | FieldKind::Variant(_)) => Self::Named(number),
            (Value::Integer(number), _) if how == Abstraction::Value || how == Abstraction::Sign && !varies => {
                Self::Exactly(number)
            }
            (Value::Integer(number), _) => Self::of_number(number),
        }
    }

    /// The sign of a number.
    pub fn of_number(number: i64) -> Self {
        Self::sign(Some(number.cmp(&0)))
    }

    fn sign(ordering: Option<std::cmp::Ordering>) -> Self {
        match ordering {
            Some(std::cmp::Ordering::Less) => Self::Negative,
            Some(std::cmp::Ordering::Equal) => Self::Zero,
            Some(std::cmp::Ordering::Greater) => Self::Positive,
            None => Self::NoNumber,
        }
    }

    /// In words; `names` are of the numbers of its field.
    pub fn text(self, names: &[(i64, String)]) -> String {
        let name = |number: i64| names.iter().find(|(known, _)| *known == number).map(|(_, name)| name.clone());
        match self {
            Self::Unknown => "unknown".into(),
            Self::Exactly(number) | Self::Named(number) => name(number).unwrap_or_else(|| number.to_string()),
            Self::Negative => "< 0".into(),
            Self::Zero => "= 0".into(),
            Self::Positive => "> 0".into(),
            Self::NoNumber => "no number".into(),
            Self::Truth(truth) => truth.to_string(),
            Self::Null => "null".into(),
            Self::Reference => "not null".into(),
            Self::Empty => "empty".into(),
            Self::Filled => "not empty".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_seen_by_kind_and_as_asked_for() {
        let of = |value, kind, how, varies| Abstract::of(value, kind, how, varies).text(&[(7, "OPEN".into())]);
        let integer = &FieldKind::Integer;
        assert_eq!(of(Value::Integer(7), integer, Abstraction::Sign, false), "OPEN");
        assert_eq!(of(Value::Integer(7), integer, Abstraction::Sign, true), "> 0");
        assert_eq!(of(Value::Integer(-7), integer, Abstraction::Emptiness, false), "< 0");
        assert_eq!(of(Value::Integer(5), integer, Abstraction::Value, true), "5");
        assert_eq!(of(Value::Integer(1), &FieldKind::Boolean, Abstraction::Sign, true), "true");
        assert_eq!(of(Value::Float(-0.5), &FieldKind::Float, Abstraction::Sign, true), "< 0");
        assert_eq!(of(Value::Float(f64::NAN), &FieldKind::Float, Abstraction::Sign, true), "no number");
        assert_eq!(of(Value::Length(3), &FieldKind::Sequence, Abstraction::Sign, true), "not empty");
        assert_eq!(of(Value::Length(3), &FieldKind::Sequence, Abstraction::Value, true), "3");
        assert_eq!(of(Value::Other, &FieldKind::Reference, Abstraction::Sign, true), "not null");
        assert_eq!(of(Value::Integer(7), &FieldKind::Variant(vec![]), Abstraction::Sign, true), "OPEN");
    }
}
