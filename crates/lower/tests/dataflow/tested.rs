//! A program out of sources, and what the analyses say of it in words.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

use whydunit_canonical::layout::Layout;
use whydunit_dataflow::{
    CallGraph, CallSite, Calls, Content, Effects, External, FunctionId, Library, Limits, MayWrite, Object, Offset,
    Pointees, PointsTo, Program, Returned, Subject, World, Writes,
};
use whydunit_llvm::Module;
use whydunit_model::{Callee, Function, Op};

/// What the programs know of other code.
pub struct Known;

impl Library for Known {
    fn external(&self, symbol: &str) -> Option<External> {
        let mut external = External {
            writes: Writes::Arguments(Vec::new()),
            result: Returned::Plain,
            keeps: false,
            frees: None,
            calls: Calls::Nothing,
            returns: true,
        };
        match symbol {
            "probe" => {}
            "malloc" => external.result = Returned::Fresh,
            "realloc" => (external.result, external.frees) = (Returned::Moved(0), Some(0)),
            "free" => external.frees = Some(0),
            "copy" => external.writes = Writes::Arguments(vec![(0, Content::Of(1))]),
            "sort" => external.calls = Calls::Argument(1),
            "stop" => external.returns = false,
            _ => return None,
        }
        Some(external)
    }
}

/// A program and its call graph.
pub struct Tested {
    pub program: Program,
    pub graph: CallGraph,
}

/// Of sources, each a unit of its own; `extension`: of C or C++.
pub fn units(sources: &[&str], extension: &str) -> Tested {
    let modules = sources.iter().enumerate().map(|(number, source)| {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join(format!("t.{extension}")), folder.path().join("t.bc"));
        std::fs::write(&input, source).unwrap();
        let status = Command::new("clang-22")
            .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-c", "-emit-llvm", "-o"])
            .args([&output, &input])
            .status()
            .unwrap();
        assert!(status.success());
        let mut module = Module::read(&output).unwrap();
        whydunit_canonical::canonicalise(&mut module).unwrap();
        Arc::new(whydunit_lower::lower(&module, &Layout::of(&module), &number.to_string()).unwrap())
    });
    let program = Program::new(modules.collect(), World::Closed);
    let graph = CallGraph::new(&program, &Known);
    Tested { program, graph }
}

/// Of one source of C.
pub fn c(source: &str) -> Tested {
    units(&[source], "c")
}

/// Sorted, without repetitions.
pub fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

impl Tested {
    pub fn subject(&self) -> Subject<'_> {
        Subject { program: &self.program, graph: &self.graph, library: &Known }
    }

    pub fn points(&self) -> PointsTo<'_> {
        PointsTo::new(self.subject(), Limits::default())
    }

    /// The call graph that knows what pointers point to.
    pub fn refined(&self) -> CallGraph {
        self.graph.refined(&self.program, &Known, &mut self.points())
    }

    pub fn id(&self, name: &str) -> FunctionId {
        let has = |id: &FunctionId| {
            let function = self.program.function(*id);
            function.name == name || function.source_name.as_deref() == Some(name)
        };
        self.program.functions().find(has).unwrap_or_else(|| panic!("no function {name}"))
    }

    pub fn function(&self, name: &str) -> &Function {
        self.program.function(self.id(name))
    }

    pub fn name(&self, id: FunctionId) -> String {
        let function = self.program.function(id);
        function.source_name.clone().unwrap_or_else(|| function.name.clone())
    }

    pub fn names(&self, ids: &[FunctionId]) -> BTreeSet<String> {
        ids.iter().map(|&id| self.name(id)).collect()
    }

    /// Call number `call` of a function.
    pub fn site(&self, caller: &str, call: u32) -> CallSite {
        CallSite { caller: self.id(caller), call }
    }

    /// The only call of a function through a pointer.
    pub fn indirect(&self, name: &str) -> CallSite {
        let is_indirect = |call: &whydunit_model::Call| matches!(call.callee, Callee::Indirect(_));
        let calls = &self.function(name).calls;
        assert_eq!(calls.iter().filter(|call| is_indirect(call)).count(), 1);
        self.site(name, calls.iter().position(is_indirect).unwrap() as u32)
    }

    /// What the argument of the call of `probe` in a function may point to.
    pub fn probed(&self, points: &mut PointsTo<'_>, name: &str) -> Pointees {
        let (id, function) = (self.id(name), self.function(name));
        let place = (0..).zip(&function.code).find_map(|(pc, op)| {
            let Op::Call { call } = op else { return None };
            let called = &self.graph.callees(CallSite { caller: id, call: *call }).externals;
            let probes = called.iter().any(|&id| self.program.function(id).name == "probe");
            probes.then(|| (pc, function.calls[*call as usize].args[0].value))
        });
        let (pc, operand) = place.expect("a call of probe");
        points.operand(id, pc, operand)
    }

    /// The same in words, sorted.
    pub fn said(&self, points: &mut PointsTo<'_>, name: &str) -> Vec<String> {
        let found = self.probed(points, name);
        assert!(found.complete, "{name}");
        self.in_words(&found)
    }

    pub fn in_words(&self, found: &Pointees) -> Vec<String> {
        let mut words: Vec<String> = found.targets.iter().map(|(object, offset)| self.words(object, offset)).collect();
        words.sort();
        words.dedup();
        words
    }

    /// `name+8`, `name+…` for an element or another, `name+?` for anywhere in it.
    pub fn words(&self, object: Object, offset: Offset) -> String {
        let name = match object {
            Object::Global(id) => self.program.global(id).name.clone(),
            Object::Stack(id, index) => self.program.function(id).stack[index as usize].name.clone(),
            Object::Heap(id, _) => format!("heap of {}", self.name(id)),
            Object::Function(id) => self.name(id),
            Object::Parameter { index, .. } => format!("*{index}"),
            Object::Reachable { index, .. } => format!("**{index}"),
            Object::Fresh => "fresh".into(),
            Object::Number | Object::Unknown => return "unknown".into(),
        };
        match offset.exact() {
            Some(0) => name,
            Some(offset) => format!("{name}+{offset}"),
            None if offset == Offset::ANY => format!("{name}+?"),
            None => format!("{name}+…"),
        }
    }

    pub fn effects(&self, name: &str) -> Effects {
        MayWrite::default().of_function(self.subject(), self.id(name)).effects.clone()
    }

    /// What may be written, in words.
    pub fn writes(&self, effects: &Effects) -> Vec<String> {
        if effects.anything {
            return vec!["anything".into()];
        }
        let places = effects.writes.iter().flat_map(|(&object, places)| {
            places.iter().map(move |&(offset, bytes)| (self.words(object, offset), bytes))
        });
        places.map(|(place, bytes)| format!("{bytes} at {place}")).collect()
    }
}
