//! What sources of Rust tell of classes and methods, and debug information does not.

use std::collections::{BTreeMap, HashMap, HashSet};

use whydunit_model::{Language, MethodKind, Origin, Passing, Virtuality, Visibility};

use crate::gathered::{Gathered, GatheredMethod};
use crate::syntax::{Function, Impl, Syntax, TypeItem};
use crate::{Code, Implements, Method, Position};

type Classes = BTreeMap<String, Gathered>;

/// Sources by path, each read once.
pub(crate) struct Sources<'t> {
    text: &'t dyn Fn(&str) -> Option<String>,
    read: HashMap<String, Option<Syntax>>,
}

impl<'t> Sources<'t> {
    pub fn new(text: &'t dyn Fn(&str) -> Option<String>) -> Self {
        Self { text, read: HashMap::new() }
    }

    fn get(&mut self, path: &str) -> Option<&Syntax> {
        let text = self.text;
        self.read.entry(path.to_owned()).or_insert_with(|| Syntax::read(&text(path)?)).as_ref()
    }

    fn known(&self) -> impl Iterator<Item = (&str, &Syntax)> {
        self.read.iter().filter_map(|(path, syntax)| Some((path.as_str(), syntax.as_ref()?)))
    }
}

/// Completes classes of Rust. `homeless` are methods of which it is not told which class has them.
pub(crate) fn complete(
    classes: &mut Classes,
    homeless: Vec<GatheredMethod>,
    others: &[String],
    sources: &mut Sources<'_>,
) {
    for path in others {
        sources.get(path);
    }
    let mut found = Found::default();
    for (key, class) in classes.iter_mut().filter(|(_, class)| class.language == Language::Rust) {
        for method in &mut class.methods {
            found.complete(method, key, sources);
        }
    }
    for mut method in homeless {
        let Some(class) = home(&method, classes, sources) else { continue };
        found.complete(&mut method, &class, sources);
        if method.method.kind.is_some_and(|kind| kind == MethodKind::Static) && method.returns.as_ref() == Some(&class)
        {
            method.method.kind = Some(MethodKind::Constructor);
        }
        if let Some(class) = classes.get_mut(&class) {
            class.methods.push(method);
        }
    }
    for class in classes.values_mut().filter(|class| class.language == Language::Rust) {
        class.class.position = defined(&class.class.name, &class.methods, sources);
    }
    found.without_code(classes, sources);
}

/// Which functions and impls of the sources are known to belong to which class.
#[derive(Default)]
struct Found {
    functions: HashSet<(String, usize)>,
    impls: HashMap<(String, usize), String>,
}

impl Found {
    /// Takes what the source says of a method.
    fn complete(&mut self, known: &mut GatheredMethod, class: &str, sources: &mut Sources<'_>) {
        if matches!(known.origin, Origin::TraitImpl(_) | Origin::Trait(_)) {
            // As visible as the trait.
            known.method.visibility = Some(Visibility::Public);
        }
        let Some(position) = known.method.position.clone() else { return };
        let Some(syntax) = sources.get(&position.file) else { return };
        let Method { name, implements, .. } = &mut known.method;
        let Some(index) = syntax.function(name, position.line) else {
            if let (Some(implements), Some((_, derived))) = (implements, syntax.derived(name, position.line)) {
                implements.name = Some(derived.to_owned());
            }
            return;
        };
        let function = &syntax.functions[index];
        self.functions.insert((position.file.clone(), index));
        if !matches!(known.origin, Origin::Trait(_)) {
            self.impls.entry((position.file.clone(), function.of)).or_insert_with(|| class.to_owned());
        }
        known.written = Some((function.parameters.clone(), function.result.clone()));
        apply(function, &syntax.impls[function.of], &mut known.method);
    }

    /// Lists methods that the sources have and the program does not: in impls of known classes.
    fn without_code(&self, classes: &mut Classes, sources: &Sources<'_>) {
        let mut found = Vec::new();
        for (path, syntax) in sources.known() {
            for (index, function) in syntax.functions.iter().enumerate() {
                let block = &syntax.impls[function.of];
                if function.conditional || block.of.is_none() || self.functions.contains(&(path.to_owned(), index)) {
                    continue;
                }
                let known = self.impls.get(&(path.to_owned(), function.of)).cloned();
                let Some(class) = known.or_else(|| named(block, path, classes)) else { continue };
                found.push((class, uncompiled(function, block, path)));
            }
        }
        for (class, method) in found {
            if let Some(class) = classes.get_mut(&class) {
                class.methods.push(method);
            }
        }
    }
}

/// Writes into a method what its source says.
fn apply(function: &Function, block: &Impl, method: &mut Method) {
    method.visibility = Some(function.visibility);
    if let Some(implements) = &mut method.implements {
        implements.name = block.implements.clone().or(implements.name.take());
    }
    if method.kind.is_none_or(|kind| kind != MethodKind::Constructor) {
        if method.receiver.is_none() && function.receiver.is_some() && !method.parameters.is_empty() {
            method.parameters.remove(0);
        }
        method.receiver = function.receiver;
        method.kind = Some(function.kind());
    }
    if is_drop(function, block) {
        method.kind = Some(MethodKind::Destructor);
    }
}

fn is_drop(function: &Function, block: &Impl) -> bool {
    let mutable = function.receiver.is_some_and(|receiver| receiver.passing == Passing::MutableReference);
    block.implements.as_deref() == Some("Drop") && function.name == "drop" && mutable
}

