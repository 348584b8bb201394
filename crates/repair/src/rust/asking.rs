//! The types of expressions, asked of rustc: each is given to a type of ours, and the error names its own.

use std::collections::HashSet;
use std::ops::Range;

use syn::Expr;
use syn::visit::{self, Visit};

use super::functions::Source;
use super::reading::range;
use super::schemata::with_runtime;
use super::types::{Key, Question};
use super::walk::{Draft, Walked};
use crate::rewrite::rewritten;

/// A source in which the types of expressions are asked: it does not compile.
pub fn asking(source: &str, questions: &[Question]) -> String {
    let parts: Vec<_> = questions.iter().map(|question| question.range.clone()).collect();
    let body = rewritten(source, &parts, &|number, original| {
        let mut out = "{\n".to_string();
        for (at, (_, text)) in questions[number].asked.iter().enumerate() {
            let way = &questions[number].way;
            out.push_str(&format!("/*?{number}:{at}*/ let _: {way}::whydunit_site::Asked = ({text});\n"));
        }
        out + original + "\n}"
    });
    with_runtime(&body)
}

/// What has to be asked to read the functions that have some lines.
pub fn questions(source: &Source, lines: &[u32]) -> Vec<Question> {
    let mut out = Vec::new();
    let mut done = HashSet::new();
    for &line in lines {
        let Some(function) = source.function_at(line) else { continue };
        let own = source.line(range(function.block).start);
        if !done.insert(own) {
            continue;
        }
        let walked = Walked::of(source, &function);
        let mut asked = HashSet::new();
        // The type of a variable may be known by what is done with it.
        for draft in walked.drafts.iter().rev().filter(|draft| draft.expression.is_some()) {
            let list: Vec<(Key, String)> =
                wanted(source, own, &walked, draft).into_iter().filter(|(key, _)| asked.insert(key.clone())).collect();
            if !list.is_empty() {
                out.push(Question { range: draft.range.clone(), way: walked.way.clone(), asked: list });
            }
        }
    }
    out
}

/// What is asked at a place: what stands there with its parts, variables, and what the function reaches from them.
fn wanted(source: &Source, function: u32, walked: &Walked, draft: &Draft) -> Vec<(Key, String)> {
    let text = |of: Range<usize>| source.text().get(of).unwrap_or_default().to_string();
    let mut out = Vec::new();
    if let Some(expression) = &draft.expression {
        let mut parts = Parts(Vec::new());
        parts.visit_expr(expression);
        out.extend(parts.0.into_iter().map(|part| (Key::Place(part.start, part.end), text(part))));
    }
    out.extend(draft.locals.iter().map(|local| (Key::Declared(local.declared), local.name.clone())));
    for (reached, names) in &walked.named.reached {
        if names.iter().all(|name| draft.locals.iter().any(|local| local.name == *name)) {
            let text = text(range(reached));
            out.push((Key::Text(function, text.clone()), text));
        }
    }
    for constant in &walked.named.constants {
        let text = text(range(constant));
        if matches!(constant, Expr::Path(_)) {
            out.push((Key::Text(function, text.clone()), text));
        }
    }
    out
}

/// The parts of an expression whose types its text does not say.
struct Parts(Vec<Range<usize>>);

impl<'ast> Visit<'ast> for Parts {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        let is_asked = match expression {
            Expr::Lit(_) | Expr::Paren(_) | Expr::Group(_) | Expr::Closure(_) | Expr::Block(_) => false,
            Expr::Binary(_)
            | Expr::Path(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Cast(_)
            | Expr::Reference(_)
            | Expr::Try(_)
            | Expr::Unary(_)
            | Expr::If(_)
            | Expr::Range(_) => true,
            _ => false,
        };
        if is_asked {
            self.0.push(range(expression));
        }
        match expression {
            // What they declare is not known outside.
            Expr::Closure(_) | Expr::Block(_) | Expr::If(_) | Expr::Match(_) => {}
            // The name of a function is no value.
            Expr::Call(of) => of.args.iter().for_each(|argument| self.visit_expr(argument)),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
}
