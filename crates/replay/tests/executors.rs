//! Both executors give every program the same meaning: random straight-line blocks in a loop.

mod common;

use common::*;
use proptest::prelude::*;
use whydunit_model::{FloatOp, FloatPred, IntOp, IntPred, Op, Opnd, Scalar, Switch};
use whydunit_replay::{At, Nothing, Observer};

struct Watch;

impl Observer for Watch {
    const OPS: bool = true;
    fn op(&mut self, _at: &At<'_>, _op: &Op) {}
}

const SLOTS: u32 = 12;

const WIDTHS: [u8; 5] = [64, 32, 16, 8, 1];
const SIZES: [Scalar; 6] =
    [Scalar::Int(8), Scalar::Int(16), Scalar::Int(32), Scalar::Int(64), Scalar::Ptr, Scalar::F64];
const INTS: [IntOp; 11] = [
    IntOp::Add,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::Shl,
    IntOp::LShr,
    IntOp::AShr,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::SMax,
    IntOp::UMin,
];
const PREDICATES: [IntPred; 10] = [
    IntPred::Eq,
    IntPred::Ne,
    IntPred::Ugt,
    IntPred::Uge,
    IntPred::Ult,
    IntPred::Ule,
    IntPred::Sgt,
    IntPred::Sge,
    IntPred::Slt,
    IntPred::Sle,
];

/// An operand cut to a width: values are zero-extended in their slots.
fn narrow(build: &mut Build, operand: Opnd, w: u8) -> Opnd {
    let dst = build.slot();
    build.op(Op::Trunc { to: w, dst, a: operand });
    Opnd::slot(dst)
}

/// What a random number makes at a place of the program.
fn pick(choice: u32, x: u32, y: u32, z: u32, build: &mut Build, first: u32, buffer: Opnd) {
    let slot = |n: u32| first + n % SLOTS;
    let operand = |n: u32| Opnd::slot(slot(n));
    let w = WIDTHS[(y % 5) as usize];
    let ty = SIZES[(z % 6) as usize];
    let (mut a, mut b) = (operand(x), operand(z));
    if x.is_multiple_of(7) {
        a = build.word(u64::from(z).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    let dst = slot(y);
    match choice % 14 {
        0..=2 => {
            (a, b) = (narrow(build, a, w), narrow(build, b, w));
            let op = INTS[(x % 11) as usize];
            build.op(Op::Int { op, w, flags: Default::default(), dst, a, b });
        }
        3 => {
            (a, b) = (narrow(build, a, w), narrow(build, b, w));
            build.op(Op::ICmp { pred: PREDICATES[(x % 10) as usize], w, dst, a, b });
        }
        4 => {
            let a = narrow(build, a, w);
            build.op(Op::SExt { from: w, to: 64, dst, a });
        }
        5 => {
            build.op(Op::Copy { n: 1, dst, a });
        }
        // Loads and stores in a buffer of 4 KiB, plain, with an offset, with an index of either width.
        6 => {
            let p = build.slot();
            build.op(Op::PtrAdd { dst: p, base: buffer, offset: i64::from(x % 2000) });
            build.op(Op::Store { ty, value: b, addr: Opnd::slot(p) });
        }
        7 => {
            let p = build.slot();
            build.op(Op::PtrAdd { dst: p, base: buffer, offset: i64::from(x % 2000) });
            build.op(Op::Load { ty, dst, addr: Opnd::slot(p) });
        }
        8 | 9 => indexed(build, (choice, x, y, z), dst, [a, b], ty, buffer),
        10 => {
            let ops = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
            build.op(Op::Float { op: ops[(x % 4) as usize], ty: Scalar::F64, dst, a, b });
        }
        11 => {
            let preds = [FloatPred::Oeq, FloatPred::Olt, FloatPred::Une, FloatPred::Uno];
            build.op(Op::FCmp { pred: preds[(x % 4) as usize], ty: Scalar::F64, dst, a, b });
        }
        12 => {
            build.op(Op::Select { n: 1, dst, cond: operand(x + 1), a, b });
        }
        _ => {
            build.op(Op::FToInt { from: Scalar::F64, signed: true, w: 32, dst, a });
        }
    }
}

/// A load or a store with an index of either width, by random numbers.
fn indexed(
    build: &mut Build,
    (choice, x, y, z): (u32, u32, u32, u32),
    dst: u32,
    [a, b]: [Opnd; 2],
    ty: Scalar,
    buffer: Opnd,
) {
    let (index, wide, p) = (narrow(build, a, 8), build.slot(), build.slot());
    let w = if choice.is_multiple_of(2) { 64 } else { 32 };
    let index = if x.is_multiple_of(3) {
        build.op(Op::SExt { from: 32, to: 64, dst: wide, a: index });
        Opnd::slot(wide)
    } else {
        index
    };
    build.op(Op::PtrIndex { w, dst: p, base: buffer, index, scale: i64::from(z % 8) });
    if y.is_multiple_of(2) {
        build.op(Op::Load { ty, dst, addr: Opnd::slot(p) });
    } else {
        build.op(Op::Store { ty, value: b, addr: Opnd::slot(p) });
    }
    if x.is_multiple_of(5) {
        // Another reader: the address is written after all.
        build.op(Op::Copy { n: 1, dst, a: Opnd::slot(p) });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn fused_code_means_what_the_model_says(
        blocks in prop::collection::vec(prop::collection::vec(any::<(u32, u32, u32, u32)>(), 1..12), 2..6),
        seeds in any::<[u64; SLOTS as usize]>(),
    ) {
        let count = blocks.len() as u32;
        let mut main = Build::new("main", &[Scalar::Int(32), Scalar::Ptr]);
        let buffer = main.object(4096);
        let first = main.slots(SLOTS);
        for (n, seed) in seeds.iter().enumerate() {
            let a = main.word(*seed);
            main.op(Op::Copy { n: 1, dst: first + n as u32, a });
        }
        let (rounds, one, zero) = (main.slot(), main.word(1), main.word(0));
        main.op(Op::Copy { n: 1, dst: rounds, a: zero });
        main.op(Op::Safepoint).end(Op::Jump { to: 1 });
        // Block 1 counts and decides; the others do their work and come back to it in different ways.
        let (more, limit, next) = (main.slot(), main.word(60), main.slot());
        main.op(Op::Safepoint);
        main.op(Op::Int { op: IntOp::Add, w: 64, flags: Default::default(), dst: rounds, a: Opnd::slot(rounds), b: one });
        main.op(Op::ICmp { pred: IntPred::Ult, w: 64, dst: more, a: Opnd::slot(rounds), b: limit });
        main.end(Op::Branch { cond: Opnd::slot(more), then: 2, els: 3 });
        let (seed, mask) = (Opnd::slot(first), main.word(7));
        main.op(Op::Int { op: IntOp::And, w: 64, flags: Default::default(), dst: next, a: seed, b: mask });
        main.function.switches.push(Switch {
            cases: (0..count).map(|n| (u64::from(n), 4 + n)).collect(),
            default: 4,
        });
        main.end(Op::Switch { w: 64, value: Opnd::slot(next), table: 0 });
        main.ret(1, zero);
        for (number, block) in blocks.iter().enumerate() {
            for &(choice, x, y, z) in block {
                pick(choice, x, y, z, &mut main, first, buffer);
            }
            // The first slot changes in every round, so that the switch goes on.
            main.op(Op::Int { op: IntOp::Add, w: 64, flags: Default::default(), dst: first, a: Opnd::slot(first), b: one });
            if number % 2 == 0 {
                main.op(Op::Copy { n: 1, dst: first + 1, a: Opnd::slot(first + 2) });
            }
            main.end(Op::Jump { to: 1 });
        }
        let module = module(vec![main.done(&[Scalar::Int(32)])], vec![]);
        let stop = |at: &At<'_>| matches!(at.op(), Op::Return { .. });
        let mut states = Vec::new();
        for watched in [false, true] {
            let mut machine = machine(&module, vec![]);
            // To the last round, then to the return.
            if watched {
                machine.run_until(61, &mut Watch).unwrap();
            } else {
                machine.run_until(61, &mut Nothing).unwrap();
            }
            prop_assert!(machine.run_to(61, stop, &mut Nothing).unwrap());
            let frame = machine.core.frames[0];
            let slots = machine.core.slots[frame.base + first as usize..][..SLOTS as usize].to_vec();
            let bytes = machine.core.memory.read_vec(frame.stack_base, 4096);
            states.push((slots, bytes, machine.core.instructions, machine.core.counter));
        }
        prop_assert_eq!(&states[0], &states[1]);
    }
}
