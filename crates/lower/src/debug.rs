//! Source positions, scopes and variables of functions.

mod classes;
mod methods;
mod names;
mod types;

use std::collections::HashMap;

use whydunit_llvm::{Metadata, MetadataKind, Module, Value};
use whydunit_model::{
    Class, ClassId, DebugType, Inlined, Language, Loc, Method, MethodId, NO_TYPE, Scope, TypeId, Variable,
    names as symbols, paths,
};

/// Debug information of a module, converted as it is met.
pub struct Debug<'a> {
    module: &'a Module,
    files: Vec<String>,
    file_names: HashMap<String, u32>,
    file_nodes: HashMap<Metadata, u32>,
    types: Vec<DebugType>,
    type_nodes: HashMap<Metadata, TypeId>,
    pub language: Language,
    classes: Vec<Class>,
    class_nodes: HashMap<Metadata, ClassId>,
    /// Composite types, in the order in which they are met.
    composites: Vec<Metadata>,
    /// Names that typedefs give to types without a name.
    aliases: HashMap<Metadata, String>,
    methods: Vec<Method>,
    method_nodes: HashMap<Metadata, MethodId>,
}

/// What all functions of a module refer to.
pub struct Tables {
    pub files: Vec<String>,
    pub types: Vec<DebugType>,
    pub language: Language,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
}

impl<'a> Debug<'a> {
    pub fn new(module: &'a Module) -> Self {
        Self {
            module,
            files: Vec::new(),
            file_names: HashMap::new(),
            file_nodes: HashMap::new(),
            types: Vec::new(),
            type_nodes: HashMap::new(),
            language: language(module),
            classes: Vec::new(),
            class_nodes: HashMap::new(),
            composites: Vec::new(),
            aliases: HashMap::new(),
            methods: Vec::new(),
            method_nodes: HashMap::new(),
        }
    }

    /// The tables that all of it refers to, once all functions are lowered.
    pub fn finish(mut self) -> Tables {
        self.complete_classes();
        let Self { files, types, language, classes, methods, .. } = self;
        Tables { files, types, language, classes, methods }
    }

    /// The compiled source file, absolute where the compiler said so.
    pub fn source(&self) -> String {
        let unit = self.module.named_metadata("llvm.dbg.cu").into_iter().next();
        let file = unit.and_then(|unit| self.operand(unit, 0)).and_then(|file| file.file_name());
        match file {
            Some((directory, name)) => join(&directory, &name),
            None => self.module.source_file(),
        }
    }

    /// Whether any of what was compiled says that it was optimised.
    pub fn is_optimised(&self) -> bool {
        let units = self.module.named_metadata("llvm.dbg.cu");
        units.into_iter().any(|unit| self.module.metadata_text(unit).contains("isOptimized: true"))
    }

    fn operand(&self, node: Metadata, index: usize) -> Option<Metadata> {
        self.module.metadata_operands(node).get(index).copied().flatten()
    }

    fn string(&self, node: Option<Metadata>) -> String {
        node.and_then(|node| self.module.metadata_string(node)).unwrap_or_default()
    }

    /// A number that follows `key` in the text of a node, for what has no getter.
    fn number(&self, node: Metadata, key: &str) -> Option<i64> {
        let text = self.module.metadata_text(node);
        let rest = text.split_once(key)?.1;
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
        rest[..end].parse().ok()
    }

    fn file(&mut self, node: Option<Metadata>) -> u32 {
        let Some(node) = node else { return self.file_named(String::new()) };
        if let Some(&known) = self.file_nodes.get(&node) {
            return known;
        }
        let name = node.file_name().map(|(directory, name)| join(&directory, &name)).unwrap_or_default();
        let index = self.file_named(name);
        self.file_nodes.insert(node, index);
        index
    }

    fn file_named(&mut self, name: String) -> u32 {
        let name = paths::plain(&name);
        let next = self.files.len() as u32;
        *self.file_names.entry(name).or_insert_with_key(|name| {
            self.files.push(name.clone());
            next
        })
    }

