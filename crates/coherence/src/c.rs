//! Sources of C and C++.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::declarators;
use crate::facts::{Claim, Facts, Kind, Source, Typed, Use, inside, line, of_kinds};
use crate::macros;

/// Nodes that have declarators.
const DECLARING: &[&str] = &[
    "declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "variadic_parameter_declaration",
    "field_declaration",
    "type_definition",
    "function_definition",
    "for_range_loop",
    "condition_declaration",
];

/// What a source declares and uses.
pub(crate) fn facts(source: &Source<'_>, members_are_names: bool) -> Facts {
    // Members that are used by their names alone are enumerators, or hidden in macros; they count in C as well.
    let facts = Facts { open: true, members_are_names: true, ..Facts::default() };
    let mut reader = Reader { source, facts, members_are_names };
    let mut top = Scope::default();
    reader.node(source.tree.root_node(), &mut top);
    reader.settle(top);
    reader.text();
    reader.facts
}

/// The definition that is read.
#[derive(Default)]
struct Scope {
    /// Its name; empty outside of functions.
    place: String,
    /// The type whose members are read.
    of_type: Option<String>,
    locals: BTreeSet<String>,
    uses: Vec<Use>,
    /// Blocks around what is read, in a function.
    depth: usize,
    /// What the statement around chooses by.
    switch: String,
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    facts: Facts,
    /// In C++ methods call members by their names.
    members_are_names: bool,
}

impl Reader<'_, '_> {
    /// What a definition uses that it does not declare.
    fn settle(&mut self, scope: Scope) {
        let Scope { locals, uses, .. } = scope;
        self.facts.uses.extend(uses.into_iter().filter(|one| one.kind != Kind::Name || !locals.contains(&one.name)));
    }

    /// What is told by the text alone, which the grammar takes in many ways: directives, and macros with and without arguments.
    fn text(&mut self) {
        let text = self.source.text(self.source.tree.root_node());
        for line in macros::unbalanced(&text) {
            let (kind, place) = (Kind::Directive, String::new());
            self.facts.uses.push(Use { kind, name: "#".into(), place, line });
        }
        for (name, with, line) in macros::applied(&text) {
            self.facts.claims.push(Claim { about: format!("macro {name}"), says: with.into(), name, line });
        }
    }

    fn all(&mut self, node: Node<'_>, scope: &mut Scope, skip: &[&str]) {
        for (child, field) in inside(node) {
            if field.is_none_or(|field| !skip.contains(&field)) {
                self.node(child, scope);
            }
        }
    }

    fn node(&mut self, node: Node<'_>, scope: &mut Scope) {
        if node.is_error() || node.is_missing() {
            let text = self.source.plain(node);
            self.facts.broken(node, &text, &scope.place);
        }
        match node.kind() {
            "function_definition" => self.function(node, scope),
            "preproc_def" | "preproc_function_def" => self.macro_of(node),
            "preproc_ifdef" => self.all(node, scope, &["name"]),
            "preproc_if" | "preproc_elif" => self.all(node, scope, &["condition"]),
            "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" => self.type_of(node, scope),
            "enumerator" => self.enumerator(node, scope),
            "call_expression" => {
                self.call(node);
                self.all(node, scope, &[]);
            }
            "labeled_statement" => {
                let label = node.child_by_field_name("label").map(|label| self.source.text(label));
                scope.locals.extend(label);
                self.all(node, scope, &["label"]);
            }
            "switch_statement" => {
                let by = node.child_by_field_name("condition").map(|by| self.source.plain(by)).unwrap_or_default();
                let before = std::mem::replace(&mut scope.switch, by);
                self.all(node, scope, &[]);
                scope.switch = before;
            }
            "case_statement" => {
                let value =
                    node.child_by_field_name("value").map_or("default".into(), |value| self.source.plain(value));
                let key = format!("case {} {} {value}", scope.place, scope.switch);
                self.facts.once(key, &value, node);
                self.all(node, scope, &[]);
            }
            "compound_statement" => {
                scope.depth += 1;
                self.all(node, scope, &[]);
                scope.depth -= 1;
            }
            "identifier" | "type_identifier" | "statement_identifier" | "namespace_identifier" => {
                self.name(Kind::Name, node, scope);
            }
            "field_identifier" => {
                self.form(node);
                self.name(Kind::Member, node, scope);
            }
            "qualified_identifier" => self.qualified(node, scope),
            kind if DECLARING.contains(&kind) => self.declaration(node, scope),
            _ => self.all(node, scope, &[]),
        }
    }

    fn name(&mut self, kind: Kind, node: Node<'_>, scope: &mut Scope) {
        let (name, place) = (self.source.text(node), scope.place.clone());
        scope.uses.push(Use { kind, name, place, line: line(node) });
    }

