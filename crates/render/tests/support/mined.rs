//! A model with all that a drawing shows, and a list of classes.

use whydunit_findings::{
    Anomaly, ClassModel, Location, MethodPurity, Mined, MinedClass, ModelDifference, ModelExample, ModelState,
    ModelTransition,
};

pub fn mined() -> Mined {
    let example = || ModelExample { test: "drain".into(), location: Some(Location::line("src/triangle.c", 4)) };
    let transition = |from, to, method: &str, mark, reason: Option<&str>| ModelTransition {
        from,
        to,
        method: method.into(),
        mark,
        reason: reason.map(str::to_owned),
        count: 3,
        examples: vec![example(), ModelExample { test: "fill".into(), location: None }],
    };
    let state = |empty: &str, ended| ModelState {
        values: vec![("is_empty()".into(), empty.into()), ("size".into(), "> 0".into())],
        ended,
    };
    let model = ClassModel {
        class: "shop::Ring<\"x\">".into(),
        depth: 2,
        objects: 4,
        states: vec![ModelState::default(), state("true", 0), state("false", 2)],
        transitions: vec![
            transition(0, 1, "Ring", "", None),
            transition(1, 1, "pop", "!", Some("std::out_of_range")),
            transition(1, 1, "peek", "?", Some("None")),
            transition(1, 2, "push", "", None),
            transition(2, 2, "push", "", None),
            transition(2, 1, "owner.clear", "", None),
        ],
    };
    let difference = ModelDifference {
        kind: "new-transition",
        text: "where is_empty() is true, pop ended by std::out_of_range".into(),
        location: Some(Location::line("src/triangle.c", 4)),
        test: Some("drain".into()),
    };
    let anomaly = Anomaly {
        class: "shop::Ring".into(),
        method: "pop".into(),
        text: "`pop` is called here with size = 0; in 12 calls of 3 passing tests it was > 0".into(),
        location: Some(Location::line("src/triangle.c", 4)),
        test: "drain".into(),
        count: 1,
        exceptional: true,
        path: "size".into(),
        found: "= 0".into(),
        expected: "> 0".into(),
        calls: 12,
        tests: 3,
        odd_tests: 0,
        inspector: Some(("is_empty()".into(), "true".into())),
        passing_location: Some(Location::line("src/triangle.c", 5)),
        passing_test: "fill".into(),
        also: vec!["owner null, otherwise not null".into()],
        score: 0.75,
    };
    Mined {
        models: vec![model],
        anomalies: Some(vec![anomaly]),
        differences: Some(vec![difference]),
        inspector_runs: 4,
        inspector_runs_saved: 9,
        runs: 2,
        ..Mined::default()
    }
}

pub fn mined_classes() -> Mined {
    let class = |name: &str, states, exceptional, preconditions| MinedClass {
        name: name.into(),
        objects: 12,
        methods: 3,
        states,
        exceptional,
        preconditions,
    };
    let classes = vec![class("shop::Ring", 2, true, true), class("shop::Price", 1, false, false)];
    Mined { classes, runs: 1, ..Mined::default() }
}

pub fn mined_methods() -> Mined {
    let method = |name: &str, verdict| MethodPurity {
        class: "shop::Ring".into(),
        method: name.into(),
        verdict,
        runs: 2,
        calls: 7,
        ..MethodPurity::default()
    };
    let impure = MethodPurity {
        witness: Some(Location::line("src/triangle.c", 4)),
        written: Some("this.size".into()),
        test: Some("drain".into()),
        ..method("push", "impure")
    };
    let methods = vec![method("area", "proved"), method("length", "cache"), impure, method("size", "seen")];
    Mined { methods: Some(methods), runs: 2, ..Mined::default() }
}
