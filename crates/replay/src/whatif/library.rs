//! Library functions in what-if runs, beyond those that every replay computes.

mod format;

use whydunit_library::{Ending, Function, Number, NumberValue, Precision, lookup};
use whydunit_numerics::parse::{decimal, integer};

use super::characters::of_character;
use crate::machine::Machine;
use crate::mathematics;
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

/// What `errno` says of a number that does not fit.
const ERANGE: i32 = 34;

/// Below this address there is no stream.
const NO_STREAM: u64 = 0x10000;

/// In the place of a handler: what the system does with the signal.
const SIG_DFL: u64 = 0;

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
    if let Some(value) = mathematics::exact(function, args) {
        return Some(Answer::Value(value));
    }
    if let Some(number) = function.number {
        let text = machine.core.memory.read_string(arg(0), LONGEST);
        return match machine.what_if_lacks(arg(0), text.len() as u64 + 1) {
            Some(address) => Some(Answer::Unknown { address }),
            None => read_number(number, &text, args, machine.known_errno()),
        };
    }
    match function.name {
        // What is no stream at all.
        "ferror" | "fclose" | "clearerr" | "setvbuf" | "setbuf" | "setlinebuf" if arg(0) < NO_STREAM => {
            Some(Answer::Unknown { address: arg(0) })
        }
        "fflush" if (1..NO_STREAM).contains(&arg(0)) => Some(Answer::Unknown { address: arg(0) }),
        // Nobody compares what goes to standard error. Where the recorded run was told of no error there is none.
        "ferror" | "fclose" | "fflush" | "setvbuf" | "setbuf" | "setlinebuf" | "clearerr" | "perror" => {
            Some(Answer::Value(0))
        }
        // From here on the signal ends the run, as it ends a what-if run where it comes.
        "sigaction" if arg(1) != 0 && arg(2) == 0 => match machine.what_if_lacks(arg(1), 8) {
            Some(address) => Some(Answer::Unknown { address }),
            None => (machine.core.memory.read_word(arg(1)) == SIG_DFL).then_some(Answer::Value(0)),
        },
        "sigaltstack" if arg(0) != 0 && arg(1) == 0 => Some(Answer::Value(0)),
        _ => format::printing(machine, known, given),
    }
}

/// What `strtol` and its like come to, that read this text; where `errno` is, as far as that is known.
fn read_number(number: Number, text: &[u8], args: &[u64], errno: Option<u64>) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let mut writes = Vec::new();
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
            match errno {
                Some(errno) if !in_range => writes.push((errno, ERANGE.to_le_bytes().to_vec())),
                // Who says where the number ends is asked for the rest, too.
                None if !in_range && number.end.is_some() => return None,
                _ => {}
            }
            // What does not fit is the nearest that does.
            let value = match signed {
                true => read.value.clamp(i64::MIN.into(), i64::MAX.into()) as u64,
                false if in_range => read.value as u64,
                false => u64::MAX,
            };
            (value & whydunit_numerics::arith::mask(bits as u8), read.used)
        }
    };
    if let Some(address) = number.end.map(arg).filter(|address| *address != 0) {
        writes.push((address, arg(0).wrapping_add(used as u64).to_le_bytes().to_vec()));
    }
    Some(if writes.is_empty() { Answer::Value(result) } else { Answer::Written { writes, result } })
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
