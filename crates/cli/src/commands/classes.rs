//! `whydunit show --classes`: the classes of the captured program.

use std::path::Path;

use whydunit_capture::Flavour;
use whydunit_classes::{Base, Class, Method, Options, Position};
use whydunit_findings::{
    self as findings, Body, ClassBase, ClassMethod, Exit, Location, MethodReceiver, MethodTrait, Problem, Report,
};

use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::working;

/// The classes whose names have `text` in them, or all that have methods. Builds where that was never done.
pub fn run(session: &Session, text: Option<&str>, options: Options) -> Result<Report, Failure> {
    let project = session.project()?;
    working::built(session, &project)?;
    let mut problems = working::flavours(session, &project, Flavour::Record)?;
    let task = session.progress.task("gathering classes", None);
    let (classes, missing) = whydunit_workbench::classes(&session.store()?, options).or_fail(Exit::Internal)?;
    drop(task);
    problems.extend(missing);
    let wanted = |class: &&Class| match text {
        Some(text) => class.name.contains(text),
        None => !class.methods.is_empty(),
    };
    let listed: Vec<findings::Class> = classes.iter().filter(wanted).map(|it| class(&session.project, it)).collect();
    if let (true, Some(text)) = (listed.is_empty(), text) {
        let advice = "`whydunit show --classes --all` lists those of libraries too";
        return Err(Failure::usage(format!("no class has `{text}` in its name")).advice(advice));
    }
    let mut report = Report::new(Body::Classes(listed));
    report.problems = problems.into_iter().map(Problem::new).collect();
    Ok(report)
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
