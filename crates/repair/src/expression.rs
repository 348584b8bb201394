//! Expressions, and how they are written.

pub(crate) mod kept;

use kept::{CHOICE, Kept};

/// What kind of value an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// A truth value.
    Bool,
    /// An integer: in Rust one whose type is not known, or a number.
    Int,
    /// An integer of a type of Rust's, which goes with no other.
    Sized(Width),
    /// A character.
    Char,
    /// A number with a fraction.
    Float,
    /// A pointer, told from others by a hash of its type.
    Pointer(u32),
    /// A structure, told from others in the same way. It is no value of an expression, only what a member is taken of.
    Record(u32),
}

impl Class {
    /// Of a type as C and C++ write it, typedefs taken away; none for structures and what is not known.
    pub fn of(ty: &str) -> Option<Class> {
        let ty = bare(ty);
        if ty.ends_with('*') {
            return (!ty.contains('(')).then(|| Class::Pointer(hash(&ty)));
        }
        Some(match ty.as_str() {
            "bool" | "_Bool" => Class::Bool,
            "char" | "signed char" | "unsigned char" => Class::Char,
            "float" | "double" | "long double" => Class::Float,
            "short" | "unsigned short" | "int" | "unsigned int" | "unsigned" | "long" | "unsigned long"
            | "long long" | "unsigned long long" => Class::Int,
            other if other.starts_with("enum ") => Class::Int,
            _ => return None,
        })
    }

    /// Of a type that is an operand of what stands behind it: also structures, and arrays as pointers to what they have.
    pub fn of_operand(ty: &str) -> Option<Class> {
        let plain = bare(ty);
        if let Some((element, _)) = plain.split_once('[') {
            return Class::of(&format!("{element} *"));
        }
        let is_record = !plain.contains(['(', '&', '<']) && !plain.ends_with('*');
        Class::of(ty).or_else(|| is_record.then(|| Class::Record(hash(&plain))))
    }

    /// A pointer of any type.
    pub fn is_pointer(self) -> bool {
        matches!(self, Class::Pointer(_))
    }

    /// An integer of any type.
    pub fn is_int(self) -> bool {
        matches!(self, Class::Int | Class::Sized(_))
    }

    /// A number of any kind.
    pub fn is_number(self) -> bool {
        self.is_int() || matches!(self, Class::Char | Class::Float | Class::Bool)
    }

    /// Whether values of both can be compared, added and given to each other without a conversion that loses something.
    pub fn goes_with(self, other: Class) -> bool {
        use Class::{Bool, Char, Float, Int, Pointer, Record, Sized};
        match (self, other) {
            (Pointer(one), Pointer(other)) | (Record(one), Record(other)) => one == other,
            (Sized(one), Sized(other)) => one == other,
            (Sized(_), Int) | (Int, Sized(_)) => true,
            (Float, Float | Int) | (Int, Float | Bool) | (Int | Char, Int | Char) | (Bool, Bool | Int) => true,
            _ => false,
        }
    }
}

/// How wide an integer of Rust is, and whether it has a sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Width {
    /// Bits; none of `usize` and `isize`.
    pub bits: Option<u8>,
    /// It can be negative.
    pub signed: bool,
}

/// A type without qualifiers.
fn bare(ty: &str) -> String {
    let words = ty.split_whitespace().map(|word| word.trim_end_matches("const"));
    words.filter(|word| !matches!(*word, "" | "volatile" | "restrict" | "&")).collect::<Vec<_>>().join(" ")
}

/// FNV-1a.
pub(crate) fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// An expression without side effects, unless it stands in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// What the source has: a variable, a member, an element, a call, a macro.
    Atom {
        /// As it is written.
        text: String,
        /// Of what kind its value is.
        class: Class,
        /// It can be left out and done twice.
        pure: bool,
        /// It does the same at each place of the function: a constant, an enumerator, a macro of them.
        constant: bool,
    },
    /// What the source has with operands in it: a call with its arguments, an element with its index, a member of what is pointed
    /// to.
    Written {
        /// The text between the operands, one piece more than there are of these.
        pieces: Vec<String>,
        /// In their order.
        operands: Vec<Expression>,
        /// Of what kind its value is.
        class: Class,
        /// It can be left out and done twice, where the operands can.
        pure: bool,
    },
    /// A number.
    Number(i64),
    /// An operator before one operand.
    Unary(&'static str, Box<Expression>),
    /// An operator between two.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a ? b : c`
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
}

