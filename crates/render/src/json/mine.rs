//! How objects behave.

use serde_json::{Map, Value, json as value};
use whydunit_findings::{
    Anomaly, ClassModel, MethodPurity, Mined, MinedClass, ModelDifference, ModelExample, ModelState, ModelTransition,
};

use super::{list, location, option, text};

/// The keys of `mine`.
pub(super) fn put(mined: &Mined, put: &mut dyn FnMut(&str, Value)) {
    put("models", list(&mined.models, model));
    put("classes", list(&mined.classes, class));
    put("runs", mined.runs.into());
    put("inspector_runs", mined.inspector_runs.into());
    put("inspector_runs_saved", mined.inspector_runs_saved.into());
    if let Some(proposal) = &mined.proposal {
        put("proposal", proposal.as_str().into());
    }
    if let Some(methods) = &mined.methods {
        put("methods", list(methods, method));
    }
    if let Some(differences) = &mined.differences {
        put("differences", list(differences, difference));
    }
    if let Some(anomalies) = &mined.anomalies {
        put("anomalies", list(anomalies, anomaly));
    }
}

fn method(method: &MethodPurity) -> Value {
    let mut object = value!({
        "class": text(&method.class),
        "method": text(&method.method),
        "verdict": method.verdict,
        "runs": method.runs,
        "calls": method.calls,
    });
    if let Some(witness) = &method.witness {
        object["witness"] = location(witness);
    }
    for (key, words) in [("written", &method.written), ("test", &method.test)] {
        if let Some(words) = words {
            object[key] = text(words);
        }
    }
    object
}

fn difference(difference: &ModelDifference) -> Value {
    value!({
        "kind": difference.kind,
        "text": text(&difference.text),
        "location": option(&difference.location, location),
        "test": option(&difference.test, |test| text(test)),
    })
}

/// A call of a failing test that finds its object otherwise.
pub(super) fn anomaly(anomaly: &Anomaly) -> Value {
    value!({
        "class": text(&anomaly.class),
        "method": text(&anomaly.method),
        "text": text(&anomaly.text),
        "location": option(&anomaly.location, location),
        "test": text(&anomaly.test),
        "count": anomaly.count,
        "exceptional": anomaly.exceptional,
        "path": text(&anomaly.path),
        "found": text(&anomaly.found),
        "expected": text(&anomaly.expected),
        "calls": anomaly.calls,
        "tests": anomaly.tests,
        "odd_tests": anomaly.odd_tests,
        "inspector": option(&anomaly.inspector, |(path, value)| {
            value!({ "path": text(path), "value": text(value) })
        }),
        "passing": {
            "location": option(&anomaly.passing_location, location),
            "test": text(&anomaly.passing_test),
        },
        "also": list(&anomaly.also, |words| text(words)),
        "score": anomaly.score,
    })
}

fn class(class: &MinedClass) -> Value {
    value!({
        "class": text(&class.name),
        "objects": class.objects,
        "methods": class.methods,
        "states": class.states,
        "exceptional": class.exceptional,
        "preconditions": class.preconditions,
    })
}

fn model(model: &ClassModel) -> Value {
    let states: Vec<Value> = model.states.iter().enumerate().map(|(id, it)| state(id, it)).collect();
    value!({
        "class": text(&model.class),
        "depth": model.depth,
        "objects": model.objects,
        "states": states,
        "transitions": list(&model.transitions, transition),
    })
}

fn state(id: usize, state: &ModelState) -> Value {
    let values: Map<String, Value> = state.values.iter().map(|(path, it)| (path.clone(), text(it))).collect();
    value!({ "id": id, "values": values, "ended": state.ended })
}

fn transition(transition: &ModelTransition) -> Value {
    let mut object = value!({
        "from": transition.from,
        "to": transition.to,
        "method": text(&transition.method),
        "exceptional": !transition.mark.is_empty(),
        "count": transition.count,
        "examples": list(&transition.examples, example),
    });
    if let Value::Object(keys) = &mut object {
        match transition.mark {
            "?" => _ = keys.insert("ending".into(), "failure".into()),
            "!" => _ = keys.insert("ending".into(), "exception".into()),
            _ => {}
        }
        if let Some(reason) = &transition.reason {
            keys.insert("reason".into(), text(reason));
        }
    }
    object
}

fn example(example: &ModelExample) -> Value {
    value!({ "test": text(&example.test), "location": option(&example.location, location) })
}
