//! C as clang compiles it, canonical: symbols, initialisers, frames, calls, debug information.

use std::process::Command;

use whydunit_canonical::layout::Layout;
use whydunit_llvm::Module;
use whydunit_model::{
    self as model, Callee, Const, ConstExpr, DebugType, Encoding, Function, Linkage, Op, Scalar, Symbol,
};

fn compile(source: &str) -> model::Module {
    compile_as("t.c", source)
}

/// The model of a source in a file of this name, which says the language.
pub fn compile_as(name: &str, source: &str) -> model::Module {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join(name), folder.path().join("t.bc"));
    std::fs::write(&input, source).unwrap();
    let status = Command::new("clang-22")
        .args(["-g", "-fstandalone-debug", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-c", "-emit-llvm", "-o"])
        .args([&output, &input])
        .status()
        .unwrap();
    assert!(status.success());
    let mut module = Module::read(&output).unwrap();
    whydunit_canonical::canonicalise(&mut module).unwrap();
    let lowered = crate::lower(&module, &Layout::of(&module), "id").unwrap();
    // The same canonical IR, read again, gives the same model.
    let again = Module::parse(&module.bitcode(), "again").unwrap();
    let again = crate::lower(&again, &Layout::of(&again), "id").unwrap();
    assert!(again.to_bytes() == lowered.to_bytes());
    for function in &lowered.functions {
        assert_eq!(function.unsupported, Vec::<String>::new(), "{}", function.name);
        check(function);
    }
    assert_eq!(model::Module::from_bytes(&lowered.to_bytes()).unwrap(), lowered);
    lowered
}

/// What holds for every lowered function.
fn check(function: &Function) {
    assert_eq!((function.sites.len(), function.op_locs.len()), (function.code.len(), function.code.len()));
    let mut end = 0;
    for block in &function.blocks {
        assert_eq!(block.start, end);
        end = block.end;
        let last = &function.code[end as usize - 1];
        assert!(
            matches!(
                last,
                Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return { .. } | Op::Trap { .. }
            ),
            "{last:?}"
        );
    }
    assert_eq!(end as usize, function.code.len());
    assert!(function.debug_values.is_sorted_by_key(|value| value.pc));
    for loc in &function.locs {
        assert!((loc.scope as usize) < function.scopes.len());
    }
}

fn function<'m>(module: &'m model::Module, name: &str) -> &'m Function {
    module.functions.iter().find(|function| function.name == name).unwrap()
}

fn global<'m>(module: &'m model::Module, name: &str) -> &'m model::Global {
    module.globals.iter().find(|global| global.name == name).unwrap()
}

fn named<'m>(module: &'m model::Module, name: &str) -> &'m DebugType {
    let has = |ty: &&DebugType| match ty {
        DebugType::Struct { name: it, .. } | DebugType::Enum { name: it, .. } | DebugType::Alias { name: it, .. } => {
            it == name
        }
        DebugType::Base { name: it, .. } => it == name,
        _ => false,
    };
    module.types.iter().find(has).unwrap()
}

