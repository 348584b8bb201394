//! Nodes of clang's syntax tree in JSON.

use std::ops::Range;

use serde_json::Value;

#[derive(Clone, Copy)]
pub(crate) struct Node<'a>(pub &'a Value);

impl<'a> Node<'a> {
    pub fn kind(self) -> &'a str {
        self.text("kind")
    }

    pub fn text(self, key: &str) -> &'a str {
        self.0[key].as_str().unwrap_or("")
    }

    pub fn flag(self, key: &str) -> bool {
        self.0[key].as_bool().unwrap_or(false)
    }

    pub fn children(self) -> impl DoubleEndedIterator<Item = Node<'a>> {
        self.0["inner"].as_array().into_iter().flatten().map(Node)
    }

    pub fn child(self, number: usize) -> Option<Node<'a>> {
        self.children().nth(number)
    }

    /// Its type, typedefs taken away.
    pub fn type_name(self) -> &'a str {
        let ty = &self.0["type"];
        ty["desugaredQualType"].as_str().or(ty["qualType"].as_str()).unwrap_or("")
    }

    /// Its type as the source names it.
    pub fn written_type(self) -> &'a str {
        self.0["type"]["qualType"].as_str().unwrap_or("")
    }

    pub fn is(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind())
    }

    /// The node below parentheses and conversions that are not written.
    pub fn bare(self) -> Node<'a> {
        match self.kind() {
            "ParenExpr" | "ImplicitCastExpr" | "ExprWithCleanups" | "ConstantExpr" | "FullExpr" => {
                self.child(0).map_or(self, Node::bare)
            }
            _ => self,
        }
    }

    /// Its bytes in the source; of a macro's expansion those that call the macro. None for what another file has, or where it
    /// begins or ends inside a macro's text.
    pub fn range(self, source: &str) -> Option<Range<usize>> {
        let (begin, end) = (&self.0["range"]["begin"], &self.0["range"]["end"]);
        let start = place(begin)?;
        let last = place(end)?;
        let mut stop = last.0 + last.1;
        if end.get("expansionLoc").is_some() {
            stop = call_ends(source, stop)?;
        }
        // Half of a macro's text and half of none; a call may begin with a macro that is another name of the function.
        let renamed = self.kind() == "CallExpr" && self.child(0).is_some_and(Node::is_expansion);
        let whole = begin.get("expansionLoc").is_none()
            || (renamed || end.get("expansionLoc").is_some()) && last.0 >= start.0
            || self.begins_with_an_expansion(source);
        (whole && start.0 < stop && source.is_char_boundary(start.0) && source.is_char_boundary(stop))
            .then_some(start.0..stop)
    }

    /// Whether its first operand is a macro's expansion, or begins with one, and its operator stands in the source: `isalpha(c) && d`.
    fn begins_with_an_expansion(self, source: &str) -> bool {
        let sign = match self.kind() {
            "BinaryOperator" | "CompoundAssignOperator" => self.text("opcode"),
            "ConditionalOperator" => "?",
            "ImplicitCastExpr" => return self.child(0).is_some_and(|of| of.begins_with_an_expansion(source)),
            _ => return false,
        };
        let (Some(first), Some(second)) = (self.child(0), self.child(1)) else { return false };
        let begins = first.is_expansion() || first.begins_with_an_expansion(source);
        let between = || Some(first.range(source)?.end..second.range(source)?.start);
        begins && between().and_then(|between| source.get(between)).is_some_and(|between| between.contains(sign))
    }

    /// Whether all of it is one macro's expansion.
    pub fn is_expansion(self) -> bool {
        self.called_at("begin").is_some() && self.called_at("begin") == self.called_at("end")
    }

    /// Whether a child stands in the source: of a loop over a range not how it begins, ends and goes on.
    pub fn is_written(self, number: usize) -> bool {
        match self.kind() {
            "CXXForRangeStmt" => !(2..=5).contains(&number),
            // The element that a loop over a range is at.
            "VarDecl" => !self.child(number).is_some_and(|value| names_hidden(value)),
            _ => true,
        }
    }

    /// Whether it is a variable of a loop over a range that the source does not have, or one that is given its elements.
    pub fn is_of_range(self) -> bool {
        self.text("name").starts_with("__") || self.children().any(names_hidden)
    }

    /// Where the macro is called that its `begin` or its `end` is of; none where the source has it itself.
    pub fn called_at(self, which: &str) -> Option<u64> {
        self.0["range"][which]["expansionLoc"]["offset"].as_u64()
    }
}

/// Whether a value is made of the place that a loop over a range is at.
fn names_hidden(value: Node<'_>) -> bool {
    match value.kind() {
        "DeclRefExpr" => value.0["referencedDecl"]["name"].as_str().is_some_and(|name| name.starts_with("__begin")),
        _ => value.children().any(names_hidden),
    }
}

fn place(at: &Value) -> Option<(usize, usize)> {
    let at = at.get("expansionLoc").unwrap_or(at);
    Some((at["offset"].as_u64()? as usize, at["tokLen"].as_u64()? as usize))
}

/// Where a macro's call ends whose name ends at `at`.
fn call_ends(source: &str, at: usize) -> Option<usize> {
    let rest = source.get(at..)?;
    let open = rest.len() - rest.trim_start().len();
    if !rest[open..].starts_with('(') {
        return Some(at);
    }
    let mut depth = 0;
    for (offset, character) in rest.char_indices().skip(open) {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            '"' | '\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + offset + 1);
        }
    }
    None
}
