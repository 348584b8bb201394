//! Types of C++ at run time (Itanium C++ ABI, 2.9): what an exception is caught as, and casts between classes.

use crate::machine::Machine;
use crate::run::Type;

/// The tables of virtual functions of what describes classes, behind two words.
const SINGLE: &str = "_ZTVN10__cxxabiv120__si_class_type_infoE";
const SEVERAL: &str = "_ZTVN10__cxxabiv121__vmi_class_type_infoE";
const HEADER: u64 = 16;
/// Of a description: where the only base is; where the number of several is, and the first one.
const BASE: u64 = 16;
const BASES: u64 = 20;
const FIRST: u64 = 24;
/// Flags of a base among several; its place is above them.
const VIRTUAL: u64 = 1;
const PUBLIC: u64 = 2;
const PLACE: u32 = 8;
/// Of the description of a pointer: what it points to.
const POINTEE: u64 = 24;
/// No class has more bases, no class is derived more often.
const MOST: u64 = 64;

/// Classes of the library, with what they are derived from.
const LIBRARY: &[(&str, &str)] = &[
    ("St9bad_alloc", "St9exception"),
    ("St20bad_array_new_length", "St9bad_alloc"),
    ("St8bad_cast", "St9exception"),
    ("St10bad_typeid", "St9exception"),
    ("St13bad_exception", "St9exception"),
    ("St17bad_function_call", "St9exception"),
    ("St19bad_optional_access", "St9exception"),
    ("St18bad_variant_access", "St9exception"),
    ("St12bad_any_cast", "St8bad_cast"),
    ("St12bad_weak_ptr", "St9exception"),
    ("St11logic_error", "St9exception"),
    ("St12domain_error", "St11logic_error"),
    ("St16invalid_argument", "St11logic_error"),
    ("St12length_error", "St11logic_error"),
    ("St12out_of_range", "St11logic_error"),
    ("St13runtime_error", "St9exception"),
    ("St11range_error", "St13runtime_error"),
    ("St14overflow_error", "St13runtime_error"),
    ("St15underflow_error", "St13runtime_error"),
    ("St12system_error", "St13runtime_error"),
    ("NSt8ios_base7failureB5cxx11E", "St12system_error"),
];

/// A type that a type is derived from.
struct Base {
    ty: Type,
    /// Where it is in the derived one; none where that depends on the object.
    offset: Option<u64>,
    public: bool,
}

impl Machine {
    /// The mangled name of a type, without what says that it is a description; empty where it is not known.
    pub(super) fn name_of_type(&self, ty: Type) -> &str {
        match ty {
            Type::Named(name) => name,
            Type::At(address) => self.global_at(address).and_then(|name| name.strip_prefix("_ZTI")).unwrap_or_default(),
        }
    }

    /// The name of the global that begins at an address.
    fn global_at(&self, address: u64) -> Option<&str> {
        let modules = &self.code.modules()[..self.run.symbols.loaded as usize];
        modules.iter().find_map(|module| {
            let at = module.globals.iter().position(|&at| at == address)?;
            Some(&*module.model.globals[at].name)
        })
    }

    fn is_same(&self, a: Type, b: Type) -> bool {
        a == b || (!self.name_of_type(a).is_empty() && self.name_of_type(a) == self.name_of_type(b))
    }

