//! The sites of functions: places with what can be made of them.

use std::collections::HashSet;

use super::declared::Declared;
use super::functions::Source;
use super::kinds::{LENGTH, class_of, name, plain, scalar, target};
use super::reading::{Reading, range};
use super::types::Types;
use super::walk::{Draft, Walked};
use crate::expression::{Class, Expression};
use crate::language::Language;
use crate::literals::nearly;
use crate::near::{FARTHER, NEAR, NOT_NAMED, nearest, neighbours};
use crate::site::{Role, Site};

/// Types that have a length.
const LISTS: &[&str] =
    &["Vec", "String", "str", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap"];

/// The sites of the functions that have some lines, in the order of the source.
pub fn sites(source: &Source, lines: &[u32], around: &Declared, types: &mut Types) -> Vec<Site> {
    let mut out: Vec<Site> = Vec::new();
    let mut done = HashSet::new();
    for &line in lines {
        let Some(function) = source.function_at(line) else { continue };
        types.function = source.line(range(function.block).start);
        if !done.insert(types.function) {
            continue;
        }
        let walked = Walked::of(source, &function);
        let making = Making::of(source, &walked, around, types);
        out.extend(walked.drafts.iter().filter_map(|draft| making.site(draft)));
    }
    out.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
    out.dedup_by(|a, b| a.range == b.range && a.leave == b.leave && kind(a.role) == kind(b.role));
    out
}

/// Of one expression there is one site of each kind.
fn kind(role: Role) -> (bool, bool) {
    (role.is_statement(), role.is_done())
}

struct Making<'a> {
    reading: Reading<'a>,
    walked: &'a Walked,
    reached: Vec<(Expression, &'a [String])>,
    constants: Vec<Expression>,
    texts: Vec<Expression>,
}

impl<'a> Making<'a> {
    fn of(source: &'a Source, walked: &'a Walked, around: &'a Declared, types: &'a Types) -> Self {
        let reading = Reading { source: source.text(), around, types };
        let reached = walked.named.reached.iter().filter_map(|(of, names)| {
            let expression = reading.expression(of);
            (expression.is_pure() && reading.type_of(of).is_some()).then_some((expression, &names[..]))
        });
        let reached = reached.collect();
        let (mut constants, mut texts): (Vec<Expression>, Vec<Expression>) = (Vec::new(), Vec::new());
        for of in &walked.named.constants {
            let constant = reading.expression(of);
            let list = if constant.class() == class_of("&str") { &mut texts } else { &mut constants };
            if !list.contains(&constant) {
                list.push(constant);
            }
        }
        let mut making = Self { reading, walked, reached, constants, texts };
        making.add_variants();
        making
    }

    /// Variants of enumerations of which the function names others.
    fn add_variants(&mut self) {
        let mut more = Vec::new();
        for constant in &self.constants {
            let Expression::Atom { text, class, .. } = constant else { continue };
            let Some((before, last)) = text.rsplit_once("::") else { continue };
            let of = match name(before) {
                "Self" => self.walked.of.as_deref().map(name).unwrap_or_default(),
                other => other,
            };
            let Some(variants) = self.reading.around.variants.get(of).filter(|all| all.iter().any(|one| one == last))
            else {
                continue;
            };
            more.extend(variants.iter().map(|variant| Expression::Atom {
                text: format!("{before}::{variant}"),
                class: *class,
                pure: true,
                constant: true,
            }));
        }
        for one in more {
            if !self.constants.contains(&one) {
                self.constants.push(one);
            }
        }
    }

    fn site(&self, draft: &Draft) -> Option<Site> {
        if draft.role.is_done() {
            return self.done(draft);
        }
        let (expression, ty, result) = match (&draft.expression, draft.role) {
            (None, Role::Left) => (Expression::Number(0), "bool".to_string(), Class::Bool),
            (None, _) => (Expression::Number(1), "bool".to_string(), Class::Bool),
            (Some(of), Role::Condition) => (self.reading.expression(of), "bool".into(), Class::Bool),
            (Some(of), _) => {
                let local = draft.declares.and_then(|declared| self.reading.types.of_local(declared));
                let own = self.reading.type_of(of).filter(|ty| *ty != "integer");
                let ty = own.or(local).map(plain).unwrap_or_default();
                if ty == "()" || ty == "!" {
                    return None;
                }
                let expression = self.reading.expression(of);
                let class = if ty.is_empty() { expression.class() } else { class_of(&ty) };
                let class = if class == Class::Int { expression.class() } else { class };
                (expression, scalar(class, &ty).unwrap_or_default(), class)
            }
        };
        let is_text = matches!(&draft.expression, Some(syn::Expr::Lit(of)) if matches!(of.lit, syn::Lit::Str(_)));
        let texts = if is_text { nearly(&expression, &self.reading.around.texts) } else { self.texts.clone() };
        if is_text && texts.is_empty() {
            return None;
        }
        let (variables, bases) = if is_text { Default::default() } else { self.variables(draft) };
        Some(Site {
            target: draft.target.clone(),
            leave: draft.leave.clone(),
            ty,
            result,
            variables,
            bases,
            constants: self.constants.clone(),
            texts,
            ..self.bare(draft, expression)
        })
    }

    /// A place with what stands there, without anything that could stand there instead.
    fn bare(&self, draft: &Draft, expression: Expression) -> Site {
        Site {
            language: Language::Rust,
            way: self.walked.way.clone(),
            range: draft.range.clone(),
            line: draft.line,
            lines: draft.lines.clone(),
            role: draft.role,
            expression,
            target: None,
            leave: String::new(),
            ty: String::new(),
            result: Class::Record(0),
            variables: Vec::new(),
            enumerators: Vec::new(),
            bases: Vec::new(),
            constants: Vec::new(),
            texts: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// A place at which something is done; none where nothing is known that could be.
    fn done(&self, draft: &Draft) -> Option<Site> {
        let statements = match draft.role {
            Role::Added => self.walked.changed.missing(&draft.locals, self.reading.types, draft.range.start),
            _ => draft.others.clone(),
        };
        let text = self.reading.source.get(draft.range.clone())?;
        (!statements.is_empty()).then(|| Site { statements, ..self.bare(draft, Expression::statement(text)) })
    }

    /// What has a value at a place, the nearest first: what can be computed with, and what parts are taken of.
    fn variables(&self, draft: &Draft) -> (Vec<Expression>, Vec<Expression>) {
        let (mut variables, mut bases) = (Vec::new(), Vec::new());
        for local in &draft.locals {
            let ty = self.reading.types.of_local(local.declared).map(plain);
            let own = || self.walked.of.clone().unwrap_or_default();
            let Some(ty) = ty.or_else(|| (local.name == "self").then(own)) else { continue };
            let atom = Expression::Atom { text: local.name.clone(), class: class_of(&ty), pure: true, constant: false };
            let far = self.lines_to(&local.name, draft.line);
            variables.extend(self.parts(&atom, &ty, draft.line, far + FARTHER));
            if local.name != "self" {
                let list = if atom.class().is_number() { &mut variables } else { &mut bases };
                list.push((far, atom));
            }
        }
        let visible = |name: &String| draft.locals.iter().any(|local| local.name == *name);
        for (expression, _) in self.reached.iter().filter(|(_, names)| names.iter().all(visible)) {
            let far = self.lines_to(&expression.text(), draft.line);
            variables.push((far, expression.clone()));
            let beside = if far <= NEAR { neighbours(expression) } else { Vec::new() };
            variables.extend(beside.into_iter().map(|other| (far + NEAR, other)));
        }
        (nearest(variables), nearest(bases))
    }

    /// What is reached from a variable in a step or two: what it refers to, fields, lengths, whether there is something.
    fn parts(&self, of: &Expression, ty: &str, line: u32, far: u32) -> Vec<(u32, Expression)> {
        let (to, steps) = target(ty);
        let mut out = Vec::new();
        if steps == 1 && class_of(&to).is_number() {
            let pieces = vec!["*".into(), String::new()];
            out.push((
                far,
                Expression::Written { pieces, operands: vec![of.clone()], class: class_of(&to), pure: true },
            ));
        }
        out.extend(looked_at(of, &to).into_iter().map(|part| (far, part)));
        for (field, ty) in self.reading.around.fields.get(name(&to)).into_iter().flatten() {
            let field = self.reading.field(of, field, ty);
            let far = far.min(self.lines_to(&field.text(), line));
            out.extend(looked_at(&field, &target(ty).0).into_iter().map(|part| (far + FARTHER, part)));
            out.push((far, field));
        }
        out
    }

    /// How many lines lie between a line and the nearest one that has an expression.
    fn lines_to(&self, text: &str, line: u32) -> u32 {
        let lines = self.walked.named.lines.get(text).into_iter().flatten();
        lines.map(|at| at.abs_diff(line)).min().unwrap_or(NOT_NAMED)
    }
}

/// What methods without effects tell of a value of a type.
fn looked_at(of: &Expression, ty: &str) -> Vec<Expression> {
    let method = |name: &str, class: Class| Expression::Written {
        pieces: vec![String::new(), format!(".{name}()")],
        operands: vec![of.clone()],
        class,
        pure: true,
    };
    let kind = name(ty);
    if LISTS.contains(&kind) || ty.starts_with('[') {
        return vec![method("len", LENGTH), method("is_empty", Class::Bool)];
    }
    match kind {
        "Option" => vec![method("is_some", Class::Bool), method("is_none", Class::Bool)],
        "Result" => vec![method("is_ok", Class::Bool), method("is_err", Class::Bool)],
        _ => Vec::new(),
    }
}
