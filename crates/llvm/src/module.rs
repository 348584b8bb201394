//! Modules: reading, writing, listing.

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_void},
    path::Path,
    rc::Rc,
};

use llvm_sys::{LLVMDiagnosticSeverity, analysis, bit_reader, bit_writer, core, ir_reader, prelude::*, target};

use crate::{Type, Value};

/// What LLVM refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}: {reason}")]
    File {
        /// Which.
        path: String,
        /// LLVM's or the system's words.
        reason: String,
    },
    /// Bytes are no bitcode or IR of a version that LLVM reads.
    #[error("{name} is no LLVM 22 bitcode: {reason}; compile it with clang 22 or older")]
    Parse {
        /// Name given to the input.
        name: String,
        /// LLVM's words.
        reason: String,
    },
    /// The verifier found the module broken.
    #[error("the module {name} is not valid IR: {reason}")]
    Invalid {
        /// Name of the module.
        name: String,
        /// The verifier's words.
        reason: String,
    },
    /// A pass pipeline or the code generator failed.
    #[error("{step}: {reason}")]
    Codegen {
        /// What was being done.
        step: String,
        /// LLVM's words.
        reason: String,
    },
}

/// A context and the diagnostics that LLVM reported in it.
pub(crate) struct Context {
    pub(crate) raw: LLVMContextRef,
    // Boxed: LLVM keeps its address.
    diagnostics: Box<RefCell<Vec<(bool, String)>>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: `sink` is the box of the context that reports; LLVM calls on the context's own thread.
    unsafe {
        let sink = &*(sink as *const RefCell<Vec<(bool, String)>>);
        let error = matches!(core::LLVMGetDiagInfoSeverity(info), LLVMDiagnosticSeverity::LLVMDSError);
        let text = take_string(core::LLVMGetDiagInfoDescription(info));
        sink.borrow_mut().push((error, text));
    }
}

impl Context {
    fn new() -> Rc<Context> {
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        // SAFETY: plain calls; the handler's argument lives as long as the context.
        let raw = unsafe {
            let raw = core::LLVMContextCreate();
            core::LLVMContextSetDiagnosticHandler(raw, Some(collect), &raw const *diagnostics as *mut c_void);
            raw
        };
        Rc::new(Context { raw, diagnostics })
    }

    fn take_diagnostics(&self) -> Vec<(bool, String)> {
        std::mem::take(&mut self.diagnostics.borrow_mut())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules hold the context by reference count, so none is left.
        unsafe { core::LLVMContextDispose(self.raw) }
    }
}

/// Takes ownership of a message that LLVM allocated.
///
/// # Safety
/// `text` is null or was returned by LLVM as a message to dispose.
pub(crate) unsafe fn take_string(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: per contract a NUL-ended string of LLVM's.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        core::LLVMDisposeMessage(text);
        owned
    }
}

/// Copies bytes that belong to LLVM.
///
/// # Safety
/// `data` is null or `len` readable bytes.
pub(crate) unsafe fn bytes_of(data: *const c_char, len: usize) -> Vec<u8> {
    if data.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: per contract.
    unsafe { std::slice::from_raw_parts(data as *const u8, len) }.to_vec()
}

/// As [`bytes_of`], as text.
///
/// # Safety
/// As [`bytes_of`].
pub(crate) unsafe fn text_of(data: *const c_char, len: usize) -> String {
    // SAFETY: per contract.
    String::from_utf8_lossy(&unsafe { bytes_of(data, len) }).into_owned()
}

/// A C string of `text` up to its first NUL.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

/// An LLVM module with its context. Not sendable: each worker thread parses its own.
pub struct Module {
    pub(crate) raw: LLVMModuleRef,
    pub(crate) context: Rc<Context>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: owned; the context outlives it through its reference count.
        unsafe { core::LLVMDisposeModule(self.raw) }
    }
}

impl Module {
    /// Whether the module has this flag (`PIC Level`, `PIE Level`, …).
    pub fn has_flag(&self, name: &str) -> bool {
        // SAFETY: the module is alive; the name is passed with its length.
        !unsafe { llvm_sys::core::LLVMGetModuleFlag(self.raw, name.as_ptr().cast(), name.len()) }.is_null()
    }

    /// An empty module in a context of its own.
    pub fn new(name: &str) -> Module {
        let context = Context::new();
        // SAFETY: plain call.
        let raw = unsafe { core::LLVMModuleCreateWithNameInContext(c_string(name).as_ptr(), context.raw) };
        Module { raw, context }
    }

