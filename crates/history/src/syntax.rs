//! Sources by their syntax trees: tokens, comments, functions and types.

use tree_sitter::{Node, Parser, Tree};

/// A language whose syntax is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// C++, and headers, which may be of either.
    Cpp,
    /// Rust.
    Rust,
}

impl Language {
    /// That of a file, by the ending of its name; `None` of others.
    pub fn of(path: &str) -> Option<Self> {
        Some(match path.rsplit_once('.')?.1 {
            "c" => Self::C,
            "h" | "cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "h++" | "ipp" | "inl" | "tpp" => {
                Self::Cpp
            }
            "rs" => Self::Rust,
            _ => return None,
        })
    }
}

/// A source with its tree.
pub struct Source<'a> {
    /// Its language.
    pub language: Language,
    bytes: &'a [u8],
    tree: Tree,
}

impl<'a> Source<'a> {
    /// Reads a source; what is not understood is a part of the tree like all else. `None` where the language is not known.
    pub fn read(path: &str, bytes: &'a [u8]) -> Option<Self> {
        let language = Language::of(path)?;
        let grammar = match language {
            Language::C => tree_sitter_c::LANGUAGE.into(),
            Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        };
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        Some(Self { language, bytes, tree: parser.parse(bytes, None)? })
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(&self.bytes[node.byte_range()]).into_owned()
    }

    /// All nodes, each before those inside of it.
    pub fn nodes(&self) -> Vec<Node<'_>> {
        self.nodes_outside_of(&|_| false)
    }

    /// The same without certain nodes and what is inside of them.
    fn nodes_outside_of(&self, left_out: &dyn Fn(&Node<'_>) -> bool) -> Vec<Node<'_>> {
        let (mut nodes, mut open) = (Vec::new(), vec![self.tree.root_node()]);
        while let Some(node) = open.pop() {
            if left_out(&node) {
                continue;
            }
            nodes.push(node);
            let mut cursor = node.walk();
            let inside: Vec<Node<'_>> = node.children(&mut cursor).collect();
            open.extend(inside.into_iter().rev());
        }
        nodes
    }

    /// What has nothing inside of it, and is no comment.
    pub fn leaves(&self) -> Vec<Node<'_>> {
        let nodes = self.nodes_outside_of(&is_comment).into_iter();
        nodes.filter(|node| node.child_count() == 0 && !node.byte_range().is_empty()).collect()
    }

    /// The texts of all tokens: equal where two sources differ in comments and form only.
    pub fn tokens(&self) -> Vec<String> {
        let text = |node: Node<'_>| self.text(node).trim().to_owned();
        self.leaves().into_iter().map(text).filter(|token| !token.is_empty()).collect()
    }

    /// By lines from 0: whether something stands there that is no comment.
    pub fn code_lines(&self) -> Vec<bool> {
        let mut lines = vec![false; self.bytes.split(|&byte| byte == b'\n').count()];
        for leaf in self.leaves().into_iter().filter(|leaf| !self.text(*leaf).trim().is_empty()) {
            let last = leaf.end_position();
            let end = last.row - usize::from(last.column == 0 && last.row > leaf.start_position().row);
            lines[leaf.start_position().row..=end].fill(true);
        }
        lines
    }

    /// Functions and types, as `(name, is a type, first line, last line)` with lines from 0.
    pub fn items(&self) -> Vec<(String, bool, u32, u32)> {
        let nodes = self.nodes().into_iter();
        let item = |node: Node<'_>| {
            let is_type = match node.kind() {
                "function_definition" | "function_item" => false,
                "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" | "struct_item"
                | "enum_item" | "union_item" | "trait_item" => true,
                _ => return None,
            };
            // A type that is only named is not the type itself.
            if is_type && node.child_by_field_name("body").is_none() {
                return None;
            }
            let lines = (node.start_position().row as u32, node.end_position().row as u32);
            Some((self.name(node)?, is_type, lines.0, lines.1))
        };
        nodes.filter_map(item).collect()
    }

    /// The name of an item, with the type that it is of where that stands with it or around it.
    fn name(&self, node: Node<'_>) -> Option<String> {
        let mut at = node;
        while let Some(inner) = at.child_by_field_name("declarator") {
            at = inner;
        }
        let named = if at == node { node.child_by_field_name("name")? } else { at };
        let name = self.text(named);
        // Branches that directives of the preprocessor cut look like functions: `else if (a) {`.
        if matches!(&*name, "if" | "else" | "for" | "while" | "do" | "switch" | "return" | "sizeof" | "catch") {
            return None;
        }
        let around = std::iter::successors(node.parent(), |node| node.parent());
        let owner = around.into_iter().find_map(|node| match node.kind() {
            "impl_item" => node.child_by_field_name("type"),
            "class_specifier" | "struct_specifier" => node.child_by_field_name("name"),
            _ => None,
        });
        Some(owner.map_or_else(|| name.clone(), |owner| format!("{}::{name}", self.text(owner))))
    }

    /// Of Rust: the functions that are tests, with the bytes that they are, attributes among them.
    pub fn tests(&self) -> Vec<(String, std::ops::Range<usize>)> {
        let mut found = Vec::new();
        for node in self.nodes().into_iter().filter(|node| node.kind() == "function_item") {
            let is_attribute = |node: &Node<'_>| node.kind() == "attribute_item";
            let before = std::iter::successors(node.prev_named_sibling(), |node| node.prev_named_sibling());
            let attributes: Vec<Node<'_>> = before.take_while(is_attribute).collect();
            let is_test = |node: &Node<'_>| {
                let text: String = self.text(*node).split_whitespace().collect();
                text == "#[test]" || text.contains("::test]")
            };
            if let (true, Some(first), Some(name)) =
                (attributes.iter().any(is_test), attributes.last(), node.child_by_field_name("name"))
            {
                found.push((self.text(name), first.start_byte()..node.end_byte()));
            }
        }
        found
    }

    /// Of Rust: the lines (from 0) of what is compiled for tests only, `#[cfg(test)]` and `#[test]` among it.
    pub fn test_lines(&self) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        if self.language != Language::Rust {
            return found;
        }
        for node in self.nodes().into_iter().filter(|node| node.kind() == "attribute_item") {
            let text: String = self.text(node).split_whitespace().collect();
            if !(text.starts_with("#[cfg(test)]")
                || text.starts_with("#[cfg(all(test,")
                || text.starts_with("#[test]")
                || text.contains("::test]"))
            {
                continue;
            }
            let mut item = node.next_named_sibling();
            while let Some(next) = item.filter(|next| next.kind() == "attribute_item" || is_comment(next)) {
                item = next.next_named_sibling();
            }
            let end = item.map_or(node.end_position().row, |item| item.end_position().row);
            found.push((node.start_position().row as u32, end as u32));
        }
        found
    }
}

