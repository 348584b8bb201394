//! Properties of canonical IR, on C programs compiled here.

use std::process::Command;

use whydunit_canonical::canonicalise;
use whydunit_llvm::{Module, Value};

fn canonical(text: &str) -> Module {
    let folder = tempfile::tempdir().unwrap();
    let (source, output) = (folder.path().join("a.c"), folder.path().join("a.bc"));
    std::fs::write(&source, text).unwrap();
    let status = Command::new("clang-22")
        .args(["-w", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-c", "-emit-llvm"])
        .arg(&source)
        .arg("-o")
        .arg(&output)
        .status()
        .unwrap();
    assert!(status.success());
    let mut module = Module::read(&output).unwrap();
    canonicalise(&mut module).unwrap();
    module.verify().unwrap();
    module
}

fn text(module: &Module, function: &str) -> String {
    module.function(function).map(Value::print).unwrap()
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn variables_that_are_assigned_before_every_read_live_in_registers() {
    let module = canonical(
        "int sure(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         int maybe(int n) { int s; if (n) s = 1; return s; }
         int later(int n) { int s; if (n) s = 1; else s = 2; return s; }
         int loops(int n) { int s; for (int i = 0; i < n; i++) { if (i) n -= s; s = i; } return n; }
         int shared(int n) { int s = n; int *p = &s; return *p; }
         int silent(int n) { volatile int s = n; return s; }",
    );
    for (function, allocas) in [("sure", 0), ("maybe", 1), ("later", 0), ("loops", 1), ("shared", 1), ("silent", 1)] {
        let text = text(&module, function);
        assert_eq!(count(&text, "alloca "), allocas, "{text}");
    }
}

#[test]
fn assignments_that_promotion_leaves_without_an_instruction_get_one() {
    let module = canonical("int f(int n, int m) {\n int a = n;\n if (m)\n  a = 3;\n else\n  a = n + 1;\n return a; }");
    let text = text(&module, "f");
    assert_eq!(
        (count(&text, "freeze i32 %"), count(&text, "freeze i32 3"), count(&text, "freeze")),
        (1, 1, 2),
        "{text}"
    );
}

#[test]
fn nothing_is_promoted_where_setjmp_is_called() {
    let module =
        canonical("#include <setjmp.h>\njmp_buf e; int f(int n) { int s = n; if (setjmp(e)) return s; return n; }");
    let text = text(&module, "f");
    assert!(count(&text, "alloca ") >= 2, "{text}");
    // One at the entry, one after setjmp, one before the return.
    assert_eq!(count(&text, "@wd.safepoint()"), 3, "{text}");
}

#[test]
fn every_cycle_has_a_safepoint_and_so_has_every_entry() {
    let module = canonical(
        "int leaf(int n) { return n + 1; }
         int loops(int n) { int s = 0; while (n--) for (int i = 0; i < n; i++) s++; return s; }
         int recursive(int n) { return n ? recursive(n - 1) + n : 0; }
         static int helper(int n) { return leaf(n) * 2; }
         int straight(int n) { return helper(n) + 1; }
         int indirect(int (*f)(int), int n) { return f(n) + 1; }
         unsigned long measures(const char *t) { return __builtin_strlen(t); }
         int jumps(int n) { again: if (n-- > 0) goto again; return n; }",
    );
    let expected =
        [("leaf", 1), ("loops", 3), ("recursive", 2), ("straight", 1), ("indirect", 2), ("measures", 1), ("jumps", 2)];
    for (function, safepoints) in expected {
        let text = text(&module, function);
        assert_eq!(count(&text, "@wd.safepoint()"), safepoints, "{text}");
    }
}

#[test]
fn by_value_parameters_are_objects_of_the_callee() {
    let module = canonical(
        "struct s { long v[5]; }; long f(struct s a, struct s b) { return a.v[1] + b.v[2]; }
         long g(void) { struct s x = {{1, 2, 3}}; return f(x, x); }",
    );
    let (f, g) = (text(&module, "f"), text(&module, "g"));
    assert_eq!(count(&f, "call void @wd.byval.copy("), 2, "{f}");
    assert!(f.find("@wd.safepoint").unwrap() < f.find("@wd.byval.copy").unwrap(), "{f}");
    assert!(f.rfind("alloca").unwrap() < f.find("@wd.safepoint").unwrap(), "{f}");
    assert_eq!(count(&g, "call void @wd.check.range("), 2, "{g}");
}

#[test]
fn computed_gotos_are_switches_over_small_numbers() {
    let module = canonical(
        "int f(int n) { static void *const t[] = {&&a, &&b, &&c}; goto *t[n]; a: n++; b: n += 2; c: return n; }",
    );
    let all = module.print();
    assert!(!all.contains("indirectbr") && !all.contains("blockaddress("), "{all}");
    assert!(all.contains("inttoptr (i64 1 to ptr)"), "{all}");
}

#[test]
fn aggregates_and_vectors_are_loaded_by_their_scalars() {
    let module = canonical(
        "typedef int v4 __attribute__((vector_size(16))); struct two { long a; double b; };
         struct two make(long a) { struct two t = {a, 2}; return t; }
         v4 add(v4 a, v4 b) { return a + b; }",
    );
    let all = module.print();
    for line in all.lines().filter(|line| line.contains(" = load ") || line.trim_start().starts_with("store ")) {
        assert!(
            !line.contains("load {")
                && !line.contains("load <")
                && !line.contains("store {")
                && !line.contains("store <"),
            "{line}"
        );
    }
    assert!(!all.contains("add <4 x i32>"), "{all}");
}

#[test]
fn vectors_of_bits_are_integers_in_memory() {
    let mut module = Module::parse_text(
        "define i16 @f(ptr %p, <16 x i1> %v) {\n  store <16 x i1> %v, ptr %p\n  %l = load <16 x i1>, ptr %p\n  \
         %m = bitcast <16 x i1> %l to i16\n  ret i16 %m\n}\n",
        "t",
    )
    .unwrap();
    canonicalise(&mut module).unwrap();
    let f = text(&module, "f");
    assert!(f.contains("store i16") && f.contains("load i16") && !f.contains("store <"), "{f}");
}

#[test]
fn hints_are_gone_and_inexact_mathematics_is_called() {
    let module = canonical(
        "#include <math.h>
         int f(int n) { if (__builtin_expect(n, 1)) n++; __builtin_assume(n > 0); __builtin_prefetch(&n); return n; }
         double g(double a, double b, double c) { return a * b + c; }
         int h(double d) { return __builtin_isnan(d) + __builtin_isinf(d) + __builtin_constant_p(d); }
         void i(void) { __asm__ volatile(\"\" ::: \"memory\"); __builtin_ia32_pause(); }",
    );
    let all = module.print();
    for name in ["llvm.expect", "llvm.assume", "llvm.prefetch", "llvm.fmuladd", "llvm.is.fpclass", "asm sideeffect"] {
        assert!(!all.lines().any(|line| line.contains("call") && line.contains(name)), "{name}");
    }
    assert!(text(&module, "i").contains("@native.llvm.x86.sse2.pause"));
}

#[test]
fn no_operand_is_undefined() {
    let module = canonical(
        "struct p { int a, b; }; struct p f(int x) { struct p r; if (x) r.a = 1; return r; } int g(void) { for (;;); }",
    );
    let all = module.print();
    let defined = |line: &&str| !line.contains("#dbg_") && (line.contains(" undef") || line.contains(" poison"));
    assert_eq!(all.lines().find(defined), None);
}

#[test]
fn the_same_source_gives_the_same_canonical_form() {
    let source =
        "int f(int n) { int s = 0; switch (n) { case 1: s = 2; break; case 7: s = 9; } while (s--) n *= s; return n; }";
    let (a, b) = (canonical(source), canonical(source));
    assert_eq!(text(&a, "f"), text(&b, "f"));
}

#[test]
fn small_functions_of_libraries_take_the_place_of_their_calls() {
    let module = canonical(
        "# 1 \"/usr/include/numbers.h\" 1 3
         static int twice(int n) { return 2 * n; }
         static int four_times(int n) { return twice(twice(n)); }
         static int down(int n) { return n ? down(n - 1) : 0; }
         static int long_one(int n) { n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n;
             n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n;
             n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n;
             n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; n = n * 3 ^ n; return n; }
# 20 \"program.c\" 2
         static int own(int n) { return n + 1; }
         int f(int n) { return own(four_times(n)) + four_times(7); }
         int g(int n) { return down(n) + long_one(n); }",
    );
    let f = text(&module, "f");
    assert_eq!((count(&f, "call i32 @own"), count(&f, "call i32")), (1, 1), "{f}");
    // What is passed and what is made of it are values of the statement that calls.
    assert_eq!((count(&f, "freeze i32 7"), count(&f, "mul nsw i32")), (1, 4), "{f}");
    let g = text(&module, "g");
    assert_eq!((count(&g, "call i32 @down"), count(&g, "call i32 @long_one")), (1, 1), "{g}");
    assert!(module.function("twice").is_none(), "nobody calls it any more");
}

#[test]
fn objects_that_are_only_read_written_and_copied_become_variables() {
    let module = canonical(
        "struct pair { long a; int b; };
         struct single { long *at; };
         struct pair make(long a);
         void look(struct pair *);
         # 1 \"/usr/include/pairs.h\" 1 3
         static long sum(long a, int b) { struct pair p; p.a = a; p.b = b; struct pair q = p; return q.a + q.b; }
         static long seen(long a) { struct pair p; p.a = a; p.b = 1; look(&p); return p.a; }
         # 20 \"program.c\" 2
         long hidden(long a, int b) { return sum(a, b); }
         long escapes(long a) { return seen(a); }
         long shown(long a) { struct pair p; p.a = a; p.b = 2; return p.a + p.b; }
         long whole(long *a) { struct single s; s.at = a; return *s.at; }",
    );
    for (function, allocas) in [("hidden", 0), ("escapes", 1), ("shown", 1), ("whole", 0)] {
        let text = text(&module, function);
        assert_eq!(count(&text, "alloca "), allocas, "{text}");
    }
}
