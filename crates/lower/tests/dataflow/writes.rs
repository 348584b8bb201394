//! What functions may write.

use whydunit_dataflow::{MayWrite, Object, Subject};
use whydunit_model::{Const, Op, Symbol};

use crate::tested::{Tested, c};

const FUNCTIONS: &str = "
    void *malloc(unsigned long); void free(void *); int elsewhere(void *); void stop(int); void sort(void *, int (*)(int *));
    struct s { int n; struct s *next; int array[4]; };
    static struct s global; static int counter;
    int get(const struct s *p) { return p->n; }
    int sum(const struct s *p) {
        int total = 0;
        for (; p; p = p->next) for (int i = 0; i < 4; i++) total += p->array[i];
        return total;
    }
    void put(struct s *p, int v) { p->n = v; }
    void deep(struct s *p) { p->next->n = 1; }
    void fill(struct s *p, int v) { for (int i = 0; i < 4; i++) p->array[i] = v; }
    struct s *make(int v) { struct s *s = malloc(sizeof *s); s->n = v; s->next = 0; return s; }
    struct s *push(struct s *list, int v) { struct s *s = make(v); s->next = list; return s; }
    void link(struct s *p) { p->next = make(1); p->next->n = 2; }
    int count(void) { return ++counter; }
    void own(void) { struct s s; put(&s, 1); fill(&s, 2); }
    void to_global(void) { put(&global, 1); }
    void to_second(int v, struct s *q) { put(q, v); }
    void unknown(struct s *p) { elsewhere(p); }
    int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
    void each(struct s *p, int n) { if (n) { p->n = n; each(p->next, n - 1); } }
    void destroy(struct s *p) { free(p); }
    void temporary(void) { free(make(3)); }
    int checked(int n) { if (n < 0) stop(n); return n; }
    static int (*const ops[])(void) = {count};
    int through(int i) { return ops[i](); }
    void swap(struct s *p, struct s *q) { struct s t = *p; *p = *q; *q = t; }
    int *inside(struct s *p) { return &p->n; }
    void by_result(struct s *p) { *inside(p) = 1; }
    struct s *hold(struct s *p) { struct s *s = make(0); s->next = p; return s; }
    void by_held(struct s *p) { hold(p)->next->n = 1; }
    void address(unsigned n) { *(int *)(long)n = 1; }
    int compare(int *a) { return *a; } int counts(int *a) { counter++; return *a; }
    void quiet_sort(int *a) { sort(a, compare); } void counting_sort(int *a) { sort(a, counts); }
    static struct s *kept;
    void by_alias(struct s *p) { struct s mine; kept = &mine; kept->next = p; mine.next->n = 1; }
";

fn writes(tested: &Tested, name: &str) -> Vec<String> {
    tested.writes(&tested.effects(name))
}

#[test]
fn functions_that_write_to_what_they_make_themselves_only_are_pure() {
    let tested = c(FUNCTIONS);
    let pure =
        ["get", "sum", "make", "push", "own", "factorial", "temporary", "checked", "inside", "hold", "quiet_sort"];
    for function in pure {
        assert!(tested.effects(function).is_pure(), "{function}: {:?}", tested.effects(function));
    }
    for function in ["put", "by_held", "swap", "link", "destroy", "count", "address", "by_alias", "unknown", "through"]
    {
        assert!(!tested.effects(function).is_pure(), "{function}");
    }
}

#[test]
fn what_functions_may_write_is_told_in_terms_of_what_they_are_given() {
    let tested = c(FUNCTIONS);
    let expected = [
        ("get", vec![]),
        ("put", vec!["4 at *0"]),
        ("deep", vec!["4 at **0+?"]),
        ("fill", vec!["4 at *0+…"]),
        ("count", vec!["4 at counter"]),
        ("counting_sort", vec!["4 at counter"]),
        ("to_global", vec!["4 at global"]),
        ("to_second", vec!["4 at *1"]),
        ("unknown", vec!["anything"]),
        ("address", vec!["anything"]),
        ("each", vec!["4 at *0", "4 at **0+?"]),
        ("by_result", vec!["4 at *0"]),
        ("swap", vec!["32 at *0", "32 at *1"]),
        ("own", vec![]),
    ];
    for (function, places) in expected {
        assert_eq!(writes(&tested, function), places, "{function}");
    }
    let destroyed: Vec<Object> = tested.effects("destroy").frees.into_iter().collect();
    assert_eq!(destroyed, [Object::Parameter { index: 0, word: 0 }]);
    // Through a table that holds one function only.
    let refined = tested.refined();
    let subject = Subject { graph: &refined, ..tested.subject() };
    let through = MayWrite::default().of_function(subject, tested.id("through"));
    assert_eq!(tested.writes(&through.effects), ["4 at counter"]);
}

#[test]
fn blocks_may_write_less_than_their_function() {
    let tested = c("
        extern void elsewhere(void); static int a, b;
        void f(int c) { int local[2]; if (c) { a = 1; local[1] = c; } else { b = local[1]; elsewhere(); } }
    ");
    let (id, function) = (tested.id("f"), tested.function("f"));
    let globals = &tested.program.modules()[0].globals;
    let mut analysis = MayWrite::default();
    let mut of_block = |wanted: &str| {
        let stores = |op: &Op| {
            let Op::Store { addr, .. } = op else { return false };
            let value = function.consts.get(addr.index() as usize).filter(|_| addr.is_const());
            matches!(value, Some(Const::Addr(Symbol::Global(index), 0)) if globals[*index as usize].name == wanted)
        };
        let pc = function.code.iter().position(stores).unwrap() as u32;
        let block = function.blocks.iter().position(|block| (block.start..block.end).contains(&pc)).unwrap();
        analysis.of_blocks(tested.subject(), id, &[block as u32])
    };
    assert_eq!(tested.writes(&of_block("a")), ["4 at a", "4 at local+4"]);
    assert!(of_block("b").anything);
}
