//! Call graphs.

use std::collections::BTreeSet;

use whydunit_dataflow::{CallKind, CallSite};

use crate::tested::{c, set, units};

#[test]
fn calls_go_where_names_and_pointers_lead() {
    let tested = c("
        void sort(void *, int (*)(const void *, const void *)); void elsewhere(void);
        static int add(int a, int b) { return a + b; }
        static int sub(int a, int b) { return a - b; }
        static double half(double x) { return x / 2; }
        static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }
        static int never(int a, int b) { return a; }
        static int (*const table[])(int, int) = {add, sub};
        static double (*volatile chosen)(double) = half;
        int apply(int which, int a, int b) { return table[which](a, b); }
        double scaled(double x) { return chosen(x); }
        void sorted(int *array) { sort(array, order); }
        int odd(int n); int even(int n) { return n == 0 || odd(n - 1); } int odd(int n) { return n != 0 && even(n - 1); }
        int direct(int a) { return never(a, even(a)); }
        void leaves(void) { elsewhere(); }
    ");
    let only = |name: &str| tested.graph.callees(tested.site(name, 0)).clone();
    // A function of two pointers takes two numbers as well; one of numbers in floating registers does not.
    let apply = only("apply");
    assert_eq!(tested.names(&apply.functions), set(&["add", "sub", "order"]));
    assert_eq!((apply.kind, apply.outside), (CallKind::Indirect, true));
    assert_eq!(tested.names(&only("scaled").functions), set(&["half"]));
    let sorted = only("sorted");
    assert_eq!((tested.names(&sorted.callbacks), sorted.outside), (set(&["order"]), false));
    assert!(tested.graph.may_call(tested.site("sorted", 0), tested.id("order")));
    let elsewhere = only("leaves");
    assert!(elsewhere.outside && elsewhere.functions.is_empty());
    assert!(tested.graph.may_call(tested.site("leaves", 0), tested.id("add")));
    assert!(tested.graph.known_outside(tested.id("add")) && !tested.graph.known_outside(tested.id("never")));
    assert_eq!(tested.graph.callers(tested.id("never")).len(), 1);
    let component = |name: &str| tested.graph.component_of(tested.id(name));
    assert_eq!(component("odd"), component("even"));
    assert!(component("even") < component("direct") && component("never") < component("direct"));
    // What the table holds is all that is called through it.
    let refined = tested.refined();
    let apply = refined.callees(tested.indirect("apply"));
    assert_eq!((tested.names(&apply.functions), apply.outside), (set(&["add", "sub"]), false));
}

#[test]
fn virtual_calls_go_to_the_overriders_of_their_place() {
    let tested = units(
        &["
        struct Shape { virtual int area() { return 0; } virtual int edges() { return 0; } };
        struct Square : Shape { int side = 1; int area() override { return side * side; } int edges() override { return 4; } };
        struct Line : Shape { int edges() override { return 1; } };
        struct Named { virtual int name() { return 1; } };
        struct Both : Named, Shape { int edges() override { return 2; } };
        int count(Shape *shape) { return shape->edges(); }
        int sum() { Square square; Line line; Both both; Named named; return count(&square) + count(&line) + count(&both); }
        int known() { Line line; Shape *shape = &line; return shape->edges(); }
    "],
        "cpp",
    );
    let callees = tested.graph.callees(tested.indirect("count"));
    assert_eq!(callees.kind, CallKind::Virtual);
    let names = tested.names(&callees.functions);
    assert!(names.is_superset(&set(&["Shape::edges", "Square::edges", "Line::edges"])), "{names:?}");
    // That of Both goes by a piece of code that corrects the object's address first.
    assert!(callees.functions.iter().any(|&id| tested.program.function(id).name.starts_with("_ZThn")), "{names:?}");
    assert!(names.is_disjoint(&set(&["Shape::area", "Square::area", "Named::name"])), "{names:?}");
    let refined = tested.refined();
    let known = refined.callees(tested.indirect("known"));
    // While a Line is made it is a Shape first; when that was does not matter.
    assert_eq!((tested.names(&known.functions), known.outside), (set(&["Line::edges", "Shape::edges"]), false));
}

#[test]
fn symbols_of_several_units_are_one_where_linkers_make_them_one() {
    let tested = units(
        &[
            "int shared; static int own; int f(void); static int g(void) { return 1; }
             int one(void) { return f() + g() + shared + own; }",
            "extern int shared; static int own; int f(void) { return shared; } static int g(void) { return own; }
             int two(void) { return g(); }",
        ],
        "c",
    );
    let called = |name: &str| {
        let calls = 0..tested.function(name).calls.len() as u32;
        let caller = tested.id(name);
        let all = calls.flat_map(|call| tested.graph.callees(CallSite { caller, call }).functions.clone());
        all.map(|id| (tested.program.module_of(id), tested.name(id))).collect::<BTreeSet<_>>()
    };
    assert_eq!(called("one"), BTreeSet::from([(1, "f".to_string()), (0, "g".to_string())]));
    assert_eq!(called("two"), BTreeSet::from([(1, "g".to_string())]));
    let globals = |name: &str| {
        let named = tested.program.globals().filter(|&id| tested.program.global(id).name == name);
        named.map(|id| tested.program.meant_global(id)).collect::<BTreeSet<_>>().len()
    };
    assert_eq!((globals("shared"), globals("own")), (1, 2));
}
