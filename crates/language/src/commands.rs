//! Commands that an editor asks for: work in the background, with progress, that can be cancelled.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{ExecuteCommandParams, MessageType};
use serde::Deserialize;
use serde_json::{Value, json};
use whydunit_desk::{Desk, convert, prepare};
use whydunit_findings::{Finding, Outcome, Report, Shrunk, ShrunkPart, TestResult};
use whydunit_inquiry::{locate, repair, shrink};
use whydunit_reports::Kind;
use whydunit_suite::RunOptions;

use crate::jobs::Job;
use crate::paths;
use crate::refusal::{Done, Refusal};
use crate::server::Server;

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Looks for calls that objects lack.
    Anomalies,
    /// Checks the project.
    Check,
    /// Ranks the statements that can be at fault.
    Locate,
    /// Records a test.
    Record,
    /// Looks for patches.
    Repair,
    /// Opens the page of the last `locate`.
    Report,
    /// Makes the input of a failing test smaller.
    Shrink,
    /// Runs a test.
    Test,
}

/// The commands, by the names that editors call them by, with what they do in words.
pub const COMMANDS: &[(&str, Command, &str)] = &[
    (
        "whydunit.anomalies",
        Command::Anomalies,
        "looks for calls that objects of the failing test lack, or have too many (`whydunit repair --method pachika TEST`); they are offered as actions then",
    ),
    ("whydunit.check", Command::Check, "checks the project"),
    (
        "whydunit.locate",
        Command::Locate,
        "why does the test fail: ranks the statements that can be at fault (`whydunit locate TEST`)",
    ),
    ("whydunit.record", Command::Record, "records the test (`whydunit record TEST`)"),
    (
        "whydunit.repair",
        Command::Repair,
        "looks for patches with which the tests pass (`whydunit repair`); they are offered as actions then",
    ),
    ("whydunit.report", Command::Report, "opens the page of the last `locate`"),
    (
        "whydunit.shrink",
        Command::Shrink,
        "makes the input of a failing test as small as it can be (`whydunit shrink TEST`), and opens it",
    ),
    ("whydunit.test", Command::Test, "runs the test (`whydunit test`)"),
];

/// The name that editors call a command by.
pub fn name(command: Command) -> &'static str {
    COMMANDS.iter().find(|known| known.1 == command).map_or("", |known| known.0)
}

/// What a command is about.
#[derive(Deserialize, Default)]
struct About {
    /// The project's folder; without it the only project that was met.
    project: Option<PathBuf>,
    /// The test.
    test: Option<String>,
}

/// The arguments of a command about a test of a project.
pub fn arguments(project: &Path, test: &str) -> Value {
    json!([{ "project": project.to_string_lossy(), "test": test }])
}

/// Does a command; `None` where the response comes when it is done.
pub fn execute(server: &mut Server, id: RequestId, asked: ExecuteCommandParams) -> Option<Done> {
    let Some((_, command, _)) = COMMANDS.iter().find(|known| known.0 == asked.command) else {
        let names: Vec<&str> = COMMANDS.iter().map(|known| known.0).collect();
        let text = format!("there is no command `{}`: commands are {}", asked.command, names.join(", "));
        return Some(Err(Refusal::new(ErrorCode::InvalidParams, text)));
    };
    let about = match about(server, asked.arguments) {
        Ok(about) => about,
        Err(refusal) => return Some(Err(refusal)),
    };
    let (root, test) = about;
    let needed = || test.clone().ok_or_else(|| Refusal::new(ErrorCode::InvalidParams, "`test` is missing: which one?"));
    let (title, work): (String, Work) = match command {
        Command::Check => {
            server.check(&root, None);
            return Some(Ok(Value::Null));
        }
        Command::Report => return Some(report(server, &root)),
        Command::Test | Command::Record | Command::Shrink => match (needed(), command) {
            (Err(refusal), _) => return Some(Err(refusal)),
            (Ok(test), Command::Test) => (format!("running {test}"), Box::new(move |desk| run(desk, &test))),
            (Ok(test), Command::Shrink) => {
                (format!("making the input of {test} smaller"), Box::new(move |desk| shrink(desk, &test)))
            }
            (Ok(test), _) => (format!("recording {test}"), Box::new(move |desk| record(desk, &test))),
        },
        Command::Locate => {
            let title = test.as_ref().map_or("locating".into(), |test| format!("why does {test} fail"));
            let tests: Vec<String> = test.into_iter().collect();
            (title, Box::new(move |desk| locate(desk, &tests)))
        }
        Command::Repair | Command::Anomalies => {
            let method = match command {
                Command::Anomalies => repair::Method::Pachika,
                _ => repair::Method::default(),
            };
            let tests: Vec<String> = test.into_iter().collect();
            ("repairing".into(), Box::new(move |desk| repair(desk, method, &tests)))
        }
    };
    let token = asked.work_done_progress_params.work_done_token;
    let job = Job { title, project: root, alone: true, request: Some(id.clone()), token };
    server.jobs.start(job, work, move |server, done| {
        server.look();
        if let Ok(done) = &done {
            server.outgoing.show(MessageType::INFO, done["message"].as_str().unwrap_or_default());
            open(server, done["open"].as_str());
        }
        server.outgoing.respond(&id, done);
    });
    None
}