use Expression::{Atom, Binary, Choice, Number, Unary, Written};

/// Operators that compare.
pub(crate) const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
/// Operators that join truth values.
pub(crate) const LOGIC: [&str; 2] = ["&&", "||"];
/// Operators that compute.
pub(crate) const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
/// Operators on bits.
pub(crate) const BITS: [&str; 5] = ["&", "|", "^", "<<", ">>"];

/// With what expressions of Rust begin that do not hold together.
const LOOSE: [&str; 6] = ["|", "{", "move ", "if ", "match ", "unsafe "];

impl Expression {
    /// Two operands joined.
    pub fn binary(operator: &'static str, left: Expression, right: Expression) -> Self {
        Binary(operator, Box::new(left), Box::new(right))
    }

    /// A statement without its semicolon: it has no value, and cannot be left out.
    pub fn statement(text: &str) -> Self {
        Atom { text: text.into(), class: Class::Record(0), pure: false, constant: false }
    }

    /// Of what kind its value is.
    pub fn class(&self) -> Class {
        match self {
            Atom { class, .. } | Written { class, .. } => *class,
            Number(_) => Class::Int,
            Unary("!", _) => Class::Bool,
            Unary(_, of) => of.class(),
            Binary(operator, ..) if COMPARISONS.contains(operator) || LOGIC.contains(operator) => Class::Bool,
            Binary(_, left, right) => match (left.class(), right.class()) {
                (Class::Float, _) | (_, Class::Float) => Class::Float,
                (pointer @ Class::Pointer(_), _) | (_, pointer @ Class::Pointer(_)) => pointer,
                (sized @ Class::Sized(_), _) | (_, sized @ Class::Sized(_)) => sized,
                _ => Class::Int,
            },
            Choice(_, then, _) => then.class(),
        }
    }

    /// It can be left out and done twice.
    pub fn is_pure(&self) -> bool {
        match self {
            Atom { pure, .. } => *pure,
            Written { pure, operands, .. } => *pure && operands.iter().all(Expression::is_pure),
            Number(_) => true,
            Unary(_, of) => of.is_pure(),
            Binary(_, left, right) => left.is_pure() && right.is_pure(),
            Choice(test, then, other) => test.is_pure() && then.is_pure() && other.is_pure(),
        }
    }

    /// Whether it says which of two values is the larger one.
    pub fn is_order(&self) -> bool {
        matches!(self, Binary("<" | "<=" | ">" | ">=", ..))
    }

    /// How many operators and operands it has. A call is both.
    pub fn size(&self) -> usize {
        match self {
            Written { pieces, .. } if pieces[0].ends_with('(') => 2,
            Atom { .. } | Number(_) | Written { .. } => 1,
            Unary(_, of) => 1 + of.size(),
            Binary(_, left, right) => 1 + left.size() + right.size(),
            Choice(test, then, other) => 1 + test.size() + then.size() + other.size(),
        }
    }

    /// How strongly it holds together, as C's grammar has it.
    fn strength(&self) -> u8 {
        match self {
            Number(number) if *number < 0 => 14,
            Written { pieces, .. } if pieces[0].starts_with("if ") => 3,
            Written { pieces, operands, .. }
                if operands.len() < 3 && pieces.iter().any(|piece| piece.starts_with("..")) =>
            {
                3
            }
            Written { pieces, .. } if pieces.last().is_some_and(|last| last.starts_with(" as ")) => 13,
            Written { pieces, .. } if pieces[0].starts_with(['*', '(', '&', '!']) => 14,
            // What Rust has besides: closures, blocks.
            Atom { text, .. } if LOOSE.iter().any(|head| text.starts_with(head)) => 3,
            Atom { .. } | Number(_) | Written { .. } => 16,
            Unary(..) => 14,
            Binary(operator, ..) => match *operator {
                "*" | "/" | "%" => 13,
                "+" | "-" => 12,
                "<<" | ">>" => 11,
                "<" | "<=" | ">" | ">=" => 10,
                "==" | "!=" => 9,
                "&" => 8,
                "^" => 7,
                "|" => 6,
                "&&" => 5,
                _ => 4,
            },
            Choice(..) => 3,
        }
    }

