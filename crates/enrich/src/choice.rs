//! Which arguments a method is tried with.

use whydunit_objects::{Argument, KnownCall};

use crate::execution::{Given, Origin};

/// The arguments of a call, each with its origin.
pub(crate) type Arguments = Vec<(Argument, Origin)>;

/// The arguments to try: those of recorded calls, call by call, then each of the values that are known of one argument, boundary
/// values last, beside what a recorded call had. `bounds`: the boundary values of each. The reason where an argument has no values.
pub(crate) fn choices(
    calls: &[KnownCall],
    names: &[String],
    bounds: &[Vec<Argument>],
) -> Result<Vec<Arguments>, String> {
    let origin = |call: &KnownCall| Origin::Call { run: call.run.clone(), file: call.file.clone(), line: call.line };
    let whole = |call: &KnownCall| -> Option<Arguments> {
        call.arguments.iter().map(|argument| Some((argument.clone()?, origin(call)))).collect()
    };
    let mut found: Vec<Arguments> = calls.iter().filter_map(whole).collect();
    let mut values: Vec<Arguments> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let known = calls.iter().filter_map(|call| Some((call.arguments.get(index)?.clone()?, origin(call))));
        let mut of_argument: Arguments = known.collect();
        of_argument.extend(bounds[index].iter().map(|argument| (argument.clone(), Origin::Boundary)));
        if of_argument.is_empty() {
            let why = if calls.is_empty() { "no test calls it" } else { "those of recorded calls are no plain data" };
            let which = if name.is_empty() { (index + 1).to_string() } else { format!("`{name}`") };
            return Err(format!("nothing can be given for its argument {which}: {why}"));
        }
        values.push(of_argument);
    }
    let first: Arguments = match found.first() {
        Some(first) => first.clone(),
        None => values.iter().map(|of_argument| of_argument[0].clone()).collect(),
    };
    found.push(first.clone());
    for (index, of_argument) in values.into_iter().enumerate() {
        for value in of_argument {
            let mut other = first.clone();
            other[index] = value;
            found.push(other);
        }
    }
    let mut distinct: Vec<Arguments> = Vec::new();
    for arguments in found {
        let same = |other: &Arguments| other.iter().zip(&arguments).all(|(a, b)| a.0 == b.0);
        if !distinct.iter().any(same) {
            distinct.push(arguments);
        }
    }
    Ok(distinct)
}

/// Arguments as they are told.
pub(crate) fn given(arguments: &Arguments) -> Vec<Given> {
    arguments.iter().map(|(argument, origin)| Given { text: argument.text.clone(), origin: origin.clone() }).collect()
}
