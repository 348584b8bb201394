//! The places of a function where an expression may be another one, before types are known.

use std::collections::HashMap;
use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt, Token};

use super::functions::{Function, Source};
use super::leaving::leaves;
use super::local::Local;
use super::missing::{Changed, gaps, others};
use super::pure::is_assignment;
use super::reading::{bare, is_constant, range};
use crate::site::Role;

/// Macros of the standard library whose arguments are expressions.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "vec",
    "write",
    "writeln",
];

/// A place.
pub(crate) struct Draft {
    pub range: Range<usize>,
    pub line: u32,
    /// The lines of the statement that it belongs to.
    pub lines: Range<u32>,
    pub role: Role,
    /// What stands there; none of statements.
    pub expression: Option<Expr>,
    pub target: Option<String>,
    /// The byte of the declaration of the variable that begins with it.
    pub declares: Option<usize>,
    pub leave: String,
    /// Variables in scope, the innermost first.
    pub locals: Vec<Local>,
    /// What may be done there, of a statement that changes a variable.
    pub others: Vec<(u32, String)>,
}

/// What a function names.
#[derive(Default)]
pub(crate) struct Named {
    /// Lines, by the text of what stands there.
    pub lines: HashMap<String, Vec<u32>>,
    /// Members, elements, calls: with the names of variables in them.
    pub reached: Vec<(Expr, Vec<String>)>,
    /// Literals and names of constants.
    pub constants: Vec<Expr>,
}

/// A function as it is walked.
pub(crate) struct Walked {
    pub drafts: Vec<Draft>,
    pub named: Named,
    /// How its module names that of the file.
    pub way: String,
    /// The type whose method it is.
    pub of: Option<String>,
    /// What it changes.
    pub changed: Changed,
}

impl Walked {
    pub fn of(source: &Source, function: &Function<'_>) -> Self {
        let mut walk = Walk {
            source,
            locals: Vec::new(),
            named: Named::default(),
            drafts: Vec::new(),
            statement: 0..0,
            leaves: leaves(source, function),
            loops: false,
            expanded: false,
            last: function.block.stmts.last().map(range),
        };
        for input in &function.sig.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => walk.declare("self", range(&receiver.self_token).start),
                syn::FnArg::Typed(typed) => walk.visit_pat(&typed.pat),
            }
        }
        walk.visit_block(function.block);
        let of = function.of.and_then(|ty| source.text().get(range(ty))).map(String::from);
        let changed = Changed::of(source, function.block);
        Self { drafts: walk.drafts, named: walk.named, way: function.way.clone(), of, changed }
    }
}

struct Walk<'a> {
    source: &'a Source,
    locals: Vec<Local>,
    named: Named,
    drafts: Vec<Draft>,
    statement: Range<u32>,
    leaves: Vec<String>,
    loops: bool,
    /// It is in what a macro is given.
    expanded: bool,
    /// The statement with which the function ends.
    last: Option<Range<usize>>,
}