    /// What a class is derived from; none where that is not known.
    fn bases(&self, ty: Type) -> Option<Vec<Base>> {
        let only = |ty: Type| vec![Base { ty, offset: Some(0), public: true }];
        if let Some((_, base)) = LIBRARY.iter().find(|known| known.0 == self.name_of_type(ty)) {
            return Some(only(Type::Named(base)));
        }
        let Type::At(at) = ty else { return Some(Vec::new()) };
        let memory = &self.core.memory;
        let word = |at: u64| if memory.is_written(at) { memory.read_word(at) } else { 0 };
        let kind = match word(at) {
            0 => return (self.name_of_type(ty) == "St9exception").then(Vec::new),
            table => self.global_at(table.wrapping_sub(HEADER)).unwrap_or_default(),
        };
        Some(match kind {
            SINGLE => only(Type::At(word(at.wrapping_add(BASE)))),
            SEVERAL => {
                let count = memory.read_uint(at.wrapping_add(BASES), 4).min(MOST);
                let base = |n: u64| {
                    let flags = word(at.wrapping_add(FIRST + 16 * n + 8));
                    Base {
                        ty: Type::At(word(at.wrapping_add(FIRST + 16 * n))),
                        offset: (flags & VIRTUAL == 0).then_some(((flags as i64) >> PLACE) as u64),
                        public: flags & PUBLIC != 0,
                    }
                };
                (0..count).map(base).collect()
            }
            _ => Vec::new(),
        })
    }

    /// Where in an object of type `ty` its part of type `wanted` is; none inside where it has none, none outside where that is
    /// not known.
    fn part(&self, ty: Type, wanted: Type, depth: u64) -> Option<Option<u64>> {
        if self.is_same(ty, wanted) {
            return Some(Some(0));
        }
        if depth == 0 {
            return None;
        }
        for base in self.bases(ty)?.into_iter().filter(|base| base.public) {
            if let Some(inner) = self.part(base.ty, wanted, depth - 1)? {
                return base.offset.map(|offset| Some(offset.wrapping_add(inner)));
            }
        }
        Some(None)
    }

    /// Whether a clause with this description (null: all) catches a type, and by how much the object's address moves then; none
    /// outside where that is not known.
    pub(super) fn catches(&self, clause: u64, thrown: Type) -> Option<Option<u64>> {
        let (wanted, name) = (Type::At(clause), self.name_of_type(thrown));
        if clause == 0 || self.is_same(thrown, wanted) {
            return Some(Some(0));
        }
        let other = self.name_of_type(wanted);
        if name.is_empty() || other.is_empty() {
            return None;
        }
        match (name.strip_prefix('P'), other.strip_prefix('P')) {
            (Some(to), Some(other)) => {
                let unqualified = |name: &str| name.trim_start_matches(['K', 'V']).to_string();
                let (to, other) = (unqualified(to), unqualified(other));
                let fundamental = |name: &str| name.len() == 1;
                if to == other || other == "v" {
                    return Some(Some(0));
                }
                if fundamental(&to) || fundamental(&other) {
                    return Some(None);
                }
                let pointee = |ty: Type| match ty {
                    Type::At(at) => Type::At(self.core.memory.read_word(at.wrapping_add(POINTEE))),
                    named => named,
                };
                // Only where the pointer stays as it is.
                self.part(pointee(thrown), pointee(wanted), MOST).filter(|part| part.is_none_or(|offset| offset == 0))
            }
            (Some(_), None) | (None, Some(_)) => Some(None),
            (None, None) => self.part(thrown, wanted, MOST),
        }
    }

    /// What a handler gets of an object that was thrown: a pointer itself, else where its part is.
    pub(super) fn caught_as(&self, object: u64, ty: Type, offset: u64) -> u64 {
        match self.name_of_type(ty).starts_with('P') {
            true => self.core.memory.read_word(object),
            false => object.wrapping_add(offset),
        }
    }

    /// `dynamic_cast` of the object at an address to another class: the address of that part of it, 0 where it is none; none
    /// where that is not known.
    pub(super) fn dynamic_cast(&self, object: u64, to: u64) -> Option<u64> {
        let memory = &self.core.memory;
        let table = memory.read_word(object);
        if table < HEADER || !self.what_if_knows(table - HEADER) {
            return None;
        }
        let (top, ty) = (memory.read_word(table - HEADER), memory.read_word(table - 8));
        if ty == 0 {
            return None;
        }
        let whole = object.wrapping_add(top);
        Some(self.part(Type::At(ty), Type::At(to), MOST)?.map_or(0, |offset| whole.wrapping_add(offset)))
    }
}
