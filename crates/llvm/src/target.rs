//! Code generation for x86-64.

use std::sync::Once;

use llvm_sys::{core, target, target_machine as tm};

use crate::{
    Error, Module,
    module::{bytes_of, c_string, take_string},
};

/// A code generator: x86-64, position-independent, ELF.
pub struct TargetMachine {
    pub(crate) raw: tm::LLVMTargetMachineRef,
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { tm::LLVMDisposeTargetMachine(self.raw) }
    }
}

/// How hard the code generator tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodegenLevel {
    /// Quick: fast instruction selection and register allocation.
    None,
    /// As `-O1`.
    Less,
    /// As `-O2`.
    Default,
}

static INITIALIZE: Once = Once::new();

impl TargetMachine {
    /// The generator for a triple. Features of functions come from their own attributes.
    pub fn new(triple: &str, level: CodegenLevel) -> Result<TargetMachine, Error> {
        let wrong = |reason: String| Error::Codegen { step: format!("target {triple}"), reason };
        if !triple.starts_with("x86_64-") {
            return Err(wrong("only x86-64 is supported; compile for this machine".to_owned()));
        }
        // SAFETY: the initialisers run once; strings are NUL-ended.
        unsafe {
            INITIALIZE.call_once(|| {
                target::LLVMInitializeX86TargetInfo();
                target::LLVMInitializeX86Target();
                target::LLVMInitializeX86TargetMC();
                target::LLVMInitializeX86AsmPrinter();
                target::LLVMInitializeX86AsmParser();
                // LLVM 22 merges neighbouring stores without looking at their address spaces, and so takes a store to
                // the shadow for one to the real memory beside it.
                let arguments = [
                    c"whydunit".as_ptr(),
                    c"-combiner-store-merging=false".as_ptr(),
                    c"-combiner-shrink-load-replace-store-with-store=false".as_ptr(),
                ];
                llvm_sys::support::LLVMParseCommandLineOptions(3, arguments.as_ptr(), std::ptr::null());
            });
            let triple_c = c_string(triple);
            let (mut found, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            if tm::LLVMGetTargetFromTriple(triple_c.as_ptr(), &mut found, &mut message) != 0 {
                return Err(wrong(take_string(message)));
            }
            let raw = tm::LLVMCreateTargetMachine(
                found,
                triple_c.as_ptr(),
                c"x86-64".as_ptr(),
                c"".as_ptr(),
                match level {
                    CodegenLevel::None => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
                    CodegenLevel::Less => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
                    CodegenLevel::Default => tm::LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                },
                tm::LLVMRelocMode::LLVMRelocPIC,
                tm::LLVMCodeModel::LLVMCodeModelDefault,
            );
            if raw.is_null() {
                return Err(wrong("LLVM has no code generator for it".to_owned()));
            }
            Ok(TargetMachine { raw })
        }
    }

    /// The module as an object file.
    pub fn emit_object(&self, module: &Module) -> Result<Vec<u8>, Error> {
        let (mut message, mut buffer) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: module and machine live; message and buffer are ours to dispose.
        let (failed, result) = unsafe {
            let failed = tm::LLVMTargetMachineEmitToMemoryBuffer(
                self.raw,
                module.raw,
                tm::LLVMCodeGenFileType::LLVMObjectFile,
                &mut message,
                &mut buffer,
            );
            if failed != 0 {
                (true, take_string(message).into_bytes())
            } else {
                let bytes = bytes_of(core::LLVMGetBufferStart(buffer), core::LLVMGetBufferSize(buffer));
                core::LLVMDisposeMemoryBuffer(buffer);
                (false, bytes)
            }
        };
        let diagnostics = module.take_diagnostics();
        let errors: Vec<&str> = diagnostics.iter().filter(|(error, _)| *error).map(|(_, text)| text.as_str()).collect();
        if failed {
            let reason = String::from_utf8_lossy(&result).into_owned();
            Err(Error::Codegen { step: format!("code for {}", module.name()), reason })
        } else if !errors.is_empty() {
            Err(Error::Codegen { step: format!("code for {}", module.name()), reason: errors.join("; ") })
        } else {
            Ok(result)
        }
    }
}