    /// Reads a bitcode file.
    pub fn read(path: &Path) -> Result<Module, Error> {
        let bytes = std::fs::read(path)
            .map_err(|error| Error::File { path: path.display().to_string(), reason: error.to_string() })?;
        Self::parse(&bytes, &path.display().to_string())
    }

    /// Parses bitcode; `name` names it in errors.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Module, Error> {
        let context = Context::new();
        let mut raw = std::ptr::null_mut();
        // SAFETY: the buffer copies the bytes; parsing is not lazy, so the buffer can go afterwards.
        let failed = unsafe {
            let buffer = core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr() as *const c_char,
                bytes.len(),
                c_string(name).as_ptr(),
            );
            let failed = bit_reader::LLVMParseBitcodeInContext2(context.raw, buffer, &mut raw);
            core::LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        if failed != 0 || raw.is_null() {
            return Err(Error::Parse { name: name.to_owned(), reason: reasons(&context.take_diagnostics()) });
        }
        Ok(Module { raw, context })
    }

    /// Parses textual IR (or bitcode).
    pub fn parse_text(text: &str, name: &str) -> Result<Module, Error> {
        let context = Context::new();
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: the buffer copies the text (and ends it with NUL, as the parser wants); the parser takes the buffer over.
        let (failed, message) = unsafe {
            let buffer = core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
                text.as_ptr() as *const c_char,
                text.len(),
                c_string(name).as_ptr(),
            );
            #[allow(deprecated)]
            let failed = ir_reader::LLVMParseIRInContext(context.raw, buffer, &mut raw, &mut message);
            (failed, if failed != 0 { take_string(message) } else { String::new() })
        };
        if failed != 0 || raw.is_null() {
            return Err(Error::Parse { name: name.to_owned(), reason: message.trim().to_owned() });
        }
        Ok(Module { raw, context })
    }

    /// A copy in the same context.
    pub fn duplicate(&self) -> Module {
        // SAFETY: plain call.
        Module { raw: unsafe { core::LLVMCloneModule(self.raw) }, context: self.context.clone() }
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is ours to dispose.
        unsafe {
            let buffer = bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let bytes = bytes_of(core::LLVMGetBufferStart(buffer), core::LLVMGetBufferSize(buffer));
            core::LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Writes the bitcode to a file.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        std::fs::write(path, self.bitcode())
            .map_err(|error| Error::File { path: path.display().to_string(), reason: error.to_string() })
    }

    /// The module as textual IR.
    pub fn print(&self) -> String {
        // SAFETY: a message to dispose.
        unsafe { take_string(core::LLVMPrintModuleToString(self.raw)) }
    }

    /// Runs the verifier.
    pub fn verify(&self) -> Result<(), Error> {
        let mut message = std::ptr::null_mut();
        // SAFETY: a message to dispose.
        let (broken, reason) = unsafe {
            let broken = analysis::LLVMVerifyModule(
                self.raw,
                analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            );
            (broken != 0, take_string(message))
        };
        if broken { Err(Error::Invalid { name: self.name(), reason: reason.trim().to_owned() }) } else { Ok(()) }
    }

    /// What LLVM reported in this module's context since the last call: (is an error, text).
    pub fn take_diagnostics(&self) -> Vec<(bool, String)> {
        self.context.take_diagnostics()
    }

    /// The module's identifier.
    pub fn name(&self) -> String {
        let mut len = 0;
        // SAFETY: LLVM's own bytes.
        unsafe { text_of(core::LLVMGetModuleIdentifier(self.raw, &mut len), len) }
    }

    /// The source file as the compiler was given it.
    pub fn source_file(&self) -> String {
        let mut len = 0;
        // SAFETY: LLVM's own bytes.
        unsafe { text_of(core::LLVMGetSourceFileName(self.raw, &mut len), len) }
    }

    /// Target triple.
    pub fn triple(&self) -> String {
        // SAFETY: a NUL-ended string of LLVM's.
        unsafe { CStr::from_ptr(core::LLVMGetTarget(self.raw)) }.to_string_lossy().into_owned()
    }

    /// Data layout string.
    pub fn data_layout(&self) -> String {
        // SAFETY: a NUL-ended string of LLVM's.
        unsafe { CStr::from_ptr(core::LLVMGetDataLayoutStr(self.raw)) }.to_string_lossy().into_owned()
    }

    /// Module-level assembly.
    pub fn inline_asm(&self) -> String {
        let mut len = 0;
        // SAFETY: LLVM's own bytes.
        unsafe { text_of(core::LLVMGetModuleInlineAsm(self.raw, &mut len), len) }
    }

    /// Functions, in order. The current one may be erased.
    pub fn functions(&self) -> impl Iterator<Item = Value> + use<> {
        // SAFETY: handles of this module.
        chain(Value::new(unsafe { core::LLVMGetFirstFunction(self.raw) }), |value| {
            Value::new(unsafe { core::LLVMGetNextFunction(value.0) })
        })
    }

    /// Global variables, in order. The current one may be erased.
    pub fn globals(&self) -> impl Iterator<Item = Value> + use<> {
        // SAFETY: handles of this module.
        chain(Value::new(unsafe { core::LLVMGetFirstGlobal(self.raw) }), |value| {
            Value::new(unsafe { core::LLVMGetNextGlobal(value.0) })
        })
    }

    /// Aliases, in order. The current one may be erased.
    pub fn aliases(&self) -> impl Iterator<Item = Value> + use<> {
        // SAFETY: handles of this module.
        chain(Value::new(unsafe { core::LLVMGetFirstGlobalAlias(self.raw) }), |value| {
            Value::new(unsafe { core::LLVMGetNextGlobalAlias(value.0) })
        })
    }

    /// Indirect functions, in order. The current one may be erased.
    pub fn ifuncs(&self) -> impl Iterator<Item = Value> + use<> {
        // SAFETY: handles of this module.
        chain(Value::new(unsafe { core::LLVMGetFirstGlobalIFunc(self.raw) }), |value| {
            Value::new(unsafe { core::LLVMGetNextGlobalIFunc(value.0) })
        })
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<Value> {
        // SAFETY: plain call.
        Value::new(unsafe { core::LLVMGetNamedFunction(self.raw, c_string(name).as_ptr()) })
    }

    /// The global variable of that name.
    pub fn global(&self, name: &str) -> Option<Value> {
        // SAFETY: plain call.
        Value::new(unsafe { core::LLVMGetNamedGlobal(self.raw, c_string(name).as_ptr()) })
    }

    fn target_data(&self) -> target::LLVMTargetDataRef {
        // SAFETY: belongs to the module.
        unsafe { target::LLVMGetModuleDataLayout(self.raw) }
    }

    /// Bytes from one element of an array of `ty` to the next.
    pub fn size_of(&self, ty: Type) -> u64 {
        // SAFETY: a type of this context.
        if ty.is_sized() { unsafe { target::LLVMABISizeOfType(self.target_data(), ty.0) } } else { 0 }
    }

    /// Bytes that a store of `ty` writes.
    pub fn store_size_of(&self, ty: Type) -> u64 {
        // SAFETY: a type of this context.
        if ty.is_sized() { unsafe { target::LLVMStoreSizeOfType(self.target_data(), ty.0) } } else { 0 }
    }

    /// Size in bits.
    pub fn bits_of(&self, ty: Type) -> u64 {
        // SAFETY: a type of this context.
        if ty.is_sized() { unsafe { target::LLVMSizeOfTypeInBits(self.target_data(), ty.0) } } else { 0 }
    }

    /// The ABI's alignment.
    pub fn align_of(&self, ty: Type) -> u32 {
        // SAFETY: a type of this context.
        if ty.is_sized() { unsafe { target::LLVMABIAlignmentOfType(self.target_data(), ty.0) } } else { 1 }
    }

    /// Byte offset of a structure's element.
    pub fn offset_of(&self, structure: Type, element: u32) -> u64 {
        // SAFETY: a structure type of this context.
        unsafe { target::LLVMOffsetOfElement(self.target_data(), structure.0, element) }
    }
}

fn reasons(diagnostics: &[(bool, String)]) -> String {
    let texts: Vec<&str> = diagnostics.iter().map(|(_, text)| text.as_str()).collect();
    if texts.is_empty() { "no reason given".to_owned() } else { texts.join("; ") }
}

/// The list that starts with `first`; the successor is taken before an element is handed out, so that it may be erased.
pub(crate) fn chain<T: Copy>(first: Option<T>, next: impl Fn(T) -> Option<T>) -> impl Iterator<Item = T> {
    let mut current = first;
    std::iter::from_fn(move || {
        let now = current?;
        current = next(now);
        Some(now)
    })
}
