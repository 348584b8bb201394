//! Values: phis, aggregates, vectors, bit casts, classes of floats, addresses.

use whydunit_model::{Op, TrapKind};

use super::evaluate::{model_of, run};

#[test]
fn phis_move_at_once() {
    // Three values rotate, a fourth copies one that is itself replaced.
    let text = "
define i64 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  %a = phi i64 [ 1, %entry ], [ %b, %loop ]
  %b = phi i64 [ 2, %entry ], [ %c, %loop ]
  %c = phi i64 [ 3, %entry ], [ %a, %loop ]
  %d = phi i64 [ 9, %entry ], [ %a, %loop ]
  %next = sub i32 %i, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %out
out:
  %x = shl i64 %a, 24
  %y = shl i64 %b, 16
  %z = shl i64 %c, 8
  %p = or i64 %x, %y
  %q = or i64 %p, %z
  %r = or i64 %q, %d
  ret i64 %r
}";
    assert_eq!(run(text, "f", &[1]), [0x01020309]);
    assert_eq!(run(text, "f", &[2]), [0x02030101]);
    assert_eq!(run(text, "f", &[3]), [0x03010202]);
    assert_eq!(run(text, "f", &[4]), [0x01020303]);
}

#[test]
fn edges_of_switches_and_branches_carry_their_moves() {
    let text = "
define i32 @f(i8 %x) {
entry:
  switch i8 %x, label %out [ i8 -1, label %out
                             i8 5, label %other
                             i8 6, label %out ]
other:
  %odd = icmp eq i8 %x, 6
  br i1 %odd, label %out, label %out
out:
  %r = phi i32 [ 10, %entry ], [ 10, %entry ], [ 10, %entry ], [ 20, %other ], [ 20, %other ]
  ret i32 %r
}";
    assert_eq!(run(text, "f", &[255]), [10]);
    assert_eq!(run(text, "f", &[5]), [20]);
    assert_eq!(run(text, "f", &[7]), [10]);
    let module = model_of(text);
    let function = &module.functions[0];
    // One edge block for all of the switch's ways to `out`, one for the branch's.
    let edges: Vec<_> = function.blocks.iter().filter(|block| block.edge).collect();
    assert_eq!(edges.len(), 2);
    assert_eq!((edges[0].source, edges[0].instructions, edges[1].source), (0, 0, 1));
    assert_eq!(function.switches[0].cases.iter().map(|case| case.0).collect::<Vec<_>>(), [5, 6, 255]);
    assert_eq!(function.blocks.iter().map(|block| block.instructions).sum::<u32>(), module.sites);
}

#[test]
fn aggregates_are_their_leaves() {
    let text = "
define {i128, [2 x {i8, i32}]} @f(i128 %w, i32 %x) {
  %a = insertvalue {i128, [2 x {i8, i32}]} undef, i128 %w, 0
  %b = insertvalue {i128, [2 x {i8, i32}]} %a, i32 %x, 1, 1, 1
  %in = insertvalue {i8, i32} {i8 7, i32 8}, i32 %x, 1
  %c = insertvalue {i128, [2 x {i8, i32}]} %b, {i8, i32} %in, 1, 0
  %s = icmp eq i32 %x, 0
  %d = select i1 %s, {i128, [2 x {i8, i32}]} zeroinitializer, {i128, [2 x {i8, i32}]} %c
  ret {i128, [2 x {i8, i32}]} %d
}
define i32 @g(i32 %x) {
  %a = insertvalue [2 x {i128, i32}] zeroinitializer, i32 %x, 1, 1
  %b = extractvalue [2 x {i128, i32}] %a, 1
  %c = extractvalue {i128, i32} %b, 1
  ret i32 %c
}";
    assert_eq!(run(text, "f", &[1, 2, 3]), [1, 2, 7, 3, 0, 3]);
    assert_eq!(run(text, "f", &[1, 2, 0]), [0; 6]);
    assert_eq!(run(text, "g", &[42]), [42]);
}

#[test]
fn vectors_are_their_elements() {
    let text = "
define <4 x i32> @f(<4 x i32> %v, i32 %i, i32 %x) {
  %e = extractelement <4 x i32> %v, i32 %i
  %y = add i32 %e, %x
  %w = insertelement <4 x i32> %v, i32 %y, i32 %i
  %s = shufflevector <4 x i32> %w, <4 x i32> <i32 100, i32 101, i32 102, i32 103>, <4 x i32> <i32 3, i32 6, i32 0, i32 poison>
  %c = icmp ult <4 x i32> %s, <i32 50, i32 500, i32 0, i32 1>
  %r = select <4 x i1> %c, <4 x i32> %s, <4 x i32> splat (i32 -1)
  ret <4 x i32> %r
}";
    assert_eq!(run(text, "f", &[1, 2, 3, 4, 3, 10]), [14, 102, 0xffff_ffff, 0]);
}

