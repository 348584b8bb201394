//! Sources of Rust.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::facts::{Facts, Kind, Source, Use, inside, line, of_kinds};

/// Items that have a name others can use.
const ITEMS: &[&str] = &[
    "struct_item",
    "enum_item",
    "union_item",
    "trait_item",
    "type_item",
    "const_item",
    "static_item",
    "mod_item",
    "macro_definition",
    "associated_type",
    "extern_crate_declaration",
];

/// What a source declares and uses.
pub(crate) fn facts(source: &Source<'_>) -> Facts {
    let mut reader = Reader { source, facts: Facts::default() };
    let mut top = Scope::default();
    reader.all(source.tree.root_node(), &mut top, &[]);
    reader.settle(top);
    reader.facts
}

/// The definition that is read.
#[derive(Clone, Default)]
struct Scope {
    place: String,
    /// The type or trait whose members are read.
    of_type: Option<String>,
    locals: BTreeSet<String>,
    uses: Vec<Use>,
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    facts: Facts,
}

impl Reader<'_, '_> {
    fn settle(&mut self, scope: Scope) {
        let Scope { locals, uses, .. } = scope;
        self.facts.uses.extend(uses.into_iter().filter(|one| one.kind != Kind::Name || !locals.contains(&one.name)));
    }

    fn all(&mut self, node: Node<'_>, scope: &mut Scope, skip: &[&str]) {
        for (child, field) in inside(node) {
            if field.is_none_or(|field| !skip.contains(&field)) {
                self.node(child, scope);
            }
        }
    }

    fn field_text(&self, node: Node<'_>, field: &str) -> Option<String> {
        Some(self.source.text(node.child_by_field_name(field)?))
    }

