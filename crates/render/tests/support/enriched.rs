//! An automaton with what was learned of it.

use whydunit_findings::{
    Enriched, EnrichedArgument, EnrichedHow, EnrichedPair, EnrichedState, EnrichedTransition, Location, NoUnitTest,
    UnitTest, UnitTests,
};

/// A handle that is put to, and used after it was closed.
pub fn enriched() -> Enriched {
    let state = |name: &str, value: Option<&str>, new| EnrichedState {
        name: name.into(),
        values: value.into_iter().map(|value| ("started".to_owned(), value.to_owned())).collect(),
        new,
    };
    let known = |from, method: &str, to, seen| EnrichedTransition {
        from,
        method: method.into(),
        to: Some(to),
        seen,
        ..EnrichedTransition::default()
    };
    let line = |line| Some(Location::line("main.c", line));
    Enriched {
        class: "handle".into(),
        depth: 1,
        objects: 3,
        runs: 2,
        states: vec![
            state("start", None, false),
            state("1", Some("= 0"), false),
            state("2", Some("> 0"), false),
            state("ended", None, true),
        ],
        transitions: vec![
            known(0, "handle_open", 1, 3),
            known(1, "handle_start", 2, 3),
            EnrichedTransition {
                from: 2,
                method: "handle_put".into(),
                reason: Some(("error", "-1".into())),
                left_in: Some(2),
                tried: 3,
                how: Some(EnrichedHow {
                    test: "some".into(),
                    location: line(13),
                    arguments: vec![
                        EnrichedArgument { text: "7".into(), test: Some("odd".into()), location: line(9) },
                        EnrichedArgument { text: "\"\"".into(), ..EnrichedArgument::default() },
                    ],
                    ..EnrichedHow::default()
                }),
                ..EnrichedTransition::default()
            },
            EnrichedTransition { tried: 3, seen: 0, ..known(2, "handle_close", 3, 0) },
            EnrichedTransition {
                from: 3,
                method: "handle_put".into(),
                reason: Some(("memory", "use-after-free".into())),
                tried: 1,
                how: Some(EnrichedHow {
                    test: "none".into(),
                    steps: vec!["handle_close()".into()],
                    ..EnrichedHow::default()
                }),
                ..EnrichedTransition::default()
            },
        ],
        pairs: vec![
            pair(2, "handle_put", "never", None),
            pair(2, "handle_close", "fine", None),
            pair(2, "handle_join", "unseen", Some("nothing can be given for its argument `other`: no test calls it")),
            pair(3, "handle_put", "never", None),
        ],
        calls: 9,
        executed: 7,
        model: "typestate handle\n".into(),
        unit_tests: Some(unit_tests()),
    }
}

fn unit_tests() -> UnitTests {
    UnitTests {
        tests: vec![UnitTest {
            name: "handle_put_when_started_fails".into(),
            transition: 2,
            from_test: "some".into(),
            location: Location::line("test_handle.c", 21),
            text: "static void handle_put_when_started_fails(void) {\n    assert(handle_put(handle, 7) == -1);\n}\n"
                .into(),
        }],
        left_out: vec![
            NoUnitTest {
                transition: 3,
                reason: "it does not compile".into(),
                said: "too few arguments to function".into(),
            },
            NoUnitTest {
                transition: 4,
                reason: "it makes an error of memory (use-after-free), which no test can expect".into(),
                said: String::new(),
            },
        ],
        patch: "--- a/test_handle.c\n".into(),
        written: false,
    }
}

fn pair(state: usize, method: &str, grade: &'static str, reason: Option<&str>) -> EnrichedPair {
    EnrichedPair { state, method: method.into(), grade, reasons: reason.into_iter().map(str::to_owned).collect() }
}
