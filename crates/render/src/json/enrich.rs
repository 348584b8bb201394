//! What may be called when.

use serde_json::{Map, Value, json as value};
use whydunit_findings::{
    Enriched, EnrichedArgument, EnrichedHow, EnrichedPair, EnrichedState, EnrichedTransition, UnitTests,
};

use super::{list, location, option, text};

/// The keys of `enrich`.
pub(super) fn put(enriched: &Enriched, put: &mut dyn FnMut(&str, Value)) {
    put("class", text(&enriched.class));
    put("depth", enriched.depth.into());
    put("objects", enriched.objects.into());
    put("runs", enriched.runs.into());
    put("states", list(&enriched.states, state));
    put("transitions", list(&enriched.transitions, |it| transition(enriched, it)));
    put("pairs", list(&enriched.pairs, |it| pair(enriched, it)));
    put("calls", enriched.calls.into());
    put("executed", enriched.executed.into());
    put("model", text(&enriched.model));
    if let Some(tests) = &enriched.unit_tests {
        put("unit_tests", unit_tests(enriched, tests));
    }
}

fn unit_tests(enriched: &Enriched, tests: &UnitTests) -> Value {
    let of = |transition: usize| {
        let it = &enriched.transitions[transition];
        let to = it.to.map_or_else(|| "ex".into(), |to| name(enriched, to));
        value!({ "from": name(enriched, it.from), "method": text(&it.method), "to": to })
    };
    let with = |mut object: Value, more: Value| {
        if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
            object.extend(more);
        }
        object
    };
    value!({
        "tests": list(&tests.tests, |it| with(
            value!({
                "name": text(&it.name),
                "test": text(&it.from_test),
                "location": location(&it.location),
                "text": text(&it.text),
            }),
            of(it.transition),
        )),
        "left_out": list(&tests.left_out, |it| with(
            value!({ "reason": text(&it.reason), "said": text(&it.said) }),
            of(it.transition),
        )),
        "patch": text(&tests.patch),
        "written": tests.written,
    })
}

fn name(enriched: &Enriched, state: usize) -> Value {
    text(&enriched.states[state].name)
}

fn state(state: &EnrichedState) -> Value {
    let values: Map<String, Value> = state.values.iter().map(|(path, it)| (path.clone(), text(it))).collect();
    value!({ "name": text(&state.name), "values": values, "new": state.new })
}

fn transition(enriched: &Enriched, transition: &EnrichedTransition) -> Value {
    let mut object = value!({
        "from": name(enriched, transition.from),
        "method": text(&transition.method),
        "to": transition.to.map_or_else(|| "ex".into(), |to| name(enriched, to)),
        "seen": transition.seen,
        "tried": transition.tried,
    });
    if let Some((kind, words)) = &transition.reason {
        object["reason"] = value!({ "kind": kind, "text": text(words) });
    }
    if let Some(left_in) = transition.left_in {
        object["left_in"] = name(enriched, left_in);
    }
    if let Some(how) = &transition.how {
        object["how"] = self::how(how);
    }
    object
}

fn how(how: &EnrichedHow) -> Value {
    value!({
        "test": text(&how.test),
        "location": option(&how.location, location),
        "steps": list(&how.steps, |step| text(step)),
        "arguments": list(&how.arguments, argument),
    })
}

fn argument(argument: &EnrichedArgument) -> Value {
    value!({
        "text": text(&argument.text),
        "test": option(&argument.test, |test| text(test)),
        "location": option(&argument.location, location),
    })
}

fn pair(enriched: &Enriched, pair: &EnrichedPair) -> Value {
    value!({
        "state": name(enriched, pair.state),
        "method": text(&pair.method),
        "grade": pair.grade,
        "reasons": list(&pair.reasons, |reason| text(reason)),
    })
}