    /// Name, type and position of a global's variable.
    pub fn global_variable(&mut self, node: Metadata) -> (String, TypeId, Option<Loc>) {
        let operands = self.module.metadata_operands(node);
        let operand = |index: usize| operands.get(index).copied().flatten();
        let name = self.string(operand(1));
        let ty = self.type_of(operand(3));
        let file = self.file(node.variable_file());
        (name, ty, Some(Loc { file, line: node.variable_line(), column: 0, scope: 0 }))
    }

    /// Name of a function, for people.
    fn function_name(&self, node: Metadata) -> String {
        let symbol = self.string(self.operand(node, 3));
        symbols::readable(&symbol).unwrap_or_else(|| self.string(self.operand(node, 2)))
    }

    /// Name and position of a function.
    pub fn subprogram(&mut self, node: Metadata) -> (String, Loc) {
        let name = self.string(self.operand(node, 2));
        let file = self.file(node.scope_file());
        (name, Loc { file, line: node.subprogram_line(), column: 0, scope: 0 })
    }
}

/// The language of a module, as its compile unit tells it.
fn language(module: &Module) -> Language {
    let Some(unit) = module.named_metadata("llvm.dbg.cu").into_iter().next() else { return Language::Other };
    let text = module.metadata_text(unit);
    match text.split_once("language: DW_LANG_").map(|(_, rest)| rest.split([',', ')']).next().unwrap_or_default()) {
        Some("Rust") => Language::Rust,
        Some(name) if name.starts_with("C_plus_plus") => Language::Cxx,
        Some("C" | "C89" | "C99" | "C11" | "C17" | "C23") => Language::C,
        _ => Language::Other,
    }
}

fn join(directory: &str, name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    if name.starts_with('/') || directory.is_empty() {
        name.to_owned()
    } else {
        format!("{}/{name}", directory.trim_end_matches('/'))
    }
}

/// What a debug expression makes of its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The value itself.
    Plain,
    /// What is at the value.
    Address,
    /// Anything else: a fragment, arithmetic.
    Other,
}

/// A node, and where it was inlined.
type Instance = (Metadata, Option<Metadata>);

/// Positions, scopes and variables of the function being lowered.
pub struct FunctionDebug {
    subprogram: Option<Metadata>,
    pub scopes: Vec<Scope>,
    pub inlined: Vec<Inlined>,
    scope_nodes: HashMap<Instance, u32>,
    pub locs: Vec<Loc>,
    loc_nodes: HashMap<Metadata, u32>,
    pub variables: Vec<Variable>,
    variable_nodes: HashMap<Instance, u32>,
}

impl FunctionDebug {
    /// Of `function`.
    pub fn new(function: Value) -> Self {
        let subprogram = function.subprogram();
        let line = subprogram.map_or(0, Metadata::subprogram_line);
        Self {
            subprogram,
            scopes: vec![Scope { parent: 0, line, inlined: 0 }],
            inlined: Vec::new(),
            scope_nodes: HashMap::new(),
            locs: vec![Loc::default()],
            loc_nodes: HashMap::new(),
            variables: Vec::new(),
            variable_nodes: HashMap::new(),
        }
    }

    /// Index of a `DILocation`; 0 without one.
    pub fn loc(&mut self, debug: &mut Debug, location: Option<Metadata>) -> u32 {
        let Some(location) = location else { return 0 };
        if let Some(&known) = self.loc_nodes.get(&location) {
            return known;
        }
        let scope_node = location.scope();
        let scope = match scope_node {
            Some(scope) => self.scope(debug, scope, location.inlined_at()),
            None => 0,
        };
        let file = debug.file(scope_node.and_then(Metadata::scope_file));
        let loc = Loc { file, line: location.line(), column: location.column(), scope };
        let index = self.locs.len() as u32;
        self.locs.push(loc);
        self.loc_nodes.insert(location, index);
        index
    }

