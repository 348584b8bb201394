//! A reviewed fix for every renderer.

use whydunit_findings::*;

pub fn reviewed() -> Reviewed {
    let did = |output: &str, end: &str| Did { output: output.into(), end: end.into() };
    let executed = |line: u32, code: &str| Executed {
        location: Location { file: "calls.c".into(), line, ..Location::default() },
        code: code.into(),
    };
    let case = r#"{"name":"shim-again","args":["3","1"]}"#;
    Reviewed {
        fix: "first.diff".into(),
        test: "shim".into(),
        failure: "it dies by SIGABRT".into(),
        verdict: FixVerdict::Coverage,
        counterexample: Some(Counterexample {
            case: case.into(),
            fails: "it dies by SIGABRT: a function of no kind".into(),
            covered: true,
            by: "paths".into(),
            distance: Some(0),
            before: did("", "SIGABRT"),
            after: did("4\n\x1b[2J", "SIGABRT"),
            parts: Some(Parting {
                common: executed(17, "if (fun == ID_FUNCTION)").into(),
                before: vec![executed(19, "assert(0);")],
                after: vec![executed(19, "if (fun == SHIM && op != TAIL_CALL)"), executed(21, "assert(0);")],
            }),
        }),
        disruptions: vec![Disruption {
            what: String::new(),
            inputs: 1,
            test: Some("id-tail".into()),
            case: None,
            before: did("3\n", "status 0"),
            after: did("2\n", "status 0"),
        }],
        differences: vec![Disruption {
            what: "status 0 becomes status 1".into(),
            inputs: 12,
            test: None,
            case: Some(r#"{"name":"shim","args":["2","1"]}"#.into()),
            before: did("3\n", "status 0"),
            after: did("1\n2\n3\n4\n5\n6\n7\n", "status 1"),
        }],
        questions: vec![remark("it does as before the fix", "1", did("5\n", "status 0"), 1)],
        remarks: vec![remark("a large input exhausts it: it dies by SIGSEGV", "2500000", did("", "SIGSEGV"), 3)],
        predicate: ["arg1 == 3 and arg2 <= 2", "arg1 == 3 and arg2 >= 3", "arg1 in 7..9", "arg1 == 12"]
            .map(Into::into)
            .into(),
        distances: vec![
            Distance { distance: 0, paths: 1, feasible: 1 },
            Distance { distance: 2, paths: 5, feasible: 4 },
        ],
        distance: Some(2),
        complete: false,
        exhausted: false,
        followed: [7, 3],
        inputs: 40,
        solving: 0.012,
        searching: 0.4,
        proposed_domain: Some("arg1 in 0..3\narg2 in {up, down}".into()),
        entry: Some(UnderTest {
            function: "run".into(),
            file: "calls.c".into(),
            parameters: vec!["fun".into(), "op".into()],
            arguments: vec!["3".into(), "1".into()],
            unit_test: Some("int main(void) {\n    run(3, 1);\n}\n".into()),
        }),
        compared: Some(Compared {
            other: "second.diff".into(),
            covered: [3, 2, 2],
            disrupted: [0, 1, 0],
            failing: 4,
            better: Better::This,
        }),
        changes: vec![ChangedLine {
            before: Some(Executed { location: Location::point("calls.c", 3, 0), code: "if (fun > 1)".into() }),
            after: None,
        }],
    }
}

/// Something that both versions do.
fn remark(what: &str, arg: &str, both: Did, inputs: u64) -> Remark {
    let case = format!(r#"{{"name":"shim-seen","args":["{arg}","1"]}}"#);
    Remark { what: what.into(), case, inputs, before: both.clone(), after: both }
}
