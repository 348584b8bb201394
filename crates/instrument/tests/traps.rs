//! The compiled copy stays what the replayed copy is: one test for each way that LLVM is known to part from it.

mod common;

use common::*;

/// The body of a function in instrumented, optimised IR.
fn body(ir: &str, name: &str) -> String {
    let start = [format!("@{name}.wd.body("), format!("@{name}.wd("), format!("@{name}(")]
        .iter()
        .find_map(|head| {
            ir.match_indices("define ")
                .map(|(at, _)| at)
                .find(|&at| ir[at..].lines().next().is_some_and(|line| line.contains(head)))
        })
        .unwrap_or_else(|| panic!("{name} in {ir}"));
    ir[start..start + ir[start..].find("\n}").unwrap()].to_owned()
}

fn instrumented(text: &str, name: &str) -> String {
    body(&recorded_ir(compile(text)), name)
}

#[test]
fn a_hanging_loop_stays() {
    let code = instrumented("int g; void hang(int n) { int i = 1; while (n) i++; g = 2; }", "hang");
    assert!(code.contains("incq"), "{code}");
    assert!(code.contains("br i1"), "{code}");
    let code = instrumented("void spin(void) { for (;;) {} }", "spin");
    assert!(code.contains("br label") && !code.contains("unreachable"), "{code}");
}

#[test]
fn an_unused_call_of_a_pure_function_stays() {
    let code = instrumented(
        "int p(int) __attribute__((pure)); int c(int) __attribute__((const)); void f(int n) { p(n); c(n); }",
        "f",
    );
    assert!(code.contains("@p(") && code.contains("@c("), "{code}");
}

#[test]
fn library_functions_stay_what_they_are() {
    let code = instrumented(
        "#include <stdio.h>\n#include <string.h>\n#include <math.h>\n\
         int f(char *b) { printf(\"hello\\n\"); printf(\"%c\", 'x'); fprintf(stderr, \"y\"); strcpy(b, \"abc\"); sin(0.5); \
         return (int)strlen(b); }",
        "f",
    );
    for name in ["__wd_w_printf", "__wd_w_fprintf", "__wd_w_strcpy", "sin", "__wd_w_strlen"] {
        assert!(code.contains(name), "{name}: {code}");
    }
    assert!(!code.contains("puts") && !code.contains("putchar") && !code.contains("fwrite"), "{code}");
}

#[test]
fn fresh_memory_is_not_undefined() {
    let code = instrumented(
        "#include <stdlib.h>\nint f(void) { int *p = malloc(4); int v = *p; free(p); return v ? v : 3; }",
        "f",
    );
    assert!(code.contains("load i32") && code.contains("addrspace(256)"), "{code}");
}

#[test]
fn overflow_wraps_and_is_not_assumed_away() {
    let code = instrumented("int f(int x) { return x + 1 > x; }", "f");
    assert!(!code.contains("ret i32 1"), "{code}");
    let code = instrumented("long g(int *p, int i) { return &p[i + 1] > &p[i]; }", "g");
    assert!(!code.contains("ret i64 1"), "{code}");
}

#[test]
fn the_null_page_is_memory_like_any_other() {
    let code = instrumented("int f(int *p) { int v = *p; if (!p) return 7; return v; }", "f");
    assert!(code.contains(" 7"), "{code}");
    let code = instrumented("int g(void) { return *(int *)0; }", "g");
    assert!(code.contains("load i32, ptr null"), "{code}");
}

#[test]
fn not_a_number_comes_from_the_machine() {
    let code = instrumented("double f(void) { double z = 0; return z / z; }", "f");
    assert!(code.contains("constrained.fdiv"), "{code}");
}

#[test]
fn loops_of_stores_do_not_become_library_calls() {
    let code = instrumented("void f(char *p, long n) { for (long i = 0; i < n; i++) p[i] = 0; }", "f");
    assert!(!code.contains("memset"), "{code}");
    let code = instrumented("void g(char *p) { for (long i = 0; i < 4096; i++) p[i] = 0; }", "g");
    assert!(!code.contains("llvm.memset"), "{code}");
}

#[test]
fn results_that_are_left_open_are_defined() {
    let code = instrumented("int f(int a, int b) { return a << b; }", "f");
    assert!(code.contains("and i32") && code.contains("31"), "{code}");
    let code = instrumented("int g(int a, int b) { return a / b; }", "g");
    assert!(code.contains("__wd_trap_div"), "{code}");
    let code = instrumented("int h(double d) { return (int)d; }", "h");
    assert!(code.contains("cvttsd2si"), "{code}");
}

#[test]
fn falling_off_a_function_traps() {
    let code = instrumented("void f(int x) { if (x) __builtin_unreachable(); }", "f");
    assert!(code.contains("llvm.trap"), "{code}");
}

#[test]
fn neighbouring_stores_keep_their_memories() {
    // LLVM's store merging once put real stores into the shadow here; see the code generator's options.
    let source = r#"
#include <stdio.h>
#include <string.h>
struct mem { long u; char *z; int n; unsigned short flags; char enc, sub; void *db; int size; unsigned t; char *a; void *x; };
static void look(struct mem *m) { printf("%ld %p %d %d %p %d %u %p %p\n", m->u, m->z, m->n, m->flags, m->db, m->size, m->t, m->a, m->x); }
static void dirty(void) { char b[200]; memset(b, 77, sizeof b); printf("%d\n", b[99]); }
static void (*volatile show)(struct mem *) = look;
static void clean(void) { struct mem a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a.flags = 1; b.flags = 2; show(&a); show(&b); }
int main(void) { dirty(); clean(); return 0; }
"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, source).unwrap();
    let expected = execute(&plain(folder.path(), std::slice::from_ref(&path)), None);
    let program = link(folder.path(), &[recorded(bitcode(&path, &[]))], whydunit_instrument::Optimization::Record);
    let records = folder.path().join("records");
    std::fs::create_dir(&records).unwrap();
    same(&path, &expected, &execute(&program, Some(("WHYDUNIT_RECORD_DIR", &records))));
}

#[test]
fn safepoints_that_nothing_tells_apart_are_counted_at_once() {
    let four = "static int a(int n) { return n + 1; } static int b(int n) { return a(n) * 3; }";
    let code = instrumented(&format!("{four} int f(int n) {{ return b(n) ^ b(n + 7); }}"), "f");
    assert!(code.contains("addq $$5,") && !code.contains("incq"), "{code}");
    // What may trap, what may be logged and what may never come keep theirs apart.
    let code = instrumented(&format!("{four} int f(int n, int m) {{ return a(n) / m + a(m); }}"), "f");
    let division = code.find("div").unwrap();
    assert!(code[..division].contains("addq $$2,") && code[division..].contains("incq"), "{code}");
    let code = instrumented(&format!("{four} int f(int n, int *p) {{ int r = *p; return a(n + r) + *p; }}"), "f");
    assert!(code.matches("incq").count() == 2 && !code.contains("addq"), "{code}");
    let code = instrumented(&format!("{four} int f(int n) {{ for (int i = 0; i < n; i++) n = a(n); return n; }}"), "f");
    assert!(code.contains("incq"), "{code}");
}
