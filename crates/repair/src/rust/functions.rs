//! The functions of a source that may be mended.

use std::ops::Range;
use std::rc::Rc;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A source of Rust.
pub struct Source {
    text: Rc<str>,
    file: syn::File,
}

/// A function with a body.
#[derive(Clone)]
pub(crate) struct Function<'a> {
    pub sig: &'a syn::Signature,
    pub block: &'a syn::Block,
    /// The type whose method it is.
    pub of: Option<&'a syn::Type>,
    /// How the module that it is in names that of the file.
    pub way: String,
}

impl Source {
    /// Reads a source; what is wrong with it where it is none.
    pub fn parse(text: Rc<str>) -> Result<Self, String> {
        // What comes before the first token counts for the places of others.
        let head = if text.starts_with('\u{feff}') || text.starts_with("#!/") { 1 } else { 0 };
        if head > 0 {
            return Err("it begins with a mark of its encoding, or as a script".into());
        }
        let file = syn::parse_file(&text).map_err(|error| {
            let at = error.span().start();
            format!("line {}: {error}", at.line)
        })?;
        Ok(Self { text, file })
    }

    /// It.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn file(&self) -> &syn::File {
        &self.file
    }

    /// The line of a byte, from 1.
    pub(crate) fn line(&self, at: usize) -> u32 {
        self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
    }

    /// Its functions, apart from tests and what is evaluated by the compiler; the inner ones behind those that they are in.
    pub(crate) fn functions(&self) -> Vec<Function<'_>> {
        let mut finding = Finding { found: Vec::new(), of: None, depth: 0 };
        finding.visit_file(&self.file);
        finding.found
    }

    /// The innermost function that has a line.
    pub(crate) fn function_at(&self, line: u32) -> Option<Function<'_>> {
        let has = |function: &Function<'_>| {
            let range = function.sig.span().byte_range().start..function.block.span().byte_range().end;
            (self.line(range.start)..=self.line(range.end)).contains(&line)
        };
        self.functions().into_iter().rfind(has)
    }
}

/// Whether an item is there for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let named = |name: &str| path.segments.last().is_some_and(|last| last.ident == name);
        let configured = || {
            let list = attribute.meta.require_list().ok();
            list.is_some_and(|list| list.tokens.clone().into_iter().any(|token| token.to_string() == "test"))
        };
        named("test") || named("bench") || path.is_ident("cfg") && configured()
    })
}

struct Finding<'a> {
    found: Vec<Function<'a>>,
    of: Option<&'a syn::Type>,
    depth: usize,
}

impl<'a> Finding<'a> {
    fn add(&mut self, sig: &'a syn::Signature, block: &'a syn::Block) {
        if sig.constness.is_none() && sig.asyncness.is_none() {
            let way = if self.depth == 0 { "self".to_string() } else { vec!["super"; self.depth].join("::") };
            self.found.push(Function { sig, block, of: self.of, way });
        }
    }
}

impl<'a> Visit<'a> for Finding<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.add(&item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.add(&item.sig, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(block) = item.default.as_ref().filter(|_| !is_test(&item.attrs)) {
            self.add(&item.sig, block);
            visit::visit_trait_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if !is_test(&item.attrs) {
            let before = self.of.replace(&item.self_ty);
            visit::visit_item_impl(self, item);
            self.of = before;
        }
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, item);
            self.depth -= 1;
        }
    }
}

/// The statements of the functions that have some lines, which stand in blocks and can be left out, doubled and replaced.
pub fn statements(source: &Source, lines: &[u32]) -> Vec<Range<usize>> {
    let mut gathering = Gathering::default();
    for function in lines.iter().filter_map(|line| source.function_at(*line)) {
        gathering.visit_block(function.block);
    }
    let mut out = gathering.0;
    out.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    out.dedup();
    out
}

#[derive(Default)]
struct Gathering(Vec<Range<usize>>);

impl<'a> Visit<'a> for Gathering {
    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        let is_block = |expression: &syn::Expr| {
            matches!(
                expression,
                syn::Expr::If(_)
                    | syn::Expr::While(_)
                    | syn::Expr::ForLoop(_)
                    | syn::Expr::Loop(_)
                    | syn::Expr::Match(_)
            )
        };
        let whole = match statement {
            syn::Stmt::Expr(expression, semicolon) => semicolon.is_some() || is_block(expression),
            syn::Stmt::Macro(call) => call.semi_token.is_some(),
            _ => false,
        };
        if whole {
            self.0.push(statement.span().byte_range());
        }
        visit::visit_stmt(self, statement);
    }
}
