//! The printf family in what-if runs, as in the C locale.

use whydunit_library::printf::{self, Conversion, Count, Flags, Length, Piece};
use whydunit_library::{Content, Destination, Known, Output};
use whydunit_model::{Op, Scalar};
use whydunit_numerics::text::{Spec, floating, integer, padded, sign};
use whydunit_numerics::{arith, float};

use super::Answer;
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
                    let area = memory.read_word(list.wrapping_add(16));
                    return memory.read_word(area.wrapping_add(offset));
                }
                let at = memory.read_word(list.wrapping_add(8));
                memory.write_uint(list.wrapping_add(8), 8, at.wrapping_add(8));
                memory.read_word(at)
            }
        }
    }

    fn double(&mut self, machine: &mut Machine) -> u64 {
        match self {
            Arguments::Call(words) => words.next().map_or(0, |word| word.0),
            Arguments::List(list) => {
                let memory = &mut machine.core.memory;
                let offset = memory.read_uint(list.wrapping_add(4), 4);
                if offset < 176 {
                    memory.write_uint(list.wrapping_add(4), 4, offset + 16);
                    let area = memory.read_word(list.wrapping_add(16));
                    return memory.read_word(area.wrapping_add(offset));
                }
                let at = memory.read_word(list.wrapping_add(8));
                memory.write_uint(list.wrapping_add(8), 8, at.wrapping_add(8));
                memory.read_word(at)
            }
        }
    }

    fn long_double(&mut self, machine: &mut Machine) -> (u64, u64) {
        match self {
            Arguments::Call(words) => words.next().unwrap_or((0, 0)),
            Arguments::List(list) => {
                let memory = &mut machine.core.memory;
                let at = memory.read_word(list.wrapping_add(8)).wrapping_add(15) & !15;
                memory.write_uint(list.wrapping_add(8), 8, at.wrapping_add(16));
                (memory.read_word(at), memory.read_uint(at.wrapping_add(8), 2))
            }
        }
    }
}

/// What a call of the printf family with these arguments comes to; none where the function is no such one, or the format is not
/// supported.
pub(crate) fn printing(machine: &mut Machine, known: &Known, args: &[u64]) -> Option<Answer> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let Output { content, destination } = known.output()?;
    let (format_at, mut arguments) = match content {
        Content::List { format, list } => (arg(format), Arguments::List(arg(list))),
        Content::Format { format, first } => {
            let at = machine.at();
            let Op::Call { call } = at.op() else { return None };
            let words: Vec<(u64, u64)> = at.model.calls[*call as usize].args[first.min(args.len())..]
                .iter()
                .map(|arg| {
                    let two = arg.leaves.iter().map(|leaf| leaf.slots()).sum::<u32>() > 1;
                    (at.value(arg.value), if two { at.value(arg.value.word(1)) } else { 0 })
                })
                .collect();
            (arg(format), Arguments::Call(words.into_iter()))
        }
        _ => return None,
    };
    let standard = machine.start().copied();
    let place = match destination {
        Destination::StandardOutput => Err(Stream::Descriptor(1)),
        Destination::Descriptor(n) => Err(Stream::Descriptor(arg(n) as i32)),
        Destination::Stream(n) => Err(match standard {
            Some(start) if arg(n) == start.stdout => Stream::Descriptor(1),
            Some(start) if arg(n) == start.stderr => Stream::Descriptor(2),
            _ => Stream::File(arg(n)),
        }),
        Destination::Memory { to, room } => Ok((arg(to), room.map_or(u64::MAX, arg))),
        Destination::Block(_) => return None,
    };
    if !machine.what_if_knows(format_at) {
        return Some(Answer::Unknown { address: format_at });
    }
    let format = machine.core.memory.read_string(format_at, 1 << 20);
    let mut bytes = match render(machine, &format, &mut arguments) {
        Ok(bytes) => bytes,
        Err(Problem::Unknown(address)) => return Some(Answer::Unknown { address }),
        Err(Problem::Unsupported) => return None,
    };
    let result = bytes.len() as u64;
    Some(match place {
        Err(stream) => Answer::Text { stream, bytes, result },
        Ok((_, 0)) => Answer::Value(result),
        Ok((address, room)) => {
            bytes.truncate(result.min(room - 1) as usize);
            bytes.push(0);
            Answer::Written { writes: vec![(address, bytes)], result }
        }
    })
}