    /// As it is written.
    pub fn text(&self) -> String {
        self.text_keeping(&Kept::default())
    }

    /// The same, with what is kept of it as it stands in the source.
    pub(crate) fn text_keeping(&self, kept: &Kept) -> String {
        if let Some(text) = kept.text(self) {
            return text.to_string();
        }
        let within = |of: &Expression, least, beside| of.within(least, beside, kept);
        match self {
            Atom { text, .. } => text.clone(),
            Written { pieces, operands, .. } => {
                let mut text = pieces[0].clone();
                for (operand, (before, after)) in operands.iter().zip(pieces.iter().zip(&pieces[1..])) {
                    text.push_str(&within(operand, strength_between(before, after), ""));
                    text.push_str(after);
                }
                text
            }
            Number(number) => number.to_string(),
            Unary(operator, of) => {
                let of = within(of, 14, *operator);
                // `- -x` and `-(-1)`
                let apart = if of.starts_with(operator) { " " } else { "" };
                format!("{operator}{apart}{of}")
            }
            Binary(operator, left, right) => {
                let strength = self.strength();
                // What compilers warn of stands in parentheses.
                let mixed = |side: &Expression| {
                    let inner = side.strength();
                    matches!(side, Binary(..))
                        && (*operator == "||" && inner == 5
                            || matches!(*operator, "&" | "|" | "^" | "<<" | ">>")
                            || inner <= 11 && COMPARISONS.contains(operator))
                };
                let side = |side: &Expression, least, enclosed: bool| {
                    let as_before = enclosed && matches!(side, Binary(..));
                    within(side, if mixed(side) || as_before { 17 } else { least }, *operator)
                };
                let joint = kept.joint(operator, [left, right]);
                let (between, [one, other]) = match joint {
                    Some(joint) => joint,
                    None => (format!(" {operator} "), [false; 2]),
                };
                format!("{}{between}{}", side(left, strength, one), side(right, strength + 1, other))
            }
            Choice(test, then, other) => {
                format!("{} ? {} : {}", within(test, 4, CHOICE), within(then, 4, CHOICE), within(other, 3, CHOICE))
            }
        }
    }

    /// Beside an operator, beside which it must hold together so strongly.
    fn within(&self, least: u8, beside: &str, kept: &Kept) -> String {
        let text = self.text_keeping(kept);
        if self.strength() < least || kept.is_enclosed(self, beside) { format!("({text})") } else { text }
    }

    /// Its operands, and what it is with one of them replaced.
    pub fn with_operand(&self, number: usize, other: Expression) -> Option<Expression> {
        let mut out = self.clone();
        *match (&mut out, number) {
            (Unary(_, of), 0) => of.as_mut(),
            (Written { operands, .. }, number) => operands.get_mut(number)?,
            (Binary(_, left, _), 0) => left.as_mut(),
            (Binary(_, _, right), 1) => right.as_mut(),
            (Choice(test, ..), 0) => test.as_mut(),
            (Choice(_, then, _), 1) => then.as_mut(),
            (Choice(_, _, other), 2) => other.as_mut(),
            _ => return None,
        } = other;
        Some(out)
    }

    /// The name of the member that it is.
    pub fn member(&self) -> Option<&str> {
        let Written { pieces, .. } = self else { return None };
        let last = pieces.last()?;
        last.rsplit_once("->").or(last.rsplit_once('.')).map(|(_, name)| name)
    }

    /// With two of its parts in each other's place.
    pub fn exchanged(&self, one: &Expression, other: &Expression) -> Self {
        if self == one {
            return other.clone();
        }
        if self == other {
            return one.clone();
        }
        let of = |part: &Expression| Box::new(part.exchanged(one, other));
        match self {
            Atom { .. } | Number(_) => self.clone(),
            Written { pieces, operands, class, pure } => Written {
                pieces: pieces.clone(),
                operands: operands.iter().map(|part| part.exchanged(one, other)).collect(),
                class: *class,
                pure: *pure,
            },
            Unary(operator, part) => Unary(operator, of(part)),
            Binary(operator, left, right) => Binary(operator, of(left), of(right)),
            Choice(test, then, otherwise) => Choice(of(test), of(then), of(otherwise)),
        }
    }

