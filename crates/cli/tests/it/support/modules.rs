//! The modules of a crate, the files that they stand in, and which module names what of which other one, read from the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// The sources of a target of a crate: a library or a program.
pub struct Modules {
    modules: Vec<Module>,
}

/// A module; one that stands in another's file has the same file.
#[derive(Default)]
struct Module {
    /// The names from the root of the crate, which has none.
    path: Vec<String>,
    file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// The names of what it defines itself.
    items: BTreeSet<String>,
    /// What `use` brings in: the name here, and the path.
    imports: Vec<(String, Vec<String>)>,
    /// What `use …::*` brings in.
    globs: Vec<Vec<String>>,
    mentions: Vec<Mention>,
}

/// A path in a module, and where it stands.
struct Mention {
    path: Vec<String>,
    line: usize,
}

/// A module names something that another one defines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    pub from: Place,
    pub to: Place,
    /// The line in the file of `from`, and what stands there.
    pub line: usize,
    pub named: String,
}

/// A module and its file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub module: Vec<String>,
    pub file: PathBuf,
}

/// Paths are followed through so many imports and re-exports.
const DEEPEST: usize = 8;

impl Modules {
    /// The modules below a root file (`lib.rs`, `main.rs`). Modules of tests are left out: a test may use what is built on its
    /// subject.
    pub fn read(root: &Path) -> Self {
        let mut modules = Self { modules: Vec::new() };
        let folder = root.parent().expect("a file is in a folder").to_path_buf();
        modules.add_file(None, "", root.to_path_buf(), &folder);
        modules
    }

    /// Everything that one module names of another, those in the same file left out.
    pub fn edges(&self) -> BTreeSet<Edge> {
        let mut edges = BTreeSet::new();
        for (from, module) in self.modules.iter().enumerate() {
            for mention in &module.mentions {
                let Some(to) = self.defining(from, &mention.path, DEEPEST) else { continue };
                let (from, to) = (self.place(from), self.place(to));
                if from.file != to.file {
                    edges.insert(Edge { from, to, line: mention.line, named: mention.path.join("::") });
                }
            }
        }
        edges
    }

    fn place(&self, module: usize) -> Place {
        Place { module: self.modules[module].path.clone(), file: self.modules[module].file.clone() }
    }

    /// The module that defines what a path in a module names, imports and re-exports followed; `None` for other crates.
    fn defining(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let depth = depth.checked_sub(1)?;
        match first.as_str() {
            "crate" => self.within(0, rest, depth),
            "self" => self.within(module, rest, depth),
            "super" => self.within(self.modules[module].parent?, rest, depth),
            _ => self.named(module, first, depth).and_then(|found| self.beyond(found, rest, depth)),
        }
    }

    /// What a path names inside a module: the module itself where the path ends with it.
    fn within(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        match path.first() {
            None => Some(module),
            Some(_) => self.defining(module, path, depth).or(Some(module)),
        }
    }

    /// The rest of a path, whose first names led to a module or to an item in it.
    fn beyond(&self, found: Found, rest: &[String], depth: usize) -> Option<usize> {
        match found {
            Found::Item(module) => Some(module),
            Found::Module(module) => self.within(module, rest, depth),
        }
    }

    /// What a single name means in a module.
    fn named(&self, module: usize, name: &str, depth: usize) -> Option<Found> {
        let depth = depth.checked_sub(1)?;
        let here = &self.modules[module];
        if let Some(child) = here.children.get(name) {
            return Some(Found::Module(*child));
        }
        if here.items.contains(name) {
            return Some(Found::Item(module));
        }
        if let Some((_, path)) = here.imports.iter().find(|(imported, _)| imported == name) {
            // An import of a name by itself is another crate's.
            return (path.len() > 1).then(|| self.imported(module, path, depth)).flatten();
        }
        let brought = here.globs.iter().filter_map(|path| match self.imported(module, path, depth)? {
            Found::Module(from) if from != module => self.named(from, name, depth),
            _ => None,
        });
        brought.into_iter().next()
    }

