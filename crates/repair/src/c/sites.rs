//! Expressions of a function that may be other ones.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use super::ast::Node;
use super::leaving::leaves;
use super::missing::{Changed, others, stands_alone};
use super::scope::{Reading, Surroundings, Variable};
use crate::expression::{Class, Expression};
use crate::language::Language;
use crate::literals::{nearly, text_of};
use crate::near::{FARTHER, NEAR, NOT_NAMED, nearest, neighbours};
use crate::rewrite::semicolon;
use crate::site::{Role, Site};

/// The sites of a function, in the order of the source. `tree` is what [`crate::functions`] gives.
pub fn sites(source: &str, tree: &Value, around: &Surroundings) -> Vec<Site> {
    let function = Node(tree);
    let reading = Reading::of(source, function, around);
    let mut walk = Walk {
        reading: &reading,
        visible: Vec::new(),
        own: HashSet::new(),
        outer: Vec::new(),
        reached: Vec::new(),
        named: HashMap::new(),
        constants: Vec::new(),
        texts: Vec::new(),
        sites: Vec::new(),
        statement: 0..0,
        last: last_return(function).and_then(|last| last.range(source)),
        leaves: leaves(function, source),
        loops: false,
        changed: Changed::of(function, &reading),
        fixed: false,
    };
    walk.gather(function, false);
    function.children().for_each(|child| walk.visit(child));
    walk.add_enumerators();
    let Walk { constants, texts, mut sites, .. } = walk;
    for site in &mut sites {
        // A number is no truth value, unless it is written as one.
        let is_truth =
            |of: &Expression| matches!(of, Expression::Atom { text, .. } if text == "true" || text == "false");
        let takes_truth = site.result == Class::Bool || is_truth(&site.expression);
        site.constants = constants.iter().filter(|of| takes_truth || !is_truth(of)).cloned().collect();
        if text_of(&site.expression).is_none() {
            site.texts.clone_from(&texts);
        }
    }
    sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
    sites.dedup_by(|a, b| a.range == b.range && a.leave == b.leave && a.role.is_done() == b.role.is_done());
    sites
}

/// Expressions that are statements.
const SIMPLE: &[&str] = &["CallExpr", "CXXMemberCallExpr", "BinaryOperator", "CompoundAssignOperator", "UnaryOperator"];
/// Of a list of values with more than so many each could only be tried by itself.
const MOST_ENTRIES: usize = 40;
/// So much closer is a statement to what stands there where that is a block with nothing in it.
const EMPTY: u32 = 4;
/// Of so many variables, the nearest, the enumerators are known.
const MOST_OF_ENUMERATIONS: usize = 20;

/// Whether a lambda can name a variable of the function that it is in.
fn is_captured(lambda: Node<'_>, source: &str, name: &str) -> bool {
    let list = || source.get(lambda.range(source)?)?.strip_prefix('[')?.split_once(']').map(|(list, _)| list);
    let Some(list) = list() else { return false };
    let mut all = list.split(',').map(str::trim);
    all.any(|one| {
        one == "&" || one == "=" || one.trim_start_matches('&').split('=').next().map(str::trim) == Some(name)
    })
}

