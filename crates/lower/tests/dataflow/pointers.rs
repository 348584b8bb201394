//! Points-to.

use whydunit_dataflow::{Limits, Object, PointsTo};
use whydunit_model::Op;

use crate::tested::{Tested, c};

const POINTERS: &str = "
    void probe(void *); void *malloc(unsigned long); void *realloc(void *, unsigned long); void *elsewhere(void);
    void take(void *); void copy(void *, const void *);
    struct pair { int *a; int *b; };
    static int x, y, z;
    void fields(void) { struct pair p; p.a = &x; p.b = &y; probe(p.b); }
    static int *same(int *p) { return p; }
    void first(void) { probe(same(&x)); }
    void second(void) { probe(same(&y)); }
    static void both(int *p) { probe(p); }
    void calls_both(void) { both(&x); both(&y); }
    static void set(struct pair *p, int *v) { p->a = v; }
    void by_parameter(void) { struct pair p = {0, &y}; set(&p, &x); probe(p.a); }
    void on_heap(void) { struct pair *p = malloc(16); p->a = &x; p->b = &y; probe(p->a); }
    void of_heap(void) { probe(malloc(8)); }
    void moved_heap(void) { struct pair *p = malloc(16); p->b = &z; p = realloc(p, 32); probe(p->b); }
    void copied(void) { struct pair p = {&x, &y}, q = p; probe(q.b); }
    void copied_by(void) { struct pair p = {&x, &y}, q; copy(&q, &p); probe(q.a); }
    void unknown(void) { probe(elsewhere()); }
    void number(unsigned n) { probe((void *)(unsigned long)n); }
    void marked(void) { unsigned long v = (unsigned long)&x | 1; probe((void *)(v & ~1ul)); }
    static int *const table[] = {&x, &y};
    void in_table(int i) { probe(table[i]); }
    struct pair pairs[4];
    void in_array(int i, int j) { pairs[i].a = &x; pairs[j].b = &y; probe(pairs[3].b); }
    void element(int i) { probe(&pairs[i].b); }
    void merged(int c) { int *p = &x; if (c) p = &y; probe(p); }
    void order(void) { int *p = &x; p = &y; probe(p); }
    static struct pair given;
    void gives(void) { take(&given); given.a = &x; probe(given.a); }
    struct node { struct node *next; int *value; };
    void list(int n) {
        struct node *head = 0;
        while (n--) { struct node *more = malloc(16); more->next = head; more->value = &x; head = more; }
        while (head->next) head = head->next;
        probe(head->value);
    }
    static int plain(int a) { return a; } static int other(int a) { return a + 1; }
    struct ops { int (*run)(int); int (*stop)(int); };
    static struct ops ops = {plain, other};
    void function(void) { probe(ops.stop); }
";

fn pointees(tested: &Tested, name: &str) -> Vec<String> {
    tested.said(&mut tested.points(), name)
}

#[test]
fn pointers_point_to_what_was_stored() {
    let tested = c(POINTERS);
    let expected = [
        ("fields", vec!["y"]),
        ("first", vec!["x"]),
        ("second", vec!["y"]),
        ("both", vec!["x", "y"]),
        ("by_parameter", vec!["x"]),
        ("on_heap", vec!["x"]),
        ("of_heap", vec!["heap of of_heap"]),
        ("moved_heap", vec!["z"]),
        ("copied", vec!["y"]),
        ("copied_by", vec!["x"]),
        ("unknown", vec!["unknown"]),
        ("number", vec!["unknown"]),
        ("marked", vec!["x+?"]),
        ("in_table", vec!["x", "y"]),
        ("in_array", vec!["y"]),
        ("element", vec!["pairs+…"]),
        ("merged", vec!["x", "y"]),
        ("order", vec!["y"]),
        ("list", vec!["x"]),
        ("function", vec!["other"]),
    ];
    for (function, names) in expected {
        assert_eq!(pointees(&tested, function), names, "{function}");
    }
    // What outside code was given, it may have changed.
    let given = tested.probed(&mut tested.points(), "gives");
    assert!(given.complete && !given.is_known());
    assert!(given.targets.iter().any(|(object, _)| matches!(object, Object::Global(_))));
}

#[test]
fn one_question_after_another_has_the_same_answers() {
    let tested = c(POINTERS);
    let mut points = tested.points();
    for function in ["in_array", "list", "fields", "by_parameter", "first", "gives", "copied", "unknown", "both"] {
        assert_eq!(tested.said(&mut points, function), pointees(&tested, function), "{function}");
    }
}

#[test]
fn a_bound_on_work_leaves_answers_that_say_so() {
    let tested = c(POINTERS);
    let mut points = PointsTo::new(tested.subject(), Limits { work: 3, ..Limits::default() });
    let found = tested.probed(&mut points, "on_heap");
    assert!(!found.complete && !found.is_known());
    // The work goes on with the next question.
    let mut questions = 0;
    while !tested.probed(&mut points, "on_heap").complete {
        questions += 1;
        assert!(questions < 100_000);
    }
    assert_eq!(tested.said(&mut points, "on_heap"), ["x"]);
    // Without call strings what two callers pass meets.
    let mut points = PointsTo::new(tested.subject(), Limits { depth: 0, ..Limits::default() });
    assert_eq!(tested.said(&mut points, "first"), ["x", "y"]);
}

#[test]
fn calls_that_led_to_a_function_tell_what_it_was_given() {
    let tested = c(POINTERS);
    let (id, function) = (tested.id("both"), tested.function("both"));
    let pc = function.code.iter().position(|op| matches!(op, Op::Call { .. })).unwrap() as u32;
    let operand = function.calls[0].args[0].value;
    let mut points = tested.points();
    for (call, name) in [(0, "x"), (1, "y")] {
        let found = points.through(&[tested.site("calls_both", call)], id, pc, operand);
        assert_eq!(tested.in_words(&found), [name]);
    }
}