#[test]
fn globals_have_their_content() {
    let module = compile(
        r#"
struct s { char c; short h; int *p; char text[6]; };
extern int outside;
static int table[3] = {1, 2, -3};
int zero[100];
struct s record = {'a', 0x1234, &table[1], "hey"};
const char *name = "whydunit";
int (*call)(int);
static int local(int x) { return x; }
int (*handlers[2])(int) = {0, local};
long double wide = -1.5L;
__int128 big = ((__int128)1 << 64) + 5;
float f = 0.5f;
_Thread_local int mine = 7;
__attribute__((weak)) int maybe = 1;
long past = (long)&table[3] + 5;
int use(void) { extern int elsewhere(int); return outside + elsewhere(mine) + table[0] + zero[1]; }
"#,
    );
    let table = module.globals.iter().position(|global| global.name == "table").unwrap() as u32;
    let local = module.functions.iter().position(|function| function.name == "local").unwrap() as u32;
    assert_eq!(global(&module, "outside").linkage, Linkage::Declared);
    assert_eq!(global(&module, "table").linkage, Linkage::Internal);
    assert_eq!(global(&module, "table").init.bytes, [1, 0, 0, 0, 2, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff]);
    assert!(global(&module, "zero").init.bytes.is_empty() && global(&module, "zero").size == 400);
    let record = global(&module, "record");
    assert_eq!(record.init.bytes, b"a\0\x34\x12\0\0\0\0\0\0\0\0\0\0\0\0hey");
    assert_eq!(record.init.addresses, [(8, 8, Const::Addr(Symbol::Global(table), 4))]);
    assert_eq!((record.size, record.align, record.linkage), (24, 8, Linkage::Strong));
    assert_eq!(record.source_name.as_deref(), Some("record"));
    assert_eq!(record.loc.unwrap().line, 6);
    assert_eq!(global(&module, "handlers").init.addresses, [(8, 8, Const::Addr(Symbol::Function(local), 0))]);
    assert_eq!(global(&module, "wide").init.bytes, [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0xbf]);
    assert_eq!(global(&module, "big").init.bytes, [5, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(global(&module, "f").init.bytes, 0.5f32.to_le_bytes());
    assert!(global(&module, "mine").thread_local && !global(&module, "maybe").thread_local);
    assert_eq!(global(&module, "maybe").linkage, Linkage::Weak);
    assert_eq!(global(&module, "past").init.addresses, [(0, 8, Const::Addr(Symbol::Global(table), 17))]);
    let code = &function(&module, "use").code;
    assert!(code.iter().any(|op| matches!(op, Op::ThreadLocal { .. })));
    assert_eq!(function(&module, "elsewhere").linkage, Linkage::Declared);
    assert!(!function(&module, "elsewhere").is_defined());
    assert!(module.functions.iter().all(|function| !function.name.starts_with("llvm.")));
}

#[test]
fn differences_of_addresses_are_expressions() {
    let text = r#"
@a = global i32 1
@b = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
@c = global i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64)) to i32)
@d = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 9) to i64), i64 ptrtoint (ptr @a to i64))
@e = alias i32, ptr @a
@f = global ptr getelementptr (i8, ptr @e, i64 1)
"#;
    let module = super::evaluate::model_of(text);
    let at = |index| Const::Addr(Symbol::Global(index), 0);
    let difference = Const::Expr(Box::new(ConstExpr::Sub(at(0), at(1))));
    assert_eq!(global(&module, "b").init.addresses, [(0, 8, difference.clone())]);
    let low = Const::Expr(Box::new(ConstExpr::Trunc(32, difference)));
    assert_eq!(global(&module, "c").init.addresses, [(0, 4, low)]);
    assert_eq!(global(&module, "d").init.bytes, [9]);
    assert_eq!(global(&module, "f").init.addresses, [(0, 8, Const::Addr(Symbol::Global(0), 1))]);
}

#[test]
fn variables_scopes_and_types_are_described() {
    let module = compile(
        r#"
enum colour { RED, GREEN = 5, BLUE = -2 };
union u { int i; float f; };
struct node { struct node *next; int a : 3; unsigned b : 5; union u u; enum colour colour; char grid[2][3]; unsigned char flag; };
typedef struct node node_t;
_Bool yes = 1;
int walk(const node_t *head, int limit) {
    int count = 0;
    int uninitialised;
    for (; head; head = head->next) {
        int step = head->a;
        if (step > limit) count += step;
    }
    int *where = &uninitialised;
    return count + *where;
}
"#,
    );
    let walk = function(&module, "walk");
    assert_eq!((walk.source_name.as_deref(), walk.loc.unwrap().line), (Some("walk"), 7));
    assert!(module.files[walk.loc.unwrap().file as usize].ends_with("/t.c"));
    assert!(module.source.ends_with("/t.c") && module.source.starts_with('/'));
    let variable = |name: &str| {
        let index = walk.variables.iter().position(|variable| variable.name == name).unwrap();
        (index as u32, &walk.variables[index])
    };
    assert_eq!((variable("head").1.arg, variable("limit").1.arg, variable("count").1.arg), (1, 2, 0));
    // The one whose address is taken is in memory, the others are in registers.
    let object = variable("uninitialised").1.object.unwrap();
    assert_eq!((walk.stack[object as usize].name.as_str(), walk.stack[object as usize].size), ("uninitialised", 4));
    assert_eq!(walk.stack[object as usize].loc.unwrap().line, 9);
    let (step, described) = variable("step");
    assert!(described.object.is_none() && described.scope != 0);
    assert!(walk.debug_values.iter().any(|value| value.variable == step && value.value.is_some()));
    let mut scope = described.scope;
    while scope != 0 {
        let parent = walk.scopes[scope as usize].parent;
        assert!(walk.scopes[parent as usize].line <= walk.scopes[scope as usize].line);
        scope = parent;
    }
    let compared = walk.code.iter().position(|op| matches!(op, Op::ICmp { pred: model::IntPred::Sgt, .. })).unwrap();
    assert_eq!((walk.loc(compared).line, walk.loc(compared).column), (12, 18));

    let DebugType::Struct { bytes, members, union: false, .. } = named(&module, "node") else { panic!() };
    assert_eq!(*bytes, 32);
    let layout: Vec<_> =
        members.iter().map(|member| (member.name.as_str(), member.bit_offset, member.bit_size)).collect();
    assert_eq!(
        layout,
        [
            ("next", 0, 0),
            ("a", 64, 3),
            ("b", 67, 5),
            ("u", 96, 0),
            ("colour", 128, 0),
            ("grid", 160, 0),
            ("flag", 208, 0)
        ]
    );
    assert!(matches!(&module.types[members[0].ty as usize], DebugType::Pointer { .. }));
    let DebugType::Array { element, count: Some(2), bytes: 6 } = module.types[members[5].ty as usize] else { panic!() };
    assert!(matches!(module.types[element as usize], DebugType::Array { count: Some(3), bytes: 3, .. }));
    let DebugType::Enum { values, .. } = named(&module, "colour") else { panic!() };
    assert_eq!(values, &[("RED".into(), 0), ("GREEN".into(), 5), ("BLUE".into(), -2)]);
    assert!(matches!(named(&module, "u"), DebugType::Struct { union: true, .. }));
    assert!(matches!(named(&module, "node_t"), DebugType::Alias { .. }));
    assert!(matches!(named(&module, "int"), DebugType::Base { encoding: Encoding::Signed, bytes: 4, .. }));
    assert!(matches!(named(&module, "_Bool"), DebugType::Base { encoding: Encoding::Boolean, .. }));
    assert!(matches!(named(&module, "unsigned char"), DebugType::Base { encoding: Encoding::UnsignedChar, .. }));
}