/// The statement with which a function ends, if it is a `return`.
fn last_return(function: Node<'_>) -> Option<Node<'_>> {
    let body = function.children().find(|child| child.kind() == "CompoundStmt")?;
    body.children().next_back().filter(|last| last.kind() == "ReturnStmt")
}

struct Walk<'a, 'r> {
    reading: &'r Reading<'a>,
    /// Variables that are declared here, the innermost last.
    visible: Vec<Variable<'a>>,
    /// Ids of all that the function declares.
    own: HashSet<&'a str>,
    /// Variables from outside that it names.
    outer: Vec<Variable<'a>>,
    /// Members and elements that it names, and the variables in them.
    reached: Vec<(Expression, HashSet<&'a str>)>,
    /// The lines in which expressions stand, by their texts.
    named: HashMap<String, Vec<u32>>,
    constants: Vec<Expression>,
    texts: Vec<Expression>,
    sites: Vec<Site>,
    statement: Range<u32>,
    /// The `return` with which the function ends: without it the function has no value.
    last: Option<Range<usize>>,
    /// How the function can be left.
    leaves: Vec<String>,
    /// The innermost statement that can be left by itself is a loop.
    loops: bool,
    /// What the function changes.
    changed: Changed<'a>,
    /// Here is the value of a variable that is made before the program runs.
    fixed: bool,
}

impl<'a> Walk<'a, '_> {
    /// What the whole function names. What a macro's text has inside is nothing by itself.
    fn gather(&mut self, node: Node<'a>, inside: bool) {
        match node.kind() {
            "VarDecl" | "ParmVarDecl" => {
                self.own.insert(node.text("id"));
                self.note(node, node.text("name"));
            }
            "DeclRefExpr" => {
                let declared = Node(&node.0["referencedDecl"]);
                self.note(node, declared.text("name"));
                if declared.kind() == "VarDecl"
                    && !self.own.contains(declared.text("id"))
                    && self.outer.iter().all(|known| known.id != declared.text("id"))
                {
                    self.outer.extend(self.reading.variable(declared));
                }
            }
            _ => {}
        }
        if let Some(expression) = self.leaf(node).filter(|_| !inside) {
            self.note(node, &expression.text());
            if matches!(&expression, Expression::Number(_) | Expression::Atom { constant: true, .. }) {
                let list = if expression.class().is_pointer() { &mut self.texts } else { &mut self.constants };
                if !list.contains(&expression) {
                    list.push(expression);
                }
            } else {
                self.reach(node, expression);
            }
        }
        if node.is(&["MemberExpr", "ArraySubscriptExpr"]) && !inside {
            for member in self.reading.members_of(node) {
                let line = node.range(self.reading.source).map(|range| self.line(range.start) + FARTHER);
                self.named.entry(member.text()).or_default().extend(line);
                self.reach(node, member);
            }
        }
        let inside = inside || node.is_expansion();
        let written = node.children().enumerate().filter(|(number, _)| node.is_written(*number));
        written.for_each(|(_, child)| self.gather(child, inside));
    }

    fn reach(&mut self, node: Node<'a>, expression: Expression) {
        if self.reached.iter().all(|(known, _)| *known != expression) {
            let mut ids = HashSet::new();
            Reading::names(node, &mut ids);
            self.reached.push((expression, ids));
        }
    }

    fn note(&mut self, node: Node<'a>, text: &str) {
        if let Some(range) = node.range(self.reading.source) {
            let line = self.line(range.start);
            self.named.entry(text.to_string()).or_default().push(line);
        }
    }

    /// Enumerators of which the function names others.
    fn add_enumerators(&mut self) {
        for (_, list) in &self.reading.around.enumerations {
            let all = self.enumerators(list);
            if self.constants.iter().any(|known| all.contains(known)) {
                let others: Vec<Expression> = all.into_iter().filter(|one| !self.constants.contains(one)).collect();
                self.constants.extend(others);
            }
        }
    }

    /// Enumerators as the function names one of them.
    fn enumerators(&self, list: &[String]) -> Vec<Expression> {
        let named = self.constants.iter().map(Expression::text);
        let mut scopes = named.filter_map(|text| {
            let name = text.rsplit("::").next().unwrap_or(&text);
            list.iter().any(|known| known == name).then(|| text[..text.len() - name.len()].to_string())
        });
        let scope = scopes.next().unwrap_or_default();
        let atom = |name: &String| Expression::Atom {
            text: format!("{scope}{name}"),
            class: Class::Int,
            pure: true,
            constant: true,
        };
        list.iter().map(atom).collect()
    }

    /// A constant, or what is reached by a step.
    fn leaf(&self, node: Node<'a>) -> Option<Expression> {
        let is_leaf = node.is(&["IntegerLiteral", "CharacterLiteral", "FloatingLiteral"])
            || node.kind() == "ImplicitCastExpr" && node.bare().kind() == "StringLiteral"
            || node.is(&["MemberExpr", "ArraySubscriptExpr"])
            || node.kind() == "UnaryOperator" && node.text("opcode") == "*"
            || node.is_expansion()
            || node.kind() == "DeclRefExpr" && node.0["referencedDecl"]["kind"] == "EnumConstantDecl"
            || node.is(&["CallExpr", "CXXMemberCallExpr"]);
        is_leaf.then(|| self.reading.expression(node)).flatten().filter(Expression::is_pure)
    }

    fn visit(&mut self, node: Node<'a>) {
        if node.kind() == "LambdaExpr" {
            let all = self.visible.clone();
            self.visible.retain(|variable| is_captured(node, self.reading.source, &variable.atom.text()));
            self.visit_parts(node);
            self.visible = all;
        } else {
            self.visit_parts(node);
        }
    }

    fn visit_parts(&mut self, node: Node<'a>) {
        let depth = self.visible.len();
        match node.kind() {
            "IfStmt" | "WhileStmt" if !node.flag("hasVar") => {
                self.condition(node.child(usize::from(node.flag("hasInit"))));
            }
            "DoStmt" => self.condition(node.child(1)),
            "ConditionalOperator" => self.condition(node.child(0)),
            "SwitchStmt" => self.site(node.child(0), Role::Choice),
            "BinaryOperator" if node.text("opcode") == "=" => self.assigned(node),
            "CompoundAssignOperator" if ["|=", "&=", "^=", "-=", "/=", "%="].contains(&node.text("opcode")) => {
                self.assigned(node)
            }
            "CompoundAssignOperator" => self.site(node.child(1), Role::Assigned),
            "ReturnStmt" => self.site(node.child(0), Role::Returned),
            "ArraySubscriptExpr" => self.site(node.child(1), Role::Index),
            "CallExpr" | "CXXMemberCallExpr" | "CXXOperatorCallExpr" => {
                node.children().skip(1).for_each(|argument| self.site(Some(argument), Role::Argument));
            }
            "CXXConstructExpr" | "CXXTemporaryObjectExpr" => {
                node.children().for_each(|argument| self.site(Some(argument), Role::Argument));
            }
            "InitListExpr" if !self.fixed && node.children().count() <= MOST_ENTRIES => {
                node.children().for_each(|entry| self.site(Some(entry), Role::Assigned));
            }
            "VarDecl" if node.text("init") == "c" && node.text("storageClass") != "static" && !node.is_of_range() => {
                self.site(node.children().next_back(), Role::Assigned);
            }
            _ => {}
        }
        let fixed = self.fixed;
        self.fixed |= node.kind() == "VarDecl" && (node.text("storageClass") == "static" || node.flag("constexpr"));
        for (number, child) in node.children().enumerate().filter(|(number, _)| node.is_written(*number)) {
            // The condition sees what the loop declares.
            if node.kind() == "ForStmt" && number == 2 {
                self.condition(Some(child));
            }
            if node.kind() == "CompoundStmt" {
                self.statement(child);
                self.leaving(child);
                self.missing(node, number);
            }
            if stands_alone(node, number)
                && let Some((range, list)) = others(child, self.reading)
            {
                self.done(range, Role::Replaced, list);
            }
            let (before, loops) = (self.statement.clone(), self.loops);
            match node.kind() {
                "ForStmt" | "WhileStmt" | "DoStmt" => self.loops = true,
                "SwitchStmt" | "LambdaExpr" => self.loops = false,
                _ => {}
            }
            // What stands in a statement is one, or its head.
            if node.kind().ends_with("Stmt")
                && let Some(lines) = self.lines(child)
            {
                self.statement = lines;
            }
            self.visit(child);
            (self.statement, self.loops) = (before, loops);
        }
        self.fixed = fixed;
        if node.kind() == "CompoundStmt" {
            self.missing(node, node.children().count());
        }
        if node.is(&["VarDecl", "ParmVarDecl"]) {
            self.visible.extend(self.reading.variable(node));
        }
        if node.is(&["CompoundStmt", "ForStmt", "IfStmt", "WhileStmt", "DoStmt", "SwitchStmt", "LambdaExpr"]) {
            self.visible.truncate(depth);
        }
    }

    /// What may be missing in a block before one of its statements, or at its end.
    fn missing(&mut self, block: Node<'a>, number: usize) {
        let source = self.reading.source;
        if block.children().any(|child| child.is(&["CaseStmt", "DefaultStmt"])) || block.is_expansion() {
            return;
        }
        let Some(whole) = block.range(source) else { return };
        let (at, from) = match number.checked_sub(1).and_then(|before| block.child(before)) {
            // It begins in a macro's text.
            None if block.called_at("begin").is_some() => return,
            None => (whole.start + 1, whole.start),
            Some(before) if before.is(&["ReturnStmt", "BreakStmt", "ContinueStmt", "GotoStmt", "LabelStmt"]) => return,
            Some(before) => {
                let Some(range) = before.range(source) else { return };
                let end = semicolon(source, range.end).unwrap_or(range.end);
                (end, if before.is(SIMPLE) || before.kind() == "DeclStmt" { range.start } else { end })
            }
        };
        // Declarations stay the first.
        let next = block.child(number);
        if next.is_some_and(|next| next.kind() == "DeclStmt") {
            return;
        }
        let to = next.map_or(Some(whole.end), |next| Some(next.range(source)?.start));
        let Some(to) = to.filter(|to| *to >= from) else { return };
        let valued: Vec<&Variable<'a>> =
            self.visible.iter().rev().filter(|of| self.reading.has_value(of.id, at)).collect();
        let mut list = self.changed.missing(&valued, &self.visible, at);
        // A block with nothing in it is hardly meant.
        if block.child(0).is_none() {
            list.iter_mut().for_each(|(cost, _)| *cost = cost.saturating_sub(EMPTY));
        }
        let before = self.sites.len();
        self.done(at..at, Role::Added, list);
        let lines = self.line(from)..self.line(to) + 1;
        if let Some(site) = self.sites.get_mut(before) {
            site.lines = lines;
        }
    }

    /// Adds a place at which something is done.
    fn done(&mut self, range: Range<usize>, role: Role, list: Vec<(u32, String)>) {
        let text = &self.reading.source[range.clone()];
        if list.is_empty() {
            return;
        }
        self.push(range, role, Expression::statement(text), (String::new(), Class::Record(0)));
        if let Some(site) = self.sites.last_mut() {
            (site.statements, site.variables, site.enumerators, site.bases) =
                (list, Vec::new(), Vec::new(), Vec::new());
        }
    }

    fn lines(&self, node: Node<'a>) -> Option<Range<u32>> {
        let range = node.range(self.reading.source)?;
        // Of what has a body the head counts.
        let end = match node.kind() {
            "CompoundStmt" => return None,
            "IfStmt" | "ForStmt" | "WhileStmt" | "SwitchStmt" => {
                let body = if node.kind() == "ForStmt" { 4 } else { 1 + usize::from(node.flag("hasInit")) };
                let head = node.children().take(body).filter_map(|part| part.range(self.reading.source));
                head.map(|part| part.end).max().unwrap_or(range.start)
            }
            "DoStmt" => range.start,
            _ => range.end,
        };
        Some(self.line(range.start)..self.line(end.max(range.start)) + 1)
    }

    fn line(&self, at: usize) -> u32 {
        self.reading.source.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
    }

    /// A statement of a block that may be done only where something holds.
    fn statement(&mut self, node: Node<'a>) {
        if !node.is(SIMPLE) && !node.is(&["ReturnStmt", "BreakStmt", "ContinueStmt"]) {
            return;
        }
        let source = self.reading.source;
        let Some(range) = node.range(source).filter(|range| Some(range) != self.last.as_ref()) else { return };
        if let Some(end) = semicolon(source, range.end) {
            self.push(range.start..end, Role::Guarded, Expression::Number(1), ("int".into(), Class::Bool));
        }
    }

    /// A statement of a block before which something may have to be left.
    fn leaving(&mut self, node: Node<'a>) {
        if !node.is(SIMPLE) && !node.is(&["IfStmt", "ForStmt", "WhileStmt", "DoStmt"]) || node.is_expansion() {
            return;
        }
        let source = self.reading.source;
        let Some(range) = node.range(source) else { return };
        let range = range.start..semicolon(source, range.end).unwrap_or(range.end);
        let mut leaves = self.leaves.clone();
        if self.loops {
            leaves.extend(["continue;", "break;"].map(String::from));
        }
        for leave in leaves {
            self.push(range.clone(), Role::Left, Expression::Number(0), ("int".into(), Class::Bool));
            if let Some(site) = self.sites.last_mut() {
                site.leave = leave;
            }
        }
    }

    fn condition(&mut self, node: Option<Node<'a>>) {
        let Some(node) = node.filter(|node| self.reading.class_of(node.type_name()).is_some()) else { return };
        self.add(node, Role::Condition, "int".into());
    }

    fn assigned(&mut self, node: Node<'a>) {
        let before = self.sites.len();
        self.site(node.child(1), Role::Assigned);
        let target = node.child(0).and_then(|target| target.range(self.reading.source));
        if let Some(site) = self.sites.get_mut(before) {
            site.target = target.map(|target| self.reading.source[target].to_string());
        }
    }

    fn site(&mut self, node: Option<Node<'a>>, role: Role) {
        let Some(mut node) = node else { return };
        // A value of its own that a reference is bound to.
        if node.kind() == "MaterializeTemporaryExpr"
            && let Some(value) = node.child(0)
        {
            node = value;
        }
        // What a reference is bound to otherwise stays.
        if node.text("valueCategory") == "prvalue" {
            // A name that a class has for a number (`size_type`) is none where it is used.
            let plain = node.type_name().trim_start_matches("const ");
            let is_number = Class::of(plain).is_some_and(|class| !class.is_pointer()) && !plain.contains("enum ");
            let written = if is_number { plain } else { node.written_type() };
            // clang has names of its own for what compilers call otherwise.
            let ty = match written.trim_start_matches("const ") {
                "__size_t" => "__SIZE_TYPE__",
                "__ptrdiff_t" => "__PTRDIFF_TYPE__",
                other => other,
            };
            self.add(node, role, ty.to_string());
        }
    }

    fn add(&mut self, node: Node<'a>, role: Role, ty: String) {
        let Some(range) = node.range(self.reading.source) else { return };
        let Some(expression) = self.reading.expression(node) else { return };
        let result = if role == Role::Condition { Some(Class::Bool) } else { self.reading.class_of(node.type_name()) };
        let Some(result) = result else { return };
        // Of a string only one that is nearly the same can be meant.
        let nearly = nearly(&expression, &self.reading.around.texts);
        if !nearly.is_empty() {
            self.push(range, role, expression, (ty, result));
            if let Some(site) = self.sites.last_mut() {
                (site.texts, site.variables, site.bases) = (nearly, Vec::new(), Vec::new());
            }
            return;
        }
        // What is given is no string otherwise, and no block of memory.
        if matches!(&expression, Expression::Atom { constant: true, class: Class::Pointer(_), .. }) {
            return;
        }
        if node.bare().kind() == "DeclRefExpr" && self.reading.class_of(node.bare().type_name()).is_none() {
            return;
        }
        self.push(range, role, expression, (ty, result));
    }

    fn push(&mut self, range: Range<usize>, role: Role, expression: Expression, (ty, result): (String, Class)) {
        let valued = |variable: &&Variable<'a>| self.reading.has_value(variable.id, range.start);
        let locals: Vec<&Variable<'a>> = self.visible.iter().rev().filter(valued).collect();
        let known: HashSet<&str> = locals.iter().map(|local| local.id).collect();
        let line = self.line(range.start);
        let (mut variables, mut bases) = (Vec::new(), Vec::new());
        for variable in locals.into_iter().chain(&self.outer) {
            let list = if variable.is_value { &mut variables } else { &mut bases };
            list.push((self.lines_to(&variable.atom, line), variable.atom.clone()));
            let far = self.lines_to(&variable.atom, line) + FARTHER;
            variables.extend(variable.members.iter().map(|member| (far, member.clone())));
        }
        let reached =
            self.reached.iter().filter(|(_, ids)| ids.iter().all(|id| known.contains(id) || !self.own.contains(id)));
        for (expression, _) in reached {
            let far = self.lines_to(expression, line);
            variables.push((far, expression.clone()));
            let neighbours = if far <= NEAR { neighbours(expression) } else { Vec::new() };
            variables.extend(neighbours.into_iter().map(|other| (far + NEAR, other)));
        }
        let (variables, bases) = (nearest(variables), nearest(bases));
        let enumerators = |of: &Expression| Some((of.clone(), self.enumerators(self.reading.enumerators(of)?)));
        let enumerators = variables.iter().take(MOST_OF_ENUMERATIONS).filter_map(enumerators).collect();
        let lines = if self.statement.contains(&line) { self.statement.clone() } else { line..line + 1 };
        let (constants, texts) = (Vec::new(), Vec::new());
        self.sites.push(Site {
            language: Language::C,
            way: String::new(),
            range,
            line,
            lines,
            role,
            target: None,
            leave: String::new(),
            expression,
            ty,
            result,
            variables,
            enumerators,
            bases,
            constants,
            texts,
            statements: Vec::new(),
        });
    }

    /// How many lines lie between a line and the nearest one that has an expression.
    fn lines_to(&self, expression: &Expression, line: u32) -> u32 {
        let lines = self.named.get(&expression.text()).into_iter().flatten();
        lines.map(|at| at.abs_diff(line)).min().unwrap_or(NOT_NAMED)
    }
}
