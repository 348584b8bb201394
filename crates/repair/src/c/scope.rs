//! What expressions of a function can be made of: variables with a value, what is reached from them in one step, constants.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::ast::Node;
use crate::expression::{Class, Expression, hash};

/// Methods of C++ whose calls can be left out and done twice.
const PURE_METHODS: &[&str] = &["size", "length", "empty", "at", "front", "back", "c_str", "find", "compare"];

/// A function as it is read: its source, what is known of the rest of the program, and where its variables get values.
pub(crate) struct Reading<'a> {
    pub source: &'a str,
    pub around: &'a Surroundings,
    /// By its id in the tree: the first byte at which a local variable has a value.
    valued: HashMap<&'a str, usize>,
    /// Enumerators that the function names, and their types.
    enums: HashMap<&'a str, &'a str>,
    /// Types that are enumerations, of what the function has, by its text.
    kinds: RefCell<HashMap<String, String>>,
    /// Where macros are called with which statements begin that go on behind them: what stands in these is no expression of the source.
    begun: HashSet<u64>,
}

/// What is known of the program around a function.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Functions of the program without effects, by their names in the source.
    pub pure: HashSet<String>,
    /// What structures have that can be read, by their names: members with their types as C writes them.
    pub members: HashMap<String, Vec<(String, String)>>,
    /// Enumerations: their names, none where they have none, and their enumerators.
    pub enumerations: Vec<(String, Vec<String>)>,
    /// Texts that the project names, as they are written.
    pub texts: Vec<String>,
}

/// A variable that an expression can name.
#[derive(Clone)]
pub(crate) struct Variable<'a> {
    pub id: &'a str,
    pub atom: Expression,
    /// It can be computed with: it is no structure and no array.
    pub is_value: bool,
    /// What its structure, or the one that it points to, has.
    pub members: Vec<Expression>,
}

impl<'a> Reading<'a> {
    pub fn of(source: &'a str, function: Node<'a>, around: &'a Surroundings) -> Self {
        let mut reading = Self {
            source,
            around,
            valued: HashMap::new(),
            enums: HashMap::new(),
            kinds: RefCell::default(),
            begun: HashSet::new(),
        };
        reading.values(function);
        reading.begins(function);
        reading
    }

    /// Notes the macros with which statements begin.
    fn begins(&mut self, node: Node<'a>) {
        if node.is_expansion() {
            return;
        }
        if node.kind().ends_with("Stmt") {
            self.begun.extend(node.called_at("begin"));
        }
        node.children().for_each(|child| self.begins(child));
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
        if node.kind() == "DeclRefExpr" && node.0["referencedDecl"]["kind"] == "EnumConstantDecl" {
            self.enums.insert(node.0["referencedDecl"]["name"].as_str().unwrap_or(""), node.type_name());
        }
        if let Some((id, at)) = written {
            let first = self.valued.entry(id).or_insert(at);
            *first = at.min(*first);
        }
        node.children().for_each(|child| self.values(child));
    }

    /// Of what kind a value of a type is: enumerations of C++ have types of their own.
    pub fn class_of(&self, ty: &str) -> Option<Class> {
        let is_enum = || self.enums.values().any(|known| *known != "int" && last(known) == last(ty));
        Class::of(ty).or_else(|| is_enum().then_some(Class::Int))
    }

    /// What is noted of a value of the enumerations of the program.
    fn note_kind(&self, text: &str, ty: &str) {
        if self.around.enumerations.iter().any(|(name, _)| name == last(ty)) {
            self.kinds.borrow_mut().insert(text.to_string(), last(ty).to_string());
        }
    }

