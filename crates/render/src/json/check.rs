//! Calls that protocols exclude.

use serde_json::{Value, json as value};
use whydunit_findings::{Checked, Misuse, MisuseStep};

use super::{list, location, text};

/// The keys of `check`.
pub(super) fn put(checked: &Checked, put: &mut dyn FnMut(&str, Value)) {
    put("findings", list(&checked.misuses, misuse));
    put("classes", value!(checked.classes));
    put("functions", checked.functions.into());
    put("allowed", checked.allowed.into());
    put("known", checked.known.into());
}

fn misuse(misuse: &Misuse) -> Value {
    value!({
        "location": location(&misuse.location),
        "function": text(&misuse.function),
        "class": text(&misuse.class),
        "method": text(&misuse.method),
        "state": text(&misuse.state),
        "certainty": misuse.certainty(),
        "grade": misuse.grade,
        "confidence": misuse.confidence,
        "message": text(&misuse.message),
        "path": misuse.path.iter().map(|step| location(&step.location)).collect::<Vec<_>>(),
        "steps": list(&misuse.path, step),
    })
}

fn step(step: &MisuseStep) -> Value {
    value!({ "location": location(&step.location), "what": text(&step.what) })
}
