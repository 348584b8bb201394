//! What mixtures lack that types and declarations of the whole program tell: tests.

use whydunit_changes::{File, Mode, Tree};

use crate::Coherence;

fn tree(files: &[(&str, &str)]) -> Tree {
    let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
    Tree { files: files.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect() }
}

/// What a mixture lacks, in words with the file and the line; and that neither version lacks anything.
fn lacks(old: &[(&str, &str)], new: &[(&str, &str)], mixture: &[(&str, &str)]) -> Vec<String> {
    let (old, new) = (tree(old), tree(new));
    let mut coherence = Coherence::of(&old, &new);
    assert_eq!((coherence.lacks(&old), coherence.lacks(&new)), (vec![], vec![]));
    let told = coherence.lacks(&tree(mixture)).into_iter();
    told.map(|lack| format!("{}:{}: {}", lack.places[0].0, lack.places[0].1, lack.says)).collect()
}

/// What a source of Rust lacks.
fn of_rust(old: &str, new: &str, mixture: &str) -> Vec<String> {
    lacks(&[("a.rs", old)], &[("a.rs", new)], &[("a.rs", mixture)])
}

const PLAIN: &str = "typedef int *at;\nstruct s { at top; int n; };\n";
const TYPED: &str = "typedef int *at;\ntypedef union { at p; long o; } rel;\nstruct s { rel top; int n; };\n";
const OLD_USE: &str = "#include \"a.h\"\nint f(struct s *x)\n{\n    return x->top[0] + *x->top + x->n;\n}\n";
const NEW_USE: &str = "#include \"a.h\"\nint f(struct s *x)\n{\n    return x->top.p[0] + *x->top.p + x->n;\n}\n";

#[test]
fn members_of_another_type_go_with_what_is_done_with_them() {
    let old = [("a.h", PLAIN), ("a.c", OLD_USE)];
    let new = [("a.h", TYPED), ("a.c", NEW_USE)];
    let told = lacks(&old, &new, &[("a.h", TYPED), ("a.c", OLD_USE)]);
    assert_eq!(told, ["a.c:4: member ‘top’ has another type: ‘*’", "a.c:4: member ‘top’ has another type: ‘[’"]);
    let told = lacks(&old, &new, &[("a.h", PLAIN), ("a.c", NEW_USE)]);
    assert!(told.contains(&"a.c:4: member ‘top’ has another type: ‘.’".to_owned()), "{told:?}");
}

#[test]
fn members_that_are_declared_in_both_ways() {
    let also = "struct t { at top; };\nint *g(struct t *y) { return y->top; }\n";
    let then = "struct t { rel top; };\nint *g(struct t *y) { return y->top.p; }\n";
    let mixed = "struct t { at top; };\nint *g(struct t *y) { return y->top.p; }\n";
    let (old, new, mixture) = ([PLAIN, also].concat(), [TYPED, then].concat(), [TYPED, mixed].concat());
    let told = lacks(&[("a.c", &old)], &[("a.c", &new)], &[("a.c", &mixture)]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|told| told.ends_with("member ‘top’ has the types of both versions")), "{told:?}");
}

#[test]
fn headers_of_c_state_parameters_and_those_of_cpp_need_not() {
    let old = [
        ("a.h", "int g(int a);\n"),
        ("a.c", "#include \"a.h\"\nint g(int a) { return a; }\nint f(void) { return g(1); }\n"),
    ];
    let new = [
        ("a.h", "int g(int a, int b);\n"),
        ("a.c", "#include \"a.h\"\nint g(int a, int b) { return a + b; }\nint f(void) { return g(1, 2); }\n"),
    ];
    let mixture =
        [new[0], ("a.c", "#include \"a.h\"\nint g(int a, int b) { return a + b; }\nint f(void) { return g(1); }\n")];
    assert_eq!(lacks(&old, &new, &mixture), ["a.c:3: ‘g’ does not agree with what is said of it elsewhere"]);
    let with = |files: &[(&'static str, &'static str)]| [files, &[("b.cpp", "int h() { return 1; }\n")]].concat();
    assert_eq!(lacks(&with(&old), &with(&new), &with(&mixture)), Vec::<String>::new());
}

