//! The calls of functions of Rust.

use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Pat, Stmt};

use super::functions::{Function, Source};
use super::leaving::leaves;
use super::reading::range;
use crate::calls::{Call, FunctionCalls, Operand, Variable, line};

/// The calls of the functions of a source.
pub fn calls(source: &Source) -> Vec<FunctionCalls> {
    source.functions().iter().map(|function| of(source, function)).collect()
}

fn of(source: &Source, function: &Function<'_>) -> FunctionCalls {
    let text = source.text();
    let mut reader = Reader { text, statement: 0..0, whole: false, calls: Vec::new(), variables: Vec::new() };
    reader.visit_block(function.block);
    let parameter = |argument: &FnArg| match argument {
        FnArg::Typed(typed) => {
            Some(Variable { name: name(&typed.pat)?, ty: text[range(&*typed.ty)].to_owned(), from: 0 })
        }
        FnArg::Receiver(_) => None,
    };
    let whole = range(function.block);
    FunctionCalls {
        name: function.sig.ident.to_string(),
        lines: line(text, range(function.sig).start)..line(text, whole.end) + 1,
        begin: whole.start + 1,
        first: function.block.stmts.first().map(range),
        parameters: function.sig.inputs.iter().filter_map(parameter).collect(),
        variables: reader.variables,
        leaves: leaves(source, function),
        calls: reader.calls,
    }
}

/// The name that a pattern gives to all of a value.
fn name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(ident) => Some(ident.ident.to_string()),
        Pat::Type(typed) => name(&typed.pat),
        _ => None,
    }
}

struct Reader<'a> {
    text: &'a str,
    statement: Range<usize>,
    /// The next expression is all of the statement.
    whole: bool,
    calls: Vec<Call>,
    variables: Vec<Variable>,
}

impl Reader<'_> {
    fn add(&mut self, name: String, at: usize, receiver: Option<&Expr>, arguments: Vec<&Expr>, whole: bool) {
        let text = |of: &Expr| self.text[range(of)].to_owned();
        let receiver = receiver.map(|of| Operand { text: text(of), pointer: false });
        self.calls.push(Call {
            name,
            line: line(self.text, at),
            receiver: receiver.filter(|of| of.text != "self"),
            arguments: arguments.into_iter().map(text).collect(),
            statement: self.statement.clone(),
            whole,
        });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_stmt(&mut self, of: &'ast Stmt) {
        let around = std::mem::replace(&mut self.statement, range(of));
        self.whole = matches!(of, Stmt::Expr(Expr::MethodCall(_) | Expr::Call(_), Some(_)));
        if let Stmt::Local(local) = of
            && let Some(name) = name(&local.pat)
        {
            let ty = match (&local.pat, &local.init) {
                (Pat::Type(typed), _) => self.text[range(&*typed.ty)].to_owned(),
                (_, Some(init)) => made(&init.expr).unwrap_or_default(),
                _ => String::new(),
            };
            self.variables.push(Variable { name, ty, from: self.statement.end });
        }
        visit::visit_stmt(self, of);
        self.statement = around;
    }

    fn visit_expr_method_call(&mut self, of: &'ast syn::ExprMethodCall) {
        let whole = std::mem::take(&mut self.whole);
        // A chain may begin on a line of its own.
        let at = range(&of.method).start;
        self.add(of.method.to_string(), at, Some(&of.receiver), of.args.iter().collect(), whole);
        visit::visit_expr_method_call(self, of);
    }

    fn visit_expr_call(&mut self, of: &'ast syn::ExprCall) {
        let whole = std::mem::take(&mut self.whole);
        if let Expr::Path(path) = &*of.func
            && let Some(last) = path.path.segments.last()
        {
            self.add(last.ident.to_string(), range(of).start, None, of.args.iter().collect(), whole);
        }
        visit::visit_expr_call(self, of);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The type of what `Type::function(…)` gives, as far as its name tells.
fn made(of: &Expr) -> Option<String> {
    let Expr::Call(call) = of else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let segments: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
    let (_, scopes) = segments.split_last()?;
    Some(scopes.last()?.clone())
}
