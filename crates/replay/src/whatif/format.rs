//! The printf family in what-if runs, as in the C locale.

use whydunit_model::{Op, Scalar};
use whydunit_numerics::text::{Spec, floating, integer, padded, sign};
use whydunit_numerics::{arith, float};

use super::library::Answer;
use crate::machine::Machine;
use crate::output::Stream;

/// Where the arguments of a format come from.
enum Arguments {
    /// Words of the call's arguments, with the second word of wide ones.
    Call(std::vec::IntoIter<(u64, u64)>),
    /// A System V `va_list` at this address.
    List(u64),
}

impl Arguments {
    fn general(&mut self, machine: &mut Machine) -> u64 {
        match self {
            Arguments::Call(words) => words.next().map_or(0, |word| word.0),
            Arguments::List(list) => {
                let memory = &mut machine.core.memory;
                let offset = memory.read_uint(*list, 4);
                if offset < 48 {
                    memory.write_uint(*list, 4, offset + 8);
                    let area = memory.read_word(*list + 16);
                    return memory.read_word(area + offset);
                }
                let at = memory.read_word(*list + 8);
                memory.write_uint(*list + 8, 8, at + 8);
                memory.read_word(at)
            }
        }
    }

    fn double(&mut self, machine: &mut Machine) -> u64 {
        match self {
            Arguments::Call(words) => words.next().map_or(0, |word| word.0),
            Arguments::List(list) => {
                let memory = &mut machine.core.memory;
                let offset = memory.read_uint(*list + 4, 4);
                if offset < 176 {
                    memory.write_uint(*list + 4, 4, offset + 16);
                    let area = memory.read_word(*list + 16);
                    return memory.read_word(area + offset);
                }
                let at = memory.read_word(*list + 8);
                memory.write_uint(*list + 8, 8, at + 8);
                memory.read_word(at)
            }
        }
    }

    fn long_double(&mut self, machine: &mut Machine) -> (u64, u64) {
        match self {
            Arguments::Call(words) => words.next().unwrap_or((0, 0)),
            Arguments::List(list) => {
                let memory = &mut machine.core.memory;
                let at = memory.read_word(*list + 8).next_multiple_of(16);
                memory.write_uint(*list + 8, 8, at + 16);
                (memory.read_word(at), memory.read_uint(at + 8, 2))
            }
        }
    }
}

/// What a call of the printf family comes to.
pub(crate) fn printing(machine: &mut Machine, name: &str, args: &[u64]) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let (base, list) = match name.strip_prefix('v') {
        Some(base) if base.ends_with("printf") => (base, true),
        _ => (name, false),
    };
    // (arguments before the format, size limit)
    let (before, limit) = match base {
        "printf" => (0, None),
        "fprintf" | "dprintf" | "sprintf" => (1, None),
        "snprintf" => (2, Some(arg(1))),
        _ => return None,
    };
    let mut arguments = if list {
        Arguments::List(arg(before + 1))
    } else {
        let at = machine.at();
        let Op::Call { call } = at.op() else { return None };
        let words: Vec<(u64, u64)> = at.model.calls[*call as usize].args[(before + 1).min(args.len())..]
            .iter()
            .map(|arg| {
                let two = arg.leaves.iter().map(|leaf| leaf.slots()).sum::<u32>() > 1;
                (at.value(arg.value), if two { at.value(arg.value.word(1)) } else { 0 })
            })
            .collect();
        Arguments::Call(words.into_iter())
    };
    let format_at = arg(before);
    if !machine.what_if_knows(format_at) {
        return Some(Answer::Unknown { address: format_at });
    }
    let format = machine.core.memory.read_string(format_at, 1 << 20);
    let text = match render(machine, &format, &mut arguments) {
        Ok(text) => text,
        Err(Problem::Unknown(address)) => return Some(Answer::Unknown { address }),
        Err(Problem::Unsupported) => return None,
    };
    let result = text.len() as u64;
    if base == "sprintf" || base == "snprintf" {
        let room = limit.map_or(u64::MAX, |limit| limit);
        if room == 0 {
            return Some(Answer::Value(result));
        }
        let mut bytes = text;
        bytes.truncate(result.min(room - 1) as usize);
        bytes.push(0);
        return Some(Answer::Written { writes: vec![(arg(0), bytes)], result });
    }
    let standard = machine.start().copied();
    let stream = match (base, standard) {
        ("printf", _) => Stream::Descriptor(1),
        ("dprintf", _) => Stream::Descriptor(arg(0) as i32),
        (_, Some(start)) if arg(0) == start.stdout => Stream::Descriptor(1),
        (_, Some(start)) if arg(0) == start.stderr => Stream::Descriptor(2),
        _ => Stream::File(arg(0)),
    };
    Some(Answer::Text { stream, bytes: text, result })
}

