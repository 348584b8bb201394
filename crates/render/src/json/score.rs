//! What was measured on a catalogue.

use serde_json::{Value, json as value};
use whydunit_findings::{
    Exclusions, ExplainerScore, FaultPlace, MethodScore, Patch, RepairScore, Score, ScoredAnswer, ScoredBug,
    ScoredPatch, ScoredRegression, ScoredRepair, TOPS,
};

use super::{list, location, number, option, repair_phases, replacement, seconds, text, with};

/// The keys of `score`.
pub(super) fn put_score(score: &Score, put: &mut dyn FnMut(&str, Value)) {
    put("bugs", list(&score.bugs, scored_bug));
    put("methods", list(&score.methods, method_score));
    put("regressions", list(&score.regressions, scored_regression));
    put("explainers", list(&score.explainers, explainer_score));
    put("repairs", list(&score.repairs, scored_repair));
    put("repairers", list(&score.repairers, repair_score));
}

fn scored_bug(bug: &ScoredBug) -> Value {
    let place = |place: &FaultPlace| {
        let object = value!({
            "method": place.method,
            "examined": number(place.examined),
            "found": place.found,
            "seconds": seconds(place.seconds),
            "cut": place.cut,
        });
        excluding(object, place.exclusions)
    };
    let object = value!({
        "name": bug.name,
        "tests": bug.tests,
        "failing": bug.failing,
        "places": list(&bug.places, place),
    });
    let object = with(object, "kind", &bug.kind, |it| text(it));
    with(object, "problem", &bug.problem, |it| text(it))
}

fn method_score(score: &MethodScore) -> Value {
    let mut object = value!({ "method": score.method, "bugs": score.bugs, "found": score.found });
    for (top, number) in TOPS.iter().zip(score.top) {
        object[format!("top{top}")] = number.into();
    }
    object["examined"] = number(score.examined);
    object["examined_median"] = number(score.median);
    object["seconds"] = seconds(score.seconds);
    object["seconds_worst"] = seconds(score.seconds_worst);
    if let Some(phases) = &score.phases {
        object["phases"] = phases.by_name().into_iter().map(|(name, time)| (name, seconds(time))).collect();
    }
    excluding(object, score.exclusions)
}

fn excluding(object: Value, exclusions: Option<Exclusions>) -> Value {
    let object = with(object, "false_exonerations", &exclusions, |it| it.falsely.into());
    with(object, "true_exclusions", &exclusions, |it| it.rightly.into())
}

fn scored_regression(regression: &ScoredRegression) -> Value {
    let answer = |answer: &ScoredAnswer| {
        let object = value!({
            "method": answer.method,
            "reported": answer.reported,
            "auxiliary": answer.auxiliary,
            "found": answer.found,
            "passes": answer.passes,
            "builds": answer.builds,
            "test_runs": answer.runs,
            "seconds": seconds(answer.seconds),
        });
        with(object, "problem", &answer.problem, |it| text(it))
    };
    let object = value!({
        "name": regression.name,
        "test": regression.test,
        "changes": regression.changes,
        "least": option(&regression.least, |&least| least.into()),
        "answers": list(&regression.answers, answer),
    });
    let object = with(object, "kind", &regression.kind, |it| text(it));
    with(object, "problem", &regression.problem, |it| text(it))
}

fn explainer_score(score: &ExplainerScore) -> Value {
    value!({
        "method": score.method,
        "regressions": score.regressions,
        "found": score.found,
        "passing": score.passing,
        "reported": number(score.reported),
        "builds": score.builds,
        "share": option(&score.share, |&share| number(share)),
        "seconds": seconds(score.seconds),
        "seconds_worst": seconds(score.seconds_worst),
    })
}

fn scored_repair(repair: &ScoredRepair) -> Value {
    let first = |patch: &Patch| {
        value!({
            "location": location(&patch.replaced.location),
            "before": text(&patch.replaced.before),
            "after": text(&patch.replaced.after),
            "also": patch.also.iter().map(replacement).collect::<Vec<_>>(),
            "diff": text(&patch.diff),
            "grade": patch.grade.name(),
            "deciding": patch.deciding,
            "rivals": patch.rivals,
        })
    };
    let answer = |answer: &ScoredPatch| {
        let object = value!({
            "method": answer.method,
            "patched": answer.patched,
            "first": option(&answer.first, first),
            "correct": answer.correct,
            "any_correct": answer.any_correct,
            "held_out": answer.held_out,
            "held_out_failing": answer.held_out_failing,
            "candidates": answer.candidates,
            "tried": answer.tried,
            "builds": answer.builds,
            "test_runs": answer.runs,
            "seconds": seconds(answer.seconds),
            "phases": repair_phases(&answer.phases),
            "cut": answer.cut,
        });
        with(object, "problem", &answer.problem, |it| text(it))
    };
    let object = value!({
        "name": repair.name,
        "tests": repair.tests,
        "failing": repair.failing,
        "answers": list(&repair.answers, answer),
    });
    let object = with(object, "kind", &repair.kind, |it| text(it));
    with(object, "problem", &repair.problem, |it| text(it))
}

fn repair_score(score: &RepairScore) -> Value {
    value!({
        "method": score.method,
        "faults": score.faults,
        "patched": score.patched,
        "judged": score.judged,
        "correct": score.correct,
        "any_correct": score.any_correct,
        "verified": score.verified,
        "verified_correct": score.verified_correct,
        "seconds_median": seconds(score.seconds_median),
        "seconds_worst": seconds(score.seconds_worst),
        "phases": repair_phases(&score.phases),
    })
}
