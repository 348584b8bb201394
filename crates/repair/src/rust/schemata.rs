//! All candidates of many sites in one program of Rust.
//!
//! Each candidate stands on a line of its own behind a mark, so that what rustc says of a line says which one does not compile. Those
//! without effects of a site whose values are scalar stand in a closure, which a survey calls for each: what panics there is caught.

use std::fmt::Write;

use super::kinds::is_type;
use super::messages::{Message, messages};
use crate::candidates::Candidates;
use crate::expression::Expression;
use crate::rewrite::rewritten;
use crate::site::{Role, Site};
use crate::slot::Slot;

/// What a rewritten source needs.
const RUNTIME: &str = include_str!("../../rust/site.rs");
/// What is not said of what is written here.
const QUIET: &str = "#[allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals, unused_parens)]";
/// Candidates in one function: of large ones rustc takes long.
const TOGETHER: usize = 100;

/// A source with these candidates in it.
pub(crate) fn text(source: &str, sites: &[(&Site, &Candidates)], slots: &[Slot]) -> String {
    // A statement that is an expression has it within.
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&number| {
        let role = sites[number].0.role;
        !(role.is_statement() || role.is_done())
    });
    let parts: Vec<_> = order.iter().map(|&number| sites[number].0.range.clone()).collect();
    let body = rewritten(source, &parts, &|part, original| {
        let number = order[part];
        chosen(sites[number], &slots[number], original)
    });
    with_runtime(&body)
}

/// A source with our module behind it.
pub(crate) fn with_runtime(body: &str) -> String {
    format!("{body}\n#[allow(warnings)]\n{RUNTIME}")
}

/// A source in which nothing that a compiler only warns of is an error.
pub fn lenient(source: &str) -> String {
    source.replace("#![deny(", "#![warn(").replace("#![forbid(", "#![warn(")
}

/// A type that closures of ours can be said to have; none where none is known or needed.
fn annotation(site: &Site) -> Option<String> {
    if site.role == Role::Condition || site.role.is_statement() {
        return Some("bool".into());
    }
    (!site.ty.is_empty()).then(|| site.ty.clone())
}

impl Site {
    /// Whether a survey can tell what candidates there come to.
    pub fn is_surveyed(&self) -> bool {
        if self.language != crate::Language::Rust {
            return true;
        }
        let scalar = self.result.is_number();
        scalar && (annotation(self).is_some() || self.expression.is_pure())
    }
}

