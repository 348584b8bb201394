//! Inline assembly: external code in the midst of captured code.

use whydunit_llvm::{AttributePlace, Value};

use super::{body::Body, call, context};

pub(crate) fn run(body: &mut Body, call: Value) {
    let context = body.context;
    let site = context.site(call);
    let constraints = call.called().and_then(Value::inline_asm).map(|(_, constraints)| constraints).unwrap_or_default();
    let outputs = memory_outputs(&constraints);
    context.write_control(context.types.i64.constant(1), context::STATE);
    body.keep(call);
    for index in outputs {
        let place = AttributePlace::Param(index);
        let (Some(address), Some(ty)) = (call.arg(index), call.type_attribute(place, "elementtype")) else { continue };
        let bytes = context.types.i64.constant(context.module.size_of(ty));
        context.call_runtime("__wd_write", context.types.void, &[address, bytes]);
    }
    call::returned(body, call, site);
}

/// Arguments that are addresses of memory which the assembly writes.
fn memory_outputs(constraints: &str) -> Vec<u32> {
    let mut outputs = Vec::new();
    let mut argument = 0;
    for constraint in constraints.split(',') {
        let indirect = constraint.contains('*');
        if constraint.starts_with('=') {
            if indirect {
                outputs.push(argument);
                argument += 1;
            }
        } else if !constraint.starts_with('~') && !constraint.starts_with('!') {
            argument += 1;
        }
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::memory_outputs;

    #[test]
    fn memory_outputs_are_found_among_the_arguments() {
        assert_eq!(memory_outputs("=*m,=r,r,*m,~{memory}"), [0]);
        assert_eq!(memory_outputs("=r,=*m,=*m,0,*m"), [0, 1]);
        assert_eq!(memory_outputs("=&r,r,~{flags}"), [] as [u32; 0]);
    }
}