enum Problem {
    Unknown(u64),
    Unsupported,
}

fn render(machine: &mut Machine, format: &[u8], arguments: &mut Arguments) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            out.push(format[at]);
            at += 1;
            continue;
        }
        at += 1;
        let mut spec = Spec::default();
        while let Some(flag) = format.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            let width = arguments.general(machine) as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
            at += 1;
        } else {
            spec.width = digits(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                spec.precision = usize::try_from(arguments.general(machine) as i32).ok();
                at += 1;
            } else {
                spec.precision = Some(digits(format, &mut at));
            }
        }
        if spec.width > 1 << 24 || spec.precision.is_some_and(|precision| precision > 1 << 24) {
            return Err(Problem::Unsupported);
        }
        let start = at;
        while matches!(format.get(at), Some(b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't')) {
            at += 1;
        }
        let length = &format[start..at];
        let Some(&conversion) = format.get(at) else { return Err(Problem::Unsupported) };
        at += 1;
        convert(machine, arguments, &spec, length, conversion, &mut out)?;
    }
    Ok(out)
}

fn digits(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    value
}

fn convert(
    machine: &mut Machine,
    arguments: &mut Arguments,
    spec: &Spec,
    length: &[u8],
    conversion: u8,
    out: &mut Vec<u8>,
) -> Result<(), Problem> {
    let bits = match length {
        b"hh" => 8,
        b"h" => 16,
        b"" => 32,
        _ => 64,
    };
    match conversion {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = arith::sext(arguments.general(machine), bits);
            integer(spec, sign(spec, value < 0), "", value.unsigned_abs().to_string(), out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = arguments.general(machine) & arith::mask(bits);
            let text = match conversion {
                b'u' => value.to_string(),
                b'o' => format!("{value:o}"),
                b'x' => format!("{value:x}"),
                _ => format!("{value:X}"),
            };
            let prefix = match conversion {
                b'x' if spec.alternate && value != 0 => "0x",
                b'X' if spec.alternate && value != 0 => "0X",
                b'o' if spec.alternate && spec.precision.is_none_or(|p| p <= text.len()) && value != 0 => "0",
                _ => "",
            };
            integer(spec, "", prefix, text, out);
        }
        b'p' => match arguments.general(machine) {
            0 => padded(spec, b"(nil)", out),
            value => integer(spec, sign(spec, false), "0x", format!("{value:x}"), out),
        },
        b'c' if length.is_empty() => padded(spec, &[arguments.general(machine) as u8], out),
        b's' if length.is_empty() => {
            let address = arguments.general(machine);
            if address == 0 {
                let text: &[u8] = if spec.precision.is_some_and(|precision| precision < 6) { b"" } else { b"(null)" };
                padded(spec, text, out);
                return Ok(());
            }
            if !machine.what_if_knows(address) {
                return Err(Problem::Unknown(address));
            }
            let limit = spec.precision.map_or(1 << 30, |precision| precision as u64);
            padded(spec, &machine.core.memory.read_string(address, limit), out);
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
            let value = if length == b"L" {
                let (low, high) = arguments.long_double(machine);
                u128::from(low) | u128::from(high & 0xffff) << 64
            } else {
                float::conversion(Scalar::F64, Scalar::F80, arguments.double(machine).into())
            };
            floating(spec, conversion, value, out);
        }
        b'n' => {
            let address = arguments.general(machine);
            machine.core.memory.write_uint(address, u32::from(bits) / 8, out.len() as u64);
        }
        _ => return Err(Problem::Unsupported),
    }
    Ok(())
}
