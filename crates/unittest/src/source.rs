//! A source with its syntax tree, and its tokens.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

/// A language that tests are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
}

impl Language {
    /// That of a file, by the ending of its name; headers count as C++. `None` of others.
    pub fn of(path: &str) -> Option<Self> {
        Some(match path.rsplit_once('.')?.1 {
            "c" => Self::C,
            "h" | "cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "inl" | "ipp" => Self::Cpp,
            "rs" => Self::Rust,
            _ => return None,
        })
    }
}

/// A source.
pub struct Source {
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: String,
    tree: Tree,
}

/// A token of a source; a literal is one.
#[derive(Clone, Debug)]
pub(crate) struct Token<'s> {
    pub text: &'s str,
    /// What the grammar calls it.
    pub kind: &'static str,
    pub range: Range<usize>,
    /// From 1.
    pub line: u32,
}

impl Token<'_> {
    pub fn is_name(&self) -> bool {
        matches!(self.kind, "identifier" | "self" | "this")
    }
}

impl Source {
    /// Reads a source; what the grammar does not take is a part of the tree like all else. `None` where the language is not known.
    pub fn read(path: &str, text: String) -> Option<Self> {
        let language = Language::of(path)?;
        let grammar = match language {
            Language::C => tree_sitter_c::LANGUAGE.into(),
            Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        };
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        let tree = parser.parse(&text, None)?;
        Some(Self { language, text, tree })
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(crate) fn of(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }

    /// The innermost node around some bytes.
    pub(crate) fn around(&self, range: &Range<usize>) -> Option<Node<'_>> {
        self.root().descendant_for_byte_range(range.start, range.end)
    }

    /// The tokens of a node, comments left out.
    pub(crate) fn tokens(&self, node: Node<'_>) -> Vec<Token<'_>> {
        let (mut found, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            let kind = node.kind();
            if kind.ends_with("comment") || node.byte_range().is_empty() {
                continue;
            }
            let whole = kind.ends_with("string_literal") || kind == "char_literal" || node.child_count() == 0;
            if whole {
                let line = node.start_position().row as u32 + 1;
                found.push(Token { text: self.of(node), kind, range: node.byte_range(), line });
                continue;
            }
            let mut cursor = node.walk();
            let inside: Vec<Node<'_>> = node.children(&mut cursor).collect();
            open.extend(inside.into_iter().rev());
        }
        found
    }

    /// What stands before a byte in its line, where that is blank.
    pub(crate) fn indentation(&self, at: usize) -> &str {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &self.text[start..at];
        &before[..before.len() - before.trim_start().len()]
    }
}

/// The named children of a node without comments.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().ends_with("comment")).collect()
}

/// A node and those around it, the innermost first.
pub(crate) fn outward(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(node), |node| node.parent())
}
