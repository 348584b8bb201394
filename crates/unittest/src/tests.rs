//! Tests out of tests, in each language.

use crate::{Call, Expected, Shape, Source, Stop, Stopped, Wanted, arguments_of, draft, inserted, stop};

const CPP: &str = r#"
#include <gtest/gtest.h>
TEST(StackTest, Pops) {
  Stack a, b;
  Stack s;
  int other = 3;
  EXPECT_EQ(other, 3);
  s.push(1);
  EXPECT_EQ(s.size(), 1u);
  EXPECT_EQ(s.pop(), 1);
  for (int i = 0; i < 3; i++) s.push(i);
  if (other) { s.clear(); }
  Stack *p = new Stack();
  p->push(other);
  make()->push(2);
}
"#;

const RUST: &str = r#"
#[cfg(test)]
mod tests {
    #[test]
    #[ignore]
    fn pops() -> Result<(), Full> {
        let other = 3;
        let s = Stack::new();
        let twin = &s;
        assert_eq!(twin.len(), 0);
        assert_eq!(s.pop(), None);
        vec![1].iter().for_each(|it| s.push(*it));
        Ok(())
    }

    fn helper(s: &mut Stack) {
        s.push(9);
    }
}
"#;

const C: &str = r#"
#include <assert.h>
void test_put(void);
static void test_put(void) {
    struct handle *h = handle_open(8);
    assert(handle_put(h, 1) == 0);
    handle_put(&other, 1);
}
static const struct test all[] = {
    { "test_put", test_put },
};
int main(void) {
    test_put();
    return 0;
}
"#;

fn source(path: &str, text: &str) -> Source {
    Source::read(path, text.into()).expect("a language")
}

fn line(text: &str, of: &str) -> u32 {
    text.lines().position(|line| line.contains(of)).expect("a line") as u32 + 1
}

fn stopped<'a>(text: &str, at: &str, method: &'a str, shape: Shape) -> Stopped<'a> {
    let constructor = ["Stack", "new", "handle_open"].contains(&method);
    Stopped { line: line(text, at), method, shape, constructor, time: 1 }
}

fn call(method: &str, shape: Shape, arguments: &[&str], result: &str) -> Call {
    let arguments = arguments.iter().map(|it| (*it).to_owned()).collect();
    Call { method: method.into(), shape, arguments, result: result.into(), changes: true }
}

fn text(source: &Source, stop: &Stop<'_>, call: &Call, expected: &Expected) -> String {
    let is_pure = |method: &str| matches!(method, "size" | "len");
    let wanted = Wanted { name: "new_one", comment: "", steps: &[], call, expected, is_pure: &is_pure };
    draft(source, stop, &wanted).expect("a test").text
}

#[test]
fn a_test_of_googletest_begins_with_what_has_to_do_with_the_object() {
    let source = source("a.cpp", CPP);
    let at = |line: &str, method| stop(&source, &stopped(CPP, line, method, Shape::Member));
    let stop = at("EXPECT_EQ(s.pop(), 1)", "pop").expect("a call");
    let made = text(&source, &stop, &call("pop", Shape::Member, &[], "int"), &Expected::Throws("E".into()));
    assert_eq!(
        made,
        "TEST(StackTest, new_one) {\n  Stack s;\n  s.push(1);\n  EXPECT_EQ(s.pop(), 1);\n  EXPECT_THROW((void)s.pop(), E);\n}\n"
    );
    let stop = at("p->push(other)", "push").expect("a call");
    assert_eq!((stop.receiver.text.as_str(), stop.receiver.access), ("p", "->"));
    let made = text(&source, &stop, &call("clear", Shape::Member, &[], ""), &Expected::Returns(Vec::new()));
    assert!(made.contains("int other = 3;") && made.contains("EXPECT_NO_THROW(p->clear());"), "{made}");
    let stop = at("Stack s;", "Stack").expect("where it is made");
    assert_eq!(stop.receiver.text, "s");
    for (line, method, reason) in [
        ("for (int i", "push", "loop"),
        ("if (other)", "clear", "branch"),
        ("make()", "push", "no name"),
        ("Stack a, b", "Stack", "several variables"),
        ("int other = 3", "push", "no call of `push`"),
    ] {
        let why = at(line, method).expect_err("no test");
        assert!(why.contains(reason), "{line}: {why}");
    }
}

#[test]
fn a_test_of_rust_keeps_other_names_of_the_object_and_its_result() {
    let source = source("src/lib.rs", RUST);
    let at = |line: &str, method| stop(&source, &stopped(RUST, line, method, Shape::Member));
    let stop = at("s.pop(), None", "pop").expect("a call");
    let made = text(&source, &stop, &call("first", Shape::Member, &[], "u32"), &Expected::Panics("it is \"x\"".into()));
    let expected = "    #[test]\n    #[should_panic]\n    fn new_one() -> Result<(), Full> {\n        let mut s = Stack::new();\n        \
                    let twin = &s;\n        assert_eq!(s.pop(), None);\n        let _ = s.first();\n        Ok(())\n    }\n";
    assert_eq!(made, expected);
    assert!(at("for_each", "push").expect_err("no test").contains("closure"));
    assert_eq!(at("s.push(9)", "push").expect_err("no test"), "the run was left in `helper`, which is no test");
    let stop = at("Stack::new()", "new").expect("where it is made");
    let made = text(
        &source,
        &stop,
        &call("push", Shape::Member, &["7"], "core::result::Result<(), a::Full>"),
        &Expected::Returns(Vec::new()),
    );
    assert!(made.contains("assert!(s.push(7).is_ok());"), "{made}");
}

#[test]
fn a_function_of_c_is_called_and_listed_like_the_one_that_it_begins_as() {
    let source = source("test.c", C);
    let first = Shape::Function(0);
    let stop = stop(&source, &stopped(C, "handle_put(h, 1)", "handle_put", first)).expect("a call");
    let (call, expected) = (call("handle_put", first, &["-1"], "int"), Expected::Value("-1".into()));
    let wanted =
        Wanted { name: "new_one", comment: "Why.", steps: &[], call: &call, expected: &expected, is_pure: &|_| false };
    let made = draft(&source, &stop, &wanted).expect("a test");
    let all: Vec<_> = made.insertions.into_iter().map(|it| (0, it)).collect();
    let (text, _) = inserted(C, &all);
    for part in [
        "void test_put(void);\nvoid new_one(void);\n",
        "/* Why. */\nstatic void new_one(void) {\n    struct handle *h = handle_open(8);\n    assert(handle_put(h, 1) == 0);\n    \
         assert(handle_put(h, -1) == -1);\n}\n",
        "    { \"test_put\", test_put },\n    { \"new_one\", new_one },\n};",
        "    test_put();\n    new_one();\n    return 0;",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let marked: String = made.marked.iter().map(|it| it.text.as_str()).collect();
    assert!(marked.contains(&crate::mark("new_one")), "{marked}");
}

#[test]
fn arguments_that_are_no_variables_are_those_of_the_source() {
    let text = "#[test]\nfn t() {\n    s.put(Color::Red, vec![1, MOST], \"a\");\n    s.put(color, 1, &x);\n}\n";
    let source = source("t.rs", text);
    let closed = arguments_of(&source, 3, "put", Shape::Member).expect("a call");
    assert_eq!(closed, ["Color::Red", "vec![1, MOST]", "\"a\""].map(|it| Some(it.to_owned())));
    let open = arguments_of(&source, 4, "put", Shape::Member).expect("a call");
    assert_eq!(open, [None, Some("1".to_owned()), None]);
}
