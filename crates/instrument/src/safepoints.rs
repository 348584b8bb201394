//! Safepoints in the compiled copy: how they are counted, and how those that come together are counted as one.

use whydunit_llvm::{AttributePlace, Builder, Module, Opcode, Value};

use crate::record::context::{CONTROL, COUNTER};

const CLOBBERS: &str = "~{memory},~{flags},~{dirflag},~{fpsr}";

/// Counts one safepoint, by one instruction, so that the counter page can be made read-only to stop exactly here. Nothing
/// moves across: a handler or another thread that runs here sees memory as the model has it, and what it writes is seen
/// afterwards.
pub(crate) fn count(module: &Module, builder: &Builder) {
    add(module, builder, &one());
}

fn one() -> String {
    format!("incq {COUNTER}")
}

fn add(module: &Module, builder: &Builder, text: &str) {
    let ty = module.function_type(module.void_type(), &[], false);
    let call = builder.call(ty, module.asm(ty, text, CLOBBERS, true), &[]);
    call.add_attribute(AttributePlace::Function, module.attribute("nounwind", 0));
}

/// Counts safepoints of a block at the first of them, where nothing between them can tell: the functions that were inlined
/// there have one each. What is delivered at a safepoint is delivered at the first one then, before anything is counted.
pub(crate) fn merge(module: &Module) {
    let builder = Builder::new(module);
    let one = one();
    for block in module.functions().flat_map(Value::blocks) {
        let mut run: Vec<Value> = Vec::new();
        for instruction in block.instructions().collect::<Vec<_>>() {
            if text_of(instruction).is_some_and(|text| text == one) {
                run.push(instruction);
            } else if !is_blind(instruction) {
                replace(module, &builder, &mut run);
            }
        }
        replace(module, &builder, &mut run);
    }
}

fn replace(module: &Module, builder: &Builder, run: &mut Vec<Value>) {
    if run.len() > 1 {
        builder.before(run[0]);
        add(module, builder, &format!("addq $${}, {COUNTER}", run.len()));
        run.iter().for_each(|safepoint| safepoint.erase());
    }
    run.clear();
}

fn text_of(instruction: Value) -> Option<String> {
    if !instruction.is_call() {
        return None;
    }
    Some(instruction.called()?.inline_asm()?.0)
}

/// Whether an instruction neither ends the run nor writes to the log nor looks at the counter, whatever its operands: it
/// works on registers and cannot trap, or is an access to the recorder's own state.
fn is_blind(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp
        | LLVMSelect | LLVMFreeze | LLVMGetElementPtr | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt
        | LLVMIntToPtr | LLVMBitCast | LLVMExtractValue | LLVMInsertValue | LLVMPHI => true,
        LLVMLoad => instruction.operand(0).is_some_and(is_control),
        LLVMStore => instruction.operand(1).is_some_and(is_control),
        _ => false,
    }
}

/// Whether an address is a fixed one on the state page.
fn is_control(address: Value) -> bool {
    address.expression_opcode() == Some(Opcode::LLVMIntToPtr)
        && address.operand(0).and_then(Value::int_value).is_some_and(|at| CONTROL.contains(&at))
}