    /// The enumerators that a variable can be; none where it is of no enumeration. Of several of a name it is that of which the
    /// function names an enumerator.
    pub fn enumerators(&self, of: &Expression) -> Option<&'a [String]> {
        let kinds = self.kinds.borrow();
        let kind = kinds.get(&of.text())?;
        let all: Vec<_> = self.around.enumerations.iter().filter(|(name, _)| name == kind).collect();
        let is_named = |values: &[String]| values.iter().any(|value| self.enums.contains_key(value.as_str()));
        let one = all.iter().find(|(_, values)| is_named(values)).or(all.first().filter(|_| all.len() == 1))?;
        Some(&one.1[..])
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
            "ImplicitCastExpr" if node.text("castKind") == "ArrayToPointerDecay" => {
                let array = self.expression(node.child(0)?);
                array.or_else(|| self.atom_of(node, self.class_of(node.type_name())?))
            }
            // An assignment holds together by its parentheses alone.
            "ParenExpr" if node.child(0).is_some_and(is_loose) => self.atom(node),
            _ if is_loose(node) => match self.atom(node)? {
                Expression::Atom { text, class, pure, constant } => {
                    Some(Expression::Atom { text: format!("({text})"), class, pure, constant })
                }
                other => Some(other),
            },
            "ParenExpr" | "ImplicitCastExpr" | "ConstantExpr" | "ExprWithCleanups" => operand(0),
            "IntegerLiteral" => {
                let written = self.source.get(node.range(self.source)?)?;
                match written.parse() {
                    Ok(number) if written == "0" || !written.starts_with('0') => Some(Expression::Number(number)),
                    _ => self.atom(node),
                }
            }
            "MemberExpr" | "ArraySubscriptExpr" | "CallExpr" | "CXXMemberCallExpr" | "CStyleCastExpr" => {
                self.with_operands(node).or_else(|| self.atom(node))
            }
            "UnaryOperator" => match node.text("opcode") {
                "*" => self.with_operands(node).or_else(|| self.atom(node)),
                "-" => Some(match operand(0)? {
                    Expression::Number(number) if number > 0 => Expression::Number(-number),
                    negated => Expression::Unary("-", Box::new(negated)),
                }),
                "!" => Some(Expression::Unary("!", Box::new(self.part(node.child(0)?)?))),
                "~" => Some(Expression::Unary("~", Box::new(operand(0)?))),
                _ => self.atom(node),
            },
            "BinaryOperator" => match operator(node.text("opcode")) {
                Some(operator) => {
                    let [one, other] = [node.child(0)?, node.child(1)?].map(|side| self.part(side));
                    Some(Expression::binary(operator, one?, other?))
                }
                None => self.atom(node),
            },
            "CXXOperatorCallExpr" => match compared_by(node) {
                Some(operator) => {
                    let [one, other] = [node.child(1)?, node.child(2)?].map(|side| self.side(side));
                    Some(Expression::binary(operator, one?, other?))
                }
                None => self.atom(node),
            },
            "ConditionalOperator" => {
                let [test, then, other] = [operand(0)?, operand(1)?, operand(2)?].map(Box::new);
                Some(Expression::Choice(test, then, other))
            }
            _ => self.atom(node),
        }
    }

    /// Of an operator: also what has a value of a kind that is not known, which goes with its own kind only.
    fn part(&self, node: Node<'a>) -> Option<Expression> {
        let own = ["DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "CallExpr"];
        let named = || node.bare().is(&own) || node.is_expansion();
        let class = || Class::Record(hash(node.type_name()));
        self.expression(node).or_else(|| named().then(|| self.atom_of(node, class())).flatten())
    }

    /// Of a comparison of objects: any value.
    fn side(&self, node: Node<'a>) -> Option<Expression> {
        let mut node = node.bare();
        while node.is(&["MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ImplicitCastExpr"]) {
            node = node.child(0)?;
        }
        self.part(node).or_else(|| self.atom_of(node, Class::Record(hash(node.type_name()))))
    }

    fn atom(&self, node: Node<'a>) -> Option<Expression> {
        let class = match node.kind() {
            "CharacterLiteral" => Class::Char,
            _ => self.class_of(node.type_name())?,
        };
        self.atom_of(node, class)
    }

    fn atom_of(&self, node: Node<'a>, class: Class) -> Option<Expression> {
        if node.is_expansion() && node.called_at("begin").is_some_and(|at| self.begun.contains(&at)) {
            return None;
        }
        let text = self.source.get(node.range(self.source)?)?.to_string();
        let constant = node.0["type"]["qualType"] != "" && is_constant(node);
        // A macro may be any text.
        let text = match node.is_expansion() && !text.ends_with(')') && text.contains(char::is_whitespace) {
            true => format!("({text})"),
            false => text,
        };
        Some(Expression::Atom { text, class, pure: self.is_pure(node), constant })
    }

    /// A call, an element, a member, a conversion: what of it could be another expression is an operand.
    fn with_operands(&self, node: Node<'a>) -> Option<Expression> {
        self.with_operands_of(node, self.class_of(node.type_name())?)
    }

    fn with_operands_of(&self, node: Node<'a>, class: Class) -> Option<Expression> {
        let range = node.range(self.source)?;
        let mut parts = Vec::new();
        self.parts(node, &mut parts);
        let (mut pieces, mut operands, mut at) = (Vec::new(), Vec::new(), range.start);
        for part in parts {
            let (Some(inner), Some(operand)) = (part.range(self.source), self.operand(part)) else { continue };
            pieces.push(self.source.get(at..inner.start)?.to_string());
            operands.push(operand);
            at = inner.end;
        }
        pieces.push(self.source.get(at..range.end)?.to_string());
        self.note_kind(self.source.get(range.clone())?, node.type_name());
        // What is written in other ways than people write it stays as it is.
        let lines = pieces.iter().any(|piece| piece.contains('\n') || piece.contains("/*"));
        (!operands.is_empty() && !lines).then(|| Expression::Written {
            pieces,
            operands,
            class,
            pure: self.is_pure(node),
        })
    }

    /// The operands of what stands behind, between or before them.
    fn parts(&self, node: Node<'a>, out: &mut Vec<Node<'a>>) {
        if node.is_expansion() {
            return;
        }
        match node.kind() {
            "MemberExpr" => node.child(0).into_iter().for_each(|base| self.base(base, out)),
            "ArraySubscriptExpr" => {
                node.child(0).into_iter().for_each(|base| self.base(base, out));
                out.extend(node.child(1));
            }
            "CallExpr" => out.extend(node.children().skip(1)),
            "CXXMemberCallExpr" => {
                node.child(0).into_iter().for_each(|callee| self.parts(callee, out));
                out.extend(node.children().skip(1));
            }
            "UnaryOperator" | "CStyleCastExpr" => out.extend(node.child(0)),
            _ => {}
        }
    }

    /// What a member or an element is taken of: an operand where it is a variable.
    fn base(&self, node: Node<'a>, out: &mut Vec<Node<'a>>) {
        let bare = node.bare();
        match bare.kind() {
            "DeclRefExpr" => out.push(bare),
            _ => self.parts(bare, out),
        }
    }

    fn operand(&self, node: Node<'a>) -> Option<Expression> {
        match node.bare() {
            bare if bare.kind() == "DeclRefExpr" && !bare.is_expansion() => {
                self.atom_of(bare, Class::of_operand(bare.type_name())?)
            }
            _ => self.expression(node),
        }
    }

    /// A variable, as an expression names it.
    pub fn variable(&self, declared: Node<'a>) -> Option<Variable<'a>> {
        let class = self.class_of(declared.type_name()).or(Class::of_operand(declared.type_name()))?;
        let text = declared.text("name").to_string();
        let id = declared.text("id");
        if text.is_empty() {
            return None;
        }
        let is_value = self.class_of(declared.type_name()).is_some();
        self.note_kind(&text, declared.type_name());
        let atom = Expression::Atom { text, class, pure: true, constant: false };
        let members = self.members(&atom, declared.type_name());
        Some(Variable { id, atom, is_value, members })
    }

    /// What the structure of an expression has, or the one that it points to.
    pub fn members_of(&self, node: Node<'a>) -> Vec<Expression> {
        let of = match self.class_of(node.type_name()) {
            Some(_) => self.expression(node),
            None => Class::of_operand(node.type_name()).and_then(|class| self.with_operands_of(node, class)),
        };
        of.filter(Expression::is_pure).map(|of| self.members(&of, node.type_name())).unwrap_or_default()
    }

    /// What the structure of something has, or the one that it points to.
    fn members(&self, of: &Expression, ty: &str) -> Vec<Expression> {
        let words =
            ty.split([' ', '*', '&']).filter(|word| !matches!(*word, "" | "const" | "volatile" | "struct" | "class"));
        let [name] = words.collect::<Vec<_>>()[..] else { return Vec::new() };
        let step = match ty.matches('*').count() {
            0 => ".",
            1 => "->",
            _ => return Vec::new(),
        };
        let name = name.rsplit("::").next().unwrap_or(name);
        let member = |(member, ty): &(String, String)| {
            let pieces = vec![String::new(), format!("{step}{member}")];
            let class = self.class_of(ty)?;
            let member = Expression::Written { pieces, operands: vec![of.clone()], class, pure: true };
            self.note_kind(&member.text(), ty);
            Some(member)
        };
        // What a library keeps for itself has such names.
        let is_reserved = |name: &str| name.starts_with('_') && !self.source.contains(name);
        let all = self.around.members.get(name).into_iter().flatten();
        all.filter(|(name, _)| !is_reserved(name)).filter_map(member).collect()
    }

    /// Whether it can be left out and done twice.
    fn is_pure(&self, node: Node<'_>) -> bool {
        self.is_pure_itself(node) && node.children().all(|child| self.is_pure(child))
    }

    /// The same, apart from what it is made of.
    fn is_pure_itself(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "BinaryOperator" => node.text("opcode") != "=",
            "CompoundAssignOperator"
            | "CXXNewExpr"
            | "CXXDeleteExpr"
            | "CXXThrowExpr"
            | "StmtExpr"
            | "LambdaExpr"
            | "AtomicExpr"
            | "VAArgExpr"
            | "CXXConstructExpr" => false,
            "CXXOperatorCallExpr" => compared_by(node).is_some(),
            "UnaryOperator" => !matches!(node.text("opcode"), "++" | "--"),
            "CallExpr" | "CXXMemberCallExpr" => {
                let known = |name: &str, method: bool| match method {
                    true => PURE_METHODS.contains(&name),
                    false => whydunit_library::lookup(name).is_some_and(|known| known.function.is_written_again()),
                };
                called(node).is_some_and(|(name, method)| known(name, method) || self.around.pure.contains(name))
            }
            _ => true,
        }
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

/// The name of a type without those around it.
fn last(ty: &str) -> &str {
    ty.rsplit([':', ' ']).next().unwrap_or(ty)
}

fn operator(written: &str) -> Option<&'static str> {
    use crate::expression::{ARITHMETIC, BITS, COMPARISONS, LOGIC};
    [&COMPARISONS[..], &LOGIC, &ARITHMETIC, &BITS].into_iter().flatten().copied().find(|known| *known == written)
}

/// The operator of a class by which two objects are compared.
fn compared_by(call: Node<'_>) -> Option<&'static str> {
    let (name, _) = called(call).filter(|_| call.children().count() == 3)?;
    let written = name.strip_prefix("operator")?;
    crate::expression::COMPARISONS.into_iter().find(|known| *known == written)
}

/// Whether it is an assignment, or two expressions with a comma between them.
fn is_loose(node: Node<'_>) -> bool {
    match node.kind() {
        "CompoundAssignOperator" => true,
        "BinaryOperator" => operator(node.text("opcode")).is_none(),
        _ => false,
    }
}

/// The name of the function that is called, and whether it is a method.
fn called<'a>(call: Node<'a>) -> Option<(&'a str, bool)> {
    let callee = call.child(0)?.bare();
    match callee.kind() {
        "DeclRefExpr" => Some((callee.0["referencedDecl"]["name"].as_str()?, false)),
        "MemberExpr" => Some((callee.text("name"), true)),
        _ => None,
    }
}

/// Whether it is made of constants only.
pub(crate) fn is_constant(node: Node<'_>) -> bool {
    match node.kind() {
        "DeclRefExpr" => node.0["referencedDecl"]["kind"] == "EnumConstantDecl",
        "CallExpr" | "CXXMemberCallExpr" | "CXXThisExpr" => false,
        _ => node.children().all(is_constant),
    }
}
