//! From the models of units to classes.

use std::collections::{BTreeMap, HashMap, HashSet};

use whydunit_model::{self as model, ClassId, Language, Loc, MethodId, MethodKind, Module, Origin, Virtuality, paths};

use crate::complete::{self, Sources};
use crate::gathered::{Gathered, GatheredMethod};
use crate::instances;
use crate::{Base, Class, Code, Implements, Method, Position};

/// What is gathered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Instances of a template or generic type are classes of their own.
    pub instances: bool,
    /// Classes of libraries too, with the methods that have code.
    pub libraries: bool,
}

/// The classes of a program with these units, in the order of their names. `text` gives the text of a source, and `None` for
/// one that is not there or not what was compiled; `others` are sources of Rust that have no code.
pub fn gather<'m>(
    modules: impl IntoIterator<Item = &'m Module>,
    others: &[String],
    text: &dyn Fn(&str) -> Option<String>,
    options: Options,
) -> Vec<Class> {
    let modules: Vec<&Module> = modules.into_iter().collect();
    let mut gathering = Gathering::default();
    gathering.find_local(&modules);
    for module in &modules {
        gathering.add(module);
    }
    let Gathering { mut classes, homeless, .. } = gathering;
    let mut sources = Sources::new(text);
    if !options.libraries {
        classes.retain(|_, class| !is_library(class));
    }
    complete::complete(&mut classes, homeless, others, &mut sources);
    for class in classes.values_mut() {
        class.class.library = is_library(class);
    }
    let mut out = if options.instances {
        classes.into_values().map(instances::alone).collect()
    } else {
        instances::merge(classes.into_values())
    };
    find_overridden(&mut out);
    for class in &mut out {
        class.methods.sort_by(|a, b| order(a).cmp(&order(b)));
    }
    out.sort_by(|a, b| (&a.name, &a.position).cmp(&(&b.name, &b.position)));
    out
}

/// What the compiler made goes last, the rest by position.
fn order(method: &Method) -> (bool, Option<&Position>, &str, &[String], &[String]) {
    (method.implicit, method.position.as_ref(), &method.name, &method.arguments, &method.parameters)
}

/// Whether a library has a class. Rust tells no positions of types: then the first part of the path decides.
fn is_library(class: &Gathered) -> bool {
    match &class.class.position {
        Some(position) => paths::is_library(&position.file),
        None if class.language == Language::Rust => {
            let root = class.class.name.split("::").next().unwrap_or_default();
            let own = |method: &GatheredMethod| {
                method.origin == Origin::Class
                    && method.method.position.as_ref().is_some_and(|position| paths::is_library(&position.file))
            };
            matches!(root, "std" | "core" | "alloc" | "proc_macro" | "test") || class.methods.iter().any(own)
        }
        None => false,
    }
}

/// Units one after the other.
#[derive(Default)]
struct Gathering {
    classes: BTreeMap<String, Gathered>,
    /// Definitions of classes that have no name for other units, by their name.
    local: HashMap<String, HashSet<String>>,
    /// Methods of which debug information tells no class.
    homeless: Vec<GatheredMethod>,
    known: HashMap<String, usize>,
}

impl Gathering {
    fn find_local(&mut self, modules: &[&Module]) {
        for module in modules {
            for class in module.classes.iter().filter(|class| class.local && class.complete) {
                self.local.entry(class.name.clone()).or_default().insert(local_key(module, class));
            }
        }
    }

    /// What is the same for all units that know a class.
    fn key(&self, module: &Module, class: &model::Class) -> String {
        if !class.local {
            return class.name.clone();
        }
        // A declaration is that of the only definition.
        match self.local.get(&class.name) {
            Some(keys) if !class.complete && keys.len() == 1 => keys.iter().next().cloned().unwrap_or_default(),
            _ => local_key(module, class),
        }
    }

    fn add(&mut self, module: &Module) {
        let keys: Vec<String> = module.classes.iter().map(|class| self.key(module, class)).collect();
        for (class, key) in module.classes.iter().zip(&keys) {
            let complete = self.classes.get(key).is_some_and(|known| known.complete);
            if complete || self.classes.contains_key(key) && !class.complete {
                continue;
            }
            let gathered = new_class(module, class);
            match self.classes.get_mut(key) {
                Some(known) => *known = Gathered { methods: std::mem::take(&mut known.methods), ..gathered },
                None => _ = self.classes.insert(key.clone(), gathered),
            }
        }
        let uses = Uses::of(module);
        for (method, id) in module.methods.iter().zip(0..) {
            self.add_method(module, method, id, &keys, &uses);
        }
    }

    fn add_method(&mut self, module: &Module, method: &model::Method, id: MethodId, keys: &[String], uses: &Uses) {
        let key_of = |class: ClassId| keys[class as usize].clone();
        let class = method.class.map(key_of);
        let identity = identity(module, method, class.as_deref());
        let methods = match class.and_then(|class| self.classes.get_mut(&class)) {
            Some(class) => &mut class.methods,
            None => &mut self.homeless,
        };
        let index = *self.known.entry(identity).or_insert_with(|| {
            methods.push(new_method(module, method, method.returns.map(key_of)));
            methods.len() - 1
        });
        let known = &mut methods[index];
        known.method.code = known.method.code.max(uses.code(id));
        known.method.symbols.extend(uses.symbols(id));
        known.method.symbols.sort();
        known.method.symbols.dedup();
        if let Some(defined) = method.defined {
            known.method.position = position(module, Some(defined));
        }
    }
}