/// Whether a node is a comment.
pub fn is_comment(node: &Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_form_are_no_tokens() {
        let tokens = |path: &str, text: &str| Source::read(path, text.as_bytes()).expect("a source").tokens();
        assert_eq!(
            tokens("a.c", "int f(void) { return 1; } /* x */"),
            tokens("a.c", "int f(void)\r\n{\n // y\n  return 1;\n}\n")
        );
        assert_ne!(tokens("a.c", "char *s = \"a b\";"), tokens("a.c", "char *s = \"a  b\";"));
        assert_eq!(tokens("a.rs", "/// Doc.\nfn f() {}"), tokens("a.rs", "fn f() {}"));
    }

    #[test]
    fn lines_of_tests_and_items_are_known() {
        let text = "impl S {\n    fn f() {}\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n";
        let source = Source::read("a.rs", text.as_bytes()).expect("a source");
        assert_eq!(source.test_lines()[0], (3, 7));
        let names: Vec<_> = source.items().into_iter().map(|item| item.0).collect();
        assert_eq!(names, ["S::f", "t"]);
        let text = "struct P { int x; };\nint *\nf(struct P *p)\n{\n  return &p->x;\n}\n";
        let source = Source::read("a.c", text.as_bytes()).expect("a source");
        assert_eq!(source.items(), [("P".into(), true, 0, 0), ("f".into(), false, 1, 5)]);
        // What is left of a branch behind a directive is read like a function, and `if` is no name of one.
        let source = Source::read("a.c", b"else if (*a && *b && b > c) {\n").expect("a source");
        assert!(source.nodes().iter().any(|node| node.kind() == "function_definition"));
        assert_eq!(source.items(), []);
        let lines = Source::read("a.c", b"int x; // a\n// b\n\n/* c\n*/\n").expect("a source").code_lines();
        assert_eq!(lines, [true, false, false, false, false, false]);
    }
}
