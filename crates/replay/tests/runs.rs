//! Runs of models made by hand: calls, events, ends, divergences.

mod common;

use common::*;
use whydunit_model::{Callee, Const, IntOp, IntPred, Module, Op, Opnd, Scalar, Symbol};
use whydunit_recording::{Event, LoadValue, RetValue, RunEnd};
use whydunit_replay::{At, End, Nothing, Observer, OutputEvent, ReplayError, Stream};

const I32: Scalar = Scalar::Int(32);
const I64: Scalar = Scalar::Int(64);

fn add(w: u8, dst: u32, a: Opnd, b: Opnd) -> Op {
    Op::Int { op: IntOp::Add, w, flags: Default::default(), dst, a, b }
}

/// Watches every operation, so that the model's operations are executed one by one.
#[derive(Default)]
struct Watch {
    ops: u64,
    printed: Vec<u8>,
}

impl Observer for Watch {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;
    fn op(&mut self, _at: &At<'_>, _op: &Op) {
        self.ops += 1;
    }
    fn output(&mut self, _at: &At<'_>, output: &OutputEvent) {
        assert_eq!(output.stream, Stream::Descriptor(1));
        self.printed.extend(&output.bytes);
    }
}

fn exited(status: i32) -> End {
    End::Exited { status: Some(status) }
}

/// main: for (i = 0; i < 10; i++) sum += square(i) through memory; returns sum.
fn loop_with_calls() -> Module {
    let mut square = Build::new("square", &[I32]);
    square.op(Op::Safepoint);
    let dst = square.slot();
    square.op(Op::Int { op: IntOp::Mul, w: 32, flags: Default::default(), dst, a: Opnd::slot(0), b: Opnd::slot(0) });
    square.ret(1, Opnd::slot(dst));

    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    let sum = main.object(4);
    let (i, zero, one, ten) = (main.slot(), main.word(0), main.word(1), main.word(10));
    main.op(Op::Store { ty: I32, value: zero, addr: sum });
    main.op(Op::Copy { n: 1, dst: i, a: zero });
    main.op(Op::Safepoint).end(Op::Jump { to: 1 });
    let cond = main.slot();
    main.op(Op::Safepoint);
    main.op(Op::ICmp { pred: IntPred::Slt, w: 32, dst: cond, a: Opnd::slot(i), b: ten });
    main.end(Op::Branch { cond: Opnd::slot(cond), then: 2, els: 3 });
    let squared = main.call(Callee::Direct(0), &[(Opnd::slot(i), I32)], &[I32]);
    let (old, new) = (main.slot(), main.slot());
    main.op(Op::Load { ty: I32, dst: old, addr: sum });
    main.op(add(32, new, Opnd::slot(old), Opnd::slot(squared)));
    main.op(Op::Store { ty: I32, value: Opnd::slot(new), addr: sum });
    main.op(add(32, i, Opnd::slot(i), one)).end(Op::Jump { to: 1 });
    let result = main.slot();
    main.op(Op::Load { ty: I32, dst: result, addr: sum }).ret(1, Opnd::slot(result));
    module(vec![square.done(&[I32]), main.done(&[I32])], vec![])
}

#[test]
fn a_loop_with_calls_counts_the_same_in_both_executors() {
    let module = loop_with_calls();
    let mut plain = machine(&module, vec![]);
    assert_eq!(plain.run(&mut Nothing).unwrap(), exited(285 & 255));
    let mut watched = machine(&module, vec![]);
    let mut watch = Watch::default();
    assert_eq!(watched.run(&mut watch).unwrap(), exited(285 & 255));
    assert_eq!((plain.core.instructions, plain.core.counter), (watched.core.instructions, watched.core.counter));
    assert_eq!(watch.ops, watched.core.instructions);
    assert_eq!(plain.core.counter, 1 + 11 + 10);
}