#[test]
fn calls_carry_what_the_recorder_does() {
    let module = compile(
        r#"
#include <setjmp.h>
#include <stdarg.h>
struct big { long a[5]; };
struct pair { long x; double y; };
int printf(const char *, ...);
void exit(int) __attribute__((noreturn));
jmp_buf place;
long take(struct big b) { return b.a[1]; }
struct big give(void) { struct big b = {{1}}; return b; }
struct pair two(struct pair p) { p.x++; return p; }
int sum(int n, ...) { va_list list, other; va_start(list, n); va_copy(other, list); int x = va_arg(list, int); va_end(list); return x; }
int main(int argc, char **argv) {
    struct big b = give();
    int (*through)(int, ...) = argc > 1 ? sum : 0;
    if (setjmp(place)) exit(3);
    struct pair p = two((struct pair){1, 2});
    __asm__ volatile("nop" : "+r"(argc));
    printf("%d %f", argc, 1.5L);
    return take(b) + through(1, 2) + p.x;
}
"#,
    );
    let main = function(&module, "main");
    assert!(main.calls_setjmp && main.frame_size.is_multiple_of(16) && main.frame_size > 0);
    let call = |name: &str| {
        main.calls
            .iter()
            .find(|call| matches!(call.callee, Callee::Direct(index) if module.functions[index as usize].name == name))
            .unwrap()
    };
    let printf = call("printf");
    assert_eq!((printf.fixed, printf.ret.as_slice()), (Some(1), [Scalar::Int(32)].as_slice()));
    assert_eq!(printf.args[2].leaves, [Scalar::F80]);
    assert!(call("_setjmp").returns_twice && call("exit").noreturn && !call("exit").returns_twice);
    assert_eq!((call("take").args[0].byval, call("take").args[0].align), (40, 8));
    assert_eq!(call("two").ret, [Scalar::Int(64), Scalar::F64]);
    assert!(main.calls.iter().any(|call| matches!(call.callee, Callee::Indirect(_)) && call.fixed == Some(1)));
    let asm = main.calls.iter().find(|call| matches!(call.callee, Callee::Asm(_))).unwrap();
    assert_eq!(asm.ret, [Scalar::Int(32)]);
    assert!(main.asm[0].starts_with("nop"));
    assert!(main.code.iter().any(|op| matches!(op, Op::CheckRange { .. })));
    let take = function(&module, "take");
    assert_eq!(take.params[0].byval, 40);
    assert!(take.code.iter().any(|op| matches!(op, Op::ByvalCopy { .. })));
    let variable = take.variables.iter().find(|variable| variable.name == "b").unwrap();
    assert_eq!(take.stack[variable.object.unwrap() as usize].size, 40);
    assert!(take.code.iter().any(|op| matches!(op, Op::Safepoint)));
    let give = function(&module, "give");
    let variable = give.variables.iter().position(|variable| variable.name == "b").unwrap();
    assert!(give.variables[variable].indirect);
    assert_eq!(give.debug_values[0].value, Some(model::Opnd::slot(give.params[0].slot)));
    let sum = function(&module, "sum");
    assert!(sum.variadic && sum.params.len() == 1);
    assert!(sum.code.iter().any(|op| matches!(op, Op::VaStart { .. })));
    assert!(sum.code.iter().any(|op| matches!(op, Op::VaCopy { .. })));
}