    /// Its operands.
    pub fn operands(&self) -> Vec<&Expression> {
        match self {
            Atom { .. } | Number(_) => Vec::new(),
            Written { operands, .. } => operands.iter().collect(),
            Unary(_, of) => vec![of],
            Binary(_, left, right) => vec![left, right],
            Choice(test, then, other) => vec![test, then, other],
        }
    }
}

/// How strongly an operand must hold together between two pieces of text.
fn strength_between(before: &str, after: &str) -> u8 {
    match (before.chars().next_back(), after.trim_start().chars().next()) {
        // A range, a conversion.
        _ if after.starts_with("..") || before.ends_with(['=', '.']) => 4,
        _ if after.starts_with(" as ") => 14,
        (_, Some('-' | '.' | '[' | '?')) => 15,
        (Some('&' | '!'), _) => 14,
        (Some('*' | ')'), _) => 14,
        _ => 3,
    }
}

/// Whether an operator can be computed on its operands, and that of what its operands are made of.
pub(crate) fn sound(expression: &Expression) -> bool {
    is_sound(expression) && expression.operands().into_iter().all(sound)
}

fn is_sound(expression: &Expression) -> bool {
    if let Written { pieces, operands, .. } = expression {
        let whole = |of: &Expression| of.class().is_int() || matches!(of.class(), Class::Char | Class::Bool);
        return operands.iter().zip(&pieces[1..]).all(|(operand, after)| !after.starts_with(']') || whole(operand));
    }
    let Expression::Binary(operator, left_side, right) = expression else { return true };
    let (left, class) = (left_side.class(), right.class());
    match *operator {
        "%" | "&" | "|" | "^" | "<<" | ">>" => {
            let whole = |class: Class| class.is_int() || matches!(class, Class::Char | Class::Bool);
            whole(left) && whole(class) && **right != Expression::Number(0)
        }
        "*" | "/" => !left.is_pointer() && !class.is_pointer() && **right != Expression::Number(0),
        "+" => !(left.is_pointer() && class.is_pointer()),
        // A pointer is compared with another one, and is null or not.
        comparison if COMPARISONS.contains(&comparison) && left.is_pointer() != class.is_pointer() => {
            let other = if left.is_pointer() { right } else { left_side };
            let is_null = matches!(**other, Number(0) | Atom { constant: true, .. });
            is_null && matches!(comparison, "==" | "!=")
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Expression {
        Atom { text: text.into(), class: Class::Int, pure: true, constant: false }
    }

    #[test]
    fn expressions_are_written_as_people_write_them() {
        let sum = || Expression::binary("+", atom("a"), atom("b"));
        let texts = [
            (Expression::binary("*", sum(), atom("c")), "(a + b) * c"),
            (Expression::binary("-", atom("c"), sum()), "c - (a + b)"),
            (Expression::binary("<", sum(), Number(-1)), "a + b < -1"),
            (Expression::binary("||", Expression::binary("&&", atom("a"), atom("b")), atom("c")), "(a && b) || c"),
            (Unary("!", Box::new(Expression::binary("==", atom("a"), atom("b")))), "!(a == b)"),
            (Unary("-", Box::new(Number(-1))), "- -1"),
            (Choice(Box::new(atom("a")), Box::new(sum()), Box::new(Number(0))), "a ? a + b : 0"),
        ];
        for (expression, text) in texts {
            assert_eq!(expression.text(), text);
        }
    }

    #[test]
    fn kinds_are_told_from_types() {
        for (ty, class) in [
            ("const unsigned int", Some(Class::Int)),
            ("char", Some(Class::Char)),
            ("struct node *const", Class::of("const struct node *")),
            ("int (*)(void)", None),
            ("struct node", None),
            ("double", Some(Class::Float)),
        ] {
            assert_eq!(Class::of(ty), class, "{ty}");
        }
    }
}