/// An expression that has the value of the candidate that counts.
fn chosen((site, candidates): (&Site, &Candidates), Slot { site: id, base, .. }: &Slot, original: &str) -> String {
    let ours = format!("{}::whydunit_site", site.way);
    let number = candidates.list.len();
    if site.role.is_done() {
        return done(candidates, *id, *base, original, &ours);
    }
    let all = number + candidates.probes.len();
    let (value, statement) = match site.role {
        Role::Guarded => ("true", original),
        Role::Left => ("false", original),
        _ => (original, ""),
    };
    let surveyed = site.is_surveyed();
    let texts: Vec<String> = candidates.list.iter().map(|one| in_program(site, &one.expression, &ours)).collect();
    let closed = |number: usize| surveyed && candidates.list[number].expression.is_pure();
    let mut out = "{\n".to_string();
    let ty = annotation(site).map_or(String::new(), |ty| format!(" -> {ty}"));
    let untyped = ty.is_empty();
    let like = |text: &str| format!("{ours}::like(whydunit_like, {text})");
    let held = |text: &String, held: bool| if held { like(text) } else { text.clone() };
    let first = match untyped {
        true => format!("0 => {},\n", like(&in_program(site, &site.expression, &ours))),
        false => String::new(),
    };
    let mut parts = Vec::new();
    let closing: Vec<usize> = (0..number).filter(|number| closed(*number)).collect();
    let strict = untyped && candidates.strict;
    if untyped && (strict || !closing.is_empty()) {
        let _ = writeln!(out, "{QUIET} let whydunit_like = {ours}::alike();");
    }
    for (part, some) in closing.chunks(TOGETHER).enumerate() {
        let _ = write!(out, "{QUIET} let whydunit_{part} = |whydunit_at: isize|{ty} {{ match whydunit_at {{\n{first}");
        for &number in some {
            let _ = writeln!(out, "/*{id}:{number}*/ {} => {},", number + 1, held(&texts[number], untyped));
        }
        let _ = writeln!(out, "/*{id}:e*/ _ => loop {{}} }} }};");
        let last = some.last().map_or(0, |last| last + 1);
        parts.push(format!("if whydunit_at <= {last} {{ whydunit_{part}(whydunit_at) }}"));
    }
    if !parts.is_empty() {
        let parts = parts.join(" else ");
        let _ =
            writeln!(out, "{QUIET} let whydunit_eval = |whydunit_at: isize|{ty} {{ {parts} else {{ loop {{}} }} }};");
    }
    out.push_str(&probed(candidates, *id, &ours));
    let evaluated = match parts.is_empty() {
        true => "whydunit_probe(whydunit_at)".to_string(),
        false => format!(
            "if whydunit_at > {number} {{ whydunit_probe(whydunit_at) }} else {{ {ours}::Value::bits(whydunit_eval(whydunit_at)) }}"
        ),
    };
    let far: Vec<String> =
        closing.iter().filter(|at| texts[**at].contains('(')).map(|at| (at + 1).to_string()).collect();
    let _ = writeln!(
        out,
        "{QUIET} let whydunit_at = {ours}::begin({id}, {base}, {all}, &[{}], &|whydunit_at: isize| {evaluated});",
        far.join(", ")
    );
    let mut arms = match strict {
        true => format!("match whydunit_at {{ -1 | 0 => {ours}::like(whydunit_like,\n/*{id}:e*/ {value}\n),\n"),
        false => format!("match whydunit_at {{ -1 | 0 =>\n/*{id}:e*/ {value}\n,\n"),
    };
    for open in (0..number).filter(|number| !closed(*number)) {
        let _ = writeln!(arms, "/*{id}:{open}*/ {} => {},", open + 1, held(&texts[open], strict));
    }
    let other = if parts.is_empty() { "loop {}" } else { "whydunit_eval(whydunit_at)" };
    let _ = write!(arms, "/*{id}:e*/ _ => {other} }}");
    if surveyed {
        let _ = writeln!(out, "{QUIET} let whydunit_value = {arms};");
        let _ = write!(out, "{ours}::note({base}, whydunit_at, {ours}::Value::bits(whydunit_value)); whydunit_value");
    } else {
        let _ = write!(out, "{ours}::note({base}, whydunit_at, 0);\n{arms}");
    }
    out.push_str("\n/*:*/ }");
    match site.role {
        Role::Guarded => format!("if {out} {{ {statement} }}"),
        Role::Left => format!("if {out} {{ {} }} {statement}", site.leave),
        _ => out,
    }
}

/// A closure that looks at variables, whose numbers are behind those of the candidates.
fn probed(candidates: &Candidates, id: usize, ours: &str) -> String {
    let number = candidates.list.len();
    let mut out = format!("{QUIET} let whydunit_probe = |whydunit_at: isize| -> u64 {{ match whydunit_at {{\n");
    for (probe, expression) in candidates.probes.iter().enumerate() {
        let (at, mark) = (number + probe + 1, number + probe);
        let written = super::written(expression, expression.class());
        let _ = writeln!(out, "/*{id}:{mark}*/ {at} => {ours}::Value::bits({written}),");
    }
    let _ = writeln!(out, "/*{id}:e*/ _ => 0 }} }};");
    out
}

