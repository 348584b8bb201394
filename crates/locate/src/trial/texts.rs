//! Texts of the source in the place of which others would make the output right: the expected text dictates them.

use std::collections::HashMap;

use whydunit_library::printf::{self, Piece};
use whydunit_library::{Content, lookup};
use whydunit_model::{Call, Callee, Op, Opnd, Scalar};
use whydunit_replay::{Body, Code, FuncId};

use super::mutant::{Alternative, Constant, Kind};

/// Texts longer than this are left alone.
const LONGEST: usize = 4096;
/// So many places of the output a text is looked for at.
const MOST_PLACES: usize = 8;

/// What would have to be otherwise in an output: these bytes of what is printed, and what should stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edit {
    was: std::ops::Range<usize>,
    now: Vec<u8>,
}

/// Texts that would make an output right.
#[derive(Default)]
pub(crate) struct Texts {
    printed: Vec<u8>,
    edits: Vec<Edit>,
    /// Constant texts by their addresses, as far as they were looked for.
    known: HashMap<u64, Option<Vec<u8>>>,
}

impl Texts {
    /// For what is printed, and what should be.
    pub fn of(printed: Vec<u8>, expected: &[u8]) -> Self {
        let mut edits = Vec::new();
        let before = common(printed.iter().zip(expected));
        if before < printed.len() || before < expected.len() {
            let most = printed.len().min(expected.len()) - before;
            let behind = common(printed.iter().rev().zip(expected.iter().rev())).min(most);
            let end = expected.len() - behind;
            edits.push(Edit { was: before..printed.len() - behind, now: expected[before..end].to_vec() });
            // Of several lines that differ the first.
            let line = |text: &[u8]| before + text[before..].iter().take_while(|byte| **byte != b'\n').count();
            let (was_end, now_end) = (line(&printed), line(expected));
            let (was, now) = (&printed[before..was_end], &expected[before..now_end]);
            let same = common(was.iter().rev().zip(now.iter().rev()));
            let edit = Edit { was: before..was_end - same, now: expected[before..now_end - same].to_vec() };
            if !(edits.contains(&edit) || edit.was.is_empty() && edit.now.is_empty()) {
                edits.push(edit);
            }
        }
        Self { printed, edits, known: HashMap::new() }
    }

    /// Other texts in the place of those that the source gives an operation, where it is a call.
    pub(super) fn alternatives(&mut self, code: &Code, function: FuncId, pc: u32) -> Vec<Alternative> {
        let model = code.model(function);
        let Op::Call { call } = model.code[pc as usize] else { return Vec::new() };
        let site = &model.calls[call as usize];
        let format = format_of(code, function, site);
        let constant = |operand: Opnd| {
            let value = code.consts(function).get(operand.index() as usize);
            value.copied().filter(|_| operand.is_const())
        };
        let mut out = Vec::new();
        for (place, arg) in site.args.iter().enumerate() {
            if arg.byval > 0 || arg.leaves.first() != Some(&Scalar::Ptr) || self.edits.is_empty() {
                continue;
            }
            let Some(address) = constant(arg.value) else { continue };
            let Some(was) = self.text_at(code, address) else { continue };
            let others = match format == Some(place) {
                true => self.other_formats(&was),
                false => self.others(&was),
            };
            // What has a length beside it need not end with a NUL.
            let next = site.args.get(place + 1).filter(|next| matches!(next.leaves[..], [Scalar::Int(64)]));
            let sized = next.is_some_and(|next| constant(next.value) == Some(was.len() as u64));
            for now in others {
                let mut other = site.clone();
                other.args[place].value = code.spare(function, 0);
                if sized {
                    other.args[place + 1].value = code.spare(function, 1);
                }
                out.push(alternative(call, other, &was, now));
            }
        }
        out
    }

    /// The constant text that begins at an address.
    pub(super) fn text_at(&mut self, code: &Code, address: u64) -> Option<Vec<u8>> {
        self.known.entry(address).or_insert_with(|| find_text(code, address)).clone()
    }

