//! Snapshots, segments, what-if runs, inspection.

mod common;

use common::*;
use whydunit_model::{Callee, Const, IntOp, IntPred, Module, Op, Opnd, Scalar, Symbol};
use whydunit_replay::{Body, Change, End, Limits, Nothing, Observer, Patch, Segments, Stop, WhatIfStop};

const I32: Scalar = Scalar::Int(32);
const I64: Scalar = Scalar::Int(64);

fn int(op: IntOp, w: u8, dst: u32, a: Opnd, b: Opnd) -> Op {
    Op::Int { op, w, flags: Default::default(), dst, a, b }
}

/// long total; main: for (i = 0; i < 1000; i++) total += i; return total == 499500 ? 0 : 1.
/// long twice(long x) { total *= 2; return total + x; }   void ask(void) { unknown(); }   char *copy(void) { p = malloc(8); strcpy(p, text); return p; }
fn sums() -> Module {
    let total = Const::Addr(Symbol::Global(0), 0);
    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    let (i, zero, one, end, sum) = (main.slot(), main.word(0), main.word(1), main.word(1000), main.word(499_500));
    let address = main.constant(total.clone());
    main.op(Op::Safepoint).op(Op::Copy { n: 1, dst: i, a: zero }).end(Op::Jump { to: 1 });
    let (old, new, cond) = (main.slot(), main.slot(), main.slot());
    main.op(Op::Safepoint);
    main.op(Op::Load { ty: I64, dst: old, addr: address }).op(int(IntOp::Add, 64, new, Opnd::slot(old), Opnd::slot(i)));
    main.op(Op::Store { ty: I64, value: Opnd::slot(new), addr: address });
    main.op(int(IntOp::Add, 64, i, Opnd::slot(i), one));
    main.op(Op::ICmp { pred: IntPred::Ult, w: 64, dst: cond, a: Opnd::slot(i), b: end });
    main.end(Op::Branch { cond: Opnd::slot(cond), then: 1, els: 2 });
    let (last, differs, result) = (main.slot(), main.slot(), main.slot());
    main.op(Op::Load { ty: I64, dst: last, addr: address });
    main.op(Op::ICmp { pred: IntPred::Ne, w: 64, dst: differs, a: Opnd::slot(last), b: sum });
    main.op(Op::ZExt { from: 1, to: 32, dst: result, a: Opnd::slot(differs) }).ret(1, Opnd::slot(result));

    let mut twice = Build::new("twice", &[I64]);
    let address = twice.constant(total);
    let (old, new, sum) = (twice.slot(), twice.slot(), twice.slot());
    twice.op(Op::Safepoint).op(Op::Load { ty: I64, dst: old, addr: address });
    twice.op(int(IntOp::Add, 64, new, Opnd::slot(old), Opnd::slot(old)));
    twice.op(Op::Store { ty: I64, value: Opnd::slot(new), addr: address });
    twice.op(int(IntOp::Add, 64, sum, Opnd::slot(new), Opnd::slot(0))).ret(1, Opnd::slot(sum));

    let mut ask = Build::new("ask", &[]);
    ask.op(Op::Safepoint);
    ask.call(Callee::Direct(4), &[], &[]);
    let zero = ask.word(0);
    ask.ret(0, zero);

    let mut copy = Build::new("copy", &[]);
    copy.op(Op::Safepoint);
    let (size, text) = (copy.word(8), copy.constant(Const::Addr(Symbol::Global(1), 0)));
    let p = copy.call(Callee::Direct(5), &[(size, I64)], &[Scalar::Ptr]);
    copy.call(Callee::Direct(6), &[(Opnd::slot(p), Scalar::Ptr), (text, Scalar::Ptr)], &[Scalar::Ptr]);
    let n = copy.call(Callee::Direct(7), &[(Opnd::slot(p), Scalar::Ptr)], &[I64]);
    copy.call(Callee::Direct(8), &[(Opnd::slot(p), Scalar::Ptr)], &[I32]);
    copy.ret(1, Opnd::slot(n));
    let mut spread = Build::new("spread", &[I64, I64]);
    spread.op(Op::Safepoint);
    let (zero, address) = (spread.word(0), spread.constant(Const::Addr(Symbol::Global(1), 0)));
    let (size, written) = (Opnd::slot(0), Opnd::slot(1));
    spread.call(Callee::Direct(10), &[(address, Scalar::Ptr), (zero, I32), (size, I64)], &[Scalar::Ptr]);
    let n = spread.call(Callee::Direct(11), &[(zero, I32), (address, Scalar::Ptr), (written, I64)], &[I64]);
    spread.ret(1, Opnd::slot(n));
    let mut through = Build::new("through", &[I64]);
    through.op(Op::Safepoint);
    through.call(Callee::Indirect(Opnd::slot(0)), &[], &[]);
    let zero = through.word(0);
    through.ret(0, zero);
    // A framework's function that says that a check fails, where it is given 0.
    let mut check = Build::new("CU_assertImplementation", &[I32]);
    check.op(Op::Safepoint);
    let one = check.word(1);
    check.ret(1, one);
    let mut checks = Build::new("checks", &[I32]);
    checks.op(Op::Safepoint);
    let result = checks.call(Callee::Direct(13), &[(Opnd::slot(0), I32)], &[I32]);
    checks.ret(1, Opnd::slot(result));
    let functions = vec![
        main.done(&[I32]),
        twice.done(&[I64]),
        ask.done(&[]),
        copy.done(&[I64]),
        declared("unknown", &[], &[]),
        declared("malloc", &[I64], &[Scalar::Ptr]),
        declared("strcpy", &[Scalar::Ptr, Scalar::Ptr], &[Scalar::Ptr]),
        declared("strlen", &[Scalar::Ptr], &[I64]),
        declared("puts", &[Scalar::Ptr], &[I32]),
        spread.done(&[I64]),
        declared("memset", &[Scalar::Ptr, I32, I64], &[Scalar::Ptr]),
        declared("write", &[I32, Scalar::Ptr, I64], &[I64]),
        through.done(&[]),
        check.done(&[I32]),
        checks.done(&[I32]),
    ];
    module(functions, vec![global("total", &[], 8), global("text", b"seven..", 8)])
}

