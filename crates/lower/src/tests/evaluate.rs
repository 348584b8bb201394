//! A small evaluator for code without memory, calls and floats, to check what lowering means.

use whydunit_canonical::layout::Layout;
use whydunit_llvm::Module;
use whydunit_model::{self as model, Function, IntOp, IntPred, Op, Opnd};

/// Lowers textual IR.
pub fn model_of(text: &str) -> model::Module {
    let module = Module::parse_text(text, "test").unwrap();
    module.verify().unwrap();
    crate::lower(&module, &Layout::of(&module), "id").unwrap()
}

/// The words that function `name` of the IR returns for the argument words.
pub fn run(text: &str, name: &str, args: &[u64]) -> Vec<u64> {
    let module = model_of(text);
    let function = module.functions.iter().find(|function| function.name == name).unwrap();
    evaluate(function, args)
}

fn mask(w: u8) -> u64 {
    if w >= 64 { u64::MAX } else { (1 << w) - 1 }
}

fn signed(w: u8, value: u64) -> i64 {
    ((value << (64 - w)) as i64) >> (64 - w)
}

/// What an operation gives, with bits above its width.
fn integer(op: IntOp, w: u8, a: u64, b: u64) -> u64 {
    match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a << b,
        IntOp::LShr => a >> b,
        IntOp::AShr => (signed(w, a) >> b) as u64,
        other => panic!("{other:?}"),
    }
}

fn holds(pred: IntPred, w: u8, a: u64, b: u64) -> bool {
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ult => a < b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ule => a <= b,
        IntPred::Slt => signed(w, a) < signed(w, b),
        IntPred::Sgt => signed(w, a) > signed(w, b),
        IntPred::Sge => signed(w, a) >= signed(w, b),
        IntPred::Sle => signed(w, a) <= signed(w, b),
    }
}

pub fn evaluate(function: &Function, args: &[u64]) -> Vec<u64> {
    // Slots that were never written hold a pattern that no test expects.
    let mut slots = vec![0xDEAD_BEEF_DEAD_BEEF; function.slots as usize];
    slots[..args.len()].copy_from_slice(args);
    let consts: Vec<u64> = function.consts.iter().map(|word| word.resolve(&|_| 0)).collect();
    let mut pc = 0;
    for _ in 0..10_000 {
        let get = |operand: Opnd, slots: &[u64]| match operand.is_const() {
            true => consts[operand.index() as usize],
            false => slots[operand.index() as usize],
        };
        let at = |block: u32| function.blocks[block as usize].start as usize;
        let op = &function.code[pc];
        pc += 1;
        match *op {
            Op::Int { op, w, dst, a, b, .. } => {
                let (a, b) = (get(a, &slots), get(b, &slots));
                assert!(a <= mask(w) && b <= mask(w), "inputs are zero-extended");
                slots[dst as usize] = integer(op, w, a, b) & mask(w);
            }
            Op::ICmp { pred, w, dst, a, b } => {
                let (a, b) = (get(a, &slots), get(b, &slots));
                slots[dst as usize] = holds(pred, w, a, b).into();
            }
            Op::Trunc { to, dst, a } => slots[dst as usize] = get(a, &slots) & mask(to),
            Op::ZExt { dst, a, to, .. } => {
                slots[dst as usize] = get(a, &slots);
                if to > 64 {
                    slots[dst as usize + 1] = 0;
                }
            }
            Op::SExt { from, to, dst, a } => slots[dst as usize] = signed(from, get(a, &slots)) as u64 & mask(to),
            Op::Copy { n, dst, a } => {
                for word in 0..u32::from(n) {
                    slots[(dst + word) as usize] = get(a.word(word), &slots);
                }
            }
            Op::Select { n, dst, cond, a, b } => {
                let from = if get(cond, &slots) != 0 { a } else { b };
                for word in 0..u32::from(n) {
                    slots[(dst + word) as usize] = get(from.word(word), &slots);
                }
            }
            Op::PtrAdd { dst, base, offset } => {
                slots[dst as usize] = get(base, &slots).wrapping_add(offset as u64);
            }
            Op::PtrIndex { w, dst, base, index, scale } => {
                let index = signed(w, get(index, &slots));
                slots[dst as usize] = get(base, &slots).wrapping_add(index.wrapping_mul(scale) as u64);
            }
            Op::Jump { to } => pc = at(to),
            Op::Branch { cond, then, els } => pc = at(if get(cond, &slots) != 0 { then } else { els }),
            Op::Switch { value, table, .. } => {
                let switch = &function.switches[table as usize];
                let value = get(value, &slots);
                let case = switch.cases.iter().find(|case| case.0 == value);
                pc = at(case.map_or(switch.default, |case| case.1));
            }
            Op::Return { n, a } => return (0..u32::from(n)).map(|word| get(a.word(word), &slots)).collect(),
            ref other => panic!("{other:?}"),
        }
    }
    panic!("does not end");
}
