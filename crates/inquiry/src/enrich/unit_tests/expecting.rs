//! What a test of a transition is to expect.

use whydunit_classes::Method;
use whydunit_enrich::{Ending, Execution};
use whydunit_model::Visibility;
use whydunit_typestate::{Kind, Reason};
use whydunit_unittest::{Expected, Shape};

/// Values of inspectors that a test asks for, at most.
const ASKED: usize = 3;

/// What is expected where a call ends so; `after` are the conditions that hold then. The reason where no test can expect it.
pub(super) fn expected(execution: &Execution, after: Vec<(String, String)>) -> Result<Expected, String> {
    let Ending::Ex { reason: Reason { kind, text }, .. } = &execution.ending else {
        return Ok(Expected::Returns(after));
    };
    Ok(match (kind, text.as_str()) {
        (Kind::Exception, ty) => Expected::Throws(ty.to_owned()),
        (Kind::Panic, message) => Expected::Panics(message.to_owned()),
        (Kind::Error, "Err") => Expected::Err,
        (Kind::Error, "None") => Expected::Nothing,
        (Kind::Error, "null") => Expected::Value("NULL".into()),
        (Kind::Error, "") => return Err("what it returns is not known".into()),
        (Kind::Error, value) => Expected::Value(value.to_owned()),
        (Kind::Memory, text) => return Err(format!("it makes an error of memory ({text}), which no test can expect")),
        (Kind::Undefined, text) => return Err(format!("it does what is undefined ({text}), which no test can expect")),
        (Kind::Signal, text) => return Err(format!("{text} would end the suite with it")),
        (Kind::Hang, _) => return Err("it does not come to an end".into()),
    })
}

/// The word for its end in the name of a test; `to`: what tells the state that it leads to from the one before, where it is another.
pub(super) fn word(expected: &Expected, to: &str) -> String {
    match expected {
        Expected::Throws(_) => "throws".into(),
        Expected::Panics(_) => "panics".into(),
        Expected::Err | Expected::Value(_) => "fails".into(),
        Expected::Nothing => "gives none".into(),
        Expected::Returns(_) if to.is_empty() => "returns".into(),
        Expected::Returns(_) => format!("leads to {to}"),
    }
}

/// Of the values of a state those that a test can ask the object for, the ones that are otherwise in the state before first.
pub(super) fn conditions(
    methods: &[Method],
    shape: Shape,
    before: &[(String, String)],
    after: &[(String, String)],
) -> Vec<(String, String)> {
    if shape != Shape::Member {
        return Vec::new();
    }
    let is_public = |path: &str| {
        let named = |method: &&Method| path.strip_suffix("()").is_some_and(|name| method.name == name);
        let public = |method: &Method| method.visibility.is_none_or(|it| it == Visibility::Public);
        methods.iter().find(named).is_some_and(public)
    };
    let asked = after.iter().filter(|(path, _)| is_public(path)).cloned();
    let (mut found, same): (Vec<_>, Vec<_>) = asked.partition(|value| !before.contains(value));
    found.extend(same);
    found.truncate(ASKED);
    found
}
