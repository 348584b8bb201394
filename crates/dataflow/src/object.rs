//! What pointers point to.

use crate::offset::Offset;
use crate::program::{FunctionId, GlobalId};

/// An object of a program, or a set of them that are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// A global; by a declaration where no module defines it.
    Global(GlobalId),
    /// Stack object of a function by its number, of all its frames.
    Stack(FunctionId, u32),
    /// All memory that operation `pc` of a function allocates, or takes over from what it calls.
    Heap(FunctionId, u32),
    /// Code of a function; by a declaration where no module has it.
    Function(FunctionId),
    /// In what is said of one function: what a word of a parameter points to when the function is called.
    Parameter {
        /// Number of the parameter.
        index: u32,
        /// Word of it.
        word: u32,
    },
    /// In what is said of one function: what can be reached from a word of a parameter by loading pointers.
    Reachable {
        /// Number of the parameter.
        index: u32,
        /// Word of it.
        word: u32,
    },
    /// In what is said of one function: memory that it, or what it called, has allocated since it was called.
    Fresh,
    /// A number that no known pointer gave: as an address it may be any.
    Number,
    /// Anything that code outside the program knows or has been given.
    Unknown,
}

impl Object {
    /// Whether it may be anything.
    pub fn is_unknown(self) -> bool {
        matches!(self, Object::Number | Object::Unknown)
    }
}

/// Objects, each with the offsets in it, sorted by object.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Targets(Vec<(Object, Offset)>);

impl Targets {
    /// The objects and offsets.
    pub fn iter(&self) -> impl Iterator<Item = (Object, Offset)> + '_ {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it may be anything.
    pub fn is_unknown(&self) -> bool {
        self.0.iter().any(|(object, _)| object.is_unknown())
    }

    /// The offsets in an object; `None` for an object that is not among them.
    pub fn offset(&self, object: Object) -> Option<Offset> {
        let at = self.0.binary_search_by_key(&object, |target| target.0).ok()?;
        Some(self.0[at].1)
    }

    /// Adds offsets of an object; what is there now, where that is new.
    pub fn add(&mut self, object: Object, offset: Offset) -> Option<Offset> {
        match self.0.binary_search_by_key(&object, |target| target.0) {
            Ok(at) => {
                let joined = self.0[at].1.join(offset);
                (joined != self.0[at].1).then(|| {
                    self.0[at].1 = joined;
                    joined
                })
            }
            Err(at) => {
                self.0.insert(at, (object, offset));
                Some(offset)
            }
        }
    }
}

impl FromIterator<(Object, Offset)> for Targets {
    fn from_iter<I: IntoIterator<Item = (Object, Offset)>>(targets: I) -> Self {
        let mut out = Self::default();
        for (object, offset) in targets {
            out.add(object, offset);
        }
        out
    }
}
