//! The functions of a source file: how long each is, and whether it is a dispatch table.

use std::path::Path;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The lines of an arm in a dispatch table, and of all that stands around its `match`.
const ARM: usize = 15;

/// A function with a body.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The line of its signature.
    pub line: usize,
    /// Lines from the signature to the closing brace; attributes and doc comments are not counted.
    pub lines: usize,
    /// Its body is one `match` with short arms.
    pub dispatches: bool,
}

/// The functions of a file, those in `impl` blocks, traits and other functions among them.
pub fn functions(path: &Path, file: &syn::File) -> Vec<Function> {
    let mut found = Found { functions: Vec::new() };
    found.visit_file(file);
    assert!(found.functions.iter().all(|function| function.line > 0), "{}: there are no positions", path.display());
    found.functions
}

struct Found {
    functions: Vec<Function>,
}

impl Found {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let (start, end) = (signature.span().start().line, body.span().end().line);
        self.functions.push(Function {
            name: signature.ident.to_string(),
            line: start,
            lines: end - start + 1,
            dispatches: dispatches(end - start + 1, body),
        });
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Whether a function of so many lines is essentially one `match`, or a loop around one: the lines outside of it are as few as
/// those of an arm, and no arm is longer than that.
fn dispatches(lines: usize, body: &syn::Block) -> bool {
    let Some(table) = longest_match(body) else { return false };
    lines - lines_of(table) <= ARM && table.arms.iter().all(|arm| lines_of(arm) <= ARM)
}

fn lines_of(node: &impl Spanned) -> usize {
    node.span().end().line - node.span().start().line + 1
}

/// The longest `match` among a block's statements, or those of the loops and blocks among them.
fn longest_match(block: &syn::Block) -> Option<&syn::ExprMatch> {
    block.stmts.iter().filter_map(of_statement).max_by_key(|table| lines_of(*table))
}

fn of_statement(statement: &syn::Stmt) -> Option<&syn::ExprMatch> {
    match statement {
        syn::Stmt::Expr(expression, _) => of_expression(expression),
        syn::Stmt::Local(local) => local.init.as_ref().and_then(|init| of_expression(&init.expr)),
        _ => None,
    }
}

fn of_expression(expression: &syn::Expr) -> Option<&syn::ExprMatch> {
    match expression {
        syn::Expr::Match(table) => Some(table),
        syn::Expr::Loop(around) => longest_match(&around.body),
        syn::Expr::While(around) => longest_match(&around.body),
        syn::Expr::ForLoop(around) => longest_match(&around.body),
        syn::Expr::Block(around) => longest_match(&around.block),
        syn::Expr::Unsafe(around) => longest_match(&around.block),
        syn::Expr::Return(leaving) => of_expression(leaving.expr.as_ref()?),
        syn::Expr::Assign(assignment) => of_expression(&assignment.right),
        syn::Expr::Try(inner) => of_expression(&inner.expr),
        // `Some(match …)`, `Ok(match …)`.
        syn::Expr::Call(call) if call.args.len() == 1 => of_expression(call.args.first()?),
        _ => None,
    }
}
