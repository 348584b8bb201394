//! Where objects are used against their protocol.

mod again;
mod automata;
mod described;
mod error;
mod filter;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use whydunit_capture::Flavour;
use whydunit_dataflow::{CallGraph, Program, World};
use whydunit_desk::{Desk, convert, prepare};
use whydunit_findings::{Body, Checked, Location, Misuse, MisuseStep, Problem, Report, Stats};
use whydunit_misuse::{self as misuse, Grade, Mistake, Options, Position, Protocol};
use whydunit_objects::{ClassFunction, class_functions};
use whydunit_symbolic::KnownLibrary;
use whydunit_typestate::Typestate;
use whydunit_workbench::ProgramModel;

pub use self::again::{How, Kept, answer_again};
pub use self::error::CheckError;
use crate::Error;
use crate::mine::{Ready, options};

/// So many calls an object is followed through where nobody says otherwise.
pub const DEPTH: usize = 4;

/// What is asked.
pub struct Question<'a> {
    /// Files with models; none: those that come with the tool.
    pub models: &'a [PathBuf],
    /// Only this class.
    pub class: Option<&'a str>,
    /// Calls of which a model says nothing are told.
    pub strict: bool,
    /// Calls that an object is followed through.
    pub depth: usize,
    /// Reports in this file are left out.
    pub baseline: Option<&'a Path>,
    /// All reports go to this file.
    pub write_baseline: Option<&'a Path>,
}

impl Default for Question<'_> {
    /// With the models that come with the tool, as far as they are sure.
    fn default() -> Self {
        Self { models: &[], class: None, strict: false, depth: DEPTH, baseline: None, write_baseline: None }
    }
}

/// What was found, with what goes beside it.
pub struct Answer {
    /// The reports.
    pub checked: Checked,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
    /// The user has interrupted: it is of what was looked at until then.
    pub interrupted: bool,
}

impl Answer {
    /// As a report.
    pub fn report(self) -> Report {
        Report {
            problems: self.problems,
            stats: self.stats,
            interrupted: self.interrupted,
            partial: self.interrupted,
            ..Report::new(Body::Check(self.checked))
        }
    }
}

/// Checks all programs and libraries of the project. Builds where that was never done.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let models = models(question)?;
    let baseline = question.baseline.map(filter::Baseline::read).transpose()?;
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let mut problems = prepare::flavours(desk, &project, Flavour::Record)?;
    let (programs, missing) = whydunit_workbench::programs(&desk.store()?).map_err(Error::Classes)?;
    problems.extend(missing);
    let (mut protocols, automata) = models;
    if !automata.is_empty() {
        let (of_classes, notes) = of_classes(desk, &automata, &programs)?;
        protocols.extend(of_classes);
        problems.extend(notes);
    }
    let protocols = of_class(protocols, question)?;
    let looked = looked_through(desk, &programs, &protocols, options_of(question), &mut Looked::default());
    told_of(desk, (looked, problems), protocols, (question, baseline), start)
}

fn options_of(question: &Question<'_>) -> Options {
    Options { depth: question.depth, strict: question.strict, ..Options::default() }
}

/// All programs and libraries of a project, looked through; `known` is what is known of them from the last time.
fn looked_through(
    desk: &Desk,
    programs: &[ProgramModel],
    protocols: &[Protocol],
    options: Options,
    known: &mut Looked,
) -> misuse::Answer {
    let task = desk.task("checking", None);
    let cancel = desk.cancel.clone();
    let interrupted = || cancel.is_cancelled();
    let mut all = misuse::Answer::default();
    let mut unused: Option<Vec<String>> = None;
    if known.options != Some(options) {
        (known.options, known.answers) = (Some(options), HashMap::new());
    }
    known.answers.retain(|output, _| programs.iter().any(|program| program.output == *output));
    for program in programs {
        let (ids_then, looked) = known.answers.entry(program.output.clone()).or_default();
        // Functions are looked at in an order that stays when one of them is changed, as ids do not.
        let mut modules = program.modules.clone();
        modules.sort_by(|a, b| (&a.source, &a.id).cmp(&(&b.source, &b.id)));
        let ids: Vec<String> = modules.iter().map(|module| module.id.clone()).collect();
        if *ids_then != ids || ids.is_empty() {
            let model = Program::new(modules, World::Closed);
            let memory = &mut known.memory;
            *looked = deep(|| {
                let graph = CallGraph::new(&model, &KnownLibrary);
                misuse::check_again(&model, &graph, protocols, options, &interrupted, memory)
            });
            *ids_then = if interrupted() { Vec::new() } else { ids };
            all.analysed += looked.analysed;
        }
        let found = looked.clone();
        all.work += found.work;
        unused = Some(match unused {
            Some(before) => before.into_iter().filter(|it| found.unused.contains(it)).collect(),
            None => found.unused,
        });
        all.functions = all.functions.max(found.functions);
        all.misuses.extend(found.misuses);
        all.unfinished.extend(found.unfinished);
        all.left_out.extend(found.left_out);
    }
    drop(task);
    if !interrupted() {
        known.forget();
    }
    all.unused = unused.unwrap_or_default();
    all
}

