//! What is told of runs in words, as text and the page have them.

use whydunit_findings::{Location, MemoryObject, Step, StepKind, Why};

use crate::plain::plain;

/// An argument as one word of a shell.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./,+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// How a step hangs together with the one before it, in a word or two.
pub fn lead(why: &Why, index: usize, step: &Step) -> &'static str {
    match step.kind {
        _ if index == 0 && why.ran.is_some() => "line",
        StepKind::Control if index == 1 && why.ran == Some(false) => "because",
        StepKind::Data if index == 0 => "value",
        StepKind::Data => "because",
        StepKind::Control => "ran because",
        StepKind::Kept => "kept because",
        StepKind::Input => "from outside",
    }
}

/// What a step says; empty for a call.
pub fn fact(step: &Step) -> String {
    match (&step.condition, &step.variable[..], &step.value[..]) {
        (Some(condition), _, truth) => format!("`{}` is {truth}", plain(condition)),
        (None, name, "") => plain(name).into_owned(),
        (None, "", value) => plain(value).into_owned(),
        (None, name, value) => format!("{} = {}", plain(name), plain(value)),
    }
}

/// The kind of blocks that are lost.
pub const LEAK: &str = "leak";

/// The functions that handed a block out, the outermost first, as ` by` and their names; nothing where there are none.
pub fn wrappers(object: &MemoryObject) -> String {
    let by: Vec<String> = object.wrappers.iter().rev().map(|name| format!("`{}`", plain(name))).collect();
    if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) }
}

/// Where in an object an access was, and where the object comes from.
pub fn object_place(object: &MemoryObject) -> String {
    let place = match u64::try_from(object.offset) {
        Ok(offset) if offset == object.size => "just after the end of".to_string(),
        Ok(offset) if offset > object.size => format!("{} after the end of", bytes(offset - object.size)),
        Ok(offset) => format!("at byte {offset} of"),
        Err(_) => format!("{} before the start of", bytes(object.offset.unsigned_abs())),
    };
    let (kind, size) = (&object.kind, bytes(object.size));
    let name = plain(&object.name);
    let source = object.allocated.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let by = wrappers(object);
    match object.kind.as_str() {
        "heap" if name.is_empty() => format!("{place} the heap block of {size}"),
        "heap" => format!("{place} the heap block of {size}, allocated in `{name}`{source}{by}"),
        _ if name.is_empty() => format!("{place} a {kind} object of {size}"),
        _ => format!("{place} the {kind} object `{name}` of {size}, declared{source}"),
    }
}

/// Where an object was freed, and by which function.
pub fn freed(object: &MemoryObject) -> Option<String> {
    let freed = object.freed.as_ref()?;
    let by = object.freeing.first().map(|(name, _)| format!(" in `{}`", plain(name))).unwrap_or_default();
    Some(format!("freed{by} at {freed}"))
}

/// Calls under way, each in a line, those of a recursion in one.
pub fn call_lines(calls: &[(String, Option<Location>)]) -> Vec<String> {
    let line = |same: &[(String, Option<Location>)]| {
        let (function, location) = &same[0];
        let place = location.as_ref().map(|location| format!(" at {location}")).unwrap_or_default();
        let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
        format!("{}{place}{times}", plain(function))
    };
    calls.chunk_by(|a, b| a == b).map(line).collect()
}

/// A size in the largest unit that keeps it above 1, below 10 KB to the byte.
pub fn bytes(n: u64) -> String {
    match n {
        1 => "1 byte".into(),
        0..10_000 => format!("{n} bytes"),
        10_000..1_000_000 => format!("{:.1} KB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, shell_word};

    #[test]
    fn arguments_are_words_of_a_shell() {
        let words = ["a.txt", "", "a b", "it's", "$X"].map(shell_word);
        assert_eq!(words, ["a.txt", "''", "'a b'", r"'it'\''s'", "'$X'"]);
    }

    #[test]
    fn sizes_have_a_unit() {
        let sizes = [0, 1, 9_999, 10_000, 1_500_000, 2_000_000_000].map(bytes);
        assert_eq!(sizes, ["0 bytes", "1 byte", "9999 bytes", "10.0 KB", "1.5 MB", "2.0 GB"]);
    }
}