#[test]
fn surprises_are_taken_where_they_belong() {
    let module = loop_with_calls();
    let load = module.functions[1].code.iter().position(|op| matches!(op, Op::Load { .. })).unwrap();
    // Before the fourth square is added (the square function's safepoint is the eighth of the run) the sum is 1000.
    let surprise =
        at(9, Event::Load { site: site(&module, 1, load), value: LoadValue::new(&1000u32.to_le_bytes()).unwrap() });
    let expected = exited((1000 + 285 - 5) & 255);
    assert_eq!(machine(&module, vec![surprise.clone()]).run(&mut Nothing).unwrap(), expected);
    assert_eq!(machine(&module, vec![surprise]).run(&mut Watch::default()).unwrap(), expected);
}

#[test]
fn an_event_that_nothing_takes_is_a_divergence() {
    let module = loop_with_calls();
    let value = LoadValue::new(&[1, 2, 3, 4]).unwrap();
    for watched in [false, true] {
        let mut machine = machine(&module, vec![at(5, Event::Load { site: 1, value })]);
        let result = if watched { machine.run(&mut Watch::default()) } else { machine.run(&mut Nothing) };
        let Err(ReplayError::Divergence(divergence)) = result else { panic!("no divergence") };
        assert_eq!(divergence.counter, 5);
        assert!(divergence.expected.contains("load"), "{divergence}");
    }
}

#[test]
fn a_killed_run_ends_at_its_last_safepoint() {
    let module = loop_with_calls();
    let mut machine = ending(&module, vec![], RunEnd::Killed { counter: 7 });
    assert_eq!(machine.run(&mut Nothing).unwrap(), End::Killed { counter: 7 });
    assert_eq!(machine.core.counter, 7);
    assert_eq!(machine.at().model.name, "square");
}

/// main: p = malloc(16); strcpy(p, text); n = read_it(p); puts(p); return n + strlen(p).
fn externals() -> Module {
    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    main.op(Op::Safepoint);
    let text = main.constant(Const::Addr(Symbol::Global(0), 0));
    let size = main.word(16);
    let p = Opnd::slot(main.call(Callee::Direct(1), &[(size, I64)], &[Scalar::Ptr]));
    main.call(Callee::Direct(2), &[(p, Scalar::Ptr), (text, Scalar::Ptr)], &[Scalar::Ptr]);
    let n = main.call(Callee::Direct(3), &[(p, Scalar::Ptr)], &[I32]);
    main.call(Callee::Direct(4), &[(p, Scalar::Ptr)], &[I32]);
    let len = main.call(Callee::Direct(5), &[(p, Scalar::Ptr)], &[I64]);
    let (short, sum) = (main.slot(), main.slot());
    main.op(Op::Trunc { to: 32, dst: short, a: Opnd::slot(len) });
    main.op(add(32, sum, Opnd::slot(n), Opnd::slot(short))).ret(1, Opnd::slot(sum));
    let functions = vec![
        main.done(&[I32]),
        declared("malloc", &[I64], &[Scalar::Ptr]),
        declared("strcpy", &[Scalar::Ptr, Scalar::Ptr], &[Scalar::Ptr]),
        declared("read_it", &[Scalar::Ptr], &[I32]),
        declared("puts", &[Scalar::Ptr], &[I32]),
        declared("strlen", &[Scalar::Ptr], &[I64]),
    ];
    module(functions, vec![global("text", b"hello", 6)])
}

fn external_events(module: &Module) -> Vec<whydunit_recording::Entry> {
    let calls: Vec<usize> = (0..module.functions[0].code.len())
        .filter(|pc| matches!(module.functions[0].code[*pc], Op::Call { .. }))
        .collect();
    let site = |call: usize| site(module, 0, calls[call]);
    let heap = 0x5600_0000_0010u64;
    vec![
        at(1, Event::Alloc { site: site(0), delta: heap as i64, class: 2 }),
        at(1, Event::Write { address: heap + 5, bytes: (*b" you\0").into() }),
        at(1, Event::Ret { site: site(2), value: RetValue::Int(40) }),
        at(1, Event::Ret { site: site(3), value: RetValue::Int(10) }),
    ]
}

