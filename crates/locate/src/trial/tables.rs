//! Initial values: entries of tables, element by element, and other variables that a program is loaded with. Which of them a run reads is
//! watched; then the run is made again from its start with another value in one of them.

use std::collections::HashMap;

use whydunit_model::{IntPred, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Code, FuncId, Machine, Observer, SPARES};
use whydunit_symbolic::{Checkpoint, Knowledge, NO_STATEMENT, StatementId};

use super::arrive::Place;
use super::mutant::{Alternative, Constant, Home, Kind, Mutant};
use super::operators::NOTHING;
use super::runner::Runner;
use super::texts::Texts;
use super::value::{mask, signed};
use crate::Error;

/// So many elements are tried, those that are read last first.
const MOST_ELEMENTS: usize = 64;
/// So many numbers of the tests, and other elements of the table, are tried for each.
const MOST_OTHERS: usize = 8;
/// So many values are kept of an element.
const MOST_VALUES: usize = 6;
/// So often an element is corrected by how far a printed number is off.
const CORRECTIONS: usize = 3;

/// An element of a variable that has its initial value when it is read.
#[derive(Clone, Debug)]
struct Element {
    module: usize,
    global: usize,
    offset: u64,
    ty: Scalar,
    /// What it is.
    value: u64,
    /// The statement that reads it.
    reader: StatementId,
    /// Where a local variable is given the values of a table that has no name: the statement.
    local: Option<StatementId>,
}

/// The first operation of a run that something can be put before: function, operation, instruction count.
type Begin = (FuncId, u32, u64);

/// A part of a table that was copied: its module, its number there, and how far within it the part begins.
type Part = (usize, usize, u64);

/// A variable in memory: the first byte, the one behind the last, its module and its number there.
type Range = (u64, u64, usize, usize);

/// The elements that `wanted` statements of a run read from a checkpoint to instruction `until`, those that are read last first.
fn elements(
    machine: &mut Machine,
    knowledge: &Knowledge,
    from: &Checkpoint,
    until: u64,
    wanted: &dyn Fn(StatementId) -> bool,
) -> Result<(Option<Begin>, Vec<Element>), Error> {
    machine.restore(&from.snapshot)?;
    let globals = ranges(machine.code());
    let mut reads = Reads { knowledge, globals, copies: Vec::new(), elements: HashMap::new(), begin: None, until };
    machine.go_on(&mut reads)?;
    let read = reads.elements.into_values();
    let mut elements: Vec<(u64, Element)> = read.filter(|(_, element)| wanted(element.reader)).collect();
    elements.sort_by_key(|(when, element)| (std::cmp::Reverse(*when), element.offset));
    elements.truncate(MOST_ELEMENTS);
    Ok((reads.begin, elements.into_iter().map(|(_, element)| element).collect()))
}

/// Where the variables lie that have initial values, in order.
fn ranges(code: &Code) -> Vec<Range> {
    let mut ranges = Vec::new();
    for (number, module) in code.modules().iter().enumerate() {
        for (index, (global, &start)) in module.model.globals.iter().zip(&module.globals).enumerate() {
            let is_given = !(global.init.bytes.is_empty() && global.init.addresses.is_empty());
            // Of what is all zero only numbers stand for themselves.
            if start != 0 && !global.thread_local && (is_given || global.size <= 8) {
                ranges.push((start, start.saturating_add(global.size), number, index));
            }
        }
    }
    ranges.sort_unstable();
    ranges
}

/// Follows a run, and keeps what it reads of initial values.
struct Reads<'a> {
    knowledge: &'a Knowledge,
    globals: Vec<Range>,
    /// Local variables that were given the values of tables without names: the first byte, the one behind the last, where in the
    /// table, and the statement.
    copies: Vec<(u64, u64, Part, StatementId)>,
    /// When each was read last.
    elements: HashMap<(usize, usize, u64, u32), (u64, Element)>,
    /// The first operation that something can be put before.
    begin: Option<Begin>,
    until: u64,
}

