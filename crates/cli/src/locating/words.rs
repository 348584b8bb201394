//! Changes of values in words.

use std::path::Path;

use whydunit_locate::{Change, Kind, Mutant};
use whydunit_model::Scalar;
use whydunit_symbolic::FreeKind;

use super::Place;
use super::condition::{Condition, code_of, has_operator};
use super::formulas::Answer;
use crate::convert;
use crate::sources::ProjectSources;

/// A change in words.
pub(super) fn words(answer: &Answer, project: &Path, sources: &ProjectSources, change: &Change) -> String {
    let Some(statement) = answer.knowledge.statements.get(change.free.statement) else { return String::new() };
    let file = convert::relative(project, &statement.file);
    let code = code_of(&(file.clone(), statement.line), sources);
    let value = |bits: u64| number(bits, change.free.width, change.free.scalar);
    let (was, now) = (value(change.free.value), value(change.now));
    let place = format!("line {}", statement.line);
    let more = match change.times {
        0 | 1 => String::new(),
        2 => " (and one other time)".into(),
        times => format!(" (and {} other times)", times - 1),
    };
    match change.free.kind {
        FreeKind::Condition if change.free.width == 1 => {
            let tested = answer.tested.get(&(change.free.function, change.free.pc)).copied();
            let condition = Condition::at(sources, &file, tested);
            let truth = (change.now & 1 == 1) != condition.negated;
            format!("if {} were {truth}{more}", condition.told(&format!("{place} (`{code}`)")))
        }
        FreeKind::Condition => format!("if the value of {place} (`{code}`) were {now} instead of {was}{more}"),
        FreeKind::Argument => format!("if {place} (`{code}`) passed {now} instead of {was}{more}"),
        FreeKind::Returned => format!("if {place} (`{code}`) returned {now} instead of {was}{more}"),
        FreeKind::Value | FreeKind::Stored | FreeKind::Result => {
            format!("if {place} (`{code}`) gave {now} instead of {was}{more}")
        }
    }
}

fn number(bits: u64, width: u32, scalar: Scalar) -> String {
    let shift = 64 - width.clamp(1, 64);
    let signed = ((bits << shift) as i64) >> shift;
    match (scalar, width) {
        (Scalar::F64, 64) => f64::from_bits(bits).to_string(),
        (Scalar::F32, 32) => f32::from_bits(bits as u32).to_string(),
        (_, 1) => (bits & 1).to_string(),
        _ if signed.unsigned_abs() < 1 << 48 && scalar != Scalar::Ptr => signed.to_string(),
        _ if bits == 0 => "NULL".into(),
        _ => format!("{bits:#x}"),
    }
}

/// What a mutant does to a statement, in words.
pub fn mutant_words(mutant: &Mutant, sources: &ProjectSources, place: &Place) -> String {
    let code = code_of(place, sources);
    let at = format!("line {} (`{code}`)", place.1);
    let name = |name: &Option<String>| name.as_ref().map_or("another variable".to_string(), |name| format!("`{name}`"));
    let condition = || Condition::at(sources, &place.0, mutant.tested);
    match &mutant.kind {
        Kind::Opposite => format!("if {} were the opposite", condition().told(&at)),
        Kind::Always(truth) => {
            let condition = condition();
            format!("if {} were always {}", condition.told(&at), *truth != condition.negated)
        }
        // The source only says it without an operator, as in `if (count)`.
        Kind::Operator(was, _) if !has_operator(&code, was) => match *was {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => format!("if {at} compared otherwise"),
            _ => format!("if {at} computed otherwise"),
        },
        Kind::Operator(was, now) => format!("if {at} had `{now}` in the place of `{was}`"),
        Kind::Constant(was, now) => format!("if {at} had {now} in the place of {was}"),
        Kind::Float(was, now) => format!("if {at} had {now} in the place of {was}"),
        Kind::Swapped => format!("if both operands of {at} changed places"),
        Kind::Arguments(a, b) => format!("if arguments {a} and {b} of {at} changed places"),
        Kind::LeftOut => format!("if {at} were left out"),
        Kind::LeftOutWhere(variable, value) => format!("if {at} were left out {}", place_where(variable, *value)),
        Kind::OppositeWhere(variable, value) => {
            format!("if {} were the opposite {}", condition().told(&at), place_where(variable, *value))
        }
        Kind::Assigned(variable, value) => format!("if {} were given {value} behind {at}", name(variable)),
        Kind::Variable(now, Some(was)) => format!("if {at} had {} in the place of `{was}`", name(now)),
        Kind::Variable(now, None) => format!("if {at} had {}", name(now)),
    }
}

/// Where a variable has a value.
fn place_where(variable: &Option<String>, value: i64) -> String {
    match variable {
        Some(name) => format!("where `{name}` is {value}"),
        None => "in some cases".into(),
    }
}
