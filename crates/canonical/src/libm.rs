//! Math intrinsics whose result the machine has no single instruction for: calls of the C library.

use whydunit_llvm::{Builder, Module, Value};

/// The function of libm (or the compiler's library) for an intrinsic; none where there is none.
pub(crate) fn function_of(intrinsic: &str) -> Option<String> {
    let mut parts = intrinsic.strip_prefix("llvm.")?.split('.');
    let operation = parts.next()?;
    let float = parts.find(|part| part.starts_with('f'))?;
    let suffix = match float {
        "f32" => "f",
        "f64" => "",
        "f80" => "l",
        _ => return None,
    };
    let compiler = match float {
        "f32" => "sf",
        "f64" => "df",
        _ => "xf",
    };
    match operation {
        "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "exp" | "exp2"
        | "exp10" | "log" | "log2" | "log10" | "pow" | "lround" | "llround" | "lrint" | "llrint" | "ldexp"
        | "frexp" | "modf" | "sincos" => Some(format!("{operation}{suffix}")),
        "powi" => Some(format!("__powi{compiler}2")),
        _ => None,
    }
}

/// The call in place of the intrinsic's, at the builder's position.
pub(crate) fn call(module: &Module, builder: &Builder, intrinsic: &str, call: Value) -> Option<Value> {
    let name = function_of(intrinsic)?;
    let ret = call.called_type()?.return_type()?;
    // Constrained forms carry metadata behind their operands.
    let args: Vec<Value> = call.args().filter(|arg| arg.ty() != module.metadata_type()).collect();
    let params: Vec<_> = args.iter().map(|arg| arg.ty()).collect();
    let ty = module.function_type(ret, &params, false);
    if !ret.is_struct() {
        let function = module.get_or_declare(&name, ty);
        return Some(builder.call(ty, function, &args));
    }
    // frexp and modf give one part as result, the other through a pointer; sincos both through pointers.
    let entry = call.block()?.parent()?.entry_block()?;
    let (first, second) = (ret.element(0)?, ret.element(1)?);
    builder.before_with_records(entry.first_instruction()?);
    builder.set_location(None);
    let both = name.starts_with("sincos");
    let a = both.then(|| builder.alloca(first));
    let b = builder.alloca(second);
    builder.before(call);
    builder.set_location(call.debug_location());
    let ptr = module.ptr_type(0);
    let mut params = ty.param_types();
    params.extend(a.map(|_| ptr));
    params.push(ptr);
    let function_type = module.function_type(if both { module.void_type() } else { first }, &params, false);
    let mut passed = args;
    passed.extend(a);
    passed.push(b);
    let function = module.get_or_declare(&name, function_type);
    let result = builder.call(function_type, function, &passed);
    let one = a.map_or(result, |a| builder.load(first, a, 0));
    let other = builder.load(second, b, 0);
    let whole = builder.insert(ret.zero(), one, 0);
    Some(builder.insert(whole, other, 1))
}
