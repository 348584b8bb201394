//! The beginning of a test: of the statements up to a call those that have to do with the object.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::body::declared;
use crate::source::{Language, Source, Token};
use crate::stop::Receiver;

/// The statements to keep, as texts without their indentation. `is_pure`: a method that changes nothing. `mutable`: the object is changed
/// afterwards, so that its variable has to allow that.
pub(crate) fn kept(
    source: &Source,
    statements: &[Node<'_>],
    receiver: &Receiver,
    is_pure: &dyn Fn(&str) -> bool,
    mutable: bool,
) -> Vec<String> {
    let all: Vec<Statement<'_>> = statements.iter().map(|node| Statement::of(source, *node)).collect();
    let mut shared: BTreeSet<&str> = all.iter().flat_map(|it| it.declares.iter().copied()).collect();
    let own: BTreeSet<&str> = words(&receiver.text).collect();
    shared.extend(&own);
    let mut related = own.clone();
    // What shares a name with the object, or with what shares one, may have to do with it.
    loop {
        let before = related.len();
        for statement in &all {
            let names = || statement.names.iter().copied().filter(|name| shared.contains(name));
            if names().any(|name| related.contains(name)) {
                related.extend(names());
            }
        }
        if related.len() == before {
            break;
        }
    }
    let is_kept = |it: &&Statement<'_>| {
        let mut names = it.names.iter().filter(|name| shared.contains(*name)).peekable();
        let of_object = names.peek().is_none() || names.any(|name| related.contains(name));
        of_object && !(it.checks && (it.calls_only(is_pure) || it.names.iter().all(|name| !related.contains(name))))
    };
    let kept: Vec<&Statement<'_>> = all.iter().filter(is_kept).collect();
    let base = receiver.text.split(['.', '-', '[']).next().unwrap_or_default();
    let users = kept.iter().filter(|it| it.names.contains(base)).count();
    let text = |it: &&Statement<'_>| {
        let text = dedented(source, it.node);
        let begins = |plain: &str, other: &str| {
            let rest = text.strip_prefix(plain)?.strip_prefix(base)?;
            rest.starts_with([' ', ':', '=']).then(|| format!("{other}{base}{rest}"))
        };
        let other = match source.language {
            Language::Rust if mutable => begins("let ", "let mut "),
            // Nothing changes it any more.
            Language::Rust if users == 1 => begins("let mut ", "let "),
            _ => None,
        };
        other.unwrap_or(text)
    };
    kept.iter().map(text).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}

struct Statement<'s> {
    node: Node<'s>,
    tokens: Vec<Token<'s>>,
    names: BTreeSet<&'s str>,
    declares: BTreeSet<&'s str>,
    /// It only checks something.
    checks: bool,
}

/// What checks call besides without a change.
const PURE: [&str; 22] = [
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "unwrap",
    "expect",
    "iter",
    "collect",
    "copied",
    "cloned",
    "clone",
    "as_ref",
    "as_deref",
    "to_string",
    "to_vec",
    "Some",
    "Ok",
    "Err",
    "String",
    "string",
    "vec",
    "matches",
];

impl<'s> Statement<'s> {
    fn of(source: &'s Source, node: Node<'s>) -> Self {
        let tokens = source.tokens(node);
        let names = tokens.iter().filter(|token| token.is_name()).map(|token| token.text).collect();
        let first = tokens.first().map_or("", |token| token.text);
        let checks = is_check(first) && node.kind() != "declaration";
        Self { node, names, declares: declares(source, node), checks, tokens }
    }

    /// Whether all that it calls changes nothing.
    fn calls_only(&self, is_pure: &dyn Fn(&str) -> bool) -> bool {
        let assigns = self.tokens.iter().any(|token| matches!(token.text, "=" | "+=" | "-=" | "++" | "--" | "<<="));
        let called = self.tokens.windows(2).filter(|pair| pair[1].text == "(" || pair[1].text == "!");
        let mut names = called.map(|pair| &pair[0]).filter(|name| name.kind.ends_with("identifier"));
        !assigns && names.all(|name| is_check(name.text) || PURE.contains(&name.text) || is_pure(name.text))
    }
}

/// Whether a macro or function that a statement begins with checks something.
fn is_check(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("assert")
        || ["expect_", "require", "check", "cu_", "ck_"].iter().any(|begin| lower.starts_with(begin))
}

/// The variables that a statement declares.
fn declares<'s>(source: &'s Source, node: Node<'s>) -> BTreeSet<&'s str> {
    match node.kind() {
        "let_declaration" => {
            let pattern = node.child_by_field_name("pattern");
            let tokens = pattern.map(|pattern| source.tokens(pattern)).unwrap_or_default();
            tokens.iter().filter(|token| token.is_name()).map(|token| token.text).collect()
        }
        "declaration" => {
            let mut cursor = node.walk();
            let declarators = node.children_by_field_name("declarator", &mut cursor);
            declarators.filter_map(|declarator| declared(source, declarator)).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The text of a statement, its later lines as far to the left as its first.
fn dedented(source: &Source, node: Node<'_>) -> String {
    let indentation = source.indentation(node.start_byte());
    let text = source.of(node);
    let line = |(number, line): (usize, &str)| match number {
        0 => line.to_owned(),
        _ => line.strip_prefix(indentation).unwrap_or(line).to_owned(),
    };
    let mut text = text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n");
    // The last expression of a block of Rust.
    if !text.ends_with([';', '}']) {
        text.push(';');
    }
    text
}
