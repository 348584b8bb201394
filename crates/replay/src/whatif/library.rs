//! Library functions in what-if runs, beyond those that every replay computes.

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
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    if let Some(answer) = jumps(name, args) {
        return Some(answer);
    }
    if let Some(answer) = statics(machine, name, arg(0)) {
        return Some(answer);
    }
    if let Some(value) = characters(name, arg(0)).or_else(|| mathematics(name, args)) {
        return Some(Answer::Value(value));
    }
    let text = |at: u64| {
        if machine.what_if_knows(at) { Ok(machine.core.memory.read_string(at, LONGEST)) } else { Err(at) }
    };
    Some(match name {
        "fflush" | "fflush_unlocked" | "setvbuf" | "setbuf" | "setlinebuf" => Answer::Value(0),
        "atoi" | "atol" | "atoll" => match text(arg(0)) {
            Ok(text) => {
                let value = integer(&text, 10).value as u64;
                Answer::Value(if name == "atoi" { u64::from(value as u32) } else { value })
            }
            Err(address) => Answer::Unknown { address },
        },
        "atof" => match text(arg(0)) {
            Ok(text) => Answer::Value(decimal(&text).0.to_bits()),
            Err(address) => Answer::Unknown { address },
        },
        "strtod" => match text(arg(0)) {
            Ok(text) => {
                let (value, used) = decimal(&text);
                let result = value.to_bits();
                match arg(1) {
                    0 => Answer::Value(result),
                    address => {
                        let end = (arg(0) + used as u64).to_le_bytes();
                        Answer::Written { writes: vec![(address, end.to_vec())], result }
                    }
                }
            }
            Err(address) => Answer::Unknown { address },
        },
        "strtol" | "strtoll" | "strtoul" | "strtoull" | "__isoc23_strtol" | "__isoc23_strtoll" | "__isoc23_strtoul"
        | "__isoc23_strtoull" => match text(arg(0)) {
            Ok(text) => {
                let number = integer(&text, arg(2) as u32);
                let in_range = if name.contains("toul") {
                    number.value.unsigned_abs() <= u128::from(u64::MAX)
                } else {
                    i64::try_from(number.value).is_ok()
                };
                // errno is in memory that external code owns: leave what sets it.
                if !in_range {
                    return None;
                }
                let result = number.value as u64;
                match arg(1) {
                    0 => Answer::Value(result),
                    address => {
                        let end = (arg(0) + number.used as u64).to_le_bytes();
                        Answer::Written { writes: vec![(address, end.to_vec())], result }
                    }
                }
            }
            Err(address) => Answer::Unknown { address },
        },
        _ => return super::format::printing(machine, name, args),
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

fn jumps(name: &str, args: &[u64]) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    Some(match name {
        "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" => Answer::Setjmp { buffer: arg(0) },
        "longjmp" | "_longjmp" | "siglongjmp" => {
            Answer::Longjmp { buffer: arg(0), value: if arg(1) as u32 == 0 { 1 } else { arg(1) } }
        }
        "abort" | "__assert_fail" | "__assert" | "__stack_chk_fail" => Answer::Abort,
        _ => return None,
    })
}

/// The classes of the C locale.
pub(crate) fn characters(name: &str, c: u64) -> Option<u64> {
    let c = c as u32 as i32;
    let byte = u8::try_from(c).ok();
    let test = |class: fn(&u8) -> bool| u64::from(byte.is_some_and(|byte| class(&byte)));
    Some(match name {
        "isalpha" => test(u8::is_ascii_alphabetic),
        "isdigit" => test(u8::is_ascii_digit),
        "isalnum" => test(u8::is_ascii_alphanumeric),
        "isupper" => test(u8::is_ascii_uppercase),
        "islower" => test(u8::is_ascii_lowercase),
        "isspace" => u64::from(matches!(c, 9..=13 | 32)),
        "isblank" => u64::from(matches!(c, 9 | 32)),
        "ispunct" => test(u8::is_ascii_punctuation),
        "isxdigit" => test(u8::is_ascii_hexdigit),
        "iscntrl" => test(u8::is_ascii_control),
        "isprint" => u64::from((32..127).contains(&c)),
        "isgraph" => test(u8::is_ascii_graphic),
        "toupper" => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_uppercase())).into(),
        "tolower" => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_lowercase())).into(),
        _ => return None,
    })
}

/// Functions of doubles; only those whose results are exact are computed, others differ between libraries.
fn mathematics(name: &str, args: &[u64]) -> Option<u64> {
    let (base, ty) = match name.strip_suffix('f').filter(|base| UNARY.iter().any(|(known, _)| known == base)) {
        Some(base) => (base, Scalar::F32),
        None => (name, Scalar::F64),
    };
    let a = u128::from(*args.first()?);
    if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == base) {
        return Some(float::unary(*op, ty, a) as u64);
    }
    let op = match name {
        "fmod" => FloatOp::Rem,
        "fmin" => FloatOp::MinNum,
        "fmax" => FloatOp::MaxNum,
        "copysign" => FloatOp::CopySign,
        _ => return None,
    };
    Some(float::binary(op, Scalar::F64, a, u128::from(*args.get(1)?)) as u64)
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
        assert_eq!(characters("isspace", 11), Some(1));
        assert_eq!(characters("toupper", u64::from(b'q')), Some(u64::from(b'Q')));
        assert_eq!(characters("isalpha", u64::from(u32::MAX)), Some(0));
        assert_eq!(mathematics("floor", &[(-1.5f64).to_bits()]), Some((-2.0f64).to_bits()));
        assert_eq!(mathematics("sqrtf", &[u64::from(2.25f32.to_bits())]), Some(u64::from(1.5f32.to_bits())));
    }
}