type Work = Box<dyn FnOnce(&Desk) -> Done + Send>;

/// The project and the test that a command is about.
fn about(server: &mut Server, mut arguments: Vec<Value>) -> Result<(PathBuf, Option<String>), Refusal> {
    let invalid = |text: String| Refusal::new(ErrorCode::InvalidParams, text);
    let about = if arguments.is_empty() { Value::Null } else { arguments.swap_remove(0) };
    let about: Option<About> = serde_json::from_value(about)
        .map_err(|error| invalid(format!("the argument cannot be understood: {error}")))?;
    let about = about.unwrap_or_default();
    if let Some(project) = about.project {
        let project = paths::real(&project);
        if !project.is_dir() {
            return Err(invalid(format!("there is no folder {}", project.display())));
        }
        server.meet(&project);
        return Ok((project, about.test));
    }
    let mut known = server.projects.keys();
    match (known.next(), known.next()) {
        (Some(only), None) => Ok((only.clone(), about.test)),
        (None, _) => Err(Refusal::failed("no project was met: build one by `whydunit build -- COMMAND`")),
        (Some(_), Some(_)) => Err(invalid("several projects are open: `project` has to say which".into())),
    }
}

/// How a test ended, for people and programs.
fn told(result: &TestResult) -> Value {
    let reason = result.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let word = if result.outcome == Outcome::Pass {
        "passes".to_owned()
    } else {
        format!("ends with {}", result.outcome.name())
    };
    json!({ "message": format!("{} {word}{reason}", result.name), "test": result.name, "outcome": result.outcome.name(), "reason": result.reason })
}

fn run(desk: &Desk, name: &str) -> Done {
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let suite = prepare::suite(desk, &project)?;
    let test = suite.test(name).map_err(|text| Refusal::from(whydunit_desk::Error::NoTest(text)))?;
    let options = RunOptions { cancel: Some(&desk.cancel), ..RunOptions::default() };
    let results = prepare::run(desk, &suite, &[test], &options);
    if desk.is_cancelled() {
        return Err(Refusal::cancelled());
    }
    let result = results.first().ok_or_else(|| Refusal::failed(format!("{name} was not run")))?;
    Ok(told(&convert::test(result)))
}

fn record(desk: &Desk, name: &str) -> Done {
    let project = desk.open_project()?;
    let run = prepare::record(desk, &project, name)?;
    if desk.is_cancelled() {
        return Err(Refusal::cancelled());
    }
    let mut done = run.result.first().map_or_else(|| json!({}), |result| told(&convert::test(result)));
    let paths: Vec<String> = run.recordings.iter().map(|kept| project.relative(&kept.path)).collect();
    if paths.is_empty() {
        return Err(Refusal::failed(
            "the test was run, but nothing of it could be kept: free some space and record again",
        ));
    }
    let how = done["message"].as_str().map(|text| format!(": {text}")).unwrap_or_default();
    done["message"] = format!("{name} is recorded{how}").into();
    done["recordings"] = json!(paths);
    Ok(done)
}

/// Shows a file that a command has written, where the client can.
fn open(server: &Server, file: Option<&str>) {
    let uri = file.filter(|_| server.client.shows_documents).and_then(|file| paths::uri(Path::new(file)));
    if let Some(uri) = uri {
        server.outgoing.request("window/showDocument", json!({ "uri": uri, "takeFocus": false }));
    }
}

