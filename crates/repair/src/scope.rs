//! What expressions of a function can be made of: variables with a value, what is reached from them in one step, constants.

use std::collections::{HashMap, HashSet};

use crate::ast::Node;
use crate::expression::{Class, Expression};

/// Calls that can be left out and done twice.
const PURE: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "fabs",
    "floor",
    "ceil",
    "sqrt",
    "isalnum",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "ispunct",
    "isxdigit",
    "iscntrl",
    "isprint",
    "toupper",
    "tolower",
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "memcmp",
    "memchr",
    "size",
    "length",
    "empty",
    "at",
    "front",
    "back",
    "c_str",
    "find",
    "compare",
];

/// A function as it is read: its source, and where its variables get values.
pub(crate) struct Reading<'a> {
    pub source: &'a str,
    /// By its id in the tree: the first byte at which a local variable has a value.
    valued: HashMap<&'a str, usize>,
}

/// A variable that an expression can name.
#[derive(Clone)]
pub(crate) struct Variable<'a> {
    pub id: &'a str,
    pub atom: Expression,
}

impl<'a> Reading<'a> {
    pub fn of(source: &'a str, function: Node<'a>) -> Self {
        let mut reading = Self { source, valued: HashMap::new() };
        reading.values(function);
        reading
    }

    /// Notes where variables get values: parameters and initialised ones where they are declared, others where they are first
    /// assigned, or their address is taken.
    fn values(&mut self, node: Node<'a>) {
        let written = match node.kind() {
            "ParmVarDecl" => Some((node.text("id"), 0)),
            "VarDecl" if !node.text("init").is_empty() || node.text("storageClass") == "static" => {
                node.range(self.source).map(|range| (node.text("id"), range.end))
            }
            "BinaryOperator" if node.text("opcode") == "=" => self.target(node),
            "UnaryOperator" if node.text("opcode") == "&" => self.target(node),
            _ => None,
        };
        if let Some((id, at)) = written {
            let first = self.valued.entry(id).or_insert(at);
            *first = at.min(*first);
        }
        node.children().for_each(|child| self.values(child));
    }

    fn target(&self, node: Node<'a>) -> Option<(&'a str, usize)> {
        let target = node.child(0)?.bare();
        let id = (target.kind() == "DeclRefExpr").then(|| target.0["referencedDecl"]["id"].as_str()).flatten()?;
        Some((id, node.range(self.source)?.end))
    }

    /// Whether a local variable has a value at a byte.
    pub fn has_value(&self, id: &str, at: usize) -> bool {
        self.valued.get(id).is_some_and(|first| *first <= at)
    }

    /// An expression of the source; none for what has no value of a kind that is known.
    pub fn expression(&self, node: Node<'a>) -> Option<Expression> {
        if node.is_expansion() {
            return self.atom(node);
        }
        let operand = |number| self.expression(node.child(number)?);
        match node.kind() {
            "ParenExpr" | "ImplicitCastExpr" | "ConstantExpr" | "ExprWithCleanups" => operand(0),
            "IntegerLiteral" => {
                let written = self.source.get(node.range(self.source)?)?;
                match written.parse() {
                    Ok(number) if written == "0" || !written.starts_with('0') => Some(Expression::Number(number)),
                    _ => self.atom(node),
                }
            }
            "UnaryOperator" => match node.text("opcode") {
                "-" => Some(Expression::Unary("-", Box::new(operand(0)?))),
                "!" => Some(Expression::Unary("!", Box::new(operand(0)?))),
                "~" => Some(Expression::Unary("~", Box::new(operand(0)?))),
                _ => self.atom(node),
            },
            "BinaryOperator" => match operator(node.text("opcode")) {
                Some(operator) => Some(Expression::binary(operator, operand(0)?, operand(1)?)),
                None => self.atom(node),
            },
            "ConditionalOperator" => {
                let [test, then, other] = [operand(0)?, operand(1)?, operand(2)?].map(Box::new);
                Some(Expression::Choice(test, then, other))
            }
            _ => self.atom(node),
        }
    }

    fn atom(&self, node: Node<'a>) -> Option<Expression> {
        let text = self.source.get(node.range(self.source)?)?.to_string();
        let class = match node.kind() {
            "CharacterLiteral" => Class::Char,
            _ => Class::of(node.type_name())?,
        };
        let constant = node.0["type"]["qualType"] != "" && is_constant(node);
        // A macro may be any text.
        let text = match node.is_expansion() && !text.ends_with(')') && text.contains(char::is_whitespace) {
            true => format!("({text})"),
            false => text,
        };
        Some(Expression::Atom { text, class, pure: is_pure(node), constant })
    }

    /// A variable, as an expression names it.
    pub fn variable(&self, declared: Node<'a>) -> Option<Variable<'a>> {
        let class = Class::of(declared.type_name())?;
        let text = declared.text("name").to_string();
        let id = declared.text("id");
        if text.is_empty() {
            return None;
        }
        Some(Variable { id, atom: Expression::Atom { text, class, pure: true, constant: false } })
    }

    /// What an expression names: ids of variables.
    pub fn names(node: Node<'a>, ids: &mut HashSet<&'a str>) {
        if node.kind() == "DeclRefExpr"
            && let Some(id) = node.0["referencedDecl"]["id"].as_str()
        {
            ids.insert(id);
        }
        node.children().for_each(|child| Self::names(child, ids));
    }
}

fn operator(written: &str) -> Option<&'static str> {
    use crate::expression::{ARITHMETIC, BITS, COMPARISONS, LOGIC};
    [&COMPARISONS[..], &LOGIC, &ARITHMETIC, &BITS].into_iter().flatten().copied().find(|known| *known == written)
}

/// Whether it can be left out and done twice.
fn is_pure(node: Node<'_>) -> bool {
    let here = match node.kind() {
        "BinaryOperator" => node.text("opcode") != "=",
        "CompoundAssignOperator"
        | "CXXNewExpr"
        | "CXXDeleteExpr"
        | "CXXThrowExpr"
        | "StmtExpr"
        | "LambdaExpr"
        | "AtomicExpr"
        | "VAArgExpr"
        | "CXXConstructExpr"
        | "CXXOperatorCallExpr" => false,
        "UnaryOperator" => !matches!(node.text("opcode"), "++" | "--"),
        "CallExpr" | "CXXMemberCallExpr" => called(node).is_some_and(|name| PURE.contains(&name)),
        _ => true,
    };
    here && node.children().all(is_pure)
}

fn called<'a>(call: Node<'a>) -> Option<&'a str> {
    let callee = call.child(0)?.bare();
    match callee.kind() {
        "DeclRefExpr" => callee.0["referencedDecl"]["name"].as_str(),
        "MemberExpr" => Some(callee.text("name")),
        _ => None,
    }
}

/// Whether it is made of constants only.
fn is_constant(node: Node<'_>) -> bool {
    match node.kind() {
        "DeclRefExpr" => node.0["referencedDecl"]["kind"] == "EnumConstantDecl",
        "CallExpr" | "CXXMemberCallExpr" | "CXXThisExpr" => false,
        _ => node.children().all(is_constant),
    }
}
