//! The calls of a function in a recorded run, with what it is given.

use whydunit_causes::value::is_rust;
use whydunit_causes::variables::{Found, Watch, in_scope};
use whydunit_model::names::{complete, readable};
use whydunit_model::{Function, Module, Op};
use whydunit_replay::{At, Entry, Machine, Observer};
use whydunit_symbolic::Whereabouts;

use super::given::{Given, Reader};
use crate::Error;
use whydunit_desk::recordings::Opened;

/// So many calls of a run are kept: the last ones.
const MOST_CALLS: usize = 8;

/// The language of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Cpp,
    Rust,
}

impl Language {
    pub fn of(module: &Module) -> Self {
        match module {
            module if is_rust(module) => Self::Rust,
            module if module.source.ends_with(".c") => Self::C,
            _ => Self::Cpp,
        }
    }
}

/// A function, as its module has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub language: Language,
    /// The file to which a driver is added, absolute.
    pub file: String,
    /// With the namespaces or modules that it is in.
    pub name: String,
    /// Which parameters are references of C++.
    pub references: Vec<bool>,
    /// It gives nothing.
    pub void: bool,
}

impl Signature {
    fn of(module: &Module, model: &Function) -> Self {
        let language = Language::of(module);
        let own = model.loc.and_then(|loc| module.files.get(loc.file as usize));
        let file = if language == Language::Rust { own.unwrap_or(&module.source) } else { &module.source };
        let name = readable(&model.name).or_else(|| model.source_name.clone()).unwrap_or_else(|| model.name.clone());
        let params = complete(&model.name).and_then(|whole| Some(whole.split_once('(')?.1.to_string()));
        let params = params.unwrap_or_default();
        Self {
            language,
            file: file.clone(),
            name: name.replace("(anonymous namespace)::", ""),
            references: split(params.trim_end_matches([' ', ')'])).map(|param| param.ends_with('&')).collect(),
            void: model.ret.is_empty(),
        }
    }
}

/// Parameters, between commas that are in no brackets.
fn split(params: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    params.split(move |c| {
        depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
        c == ',' && depth == 0
    })
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub signature: Signature,
    /// What it is given; why that cannot be, in words.
    pub given: Result<Given, String>,
}

/// The calls of a function in a run, in order.
pub fn calls(opened: &Opened, function: &str) -> Result<Vec<Call>, Error> {
    let mut machine = Machine::new(opened.program.clone(), &opened.recording)?;
    let mut seen = Calls {
        function,
        watch: Watch::default(),
        whereabouts: Whereabouts::default(),
        begun: Vec::new(),
        calls: Vec::new(),
    };
    // What was called until the run failed tells enough.
    machine.run(&mut seen).ok();
    Ok(seen.calls)
}

/// Whether a function is meant by a name: with or without what it is in.
fn is_meant(model: &Function, name: &str) -> bool {
    let own = readable(&model.name);
    let named = [own.as_deref(), model.source_name.as_deref(), Some(&*model.name)];
    named
        .into_iter()
        .flatten()
        .any(|own| own == name || own.strip_suffix(name).is_some_and(|rest| rest.ends_with("::")))
}

struct Calls<'a> {
    function: &'a str,
    watch: Watch,
    whereabouts: Whereabouts,
    /// Calls whose parameters are not yet where they will be: their frames.
    begun: Vec<usize>,
    calls: Vec<Call>,
}

impl Calls<'_> {
    /// What the parameters hold.
    fn see(&mut self, at: &At<'_>) -> Option<Call> {
        let module = at.module();
        let found = in_scope(at, &self.watch, at.depth);
        let mut params: Vec<(u32, Found)> = Vec::new();
        for variable in at.model.variables.iter().filter(|variable| variable.arg > 0) {
            if params.iter().all(|known| known.0 != variable.arg) {
                let found = found.iter().find(|found| found.name == variable.name)?;
                params.push((variable.arg, found.clone()));
            }
        }
        params.sort_by_key(|param| param.0);
        let whereabouts = &mut self.whereabouts;
        let mut object = |address| whereabouts.object(at, address);
        let modules = at.code.modules().iter().map(|loaded| &*loaded.model).collect();
        let params: Vec<Found> = params.into_iter().map(|(_, found)| found).collect();
        let given = Reader::new(module, modules, at.memory(), &mut object).read(&params);
        Some(Call { signature: Signature::of(module, at.model), given })
    }
}

impl Observer for Calls<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, _: &Op) {
        self.watch.follow(at);
        // The compiler's own operations at the start put the parameters into their places.
        if self.begun.last() != Some(&at.depth) || at.loc().line == 0 {
            return;
        }
        if let Some(call) = self.see(at) {
            self.begun.pop();
            if self.calls.len() == MOST_CALLS {
                self.calls.remove(0);
            }
            self.calls.push(call);
        }
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        self.watch.enter(at);
        self.begun.retain(|depth| *depth < at.depth);
        if is_meant(at.model, self.function) {
            self.begun.push(at.depth);
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.watch.switched(from, to);
    }
}