fn shrink(desk: &Desk, name: &str) -> Done {
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let question = shrink::Question {
        what: name,
        script: None,
        keep: &[],
        levels: shrink::Levels::ALL,
        limit: Duration::from_secs(shrink::SECONDS),
        jobs: None,
        output: None,
    };
    let answer = shrink::answer(desk, question)?;
    if answer.interrupted {
        return Err(Refusal::cancelled());
    }
    let Shrunk { name, failure, parts, case, path, .. } = answer.shrunk;
    let size = |part: &ShrunkPart| {
        let after = part.after.map_or(0, |size| size.bytes);
        format!(
            "{} {} to {after} bytes",
            if part.name.is_empty() { part.kind.name() } else { &part.name },
            part.before.bytes
        )
    };
    let parts: Vec<String> = parts.iter().map(size).collect();
    let problems: Vec<&String> = answer.problems.iter().map(|problem| &problem.message).collect();
    let message = format!("{name} still fails ({failure}) with {}: {path}", parts.join(", "));
    let whole = desk.project.join(&path);
    let open = whole.is_file().then(|| whole.to_string_lossy().into_owned());
    Ok(json!({ "message": message, "case": case, "path": path, "open": open, "problems": problems }))
}

/// Keeps a report, and says what it has.
fn kept(desk: &Desk, report: &Report, message: String) -> Done {
    if desk.is_cancelled() {
        return Err(Refusal::cancelled());
    }
    whydunit_reports::keep(desk, report)?;
    let problems: Vec<&String> = report.problems.iter().map(|problem| &problem.message).collect();
    Ok(json!({ "message": message, "problems": problems }))
}

fn locate(desk: &Desk, tests: &[String]) -> Done {
    let started = Instant::now();
    let limit = Duration::from_secs(locate::SEARCH_SECONDS);
    let search = locate::Search::by(locate::Method::default(), locate::FAILING.get(), limit);
    let limit_of_all = Some(Duration::from_secs(locate::SECONDS));
    let reach = locate::Reach { limit: limit_of_all, apart: true, ..locate::Reach::default() };
    let scope = locate::Scope::default();
    let question = locate::Question { tests, scope, search, jobs: None, reach, anomalies: false };
    let report = locate::answer(desk, &question)?.report(started.elapsed().as_secs_f64(), desk.is_cancelled());
    let whydunit_findings::Body::Locate(located) = &report.body else { return Ok(Value::Null) };
    let first = |first: &Finding| {
        let why = whydunit_render::told(first, &located.method);
        format!("most suspicious is {} in {}\n{why}", first.location, first.function)
    };
    let none = || report.problems.first().map_or("nothing is suspicious".into(), |problem| problem.message.clone());
    let message = located.findings.first().map_or_else(none, first);
    kept(desk, &report, message)
}

fn repair(desk: &Desk, method: repair::Method, tests: &[String]) -> Done {
    let started = Instant::now();
    let question = repair::Question {
        method,
        tests,
        patches: repair::PATCHES.get(),
        lines: repair::LINES,
        windows: repair::WINDOWS,
        limit: Duration::from_secs(repair::SECONDS),
        jobs: None,
        explain: false,
    };
    let report = repair::answer(desk, &question)?.report(started.elapsed().as_secs_f64(), desk.is_cancelled());
    let whydunit_findings::Body::Repair(repaired) = &report.body else { return Ok(Value::Null) };
    let message = match (repaired.patches.len(), repaired.patches.first()) {
        (number, Some(first)) => {
            let patches = if number == 1 { "1 patch".to_owned() } else { format!("{number} patches") };
            format!("{patches}; the first is at {} ({})", first.replaced.location, first.grade.name())
        }
        (_, None) => report.problems.first().map_or("no patch was found".into(), |problem| problem.message.clone()),
    };
    kept(desk, &report, message)
}

/// Opens the page of the last `locate`.
fn report(server: &Server, root: &Path) -> Done {
    let page = Kind::Locate.page(&whydunit_suite::store_of(root));
    let Some(uri) = paths::uri(&page).filter(|_| page.is_file()) else {
        return Err(Refusal::failed("nothing is kept yet: ask `whydunit locate` first"));
    };
    match server.client.shows_documents {
        true => server.outgoing.request("window/showDocument", json!({ "uri": uri, "external": true })),
        false => server.outgoing.show(MessageType::INFO, &format!("the page is {}", page.display())),
    }
    Ok(json!({ "page": page.to_string_lossy() }))
}