enum Problem {
    Unknown(u64),
    Unsupported,
}

/// No text is padded or cut to more.
const WIDEST: usize = 1 << 24;

fn render(machine: &mut Machine, format: &[u8], arguments: &mut Arguments) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    for piece in printf::pieces(format) {
        match piece {
            Ok(Piece::Literal(text)) => out.extend_from_slice(text),
            Ok(Piece::Conversion(conversion)) => convert(machine, arguments, &conversion, &mut out)?,
            Err(_) => return Err(Problem::Unsupported),
        }
    }
    Ok(out)
}

/// The flags, width and precision of a conversion; what of them are arguments is taken.
fn spec(machine: &mut Machine, arguments: &mut Arguments, conversion: &Conversion) -> Result<Spec, Problem> {
    let Flags { left, plus, blank, alternate, zero, local: _ } = conversion.flags;
    let mut spec = Spec { left, plus, space: blank, alternate, zero, width: 0, precision: None };
    // Arguments that are numbered are not followed.
    if conversion.argument.is_some() {
        return Err(Problem::Unsupported);
    }
    match conversion.width {
        None => {}
        Some(Count::Fixed(width)) => spec.width = width,
        Some(Count::Next) => {
            let width = arguments.general(machine) as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        }
        Some(Count::Argument(_)) => return Err(Problem::Unsupported),
    }
    spec.precision = match conversion.precision {
        None => None,
        Some(Count::Fixed(precision)) => Some(precision),
        Some(Count::Next) => usize::try_from(arguments.general(machine) as i32).ok(),
        Some(Count::Argument(_)) => return Err(Problem::Unsupported),
    };
    if spec.width > WIDEST || spec.precision.is_some_and(|precision| precision > WIDEST) {
        return Err(Problem::Unsupported);
    }
    Ok(spec)
}

fn convert(
    machine: &mut Machine,
    arguments: &mut Arguments,
    conversion: &Conversion,
    out: &mut Vec<u8>,
) -> Result<(), Problem> {
    let spec = &spec(machine, arguments, conversion)?;
    let length = conversion.length;
    let bits = length.bits() as u8;
    match conversion.letter {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = arith::sext(arguments.general(machine), bits);
            integer(spec, sign(spec, value < 0), "", value.unsigned_abs().to_string(), out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = arguments.general(machine) & arith::mask(bits);
            let text = match conversion.letter {
                b'u' => value.to_string(),
                b'o' => format!("{value:o}"),
                b'x' => format!("{value:x}"),
                _ => format!("{value:X}"),
            };
            let prefix = match conversion.letter {
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
        b'c' if length == Length::Plain => padded(spec, &[arguments.general(machine) as u8], out),
        b's' if length == Length::Plain => {
            let address = arguments.general(machine);
            if address == 0 {
                let text: &[u8] = if spec.precision.is_some_and(|precision| precision < 6) { b"" } else { b"(null)" };
                padded(spec, text, out);
                return Ok(());
            }
            let limit = spec.precision.map_or(1 << 30, |precision| precision as u64);
            let text = machine.core.memory.read_string(address, limit);
            // The NUL is read, too.
            if let Some(address) = machine.what_if_lacks(address, (text.len() as u64 + 1).min(limit)) {
                return Err(Problem::Unknown(address));
            }
            padded(spec, &text, out);
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
            let value = if length == Length::Longest {
                let (low, high) = arguments.long_double(machine);
                u128::from(low) | u128::from(high & 0xffff) << 64
            } else {
                float::conversion(Scalar::F64, Scalar::F80, arguments.double(machine).into())
            };
            floating(spec, conversion.letter, value, out);
        }
        b'n' => {
            let address = arguments.general(machine);
            machine.core.memory.write_uint(address, u32::from(bits) / 8, out.len() as u64);
            machine.know(address, u64::from(bits) / 8);
        }
        _ => return Err(Problem::Unsupported),
    }
    Ok(())
}
