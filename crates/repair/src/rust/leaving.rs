//! How a function can be left early.

use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

use super::functions::{Function, Source};
use super::kinds::{name, plain};
use super::reading::{is_constant, range};

/// Values that are returned early.
const MOST: usize = 2;

/// The statements that leave a function with a default: what it returns elsewhere that is constant, else what its type has nothing in.
pub(crate) fn leaves(source: &Source, function: &Function<'_>) -> Vec<String> {
    let syn::ReturnType::Type(_, ty) = &function.sig.output else { return vec!["return;".into()] };
    let ty = plain(source.text().get(range(&**ty)).unwrap_or_default());
    let mut returned = Returned { source: source.text(), found: Vec::new() };
    returned.visit_block(function.block);
    if let Some(Stmt::Expr(value, None)) = function.block.stmts.last() {
        returned.add(value);
    }
    let mut found = returned.found;
    if let Some(nothing) = nothing(&ty)
        && !found.contains(&nothing)
    {
        found.push(nothing);
    }
    found.into_iter().take(MOST).map(|value| format!("return {value};")).collect()
}

/// The value of a type that says nothing.
fn nothing(ty: &str) -> Option<String> {
    let value = match name(ty) {
        "bool" => "false",
        "f32" | "f64" => "0.0",
        "&str" | "&'static str" => "\"\"",
        "Option" => "None",
        "String" => "String::new()",
        "Vec" => "Vec::new()",
        "Result" if ty.contains("<(),") || ty.ends_with("<()>") => "Ok(())",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "0",
        _ => return None,
    };
    Some(value.into())
}

struct Returned<'a> {
    source: &'a str,
    found: Vec<String>,
}

impl Returned<'_> {
    /// Adds what is the same everywhere.
    fn add(&mut self, value: &Expr) {
        let Some(text) = self.source.get(range(value)).filter(|text| !text.contains('\n')) else { return };
        let constant = match value {
            Expr::Call(of) => matches!(&*of.func, Expr::Path(_)) && of.args.iter().all(is_constant),
            Expr::Path(of) => of.path.is_ident("None") || is_constant(value),
            other => is_constant(other),
        };
        if constant && !self.found.iter().any(|known| known == text) {
            self.found.push(text.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Returned<'_> {
    fn visit_expr_return(&mut self, of: &'ast syn::ExprReturn) {
        of.expr.iter().for_each(|value| self.add(value));
        visit::visit_expr_return(self, of);
    }

    // What a function within it returns is not its own.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
