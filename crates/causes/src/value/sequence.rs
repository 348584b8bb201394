//! Slices, strings and vectors: values that say where their elements are.

use whydunit_model::{DebugType, Module, TypeId};

use super::writer::{SHOWN, Writer};
use super::{ReadBytes, SHOWN_TEXT, is_rust, quoted, size_of, word};

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

impl<M: ReadBytes> Writer<'_, M> {
    /// Writes a sequence; false where its bytes say nothing.
    pub fn sequence(&mut self, kind: &DebugType, bytes: &[u8]) -> bool {
        let Some((address, length, element)) = elements(self.module, kind, bytes) else { return false };
        let text = matches!(kind, DebugType::Sequence { text: true, .. });
        let size = if text { 1 } else { size_of(self.module, element) };
        let most = if text { SHOWN_TEXT + 1 } else { SHOWN + 1 } as u64;
        let shown = length.min(most).saturating_mul(size) as usize;
        let bytes = if shown == 0 { Some(Vec::new()) } else { self.memory.read(address, shown) };
        match bytes {
            Some(bytes) if length < LONGEST && text => match std::str::from_utf8(&bytes) {
                Ok(text) if bytes.len() <= SHOWN_TEXT => self.out.push_str(&format!("{text:?}")),
                _ => self.out.push_str(&quoted(&bytes)),
            },
            Some(bytes) if length < LONGEST => self.list(element, &bytes, length > SHOWN as u64),
            _ if is_rust(self.module) => self.out.push_str(&format!("[…; {length}]")),
            _ => self.out.push_str("{…}"),
        }
        true
    }

    /// `[1, 2, …]`, of C and C++ `{1, 2, …}`; `more` where there are more than there are bytes for.
    pub fn list(&mut self, element: TypeId, bytes: &[u8], more: bool) {
        let brackets = if is_rust(self.module) { ["[", "]"] } else { ["{", "}"] };
        let size = size_of(self.module, element) as usize;
        // Elements of unknown size cannot be told apart.
        let (known, more) = if size == 0 { (&[][..], more || !bytes.is_empty()) } else { (bytes, more) };
        self.parts(brackets, known.chunks_exact(size.max(1)), more, |writer, part| writer.inner(element, part));
    }
}