impl Reads<'_> {
    fn global_at(&self, address: u64) -> Option<(usize, usize, u64)> {
        let next = self.globals.partition_point(|range| range.0 <= address);
        let &(start, end, module, global) = self.globals.get(next.checked_sub(1)?)?;
        (address < end).then(|| (module, global, address - start))
    }

    fn statement(&self, at: &At<'_>) -> Option<StatementId> {
        let facts = self.knowledge.facts.get(at.function.0 as usize)?.as_ref()?;
        let statement = *facts.statements.get(at.pc as usize)?;
        (statement != NO_STATEMENT && !self.knowledge.statements.is_assertion(statement)).then_some(statement)
    }

    /// What a load of so many bytes reads, where it is an initial value of a variable that stands in the source.
    fn element(&self, at: &At<'_>, address: u64, ty: Scalar) -> Option<Element> {
        let reader = self.statement(at)?;
        let ((module, global, offset), local) = match self.global_at(address) {
            Some(found) => (found, None),
            None => {
                let copy = self.copies.iter().rev().find(|copy| (copy.0..copy.1).contains(&address))?;
                let (module, global, first) = copy.2;
                ((module, global, first + (address - copy.0)), Some(copy.3))
            }
        };
        let declared = &at.code.modules()[module].model.globals[global];
        if local.is_none() && (declared.loc.is_none() || declared.source_name.is_none()) {
            return None;
        }
        let value = at.memory().read_uint(address, ty.bytes());
        Some(Element { module, global, offset, ty, value, reader, local })
    }
}

impl Observer for Reads<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let instruction = at.instruction();
        if instruction > self.until {
            return true;
        }
        let op = at.op();
        let jumps = matches!(
            op,
            Op::Jump { .. }
                | Op::Branch { .. }
                | Op::Switch { .. }
                | Op::Return { .. }
                | Op::Trap { .. }
                | Op::Safepoint
        );
        if !jumps {
            self.begin.get_or_insert((at.function, at.pc, instruction));
        }
        match *op {
            Op::Load { ty, addr, .. } if is_tried(ty) => {
                let address = at.value(addr);
                if let Some(element) = self.element(at, address, ty) {
                    let key = (element.module, element.global, element.offset, ty.bytes());
                    self.elements.insert(key, (instruction, element));
                }
            }
            Op::MemMove { dst, src, len } => {
                let (to, len) = (at.value(dst), at.value(len));
                self.copies.retain(|copy| copy.1 <= to || copy.0 >= to.saturating_add(len));
                if let (Some(found), Some(statement)) = (self.global_at(at.value(src)), self.statement(at)) {
                    self.copies.push((to, to.saturating_add(len), found, statement));
                }
            }
            _ => {}
        }
        false
    }
}

/// Whether values of a type are tried.
fn is_tried(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int(8..=64) | Scalar::F32 | Scalar::F64 | Scalar::Ptr)
}