    fn node(&mut self, node: Node<'_>, scope: &mut Scope) {
        if node.is_error() || node.is_missing() {
            let text = self.source.plain(node);
            self.facts.broken(node, &text, &scope.place);
        }
        match node.kind() {
            "function_item" | "function_signature_item" => self.function(node, scope),
            "impl_item" => self.implementation(node, scope),
            "use_declaration" => self.import(node),
            "field_declaration" => self.member(node, scope),
            "enum_variant" => self.variant(node, scope),
            "let_declaration" | "for_expression" | "let_condition" | "parameter" | "match_arm" => {
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.pattern(pattern, scope);
                }
                self.all(node, scope, &["pattern"]);
            }
            "closure_parameters" => {
                for (child, _) in inside(node).into_iter().filter(|(child, _)| child.is_named()) {
                    if child.kind() == "parameter" { self.node(child, scope) } else { self.pattern(child, scope) }
                }
            }
            "type_parameters" => self.generic(node, scope),
            "scoped_identifier" | "scoped_type_identifier" => self.path(node, scope),
            "call_expression" => {
                self.call(node);
                self.all(node, scope, &[]);
            }
            "macro_invocation" => self.invocation(node, scope),
            "attribute_item" | "inner_attribute_item" | "line_comment" | "block_comment" | "lifetime" => {}
            "identifier" | "type_identifier" => self.name(Kind::Name, node, scope),
            "field_identifier" => self.name(Kind::Member, node, scope),
            kind if ITEMS.contains(&kind) => self.item(node, scope),
            _ => self.all(node, scope, &[]),
        }
    }

    fn name(&mut self, kind: Kind, node: Node<'_>, scope: &mut Scope) {
        let (name, place) = (self.source.text(node), scope.place.clone());
        scope.uses.push(Use { kind, name, place, line: line(node) });
    }

    /// `a::b`: what comes first is a name, the others are members.
    fn path(&mut self, node: Node<'_>, scope: &mut Scope) {
        for (child, field) in inside(node) {
            match (child.kind(), field) {
                ("identifier" | "type_identifier", Some("name")) => self.name(Kind::Member, child, scope),
                _ => self.node(child, scope),
            }
        }
    }

    fn item(&mut self, node: Node<'_>, scope: &mut Scope) {
        let name = self.field_text(node, "name").unwrap_or_default();
        self.facts.declared.insert(name.clone());
        self.facts.members.insert(name.clone());
        let mut own = Scope { place: name.clone(), of_type: Some(name.clone()), ..Scope::default() };
        let nested = node.kind() == "mod_item";
        if nested {
            // Modules of a file bring in its names by a glob, mostly.
            own.of_type = None;
            own.place = scope.place.clone();
        } else if !["macro_definition", "extern_crate_declaration"].contains(&node.kind()) {
            let owner = scope.of_type.clone().unwrap_or_default();
            self.facts.once(format!("{} {} {owner} {name}", node.kind(), scope.place), &name, node);
        }
        if node.kind() == "struct_item"
            && let Some(body) = node.child_by_field_name("body").filter(|body| body.kind().starts_with("ordered"))
        {
            self.fields(&name, body);
        }
        if node.kind() != "macro_definition" {
            self.all(node, &mut own, &["name", "alias"]);
        }
        self.settle(own);
    }

    /// How many fields a variant or a structure without names has.
    fn fields(&mut self, name: &str, body: Node<'_>) {
        let number = inside(body).iter().filter(|(_, field)| *field == Some("type")).count();
        self.facts.grants.insert((format!("call {name}"), number.to_string()));
    }

    fn variant(&mut self, node: Node<'_>, scope: &mut Scope) {
        let name = self.field_text(node, "name").unwrap_or_default();
        self.facts.members.insert(name.clone());
        let owner = scope.of_type.clone().unwrap_or_default();
        self.facts.once(format!("variant {owner}::{name}"), &name, node);
        if let Some(body) = node.child_by_field_name("body").filter(|body| body.kind().starts_with("ordered")) {
            self.fields(&name, body);
        }
        self.all(node, scope, &["name"]);
    }

    fn member(&mut self, node: Node<'_>, scope: &mut Scope) {
        if let Some(name) = self.field_text(node, "name") {
            if let Some(of_type) = &scope.of_type {
                self.facts.once(format!("member {of_type}.{name}"), &name, node);
            }
            self.facts.members.insert(name);
        }
        self.all(node, scope, &["name"]);
    }

    fn implementation(&mut self, node: Node<'_>, scope: &mut Scope) {
        let head: Vec<String> = ["trait", "type"].iter().filter_map(|field| self.field_text(node, field)).collect();
        let mut own = Scope { place: head.join(" for "), of_type: Some(head.join(" for ")), ..Scope::default() };
        own.locals = scope.locals.clone();
        self.all(node, &mut own, &[]);
        self.settle(own);
    }

    fn function(&mut self, node: Node<'_>, outer: &mut Scope) {
        let name = self.field_text(node, "name").unwrap_or_default();
        let place = outer.of_type.as_ref().map_or_else(|| name.clone(), |of_type| format!("{of_type}::{name}"));
        self.facts.members.insert(name.clone());
        if outer.of_type.is_none() {
            self.facts.declared.insert(name.clone());
        }
        self.facts.once(format!("definition {} {place}", outer.place), &name, node);
        if let Some(list) = node.child_by_field_name("parameters") {
            let number = of_kinds(list, &["parameter", "variadic_parameter"]).len();
            let with_self = number + of_kinds(list, &["self_parameter"]).len();
            self.facts.grants.insert((format!("call {name}"), with_self.to_string()));
            self.facts.grants.insert((format!("method {name}"), number.to_string()));
        }
        let mut scope = Scope { place, of_type: outer.of_type.clone(), locals: outer.locals.clone(), uses: Vec::new() };
        // A function inside of another one sees no members by their names.
        scope.of_type = None;
        self.all(node, &mut scope, &["name"]);
        outer.locals.extend((!outer.place.is_empty()).then(|| name.clone()));
        self.settle(scope);
    }

    fn generic(&mut self, node: Node<'_>, scope: &mut Scope) {
        for (child, _) in inside(node).into_iter().filter(|(child, _)| child.is_named()) {
            let name = match child.kind() {
                "type_identifier" => Some(child),
                _ => child.child_by_field_name("name").or_else(|| child.child_by_field_name("left")),
            };
            scope.locals.extend(name.map(|name| self.source.text(name)));
            self.all(child, scope, &["name", "left"]);
        }
    }

    /// Names that begin with a small letter are bound by a pattern; others are what it compares with.
    fn pattern(&mut self, node: Node<'_>, scope: &mut Scope) {
        match node.kind() {
            "identifier" | "shorthand_field_identifier" => {
                let name = self.source.text(node);
                if name.starts_with(|c: char| c.is_lowercase() || c == '_') {
                    scope.locals.insert(name);
                    if node.kind() == "shorthand_field_identifier" {
                        self.name(Kind::Member, node, scope);
                    }
                } else {
                    self.name(Kind::Name, node, scope);
                }
            }
            "scoped_identifier" | "scoped_type_identifier" => self.path(node, scope),
            "tuple_struct_pattern" => {
                self.tuple_pattern(node);
                for (child, field) in inside(node) {
                    if field == Some("type") { self.node(child, scope) } else { self.pattern(child, scope) }
                }
            }
            "type_identifier" | "field_identifier" | "macro_invocation" => self.node(node, scope),
            "match_pattern" => {
                for (child, field) in inside(node) {
                    if field == Some("condition") { self.node(child, scope) } else { self.pattern(child, scope) }
                }
            }
            _ => inside(node).into_iter().for_each(|(child, _)| self.pattern(child, scope)),
        }
    }

    /// `Some(x, y)` in a pattern agrees with what it takes apart.
    fn tuple_pattern(&mut self, node: Node<'_>) {
        let Some(of_type) = node.child_by_field_name("type") else { return };
        let inner = inside(node).into_iter().filter(|(child, field)| child.is_named() && *field != Some("type"));
        let inner: Vec<&str> = inner.map(|(child, _)| child.kind()).filter(|kind| !kind.ends_with("comment")).collect();
        if inner.contains(&"remaining_field_pattern") {
            return;
        }
        let name = self.last(of_type);
        self.facts.claim(format!("call {name}"), inner.len().to_string(), &name, node);
    }

    /// The last name of a path.
    fn last(&self, node: Node<'_>) -> String {
        node.child_by_field_name("name").map_or_else(|| self.source.text(node), |name| self.source.text(name))
    }

    fn call(&mut self, node: Node<'_>) {
        let (Some(function), Some(list)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return;
        };
        if list.has_error() {
            return;
        }
        let is_one = |node: &Node<'_>| node.is_named() && !node.kind().ends_with("comment");
        let number = inside(list).iter().filter(|(node, _)| is_one(node)).count().to_string();
        match function.kind() {
            "identifier" | "scoped_identifier" => {
                let name = self.last(function);
                self.facts.claim(format!("call {name}"), number, &name, node);
            }
            "field_expression" => {
                if let Some(name) = self.field_text(function, "field") {
                    self.facts.claim(format!("method {name}"), number, &name, node);
                }
            }
            _ => {}
        }
    }

    /// What a macro is given is read token by token.
    fn invocation(&mut self, node: Node<'_>, scope: &mut Scope) {
        if let Some(name) = node.child_by_field_name("macro") {
            self.node(name, scope);
        }
        for tree in of_kinds(node, &["token_tree"]) {
            self.tokens(tree, scope);
        }
    }

    fn tokens(&mut self, tree: Node<'_>, scope: &mut Scope) {
        let mut before = "";
        let all = inside(tree);
        for (number, (child, _)) in all.iter().enumerate() {
            match child.kind() {
                "token_tree" => self.tokens(*child, scope),
                "identifier" => {
                    let named = all.get(number + 1).is_some_and(|(next, _)| ["=", ":", "=>"].contains(&next.kind()));
                    let bound = before == "let" || before == "|" || before == "mut" || before == "for";
                    if bound {
                        scope.locals.insert(self.source.text(*child));
                    } else if !named {
                        let kind = if before == "." || before == "::" { Kind::Member } else { Kind::Name };
                        self.name(kind, *child, scope);
                    }
                }
                _ => {}
            }
            before = child.kind();
        }
    }

    /// The names that a `use` brings in; what they come from is a use of members.
    fn import(&mut self, node: Node<'_>) {
        let mut open: Vec<Node<'_>> = node.child_by_field_name("argument").into_iter().collect();
        while let Some(node) = open.pop() {
            match node.kind() {
                "identifier" | "self" | "type_identifier" => {
                    let mut name = self.source.text(node);
                    // `a::{self}` brings in a.
                    if name == "self" {
                        let list = node.parent().and_then(|list| list.parent());
                        name =
                            list.and_then(|list| list.child_by_field_name("path")).map_or(name, |path| self.last(path));
                    }
                    self.imported(&name, node);
                }
                "scoped_identifier" => {
                    let name = self.last(node);
                    self.origin(node);
                    self.imported(&name, node);
                }
                "use_as_clause" => {
                    let alias = self.field_text(node, "alias").unwrap_or_default();
                    node.child_by_field_name("path").into_iter().for_each(|path| self.origin(path));
                    self.imported(&alias, node);
                }
                "use_wildcard" => self.facts.open = true,
                "scoped_use_list" => open.extend(node.child_by_field_name("list")),
                "use_list" => {
                    let inner = inside(node).into_iter().map(|(node, _)| node).filter(|node| node.is_named());
                    open.extend(inner.filter(|node| !node.kind().ends_with("comment")));
                }
                _ => {}
            }
        }
    }

    fn imported(&mut self, name: &str, node: Node<'_>) {
        self.facts.declared.insert(name.to_owned());
        let (kind, place) = (Kind::Member, "use".to_owned());
        if !["identifier", "type_identifier"].contains(&node.kind()) {
            return;
        }
        self.facts.uses.push(Use { kind, name: self.source.text(node), place, line: line(node) });
    }

    /// What a path of an import ends with has to be there.
    fn origin(&mut self, node: Node<'_>) {
        let (name, place) = (self.last(node), "use".to_owned());
        self.facts.uses.push(Use { kind: Kind::Member, name, place, line: line(node) });
    }
}
