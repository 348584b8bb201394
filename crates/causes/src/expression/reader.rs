//! Reads expressions as people write them into a debugger, in the words of C, C++ and Rust.

use super::worth::Value;

/// An expression. What is found by it is called by its `text`.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Expression {
    /// A variable.
    Name(String),
    /// A number.
    Number(i128),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Truth(bool),
    /// A text in quotes.
    Text(Vec<u8>),
    /// `of.member`, or `of->member`.
    Member { of: Box<Expression>, member: String, arrow: bool, text: String },
    /// `of[index]`.
    Element { of: Box<Expression>, index: Box<Expression>, text: String },
    /// `*of`.
    Pointee { of: Box<Expression>, text: String },
    /// `&of`.
    Address(Box<Expression>),
    /// `-of`, `+of`, `!of` or `~of`.
    Unary(char, Box<Expression>),
    /// `left operator right`.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `name(arguments)` or `of.name(arguments)`.
    Call(Called),
    /// What was found out already.
    Known(Value),
}

/// A call in an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Called {
    /// The function, or the method.
    pub name: String,
    /// The object that a method is called on.
    pub of: Option<Box<Expression>>,
    /// The object stands behind a pointer: `->`.
    pub arrow: bool,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// The whole call.
    pub text: String,
}

impl Expression {
    /// Whether it has calls.
    pub fn calls(&self) -> bool {
        match self {
            Expression::Call(_) => true,
            Expression::Member { of, .. } | Expression::Pointee { of, .. } => of.calls(),
            Expression::Address(of) | Expression::Unary(_, of) => of.calls(),
            Expression::Element { of, index, .. } => of.calls() || index.calls(),
            Expression::Binary(_, left, right) => left.calls() || right.calls(),
            _ => false,
        }
    }
}

/// Longer texts are no expressions.
const LONGEST: usize = 4096;
/// Expressions nest so deep at most.
const DEEPEST: usize = 64;

/// The operators of two operands, those that bind weakest first; of one length the longer ones stand before.
const BINARY: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Reads an expression; an error says what is wrong with it.
pub fn read(text: &str) -> Result<Expression, String> {
    if text.len() > LONGEST {
        return Err(format!("an expression of {} bytes is too long", text.len()));
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let expression = reader.binary(0)?;
    reader.skip();
    let rest = reader.rest();
    match rest.chars().next() {
        None => Ok(expression),
        Some('=') => Err(format!("`{text}` assigns: a recorded run cannot be changed")),
        Some(_) => Err(format!("`{text}` cannot be read as an expression from `{}` on", start_of(rest))),
    }
}

/// The first characters of a text.
fn start_of(text: &str) -> String {
    text.chars().take(16).collect()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a sign, if it stands next.
    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let is = self.rest().starts_with(sign);
        self.at += if is { sign.len() } else { 0 };
        is
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression nests too deep".into());
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.skip();
        let rest = self.rest();
        let found = BINARY[level].iter().find(|sign| rest.starts_with(**sign))?;
        let after = rest[found.len()..].chars().next();
        // `&` is no half of `&&`, `<` none of `<<`; `=` behind an operator assigns.
        let half = match *found {
            "|" => after == Some('|'),
            "&" => after == Some('&'),
            "<" => after == Some('<'),
            ">" => after == Some('>'),
            _ => false,
        };
        let assigns = after == Some('=') && !matches!(*found, "==" | "!=" | "<=" | ">=");
        if half || assigns {
            return None;
        }
        self.at += found.len();
        Some(found)
    }

    fn binary(&mut self, level: usize) -> Result<Expression, String> {
        if level == BINARY.len() {
            return self.nested(Self::unary);
        }
        let mut left = self.binary(level + 1)?;
        let mut operands = 0;
        while let Some(operator) = self.operator(level) {
            operands += 1;
            if operands > DEEPEST {
                return Err("the expression has too many operands".into());
            }
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, String> {
        self.skip();
        let start = self.at;
        let Some(sign) = self.rest().chars().next().filter(|sign| "*&-+!~".contains(*sign)) else {
            return self.postfix();
        };
        self.at += 1;
        let of = Box::new(self.nested(Self::unary)?);
        Ok(match sign {
            '*' => Expression::Pointee { of, text: self.text[start..self.at].trim().into() },
            '&' => Expression::Address(of),
            sign => Expression::Unary(sign, of),
        })
    }

    fn postfix(&mut self) -> Result<Expression, String> {
        self.skip();
        let start = self.at;
        let mut found = self.primary()?;
        let mut parts = 0;
        loop {
            parts += 1;
            if parts > DEEPEST {
                return Err("the expression has too many members".into());
            }
            let arrow = self.take("->");
            if arrow || self.take(".") {
                let member = self.word();
                if member.is_empty() {
                    return Err(format!("`{}` lacks the name of a member", self.text));
                }
                // Fields of tuples are numbers.
                let number = member.bytes().all(|byte| byte.is_ascii_digit());
                let member = if number { format!("__{member}") } else { member.into() };
                let text = self.text[start..self.at].trim().into();
                found = Expression::Member { of: Box::new(found), member, arrow, text };
            } else if self.take("[") {
                let index = Box::new(self.nested(|reader| reader.binary(0))?);
                if !self.take("]") {
                    return Err(format!("`{}` lacks a `]`", self.text));
                }
                let text = self.text[start..self.at].trim().into();
                found = Expression::Element { of: Box::new(found), index, text };
            } else if self.take("(") {
                let arguments = self.arguments()?;
                let text = self.text[start..self.at].trim().to_owned();
                found = Expression::Call(match found {
                    Expression::Name(name) => Called { name, of: None, arrow: false, arguments, text },
                    Expression::Member { of, member, arrow, .. } => {
                        Called { name: member, of: Some(of), arrow, arguments, text }
                    }
                    _ => return Err(format!("`{text}` calls what has no name")),
                });
            } else {
                return Ok(found);
            }
        }
    }

    /// Arguments up to the closing bracket.
    fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.nested(|reader| reader.binary(0))?);
            if self.take(")") {
                return Ok(arguments);
            }
            if !self.take(",") || arguments.len() > DEEPEST {
                return Err(format!("`{}` lacks a `)`", self.text));
            }
        }
    }

    /// A name or number; empty where none stands next.
    fn word(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn primary(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.nested(|reader| reader.binary(0))?;
            return if self.take(")") { Ok(inner) } else { Err(format!("`{}` lacks a `)`", self.text)) };
        }
        self.skip();
        match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some(_) => {
                let start = self.at;
                if self.word().is_empty() {
                    return Err(format!("`{}` is neither a variable nor a member or element of one", self.text));
                }
                while self.rest().starts_with("::") {
                    self.at += 2;
                    self.word();
                }
                Ok(match &self.text[start..self.at] {
                    "true" => Expression::Truth(true),
                    "false" => Expression::Truth(false),
                    "NULL" | "nullptr" => Expression::Number(0),
                    name => Expression::Name(name.into()),
                })
            }
            None => Err("an expression is missing".into()),
        }
    }

    fn number(&mut self) -> Result<Expression, String> {
        let start = self.at;
        let word = self.word();
        let float = self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if float {
            self.at += 1;
            self.word();
            let text = &self.text[start..self.at];
            let number = text.trim_end_matches(['f', 'F', 'l', 'L']).parse();
            return number.map(Expression::Float).map_err(|_| format!("`{text}` is no number"));
        }
        let plain: String = word.chars().filter(|c| *c != '_').collect();
        let (digits, radix) = match plain.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&plain[2..], 16),
            [b'0', b'b' | b'B', ..] => (&plain[2..], 2),
            _ => (&plain[..], 10),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        let is_suffix = suffix.chars().all(|c| "uUlLiszeu0123456789".contains(c));
        let number = i128::from_str_radix(digits, radix).ok().filter(|_| is_suffix);
        number.map(Expression::Number).ok_or_else(|| format!("`{word}` is no number"))
    }

    fn quoted(&mut self, quote: char) -> Result<Expression, String> {
        self.at += 1;
        let mut bytes = Vec::new();
        let mut characters = self.rest().char_indices();
        while let Some((offset, c)) = characters.next() {
            let c = match c {
                c if c == quote => {
                    self.at += offset + 1;
                    return character(quote, bytes);
                }
                '\\' => match characters.next().map(|(_, c)| c) {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some('0') => '\0',
                    Some(other) => other,
                    None => break,
                },
                c => c,
            };
            bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
        }
        Err(format!("`{}` lacks a closing {quote}", self.text))
    }
}

