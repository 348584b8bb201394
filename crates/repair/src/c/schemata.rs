//! All candidates of many sites in one program of C or C++.

use crate::candidates::Candidates;
use crate::expression::Class;
use crate::rewrite::{rewritten, with_prologue};
use crate::site::{Role, Site};
use crate::slot::Slot;

/// What warnings there are of what is written here is not said.
const QUIET: &str = include_str!("../../c/quiet.h");
/// Code that is run a few times is not optimised, which would take longer than the runs.
const QUICK: &str = "\
#if defined(__clang__)
#pragma clang optimize off
#elif defined(__GNUC__)
#pragma GCC optimize (\"O0\")
#endif
";
/// What a rewritten source needs.
const RUNTIME: &str = include_str!("../../c/site.h");

/// A source with these candidates in it.
pub(crate) fn text(source: &str, sites: &[(&Site, &Candidates)], slots: &[Slot]) -> String {
    let parts: Vec<_> = sites.iter().map(|(site, _)| site.range.clone()).collect();
    let body = rewritten(source, &parts, &|number, original| chosen(sites[number], &slots[number], original));
    with_prologue(&format!("{QUIET}{QUICK}{RUNTIME}"), source, &body)
}

/// Where a text has lines of its own before those of the source.
pub(crate) fn head(text: &str) -> usize {
    text.find("\n#line 1").map_or(0, |at| text[..at].lines().count() + 1)
}

/// An expression that has the value of the candidate that counts. No line is added.
fn chosen((site, candidates): (&Site, &Candidates), Slot { site: id, base, .. }: &Slot, original: &str) -> String {
    if site.role.is_done() {
        return done(candidates, *id, *base, original);
    }
    let is_guard = site.role.is_statement();
    let (original, statement) = match site.role {
        Role::Guarded => ("1", original),
        Role::Left => ("0", original),
        _ => (original, ""),
    };
    let truth = |text: &str| {
        if is_guard || site.role == Role::Condition { format!("({text}) ? 1 : 0") } else { format!("({text})") }
    };
    let ty = &site.ty;
    let number_of = candidates.list.len();
    let mut out = format!(
        "(__extension__ ({{ {ty} whydunit_value = 0; long long whydunit_probe = 0; int whydunit_at = whydunit_begin({id}, \
         {base}, {}); do {{ switch (whydunit_at) {{ default: whydunit_value = {}; break;",
        number_of + candidates.probes.len(),
        truth(original)
    );
    for (number, candidate) in candidates.list.iter().enumerate() {
        out.push_str(&format!(
            " case {}: /*{id}:{number}*/ whydunit_value = ({ty})({}); break;",
            number + 1,
            truth(&candidate.expression.text())
        ));
    }
    for (number, probe) in candidates.probes.iter().enumerate() {
        let number = number_of + number + 1;
        let mark = number - 1;
        out.push_str(&format!(
            " case {number}: /*{id}:{mark}*/ whydunit_probe = (long long)({}); break;",
            probe.text()
        ));
    }
    let note = match site.result {
        Class::Float => "whydunit_next_float(",
        _ => "whydunit_next(",
    };
    let value = if note.ends_with("float(") { "(double)" } else { "(long long)" };
    let value = format!("whydunit_at > {number_of} ? {value}whydunit_probe : {value}whydunit_value");
    out.push_str(&format!(" }} }} while ({note}{base}, &whydunit_at, {value})); whydunit_value; }}))"));
    match site.role {
        Role::Guarded => format!("if ({out}) {statement}"),
        Role::Left => format!("{{ if ({out}) {} {statement} }}", site.leave),
        _ => out,
    }
}

/// What does the statement that counts, or nothing where none stands there. A survey notes only that it comes here.
fn done(candidates: &Candidates, id: usize, base: usize, original: &str) -> String {
    let mut out = format!(
        "(__extension__ ({{ int whydunit_at = whydunit_begin({id}, {base}, 0); whydunit_next({base}, &whydunit_at, 0); \
         switch (whydunit_at) {{ default: {original}; break;"
    );
    for (number, candidate) in candidates.list.iter().enumerate() {
        out.push_str(&format!(" case {}: /*{id}:{number}*/ {}; break;", number + 1, candidate.expression.text()));
    }
    let end = if original.is_empty() { ";" } else { "" };
    format!("{out} }} }})){end}")
}