/// What does the statement that counts, or nothing where none stands there. A survey notes only that it comes here.
fn done(candidates: &Candidates, id: usize, base: usize, original: &str, ours: &str) -> String {
    let number = candidates.list.len();
    let mut out = format!(
        "{{\n{QUIET} let whydunit_at = {ours}::begin({id}, {base}, {number}, &[], &|_: isize| 0);\n\
         {ours}::note({base}, whydunit_at, 0);\nmatch whydunit_at {{\n"
    );
    for (number, candidate) in candidates.list.iter().enumerate() {
        let _ = writeln!(out, "/*{id}:{number}*/ {} => {{ {}; }}", number + 1, candidate.expression.text());
    }
    let _ = write!(out, "/*{id}:e*/ _ => {{ {original} }} }}\n/*:*/ }}");
    if original.is_empty() { format!(" {out} ") } else { out }
}

/// A candidate as it stands in the program: ranges with the other end have the type of what stands there.
fn in_program(site: &Site, expression: &Expression, ours: &str) -> String {
    super::written(&typed(&site.expression, expression, ours), site.result)
}

fn typed(from: &Expression, to: &Expression, ours: &str) -> Expression {
    if let (Expression::Written { pieces: old, .. }, Expression::Written { pieces: new, operands, class, pure }) =
        (from, to)
        && old != new
        && old.len() == new.len()
    {
        let call = |name: &str| vec![format!("{ours}::{name}("), ", ".into(), ")".into()];
        let is =
            |pieces: &[String], number: usize, sign: &str| pieces.get(number).is_some_and(|piece| piece.trim() == sign);
        let made = |pieces, operands| Expression::Written { pieces, operands, class: *class, pure: *pure };
        if is(old, 1, "..") && is(new, 1, "..=") {
            return made(call("through"), operands.clone());
        }
        if is(old, 1, "..=") && is(new, 1, "..") {
            return made(call("upto"), operands.clone());
        }
        if is(old, 0, "..") && is(new, 0, "..=") {
            let end = Expression::binary("+", operands[0].clone(), Expression::Number(1));
            return made(old.clone(), vec![end]);
        }
    }
    let (olds, news) = (from.operands(), to.operands());
    let mut out = to.clone();
    if olds.len() == news.len() {
        for (number, (old, new)) in olds.into_iter().zip(news).enumerate() {
            if let Some(changed) = out.with_operand(number, typed(old, new, ours)) {
                out = changed;
            }
        }
    }
    out
}

/// What does not compile in a rewritten source.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Candidates, by the numbers of their sites in the order of the slots, with their own.
    pub candidates: Vec<(usize, usize)>,
    /// Sites that cannot be rewritten at all.
    pub sites: Vec<usize>,
    /// Sites of which one candidate is named that has another type, and the others are not looked at: each has to be held to the
    /// type of what stands there by itself.
    pub unequal: Vec<usize>,
}

/// Whose a line is: a candidate's, or what stands at a site.
type Owner = (usize, Option<usize>);

