//! The events.

use serde::{Deserialize, Serialize};

use crate::tables::{Class, ClassId, Field, FieldId, FieldKind, Method, MethodId, Position, Run, SourceFile};

/// Number of an object, of its run. No number is used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub u64);

/// A value of a field or an inspector.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Nothing is known of it.
    Unknown,
    /// Of integers, booleans (0 and 1), enumerations and variants (their numbers).
    Integer(i64),
    /// Of numbers with a fraction.
    Float(f64),
    /// A reference to nothing.
    Null,
    /// A reference to an object of the stream.
    Object(ObjectId),
    /// A reference to something else.
    Other,
    /// How many elements a sequence has.
    Length(u64),
}

/// How a method ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It returns.
    Returned,
    /// It is left by an exception, a panic or an abort; the words say by which, where that is known.
    Exception(String),
    /// It returns that it has failed; the words say what it returns.
    Failed(String),
}

/// What is written to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// A field of an object.
    Field(ObjectId, FieldId),
    /// An object, at a place that is no field of the stream's.
    Object(ObjectId),
    /// A variable that lives as long as the program.
    Static(String),
    /// A variable of an activation, by its name.
    Local(String),
    /// Other memory.
    Memory,
}

/// Something that happens.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A run begins.
    Run(Run),
    /// A source is told of.
    Source(SourceFile),
    /// A class is told of.
    Class(Class),
    /// A method is told of.
    Method(Method),
    /// A field is told of.
    Field(Field),
    /// A value of an integer field has a name in the source.
    Named {
        /// The field.
        field: FieldId,
        /// The value.
        value: i64,
        /// The name.
        name: String,
    },
    /// An integer field is assigned what is no constant of the source: its values are not to be told apart one by one.
    Varies(FieldId),
    /// An object comes to be. Its fields are unknown until they are told.
    Created {
        /// The object.
        object: ObjectId,
        /// Its class at run time.
        class: ClassId,
        /// The object that it is a copy of, byte by byte.
        copy_of: Option<ObjectId>,
        /// Where.
        at: Position,
    },
    /// An object has another place from now on. It is the same object.
    Moved {
        /// The object.
        object: ObjectId,
    },
    /// An object ends.
    Destroyed {
        /// The object.
        object: ObjectId,
    },
    /// A method starts.
    Entered {
        /// The method.
        method: MethodId,
        /// What it is called on; `None` for constructors whose object is not there yet, and without an object.
        object: Option<ObjectId>,
        /// The thread.
        thread: u32,
        /// Time, which never goes back in a run.
        time: u64,
        /// The call.
        at: Position,
    },
    /// The method that started last in this thread, and has not ended, ends.
    Left {
        /// The method.
        method: MethodId,
        /// What it was called on, or the object that a constructor made.
        object: Option<ObjectId>,
        /// The thread.
        thread: u32,
        /// How.
        end: End,
    },
    /// A field has another value.
    Set {
        /// The object.
        object: ObjectId,
        /// The field.
        field: FieldId,
        /// The value.
        value: Value,
    },
    /// A method without parameters, asked besides the run, gives a value.
    Inspected {
        /// The object.
        object: ObjectId,
        /// The method.
        method: MethodId,
        /// What its values are.
        kind: FieldKind,
        /// Its value.
        value: Value,
    },
    /// Memory is written.
    Wrote {
        /// The thread.
        thread: u32,
        /// What is written to.
        what: Written,
        /// When what is written to came to be.
        born: u64,
        /// It is declared to be no part of what the object is for its users: a cache, a counter of references.
        cache: bool,
        /// Where.
        at: Position,
    },
    /// A method under way reads a field, itself or through what it calls. It is told once of each method that reads it.
    Read {
        /// The thread.
        thread: u32,
        /// The object.
        object: ObjectId,
        /// The field.
        field: FieldId,
        /// When it got the value that is read: methods that started later have found it there.
        since: u64,
    },
    /// A function is called with a reference to an object besides the one that it is called on, or with one to nothing.
    Passed {
        /// The thread.
        thread: u32,
        /// The function, as the debug information calls it; of a method the one that started last in this thread.
        function: String,
        /// It is a method that the stream tells of.
        method: bool,
        /// The name of the parameter.
        parameter: String,
        /// The object; `None` for a reference to nothing.
        object: Option<ObjectId>,
    },
    /// Something goes wrong: an exception, a panic, a signal.
    Failing {
        /// The thread.
        thread: u32,
        /// The objects that functions under way were called on or with.
        objects: Vec<ObjectId>,
    },
}