#[test]
fn bit_casts_regroup_the_bits() {
    let text = "
define i64 @join(<2 x i32> %v) {
  %r = bitcast <2 x i32> %v to i64
  ret i64 %r
}
define <4 x i8> @split(i32 %v) {
  %r = bitcast i32 %v to <4 x i8>
  ret <4 x i8> %r
}
define i8 @mask(<8 x i1> %v) {
  %r = bitcast <8 x i1> %v to i8
  ret i8 %r
}
define <2 x i64> @halves(i128 %v) {
  %r = bitcast i128 %v to <2 x i64>
  ret <2 x i64> %r
}
define <4 x float> @floats(<8 x i16> %v) {
  %r = bitcast <8 x i16> %v to <4 x float>
  ret <4 x float> %r
}
define i96 @odd(<3 x i32> %v) {
  %r = bitcast <3 x i32> %v to i96
  ret i96 %r
}
define double @same(i64 %v) {
  %r = bitcast i64 %v to double
  ret double %r
}";
    assert_eq!(run(text, "join", &[0x1111_2222, 0x3333_4444]), [0x3333_4444_1111_2222]);
    assert_eq!(run(text, "split", &[0x8877_6655]), [0x55, 0x66, 0x77, 0x88]);
    assert_eq!(run(text, "mask", &[1, 0, 1, 1, 0, 0, 0, 1]), [0b1000_1101]);
    assert_eq!(run(text, "halves", &[5, 6]), [5, 6]);
    assert_eq!(run(text, "floats", &[1, 2, 3, 4, 5, 6, 7, 8]), [0x20001, 0x40003, 0x60005, 0x80007]);
    assert_eq!(run(text, "odd", &[1, 2, 3]), [0x2_0000_0001, 3]);
    assert_eq!(run(text, "same", &[77]), [77]);
}

#[test]
fn classes_of_floats() {
    let text = |ty: &str, suffix: &str, test: u32| {
        format!(
            "declare i1 @llvm.is.fpclass.{suffix}({ty}, i32)\ndefine i1 @f({ty} %x) {{
  %r = call i1 @llvm.is.fpclass.{suffix}({ty} %x, i32 {test})
  ret i1 %r
}}"
        )
    };
    // Signaling, quiet, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
    let doubles: [f64; 8] = [f64::NEG_INFINITY, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.5, f64::INFINITY];
    let mut words: Vec<u64> = vec![0x7ff0_0000_0000_0001, 0xfff8_0000_0000_0000];
    words.extend(doubles.map(f64::to_bits));
    let singles: Vec<u64> = [
        0x7f80_0001u32,
        0xffc0_0000,
        0xff80_0000,
        0xbfc0_0000,
        0x8000_0001,
        0x8000_0000,
        0,
        1,
        0x3fc0_0000,
        0x7f80_0000,
    ]
    .map(u64::from)
    .to_vec();
    let extended: [[u64; 2]; 10] = [
        [0x8000_0000_0000_0001, 0x7fff],
        [0xc000_0000_0000_0000, 0xffff],
        [1 << 63, 0xffff],
        [1 << 63, 0xbfff],
        [1, 0x8000],
        [0, 0x8000],
        [0, 0],
        [1, 0],
        [1 << 63, 0x3fff],
        [1 << 63, 0x7fff],
    ];
    for class in 0..10 {
        for bit in 0..10 {
            let expected = [u64::from(class == bit)];
            assert_eq!(run(&text("double", "f64", 1 << bit), "f", &[words[class]]), expected, "{class} {bit}");
            assert_eq!(run(&text("float", "f32", 1 << bit), "f", &[singles[class]]), expected, "{class} {bit}");
            assert_eq!(run(&text("x86_fp80", "f80", 1 << bit), "f", &extended[class]), expected, "{class} {bit}");
        }
        assert_eq!(run(&text("double", "f64", 3), "f", &[words[class]]), [u64::from(class < 2)]);
    }
}

#[test]
fn addresses_of_elements() {
    let text = "
target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
%s = type { i8, [4 x { i32, i64 }] }
define ptr @f(ptr %p, i32 %i, i64 %j) {
  %r = getelementptr inbounds %s, ptr %p, i32 %i, i32 1, i64 %j, i32 1
  ret ptr %r
}
define ptr @g(ptr %p) {
  %r = getelementptr %s, ptr %p, i64 -1
  ret ptr %r
}";
    assert_eq!(run(text, "f", &[1000, u32::MAX.into(), 2]), [1000 - 72 + 8 + 32 + 8]);
    assert_eq!(run(text, "g", &[1000]), [1000 - 72]);
}

#[test]
fn what_the_model_lacks_is_a_trap_with_the_text() {
    let module = model_of(
        "
define fp128 @f(fp128 %x) {
  %y = fadd fp128 %x, %x
  ret fp128 %y
}
define i32 @g(i32 %x) {
  %a = alloca i300
  %v = load i300, ptr %a
  %w = trunc i300 %v to i32
  ret i32 %w
}",
    );
    let function = &module.functions[0];
    assert_eq!(function.unsupported.len(), 2);
    assert!(function.unsupported[0].contains("fadd fp128"));
    assert!(matches!(function.code[0], Op::Trap { kind: TrapKind::Unsupported(0) }));
    assert_eq!(module.functions[1].unsupported.len(), 2);
}

#[test]
fn slots_are_shared_by_values_of_one_block() {
    let mut text = String::from("define i32 @f(i32 %x) {\n  %v0 = add i32 %x, 1\n");
    for index in 1..200 {
        text += &format!("  %v{index} = xor i32 %v{}, %x\n", index - 1);
    }
    text += "  ret i32 %v199\n}";
    assert_eq!(run(&text, "f", &[7]), [8 ^ 7]);
    assert!(model_of(&text).functions[0].slots <= 4);
}
