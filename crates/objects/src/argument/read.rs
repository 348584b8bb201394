//! Arguments read from a call.

use whydunit_causes::value::{elements, format, is_char, is_rust, member_bytes, quoted, size_of, underlying};
use whydunit_model::{DebugType, Encoding, Member, Module, Opnd, TypeId};
use whydunit_replay::{At, Memory};

use super::{Argument, Datum, Target};
use crate::decode;
use crate::signature::{Comes, Parameter, Signature};
use crate::tracer::words_to_bytes;

/// Longer texts and sequences are not kept.
const LONGEST: u64 = 1 << 16;
/// Structures behind pointers in structures.
const DEEPEST: usize = 4;

/// The argument with this index, where a function of this signature is entered; `None` where it is no plain data.
pub(crate) fn read(at: &At<'_>, signature: &Signature, index: usize) -> Option<Argument> {
    let Parameter { ty, by_address, slot, .. } = signature.arguments[index];
    let module = at.module();
    let size = size_of(module, ty);
    let bytes = if by_address {
        at.memory().read_vec(at.slot(slot), size as usize)
    } else {
        let parts = at.model.params.iter().zip(&signature.comes).filter(|(_, comes)| **comes == Comes::Argument(index));
        let leaves: Vec<_> = parts.flat_map(|(param, _)| param.leaves.iter().copied()).collect();
        words_to_bytes(at, Opnd::slot(slot), &leaves, size as usize)
    };
    let datum =
        Reader { module, memory: at.memory(), at }.datum(ty, bytes.clone(), by_address.then(|| at.slot(slot)), 0)?;
    Some(Argument { text: in_words(module, ty, &bytes, at.memory()), datum })
}

/// An argument in words: of a pointer what it leads to, not where that happens to be.
fn in_words(module: &Module, ty: TypeId, bytes: &[u8], memory: &Memory) -> String {
    let target = decode::word(bytes);
    match module.types.get(underlying(module, ty) as usize) {
        Some(DebugType::Pointer { .. }) if target == 0 => "null".into(),
        Some(DebugType::Pointer { to }) if is_char(module, *to) => quoted(&memory.read_string(target, LONGEST)),
        Some(DebugType::Pointer { to }) => {
            format(module, *to, &memory.read_vec(target, size_of(module, *to) as usize), memory)
        }
        _ => format(module, ty, bytes, memory),
    }
}

struct Reader<'r, 'a> {
    module: &'a Module,
    memory: &'a Memory,
    at: &'r At<'a>,
}

impl Reader<'_, '_> {
    /// A value of a type with these bytes, which lie at an address where they have one.
    fn datum(&self, ty: TypeId, bytes: Vec<u8>, address: Option<u64>, depth: usize) -> Option<Datum> {
        let mut pointers = Vec::new();
        self.pointers(ty, &bytes, 0, address, depth, &mut pointers)?;
        Some(Datum { bytes, pointers })
    }

    /// Finds the pointers of a value that begins at an offset of a datum; `None` where it is no plain data.
    fn pointers(
        &self,
        ty: TypeId,
        bytes: &[u8],
        offset: usize,
        address: Option<u64>,
        depth: usize,
        out: &mut Vec<(usize, Target)>,
    ) -> Option<()> {
        let ty = underlying(self.module, ty);
        let kind = self.module.types.get(ty as usize)?;
        let own = bytes.get(offset..offset + size_of(self.module, ty) as usize)?;
        match kind {
            DebugType::Base { .. } | DebugType::Enum { .. } => Some(()),
            DebugType::Pointer { to } => {
                let target = decode::word(own);
                if target != 0 {
                    out.push((offset, Target::Other(self.behind(*to, target, depth)?)));
                }
                Some(())
            }
            DebugType::Sequence { .. } => self.sequence(kind, own, offset, (address, bytes.len()), out),
            DebugType::Struct { members, union: false, .. } => {
                members.iter().try_for_each(|member| self.member(member, bytes, offset, address, depth, out))
            }
            DebugType::Struct { .. } => self.is_flat(ty, 0).then_some(()),
            DebugType::Variants { variants, .. } => {
                let (_, member) = variants.get(decode::variant(self.module, kind, own)?)?;
                self.member(member, bytes, offset, address, depth, out)
            }
            DebugType::Array { element, .. } => self.is_flat(*element, 0).then_some(()),
            _ => None,
        }
    }

