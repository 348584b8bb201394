//! Numbers by which debug information of a module is named.

/// Index into the module's types. [`NO_TYPE`] is void or unknown.
pub type TypeId = u32;
/// No type.
pub const NO_TYPE: TypeId = u32::MAX;
/// Index in [`Module::classes`](crate::Module::classes).
pub type ClassId = u32;
/// Index in [`Module::methods`](crate::Module::methods).
pub type MethodId = u32;
