//! What a function has on the emulated stack, and what it keeps to itself.

use whydunit_canonical::layout::{self, FrameLayout};
use whydunit_llvm::{Builder, Value};

use super::{abi::Registers, context::Context};

/// What a function has on the emulated stack, and what it keeps to itself on the native one.
pub(crate) struct Frame {
    pub(super) layout: FrameLayout,
    /// The emulated stack pointer is moved and must be put back.
    pub(super) moves: bool,
    pub(super) setjmp: bool,
    pub(super) variadic: bool,
    pub(super) entered: bool,
    /// The emulated stack pointer at entry.
    pub(super) old: Option<Value>,
    /// Native volatile slots: counter after entry, emulated stack pointer before a setjmp.
    pub(super) serial: Option<Value>,
    pub(super) before: Option<Value>,
    /// The function has landing pads, and dynamic stack objects.
    pub(super) lands: bool,
    pub(super) dynamic: bool,
    /// The emulated stack pointer between calls, for landing pads; a native slot that has it where there are dynamic objects.
    pub(super) level: Option<Value>,
    /// The area of the variadic arguments, and what of it fixed ones took.
    pub(super) area: Option<(Value, Registers)>,
    /// A variadic function that external code called sets the state on return.
    pub(super) external: Option<Value>,
    pub(super) buffer: Option<(Value, u64)>,
    pub(crate) notes: Vec<String>,
}

impl Frame {
    pub(crate) fn of(context: &Context, function: Value, setjmp: bool) -> Frame {
        let layout = FrameLayout::of(context.module, function);
        let variadic = function.value_type().is_variadic();
        let dynamic = function
            .blocks()
            .flat_map(|block| block.instructions())
            .any(|instruction| instruction.is_alloca() && !layout::is_static(instruction));
        Frame {
            moves: layout.size != 0 || dynamic || variadic,
            layout,
            setjmp,
            variadic,
            entered: false,
            old: None,
            serial: None,
            before: None,
            lands: function.blocks().flat_map(|block| block.instructions()).any(Value::is_landing_pad),
            dynamic,
            level: None,
            area: None,
            external: None,
            buffer: None,
            notes: Vec::new(),
        }
    }

    /// A native buffer of so many words.
    pub(crate) fn buffer(&mut self, context: &Context, function: Value, words: u64) -> Value {
        if let Some((buffer, size)) = self.buffer
            && size >= words
        {
            return buffer;
        }
        let buffer = native(context, function, words);
        self.buffer = Some((buffer, words));
        buffer
    }
}

/// A native stack object of so many words.
pub(super) fn native(context: &Context, function: Value, words: u64) -> Value {
    let builder = Builder::new(context.module);
    if let Some(first) = function.entry_block().and_then(|entry| entry.first_instruction()) {
        builder.before(first);
    }
    let object = builder.alloca(context.module.array_type(context.types.i64, words));
    object.set_alignment(16);
    object
}