/// The initial values with which the run passes from `from`, its start, on.
pub(crate) fn initial_values(
    runner: &mut Runner<'_>,
    knowledge: &Knowledge,
    from: &Checkpoint,
    until: u64,
    (numbers, texts): (&[i64], &mut Option<Texts>),
    wanted: &dyn Fn(StatementId) -> bool,
) -> Result<Vec<Mutant>, Error> {
    let mut passing = Vec::new();
    let (begin, elements) = elements(runner.machine, knowledge, from, until, wanted)?;
    let Some((function, pc, instruction)) = begin else { return Ok(passing) };
    let Some(stand) = runner.stand_at(from, Place::Operation(function, pc, instruction), until)? else {
        return Ok(passing);
    };
    // What was written before it was read is no initial value.
    let initial = |machine: &Machine, element: &Element| {
        let address = machine.code().modules()[element.module].globals[element.global] + element.offset;
        machine.at().memory().read_uint(address, element.ty.bytes()) == element.value
    };
    let elements: Vec<Element> = elements.into_iter().filter(|element| initial(runner.machine, element)).collect();
    let off = if elements.is_empty() { None } else { runner.unchanged(&stand)?.off };
    for element in &elements {
        let mut values = values(runner.machine.code(), element, &elements, numbers, texts);
        values.reverse();
        let (mut corrections, mut found) = (CORRECTIONS, 0);
        while let Some(value) = values.pop() {
            if runner.is_done() || found == MOST_VALUES {
                break;
            }
            let mutant = entry(runner.machine.code(), knowledge, (function, pc), element, &value);
            let outcome = runner.run(&stand, &mutant)?;
            if outcome.passes {
                passing.push(mutant);
                found += 1;
                continue;
            }
            // What is printed says how far the element is off, where it depends on it evenly.
            if let (New::Bits(tried), Some(off), Some(still)) = (&value, off, outcome.off)
                && corrections > 0
                && let Some(next) = corrected(element.ty, element.value, *tried, off, still)
            {
                corrections -= 1;
                values.push(New::Bits(next));
            }
        }
    }
    let neighbours = elements.iter().flat_map(|one| elements.iter().map(move |other| (one, other)));
    let swapped = neighbours.filter(|(one, other)| {
        let same = (one.module, one.global, one.ty) == (other.module, other.global, other.ty);
        same && other.offset == one.offset + u64::from(one.ty.bytes()) && one.value != other.value
    });
    for (one, other) in swapped.filter(|(one, _)| wanted(one.reader)) {
        if runner.is_done() {
            break;
        }
        let value = New::Neighbour(other.value);
        let mutant = entry(runner.machine.code(), knowledge, (function, pc), one, &value);
        if runner.run(&stand, &mutant)?.passes {
            passing.push(mutant);
        }
    }
    Ok(passing)
}

/// Another initial value.
enum New {
    Bits(u64),
    /// That of the next element, which gets this one's.
    Neighbour(u64),
    Text {
        was: Vec<u8>,
        now: Vec<u8>,
    },
}

/// The value with which a printed number would be right, if it depends evenly on the element.
fn corrected(ty: Scalar, was: u64, tried: u64, off: f64, still: f64) -> Option<u64> {
    if still == off {
        return None;
    }
    let (from, to) = (number(ty, was)?, number(ty, tried)?);
    let next = rounded(from - off * (to - from) / (still - off));
    let next = bits(ty, next).filter(|_| next.is_finite() && next.abs() < 1e15)?;
    (next != was && next != tried).then_some(next)
}

