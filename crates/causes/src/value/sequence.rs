//! Slices, strings and vectors: values that say where their elements are.

use whydunit_model::{DebugType, Module, TypeId};

use super::{MAX_DEPTH, ReadBytes, SHOWN, SHOWN_TEXT, quoted, rust, size_of, word, write_value};

/// Longer sequences than this are none: there is no value yet.
const LONGEST: u64 = 1 << 40;

/// Where the elements of a sequence with these bytes are, how many, and their type; none where it is no sequence.
pub fn elements(module: &Module, kind: &DebugType, bytes: &[u8]) -> Option<(u64, u64, TypeId)> {
    let &DebugType::Sequence { address, length, ends, element, text, .. } = kind else { return None };
    let at = |offset: u64| bytes.get(offset as usize..).map(word);
    let (address, length) = (at(address)?, at(length)?);
    let size = if text { 1 } else { size_of(module, element).max(1) };
    Some((address, if ends { length.wrapping_sub(address) / size } else { length }, element))
}

/// Writes a sequence; false where its bytes say nothing.
pub(super) fn write(
    out: &mut String,
    module: &Module,
    kind: &DebugType,
    bytes: &[u8],
    memory: &impl ReadBytes,
    depth: usize,
) -> bool {
    let Some((address, length, element)) = elements(module, kind, bytes) else { return false };
    let text = matches!(kind, DebugType::Sequence { text: true, .. });
    let size = if text { 1 } else { size_of(module, element) };
    let most = if text { SHOWN_TEXT + 1 } else { SHOWN + 1 } as u64;
    let shown = length.min(most).saturating_mul(size) as usize;
    let bytes = if shown == 0 { Some(Vec::new()) } else { memory.read(address, shown) };
    match bytes {
        Some(bytes) if length < LONGEST && text => match std::str::from_utf8(&bytes) {
            Ok(text) if bytes.len() <= SHOWN_TEXT => out.push_str(&format!("{text:?}")),
            _ => out.push_str(&quoted(&bytes)),
        },
        Some(bytes) if length < LONGEST => list(out, module, element, &bytes, length > SHOWN as u64, memory, depth),
        _ if rust::is_rust(module) => out.push_str(&format!("[…; {length}]")),
        _ => out.push_str("{…}"),
    }
    true
}

/// `[1, 2, …]`, of C++ `{1, 2, …}`; `more` where there are more than there are bytes for.
pub(super) fn list(
    out: &mut String,
    module: &Module,
    element: TypeId,
    bytes: &[u8],
    more: bool,
    memory: &impl ReadBytes,
    depth: usize,
) {
    let [open, close] = if rust::is_rust(module) { ['[', ']'] } else { ['{', '}'] };
    let size = size_of(module, element) as usize;
    out.push(open);
    if size == 0 || depth >= MAX_DEPTH {
        out.push_str(if bytes.is_empty() && !more { "" } else { "…" });
        out.push(close);
        return;
    }
    let count = bytes.len() / size;
    for (index, part) in bytes.chunks_exact(size).take(SHOWN).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_value(out, module, element, part, memory, depth + 1);
    }
    if more || count > SHOWN {
        out.push_str(", …");
    }
    out.push(close);
}
