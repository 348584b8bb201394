//! Source positions, scopes, variables and types, from debug information.

use serde::{Deserialize, Serialize};

use crate::{MethodId, Opnd, TypeId};

/// A source position. Line 0: made by the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Loc {
    /// Index in [`Module::files`](crate::Module::files).
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1; 0 unknown.
    pub column: u32,
    /// Index in [`Function::scopes`](crate::Function::scopes).
    pub scope: u32,
}

/// A lexical scope of a function; scope 0 is the function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scope {
    /// The scope around it; itself for scope 0.
    pub parent: u32,
    /// Where it starts.
    pub line: u32,
    /// The call that its code stands in the place of, from 1 (in [`Function::inlined`](crate::Function::inlined)); 0 for the
    /// function's own code.
    pub inlined: u32,
}

/// A call in whose place the code of the called function stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inlined {
    /// The called function, as in the source.
    pub name: String,
    /// Where it is called: index in [`Function::locs`](crate::Function::locs).
    pub call: u32,
    /// The method that is called; `None` for all other functions.
    pub method: Option<MethodId>,
}

/// A local variable or parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// As in the source.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The scope that declares it.
    pub scope: u32,
    /// Declaration line.
    pub line: u32,
    /// From 1 for parameters, 0 for others.
    pub arg: u32,
    /// The stack object that holds it, where it lives in memory (index in [`Function::stack`](crate::Function::stack)).
    pub object: Option<u32>,
    /// The object or the register value is not the variable but its address (a structure that is returned in place).
    pub indirect: bool,
}

/// From operation `pc` on, variable `variable` (living in registers) has the value `value`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DebugValue {
    /// Index into the function's code: the value holds from before this operation.
    pub pc: u32,
    /// Index in [`Function::variables`](crate::Function::variables).
    pub variable: u32,
    /// First word of the value; none when it is lost.
    pub value: Option<Opnd>,
}

/// How a base type's bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Encoding {
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Boolean,
    Float,
    Other,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Empty for an anonymous one.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// From the start of the structure, in bits.
    pub bit_offset: u64,
    /// Size in bits where it is a bit-field, else 0.
    pub bit_size: u32,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum DebugType {
    Base {
        name: String,
        bytes: u64,
        encoding: Encoding,
    },
    Pointer {
        to: TypeId,
    },
    Struct {
        name: String,
        bytes: u64,
        members: Vec<Member>,
        union: bool,
    },
    /// `count` is none for a flexible or variable length.
    Array {
        element: TypeId,
        count: Option<u64>,
        bytes: u64,
    },
    /// A slice, a string or a vector of Rust or C++: at the byte offset `address` it says where its elements are, at `length`
    /// how many, or where they end.
    Sequence {
        name: String,
        bytes: u64,
        address: u64,
        length: u64,
        ends: bool,
        element: TypeId,
        text: bool,
    },
    /// An enum of Rust: `which` says by its value which variant it is; the one without a value is it for all others.
    Variants {
        name: String,
        bytes: u64,
        which: Option<Member>,
        variants: Vec<(Option<u64>, Member)>,
    },
    Enum {
        name: String,
        bytes: u64,
        values: Vec<(String, i64)>,
    },
    /// typedef, const, volatile, …; the name is empty for qualifiers.
    Alias {
        name: String,
        to: TypeId,
    },
    Function,
    Other {
        name: String,
        bytes: u64,
    },
}
