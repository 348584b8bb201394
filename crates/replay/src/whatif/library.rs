//! Library functions in what-if runs, beyond those that every replay computes.

use whydunit_library::{Character, Ending, Function, Number, NumberValue, Precision, lookup};
use whydunit_model::{FloatOp, FloatUnary, Scalar};
use whydunit_numerics::float;
use whydunit_numerics::parse::{decimal, integer};

use crate::machine::Machine;
use crate::output::Stream;

/// What a call comes to.
pub(crate) enum Answer {
    /// It returns this word.
    Value(u64),
    /// It writes memory and returns.
    Written { writes: Vec<(u64, Vec<u8>)>, result: u64 },
    /// It prints and returns.
    Text { stream: Stream, bytes: Vec<u8>, result: u64 },
    /// It ends the run with SIGABRT.
    Abort,
    /// setjmp, for the first time.
    Setjmp { buffer: u64 },
    /// longjmp.
    Longjmp { buffer: u64, value: u64 },
    /// It would read unknown memory.
    Unknown { address: u64 },
}

const LONGEST: u64 = 1 << 32;

/// Computes a call; none where there is no model.
pub(crate) fn call(machine: &mut Machine, name: &str, args: &[u64]) -> Option<Answer> {
    let known = lookup(name)?;
    let (function, given) = (known.function, args);
    let args = &known.plain(given)[..];
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    if let Some(answer) = jumps(function, args) {
        return Some(answer);
    }
    if let Some(answer) = statics(machine, function.name, arg(0)) {
        return Some(answer);
    }
    if let Some(character) = function.character {
        return Some(Answer::Value(of_character(character, arg(0))));
    }
    if let Some(value) = mathematics(function, args) {
        return Some(Answer::Value(value));
    }
    if let Some(number) = function.number {
        if !machine.what_if_knows(arg(0)) {
            return Some(Answer::Unknown { address: arg(0) });
        }
        return read_number(number, &machine.core.memory.read_string(arg(0), LONGEST), args);
    }
    match function.name {
        "fflush" | "setvbuf" | "setbuf" | "setlinebuf" => Some(Answer::Value(0)),
        _ => super::format::printing(machine, known, given),
    }
}

/// What `strtol` and its like come to, that read this text.
fn read_number(number: Number, text: &[u8], args: &[u64]) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let (result, used) = match number.value {
        NumberValue::Float(Precision::Double) => {
            let (value, used) = decimal(text);
            (value.to_bits(), used)
        }
        NumberValue::Float(_) => return None,
        NumberValue::Integer { bits, signed } => {
            let read = integer(text, number.base.map_or(10, |base| arg(base) as u32));
            let in_range = if signed {
                i64::try_from(read.value).is_ok()
            } else {
                read.value.unsigned_abs() <= u128::from(u64::MAX)
            };
            // errno is in memory that external code owns: leave what sets it.
            if number.end.is_some() && !in_range {
                return None;
            }
            (read.value as u64 & whydunit_numerics::arith::mask(bits as u8), read.used)
        }
    };
    Some(match number.end.map_or(0, arg) {
        0 => Answer::Value(result),
        address => {
            let end = (arg(0) + used as u64).to_le_bytes();
            Answer::Written { writes: vec![(address, end.to_vec())], result }
        }
    })
}

/// Variables of C++ that are made when first met: their guard's first byte says whether they are.
fn statics(machine: &Machine, name: &str, guard: u64) -> Option<Answer> {
    let byte = |byte: u8, result: u64| Answer::Written { writes: vec![(guard, vec![byte])], result };
    Some(match name {
        "__cxa_guard_acquire" | "__cxa_guard_release" | "__cxa_guard_abort" if !machine.what_if_knows(guard) => {
            Answer::Unknown { address: guard }
        }
        "__cxa_guard_acquire" => Answer::Value(u64::from(machine.core.memory.read_uint(guard, 1) == 0)),
        "__cxa_guard_release" => byte(1, 0),
        "__cxa_guard_abort" => byte(0, 0),
        // The run ends before they would be destroyed.
        "__cxa_atexit" | "__cxa_thread_atexit" | "atexit" => Answer::Value(0),
        _ => return None,
    })
}