#[derive(Default)]
struct Loads(Vec<u64>);

impl Observer for Loads {
    const OPS: bool = true;
    fn op(&mut self, at: &whydunit_replay::At<'_>, op: &Op) {
        if let Op::Load { addr, .. } = op {
            self.0.push(at.memory().read_word(at.value(*addr)));
        }
    }
}

#[test]
fn segments_replay_the_run_piece_by_piece_and_backwards() {
    let module = sums();
    let mut whole = machine(&module, vec![]);
    let mut all = Loads::default();
    assert_eq!(whole.run(&mut all).unwrap(), End::Exited { status: Some(0) });

    let mut machine = machine(&module, vec![]);
    let segments = Segments::divide(&mut machine, 8, 100).unwrap();
    assert!((4..=9).contains(&segments.len()), "{}", segments.len());
    assert_eq!(segments.instructions(), whole.core.instructions);
    assert_eq!(segments.end(), Some(&End::Exited { status: Some(0) }));
    let mut pieces: Vec<Vec<u64>> = Vec::new();
    segments
        .backwards(
            &mut machine,
            |_, _| Loads::default(),
            |_, loads| {
                pieces.push(loads.0);
                true
            },
        )
        .unwrap();
    pieces.reverse();
    assert_eq!(pieces.concat(), all.0);
    let middle = whole.core.instructions / 2;
    let segment = segments.segment_of(middle);
    assert!(segments.start(segment).unwrap().instructions() <= middle);
    assert!(segments.start(segment + 1).is_none_or(|next| next.instructions() >= middle));
}