/// A method that the source has, without code.
fn uncompiled(function: &Function, block: &Impl, path: &str) -> GatheredMethod {
    let position = Some(Position { file: path.to_owned(), line: function.lines.1 });
    let implements = block.implements.is_some().then_some(Implements { name: None, provided: false });
    let mut method = Method {
        name: function.name.clone(),
        arguments: Vec::new(),
        parameters: function.parameters.clone(),
        result: function.result.clone(),
        kind: None,
        receiver: function.receiver,
        visibility: None,
        virtuality: Virtuality::None,
        overrides: None,
        implicit: false,
        implements,
        position: position.clone(),
        code: Code::None,
        symbols: Vec::new(),
    };
    apply(function, block, &mut method);
    let origin = Origin::Class;
    GatheredMethod { method, origin, declared: position, returns: None, written: None }
}

/// The class of a method in the `impl` of a trait: that of the other methods there, else what the source names.
fn home(method: &GatheredMethod, classes: &Classes, sources: &mut Sources<'_>) -> Option<String> {
    let Origin::TraitImpl(_) = &method.origin else { return None };
    let beside = |class: &Gathered| class.methods.iter().any(|other| other.origin == method.origin);
    if let Some(returned) = method.returns.as_ref().filter(|key| classes.get(*key).is_some_and(beside)) {
        return Some(returned.clone());
    }
    if let Some((key, _)) = classes.iter().find(|(_, class)| beside(class)) {
        return Some(key.clone());
    }
    let position = method.method.position.as_ref()?;
    let syntax = sources.get(&position.file)?;
    match syntax.function(&method.method.name, position.line) {
        Some(index) => {
            let block = &syntax.impls[syntax.functions[index].of];
            let returned = method
                .returns
                .as_ref()
                .filter(|key| classes.get(*key).is_some_and(|class| block.of.as_deref() == Some(bare_name(class))));
            returned.cloned().or_else(|| named(block, &position.file, classes))
        }
        None => {
            let (ty, _) = syntax.derived(&method.method.name, position.line)?;
            let returned = method.returns.as_ref();
            returned.filter(|key| classes.get(*key).is_some_and(|class| bare_name(class) == ty.name)).cloned()
        }
    }
}

/// The name of a class without path and arguments.
fn bare_name(class: &Gathered) -> &str {
    path_of(class).last().copied().unwrap_or_default()
}

/// The path of a class without arguments.
fn path_of(class: &Gathered) -> Vec<&str> {
    class.template.as_ref().map_or(class.class.name.as_str(), |template| &template.name).split("::").collect()
}

/// The class that an `impl` is for, by name: the only one that is called so, else the one whose modules are those of the
/// `impl`.
fn named(block: &Impl, path: &str, classes: &Classes) -> Option<String> {
    let name = block.of.as_deref()?;
    let alike: Vec<(&String, &Gathered)> =
        classes.iter().filter(|(_, class)| class.language == Language::Rust && bare_name(class) == name).collect();
    let first = alike.first()?;
    // Instances of one generic type are as good as each other.
    if alike.iter().all(|(_, class)| path_of(class) == path_of(first.1)) {
        return Some(first.0.clone());
    }
    let modules = modules_of(path, &block.modules);
    let here = alike.iter().find(|(_, class)| is_in(&path_of(class), &modules));
    here.map(|(key, _)| (*key).clone())
}

/// Where a class is defined: the only type of its name in modules called like its own; of several that in whose file its
/// methods are.
fn defined(name: &str, methods: &[GatheredMethod], sources: &Sources<'_>) -> Option<Position> {
    let name = name.split('<').next().unwrap_or_default();
    let path: Vec<&str> = name.split("::").collect();
    let own = *path.last()?;
    let mut found: Vec<(&str, &TypeItem)> = sources
        .known()
        .flat_map(|(file, syntax)| syntax.types.iter().map(move |ty| (file, ty)))
        .filter(|(_, ty)| ty.name == own && ends_with(&path[..path.len() - 1], &ty.modules))
        .collect();
    let here = |file: &str, ty: &TypeItem| is_in(&path, &modules_of(file, &ty.modules));
    if found.len() > 1 && found.iter().any(|(file, ty)| here(file, ty)) {
        found.retain(|(file, ty)| here(file, ty));
    }
    let at = |method: &GatheredMethod, file: &str| method.method.position.as_ref().is_some_and(|at| at.file == file);
    let beside = |file: &str| methods.iter().any(|method| at(method, file));
    if found.len() > 1 && found.iter().any(|(file, _)| beside(file)) {
        found.retain(|(file, _)| beside(file));
    }
    match found[..] {
        [(file, ty)] => Some(Position { file: file.to_owned(), line: ty.line }),
        _ => None,
    }
}

/// The modules that a file is of, by where it lies, and those inside of it.
fn modules_of(file: &str, inner: &[String]) -> Vec<String> {
    let below = file.rsplit_once("/src/").map_or("", |(_, below)| below);
    let below = below.strip_suffix(".rs").unwrap_or(below);
    let mut modules: Vec<String> = below.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let root = modules.len() == 1 && ["lib", "main"].contains(&modules[0].as_str());
    if root || modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    modules.extend(inner.iter().cloned());
    modules
}

/// Whether a path is that of something in these modules of its crate.
fn is_in(path: &[&str], modules: &[String]) -> bool {
    path.len() == modules.len() + 2 && path[1..].iter().zip(modules).all(|(a, b)| a == b)
}

fn ends_with(path: &[&str], modules: &[String]) -> bool {
    path.len() >= modules.len() && path[path.len() - modules.len()..].iter().zip(modules).all(|(a, b)| a == b)
}
