//! What of a file can be rewritten so that it still compiles.

use whydunit_repair::{Compile, errors};

use super::error::RepairError;
use crate::Error;

/// So often what has errors is left out of parts.
const MOST: usize = 4;

/// Leaves out of parts what has errors at lines and columns of their text; whether there was any.
pub type Mend<'a, T> = &'a dyn Fn(&mut [T], &[(u32, u32)]) -> bool;

/// Those of a file's parts with which it compiles, and its text with them; none where there are none. Where it does not compile
/// with all of them, what has errors is left out of them; where there is no such thing each is looked at by itself.
pub fn compiling<T>(
    compile: &Compile,
    mut list: Vec<T>,
    text: &dyn Fn(&[T]) -> String,
    mend: Mend<'_, T>,
) -> Result<Option<(Vec<T>, String)>, Error> {
    let errors_of = |list: &[T]| -> Result<(String, Vec<(u32, u32)>), Error> {
        let text = text(list);
        let errors = errors(compile, &text).map_err(RepairError::Unreadable)?;
        Ok((text, errors))
    };
    for _ in 0..MOST {
        let (text, errors) = errors_of(&list)?;
        if errors.is_empty() {
            return Ok(Some((list, text)));
        }
        if !mend(&mut list, &errors) {
            break;
        }
    }
    let mut kept = Vec::new();
    for one in list {
        if errors_of(std::slice::from_ref(&one))?.1.is_empty() {
            kept.push(one);
        }
    }
    if kept.is_empty() {
        return Ok(None);
    }
    let (text, errors) = errors_of(&kept)?;
    Ok(errors.is_empty().then_some((kept, text)))
}
