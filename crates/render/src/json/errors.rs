//! What a run does wrong, as JSON.

use serde_json::{Value, json as value};
use whydunit_findings::{Access, MemoryError, MemoryObject, UndefinedBehaviour};

use super::{list, location, option, text, with, with_calls};

/// Undefined behaviour.
pub fn undefined_behaviour(found: &UndefinedBehaviour) -> Value {
    let object = value!({
        "kind": found.kind,
        "location": option(&found.location, location),
        "function": found.function,
        "message": found.message,
        "times": found.times,
    });
    with_calls(object, "stack", &found.stack)
}

/// A memory error.
pub fn memory_error(error: &MemoryError) -> Value {
    let object = value!({
        "kind": error.kind,
        "location": option(&error.location, location),
        "function": error.function,
        "message": error.message,
        "access": option(&error.access, access),
        "object": option(&error.object, memory_object),
    });
    with_calls(object, "stack", &error.stack)
}

fn access(access: &Access) -> Value {
    value!({ "kind": if access.write { "write" } else { "read" }, "size": access.size })
}

fn memory_object(object: &MemoryObject) -> Value {
    let told = value!({
        "kind": object.kind,
        "name": object.name,
        "size": object.size,
        "offset": object.offset,
        "allocated": option(&object.allocated, location),
        "freed": option(&object.freed, location),
    });
    let wrappers = (!object.wrappers.is_empty()).then_some(&object.wrappers);
    let told = with(told, "wrappers", &wrappers, |it| list(it, |name| text(name)));
    let told = with_calls(told, "allocated_stack", &object.allocation);
    with_calls(told, "freed_stack", &object.freeing)
}