/// What is known of programs from the last time that they were looked through.
#[derive(Default)]
struct Looked {
    /// How they were looked through.
    options: Option<Options>,
    /// What was found in each, by the path of what it is linked to, with the ids of its units.
    answers: HashMap<PathBuf, (Vec<String>, misuse::Answer)>,
    /// What of that holds for the others, and the next time.
    memory: misuse::Memory,
}

impl Looked {
    /// Forgets what no program has any more.
    fn forget(&mut self) {
        let checks: Vec<u64> = self.answers.values().map(|(_, answer)| answer.number).collect();
        let ids: HashSet<&str> = self.answers.values().flat_map(|(ids, _)| ids).map(String::as_str).collect();
        self.memory.retain(&checks, &|id| ids.contains(id));
    }
}

/// What was found, as it is told.
fn told_of(
    desk: &Desk,
    (mut all, mut problems): (misuse::Answer, Vec<String>),
    protocols: Vec<Protocol>,
    (question, baseline): (&Question<'_>, Option<filter::Baseline>),
    start: Instant,
) -> Result<Answer, Error> {
    problems.extend(remarks(&mut all, question));
    let classes = protocols.iter().map(|it| it.class.clone());
    let left_out = |class: &String| all.unused.contains(class) || all.left_out.iter().any(|it| it.0 == *class);
    let mut checked = Checked {
        classes: classes.filter(|class| !left_out(class)).collect(),
        functions: all.functions as u64,
        misuses: all.misuses.into_iter().map(|it| told(&desk.project, it)).collect(),
        ..Checked::default()
    };
    filter::distinct(&mut checked.misuses);
    if let Some(path) = question.write_baseline {
        filter::write(path, &checked.misuses)?;
    }
    filter::allowed(&desk.project, &mut checked);
    if let Some(baseline) = baseline {
        baseline.leave_out(&mut checked);
    }
    let stats = Stats { seconds: start.elapsed().as_secs_f64(), ..Stats::default() };
    let problems = problems.into_iter().map(Problem::new).collect();
    Ok(Answer { checked, problems, stats, interrupted: desk.is_cancelled() })
}

/// Functions are analysed where they are called, one within the other: that takes stack.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|it| it.join()) {
            Ok(Ok(answer)) => answer,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => std::panic::panic_any(format!("no thread: {error}")),
        }
    })
}

/// The models that are asked for: protocols, and automata of classes of the project.
fn models(question: &Question<'_>) -> Result<(Vec<Protocol>, Vec<Typestate>), CheckError> {
    let (mut protocols, mut automata) = (Vec::new(), Vec::new());
    for path in question.models {
        let text = std::fs::read_to_string(path)
            .map_err(|error| CheckError::Unread { path: path.clone(), reason: error.to_string() })?;
        let of_file = |mistake| CheckError::Model { path: path.clone(), mistake };
        if is_automaton(&text) {
            let read = whydunit_typestate::parse(&text);
            let read = read.map_err(|it| Mistake { line: it.line, column: it.column, message: it.message });
            automata.push(read.map_err(of_file)?);
        } else {
            protocols.extend(misuse::parse(&text).map_err(of_file)?);
        }
    }
    if question.models.is_empty() {
        let shipped = misuse::shipped();
        protocols = shipped.map_err(|(name, mistake)| CheckError::Model { path: name.into(), mistake })?;
    }
    Ok((protocols, automata))
}