    /// What a text would have to be.
    pub(super) fn others(&self, was: &[u8]) -> Vec<Vec<u8>> {
        let mut out: Vec<Vec<u8>> = Vec::new();
        for edit in self.edits.iter().filter(|edit| edit.was.len() <= was.len() && !was.is_empty()) {
            let first = edit.was.end.saturating_sub(was.len());
            let places = (first..=edit.was.start).filter(|&at| self.printed[at..].starts_with(was));
            for at in places.take(MOST_PLACES) {
                let (start, end) = (edit.was.start - at, edit.was.end - at);
                let now = [&was[..start], &edit.now, &was[end..]].concat();
                if !now.is_empty() && now.len() <= LONGEST && !now.contains(&0) && !out.contains(&now) {
                    out.push(now);
                }
            }
        }
        out
    }

    /// What a format would have to be: text between its conversions.
    fn other_formats(&self, was: &[u8]) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        for piece in printf::pieces(was).flatten() {
            let Piece::Literal(text) = piece else { continue };
            let start = text.as_ptr() as usize - was.as_ptr() as usize;
            if text.contains(&b'%') {
                continue;
            }
            for other in self.others(text) {
                let other: Vec<u8> =
                    other.iter().flat_map(|&byte| if byte == b'%' { vec![byte, byte] } else { vec![byte] }).collect();
                out.push([&was[..start], &other, &was[start + text.len()..]].concat());
            }
        }
        out
    }
}

/// A call that is given another text by its function's first spare constant, the length of it by the second.
fn alternative(number: u32, call: Call, was: &[u8], now: Vec<u8>) -> Alternative {
    let kind = Kind::Text(String::from_utf8_lossy(was).into_owned(), String::from_utf8_lossy(&now).into_owned());
    let mut constants = <[Constant; whydunit_replay::SPARES]>::default();
    constants[1] = Constant::Number(now.len() as u64);
    constants[0] = Constant::Text(now);
    Alternative { kind, body: Body::Instead(Op::Call { call: number }), call: Some(call), constants }
}

/// How many bytes two texts have in common.
fn common<'a>(pairs: impl Iterator<Item = (&'a u8, &'a u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

/// Which argument of a call is a format.
fn format_of(code: &Code, function: FuncId, site: &Call) -> Option<usize> {
    let Callee::Direct(index) = site.callee else { return None };
    let name = &code.module_of(function).functions.get(index as usize)?.name;
    match lookup(name)?.output()?.content {
        Content::Format { format, .. } | Content::List { format, .. } => Some(format),
        _ => None,
    }
}

/// The text that begins at an address, in what a program never writes.
fn find_text(code: &Code, address: u64) -> Option<Vec<u8>> {
    for module in code.modules() {
        for (global, &start) in module.model.globals.iter().zip(&module.globals) {
            if !global.constant || start == 0 || !(start..start.saturating_add(global.size)).contains(&address) {
                continue;
            }
            let bytes = global.init.bytes.get((address - start) as usize..).unwrap_or_default();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            let is_text = end <= LONGEST && global.init.addresses.is_empty();
            return is_text.then(|| bytes[..end].to_vec());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(printed: &str, expected: &str, was: &str) -> Vec<String> {
        let texts = Texts::of(printed.into(), expected.as_bytes());
        texts.others(was.as_bytes()).into_iter().map(|now| String::from_utf8(now).expect("a text")).collect()
    }

    #[test]
    fn the_expected_text_says_what_a_text_should_be() {
        assert_eq!(others("a\nN0\nb\n", "a\nNO\nb\n", "N0\n"), ["NO\n"]);
        assert_eq!(others("yes", "yes\n", "yes"), ["yes\n"]);
        assert_eq!(others("a: 1", "a:1", ": "), [":"]);
        assert_eq!(others("same", "same", "same"), Vec::<String>::new());
        assert_eq!(others("x", "y", "z"), Vec::<String>::new());
    }

    #[test]
    fn of_a_format_the_text_between_conversions_is_another_one() {
        let texts = Texts::of(b"3 4 5%\n".to_vec(), b"3,4 5%\n");
        let formats = |was: &str| -> Vec<String> {
            texts.other_formats(was.as_bytes()).into_iter().map(|now| String::from_utf8(now).expect("a text")).collect()
        };
        assert_eq!(formats("%d %d %d%%\n"), ["%d,%d %d%%\n", "%d %d,%d%%\n"]);
        assert_eq!(formats("%d\n"), Vec::<String>::new());
    }
}