    fn scope(&mut self, debug: &mut Debug, node: Metadata, inlined_at: Option<Metadata>) -> u32 {
        if inlined_at.is_none() && Some(node) == self.subprogram {
            return 0;
        }
        if let Some(&known) = self.scope_nodes.get(&(node, inlined_at)) {
            return known;
        }
        let index = match node.kind() {
            // Only changes the file.
            MetadataKind::LLVMDILexicalBlockFileMetadataKind => match debug.operand(node, 1) {
                Some(parent) => self.scope(debug, parent, inlined_at),
                None => 0,
            },
            MetadataKind::LLVMDILexicalBlockMetadataKind => {
                let parent = debug.operand(node, 1).map_or(0, |parent| self.scope(debug, parent, inlined_at));
                let line = debug.number(node, "line: ").unwrap_or(0) as u32;
                let inlined = self.scopes[parent as usize].inlined;
                self.push_scope(Scope { parent, line, inlined })
            }
            // The body of an inlined function hangs below its call.
            MetadataKind::LLVMDISubprogramMetadataKind => {
                let (mut parent, mut inlined) = (0, 0);
                if let Some(call) = inlined_at {
                    parent = call.scope().map_or(0, |scope| self.scope(debug, scope, call.inlined_at()));
                    let (name, call) = (debug.function_name(node), self.loc(debug, Some(call)));
                    self.inlined.push(Inlined { name, call, method: debug.method(node) });
                    inlined = self.inlined.len() as u32;
                }
                self.push_scope(Scope { parent, line: node.subprogram_line(), inlined })
            }
            _ => 0,
        };
        self.scope_nodes.insert((node, inlined_at), index);
        index
    }

    fn push_scope(&mut self, scope: Scope) -> u32 {
        self.scopes.push(scope);
        self.scopes.len() as u32 - 1
    }

    /// Index of a `DILocalVariable`, of the function or of a call inlined in it.
    pub fn variable(&mut self, debug: &mut Debug, node: Metadata, location: Option<Metadata>) -> u32 {
        let inlined_at = location.and_then(Metadata::inlined_at);
        if let Some(&known) = self.variable_nodes.get(&(node, inlined_at)) {
            return known;
        }
        let operands = debug.module.metadata_operands(node);
        let operand = |index: usize| operands.get(index).copied().flatten();
        let name = debug.string(operand(1));
        let ty = debug.type_of(operand(3));
        let scope = operand(0).map_or(0, |scope| self.scope(debug, scope, inlined_at));
        let arg = if inlined_at.is_some() { 0 } else { debug.number(node, "arg: ").unwrap_or(0) as u32 };
        let index = self.variables.len() as u32;
        self.variables.push(Variable {
            name,
            ty,
            scope,
            line: node.variable_line(),
            arg,
            object: None,
            indirect: false,
        });
        self.variable_nodes.insert((node, inlined_at), index);
        index
    }

    /// Position of a variable's declaration.
    pub fn variable_loc(&self, debug: &mut Debug, node: Metadata, variable: u32) -> Loc {
        let scope = self.variables.get(variable as usize).map_or(0, |variable| variable.scope);
        Loc { file: debug.file(node.variable_file()), line: node.variable_line(), column: 0, scope }
    }
}

impl Debug<'_> {
    /// Whether a variable is a reference of C++.
    pub fn is_reference(&self, variable: Metadata) -> bool {
        let ty = self.module.metadata_operands(variable).get(3).copied().flatten();
        ty.is_some_and(|ty| {
            matches!(ty.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
                && matches!(ty.tag(), types::tag::REFERENCE | types::tag::RVALUE_REFERENCE)
        })
    }

    /// What an expression makes of its value.
    pub fn meaning(&self, expression: Option<Metadata>) -> Meaning {
        let Some(expression) = expression else { return Meaning::Plain };
        let text = self.module.metadata_text(expression);
        match text.split_once("DIExpression(").map(|(_, rest)| rest.trim_end()) {
            Some(")") => Meaning::Plain,
            Some("DW_OP_deref)") => Meaning::Address,
            _ => Meaning::Other,
        }
    }

    /// Type of a node; [`NO_TYPE`] for none.
    pub fn type_of(&mut self, node: Option<Metadata>) -> TypeId {
        node.map_or(NO_TYPE, |node| self.convert(node))
    }
}