/// Whether a text is an automaton and no protocol: by its first statement.
fn is_automaton(text: &str) -> bool {
    let statements = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    statements.take(1).any(|line| line.split_whitespace().next() == Some("typestate"))
}

/// Those of the class that is asked for.
fn of_class(mut protocols: Vec<Protocol>, question: &Question<'_>) -> Result<Vec<Protocol>, CheckError> {
    if let Some(class) = question.class {
        let known = protocols.iter().map(|it| it.class.clone()).collect();
        protocols.retain(|it| it.class == class);
        if protocols.is_empty() {
            return Err(CheckError::NoClass { class: class.to_owned(), known });
        }
    }
    Ok(protocols)
}

/// The protocols of automata of classes of the project, and what is not checked of them.
fn of_classes(
    desk: &Desk,
    automata: &[Typestate],
    programs: &[ProgramModel],
) -> Result<(Vec<Protocol>, Vec<String>), Error> {
    let ready = Ready::of(desk)?;
    let rules = options::error_rules(&ready.project, &ready.catalogue)?;
    let (mut protocols, mut notes) = (Vec::new(), Vec::new());
    for automaton in automata {
        let class = options::class(&ready.catalogue, &automaton.class)?;
        let modules = programs.iter().flat_map(|program| &program.modules);
        let mut functions: Vec<ClassFunction> =
            modules.flat_map(|module| class_functions(&ready.catalogue, class, module)).collect();
        functions.sort();
        functions.dedup();
        let (protocol, of_protocol) = automata::protocol(automaton, &functions, rules.get(&class));
        notes.extend(of_protocol);
        protocols.extend(protocol);
    }
    Ok((protocols, notes))
}

/// What should be known of what was not checked.
fn remarks(all: &mut misuse::Answer, question: &Question<'_>) -> Vec<String> {
    let mut out = Vec::new();
    if !question.models.is_empty() || question.class.is_some() {
        out.extend(all.unused.iter().map(|class| format!("the program calls nothing of {class}: it was not checked")));
    }
    if all.functions == 0 && out.is_empty() {
        out.push(
            "nothing was looked at: no program or shared library that was captured uses a class of the models"
                .to_owned(),
        );
    }
    all.left_out.sort();
    all.left_out.dedup();
    let left = all
        .left_out
        .iter()
        .map(|(class, by)| format!("{class} was not checked: its model does not hold where {by} is called"));
    out.extend(left);
    all.unfinished.sort();
    all.unfinished.dedup();
    if let Some(named) = prepare::some_of(&all.unfinished) {
        out.push(format!("not analysed to the end, so that reports may lack: {named}"));
    }
    out
}

fn told(project: &Path, found: misuse::Misuse) -> Misuse {
    let location = |it: &Position| Location::point(convert::relative(project, &it.file), it.line, it.column);
    let what = match found.grade {
        Grade::Never => format!("{} of {} that is {}", found.method, found.class, found.state),
        Grade::MayFail => {
            format!("{} of {} that may not be there: the result that says so is not tested", found.method, found.class)
        }
        Grade::Unseen => {
            format!("{} of {} that is {}: the model says nothing of it", found.method, found.class, found.state)
        }
    };
    // Less the farther the object was followed.
    let near = 1.0 / (1.0 + found.calls as f64 / 4.0);
    let confidence = match (found.grade, found.must) {
        (Grade::Never, true) => 0.5 + near * 0.45,
        (Grade::Never, false) => 0.3 + near * 0.3,
        (Grade::MayFail, _) => 0.2 + near * 0.4,
        (Grade::Unseen, _) => 0.1,
    };
    let step = |it: misuse::Stage| MisuseStep { location: location(&it.position), what: it.what };
    Misuse {
        location: location(&found.position),
        function: found.function,
        class: found.class,
        method: found.method,
        state: found.state,
        must: found.must,
        grade: found.grade.name(),
        confidence: (confidence * 100.0).round() / 100.0,
        message: what,
        path: found.path.into_iter().map(step).collect(),
    }
}