    fn member(
        &self,
        member: &Member,
        bytes: &[u8],
        offset: usize,
        address: Option<u64>,
        depth: usize,
        out: &mut Vec<(usize, Target)>,
    ) -> Option<()> {
        if member.bit_size != 0 {
            return member_bytes(self.module, member, &bytes[offset..]).map(|_| ());
        }
        self.pointers(member.ty, bytes, offset + (member.bit_offset / 8) as usize, address, depth, out)
    }

    /// What a pointer leads to: a text up to its end, one number, or one structure.
    fn behind(&self, to: TypeId, target: u64, depth: usize) -> Option<Datum> {
        if depth >= DEEPEST {
            return None;
        }
        if is_char(self.module, to) && !is_rust(self.module) {
            let length = self.memory.read_string(target, LONGEST).len() as u64;
            let bytes = self.known(target, length + 1)?;
            return Some(Datum { bytes, pointers: Vec::new() });
        }
        let size = size_of(self.module, to);
        let bytes = self.known(target, size).filter(|bytes| !bytes.is_empty())?;
        self.datum(to, bytes, Some(target), depth + 1)
    }

    /// A text or a slice: its elements lie in the datum itself or elsewhere.
    fn sequence(
        &self,
        kind: &DebugType,
        own: &[u8],
        offset: usize,
        (address, whole): (Option<u64>, usize),
        out: &mut Vec<(usize, Target)>,
    ) -> Option<()> {
        let &DebugType::Sequence { address: at, ends, text, .. } = kind else { return None };
        let (target, count, element) = elements(self.module, kind, own)?;
        if ends || !text && !self.is_flat(element, 0) {
            return None;
        }
        let place = offset + at as usize;
        if let Some(start) = address.filter(|start| (*start..start + whole as u64).contains(&target)) {
            out.push((place, Target::Own(target - start)));
            return Some(());
        }
        let size = count.checked_mul(if text { 1 } else { size_of(self.module, element) })?;
        // What is empty points to nothing in Rust.
        if size == 0 && is_rust(self.module) {
            return Some(());
        }
        let mut bytes = self.known(target, size)?;
        bytes.extend((!is_rust(self.module)).then_some(0));
        out.push((place, Target::Other(Datum { bytes, pointers: Vec::new() })));
        Some(())
    }

    /// The bytes that lie there; `None` where the replay does not know them. Of what external code has written it may know nothing, and
    /// then has zeros.
    fn known(&self, address: u64, size: u64) -> Option<Vec<u8>> {
        if size >= LONGEST
            || size > 0 && !(self.memory.is_written(address) && self.memory.is_written(address + size - 1))
        {
            return None;
        }
        let bytes = self.memory.read_vec(address, size as usize);
        let core = self.at.core;
        let top = core.frames.first().map_or(0, |frame| frame.usp_before);
        let own = (core.usp..top).contains(&address) || core.heap.get(address).is_some();
        (size == 0 || own || bytes.iter().any(|byte| *byte != 0)).then_some(bytes)
    }

    /// Whether a type has no pointers.
    fn is_flat(&self, ty: TypeId, depth: usize) -> bool {
        let flat = |ty: TypeId| depth < DEEPEST && self.is_flat(ty, depth + 1);
        match self.module.types.get(underlying(self.module, ty) as usize) {
            Some(DebugType::Base { encoding, .. }) => *encoding != Encoding::Other,
            Some(DebugType::Enum { .. }) => true,
            Some(DebugType::Array { element, .. }) => flat(*element),
            Some(DebugType::Struct { members, .. }) => members.iter().all(|member| flat(member.ty)),
            _ => false,
        }
    }
}