impl Walk<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        self.source.text().get(range).unwrap_or_default()
    }

    fn declare(&mut self, name: &str, declared: usize) {
        self.note(name.to_string(), declared);
        self.locals.push(Local { name: name.to_string(), declared });
    }

    fn note(&mut self, text: String, at: usize) {
        let line = self.source.line(at);
        self.named.lines.entry(text).or_default().push(line);
    }

    fn lines_of(&self, range: Range<usize>) -> Range<u32> {
        self.source.line(range.start)..self.source.line(range.end) + 1
    }

    /// An expression that may be another one; what is not written as one piece, or holds others, is none by itself.
    fn site(&mut self, expression: &Expr, role: Role) {
        let inner = match bare(expression) {
            // What is referred to is a place, or a value that may be another one.
            Expr::Reference(of) if !matches!(bare(&of.expr), Expr::Path(_) | Expr::Field(_) | Expr::Index(_)) => {
                &of.expr
            }
            _ => expression,
        };
        let role = if std::ptr::eq(inner, expression) { role } else { Role::Argument };
        if let Expr::Reference(of) = inner
            && of.mutability.is_some()
        {
            return;
        }
        let is_text = |of: &Expr| {
            let is_bytes = |of: &syn::Lit| matches!(of, syn::Lit::ByteStr(_) | syn::Lit::CStr(_));
            // Of macros a text may be the format.
            matches!(of, Expr::Lit(of) if is_bytes(&of.lit) || self.expanded && matches!(of.lit, syn::Lit::Str(_)))
        };
        match bare(inner) {
            Expr::Closure(_)
            | Expr::Block(_)
            | Expr::Struct(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::Loop(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Array(_)
            | Expr::Tuple(_)
            | Expr::Repeat(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Assign(_)
            | Expr::Let(_)
            | Expr::Async(_)
            | Expr::Infer(_)
            | Expr::Verbatim(_) => {}
            Expr::Macro(of) if !of.mac.path.is_ident("matches") => {}
            Expr::Binary(of) if is_assignment(&of.op) => {}
            Expr::If(of) if matches!(bare(&of.cond), Expr::Let(_)) || self.text(range(of)).contains('\n') => {}
            of if is_text(of) => {}
            _ => self.push(range(inner), role, Some(inner.clone()), String::new()),
        }
    }

    fn push(&mut self, range: Range<usize>, role: Role, expression: Option<Expr>, leave: String) {
        let line = self.source.line(range.start);
        let mut locals: Vec<Local> = Vec::new();
        for local in self.locals.iter().rev() {
            if locals.iter().all(|known| known.name != local.name) {
                locals.push(local.clone());
            }
        }
        let lines = if self.statement.contains(&line) { self.statement.clone() } else { line..line + 1 };
        self.drafts.push(Draft {
            range,
            line,
            lines,
            role,
            expression,
            target: None,
            declares: None,
            leave,
            locals,
            others: Vec::new(),
        });
    }

    /// A condition, or the parts of one that are no patterns.
    fn condition(&mut self, condition: &Expr) {
        match bare(condition) {
            Expr::Let(_) => {}
            Expr::Binary(of) if matches!(of.op, syn::BinOp::And(_)) && has_pattern(condition) => {
                self.condition(&of.left);
                self.condition(&of.right);
            }
            _ => self.site(condition, Role::Condition),
        }
    }

    fn assigned(&mut self, target: &Expr, value: &Expr) {
        let before = self.drafts.len();
        self.site(value, Role::Assigned);
        let target = self.text(range(target)).to_string();
        if let Some(draft) = self.drafts.get_mut(before) {
            draft.target = Some(target);
        }
    }

    /// What of a statement is on its own lines: of what has a body the head.
    fn head(&self, statement: &Stmt) -> Range<u32> {
        let whole = range(statement);
        let end = match statement {
            Stmt::Expr(Expr::If(of), _) => range(&of.cond).end,
            Stmt::Expr(Expr::While(of), _) => range(&of.cond).end,
            Stmt::Expr(Expr::ForLoop(of), _) => range(&of.expr).end,
            Stmt::Expr(Expr::Match(of), _) => range(&of.expr).end,
            Stmt::Expr(Expr::Loop(_) | Expr::Block(_) | Expr::Unsafe(_), _) => whole.start,
            _ => whole.end,
        };
        self.lines_of(whole.start..end)
    }

    /// A statement that may be done only where something holds, or before which something may have to be left.
    fn statement(&mut self, statement: &Stmt) {
        let whole = range(statement);
        let ends = |with: &Option<Token![;]>| with.is_some();
        let is_simple = match statement {
            Stmt::Expr(of, end) => match of {
                Expr::Assign(_)
                | Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Break(_)
                | Expr::Continue(_)
                | Expr::Return(_) => ends(end),
                Expr::Binary(of) => is_assignment(&of.op) && ends(end),
                _ => false,
            },
            _ => false,
        };
        if let Stmt::Expr(of, Some(_)) = statement
            && let Some((range, list)) = others(self.source, of)
        {
            self.push(range, Role::Replaced, None, String::new());
            if let Some(draft) = self.drafts.last_mut() {
                draft.others = list;
            }
        }
        let is_last = self.last.as_ref() == Some(&whole);
        if is_simple && !(is_last && matches!(statement, Stmt::Expr(Expr::Return(_), _))) {
            self.push(whole.clone(), Role::Guarded, None, String::new());
        }
        let is_leave = matches!(statement, Stmt::Expr(Expr::Break(_) | Expr::Continue(_) | Expr::Return(_), _));
        let has_body = matches!(
            statement,
            Stmt::Expr(Expr::If(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::Match(_), _)
        );
        let is_tail = matches!(statement, Stmt::Expr(_, None)) && !has_body;
        if !is_leave
            && (is_simple || has_body || is_tail || matches!(statement, Stmt::Local(local) if local.init.is_some()))
        {
            let mut leaves = self.leaves.clone();
            if self.loops {
                leaves.extend(["continue;", "break;"].map(String::from));
            }
            for leave in leaves {
                self.push(whole.clone(), Role::Left, None, leave);
            }
        }
    }

    /// What may be missing up to a byte.
    fn gap(&mut self, gaps: &mut std::iter::Peekable<std::vec::IntoIter<(usize, Range<u32>)>>, upto: usize) {
        while let Some((at, lines)) = gaps.next_if(|(at, _)| *at <= upto) {
            self.push(at..at, Role::Added, None, String::new());
            if let Some(draft) = self.drafts.last_mut() {
                draft.lines = lines;
            }
        }
    }

    /// What stands in scopes of its own.
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let (depth, loops, statement) = (self.locals.len(), self.loops, self.statement.clone());
        visit(self);
        self.locals.truncate(depth);
        (self.loops, self.statement) = (loops, statement);
    }

    /// A value that a block, an arm or a closure has.
    fn value(&mut self, expression: &Expr, role: Role) {
        if !matches!(bare(expression), Expr::If(_)) || !self.text(range(expression)).contains('\n') {
            self.site(expression, role);
        }
    }

    fn names_in(&self, expression: &Expr) -> Vec<String> {
        let mut names =
            Names { known: self.locals.iter().map(|local| local.name.clone()).collect(), found: Vec::new() };
        names.visit_expr(expression);
        names.found
    }

    /// Notes what is named.
    fn gather(&mut self, expression: &Expr) {
        let whole = range(expression);
        let text = self.text(whole.clone()).to_string();
        if is_constant(expression) && !matches!(expression, Expr::Paren(_)) {
            self.note(text, whole.start);
            self.named.constants.push(expression.clone());
            return;
        }
        let is_leaf = match expression {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Call(_) => true,
            Expr::Unary(of) => matches!(of.op, syn::UnOp::Deref(_)),
            _ => false,
        };
        if is_leaf && !text.contains('\n') {
            self.note(text.clone(), whole.start);
            let known = |(known, _): &(Expr, Vec<String>)| self.text(range(known)) == text;
            if !matches!(expression, Expr::Path(_)) && !self.named.reached.iter().any(known) {
                let names = self.names_in(expression);
                self.named.reached.push((expression.clone(), names));
            }
        }
    }
}

/// Whether a condition has a pattern in it.
fn has_pattern(condition: &Expr) -> bool {
    match bare(condition) {
        Expr::Let(_) => true,
        Expr::Binary(of) => has_pattern(&of.left) || has_pattern(&of.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.scoped(|walk| {
            let gaps = gaps(walk.source, block);
            let mut gaps = gaps.into_iter().peekable();
            for (number, statement) in block.stmts.iter().enumerate() {
                walk.gap(&mut gaps, range(statement).start);
                walk.statement = walk.head(statement);
                walk.statement(statement);
                if let Stmt::Expr(value, None) = statement
                    && number + 1 == block.stmts.len()
                {
                    walk.value(value, Role::Returned);
                }
                walk.visit_stmt(statement);
            }
            walk.gap(&mut gaps, usize::MAX);
        });
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            if init.diverge.is_none() {
                let before = self.drafts.len();
                self.site(&init.expr, Role::Assigned);
                if let (Pat::Ident(of), Some(draft)) = (&local.pat, self.drafts.get_mut(before)) {
                    draft.declares = Some(range(&of.ident).start);
                }
            }
            visit::visit_local_init(self, init);
            self.visit_pat(&local.pat);
        }
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Ident(of) if of.subpat.is_none() && of.ident.to_string().starts_with(char::is_uppercase) => {}
            Pat::Ident(of) => {
                self.declare(&of.ident.to_string(), range(&of.ident).start);
                visit::visit_pat(self, pattern);
            }
            Pat::Guard(of) => {
                self.visit_pat(&of.pat);
                self.condition(&of.guard);
                self.visit_expr(&of.guard);
            }
            // Bounds of patterns are constants.
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => {}
            _ => visit::visit_pat(self, pattern),
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|walk| {
            walk.statement = walk.lines_of(range(&arm.pat).start..range(&*arm.body).end);
            if matches!(*arm.body, Expr::Block(_)) {
                walk.statement = walk.lines_of(range(&arm.pat));
            }
            walk.visit_pat(&arm.pat);
            walk.value(&arm.body, Role::Assigned);
            walk.visit_expr(&arm.body);
        });
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.gather(expression);
        match expression {
            Expr::If(of) => self.scoped(|walk| {
                let before = walk.statement.clone();
                walk.statement = walk.lines_of(range(of).start..range(&*of.cond).end);
                walk.condition(&of.cond);
                walk.scoped(|walk| {
                    walk.visit_expr(&of.cond);
                    walk.visit_block(&of.then_branch);
                });
                walk.statement = before;
                if let Some((_, other)) = &of.else_branch {
                    walk.visit_expr(other);
                }
            }),
            Expr::While(of) => self.scoped(|walk| {
                walk.condition(&of.cond);
                walk.visit_expr(&of.cond);
                walk.loops = true;
                walk.visit_block(&of.body);
            }),
            Expr::Loop(of) => self.scoped(|walk| {
                walk.loops = true;
                walk.visit_block(&of.body);
            }),
            Expr::ForLoop(of) => self.scoped(|walk| {
                walk.site(&of.expr, Role::Argument);
                walk.visit_expr(&of.expr);
                walk.visit_pat(&of.pat);
                walk.loops = true;
                walk.visit_block(&of.body);
            }),
            Expr::Match(of) => {
                self.site(&of.expr, Role::Choice);
                visit::visit_expr(self, expression);
            }
            Expr::Let(of) => {
                self.visit_expr(&of.expr);
                self.visit_pat(&of.pat);
            }
            Expr::Closure(of) => self.scoped(|walk| {
                let leaves = std::mem::take(&mut walk.leaves);
                walk.loops = false;
                of.inputs.iter().for_each(|input| walk.visit_pat(input));
                walk.value(&of.body, Role::Returned);
                walk.visit_expr(&of.body);
                walk.leaves = leaves;
            }),
            Expr::Return(of) => {
                of.expr.iter().for_each(|value| self.value(value, Role::Returned));
                visit::visit_expr(self, expression);
            }
            Expr::Break(of) => {
                of.expr.iter().for_each(|value| self.value(value, Role::Returned));
                visit::visit_expr(self, expression);
            }
            Expr::Assign(of) => {
                self.assigned(&of.left, &of.right);
                visit::visit_expr(self, expression);
            }
            Expr::Binary(of) => {
                if is_assignment(&of.op) {
                    self.site(&of.right, Role::Assigned);
                }
                visit::visit_expr(self, expression);
            }
            Expr::Call(of) => {
                of.args.iter().for_each(|argument| self.site(argument, Role::Argument));
                of.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::MethodCall(of) => {
                of.args.iter().for_each(|argument| self.site(argument, Role::Argument));
                visit::visit_expr(self, expression);
            }
            Expr::Index(of) => {
                self.site(&of.index, Role::Index);
                visit::visit_expr(self, expression);
            }
            Expr::Tuple(of) => {
                of.elems.iter().for_each(|element| self.site(element, Role::Argument));
                visit::visit_expr(self, expression);
            }
            Expr::Array(of) => {
                of.elems.iter().for_each(|element| self.site(element, Role::Argument));
                visit::visit_expr(self, expression);
            }
            Expr::Repeat(of) => {
                self.site(&of.expr, Role::Argument);
                self.visit_expr(&of.expr);
            }
            Expr::Struct(of) => {
                for field in of.fields.iter().filter(|field| field.colon_token.is_some()) {
                    self.site(&field.expr, Role::Assigned);
                    self.visit_expr(&field.expr);
                }
                of.rest.iter().for_each(|rest| self.visit_expr(rest));
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let known = call.path.segments.last().is_some_and(|last| MACROS.iter().any(|name| last.ident == name));
        if !known {
            return;
        }
        let Ok(arguments) = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) else { return };
        for argument in &arguments {
            // With a name in front.
            let argument = if let Expr::Assign(of) = argument { &*of.right } else { argument };
            let before = std::mem::replace(&mut self.expanded, true);
            self.site(argument, Role::Argument);
            self.visit_expr(argument);
            self.expanded = before;
        }
    }
}

/// The variables that an expression names.
struct Names {
    known: Vec<String>,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = path.path.get_ident().map(ToString::to_string)
            && self.known.contains(&name)
        {
            self.found.push(name);
        }
    }
}
