//! What `cases` made.

use serde_json::{Value, json as value};
use whydunit_findings::{CaseBasis, Cases, LeftOutRuns, MadeCase};

use super::{list, with};

/// The keys of its own.
pub(super) fn put_cases(told: &Cases, put: &mut dyn FnMut(&str, Value)) {
    let case = |case: &MadeCase| {
        let file = match &case.basis {
            CaseBasis::Compared(file) => Some(file.clone()),
            CaseBasis::Accepted | CaseBasis::Checked => None,
        };
        let object = value!({
            "name": case.name,
            "basis": case.basis.name(),
            "outcome": case.outcome.name(),
        });
        with(object, "compared_with", &file, |file| file.as_str().into())
    };
    let left_out = |it: &LeftOutRuns| value!({ "reason": it.reason, "count": it.count, "example": it.example });
    put(
        "cases",
        value!({
            "command": told.command,
            "ended": told.ended,
            "program": told.program,
            "path": told.path,
            "runs": told.runs,
            "made": list(&told.cases, case),
            "left_out": list(&told.left_out, left_out),
        }),
    );
}