#[test]
fn external_calls_write_print_and_return_what_the_recording_says() {
    let module = externals();
    let mut machine = machine(&module, external_events(&module));
    let mut watch = Watch::default();
    assert_eq!(machine.run(&mut watch).unwrap(), exited(49));
    assert_eq!(watch.printed, b"hello you\n");
    assert_eq!(machine.core.heap.live().collect::<Vec<_>>(), [(0x5600_0000_0010, 16)]);
    let mut plain = common::machine(&module, external_events(&module));
    assert_eq!(plain.run(&mut Nothing).unwrap(), exited(49));
}

#[test]
fn an_external_call_without_its_return_is_a_divergence() {
    let module = externals();
    let mut events = external_events(&module);
    events.remove(2);
    let Err(ReplayError::Divergence(divergence)) = machine(&module, events).run(&mut Nothing) else {
        panic!("no divergence")
    };
    assert!(divergence.got.contains("read_it"), "{divergence}");
}

#[test]
fn a_module_of_another_build_is_refused() {
    let module = externals();
    let mut other = module.clone();
    other.globals[0].init.bytes = b"HELLO".to_vec();
    let mut program = whydunit_replay::Program::new();
    program.add(other);
    let events = whydunit_replay::Events::list(start(&module), RunEnd::Orderly);
    let mut machine = whydunit_replay::Machine::with_events(program, events).unwrap();
    assert!(matches!(machine.run(&mut Nothing), Err(ReplayError::OtherModel { .. })));
    let events = whydunit_replay::Events::list(start(&module), RunEnd::Orderly);
    let mut machine = whydunit_replay::Machine::with_events(Default::default(), events).unwrap();
    assert!(matches!(machine.run(&mut Nothing), Err(ReplayError::NoModel { .. })));
}

/// main: global = setjmp(buf); if (global < 2) jump(); return global.
#[test]
fn longjmp_drops_frames_and_returns_twice() {
    let mut jump = Build::new("jump", &[]);
    jump.object(64);
    jump.op(Op::Safepoint);
    jump.call(Callee::Direct(3), &[], &[]);
    let zero = jump.word(0);
    jump.ret(0, zero);
    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    main.function.calls_setjmp = true;
    let object = main.object(16);
    main.op(Op::Safepoint);
    let value = main.call(Callee::Direct(2), &[], &[I32]);
    main.function.calls[0].returns_twice = true;
    main.op(Op::Store { ty: I32, value: Opnd::slot(value), addr: object });
    let (cond, two) = (main.slot(), main.word(2));
    main.op(Op::ICmp { pred: IntPred::Slt, w: 32, dst: cond, a: Opnd::slot(value), b: two });
    main.end(Op::Branch { cond: Opnd::slot(cond), then: 1, els: 2 });
    main.call(Callee::Direct(0), &[], &[]);
    main.end(Op::Jump { to: 2 });
    let result = main.slot();
    main.op(Op::Load { ty: I32, dst: result, addr: object }).ret(1, Opnd::slot(result));
    let functions =
        vec![jump.done(&[]), main.done(&[I32]), declared("setjmp", &[], &[I32]), declared("longjmp", &[], &[])];
    let module = module(functions, vec![]);
    let call = module.functions[1].code.iter().position(|op| matches!(op, Op::Call { .. })).unwrap();
    let site = site(&module, 1, call);
    let setjmp = |counter, value| at(counter, Event::Setjmp { site, serial: 1, value });
    let events = vec![setjmp(1, 0), setjmp(2, 1), setjmp(3, 7)];
    struct Unwinds(Vec<usize>);
    impl Observer for Unwinds {
        fn unwind(&mut self, _at: &At<'_>, depth: usize) {
            self.0.push(depth);
        }
    }
    let mut unwinds = Unwinds(vec![]);
    let mut machine = machine(&module, events);
    assert_eq!(machine.run(&mut unwinds).unwrap(), exited(7));
    assert_eq!(unwinds.0, [1, 1]);
    assert_eq!(machine.core.usp, USP);
}

