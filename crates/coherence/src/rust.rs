//! Sources of Rust.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::facts::{Facts, Kind, Part, Source, Use, Whole, inside, line, of_kinds};

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
    /// It is in a module of this file.
    nested: bool,
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
            "use_declaration" => self.import(node, scope.nested),
            "match_expression" => {
                self.choice(node, scope);
                self.all(node, scope, &[]);
            }
            "struct_expression" => {
                self.literal(node, scope);
                self.all(node, scope, &[]);
            }
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
        if let Some((of_type, name)) = self.of_type(node).filter(|(_, name)| name.starts_with(char::is_uppercase)) {
            self.facts.claim(format!("in {of_type}"), name.clone(), &name, node);
        }
        for (child, field) in inside(node) {
            match (child.kind(), field) {
                ("identifier" | "type_identifier", Some("name")) => self.name(Kind::Member, child, scope),
                _ => self.node(child, scope),
            }
        }
    }

    /// `E::V`: the type, and what is taken of it; none of paths through modules.
    fn of_type(&self, node: Node<'_>) -> Option<(String, String)> {
        let of_type = self.last(node.child_by_field_name("path")?);
        let is_type = of_type.starts_with(char::is_uppercase) && of_type != "Self";
        is_type.then_some((of_type, self.field_text(node, "name")?))
    }

    /// A `match` whose arms name the variants of an enumeration, without one for all others.
    fn choice(&mut self, node: Node<'_>, scope: &Scope) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let (mut about, mut has) = (BTreeSet::new(), BTreeSet::new());
        for arm in of_kinds(body, &["match_arm"]) {
            let Some(pattern) = arm.child_by_field_name("pattern") else { return };
            let guarded = pattern.child_by_field_name("condition").is_some();
            let inner =
                inside(pattern).into_iter().find(|(node, field)| node.is_named() && *field != Some("condition"));
            let Some((pattern, _)) = inner else { return };
            for one in alternatives(pattern) {
                let Some(path) = variant_of(one) else { return };
                match self.of_type(path) {
                    Some((of_type, name)) => {
                        about.insert(of_type);
                        has.extend((!guarded).then_some(name));
                    }
                    None => {
                        let name = self.last(path);
                        if !name.starts_with(char::is_uppercase) {
                            return;
                        }
                        has.extend((!guarded).then_some(name));
                    }
                }
            }
        }
        let of = if about.is_empty() { self.facts.globs.clone() } else { about };
        // Names of types are those of enumerations of this program, or there are no such parts.
        let about = of.into_iter().map(|of| format!("variants of {of}")).collect();
        self.facts.wholes.push(Whole { about, has, place: scope.place.clone(), line: line(node) });
    }

    /// `S { a, b: 1 }`: fields that the structure has, and all of them.
    fn literal(&mut self, node: Node<'_>, scope: &Scope) {
        let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
            return;
        };
        let name = self.last(name);
        let mut has = BTreeSet::new();
        let mut rest = false;
        for (child, _) in inside(body).into_iter().filter(|(child, _)| child.is_named()) {
            match child.kind() {
                "field_initializer" => has.extend(self.field_text(child, "field")),
                "shorthand_field_initializer" => {
                    has.extend(of_kinds(child, &["identifier"]).into_iter().map(|name| self.source.text(name)));
                }
                "base_field_initializer" => rest = true,
                _ => {}
            }
        }
        if name == "Self" {
            return;
        }
        for field in &has {
            self.facts.claim(format!("field of {name}"), field.clone(), field, node);
        }
        if !rest {
            let about = vec![format!("fields of {name}")];
            self.facts.wholes.push(Whole { about, has, place: scope.place.clone(), line: line(node) });
        }
    }

    fn part(&mut self, about: String, name: &str, node: Node<'_>) {
        self.facts.parts.push(Part { about, name: name.to_owned(), line: line(node) });
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
            own.nested = node.child_by_field_name("body").is_some();
        } else if !["macro_definition", "extern_crate_declaration"].contains(&node.kind()) {
            let owner = scope.of_type.clone().unwrap_or_default();
            self.facts.once(format!("{} {} {owner} {name}", node.kind(), scope.place), &name, node);
        }
        if node.kind() == "struct_item"
            && let Some(body) = node.child_by_field_name("body").filter(|body| body.kind().starts_with("ordered"))
        {
            self.fields(&name, body);
        }
        if node.kind() == "trait_item" {
            self.trait_items(&name, node);
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
        self.facts.grants.insert((format!("in {owner}"), name.clone()));
        self.part(format!("variants of {owner}"), &name, node);
        let fields = node.child_by_field_name("body").filter(|body| !body.kind().starts_with("ordered"));
        for field in fields.into_iter().flat_map(|body| of_kinds(body, &["field_declaration"])) {
            self.field_of(&name, field);
        }
        if let Some(body) = node.child_by_field_name("body").filter(|body| body.kind().starts_with("ordered")) {
            self.fields(&name, body);
        }
        self.all(node, scope, &["name"]);
    }

    fn member(&mut self, node: Node<'_>, scope: &mut Scope) {
        if let Some(name) = self.field_text(node, "name") {
            let in_variant = node.parent().and_then(|list| list.parent()).is_some_and(|of| of.kind() == "enum_variant");
            if let Some(of_type) = scope.of_type.clone().filter(|_| !in_variant) {
                self.facts.once(format!("member {of_type}.{name}"), &name, node);
                self.field_of(&of_type, node);
            }
            self.facts.members.insert(name);
        }
        self.all(node, scope, &["name"]);
    }

    fn field_of(&mut self, of: &str, field: Node<'_>) {
        let Some(name) = self.field_text(field, "name") else { return };
        self.facts.grants.insert((format!("field of {of}"), name.clone()));
        self.part(format!("fields of {of}"), &name, field);
    }

    fn implementation(&mut self, node: Node<'_>, scope: &mut Scope) {
        let head: Vec<String> = ["trait", "type"].iter().filter_map(|field| self.field_text(node, field)).collect();
        let mut own = Scope { place: head.join(" for "), of_type: Some(head.join(" for ")), ..Scope::default() };
        own.locals = scope.locals.clone();
        let name_of = |field: &str| {
            let node = node.child_by_field_name(field)?;
            let plain = if node.kind() == "generic_type" { node.child_by_field_name("type")? } else { node };
            Some(self.last(plain))
        };
        let (of_trait, of_type) = (name_of("trait"), name_of("type").unwrap_or_default());
        let body = node.child_by_field_name("body");
        let items = body.into_iter().flat_map(|body| of_kinds(body, &["function_item", "const_item", "type_item"]));
        let mut has = BTreeSet::new();
        for item in items {
            let Some(name) = self.field_text(item, "name") else { continue };
            self.facts.grants.insert((format!("in {of_type}"), name.clone()));
            if let Some(of_trait) = &of_trait {
                self.facts.claim(format!("item of {of_trait}"), name.clone(), &name, item);
            }
            has.insert(name);
        }
        if let Some(of_trait) = of_trait {
            let about = vec![format!("items of {of_trait}")];
            self.facts.wholes.push(Whole { about, has, place: own.place.clone(), line: line(node) });
        }
        self.all(node, &mut own, &[]);
        self.settle(own);
    }

    /// What an implementation of a trait has to have, and what it may.
    fn trait_items(&mut self, of_trait: &str, node: Node<'_>) {
        let kinds = ["function_item", "function_signature_item", "const_item", "associated_type"];
        let body = node.child_by_field_name("body");
        for item in body.into_iter().flat_map(|body| of_kinds(body, &kinds)) {
            let Some(name) = self.field_text(item, "name") else { continue };
            self.facts.grants.insert((format!("item of {of_trait}"), name.clone()));
            let given = item.kind() == "function_item" || item.child_by_field_name("value").is_some();
            if !given {
                self.part(format!("items of {of_trait}"), &name, item);
            }
        }
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
        // A function inside of another one sees no members by their names.
        let mut scope = Scope { place, locals: outer.locals.clone(), nested: outer.nested, ..Scope::default() };
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
    fn import(&mut self, node: Node<'_>, nested: bool) {
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
                "use_wildcard" => self.glob(node, nested),
                "scoped_use_list" => open.extend(node.child_by_field_name("list")),
                "use_list" => {
                    let inner = inside(node).into_iter().map(|(node, _)| node).filter(|node| node.is_named());
                    open.extend(inner.filter(|node| !node.kind().ends_with("comment")));
                }
                _ => {}
            }
        }
    }

    /// `use a::*`: the variants of an enumeration, or whatever a module has. What is around a module of this file is in this file.
    fn glob(&mut self, node: Node<'_>, nested: bool) {
        let path = inside(node).into_iter().map(|(node, _)| node).find(|node| node.is_named());
        match path.map(|path| self.last(path)) {
            Some(of) if of.starts_with(char::is_uppercase) => _ = self.facts.globs.insert(of),
            Some(of) if nested && of == "super" => {}
            _ => self.facts.open = true,
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

/// The patterns of an arm, one for each alternative.
fn alternatives(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut out = Vec::new();
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match node.kind() {
            "or_pattern" | "reference_pattern" | "ref_pattern" => {
                open.extend(inside(node).into_iter().map(|(node, _)| node).filter(|node| node.is_named()));
            }
            "mutable_specifier" => {}
            _ => out.push(node),
        }
    }
    out
}

/// The name of the variant that a pattern takes apart; none of other patterns.
fn variant_of(pattern: Node<'_>) -> Option<Node<'_>> {
    match pattern.kind() {
        "identifier" | "scoped_identifier" => Some(pattern),
        "tuple_struct_pattern" | "struct_pattern" => pattern.child_by_field_name("type"),
        _ => None,
    }
}