#[test]
fn a_what_if_run_leaves_no_trace() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    assert_eq!(machine.run_until(500, &mut Nothing).unwrap(), Stop::Reached);
    let total = global_address(0);
    let before = machine.core.memory.read_word(total);
    let unchanged = machine.what_if(&[], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(unchanged.stop, WhatIfStop::Exited { status: 0 });
    let bytes = vec![0; 8];
    let changed =
        machine.what_if(&[Change::Memory { address: total, bytes }], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(changed.stop, WhatIfStop::Exited { status: 1 });
    let i = Change::Slot { depth: 0, slot: 2, value: 990 };
    let short = machine.what_if(&[i], Limits::default(), &mut Nothing).unwrap();
    assert!(short.instructions < 100, "{}", short.instructions);
    let limits = Limits { instructions: 50, ..Limits::default() };
    let limited = machine.what_if(&[], limits, &mut Nothing).unwrap();
    assert_eq!(limited.stop, WhatIfStop::Limit { what: "instructions" });
    let unfit = machine.what_if(&[Change::Return { words: vec![3] }], Limits::default(), &mut Nothing).unwrap();
    assert!(matches!(unfit.stop, WhatIfStop::NoChange { .. }));
    assert_eq!((machine.core.memory.read_word(total), machine.core.counter), (before, 500));
    assert_eq!(machine.run(&mut Nothing).unwrap(), End::Exited { status: Some(0) });
}

#[test]
fn a_branch_or_an_operation_can_come_out_otherwise() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    let branch = module.functions[0].blocks[1].end - 1;
    assert!(machine.run_to(40, |at| at.pc == branch, &mut Nothing).unwrap());
    let out = machine.what_if(&[Change::Branch { to: 2 }], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(out.stop, WhatIfStop::Exited { status: 1 });
    assert!(machine.run_to(40, |at| matches!(at.op(), Op::Return { .. }), &mut Nothing).unwrap());
    let out = machine.what_if(&[Change::Return { words: vec![77] }], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(out.stop, WhatIfStop::Exited { status: 77 });
    assert_eq!(machine.run(&mut Nothing).unwrap(), End::Exited { status: Some(0) });
}

#[test]
fn inspection_calls_any_function_without_side_effects() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    machine.run_until(101, &mut Nothing).unwrap();
    let total = machine.core.memory.read_word(global_address(0));
    assert!(total > 0);
    let find = |name: &str| machine.code().find(name).unwrap();
    let (twice, ask, copy) = (find("twice"), find("ask"), find("copy"));
    for _ in 0..2 {
        let out = machine.inspect(twice, &[5], Limits::default(), &mut Nothing).unwrap();
        assert_eq!(out.stop, WhatIfStop::Returned(vec![2 * total + 5]));
    }
    let out = machine.inspect(ask, &[], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(out.stop, WhatIfStop::External { name: "unknown".into() });
    let out = machine.inspect(copy, &[], Limits::default(), &mut Nothing).unwrap();
    assert_eq!(out.stop, WhatIfStop::Returned(vec![7]));
    assert_eq!(out.output[0].bytes, b"seven..\n");
    assert!(machine.core.heap.is_empty());
    assert_eq!(machine.run(&mut Nothing).unwrap(), End::Exited { status: Some(0) });
}

#[test]
fn a_check_that_fails_ends_a_what_if_run_though_the_framework_is_captured() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    machine.run_until(101, &mut Nothing).unwrap();
    let checks = machine.code().find("checks").unwrap();
    let mut call = |holds: u64| machine.inspect(checks, &[holds], Limits::default(), &mut Nothing).unwrap().stop;
    assert_eq!(call(1), WhatIfStop::Returned(vec![1]));
    assert_eq!(call(0), WhatIfStop::Exited { status: 1 });
    assert_eq!(call(1), WhatIfStop::Returned(vec![1]));
}

#[test]
fn a_call_through_a_pointer_to_no_code_is_an_error_of_the_program() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    machine.run_until(101, &mut Nothing).unwrap();
    let through = machine.code().find("through").unwrap();
    let mut call = |to: u64| machine.inspect(through, &[to], Limits::default(), &mut Nothing).unwrap().stop;
    assert!(matches!(call(0), WhatIfStop::Trap { signal: 11, .. }));
    assert!(matches!(call(8), WhatIfStop::Trap { signal: 11, .. }));
    assert_eq!(call(0x5555_5555_0000), WhatIfStop::External { name: String::new() });
}