#[test]
fn odd_corners_of_c_are_supported() {
    compile(
        r#"
#include <stddef.h>
#include <complex.h>
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
struct empty {};
struct bits { unsigned a : 7; signed long b : 40; _Bool c : 1; } __attribute__((packed));
_Atomic long counter;
int computed(int n) { static void *table[] = {&&a, &&b}; goto *table[n & 1]; a: return 1; b: return 2; }
v4 vectors(v4 a, v4 b, int i) { i4 m = a < b; a[i] = m[0]; return a * b + __builtin_convertvector(m, v4); }
double _Complex complex_numbers(double _Complex a, double _Complex b) { return a + b * 2; }
__int128 wide(__int128 a, unsigned __int128 b) { return a * b / 3 + (a >> 70) + (a < 0) + (__int128)(double)a; }
long double extended(long double a, int b) { return a * b + __builtin_fabsl(a) + (unsigned long)a; }
_Float16 half(_Float16 a, _Float16 b) { return a * b + 1; }
long atomics(void) { counter += 3; long e = 3; __c11_atomic_compare_exchange_strong(&counter, &e, 4, 5, 5); __atomic_thread_fence(5); return counter--; }
_Atomic float measure; float add(void) { measure *= 2; return __c11_atomic_fetch_add(&measure, 1.5f, 5); }
int vla(int n) { int a[n][n + 1]; char *p = __builtin_alloca(n); { char inner[n]; inner[0] = 0; p[0] = inner[0]; } a[0][0] = p[0]; return sizeof a + a[0][0]; }
unsigned bit(struct bits *s, int x) { s->a = x; s->b = -x; s->c = x; return s->a + s->b + s->c; }
unsigned builtins(unsigned x, unsigned long y) { int o; return __builtin_clz(x) + __builtin_ctzl(y) + __builtin_popcount(x) + __builtin_bswap32(x) + __builtin_add_overflow((int)x, 3, &o) + o + __builtin_expect(x, 1) + __builtin_rotateleft32(x, 3) + __builtin_isnan((double)x) + __builtin_parity(x); }
struct empty nothing(struct empty e) { return e; }
int flow(unsigned char c) { do { switch (c) { case 1 ... 9: continue; case 200: return 7; default: c++; } } while (c && c > 3 ? c-- : 0); return !c; }
void *copy(char *d, const char *s, size_t n) { __builtin_memcpy(d, s, n); __builtin_memset(d, 1, 4); return __builtin_memmove(d + 1, d, n); }
double maths(double x) { return __builtin_sqrt(x) + __builtin_floor(x) + __builtin_copysign(x, -1.0) + __builtin_fma(x, x, x) + __builtin_sin(x) + __builtin_pow(x, 2.5); }
inline __attribute__((always_inline)) int inlined(int x) { int y = x + 1; return y; }
int caller(int x) { return inlined(x) + inlined(x * 2); }
"#,
    );
}

#[test]
fn positions_say_where_code_was_inlined() {
    let module = compile(
        "# 5 \"/usr/include/numbers.h\" 1 3
static int twice(int of) { return 2 * of; }
static int more(int than)
{ int result = twice(than) + 1; return result; }
# 20 \"program.c\" 2
int f(int n)
{
    return more(n);
}",
    );
    let f = function(&module, "f");
    let multiplies = f.code.iter().position(|op| matches!(op, Op::Int { op: model::IntOp::Mul, .. })).unwrap();
    let place = |(loc, name): (model::Loc, &str)| {
        (module.files[loc.file as usize].rsplit('/').next().unwrap().to_owned(), loc.line, name.to_owned())
    };
    let expected = [("numbers.h", 5, "twice"), ("numbers.h", 7, "more"), ("program.c", 22, "f")];
    let expected = expected.map(|(file, line, name)| (file.to_owned(), line, name.to_owned()));
    assert_eq!(f.places(multiplies).map(place).collect::<Vec<_>>(), expected);
    // The variables of a library's function are its own.
    assert_eq!(f.variables.iter().map(|variable| &variable.name[..]).collect::<Vec<_>>(), ["n"]);
}

#[test]
fn functions_without_effects_are_told_from_others() {
    let module = compile(
        "struct pair { int a, b; };
         int counter;
         extern int known(int), other(int);
         int sum(const struct pair *p) { int own[2] = {p->a, p->b}; int s = 0; for (int i = 0; i < 2; i++) s += own[i]; return s; }
         int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         static void put(int *at) { *at = 1; }
         int own(void) { int x; put(&x); return x; }
         int counted(void) { return ++counter; }
         int calls(int n) { return known(n) + sum(&(struct pair){n, n}); }
         int calls_other(int n) { return other(n); }
         int through(int (*f)(void)) { return f(); }
         int *inside(struct pair *p) { p->b = 2; return &p->a; }",
    );
    let without = whydunit_dataflow::without_effects(std::slice::from_ref(&module), &|name| name == "known");
    assert_eq!(without, ["calls", "even", "odd", "sum"]);
}
