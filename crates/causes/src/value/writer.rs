//! Values written one inside the other.

use whydunit_model::{DebugType, Member, Module, NO_TYPE, TypeId};

use super::{
    ReadBytes, SHOWN_TEXT, base, is_char, is_rust, member_bytes, quote, quoted, raw, signed, underlying, word,
};

/// How many elements of an array and members of a structure are shown, and how deep they nest.
pub(super) const SHOWN: usize = 16;
const MAX_DEPTH: usize = 3;

/// Writes values of the types of a module.
pub(super) struct Writer<'a, M> {
    pub module: &'a Module,
    pub memory: &'a M,
    pub out: String,
    /// In how many others the present value is.
    depth: usize,
}

impl<'a, M: ReadBytes> Writer<'a, M> {
    /// Nothing is written yet.
    pub fn new(module: &'a Module, memory: &'a M) -> Self {
        Self { module, memory, out: String::new(), depth: 0 }
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.out
    }

    /// Writes a value.
    pub fn value(&mut self, ty: TypeId, bytes: &[u8]) {
        let ty = underlying(self.module, ty);
        let Some(kind) = (ty != NO_TYPE).then(|| self.module.types.get(ty as usize)).flatten() else {
            self.out.push_str(&raw(bytes));
            return;
        };
        if is_rust(self.module) && self.rust(kind, bytes) {
            return;
        }
        match kind {
            DebugType::Base { encoding, bytes: size, .. } => {
                let bytes = &bytes[..bytes.len().min(*size as usize)];
                self.out.push_str(&base(*encoding, bytes));
            }
            DebugType::Pointer { to } => self.pointer(*to, word(bytes)),
            DebugType::Enum { values, .. } => {
                let value = signed(bytes);
                match values.iter().find(|(_, v)| *v == value || *v == word(bytes) as i64) {
                    Some((name, _)) => self.out.push_str(&format!("{name} ({value})")),
                    None => self.out.push_str(&value.to_string()),
                }
            }
            DebugType::Array { element, .. } if is_char(self.module, *element) => {
                let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                self.out.push_str(&quoted(&bytes[..end]));
            }
            DebugType::Array { element, .. } => self.list(*element, bytes, false),
            DebugType::Struct { members, .. } => self.members(["{", " = ", "}"], members, bytes),
            DebugType::Sequence { .. } if self.sequence(kind, bytes) => {}
            _ => self.out.push_str(&raw(bytes)),
        }
    }

    /// Whether values inside the present one are written.
    pub fn nests(&self) -> bool {
        self.depth < MAX_DEPTH
    }

    /// Writes a value inside the present one.
    pub fn inner(&mut self, ty: TypeId, bytes: &[u8]) {
        self.depth += 1;
        self.value(ty, bytes);
        self.depth -= 1;
    }

    /// Writes parts of the present value; `more` where there are more than these.
    pub fn parts<T>(
        &mut self,
        [open, close]: [&str; 2],
        parts: impl Iterator<Item = T>,
        more: bool,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.out.push_str(open);
        let most = if self.nests() { SHOWN } else { 0 };
        let (mut parts, mut between) = (parts.peekable(), "");
        for part in parts.by_ref().take(most) {
            self.out.push_str(std::mem::replace(&mut between, ", "));
            write(self, part);
        }
        if more || parts.peek().is_some() {
            self.out.push_str(between);
            self.out.push('…');
        }
        self.out.push_str(close);
    }

    /// Writes members, each after its name, if it has one, and `is`.
    pub fn members(&mut self, [open, is, close]: [&str; 3], members: &[Member], bytes: &[u8]) {
        self.parts([open, close], members.iter(), false, |writer, member| {
            if !member.name.is_empty() && !is.is_empty() {
                writer.out.push_str(&format!("{}{is}", member.name));
            }
            match member_bytes(writer.module, member, bytes) {
                Some(part) => writer.inner(member.ty, &part),
                None => writer.out.push('?'),
            }
        });
    }

    fn pointer(&mut self, to: TypeId, address: u64) {
        if address == 0 {
            self.out.push_str("NULL");
            return;
        }
        self.out.push_str(&format!("{address:#x}"));
        if is_char(self.module, to)
            && let Some(text) = self.c_text(address)
        {
            self.out.push_str(&format!(" {text}"));
        }
    }

    fn c_text(&self, address: u64) -> Option<String> {
        let mut bytes = Vec::new();
        for offset in 0..=SHOWN_TEXT as u64 {
            match self.memory.read(address.wrapping_add(offset), 1)?.first()? {
                0 => return Some(quote(&bytes, false)),
                c => bytes.push(*c),
            }
        }
        bytes.truncate(SHOWN_TEXT);
        Some(quote(&bytes, true))
    }
}