const OLD_ENUM: &str = "pub enum E { A, B(u32) }\npub fn f(e: &E) -> u32 {\n    match e {\n        E::A => 1,\n        E::B(x) => *x,\n    }\n}\npub fn g() -> E {\n    E::A\n}\n";
const NEW_ENUM: &str = "pub enum E { C, B(u32), D }\npub fn f(e: &E) -> u32 {\n    match e {\n        E::C => 1,\n        E::B(x) => *x,\n        E::D => 3,\n    }\n}\npub fn g() -> E {\n    E::C\n}\n";

#[test]
fn a_match_takes_in_all_variants_and_only_variants_are_named() {
    let mixed = NEW_ENUM.replace("        E::D => 3,\n", "");
    assert_eq!(of_rust(OLD_ENUM, NEW_ENUM, &mixed), ["a.rs:3: ‘D’ is not taken in here"]);
    let all = mixed.replace("E::B(x) => *x", "E::B(x) => *x,\n        _ => 3");
    assert_eq!(of_rust(OLD_ENUM, NEW_ENUM, &all), Vec::<String>::new());
    // A variant of another enumeration is none of this one.
    let with = |text: &str| format!("{text}pub enum Other {{ A }}\n");
    let mixed = NEW_ENUM.replace("    E::C\n", "    E::A\n");
    let told = of_rust(&with(OLD_ENUM), &with(NEW_ENUM), &with(&mixed));
    assert_eq!(told, ["a.rs:10: ‘A’ does not agree with what is said of it elsewhere"]);
}

#[test]
fn variants_are_named_by_a_glob() {
    let with = |text: &str| {
        text.replace("    match e {\n", "    use self::E::*;\n    match e {\n").replace("        E::", "        ")
    };
    let mixed = with(NEW_ENUM).replace("        D => 3,\n", "");
    assert_eq!(of_rust(&with(OLD_ENUM), &with(NEW_ENUM), &mixed), ["a.rs:4: ‘D’ is not taken in here"]);
}

#[test]
fn implementations_have_the_items_of_their_trait() {
    let of = |asked: &str, given: &str| {
        format!(
            "pub trait T {{\n    {asked}\n    fn also(&self) {{}}\n}}\npub struct S;\nimpl T for S {{\n    {given}\n}}\n"
        )
    };
    let (old, new) = (of("fn get(&self);", "fn get(&self) {}"), of("fn take(&self);", "fn take(&self) {}"));
    let told = of_rust(&old, &new, &of("fn take(&self);", "fn get(&self) {}"));
    assert!(told.contains(&"a.rs:6: ‘take’ is not taken in here".to_owned()), "{told:?}");
    assert!(told.contains(&"a.rs:7: ‘get’ does not agree with what is said of it elsewhere".to_owned()), "{told:?}");
}

#[test]
fn literals_have_all_fields_and_no_others() {
    let of = |fields: &str, given: &str| {
        format!(
            "pub struct S {{ {fields} }}\npub struct Other {{ pub b: u32 }}\npub fn f() -> S {{\n    S {{ {given} }}\n}}\n"
        )
    };
    let (old, new) = (of("pub a: u32", "a: 1"), of("pub a: u32, pub c: u32", "a: 1, c: 2"));
    assert_eq!(of_rust(&old, &new, &of("pub a: u32, pub c: u32", "a: 1")), ["a.rs:4: ‘c’ is not taken in here"]);
    let told = of_rust(&old, &new, &of("pub a: u32", "a: 1, b: 2"));
    assert_eq!(told, ["a.rs:4: ‘b’ does not agree with what is said of it elsewhere"]);
}

#[test]
fn what_is_around_a_module_of_tests_is_what_the_file_declares() {
    let of = |import: &str, body: &str| {
        format!("{import}pub fn f() -> usize {{\n    {body}\n}}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n}}\n")
    };
    let other = ("b.rs", "pub mod iter {}\n");
    let (old, new) = (of("", "0"), of("use std::iter;\n", "iter::empty::<u32>().count()"));
    let mixed = of("", "iter::empty::<u32>().count()");
    let told = lacks(&[("a.rs", &old), other], &[("a.rs", &new), other], &[("a.rs", &mixed), other]);
    assert_eq!(told, ["a.rs:2: ‘iter’ is not declared"]);
}