fn jumps(function: &Function, args: &[u64]) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    if function.returns_twice {
        return Some(Answer::Setjmp { buffer: arg(0) });
    }
    match function.ending? {
        Ending::Jump => Some(Answer::Longjmp { buffer: arg(0), value: if arg(1) as u32 == 0 { 1 } else { arg(1) } }),
        Ending::Abort | Ending::Assertion { .. } => Some(Answer::Abort),
        Ending::Exit { .. } | Ending::Throw | Ending::Refused => None,
    }
}

/// What a function of `ctype.h` gives in the C locale.
pub(crate) fn of_character(character: Character, c: u64) -> u64 {
    let c = c as u32 as i32;
    let byte = u8::try_from(c).ok();
    let test = |class: fn(&u8) -> bool| u64::from(byte.is_some_and(|byte| class(&byte)));
    match character {
        Character::Alphabetic => test(u8::is_ascii_alphabetic),
        Character::Digit => test(u8::is_ascii_digit),
        Character::Alphanumeric => test(u8::is_ascii_alphanumeric),
        Character::Upper => test(u8::is_ascii_uppercase),
        Character::Lower => test(u8::is_ascii_lowercase),
        Character::Space => u64::from(matches!(c, 9..=13 | 32)),
        Character::Blank => u64::from(matches!(c, 9 | 32)),
        Character::Punctuation => test(u8::is_ascii_punctuation),
        Character::HexDigit => test(u8::is_ascii_hexdigit),
        Character::Control => test(u8::is_ascii_control),
        Character::Printable => u64::from((32..127).contains(&c)),
        Character::Graphic => test(u8::is_ascii_graphic),
        Character::ToUpper => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_uppercase())).into(),
        Character::ToLower => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_lowercase())).into(),
    }
}

/// An operation that gives the same with any library.
enum Exact {
    Unary(FloatUnary),
    Binary(FloatOp),
}

/// What a function of floats or doubles computes exactly, and their type.
fn exact(function: &Function) -> Option<(Exact, Scalar)> {
    let (name, ty) = match function.mathematics? {
        Precision::Double => (function.name, Scalar::F64),
        Precision::Single => (function.name.strip_suffix('f')?, Scalar::F32),
        Precision::Extended => return None,
    };
    if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == name) {
        return Some((Exact::Unary(*op), ty));
    }
    let op = match name {
        "fmod" => FloatOp::Rem,
        "fmin" => FloatOp::MinNum,
        "fmax" => FloatOp::MaxNum,
        "copysign" => FloatOp::CopySign,
        _ => return None,
    };
    Some((Exact::Binary(op), ty))
}

/// Whether the result of a function of mathematics is computed here.
pub(crate) fn is_exact(function: &Function) -> bool {
    exact(function).is_some()
}

/// Functions of mathematics; only those whose results are exact are computed, others differ between libraries.
fn mathematics(function: &Function, args: &[u64]) -> Option<u64> {
    let (op, ty) = exact(function)?;
    let a = u128::from(*args.first()?);
    Some(match op {
        Exact::Unary(op) => float::unary(op, ty, a) as u64,
        Exact::Binary(op) => float::binary(op, ty, a, u128::from(*args.get(1)?)) as u64,
    })
}

const UNARY: [(&str, FloatUnary); 8] = [
    ("sqrt", FloatUnary::Sqrt),
    ("floor", FloatUnary::Floor),
    ("ceil", FloatUnary::Ceil),
    ("trunc", FloatUnary::Trunc),
    ("round", FloatUnary::Round),
    ("rint", FloatUnary::Rint),
    ("nearbyint", FloatUnary::Rint),
    ("fabs", FloatUnary::Abs),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_c_locale() {
        assert_eq!(of_character(Character::Space, 11), 1);
        assert_eq!(of_character(Character::ToUpper, u64::from(b'q')), u64::from(b'Q'));
        assert_eq!(of_character(Character::Alphabetic, u64::from(u32::MAX)), 0);
    }

    #[test]
    fn only_exact_functions_are_computed() {
        let compute = |name: &str, args: &[u64]| mathematics(lookup(name).unwrap().function, args);
        assert_eq!(compute("floor", &[(-1.5f64).to_bits()]), Some((-2.0f64).to_bits()));
        assert_eq!(compute("sqrtf", &[u64::from(2.25f32.to_bits())]), Some(u64::from(1.5f32.to_bits())));
        assert_eq!(compute("fmaxf", &[1f32, 2f32].map(|x| u64::from(x.to_bits()))), Some(u64::from(2f32.to_bits())));
        assert_eq!((compute("sin", &[0]), compute("floorl", &[0, 0])), (None, None));
    }
}
