//! What of a file can be rewritten so that it still compiles.

use whydunit_findings::Exit;
use whydunit_repair::{Compile, compiles};

use crate::failure::{Failure, OrFail};

/// Those of a file's parts with which it compiles, and its text with them; none where there are none. Where it does not compile
/// with all of them each is looked at by itself.
pub fn compiling<T>(
    compile: &Compile,
    list: Vec<T>,
    text: &dyn Fn(&[T]) -> String,
) -> Result<Option<(Vec<T>, String)>, Failure> {
    let stands = |list: &[T]| -> Result<Option<String>, Failure> {
        let text = text(list);
        Ok(compiles(compile, &text).or_fail(Exit::Build)?.then_some(text))
    };
    if let Some(text) = stands(&list)? {
        return Ok(Some((list, text)));
    }
    let mut kept = Vec::new();
    for one in list {
        if stands(std::slice::from_ref(&one))?.is_some() {
            kept.push(one);
        }
    }
    if kept.is_empty() {
        return Ok(None);
    }
    Ok(stands(&kept)?.map(|text| (kept, text)))
}
