//! What a source declares, uses and states, read from its syntax tree.

use std::collections::BTreeSet;

use tree_sitter::{Language, Node, Parser};

/// What kind of name is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// A variable, function, type, macro or label.
    Name,
    /// A member behind a dot, an arrow or `::`.
    Member,
    /// A function that is called, which has to be defined.
    Definition,
    /// A text that the grammar does not take.
    Broken,
    /// A directive without its other half.
    Directive,
}

/// A name where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Use {
    pub kind: Kind,
    pub name: String,
    /// The definition that it stands in.
    pub place: String,
    /// From 1.
    pub line: u32,
}

/// Something that has to agree with what is said of it elsewhere: a call with its function's number of parameters, a declaration with
/// its definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    pub about: String,
    pub says: String,
    pub name: String,
    pub line: u32,
}

/// Something that may stand in a place once only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Once {
    pub key: String,
    pub name: String,
    pub line: u32,
}

/// A member with its type, or with what stands around it where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Typed {
    pub name: String,
    /// The type as it is written; of a use what is done with the member.
    pub form: String,
    pub line: u32,
}

/// Something that has to have all parts of what it is about: a `match` the variants of its enumeration, an `impl` the items of its
/// trait that have no body there, a literal the fields of its structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Whole {
    /// About what, as the parts that are asked for say it; of several whose parts these are the first is meant.
    pub about: Vec<String>,
    pub has: BTreeSet<String>,
    /// The definition that it stands in.
    pub place: String,
    pub line: u32,
}

/// A part that each [`Whole`] of its kind has to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub about: String,
    pub name: String,
    pub line: u32,
}

/// All of a source.
#[derive(Default, Debug)]
pub(crate) struct Facts {
    /// Names that others can use.
    pub declared: BTreeSet<String>,
    /// Functions that are defined, and macros.
    pub defined: BTreeSet<String>,
    /// Members of types, methods among them.
    pub members: BTreeSet<String>,
    /// Names that are not declared in the definition that uses them.
    pub uses: Vec<Use>,
    pub claims: Vec<Claim>,
    /// What claims have to agree with one of: about what, and what is said.
    pub grants: BTreeSet<(String, String)>,
    pub once: Vec<Once>,
    /// Names of other files count as well, without being named here.
    pub open: bool,
    /// Their members do, too.
    pub members_are_names: bool,
    /// Types whose members are names here.
    pub globs: BTreeSet<String>,
    /// Members with their types.
    pub types: Vec<Typed>,
    /// Members where they are used.
    pub forms: Vec<Typed>,
    pub wholes: Vec<Whole>,
    pub parts: Vec<Part>,
}

impl Facts {
    /// Takes in a text that the grammar does not take, or that it misses.
    pub fn broken(&mut self, node: Node<'_>, text: &str, place: &str) {
        let name = if node.is_missing() { format!("missing {}", node.kind()) } else { text.to_owned() };
        self.uses.push(Use { kind: Kind::Broken, name, place: place.to_owned(), line: line(node) });
    }

    /// Takes in a claim.
    pub fn claim(&mut self, about: String, says: String, name: &str, node: Node<'_>) {
        self.claims.push(Claim { about, says, name: name.to_owned(), line: line(node) });
    }

    /// Takes in what may be there once only.
    pub fn once(&mut self, key: String, name: &str, node: Node<'_>) {
        self.once.push(Once { key, name: name.to_owned(), line: line(node) });
    }
}

/// A source with its tree.
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    pub tree: tree_sitter::Tree,
}

impl<'a> Source<'a> {
    /// Parses a text; none where the grammar is not one of this library's version.
    pub fn parse(grammar: &Language, bytes: &'a [u8]) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(grammar).ok()?;
        Some(Self { bytes, tree: parser.parse(bytes, None)? })
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(&self.bytes[node.byte_range()]).into_owned()
    }

    /// The text of a node with single blanks.
    pub fn plain(&self, node: Node<'_>) -> String {
        self.text(node).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The line of a node, from 1.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The nodes inside of a node, each with the name of its field.
pub(crate) fn inside(node: Node<'_>) -> Vec<(Node<'_>, Option<&'static str>)> {
    let mut cursor = node.walk();
    let mut out = Vec::new();
    if cursor.goto_first_child() {
        loop {
            out.push((cursor.node(), cursor.field_name()));
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    out
}

/// The named nodes of some kinds right inside of a node.
pub(crate) fn of_kinds<'t>(node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    inside(node).into_iter().map(|(node, _)| node).filter(|node| kinds.contains(&node.kind())).collect()
}
