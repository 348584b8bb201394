//! The classes of the captured program, with their methods.

use std::path::Path;

use whydunit_capture::Flavour;
pub use whydunit_classes::Options;
use whydunit_classes::{Base, Class, Method, Position};
use whydunit_desk::{Desk, convert, prepare};
use whydunit_findings::{self as findings, ClassBase, ClassMethod, Location, MethodReceiver, MethodTrait, Problem};

use crate::Error;

/// The classes whose names have `text` in them, or all that have methods, and what should be known of them. Builds where that was never
/// done.
pub fn answer(
    desk: &Desk,
    text: Option<&str>,
    options: Options,
) -> Result<(Vec<findings::Class>, Vec<Problem>), Error> {
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let mut problems = prepare::flavours(desk, &project, Flavour::Record)?;
    let task = desk.task("gathering classes", None);
    let (classes, missing) = whydunit_workbench::classes(&desk.store()?, options).map_err(Error::Classes)?;
    drop(task);
    problems.extend(missing);
    let wanted = |class: &&Class| match text {
        Some(text) => class.name.contains(text),
        None => !class.methods.is_empty(),
    };
    let listed: Vec<findings::Class> = classes.iter().filter(wanted).map(|it| class(&desk.project, it)).collect();
    if let (true, Some(text)) = (listed.is_empty(), text) {
        return Err(Error::NoClass { text: text.to_owned() });
    }
    Ok((listed, problems.into_iter().map(Problem::new).collect()))
}

fn class(project: &Path, class: &Class) -> findings::Class {
    let base =
        |base: &Base| ClassBase { name: base.name.clone(), offset: base.offset, visibility: base.visibility.name() };
    findings::Class {
        name: class.name.clone(),
        kind: class.kind.name(),
        library: class.library,
        location: class.position.as_ref().map(|it| location(project, it)),
        instances: class.instances.clone(),
        bases: class.bases.iter().map(base).collect(),
        methods: class.methods.iter().map(|it| method(project, it)).collect(),
    }
}

fn method(project: &Path, method: &Method) -> ClassMethod {
    let receiver = method.receiver.map(|receiver| MethodReceiver {
        parameter: receiver.parameter,
        passing: receiver.passing.name(),
        constant: receiver.constant,
    });
    let implements = method.implements.as_ref().map(|of| MethodTrait { name: of.name.clone(), provided: of.provided });
    ClassMethod {
        name: method.name.clone(),
        arguments: method.arguments.clone(),
        kind: method.kind.map(|kind| kind.name()),
        receiver,
        parameters: method.parameters.clone(),
        result: method.result.clone(),
        visibility: method.visibility.map(|visibility| visibility.name()),
        virtuality: method.virtuality.name(),
        overrides: method.overrides.clone(),
        implicit: method.implicit,
        implements,
        location: method.position.as_ref().map(|it| location(project, it)),
        code: method.code.name(),
        symbols: method.symbols.clone(),
    }
}

fn location(project: &Path, position: &Position) -> Location {
    Location::line(convert::relative(project, &position.file), position.line)
}
