//! What the reading side says about small modules.

use crate::{AttributePlace, DebugRecordKind, Error, Module, Opcode, TypeKind, ValueKind};

const TEXT: &str = r#"
%s = type { i8, i32, [3 x i16] }
@big = global i128 -2
@pi = global x86_fp80 0xK4000C90FDAA22168C235
@half = global half 0xH3C00
@words = constant [3 x i16] [i16 1, i16 2, i16 -1]
@alias = alias i128, ptr @big
declare void @take(ptr byval(%s) align 8)
define internal i32 @f(i32 %x, ptr %p) nounwind {
entry:
  %a = alloca %s, align 16
  %b = add nsw i32 %x, 1
  call void @take(ptr byval(%s) align 8 %a)
  switch i32 %b, label %one [ i32 7, label %two
                              i32 -9, label %one ]
one:
  br label %two
two:
  %r = phi i32 [ %b, %entry ], [ 3, %one ]
  ret i32 %r
}
"#;

#[test]
fn structure_of_a_module_is_read() {
    let module = Module::parse_text(TEXT, "t").unwrap();
    module.verify().unwrap();
    let names: Vec<String> = module.globals().map(|global| global.name()).collect();
    assert_eq!(names, ["big", "pi", "half", "words"]);
    let initializer = |name: &str| module.global(name).unwrap().initializer().unwrap();
    assert_eq!(initializer("big").int_words(), Some([u64::MAX - 1, u64::MAX]));
    assert_eq!(initializer("pi").float_bits(), Some([0xC90FDAA22168C235, 0x4000]));
    assert_eq!(initializer("half").float_bits(), Some([0x3C00, 0]));
    assert_eq!(initializer("words").data_bytes().unwrap(), [1, 0, 2, 0, 255, 255]);
    assert_eq!(module.aliases().next().unwrap().aliasee(), module.global("big"));

    let function = module.function("f").unwrap();
    assert!(function.is_local() && !function.is_declaration());
    assert!(function.has_attribute(AttributePlace::Function, "nounwind"));
    let blocks: Vec<_> = function.blocks().collect();
    assert_eq!(blocks.len(), 3);
    let entry: Vec<_> = blocks[0].instructions().collect();
    assert_eq!(entry[0].opcode(), Opcode::LLVMAlloca);
    let structure = entry[0].allocated_type();
    assert_eq!((module.size_of(structure), module.offset_of(structure, 2)), (16, 8));
    assert_eq!(entry[0].alignment(), 16);
    assert_eq!(structure.elements()[2].kind(), TypeKind::LLVMArrayTypeKind);
    assert!(entry[1].is_nsw() && !entry[1].is_nuw());
    let call = entry[2];
    assert_eq!(call.called_function(), module.function("take"));
    assert_eq!(call.type_attribute(AttributePlace::Param(0), "byval"), Some(structure));
    assert_eq!(call.int_attribute(AttributePlace::Param(0), "align"), Some(8));
    let cases = entry[3].switch_cases();
    assert_eq!(cases[0].0.int_value(), Some(7));
    assert_eq!(cases[1].0.int_value_signed(), Some(-9));
    assert_eq!((cases[0].1, entry[3].switch_default()), (blocks[2], Some(blocks[1])));
    let phi = blocks[2].first_instruction().unwrap();
    assert_eq!(phi.incoming()[1].0.kind(), ValueKind::LLVMConstantIntValueKind);
    assert_eq!(entry[1].users().len(), 2);
}

#[test]
fn bitcode_survives_a_round_trip_and_damage_is_an_error() {
    let module = Module::parse_text(TEXT, "t").unwrap();
    let bytes = module.bitcode();
    assert_eq!(Module::parse(&bytes, "again").unwrap().function("f").unwrap().blocks().count(), 3);
    assert_eq!(module.duplicate().print().lines().count(), module.print().lines().count());
    for cut in [0, 3, 10, bytes.len() / 2, bytes.len() - 4] {
        let Err(Error::Parse { reason, .. }) = Module::parse(&bytes[..cut], "cut") else { panic!("read at {cut}") };
        assert!(!reason.is_empty());
    }
}

#[test]
fn debug_information_is_read() {
    let text = r#"
define i32 @f(i32 %x) !dbg !4 {
    #dbg_value(i32 %x, !8, !DIExpression(), !9)
  ret i32 %x, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !5, scopeLine: 3, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{})
!5 = !DISubroutineType(types: !6)
!6 = !{!7, !7}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 3, type: !7)
!9 = !DILocation(line: 4, column: 5, scope: !4)
"#;
    let module = Module::parse_text(text, "t").unwrap();
    let function = module.function("f").unwrap();
    let ret = function.entry_block().unwrap().first_instruction().unwrap();
    let location = ret.debug_location().unwrap();
    assert_eq!((location.line(), location.column()), (4, 5));
    assert_eq!(location.scope(), function.subprogram());
    assert_eq!(location.scope().unwrap().scope_file().unwrap().file_name().unwrap(), ("/src".into(), "a.c".into()));
    let record = ret.debug_records().next().unwrap();
    assert_eq!((record.kind(), record.value()), (DebugRecordKind::Value, function.param(0)));
    let variable = record.variable().unwrap();
    let operands = module.metadata_operands(variable);
    assert_eq!(module.metadata_string(operands[1].unwrap()).as_deref(), Some("x"));
    let ty = operands[3].unwrap();
    assert_eq!((ty.type_name(), ty.type_bits()), ("int".into(), 32));
    assert!(module.metadata_text(ty).contains("DW_ATE_signed"));
}
