//! Units made by hand, gathered.

use whydunit_classes::{Class, Code, Options, gather};
use whydunit_model::{
    self as model, ClassKind, Function, Language, Linkage, Loc, MethodKind, Module, NO_TYPE, Origin, Passing, Receiver,
    Template, Virtuality, Visibility,
};

fn loc(line: u32) -> Option<Loc> {
    Some(Loc { file: 0, line, column: 0, scope: 0 })
}

/// A class of C++ with a name for all units.
fn class(name: &str, line: u32) -> model::Class {
    model::Class {
        name: name.into(),
        kind: ClassKind::Struct,
        ty: NO_TYPE,
        loc: (line > 0).then(|| loc(line)).flatten(),
        local: false,
        complete: true,
        template: None,
        bases: Vec::new(),
    }
}

fn method(name: &str, class: Option<u32>, line: u32) -> model::Method {
    model::Method {
        class,
        name: name.into(),
        symbol: String::new(),
        declared: loc(line),
        defined: None,
        kind: Some(MethodKind::Instance),
        receiver: Some(Receiver { parameter: 1, passing: Passing::Reference, constant: true }),
        visibility: None,
        virtuality: Virtuality::None,
        implicit: false,
        origin: Origin::Class,
        arguments: Vec::new(),
        parameters: Vec::new(),
        result: String::new(),
        returns: None,
    }
}

fn module(language: Language, file: &str, classes: Vec<model::Class>, methods: Vec<model::Method>) -> Module {
    Module { language, files: vec![file.into()], classes, methods, ..Module::default() }
}

/// A function that is the method.
fn function(symbol: &str, method: u32) -> Function {
    let block = model::Block { start: 0, end: 0, source: 0, instructions: 0, edge: false };
    let declared = Function::declared(symbol.into());
    Function { method: Some(method), linkage: Linkage::Strong, blocks: vec![block], ..declared }
}

fn names(classes: &[Class]) -> Vec<(&str, Vec<&str>)> {
    let mut names = Vec::new();
    for class in classes {
        names.push((class.name.as_str(), class.methods.iter().map(|method| method.name.as_str()).collect()));
    }
    names
}

#[test]
fn a_structure_that_is_declared_is_the_only_one_defined() {
    let mut defined = class("stack", 3);
    defined.local = true;
    let declared = model::Class { complete: false, loc: loc(9), ..defined.clone() };
    let first = module(Language::C, "/p/stack.c", vec![defined.clone()], vec![method("push", Some(0), 5)]);
    let second = module(Language::C, "/p/main.c", vec![declared], vec![method("fill", Some(0), 20)]);
    for modules in [[&first, &second], [&second, &first]] {
        let classes = gather(modules, &[], &|_| None, Options::default());
        assert_eq!(names(&classes), [("stack", vec!["fill", "push"])]);
        assert_eq!(classes[0].position.as_ref().unwrap().file, "/p/stack.c");
    }
    let other = module(Language::C, "/p/other.c", vec![defined], vec![method("open", Some(0), 4)]);
    let classes = gather([&first, &second, &other], &[], &|_| None, Options::default());
    assert_eq!(names(&classes), [("stack", vec!["fill"]), ("stack", vec!["open"]), ("stack", vec!["push"])]);
}

