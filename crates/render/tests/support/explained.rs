//! An explanation for every renderer.

use whydunit_findings::*;

fn at(line: u32, column: u32) -> Location {
    Location::point("src/triangle.c", line, column)
}

fn change(id: &str, location: Location, diff: &str) -> Change {
    Change { id: id.into(), location, diff: diff.into() }
}

fn statement(line: u32, code: &str, value: &str) -> CauseStatement {
    CauseStatement { location: at(line, 5), code: code.into(), value: value.into() }
}

/// Two changes at fault together, and one that must be reverted with them.
pub fn explained() -> Explained {
    Explained {
        method: "after".into(),
        test: "tall".into(),
        good: "v1.0".into(),
        bad: "the project's files".into(),
        failure: Some(TestFailure {
            test: "tall".into(),
            kind: "output".into(),
            location: Some(at(6, 5)),
            function: "area".into(),
            message: "\"7\" is printed, \"12\" is expected".into(),
            predicate: Some("this prints \"12\"".into()),
        }),
        changes: 14,
        root: vec![
            change(
                "3fa0c1d2",
                Location::line("src/triangle.c", 3),
                "-\tint twice = base * height;\n+\tint twice = base + height; /* should be a product */\n",
            ),
            change("77b1e004", Location::line("src/triangle.c", 4), "-    check(base); // \x1b[2J <b>\n"),
        ],
        reduced: true,
        variants: Variants { passed: 3, failed: 8, other: 1, not_built: 2, known: 4 },
        auxiliary: vec![change("0c0ffee0", Location::line("src/old.c", 1), "the file was deleted\n")],
        causes: vec![
            Cause {
                id: 0,
                predicate: at(6, 5),
                code: "    return twice /".into(),
                statements: vec![
                    statement(3, "\tint twice = base + height;", "7"),
                    statement(6, "    return twice /", ""),
                ],
                changes: vec!["3fa0c1d2".into()],
                leads_to: None,
            },
            Cause {
                id: 1,
                predicate: at(4, 9),
                code: "    if (twice < 0)".into(),
                statements: vec![statement(4, "    if (twice < 0)", "false")],
                changes: vec!["77b1e004".into()],
                leads_to: Some(0),
            },
        ],
        patch: "--- a/src/triangle.c\n+++ b/src/triangle.c\n".into(),
        saved: 3,
        commit: Some(("0123456789abcdef0123".into(), "Simplify the area".into())),
    }
}