/// What stood between quotes: a text, or a character.
fn character(quote: char, bytes: Vec<u8>) -> Result<Expression, String> {
    if quote == '"' {
        return Ok(Expression::Text(bytes));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => Ok(Expression::Number(i128::from(u32::from(c)))),
        _ => Err(format!("'{text}' is no character")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_in_the_languages() {
        let sum = |text: &str| read(text).expect("it reads");
        assert_eq!(sum("1 + 2 * 3 == 7 && !0"), sum("((1 + (2 * 3)) == 7) && (!0)"));
        assert_eq!(sum("a & b == c"), sum("a & (b == c)"));
        assert_eq!(sum("1<<2 <= 5"), sum("(1 << 2) <= 5"));
        assert_eq!(sum("0x1fUL"), Expression::Number(31));
        assert_eq!(sum("'\\n'"), Expression::Number(10));
        assert_eq!(sum("1_000u32"), Expression::Number(1000));
        assert_eq!(sum("2.5f"), Expression::Float(2.5));
    }

    #[test]
    fn calls_have_a_name_an_object_and_arguments() {
        let call = |text: &str| match read(text).expect("it reads") {
            Expression::Call(called) => called,
            other => panic!("{other:?} is no call"),
        };
        let plain = call("std::max(a + 1, b[2])");
        assert_eq!((plain.name.as_str(), plain.arguments.len(), plain.of), ("std::max", 2, None));
        let method = call("list->items.size()");
        assert_eq!((method.name.as_str(), method.arrow, method.arguments.len()), ("size", false, 0));
        assert_eq!(*method.of.expect("an object"), read("list->items").expect("it reads"));
        assert!(read("1 + f(g(2)) * 3").expect("it reads").calls() && !read("a.b[3]").expect("it reads").calls());
    }

    #[test]
    fn what_is_no_expression_is_refused_in_words() {
        let refused = |text: &str| read(text).expect_err("it is refused");
        assert!(refused("a = 3").contains("cannot be changed"));
        assert!(refused("a += 3").contains("cannot be"));
        assert!(refused("f(3").contains("lacks a `)`") && refused("3(4)").contains("no name"));
        assert!(refused("").contains("missing") && refused("a[1").contains("lacks a `]`"));
        assert!(refused("(a").contains("lacks a `)`") && refused("a.").contains("member"));
        assert!(refused(&"(".repeat(3000)).contains("too deep"));
        assert!(refused(&"x".repeat(5000)).contains("too long") && refused("\"x").contains("closing"));
        assert!(refused("12abc").contains("no number") && refused("@").contains("neither"));
    }
}
