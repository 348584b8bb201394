//! Models as findings.

use std::path::Path;

use whydunit_behavior::{Ending, Example, Mined as Behavior, Model, State, Transition};
use whydunit_desk::convert::relative;
use whydunit_findings::{ClassModel, Location, Mined, MinedClass, ModelExample, ModelState, ModelTransition};

/// What was mined, as it is told: models where a class was asked for, else the classes.
pub(crate) fn mined(project: &Path, behavior: &Behavior, models: bool, runs: u64) -> Mined {
    if models {
        let models = behavior.models.iter().map(|model| self::model(project, model)).collect();
        return Mined { models, runs, ..Mined::default() };
    }
    let mut classes: Vec<MinedClass> = behavior.models.iter().map(class).collect();
    classes.sort_by_key(|class| {
        let interest = u32::from(class.exceptional) + u32::from(class.preconditions) + u32::from(class.states > 1);
        (std::cmp::Reverse(interest), class.name.clone())
    });
    Mined { classes, runs, ..Mined::default() }
}

fn class(model: &Model) -> MinedClass {
    MinedClass {
        name: model.class.clone(),
        objects: model.objects,
        methods: model.calls.len() as u64,
        states: model.states.len() as u64 - 1,
        exceptional: model.has_exceptional_ends(),
        preconditions: model.has_preconditions(),
    }
}

fn model(project: &Path, model: &Model) -> ClassModel {
    ClassModel {
        class: model.class.clone(),
        depth: model.depth as u32,
        objects: model.objects,
        states: model.states.iter().map(state).collect(),
        transitions: model.transitions.iter().map(|it| transition(project, it)).collect(),
    }
}

fn state(state: &State) -> ModelState {
    ModelState { values: state.values.clone(), ended: state.ended }
}

fn transition(project: &Path, transition: &Transition) -> ModelTransition {
    let reason = match &transition.ending {
        Ending::Regular => None,
        Ending::Exception(reason) | Ending::Failure(reason) => Some(reason.clone()).filter(|it| !it.is_empty()),
    };
    ModelTransition {
        from: transition.from,
        to: transition.to,
        method: transition.method.clone(),
        mark: transition.ending.mark(),
        reason,
        count: transition.count,
        examples: transition.examples.iter().map(|it| example(project, it)).collect(),
    }
}

fn example(project: &Path, example: &Example) -> ModelExample {
    let known = !example.file.is_empty() && example.line > 0;
    ModelExample {
        test: example.run.clone(),
        location: known.then(|| Location::line(relative(project, &example.file), example.line)),
    }
}
