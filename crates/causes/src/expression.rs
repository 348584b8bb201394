//! Values of expressions at a moment of a run: variables, their members and elements, arithmetic and comparisons.
//!
//! Nothing is executed and nothing is changed: an assignment is refused. The value of a call has to be found out before.

mod arithmetic;
mod reader;
mod worth;

use whydunit_model::{DebugType, Encoding};
use whydunit_replay::At;

pub use self::reader::{Called, Expression, read};
pub use self::worth::Value;
use crate::value::{self, is_char, size_of, underlying};
use crate::variables::{Found, Store, View, Watch};

/// Longer texts of the program are not compared.
const LONGEST_TEXT: u64 = 1 << 16;

impl View<'_> {
    /// The value of an expression in this frame; an error says why there is none.
    pub fn value(&self, expression: &Expression) -> Result<Value, String> {
        Ok(match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Float(number) => Value::Float(*number),
            Expression::Truth(holds) => Value::Truth(*holds),
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Name(name) => Value::Found(self.variable(name)?),
            Expression::Member { of, member, arrow, text } => {
                let of = self.place(of)?;
                let found = Found { name: text.clone(), ..self.member_of(of, member, *arrow)? };
                Value::Found(found)
            }
            Expression::Element { of, index, text } => {
                let Value::Number(index) = self.scalar(self.value(index)?)? else {
                    return Err(format!("the index in `{text}` is no number"));
                };
                let index = i64::try_from(index).map_err(|_| format!("{index} is no index"))?;
                Value::Found(Found { name: text.clone(), ..self.element(self.place(of)?, index)? })
            }
            Expression::Pointee { of, text } => Value::Found(self.pointee(&self.place(of)?, text)?),
            Expression::Address(of) => match self.place(of)?.store {
                Store::Memory(address) => Value::Address(address),
                Store::Slot(_) | Store::Constant(_) => {
                    return Err("what the compiler keeps in a register has no address".into());
                }
            },
            Expression::Unary(operator, of) => arithmetic::unary(*operator, self.scalar(self.value(of)?)?)?,
            Expression::Binary(operator, left, right) => self.binary(operator, left, right)?,
            Expression::Known(value) => value.clone(),
            Expression::Call(called) => {
                return Err(format!(
                    "`{}` calls a function: that is done where a value is asked for, and not here",
                    called.text
                ));
            }
        })
    }

    /// Whether an expression holds: is neither false nor zero.
    pub fn holds(&self, expression: &Expression) -> Result<bool, String> {
        arithmetic::truth(&self.scalar(self.value(expression)?)?)
    }

    /// A value that can be computed with: of what is found its number.
    pub fn plain(&self, value: Value) -> Result<Value, String> {
        self.scalar(value)
    }

    /// The variable, member or element that an expression means.
    fn place(&self, expression: &Expression) -> Result<Found, String> {
        match self.value(expression)? {
            Value::Found(found) => Ok(found),
            other => {
                let text = other.text(self.module(), self.at.memory());
                Err(format!("`{text}` is neither a variable nor a member or element of one"))
            }
        }
    }

    fn binary(&self, operator: &'static str, left: &Expression, right: &Expression) -> Result<Value, String> {
        let first = self.value(left)?;
        if matches!(operator, "&&" | "||") {
            let first = arithmetic::truth(&self.scalar(first)?)?;
            let decided = first == (operator == "||");
            return Ok(Value::Truth(if decided { first } else { self.holds(right)? }));
        }
        let second = self.value(right)?;
        if matches!(first, Value::Text(_)) || matches!(second, Value::Text(_)) {
            let (first, second) = (self.text_of(first)?, self.text_of(second)?);
            return match operator {
                "==" => Ok(Value::Truth(first == second)),
                "!=" => Ok(Value::Truth(first != second)),
                _ => Err(format!("texts are compared by `==` and `!=`, not by `{operator}`")),
            };
        }
        if let (Value::Found(pointer), "+" | "-") = (&first, operator)
            && let Some(size) = self.pointee_size(pointer)
            && let Value::Number(by) = self.scalar(second.clone())?
        {
            let by = if operator == "+" { by } else { by.wrapping_neg() };
            let address = pointer.word().wrapping_add((by as u64).wrapping_mul(size));
            let (name, store) = (format!("{} {operator} …", pointer.name), Store::Constant(address));
            let bytes = address.to_le_bytes().to_vec();
            return Ok(Value::Found(Found { name, ty: pointer.ty, store, bytes }));
        }
        arithmetic::binary(operator, self.scalar(first)?, self.scalar(second)?)
    }

    /// The size of what a pointer points to; `None` for what is no pointer.
    fn pointee_size(&self, found: &Found) -> Option<u64> {
        let module = self.module();
        match module.types.get(underlying(module, found.ty) as usize)? {
            DebugType::Pointer { to } => Some(size_of(module, *to).max(1)),
            _ => None,
        }
    }

    /// A value that can be computed with; what is found becomes a number.
    fn scalar(&self, value: Value) -> Result<Value, String> {
        let Value::Found(found) = value else { return Ok(value) };
        let module = self.module();
        match module.types.get(underlying(module, found.ty) as usize) {
            Some(DebugType::Base { encoding, bytes, .. }) => {
                let bytes = &found.bytes[..found.bytes.len().min(*bytes as usize)];
                Ok(match encoding {
                    Encoding::Boolean => Value::Truth(found.word() != 0),
                    Encoding::Float => {
                        let text = found.text(module, self.at.memory());
                        Value::Float(text.parse().map_err(|_| format!("`{}` is no number", found.name))?)
                    }
                    Encoding::Signed | Encoding::SignedChar => Value::Number(arithmetic::signed(bytes)),
                    _ => Value::Number(arithmetic::unsigned(bytes) as i128),
                })
            }
            Some(DebugType::Enum { bytes, .. }) => {
                Ok(Value::Number(arithmetic::signed(&found.bytes[..found.bytes.len().min(*bytes as usize)])))
            }
            Some(DebugType::Pointer { .. } | DebugType::Function) => Ok(Value::Address(found.word())),
            Some(DebugType::Array { .. }) if let Store::Memory(address) = found.store => Ok(Value::Address(address)),
            _ => Err(format!("`{}` is no number that could be computed with", found.name)),
        }
    }

    /// The bytes of a text of the program or of the expression.
    fn text_of(&self, value: Value) -> Result<Vec<u8>, String> {
        let found = match value {
            Value::Text(text) => return Ok(text),
            Value::Found(found) => found,
            other => return Err(format!("{} is no text", other.text(self.module(), self.at.memory()))),
        };
        let (module, memory) = (self.module(), self.at.memory());
        let no_text = || format!("`{}` is no text", found.name);
        match module.types.get(underlying(module, found.ty) as usize) {
            Some(DebugType::Pointer { to }) if is_char(module, *to) && found.word() != 0 => {
                Ok(memory.read_string(found.word(), LONGEST_TEXT))
            }
            Some(DebugType::Array { element, .. }) if is_char(module, *element) => {
                Ok(found.bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec())
            }
            Some(kind @ DebugType::Sequence { text: true, .. }) => {
                let (address, length, _) = value::elements(module, kind, &found.bytes).ok_or_else(no_text)?;
                Ok(memory.read_vec(address, length.min(LONGEST_TEXT) as usize))
            }
            _ => Err(no_text()),
        }
    }

    fn variable(&self, name: &str) -> Result<Found, String> {
        if let Some(found) = self.named(name) {
            return Ok(found);
        }
        // Members of the object that a method of C++ is called on have their names to themselves.
        if let Some(this) = self.named("this")
            && let Ok(found) = self.member_of(this, name, true)
        {
            return Ok(Found { name: name.into(), ..found });
        }
        let names: Vec<String> = self.in_scope().into_iter().map(|found| found.name).collect();
        Err(match names.is_empty() {
            true => format!("there is no variable `{name}` here"),
            false => format!("there is no variable `{name}` here; in scope are {}", names.join(", ")),
        })
    }

    fn pointee(&self, pointer: &Found, name: &str) -> Result<Found, String> {
        let module = self.module();
        match module.types.get(underlying(module, pointer.ty) as usize) {
            Some(DebugType::Pointer { to }) => {
                let address = pointer.word();
                if address == 0 {
                    return Err(format!("`{}` is a null pointer there", pointer.name));
                }
                let bytes = self.at.memory().read_vec(address, size_of(module, *to) as usize);
                Ok(Found { name: name.into(), ty: *to, store: Store::Memory(address), bytes })
            }
            // `*a` is the first element of an array.
            Some(DebugType::Array { .. }) => {
                let first = pointer.part(module, 0).ok_or_else(|| format!("`{}` has no elements", pointer.name))?;
                Ok(Found { name: name.into(), ..first })
            }
            _ => Err(format!("`{}` is no pointer", pointer.name)),
        }
    }

    /// A member of a value, or of what it points to.
    fn member_of(&self, found: Found, name: &str, arrow: bool) -> Result<Found, String> {
        let module = self.module();
        let points = matches!(
            module.types.get(underlying(module, found.ty) as usize),
            Some(DebugType::Pointer { .. } | DebugType::Array { .. })
        );
        // Rust looks through references by itself.
        let found = if arrow || points { self.pointee(&found, &found.name.clone())? } else { found };
        let Some(DebugType::Struct { members, .. }) = module.types.get(underlying(module, found.ty) as usize) else {
            return Err(format!("`{}` has no members", found.name));
        };
        // What a derived class has stands behind what it has from others.
        let Some(member) = members.iter().rev().find(|member| member.name == name) else {
            let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            return Err(format!("`{}` has no member `{name}`; it has {}", found.name, names.join(", ")));
        };
        found.member(module, member).ok_or_else(|| "the member lies outside the value".into())
    }

    fn element(&self, found: Found, index: i64) -> Result<Found, String> {
        let module = self.module();
        let (element, start) = match (module.types.get(underlying(module, found.ty) as usize), found.store) {
            (Some(DebugType::Array { element, .. }), Store::Memory(address)) => (*element, address),
            (Some(DebugType::Pointer { to }), _) => (*to, found.word()),
            (Some(sequence @ DebugType::Sequence { .. }), _) => {
                let (start, length, element) = value::elements(module, sequence, &found.bytes).unwrap_or_default();
                if u64::try_from(index).is_ok_and(|index| index >= length) {
                    return Err(format!("`{}` has {length} elements there", found.name));
                }
                (element, start)
            }
            _ => return Err(format!("`{}` is neither an array nor a pointer, nor a vector or a slice", found.name)),
        };
        let size = size_of(module, element);
        let address = start.wrapping_add((index as u64).wrapping_mul(size));
        let bytes = self.at.memory().read_vec(address, size as usize);
        Ok(Found { name: format!("{}[{index}]", found.name), ty: element, store: Store::Memory(address), bytes })
    }
}

/// Finds what `expression` (a variable, then any of `.m`, `->m`, `[n]`, with `*` in front and parentheses around) means in frame
/// `depth` of the thread that runs.
pub fn evaluate(at: &At<'_>, watch: &Watch, depth: usize, expression: &str) -> Result<Found, String> {
    let view = View::of(at, watch, depth).ok_or("there is no such frame")?;
    let read = read(expression.trim())?;
    match view.value(&read)? {
        Value::Found(found) => Ok(found),
        _ => Err(format!("`{expression}` is neither a variable nor a member or element of one")),
    }
}
