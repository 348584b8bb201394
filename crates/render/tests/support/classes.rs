//! Classes with all that a listing of them shows.

use whydunit_findings::{Class, ClassBase, ClassMethod, Location, MethodReceiver, MethodTrait};

pub fn classes() -> Vec<Class> {
    let method = |name: &str, kind| ClassMethod {
        name: name.into(),
        kind: Some(kind),
        visibility: Some("public"),
        virtuality: "none",
        code: "compiled",
        location: Some(Location::line("ring.h", 7)),
        ..ClassMethod::default()
    };
    let receiver = |passing, constant| Some(MethodReceiver { parameter: 1, passing, constant });
    vec![
        Class {
            name: "shop::Ring".into(),
            kind: "class",
            library: true,
            location: Some(Location::line("ring.h", 4)),
            instances: vec![vec!["int".into(), "4".into()], vec!["long".into(), "2".into()]],
            bases: vec![
                ClassBase { name: "shop::Base".into(), offset: Some(8), visibility: "public" },
                ClassBase { name: "shop::Other".into(), offset: None, visibility: "private" },
            ],
            methods: vec![
                method("Ring", "constructor"),
                ClassMethod {
                    virtuality: "virtual",
                    overrides: Some("shop::Base".into()),
                    receiver: receiver("pointer", true),
                    parameters: vec!["_".into(), "int".into()],
                    result: "bool".into(),
                    symbols: vec!["_ZN4shop4Ring3hasEi".into()],
                    ..method("has", "method")
                },
                ClassMethod { virtuality: "pure", code: "none", ..method("draw", "method") },
                ClassMethod { implicit: true, code: "inlined", ..method("~Ring", "destructor") },
            ],
        },
        Class {
            name: "shop::Item\x1b".into(),
            kind: "struct",
            methods: vec![
                ClassMethod {
                    receiver: receiver("mutable-reference", false),
                    parameters: vec!["u32".into()],
                    visibility: Some("restricted"),
                    arguments: vec!["u8".into()],
                    ..method("grow", "method")
                },
                ClassMethod {
                    receiver: receiver("smart-pointer", false),
                    implements: Some(MethodTrait { name: Some("From<u32>".into()), provided: false }),
                    ..method("into", "method")
                },
                ClassMethod {
                    kind: None,
                    visibility: None,
                    location: None,
                    code: "none",
                    implements: Some(MethodTrait { name: None, provided: true }),
                    ..method("maybe", "method")
                },
            ],
            ..Class::default()
        },
    ]
}