#[test]
fn lengths_that_went_wrong_end_a_what_if_run_before_they_fill_memory() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    machine.run_until(101, &mut Nothing).unwrap();
    let spread = machine.code().find("spread").unwrap();
    let mut inspect = |size: u64, written: u64| {
        machine.inspect(spread, &[size, written], Limits::default(), &mut Nothing).unwrap().stop
    };
    assert_eq!(inspect(8, 4), WhatIfStop::Returned(vec![4]));
    assert_eq!(inspect(1 << 40, 4), WhatIfStop::Limit { what: "instructions" });
    assert_eq!(inspect(8, 1 << 40), WhatIfStop::Limit { what: "output" });
    assert_eq!(inspect(u64::MAX, u64::MAX), WhatIfStop::Limit { what: "instructions" });
}

#[test]
fn a_patched_operation_does_something_else_in_what_if_runs_until_it_is_put_back() {
    let module = sums();
    let mut machine = machine(&module, vec![]);
    // total += i becomes total -= i, then i++ becomes i += the spare constant.
    let adds: Vec<u32> = (0..module.functions[0].code.len() as u32)
        .filter(|&pc| matches!(module.functions[0].code[pc as usize], Op::Int { op: IntOp::Add, .. }))
        .collect();
    assert!(machine.run_to(40, |at| at.pc == adds[0], &mut Nothing).unwrap());
    let (function, here) = (machine.at().function, machine.snapshot());
    let original = |pc: u32| module.functions[0].code[pc as usize].clone();
    let Op::Int { w, flags, dst, a, b, .. } = original(adds[0]) else { unreachable!() };
    let spare = machine.code().spare(function, 0);
    let patch =
        |pc: u32, body, constant| Patch { function, pc, body, call: None, constants: [constant, 0, 0], text: None };
    let less = Body::Instead(Op::Int { op: IntOp::Sub, w, flags, dst, a, b });
    // total += i is left out where i is the spare constant, and done twice everywhere.
    let scratch = machine.code().scratch(function, 0);
    let test = Op::ICmp { pred: IntPred::Eq, w, dst: scratch, a: b, b: spare };
    let unless = Body::Unless { test: vec![test], other: Op::Copy { n: 1, dst, a } };
    let again = Body::Then(vec![Op::Int { op: IntOp::Add, w, flags, dst, a: Opnd::slot(dst), b }]);
    let Op::Int { op, w, flags, dst, a, .. } = original(adds[1]) else { unreachable!() };
    let twice = Body::Instead(Op::Int { op, w, flags, dst, a, b: spare });
    let patches = [
        (patch(adds[0], less, 0), 1),
        (patch(adds[0], unless.clone(), 500), 1),
        (patch(adds[0], unless, 5000), 0),
        (patch(adds[0], again, 0), 1),
        (patch(adds[1], twice, 2), 1),
    ];
    for (patch, status) in patches {
        machine.leave_recording(Limits::default());
        let before = machine.patch(&patch);
        assert_eq!(machine.go_on(&mut Nothing).unwrap(), Stop::WhatIf(WhatIfStop::Exited { status }));
        machine.unpatch(before);
        assert_eq!(machine.code().model(function), &module.functions[0]);
        machine.restore(&here).unwrap();
        machine.leave_recording(Limits::default());
        assert_eq!(machine.go_on(&mut Nothing).unwrap(), Stop::WhatIf(WhatIfStop::Exited { status: 0 }));
        machine.restore(&here).unwrap();
    }
    assert_eq!(machine.run(&mut Nothing).unwrap(), End::Exited { status: Some(0) });
}