/// The candidates and sites of a file of which a compiler's output has errors.
/// `text` is the rewritten source, and `slots` those of its sites in their order.
pub fn refused(text: &str, slots: &[Slot], candidates: &[&Candidates], file: &str, said: &str) -> Refused {
    let owners = owners(text);
    let slot = |id: usize| slots.iter().position(|slot| slot.site == id);
    let mut out = Refused::default();
    for message in messages(said).into_iter().filter(|message| message.is_in(file)) {
        let owner = |line: &u32| owners.get((*line as usize).checked_sub(1)?).copied().flatten();
        let own = |owner: Owner| Some((slot(owner.0)?, owner.1?));
        let hit: Vec<(usize, usize)> = owner(&message.line).and_then(own).into_iter().collect();
        if message.title.contains("`match` arms have incompatible types") {
            out.unequal.extend(hit.iter().map(|(site, _)| *site));
        }
        let mut hits: Vec<(usize, usize)> = match hit.is_empty() {
            false => hit,
            true => message.lines.iter().filter_map(owner).filter_map(own).collect(),
        };
        // Of what a closure borrows one use is named, and there may be others.
        if let Some(name) = message.borrowed() {
            for (site, _) in hits.clone() {
                let all = candidates[site].list.iter().map(|one| &one.expression).chain(&candidates[site].probes);
                let others = all.enumerate().filter(|(_, one)| names(&one.text(), &name));
                hits.extend(others.map(|(number, _)| (site, number)));
            }
        }
        if hits.is_empty() {
            let lines = std::iter::once(&message.line).chain(&message.lines);
            out.sites.extend(lines.filter_map(owner).filter_map(|(id, _)| slot(id)).take(1));
        }
        out.candidates.extend(hits);
    }
    if out == Refused::default() {
        out.candidates = settling(text, slots, candidates, file, said);
    }
    // Of an error of which nobody knows whose it is, it is the next site's before it: without sites there is none.
    if out == Refused::default() {
        let near = |message: &Message| {
            let before = owners.iter().take(message.line as usize).rev().flatten().next();
            before.or_else(|| owners.iter().flatten().next()).and_then(|(id, _)| slot(*id))
        };
        out.sites.extend(messages(said).iter().filter(|message| message.is_in(file)).filter_map(near));
    }
    for sites in [&mut out.sites, &mut out.unequal] {
        sites.sort_unstable();
        sites.dedup();
    }
    out.candidates.sort_unstable();
    out.candidates.dedup();
    out
}

/// The candidates that may settle types which the source settles otherwise, as of `let mut sum = 0;` where the sum is later one of `u32`:
/// they name a variable, and what stands at their site does not, of a line of the source that has an error.
fn settling(text: &str, slots: &[Slot], candidates: &[&Candidates], file: &str, said: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|at: char| !at.is_alphanumeric() && at != '_');
        let is_variable =
            |word: &&str| word.starts_with(|at: char| at.is_lowercase()) && !is_type(word) && *word != "as";
        words.filter(is_variable).map(str::to_string).collect()
    };
    let messages = messages(said);
    let wrong = messages.iter().filter(|message| message.is_in(file));
    let wrong: Vec<String> = wrong
        .filter_map(|message| lines.get((message.line as usize).checked_sub(1)?))
        .flat_map(|of| words(of))
        .collect();
    let mut out = Vec::new();
    for (site, (slot, of)) in slots.iter().zip(candidates).enumerate() {
        let mark = format!("/*{}:e*/", slot.site);
        let own: Vec<String> = lines.iter().filter_map(|line| line.strip_prefix(&mark)).flat_map(words).collect();
        let all = of.list.iter().map(|one| &one.expression).chain(&of.probes);
        for (number, one) in all.enumerate() {
            if words(&one.text()).iter().any(|word| wrong.contains(word) && !own.contains(word)) {
                out.push((site, number));
            }
        }
    }
    out
}

/// Whether a text has a name as a word, or the path to it.
fn names(text: &str, name: &str) -> bool {
    let is_word = |at: char| at.is_alphanumeric() || at == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}

/// Whose each line is.
fn owners(text: &str) -> Vec<Option<Owner>> {
    let mut open: Vec<Owner> = Vec::new();
    let mut out = Vec::new();
    for line in text.split('\n') {
        let mark = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")).map(|(mark, _)| mark);
        if mark == Some(":") {
            // What follows on the line is the source's, and stands as it does because of the site.
            out.push(open.pop().map(|(id, _)| (id, None)));
            continue;
        }
        if let Some((id, number)) = mark.and_then(|mark| mark.split_once(':'))
            && let Ok(id) = id.parse()
        {
            let owner = (id, number.parse().ok());
            match open.iter_mut().find(|(known, _)| *known == id) {
                Some(known) => *known = owner,
                None => open.push(owner),
            }
        }
        out.push(open.last().copied());
    }
    out
}
