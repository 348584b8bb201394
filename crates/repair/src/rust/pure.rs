//! What can be left out and done twice.

use syn::Expr;

use super::declared::Declared;

/// Methods of the standard library that only look.
const METHODS: &[&str] = &[
    "abs",
    "abs_diff",
    "all",
    "and",
    "and_then",
    "any",
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "bytes",
    "ceil",
    "char_indices",
    "chars",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_sub",
    "chunks",
    "clamp",
    "cloned",
    "cmp",
    "concat",
    "contains",
    "contains_key",
    "copied",
    "count",
    "count_ones",
    "count_zeros",
    "ends_with",
    "enumerate",
    "eq",
    "eq_ignore_ascii_case",
    "exp",
    "filter",
    "filter_map",
    "find",
    "first",
    "flat_map",
    "flatten",
    "floor",
    "fold",
    "get",
    "hypot",
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii",
    "is_ascii_alphabetic",
    "is_ascii_alphanumeric",
    "is_ascii_digit",
    "is_ascii_hexdigit",
    "is_ascii_lowercase",
    "is_ascii_punctuation",
    "is_ascii_uppercase",
    "is_ascii_whitespace",
    "is_char_boundary",
    "is_control",
    "is_digit",
    "is_empty",
    "is_err",
    "is_lowercase",
    "is_nan",
    "is_negative",
    "is_none",
    "is_numeric",
    "is_ok",
    "is_positive",
    "is_some",
    "is_some_and",
    "is_none_or",
    "is_uppercase",
    "is_whitespace",
    "iter",
    "join",
    "last",
    "leading_zeros",
    "len",
    "len_utf8",
    "lines",
    "ln",
    "map",
    "map_or",
    "matches",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "ne",
    "nth",
    "ok",
    "partial_cmp",
    "peek",
    "position",
    "pow",
    "powf",
    "powi",
    "product",
    "rem_euclid",
    "repeat",
    "rev",
    "rfind",
    "round",
    "rposition",
    "rsplit",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "skip",
    "skip_while",
    "split",
    "split_at",
    "split_once",
    "split_whitespace",
    "sqrt",
    "starts_with",
    "step_by",
    "strip_prefix",
    "strip_suffix",
    "sum",
    "take_while",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_digit",
    "to_lowercase",
    "to_owned",
    "to_string",
    "to_uppercase",
    "total_cmp",
    "trailing_zeros",
    "trim",
    "trim_end",
    "trim_end_matches",
    "trim_matches",
    "trim_start",
    "trim_start_matches",
    "trunc",
    "unwrap_or",
    "windows",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
    "zip",
];
/// Functions of the standard library, by the last two parts of their names.
const FUNCTIONS: &[&str] = &[
    "cmp::max",
    "cmp::min",
    "String::new",
    "String::from",
    "Vec::new",
    "char::from",
    "char::from_digit",
    "char::from_u32",
    "i64::from",
    "u32::from",
    "u64::from",
    "i32::from",
    "usize::from",
    "f64::from",
];
/// Macros of it.
const MACROS: &[&str] = &["format", "matches", "vec", "concat", "stringify", "line", "column", "file"];

/// Whether an expression has no effects, as far as its own text and what is known of functions say.
pub(crate) fn is_pure(expression: &Expr, around: &Declared) -> bool {
    let pure = |part: &Expr| is_pure(part, around);
    let block = |block: &syn::Block| {
        block.stmts.iter().all(|statement| match statement {
            syn::Stmt::Expr(one, _) => pure(one),
            syn::Stmt::Local(local) => {
                local.init.as_ref().is_none_or(|init| pure(&init.expr) && init.diverge.is_none())
            }
            _ => false,
        })
    };
    match expression {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Binary(of) => !is_assignment(&of.op) && pure(&of.left) && pure(&of.right),
        Expr::Unary(of) => pure(&of.expr),
        Expr::Paren(of) => pure(&of.expr),
        Expr::Group(of) => pure(&of.expr),
        Expr::Cast(of) => pure(&of.expr),
        Expr::Field(of) => pure(&of.base),
        Expr::Index(of) => pure(&of.expr) && pure(&of.index),
        Expr::Reference(of) => of.mutability.is_none() && pure(&of.expr),
        Expr::Range(of) => of.start.iter().chain(&of.end).all(|part| pure(part)),
        Expr::Tuple(of) => of.elems.iter().all(pure),
        Expr::Array(of) => of.elems.iter().all(pure),
        Expr::Repeat(of) => pure(&of.expr),
        Expr::Struct(of) => of.fields.iter().all(|field| pure(&field.expr)) && of.rest.iter().all(|rest| pure(rest)),
        Expr::Closure(of) => pure(&of.body),
        Expr::Let(of) => pure(&of.expr),
        Expr::Block(of) => block(&of.block),
        Expr::If(of) => {
            pure(&of.cond) && block(&of.then_branch) && of.else_branch.as_ref().is_none_or(|(_, other)| pure(other))
        }
        Expr::Match(of) => pure(&of.expr) && of.arms.iter().all(|arm| pure(&arm.body)),
        Expr::Macro(of) => of.mac.path.segments.last().is_some_and(|last| MACROS.iter().any(|name| last.ident == name)),
        Expr::MethodCall(of) => {
            let name = of.method.to_string();
            let known = METHODS.contains(&name.as_str()) || around.pure.contains(&name);
            known && pure(&of.receiver) && of.args.iter().all(pure)
        }
        Expr::Call(of) => {
            let Expr::Path(path) = &*of.func else { return false };
            let names: Vec<String> = path.path.segments.iter().map(|part| part.ident.to_string()).collect();
            let Some(last) = names.last() else { return false };
            // What begins like a type makes a value of it.
            let makes = last.starts_with(char::is_uppercase);
            let known =
                makes || around.pure.contains(last) || FUNCTIONS.iter().any(|name| names.join("::").ends_with(name));
            known && of.args.iter().all(pure)
        }
        _ => false,
    }
}

/// Whether a method of the standard library only looks.
pub(crate) fn is_looking(method: &str) -> bool {
    METHODS.contains(&method)
}

/// Whether an operator assigns.
pub(crate) fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign, ShrAssign,
        SubAssign,
    };
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
