//! Streams of C++: bytes on their way into a buffer that may be the library's are looked at as an argument of a library
//! function would be.

use whydunit_llvm::{Builder, IntPredicate, Module};

use crate::{CHECK_RANGE, bodies, instructions};

/// `std::streambuf::sputn`: hands pointer and length on to a virtual function.
const SPUTN: &str = "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl";

pub(crate) fn check_bytes(module: &Module) {
    let Some(function) = bodies(module).find(|function| function.name() == SPUTN) else { return };
    let builder = Builder::new(module);
    let (ptr, int) = (module.ptr_type(0), module.int_type(64));
    let ty = module.function_type(module.void_type(), &[ptr, int], false);
    for call in instructions(function).filter(|instruction| instruction.calls()).collect::<Vec<_>>() {
        let virtual_one = call.called().is_some_and(|called| !called.is_function());
        let (Some(bytes), Some(count)) = (call.arg(1).filter(|_| virtual_one), call.arg(2)) else { continue };
        builder.before(call);
        builder.set_location(call.debug_location());
        let some = builder.icmp(IntPredicate::LLVMIntSGT, count, int.zero());
        let length = builder.select(some, count, int.zero());
        builder.call(ty, module.get_or_declare(CHECK_RANGE, ty), &[bytes, length]);
    }
}
