//! The calls of a function of C or C++.

use std::ops::Range;

use serde_json::Value;

use super::ast::Node;
use super::leaving::leaves;
use crate::calls::{Call, FunctionCalls, Operand, Variable, line};
use crate::rewrite::semicolon;

/// The calls of a function, of which `tree` is what [`crate::functions`] gives; `None` where its body stands elsewhere.
pub fn calls(source: &str, tree: &Value) -> Option<FunctionCalls> {
    let function = Node(tree);
    let body = function.children().find(|child| child.kind() == "CompoundStmt")?;
    let range = body.range(source)?;
    let parameters = function.children().filter(|child| child.kind() == "ParmVarDecl");
    let mut reader = Reader { source, calls: Vec::new(), variables: Vec::new() };
    reader.block(body);
    let first = body.children().find_map(|child| statement(source, child));
    Some(FunctionCalls {
        name: function.text("name").to_owned(),
        lines: line(source, range.start)..line(source, range.end) + 1,
        begin: range.start + 1,
        first,
        parameters: parameters.map(|node| variable(node, 0)).collect(),
        variables: reader.variables,
        leaves: defaults(function, source),
        calls: reader.calls,
    })
}

/// How the function is left with a default.
fn defaults(function: Node<'_>, source: &str) -> Vec<String> {
    let mut found = leaves(function, source);
    let Some((result, _)) = function.type_name().split_once('(') else { return found };
    let more: &[&str] = match result.trim() {
        "void" => &[],
        "bool" | "_Bool" => &["return false;", "return true;"],
        pointer if pointer.ends_with('*') => &["return 0;"],
        reference if reference.ends_with('&') => &[],
        "int" | "long" | "short" | "long long" => &["return 0;", "return -1;"],
        _ if function.kind() == "CXXMethodDecl" => &["return {};"],
        _ => &["return 0;"],
    };
    found.extend(
        more.iter()
            .filter(|leave| !found.iter().any(|known| known == *leave))
            .map(|it| (*it).to_owned())
            .collect::<Vec<_>>(),
    );
    found
}

fn variable(node: Node<'_>, from: usize) -> Variable {
    Variable { name: node.text("name").to_owned(), ty: node.written_type().to_owned(), from }
}

/// The bytes of a statement of a block, with its semicolon.
fn statement(source: &str, node: Node<'_>) -> Option<Range<usize>> {
    let range = node.range(source)?;
    let text = &source[range.clone()];
    let end = if text.ends_with(['}', ';']) { None } else { semicolon(source, range.end) };
    Some(range.start..end.unwrap_or(range.end))
}

struct Reader<'a> {
    source: &'a str,
    calls: Vec<Call>,
    variables: Vec<Variable>,
}

impl<'a> Reader<'a> {
    fn block(&mut self, node: Node<'a>) {
        for child in node.children() {
            if let Some(range) = statement(self.source, child) {
                self.inside(child, &range, true);
            }
        }
    }

    fn inside(&mut self, node: Node<'a>, statement: &Range<usize>, whole: bool) {
        match node.kind() {
            "CompoundStmt" => return self.block(node),
            "LambdaExpr" => return,
            "VarDecl" => self.variables.push(variable(node, statement.end)),
            "CallExpr" | "CXXMemberCallExpr" => self.calls.extend(self.call(node, statement, whole)),
            _ => {}
        }
        let around = matches!(node.kind(), "ExprWithCleanups" | "ParenExpr" | "ImplicitCastExpr" | "FullExpr");
        node.children().for_each(|child| self.inside(child, statement, whole && around));
    }

    fn call(&self, node: Node<'a>, statement: &Range<usize>, whole: bool) -> Option<Call> {
        let range = node.range(self.source)?;
        let callee = node.child(0)?.bare();
        let text = |node: Node<'a>| Some(self.source.get(node.range(self.source)?)?.to_owned());
        let (name, receiver) = match callee.kind() {
            "MemberExpr" => {
                let object = callee.child(0).filter(|object| object.bare().kind() != "CXXThisExpr");
                let pointer = callee.flag("isArrow");
                let receiver = object.and_then(text).map(|text| Operand { text, pointer });
                (callee.text("name"), receiver)
            }
            "DeclRefExpr" => (callee.0["referencedDecl"]["name"].as_str().unwrap_or_default(), None),
            _ => return None,
        };
        Some(Call {
            name: name.trim_start_matches("->").to_owned(),
            line: line(self.source, range.start),
            receiver,
            arguments: node.children().skip(1).filter_map(text).collect(),
            statement: statement.clone(),
            whole,
        })
    }
}
