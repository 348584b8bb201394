//! What expressions are worth.

use whydunit_model::Module;

use crate::value::{self, ReadBytes};
use crate::variables::Found;

/// What an expression is worth.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A variable, member or element.
    Found(Found),
    /// A number, exact.
    Number(i128),
    /// A floating number.
    Float(f64),
    /// Whether something holds.
    Truth(bool),
    /// An address.
    Address(u64),
    /// A text.
    Text(Vec<u8>),
}

impl Value {
    /// The value as text.
    pub fn text(&self, module: &Module, memory: &impl ReadBytes) -> String {
        match self {
            Value::Found(found) => found.text(module, memory),
            Value::Number(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Truth(holds) => holds.to_string(),
            Value::Address(address) => format!("{address:#x}"),
            Value::Text(text) => value::quoted(text),
        }
    }
}