/// A number as people write it, without the noise of what it was computed from.
fn rounded(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

fn number(ty: Scalar, bits: u64) -> Option<f64> {
    match ty {
        Scalar::Int(width) => Some(signed(bits, width) as f64),
        Scalar::F64 => Some(f64::from_bits(bits)),
        Scalar::F32 => Some(f32::from_bits(bits as u32).into()),
        _ => None,
    }
}

fn bits(ty: Scalar, value: f64) -> Option<u64> {
    match ty {
        Scalar::Int(width) => Some(value.round() as i64 as u64 & mask(width.into())),
        Scalar::F64 => Some(value.to_bits()),
        Scalar::F32 => Some((value as f32).to_bits().into()),
        _ => None,
    }
}

/// What may stand in the place of an element.
fn values(code: &Code, element: &Element, all: &[Element], numbers: &[i64], texts: &mut Option<Texts>) -> Vec<New> {
    if element.ty == Scalar::Ptr {
        let Some(texts) = texts else { return Vec::new() };
        let Some(was) = texts.text_at(code, element.value) else { return Vec::new() };
        return texts.others(&was).into_iter().map(|now| New::Text { was: was.clone(), now }).collect();
    }
    let now = element.value;
    let same =
        |other: &&Element| (other.module, other.global, other.ty) == (element.module, element.global, element.ty);
    let others = all.iter().filter(same).map(|other| other.value).take(MOST_OTHERS);
    let mut values = Vec::new();
    if let Some(x) = number(element.ty, now) {
        let stated = numbers.iter().take(MOST_OTHERS).map(|&number| number as f64);
        let near = [x + 1.0, x - 1.0, 10.0 * x, x / 10.0, 2.0 * x, x / 2.0, 0.0, 1.0, -x];
        values.extend(stated.chain(near).filter_map(|value| bits(element.ty, value)));
    }
    values.extend(others);
    let mut seen = std::collections::HashSet::from([now]);
    values.into_iter().filter(|value| seen.insert(*value)).map(New::Bits).collect()
}

/// The mutant that begins with another value in an element, put before the first operation of the run.
fn entry(code: &Code, knowledge: &Knowledge, (function, pc): (FuncId, u32), element: &Element, value: &New) -> Mutant {
    let module = &code.modules()[element.module];
    let global = &module.model.globals[element.global];
    let was = element.value;
    let (first, kind) = match value {
        New::Text { was, now } => {
            let [was, told] = [was, now].map(|text| String::from_utf8_lossy(text).into_owned());
            (Constant::Text(now.clone()), Kind::Text(was, told))
        }
        New::Bits(now) => {
            let kind = match element.ty {
                Scalar::Int(width) => Kind::Constant(signed(was, width), signed(*now, width)),
                ty => {
                    let told = |bits| number(ty, bits).unwrap_or_default().to_string();
                    Kind::Float(told(was), told(*now))
                }
            };
            (Constant::Number(*now), kind)
        }
        New::Neighbour(now) => (Constant::Number(*now), Kind::Swapped),
    };
    let mut constants = <[Constant; SPARES]>::default();
    constants[0] = first;
    constants[2] =
        Constant::Address { module: module.model.id.clone(), global: element.global, offset: element.offset };
    let (spare, addr) = (code.spare(function, 0), code.spare(function, 2));
    let never = Op::ICmp { pred: IntPred::Ne, w: 64, dst: code.scratch(function, 0), a: spare, b: spare };
    let mut test = vec![Op::Store { ty: element.ty, value: spare, addr }];
    if let New::Neighbour(_) = value {
        constants[1] = Constant::Number(was);
        let next = code.scratch(function, 1);
        test.push(Op::PtrAdd { dst: next, base: addr, offset: element.ty.bytes().into() });
        test.push(Op::Store { ty: element.ty, value: code.spare(function, 1), addr: Opnd::slot(next) });
    }
    test.push(never);
    let body = Body::Unless { test, other: NOTHING };
    let declared = match element.local {
        Some(statement) => knowledge.statements.get(statement).map(|at| (at.file.clone(), at.line)),
        None => global.loc.and_then(|loc| Some((module.model.files.get(loc.file as usize)?.clone(), loc.line))),
    };
    let home = declared.map(|(file, line)| Home::Entry {
        file,
        line,
        variable: global.source_name.clone().unwrap_or_default(),
        offset: element.offset,
        bytes: element.ty.bytes(),
        size: global.size,
    });
    let other = Alternative { kind, body, call: None, constants };
    Mutant::at(code, function, pc, element.reader, other).at_home(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_number_says_what_an_element_should_be() {
        // Twice the element is printed: 110 for 100.
        assert_eq!(corrected(Scalar::Int(32), 55, 56, 10.0, 12.0), Some(50));
        assert_eq!(corrected(Scalar::F64, 0.5_f64.to_bits(), 1.5_f64.to_bits(), 1.0, 3.0), Some(0.0_f64.to_bits()));
        assert_eq!(corrected(Scalar::F64, 0.1_f64.to_bits(), 1.1_f64.to_bits(), 22.5, 272.5), Some(0.01_f64.to_bits()));
        assert_eq!(corrected(Scalar::Int(32), 55, 56, 10.0, 10.0), None);
    }
}
