//! Classes and their methods.

use serde_json::{Value, json as value};
use whydunit_findings::{Class, ClassBase, ClassMethod, MethodReceiver, MethodTrait};

use super::{list, location, option, text};

/// A class of `show --classes`.
pub(super) fn class(class: &Class) -> Value {
    value!({
        "name": text(&class.name),
        "kind": class.kind,
        "library": class.library,
        "location": option(&class.location, location),
        "instances": class.instances,
        "bases": list(&class.bases, base),
        "methods": list(&class.methods, method),
    })
}

fn base(base: &ClassBase) -> Value {
    value!({
        "name": text(&base.name),
        "visibility": base.visibility,
        "virtual": base.offset.is_none(),
        "offset": base.offset,
    })
}

fn method(method: &ClassMethod) -> Value {
    value!({
        "name": text(&method.name),
        "kind": method.kind,
        "visibility": method.visibility,
        "virtual": method.virtuality,
        "overrides": option(&method.overrides, |class| text(class)),
        "receiver": option(&method.receiver, receiver),
        "arguments": method.arguments,
        "parameters": method.parameters,
        "result": text(&method.result),
        "trait": option(&method.implements, of_trait),
        "implicit": method.implicit,
        "code": method.code,
        "location": option(&method.location, location),
        "symbols": method.symbols,
    })
}

fn receiver(receiver: &MethodReceiver) -> Value {
    value!({ "parameter": receiver.parameter, "passing": receiver.passing, "const": receiver.constant })
}

fn of_trait(of: &MethodTrait) -> Value {
    value!({ "name": option(&of.name, |name| text(name)), "provided": of.provided })
}
