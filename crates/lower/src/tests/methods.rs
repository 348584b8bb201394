//! Methods and classes of C++ and C, from debug information.

use whydunit_model::{
    Base, ClassKind, Language, Method, MethodKind, Module, Origin, Passing, Receiver, Virtuality, Visibility,
};

use super::compiled::compile_as;

/// The method that the function of this symbol is.
fn method_of<'m>(module: &'m Module, symbol: &str) -> (u32, &'m Method) {
    let function = module.functions.iter().find(|function| function.name == symbol).expect(symbol);
    let id = function.method.expect("a method");
    (id, &module.methods[id as usize])
}

const PLAIN: Option<Receiver> = Some(Receiver { parameter: 1, passing: Passing::Pointer, constant: false });

#[test]
fn variants_of_constructors_and_destructors_are_one_method() {
    let module = compile_as(
        "t.cpp",
        "struct Root { int r; virtual ~Root() {} };\n\
         struct Node : virtual Root { Node(int n); virtual ~Node(); int n; };\n\
         Node::Node(int n) : n(n) {}\n\
         Node::~Node() {}\n\
         int use() { Node *node = new Node(1); delete node; return 0; }\n",
    );
    assert_eq!(module.language, Language::Cxx);
    let (complete, constructor) = method_of(&module, "_ZN4NodeC1Ei");
    assert_eq!(complete, method_of(&module, "_ZN4NodeC2Ei").0);
    assert_eq!((constructor.kind, constructor.receiver), (Some(MethodKind::Constructor), PLAIN));
    assert_eq!(constructor.parameters, ["int"]);
    assert_eq!((constructor.declared.unwrap().line, constructor.defined.unwrap().line), (2, 3));
    let (ends, destructor) = method_of(&module, "_ZN4NodeD0Ev");
    assert_eq!((ends, ends), (method_of(&module, "_ZN4NodeD1Ev").0, method_of(&module, "_ZN4NodeD2Ev").0));
    assert_eq!((destructor.kind, destructor.virtuality), (Some(MethodKind::Destructor), Virtuality::Virtual));
    assert_eq!(destructor.name, "~Node");

    let class = &module.classes[constructor.class.unwrap() as usize];
    assert_eq!((&*class.name, class.kind, class.local, class.complete), ("Node", ClassKind::Struct, false, true));
    let root = module.classes.iter().position(|class| class.name == "Root").unwrap() as u32;
    assert_eq!(class.bases, [Base { class: root, offset: None, visibility: Visibility::Public }]);
    assert!(class.bases[0].is_virtual());
    let free = module.functions.iter().find(|function| function.name == "_Z3usev").unwrap();
    assert_eq!(free.method, None);
}

#[test]
fn the_receiver_is_the_parameter_that_the_variable_says() {
    let module = compile_as(
        "t.cpp",
        "struct Big { int values[8]; };\n\
         struct Maker { int n; Big make(int) const; static int two(Maker *); };\n\
         Big Maker::make(int i) const { Big big = {}; big.values[0] = n + i; return big; }\n\
         int Maker::two(Maker *self) { return 2 * self->n; }\n",
    );
    let (_, make) = method_of(&module, "_ZNK5Maker4makeEi");
    assert_eq!(make.receiver, Some(Receiver { parameter: 1, passing: Passing::Pointer, constant: true }));
    assert_eq!((&*make.result, &make.parameters[..]), ("Big", &["int".to_owned()][..]));
    let function = module.functions.iter().find(|function| function.name == "_ZNK5Maker4makeEi").unwrap();
    let this = function.variables.iter().find(|variable| variable.arg == 1).unwrap();
    assert_eq!(this.name, "this");
    let (_, two) = method_of(&module, "_ZN5Maker3twoEPS_");
    assert_eq!(
        (two.kind, two.receiver, &two.parameters[..]),
        (Some(MethodKind::Static), None, &["Maker *".to_owned()][..])
    );
}

#[test]
fn what_stands_in_the_place_of_calls_has_its_method() {
    let module = compile_as(
        "t.cpp",
        "class Counter { int n = 0; public: __attribute__((always_inline)) int next() { return ++n; } int other(); };\n\
         int use() { Counter counter; return counter.next(); }\n",
    );
    let method = |name: &str| module.methods.iter().position(|method| method.name == name).unwrap() as u32;
    let inlined =
        module.functions.iter().flat_map(|function| &function.inlined).find(|call| call.name == "Counter::next");
    assert_eq!(inlined.unwrap().method, Some(method("next")));
    assert!(module.methods[method("next") as usize].defined.is_some());
    // Declared, and never used.
    assert_eq!(module.methods[method("other") as usize].defined, None);
    let (class, origin) = (&module.classes[0], &module.methods[method("other") as usize].origin);
    assert_eq!((&*class.name, class.kind, origin), ("Counter", ClassKind::Class, &Origin::Class));
}

#[test]
fn functions_of_c_are_methods_of_what_they_get_a_pointer_to() {
    let module = compile_as(
        "t.c",
        "typedef struct { int n; } counter;\n\
         struct open;\n\
         int next(counter *counter) { return ++counter->n; }\n\
         int peek(counter const *const counter, int by) { return counter->n + by; }\n\
         counter *fresh(void) { static counter counter; return &counter; }\n\
         int bare(counter counter) { return counter.n; }\n\
         int text(const char *text) { return *text; }\n\
         int pass(struct open *open, int (*by)(struct open *)) { return by(open); }\n",
    );
    assert_eq!(module.language, Language::C);
    let (_, next) = method_of(&module, "next");
    let class = &module.classes[next.class.unwrap() as usize];
    assert_eq!((&*class.name, class.local, class.complete), ("counter", true, true));
    assert_eq!((next.kind, next.receiver), (Some(MethodKind::Instance), PLAIN));
    let (_, peek) = method_of(&module, "peek");
    assert!(peek.receiver.unwrap().constant && peek.class == next.class);
    let (_, fresh) = method_of(&module, "fresh");
    assert_eq!((fresh.kind, fresh.returns), (Some(MethodKind::Static), next.class));
    let (_, pass) = method_of(&module, "pass");
    assert_eq!(pass.parameters, ["int (*)(struct open *)".replace("struct ", "")]);
    assert!(!module.classes[pass.class.unwrap() as usize].complete);
    for free in ["bare", "text"] {
        assert_eq!(module.functions.iter().find(|function| function.name == free).unwrap().method, None, "{free}");
    }
}