/// A handler that counts runs at a safepoint and at a fault, and a division by zero ends the run.
#[test]
fn signals_run_at_safepoints_and_faults_at_their_access() {
    let mut handler = Build::new("handler", &[I32]);
    handler.op(Op::Safepoint);
    let count = handler.constant(Const::Addr(Symbol::Global(0), 0));
    let (old, new, one) = (handler.slot(), handler.slot(), handler.word(1));
    handler.op(Op::Load { ty: I32, dst: old, addr: count }).op(add(32, new, Opnd::slot(old), one));
    handler.op(Op::Store { ty: I32, value: Opnd::slot(new), addr: count }).ret(0, one);
    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    main.op(Op::Safepoint);
    let wild = main.word(0x10);
    let count = main.constant(Const::Addr(Symbol::Global(0), 0));
    let (a, b, c) = (main.slot(), main.slot(), main.slot());
    main.op(Op::Load { ty: I32, dst: a, addr: wild });
    main.op(Op::Safepoint);
    main.op(Op::Load { ty: I32, dst: b, addr: count });
    main.op(Op::Int { op: IntOp::SDiv, w: 32, flags: Default::default(), dst: c, a: Opnd::slot(b), b: Opnd::slot(a) });
    main.ret(1, Opnd::slot(c));
    let module = module(vec![handler.done(&[]), main.done(&[I32])], vec![global("count", &[], 4)]);
    let handler = function_address(0);
    let events = vec![
        at(0, Event::Signal { function: handler, words: [14].into() }),
        at(2, Event::Fault { signal: 11, address: 0x12 }),
        at(2, Event::Callback { function: handler, words: [11].into() }),
        at(4, Event::Fault { signal: 8, address: 0 }),
    ];
    for watched in [false, true] {
        let mut machine = ending(&module, events.clone(), RunEnd::Fault { signal: 8, address: 0 });
        let end = if watched { machine.run(&mut Watch::default()) } else { machine.run(&mut Nothing) };
        assert_eq!(end.unwrap(), End::Fault { signal: 8, address: 0, near: false });
        assert!(matches!(machine.at().op(), Op::Int { op: IntOp::SDiv, .. }));
        assert_eq!(machine.core.memory.read_uint(global_address(0), 4), 2);
    }
}

#[test]
fn results_of_several_scalars_come_in_words() {
    let mut main = Build::new("main", &[I32, Scalar::Ptr]);
    main.op(Op::Safepoint);
    let pair = main.call(Callee::Direct(1), &[], &[Scalar::F32, Scalar::Int(8), Scalar::F80]);
    let wide = main.slot();
    main.op(Op::FToInt { from: Scalar::F80, signed: true, w: 32, dst: wide, a: Opnd::slot(pair + 2) });
    let sum = main.slot();
    main.op(add(32, sum, Opnd::slot(pair + 1), Opnd::slot(wide))).ret(1, Opnd::slot(sum));
    let module = module(
        vec![main.done(&[I32]), declared("native.pair", &[], &[Scalar::F32, Scalar::Int(8), Scalar::F80])],
        vec![],
    );
    let words = [u64::from(1.5f32.to_bits()), 0xffff_ff11, 0xa000_0000_0000_0000, 0xffff_ffff_ffff_4001];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let events = vec![at(1, Event::Ret { site: site(&module, 0, 1), value: RetValue::Bytes(bytes.into()) })];
    // 0x11 and 5.0.
    assert_eq!(machine(&module, events).run(&mut Nothing).unwrap(), exited(0x11 + 5));
}