#[test]
fn a_method_is_one_whatever_units_have_it_and_its_code_counts() {
    let mut ring = class("Ring<int>", 2);
    ring.template = Some(Template { name: "Ring".into(), arguments: vec!["int".into()] });
    let mut other = class("Ring<long>", 2);
    other.template = Some(Template { name: "Ring".into(), arguments: vec!["long".into()] });
    let push = |symbol: &str, ty: &str| model::Method {
        symbol: symbol.into(),
        parameters: vec![ty.into(), "int".into()],
        ..method("push", Some(0), 4)
    };
    let mut first = module(Language::Cxx, "/p/ring.h", vec![ring.clone()], vec![push("_Zi", "int")]);
    first.functions = vec![function("_Zi", 0)];
    let again = module(Language::Cxx, "/p/ring.h", vec![ring], vec![push("_Zi", "int")]);
    let second = module(Language::Cxx, "/p/ring.h", vec![other], vec![push("_Zl", "long")]);
    let modules = [&again, &first, &second];
    let classes = gather(modules, &[], &|_| None, Options::default());
    assert_eq!(names(&classes), [("Ring", vec!["push"])]);
    assert_eq!(classes[0].instances, [["int"], ["long"]]);
    let pushed = &classes[0].methods[0];
    assert_eq!((&pushed.parameters[..], pushed.code), (&["_".to_owned(), "int".to_owned()][..], Code::Compiled));
    assert_eq!(pushed.symbols, ["_Zi"]);
    let alone = gather(modules, &[], &|_| None, Options { instances: true, ..Options::default() });
    assert_eq!(names(&alone), [("Ring<int>", vec!["push"]), ("Ring<long>", vec!["push"])]);
    assert_eq!(alone[1].methods[0].code, Code::None);
}

const SOURCE: &str = "\
pub struct Item;
impl Default for Item {
    fn default() -> Self { Item }
    fn clone(&self) {}
}
impl Drop for Item {
    fn drop(&mut self) {}
}
impl Item {
    pub(crate) fn get(&self) {}
    fn never(&self, by: u8) -> u8 { by }
}
";

#[test]
fn sources_of_rust_tell_what_debug_information_does_not() {
    let origin = |number: u32| Origin::TraitImpl(format!("program::{{impl#{number}}}"));
    let dropped = model::Method {
        origin: origin(1),
        receiver: Some(Receiver { parameter: 1, passing: Passing::MutableReference, constant: false }),
        ..method("drop", Some(0), 7)
    };
    let default = model::Method {
        origin: origin(0),
        receiver: None,
        kind: Some(MethodKind::Static),
        returns: Some(0),
        ..method("default", None, 3)
    };
    let unclear =
        model::Method { kind: None, receiver: None, parameters: vec!["&Item".into()], ..method("get", Some(0), 10) };
    let unit =
        module(Language::Rust, "/p/src/main.rs", vec![class("program::Item", 0)], vec![dropped, default, unclear]);

    let told = gather([&unit], &[], &|file| (file == "/p/src/main.rs").then(|| SOURCE.to_owned()), Options::default());
    assert_eq!(names(&told), [("program::Item", vec!["default", "clone", "drop", "get", "never"])]);
    assert_eq!(told[0].position.as_ref().unwrap().line, 1);
    let [default, clone, dropped, get, never] = &told[0].methods[..] else { panic!() };
    let of_trait = |method: &whydunit_classes::Method| method.implements.as_ref().and_then(|of| of.name.clone());
    assert_eq!((of_trait(default), default.kind), (Some("Default".into()), Some(MethodKind::Constructor)));
    assert_eq!((of_trait(dropped), dropped.kind), (Some("Drop".into()), Some(MethodKind::Destructor)));
    assert_eq!((get.visibility, get.kind), (Some(Visibility::Restricted), Some(MethodKind::Instance)));
    assert!(get.parameters.is_empty() && get.receiver.is_some());
    assert_eq!((clone.code, never.code, &never.result[..]), (Code::None, Code::None, "u8"));
    assert_eq!((never.visibility, &never.parameters[..]), (Some(Visibility::Private), &["u8".to_owned()][..]));

    // Without the source unknown stays unknown: `default` is not known to be of the class.
    let silent = gather([&unit], &[], &|_| None, Options::default());
    assert_eq!(names(&silent), [("program::Item", vec!["drop", "get"])]);
    let [dropped, get] = &silent[0].methods[..] else { panic!() };
    assert_eq!((of_trait(dropped), dropped.kind), (None, Some(MethodKind::Instance)));
    assert_eq!((get.visibility, get.kind), (None, None));
    assert_eq!(silent[0].position, None);
}