    /// What is done with a member.
    fn form(&mut self, field: Node<'_>) {
        let Some(access) = field.parent().filter(|node| node.kind() == "field_expression") else { return };
        let Some(around) = access.parent() else { return };
        let is = |name: &str| around.child_by_field_name(name).is_some_and(|node| node.id() == access.id());
        let operator = || around.child_by_field_name("operator").map(|node| self.source.text(node));
        let form = match around.kind() {
            "field_expression" | "pointer_expression" | "update_expression" => operator(),
            "subscript_expression" if is("argument") => Some("[".into()),
            "call_expression" if is("function") => Some("(".into()),
            _ => None,
        };
        let form = form.unwrap_or_default();
        self.facts.forms.push(Typed { name: self.source.text(field), form, line: line(field) });
    }

    /// `a::b::c`: what comes first is a name, what follows are members.
    fn qualified(&mut self, node: Node<'_>, scope: &mut Scope) {
        for (child, field) in inside(node) {
            match (child.kind(), field) {
                ("identifier" | "type_identifier", Some("name")) => self.name(Kind::Member, child, scope),
                _ => self.node(child, scope),
            }
        }
    }

    fn function(&mut self, node: Node<'_>, outer: &mut Scope) {
        let declarator = node.child_by_field_name("declarator");
        let Some(name) = declarator.and_then(declarators::name).map(|name| self.source.text(name)) else {
            return self.all(node, outer, &[]);
        };
        let place = match (&outer.of_type, declarator.map(|declarator| self.source.plain(declarator))) {
            (Some(of_type), _) => format!("{of_type}::{name}"),
            (None, Some(text)) if text.contains("::") => {
                text.split('(').next().unwrap_or_default().trim_start_matches(['*', '&', ' ']).to_owned()
            }
            _ => name.clone(),
        };
        let mut scope = Scope { place: place.clone(), ..Scope::default() };
        let parameters = declarator.and_then(declarators::function);
        let types = parameters.and_then(|function| declarators::parameters(self.source, function));
        let overloaded =
            if self.members_are_names { types.clone().unwrap_or_default().join(",") } else { String::new() };
        self.facts.once(format!("definition {place}({overloaded})"), &name, node);
        self.declares(&name, outer.of_type.is_some());
        self.facts.defined.insert(name.clone());
        self.states(&name, types.as_deref(), node, true);
        self.all(node, &mut scope, &["declarator"]);
        if let Some(declarator) = declarator {
            self.declarator(declarator, &mut scope);
        }
        self.settle(scope);
    }

    fn declares(&mut self, name: &str, member: bool) {
        if member {
            self.facts.members.insert(name.to_owned());
        }
        if !member || self.members_are_names {
            self.facts.declared.insert(name.to_owned());
        }
    }

    /// Which parameters a declaration or a definition of a function has.
    fn states(&mut self, name: &str, types: Option<&[String]>, node: Node<'_>, is_definition: bool) {
        let Some(types) = types else {
            self.facts.grants.insert((format!("call {name}"), "*".into()));
            return;
        };
        let most = if types.iter().any(|one| one == "...") { "*".into() } else { types.len().to_string() };
        self.facts.grants.insert((format!("call {name}"), most));
        if self.members_are_names {
            // Defaults and overloads.
            self.facts.grants.insert((format!("call {name}"), "*".into()));
        } else {
            let (about, says) = (format!("parameters {name}"), types.join(","));
            if is_definition {
                self.facts.grants.insert((about, says));
            } else {
                self.facts.claim(about, says, name, node);
            }
        }
    }

