//! Which methods modify what was there when they were called: what runs say, and what can be proved.

use std::sync::Arc;

use whydunit_behavior::{PureMethod, Purity, Verdict};
use whydunit_dataflow::{CallGraph, MayWrite, Program, Subject, World};
use whydunit_desk::convert::relative;
use whydunit_findings::{Location, MethodPurity, Mined, Problem};
use whydunit_model::Module;
use whydunit_objects::Catalogue;
use whydunit_symbolic::KnownLibrary;

use super::Question;
use super::runs::{Ran, Reading};
use crate::Error;

/// Verdicts on the methods of a class, or of all classes that are no library's.
pub(super) fn answer(reading: &mut Reading<'_>, question: &Question<'_>, class: Option<usize>) -> Result<Mined, Error> {
    let mut purity = Purity::default();
    reading.all(question.runs(), &mut |_: &Ran<'_>, event| purity.event(event))?;
    let name = class.map(|class| reading.catalogue.classes()[class].name.as_str());
    let of = |method: &PureMethod| name.map_or(!method.library, |name| method.class == name);
    let found: Vec<PureMethod> = purity.finish().into_iter().filter(of).collect();
    let project = reading.desk.project.clone();
    let mut proofs = Proofs::of(std::mem::take(&mut reading.models));
    let mut methods = Vec::new();
    for method in found {
        let proved = proofs.is_pure(reading.catalogue, &method);
        if proved && method.verdict != Verdict::Seen {
            let text = format!(
                "{}::{} was seen to modify memory, and the static analysis says that it cannot: one of both is wrong, which is a mistake of this program's",
                method.class, method.method
            );
            reading.problems.push(Problem::new(text));
        }
        methods.push(told(&project, method, proved));
    }
    Ok(Mined { methods: Some(methods), runs: reading.runs, ..Mined::default() })
}

fn told(project: &std::path::Path, method: PureMethod, proved: bool) -> MethodPurity {
    let verdict = match method.verdict {
        Verdict::Impure => "impure",
        Verdict::Cache => "cache",
        Verdict::Seen if proved => "proved",
        Verdict::Seen => "seen",
    };
    let at = method.witness.as_ref().map(|witness| &witness.at);
    MethodPurity {
        class: method.class,
        method: method.method,
        verdict,
        runs: method.runs,
        calls: method.calls,
        witness: at.filter(|at| at.line > 0).map(|at| Location::line(relative(project, &at.file), at.line)),
        written: method.witness.as_ref().map(|witness| witness.what.clone()),
        test: at.map(|at| at.run.clone()),
    }
}

/// What can be proved of the program's functions.
struct Proofs {
    program: Program,
    graph: CallGraph,
    writes: MayWrite,
}

impl Proofs {
    fn of(models: Vec<Arc<Module>>) -> Self {
        let program = Program::new(models, World::Closed);
        let graph = CallGraph::new(&program, &KnownLibrary);
        Self { program, graph, writes: MayWrite::default() }
    }

    /// Whether no function that a method is can write or free what was there before.
    fn is_pure(&mut self, catalogue: &Catalogue, method: &PureMethod) -> bool {
        let class = catalogue.classes().iter().find(|class| class.name == method.class);
        let own = class.into_iter().flat_map(|class| &class.methods).filter(|known| known.name == method.method);
        let symbols: Vec<&String> = own.flat_map(|known| &known.symbols).collect();
        let Self { program, graph, writes } = self;
        let subject = Subject { program, graph, library: &KnownLibrary };
        let mut functions = 0;
        for id in program.defined().filter(|&id| symbols.contains(&&program.function(id).name)).collect::<Vec<_>>() {
            functions += 1;
            if !writes.of_function(subject, id).effects.is_pure() {
                return false;
            }
        }
        functions > 0
    }
}