fn local_key(module: &Module, class: &model::Class) -> String {
    let place = position(module, class.loc).map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
    // What is in a namespace without a name of a header is another class in each unit; as people see it, it is one.
    format!("{}@{place}", class.name)
}

fn new_class(module: &Module, class: &model::Class) -> Gathered {
    let base = |base: &model::Base| Base {
        name: module.classes[base.class as usize].name.clone(),
        offset: base.offset,
        visibility: base.visibility,
    };
    Gathered {
        class: Class {
            name: class.name.clone(),
            kind: class.kind,
            library: false,
            position: position(module, class.loc),
            instances: class.template.iter().map(|template| template.arguments.clone()).collect(),
            bases: class.bases.iter().map(base).collect(),
            methods: Vec::new(),
        },
        language: module.language,
        template: class.template.clone(),
        methods: Vec::new(),
        complete: class.complete,
    }
}

fn new_method(module: &Module, method: &model::Method, returns: Option<String>) -> GatheredMethod {
    let implements = match &method.origin {
        Origin::Class => None,
        Origin::TraitImpl(_) => Some(Implements { name: None, provided: false }),
        Origin::Trait(path) => {
            let name = path.rsplit("::").next().unwrap_or(path).to_owned();
            Some(Implements { name: Some(name), provided: true })
        }
    };
    GatheredMethod {
        method: Method {
            name: method.name.clone(),
            arguments: method.arguments.clone(),
            parameters: method.parameters.clone(),
            result: method.result.clone(),
            kind: method.kind,
            receiver: method.receiver,
            visibility: method.visibility,
            virtuality: method.virtuality,
            overrides: None,
            implicit: method.implicit,
            implements,
            position: position(module, method.defined.or(method.declared)),
            code: Code::None,
            symbols: Vec::new(),
        },
        origin: method.origin.clone(),
        declared: position(module, method.declared),
        returns,
        written: None,
    }
}

fn position(module: &Module, loc: Option<Loc>) -> Option<Position> {
    let loc = loc.filter(|loc| loc.line > 0)?;
    Some(Position { file: module.files.get(loc.file as usize)?.clone(), line: loc.line })
}

/// What is the same for all units that know a method. Symbols of C++ are; those of Rust name the crate that made an instance.
fn identity(module: &Module, method: &model::Method, class: Option<&str>) -> String {
    if module.language == Language::Cxx && !method.symbol.is_empty() {
        return format!("{class:?} {}", method.symbol);
    }
    let place = position(module, method.declared);
    let constant = method.receiver.is_some_and(|receiver| receiver.constant);
    let Method { name, parameters, .. } = &new_method(module, method, None).method;
    format!("{class:?} {:?} {place:?} {name} {:?} {parameters:?} {constant}", method.origin, method.arguments)
}

/// Where the code of a module's methods stands.
struct Uses<'m> {
    functions: HashMap<MethodId, Vec<&'m str>>,
    inlined: HashSet<MethodId>,
}

impl<'m> Uses<'m> {
    fn of(module: &'m Module) -> Self {
        let mut uses = Self { functions: HashMap::new(), inlined: HashSet::new() };
        for function in module.functions.iter().filter(|function| function.is_defined()) {
            if let Some(method) = function.method {
                uses.functions.entry(method).or_default().push(&function.name);
            }
            uses.inlined.extend(function.inlined.iter().filter_map(|inlined| inlined.method));
        }
        uses
    }

    fn code(&self, method: MethodId) -> Code {
        match () {
            () if self.functions.contains_key(&method) => Code::Compiled,
            () if self.inlined.contains(&method) => Code::Inlined,
            () => Code::None,
        }
    }

    fn symbols(&self, method: MethodId) -> impl Iterator<Item = String> {
        self.functions.get(&method).into_iter().flatten().map(|&name| name.to_owned())
    }
}

/// Which virtual methods override others: the nearest base that has one alike.
fn find_overridden(classes: &mut [Class]) {
    let by_name: HashMap<&str, &Class> = classes.iter().map(|class| (class.name.as_str(), class)).collect();
    let mut found = Vec::new();
    for (index, class) in classes.iter().enumerate() {
        for (number, method) in class.methods.iter().enumerate() {
            if method.virtuality != Virtuality::None
                && let Some(base) = overridden(&by_name, class, method, &mut HashSet::new())
            {
                found.push((index, number, base));
            }
        }
    }
    for (index, number, base) in found {
        classes[index].methods[number].overrides = Some(base);
    }
}

fn overridden<'c>(
    by_name: &HashMap<&str, &'c Class>,
    class: &'c Class,
    method: &Method,
    seen: &mut HashSet<&'c str>,
) -> Option<String> {
    let constant = |method: &Method| method.receiver.is_some_and(|receiver| receiver.constant);
    let alike = |other: &&Method| {
        let same = match method.kind {
            Some(MethodKind::Destructor) => other.kind == method.kind,
            _ => {
                (&other.name, &other.parameters, constant(other))
                    == (&method.name, &method.parameters, constant(method))
            }
        };
        other.virtuality != Virtuality::None && same
    };
    class.bases.iter().find_map(|base| {
        // A base that is an instance goes by the name of its template, where instances are one class.
        let bare = base.name.split('<').next().unwrap_or_default();
        let base = by_name.get(base.name.as_str()).or_else(|| by_name.get(bare))?;
        if !seen.insert(&base.name) {
            return None;
        }
        let own = base.methods.iter().find(alike).map(|_| base.name.clone());
        own.or_else(|| overridden(by_name, base, method, seen))
    })
}