    /// What stands around names and types in a declarator: sizes of arrays, parameters.
    fn declarator(&mut self, node: Node<'_>, scope: &mut Scope) {
        let name = declarators::name(node).map(|name| name.id());
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for (child, field) in inside(node) {
                let is_declarator = field == Some("declarator") || child.kind().ends_with("_declarator");
                if Some(child.id()) == name {
                    continue;
                } else if is_declarator || child.kind() == "qualified_identifier" && field == Some("declarator") {
                    open.push(child);
                } else if child.is_named() {
                    self.node(child, scope);
                }
            }
        }
    }

    fn declaration(&mut self, node: Node<'_>, scope: &mut Scope) {
        let is_type = node.kind() == "type_definition";
        let is_member = node.kind() == "field_declaration";
        let typing = node.child_by_field_name("type");
        for (child, field) in inside(node) {
            if field != Some("declarator") {
                self.node(child, scope);
                continue;
            }
            if let Some(node) = declarators::name(child) {
                let name = self.source.text(node);
                let local = !scope.place.is_empty() && !is_member;
                if local {
                    if scope.depth <= 1 && !is_type {
                        self.facts.once(format!("local {} {name}", scope.place), &name, node);
                    }
                    scope.locals.insert(name.clone());
                } else if !node_is_parameter(child) {
                    self.declares(&name, is_member);
                    if let (true, Some(of_type)) = (is_member && !self.members_are_names, &scope.of_type) {
                        self.facts.once(format!("member {of_type}.{name}"), &name, node);
                    }
                    if is_member {
                        self.typed(typing, child, &name);
                    }
                }
                if let (false, Some(function)) = (is_type, declarators::function(child)) {
                    let types = declarators::parameters(self.source, function);
                    self.states(&name, types.as_deref(), node, false);
                }
            }
            self.inner(child, scope);
        }
    }

    /// The type of a member: what stands before its declarator, and around its name there.
    fn typed(&mut self, typing: Option<Node<'_>>, declarator: Node<'_>, name: &str) {
        let Some(typing) = typing.filter(|node| node.child_by_field_name("body").is_none()) else { return };
        let around = declarators::without(&self.source.plain(declarator), name);
        let form = format!("{} {around}", self.source.plain(typing));
        self.facts.types.push(Typed { name: name.into(), form, line: line(declarator) });
    }

    /// A declarator, whose parameters have names for nobody but a definition.
    fn inner(&mut self, declarator: Node<'_>, scope: &mut Scope) {
        let mut own = Scope { place: scope.place.clone(), of_type: scope.of_type.clone(), ..Scope::default() };
        let is_function = declarators::function(declarator).is_some();
        if is_function && own.place.is_empty() {
            own.place = "(declarations)".into();
        }
        let known = scope.locals.clone();
        self.declarator(declarator, &mut own);
        own.locals.extend(known);
        let Scope { locals, uses, .. } = own;
        scope.uses.extend(uses.into_iter().filter(|one| one.kind != Kind::Name || !locals.contains(&one.name)));
    }

    fn type_of(&mut self, node: Node<'_>, scope: &mut Scope) {
        let name = node.child_by_field_name("name");
        let text = name.map(|name| self.source.text(name)).unwrap_or_default();
        let Some(body) = node.child_by_field_name("body") else {
            // `struct name` may be declared by that; where members are needed they are looked for as such.
            return if node.kind() == "enum_specifier" {
                self.all(node, scope, &[])
            } else {
                self.all(node, scope, &["name"])
            };
        };
        if !text.is_empty() {
            // In C a tag by itself is no name of a type.
            if self.members_are_names {
                self.facts.declared.insert(text.clone());
            }
            self.facts.once(format!("type {text}"), &text, node);
        }
        let before = scope.of_type.replace(text);
        self.all(node, scope, &["name", "body"]);
        self.node(body, scope);
        scope.of_type = before;
    }

    fn enumerator(&mut self, node: Node<'_>, scope: &mut Scope) {
        if let Some(name) = node.child_by_field_name("name") {
            let text = self.source.text(name);
            if !self.members_are_names {
                self.facts.once(format!("enumerator {text}"), &text, node);
            }
            self.facts.members.insert(text.clone());
            self.facts.declared.insert(text);
        }
        self.all(node, scope, &["name"]);
    }

    fn macro_of(&mut self, node: Node<'_>) {
        let Some(name) = node.child_by_field_name("name").map(|name| self.source.text(name)) else { return };
        self.facts.declared.insert(name.clone());
        self.facts.members.insert(name.clone());
        self.facts.defined.insert(name.clone());
        let with = if node.child_by_field_name("parameters").is_some() { macros::WITH } else { macros::WITHOUT };
        self.facts.grants.insert((format!("macro {name}"), with.into()));
        let mut own: BTreeSet<String> = BTreeSet::new();
        if let Some(list) = node.child_by_field_name("parameters") {
            own.extend(of_kinds(list, &["identifier"]).into_iter().map(|name| self.source.text(name)));
            let variadic = inside(list).iter().any(|(node, _)| node.kind() == "...");
            let number = if variadic { "*".into() } else { own.len().to_string() };
            self.facts.grants.insert((format!("call {name}"), number));
        } else {
            // What it stands for is not followed.
            self.facts.grants.insert((format!("call {name}"), "*".into()));
        }
        let body = node.child_by_field_name("value").map(|body| self.source.text(body)).unwrap_or_default();
        let used = macros::names(&body).into_iter().filter(|(_, name)| !own.contains(name));
        let (place, line) = (format!("#define {name}"), line(node));
        for (name, form) in macros::forms(&body) {
            self.facts.forms.push(Typed { name, form, line });
        }
        self.facts.uses.extend(used.map(|(kind, name)| Use { kind, name, place: place.clone(), line }));
    }

    fn call(&mut self, node: Node<'_>) {
        let (Some(function), Some(list)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return;
        };
        if function.kind() != "identifier" || list.has_error() {
            return;
        }
        let name = self.source.text(function);
        let (kind, place) = (Kind::Definition, String::new());
        self.facts.uses.push(Use { kind, name: name.clone(), place, line: line(node) });
        let arguments = inside(list).iter().filter(|(node, _)| node.is_named() && node.kind() != "comment").count();
        self.facts.claim(format!("call {name}"), arguments.to_string(), &name, node);
    }
}

/// Whether a declarator is one of a parameter.
fn node_is_parameter(declarator: Node<'_>) -> bool {
    declarator.parent().is_some_and(|parent| parent.kind().ends_with("parameter_declaration"))
}