    /// What a path of a `use` means.
    fn imported(&self, module: usize, path: &[String], depth: usize) -> Option<Found> {
        let depth = depth.checked_sub(1)?;
        let (last, before) = path.split_last()?;
        let holder = match before {
            [] => None,
            _ => Some(self.defining(module, before, depth)?),
        };
        match (holder, last.as_str()) {
            (None, "crate") => Some(Found::Module(0)),
            (None, "self") => Some(Found::Module(module)),
            (None, "super") => self.modules[module].parent.map(Found::Module),
            (Some(holder), "super") => self.modules[holder].parent.map(Found::Module),
            (None, name) => self.named(module, name, depth),
            (Some(holder), name) => self.named(holder, name, depth).or(Some(Found::Item(holder))),
        }
    }

    fn add_file(&mut self, parent: Option<usize>, name: &str, path: PathBuf, folder: &Path) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.add(parent, name, path, folder, &file.items);
    }

    /// A module with its items; those that stand in files of their own lie in `folder`.
    fn add(&mut self, parent: Option<usize>, name: &str, file: PathBuf, folder: &Path, items: &[syn::Item]) {
        let index = self.modules.len();
        let mut path = parent.map_or_else(Vec::new, |parent| self.modules[parent].path.clone());
        if let Some(parent) = parent {
            path.push(name.to_string());
            self.modules[parent].children.insert(name.to_string(), index);
        }
        self.modules.push(Module { path, parent, file: file.clone(), ..Module::default() });
        for item in items.iter().filter(|item| !is_of_tests(item)) {
            let syn::Item::Mod(inner) = item else {
                self.modules[index].read(item);
                continue;
            };
            let name = inner.ident.to_string();
            let below = folder.join(&name);
            match (&inner.content, path_attribute(&inner.attrs)) {
                (Some((_, items)), _) => self.add(Some(index), &name, file.clone(), &below, items),
                (None, Some(path)) => self.add_file(Some(index), &name, folder.join(path), &below),
                (None, None) => {
                    let alone = folder.join(format!("{name}.rs"));
                    let path = if alone.is_file() { alone } else { below.join("mod.rs") };
                    self.add_file(Some(index), &name, path, &below);
                }
            }
        }
    }
}

/// What a name means: a module, or an item that a module defines.
#[derive(Clone, Copy)]
enum Found {
    Module(usize),
    Item(usize),
}

impl Module {
    fn read(&mut self, item: &syn::Item) {
        if let Some(name) = name_of(item) {
            self.items.insert(name);
        }
        self.visit_item(item);
    }

    fn import(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let mut bring = |name: String, path: Vec<String>, at: &syn::Ident| {
            // `use x::{self}` is x.
            let path = if path.last().is_some_and(|last| last == "self") { before.to_vec() } else { path };
            let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
            self.mentions.push(Mention { path: path.clone(), line: at.span().start().line });
            self.imports.push((name, path));
        };
        match tree {
            syn::UseTree::Path(path) => self.import(&path.tree, &with(&path.ident)),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
            syn::UseTree::Name(name) => bring(name.ident.to_string(), with(&name.ident), &name.ident),
            syn::UseTree::Rename(name) => bring(name.rename.to_string(), with(&name.ident), &name.ident),
            syn::UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                self.mentions.push(Mention { path: before.to_vec(), line });
                self.globs.push(before.to_vec());
            }
        }
    }

    /// Paths in what a macro is given, which is no syntax yet.
    fn mention_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut line, mut colons) = (Vec::new(), 0, 0);
        let mut end = |path: &mut Vec<String>, line: usize| {
            if path.len() > 1 {
                self.mentions.push(Mention { path: std::mem::take(path), line });
            }
            path.clear();
        };
        let mut groups = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        end(&mut path, line);
                        line = name.span().start().line;
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Group(group) => {
                    end(&mut path, line);
                    groups.push(group.stream());
                    colons = 0;
                }
                _ => {
                    end(&mut path, line);
                    colons = 0;
                }
            }
        }
        end(&mut path, line);
        groups.into_iter().for_each(|group| self.mention_tokens(group));
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A name by itself is a local one, or stands in a `use` already.
        if path.segments.len() > 1 {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.mentions.push(Mention { path: names, line: path.segments[0].ident.span().start().line });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.mention_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

fn name_of(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Whether an item is only there for tests.
fn is_of_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return false,
    };
    let is_test = |attribute: &syn::Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    };
    attributes.iter().any(is_test)
}

/// The file that `#[path = "…"]` names.
fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    attributes.iter().find(|attribute| attribute.path().is_ident("path")).and_then(|attribute| {
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) =
            &attribute.meta.require_name_value().ok()?.value
        else {
            return None;
        };
        Some(text.value())
    })
}
