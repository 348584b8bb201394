//! Formulas over what a program is given, as people write them.

mod bytes;
mod meaning;
mod texts;

use whydunit_terms::{Assignment, BvOp, FloatCompare, FloatOp, Node, Pool, Term};

use bytes::{OfByte, of_byte};
use meaning::Meaning;
use texts::{OfText, of_text};

/// Longer ones are cut short.
const LONGEST: usize = 400;
/// A part of one that is longer is left out: nobody reads it.
const LONG: usize = 60;
/// Of a path with more conditions nobody reads the others.
const MOST: usize = 400;
/// So deep they are written out.
const DEEPEST: usize = 12;

/// The text that a run was given, by its name. None where there is none.
pub type Texts<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Demands that a run with these values and texts meets, in words: what they say of one value alone is put together. What is long, or not true of
/// the run as it is written (numbers of people have no width), is left out, which is said. None where nothing is left.
pub fn words(pool: &Pool, demands: &[Term], values: &Assignment, own: Texts<'_>) -> Option<String> {
    let meaning = Meaning::new(pool, values);
    let mut left_out = demands.len() > MOST;
    let (mut ranges, mut others): (Vec<(Of, Bounds)>, Vec<String>) = Default::default();
    let (mut texts, mut bytes): (Vec<OfText<'_>>, Vec<OfByte>) = Default::default();
    let mut open: Vec<Term> = demands.iter().take(MOST).rev().copied().collect();
    while let Some(term) = open.pop() {
        if let Node::And(a, b) = *pool.node(term) {
            open.extend([b, a]);
        } else if let Some(said) = of_byte(pool, term) {
            match bytes.iter_mut().find(|known| known.byte == said.byte) {
                Some(known) => known.and(&said),
                None => bytes.push(said),
            }
        } else if let Some(text) = of_text(pool, term) {
            texts.push(text);
        } else if let Some((value, bound)) = Bound::of(pool, term) {
            let Some(of) = Of::true_of(&meaning, pool, term, value, &bound) else {
                left_out = true;
                continue;
            };
            let known = ranges.iter().position(|(known, _)| *known == of).unwrap_or_else(|| {
                ranges.push((of, Bounds::default()));
                ranges.len() - 1
            });
            ranges[known].1.add(bound);
        } else {
            let text = write(pool, term, DEEPEST);
            if text.len() > LONG || !meaning.is_true(term) {
                left_out = true;
                continue;
            }
            let text = if text.contains(" or ") { format!("({text})") } else { text };
            if !others.contains(&text) {
                others.push(text);
            }
        }
    }
    // What a text is says what it is not.
    let is_said = |text: &OfText<'_>| text.same || texts.iter().all(|other| !other.same || other.name != text.name);
    let mut said = Vec::new();
    for text in texts.iter().filter(|text| is_said(text) && !text.empty) {
        match text.words(own(text.name).as_deref()) {
            Some(words) => said.push(words),
            None => left_out = true,
        }
    }
    said.dedup();
    for (of, bounds) in &ranges {
        let text = of.words(pool);
        left_out |= text.len() > LONG;
        if text.len() <= LONG {
            said.extend(bounds.words(&text));
        }
    }
    said.extend(bytes.iter().filter_map(|byte| byte.words(pool)));
    let text = said.into_iter().chain(others).collect::<Vec<_>>().join(" and ");
    match text.char_indices().nth(LONGEST) {
        _ if text.is_empty() => None,
        // Cut between two conditions.
        Some((end, _)) => {
            Some(format!("{} and more", text[..end].rsplit_once(" and ").map_or("…", |(whole, _)| whole)))
        }
        None if left_out => Some(format!("{text} and more")),
        None => Some(text),
    }
}

/// A value that a bound is on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Of {
    value: Term,
    /// The bits that count, where the program has cut it to a number that has no more.
    bits: Option<u32>,
}

impl Of {
    /// What a bound is on, so that it is true of the run. None where it is of nothing that can be said.
    fn true_of(meaning: &Meaning<'_>, pool: &Pool, demand: Term, value: Term, bound: &Bound) -> Option<Self> {
        let number = meaning.number(value)?;
        if bound.allows(number) {
            return Some(Self { value, bits: None });
        }
        let bits = Bound::bits(pool, demand).filter(|bits| *bits < pool.width(value))?;
        let shift = 128 - bits;
        bound.allows((number << shift) >> shift).then_some(Self { value, bits: Some(bits) })
    }

    fn words(self, pool: &Pool) -> String {
        let name = write(pool, self.value, DEEPEST);
        match self.bits {
            Some(bits) => format!("({name} cut to {bits} bits)"),
            None if name.contains(' ') => format!("({name})"),
            None => name,
        }
    }
}

/// What is said of a value alone, with a sign.
enum Bound {
    Least(i128),
    Most(i128),
    Is(i128),
    IsNot(i128),
}

impl Bound {
    /// Whether a number is within it.
    fn allows(&self, number: i128) -> bool {
        match *self {
            Self::Least(least) => number >= least,
            Self::Most(most) => number <= most,
            Self::Is(value) => number == value,
            Self::IsNot(value) => number != value,
        }
    }

    /// The width of the number that a demand compares.
    fn bits(pool: &Pool, term: Term) -> Option<u32> {
        match *pool.node(term) {
            Node::Not(inner) => Self::bits(pool, inner),
            Node::Eq(a, _) if matches!(*pool.node(a), Node::Extract { low: 31 | 63, width: 1, .. }) => {
                let Node::Extract { low, .. } = *pool.node(a) else { return None };
                Some(u32::from(low) + 1)
            }
            Node::Eq(a, _) | Node::Slt(a, _) if !pool.is_bool(a) => Some(pool.width(a)),
            _ => None,
        }
    }

    /// A demand as one on a value.
    fn of(pool: &Pool, term: Term) -> Option<(Term, Self)> {
        let constant = |term: Term| {
            let (value, shift) = (pool.as_constant(term)?, 128 - pool.width(term));
            Some((value << shift) as i128 >> shift)
        };
        // A sign.
        if let Node::Eq(a, b) = *pool.node(term)
            && let Node::Extract { low: 31 | 63, width: 1, of } = *pool.node(a)
        {
            let bound = if pool.as_constant(b)? == 1 { Self::Most(-1) } else { Self::Least(0) };
            return Some((bare(pool, of), bound));
        }
        if let Node::Not(inner) = *pool.node(term)
            && let Node::Eq(a, b) = *pool.node(inner)
            && let Node::Extract { low: 31 | 63, width: 1, of } = *pool.node(a)
        {
            let bound = if pool.as_constant(b)? == 1 { Self::Least(0) } else { Self::Most(-1) };
            return Some((bare(pool, of), bound));
        }
        Some(match *pool.node(term) {
            Node::Eq(a, b) if !pool.is_bool(a) => (bare(pool, a), Self::Is(constant(b)?)),
            Node::Slt(a, b) => match (constant(a), constant(b)) {
                (Some(low), None) => (bare(pool, b), Self::Least(low + 1)),
                (None, Some(high)) => (bare(pool, a), Self::Most(high - 1)),
                _ => return None,
            },
            Node::Not(inner) => match *pool.node(inner) {
                Node::Eq(a, b) if !pool.is_bool(a) => (bare(pool, a), Self::IsNot(constant(b)?)),
                Node::Slt(a, b) => match (constant(a), constant(b)) {
                    (Some(low), None) => (bare(pool, b), Self::Most(low)),
                    (None, Some(high)) => (bare(pool, a), Self::Least(high)),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// A value without what makes it wider or narrower.
fn bare(pool: &Pool, mut term: Term) -> Term {
    loop {
        term = match *pool.node(term) {
            Node::Extract { low: 0, of, .. } | Node::Sext(_, of) => of,
            _ => return term,
        };
    }
}

/// All that is said of a value.
#[derive(Default)]
struct Bounds {
    least: Option<i128>,
    most: Option<i128>,
    not: Vec<i128>,
}

impl Bounds {
    fn add(&mut self, bound: Bound) {
        let higher = |now: Option<i128>, new: i128| Some(now.map_or(new, |now| now.max(new)));
        let lower = |now: Option<i128>, new: i128| Some(now.map_or(new, |now| now.min(new)));
        match bound {
            Bound::Least(value) => self.least = higher(self.least, value),
            Bound::Most(value) => self.most = lower(self.most, value),
            Bound::Is(value) => (self.least, self.most) = (higher(self.least, value), lower(self.most, value)),
            Bound::IsNot(value) => self.not.push(value),
        }
    }

    /// All of it, of a value with this name.
    fn words(&self, name: &str) -> Vec<String> {
        // What any number of the program's is says nothing.
        let least = self.least.filter(|least| *least > i32::MIN.into());
        let most = self.most.filter(|most| *most < i32::MAX.into());
        let mut said = match (least, most) {
            (Some(least), Some(most)) if least == most => return vec![format!("{name} == {}", least)],
            (Some(least), Some(most)) => vec![format!("{name} in {}..{}", least, most)],
            (Some(least), None) => vec![format!("{name} >= {}", least)],
            (None, Some(most)) => vec![format!("{name} <= {}", most)],
            (None, None) => Vec::new(),
        };
        let mut not = self.not.clone();
        not.sort_unstable();
        not.dedup();
        let inside =
            |at: &&i128| self.least.is_none_or(|least| least <= **at) && self.most.is_none_or(|most| **at <= most);
        said.extend(not.iter().filter(inside).map(|at| format!("{name} != {}", at)));
        said
    }
}

/// A number as it is meant most often: with a sign.
fn number(width: u32, value: u128) -> String {
    if width == 8 && (32..127).contains(&value) {
        return format!("'{}'", value as u8 as char);
    }
    let shift = 128 - width;
    ((value << shift) as i128 >> shift).to_string()
}

fn write(pool: &Pool, term: Term, depth: usize) -> String {
    if depth == 0 {
        return "…".into();
    }
    let of = |term: Term| write(pool, term, depth - 1);
    let part = |term: Term| {
        let text = of(term);
        if text.contains(' ') { format!("({text})") } else { text }
    };
    match *pool.node(term) {
        Node::Variable(at) => pool.name(at).to_string(),
        Node::Bool(value) => value.to_string(),
        Node::Constant(width, value) => number(width.into(), value.get()),
        Node::Not(a) => negation(pool, a, &part),
        Node::And(a, b) => format!("{} and {}", conjunct(pool, a, depth), conjunct(pool, b, depth)),
        Node::Eq(a, b) if part(a) == part(b) => format!("{} does not overflow", part(a)),
        Node::Eq(a, b) => format!("{} == {}", part(a), part(b)),
        Node::Slt(a, b) | Node::Ult(a, b) => format!("{} < {}", part(a), part(b)),
        // The result of a comparison as a number.
        Node::Ite(a, b, c) if pool.as_constant(b) == Some(1) && pool.as_constant(c) == Some(0) => part(a),
        Node::Ite(a, b, c) => format!("{} ? {} : {}", part(a), part(b), part(c)),
        Node::Bv(op, a, b) => {
            let sign = match op {
                BvOp::Add => "+",
                BvOp::Sub => "-",
                BvOp::Mul => "*",
                BvOp::UDiv | BvOp::SDiv => "/",
                BvOp::URem | BvOp::SRem => "%",
                BvOp::And => "&",
                BvOp::Or => "|",
                BvOp::Xor => "^",
                BvOp::Shl => "<<",
                BvOp::LShr | BvOp::AShr => ">>",
            };
            format!("{} {sign} {}", part(a), part(b))
        }
        // Of what is wide enough anyway.
        Node::Extract { low: 0, of: inner, .. } => of(inner),
        Node::Extract { low, of: inner, .. } => format!("{} >> {low}", part(inner)),
        Node::Sext(_, inner) => of(inner),
        Node::Concat(high, low) if pool.as_constant(high) == Some(0) => of(low),
        Node::Concat(high, low) => format!("{}:{}", part(high), part(low)),
        Node::FloatCompare(op, _, a, b) => {
            let sign = match op {
                FloatCompare::Eq => "==",
                FloatCompare::Lt => "<",
                FloatCompare::Le => "<=",
            };
            format!("{} {sign} {}", part(a), part(b))
        }
        Node::Float(op, _, _, a, b) => {
            let sign = match op {
                FloatOp::Add => "+",
                FloatOp::Sub => "-",
                FloatOp::Mul => "*",
                FloatOp::Div => "/",
                _ => "mod",
            };
            format!("{} {sign} {}", part(a), part(b))
        }
        // As a cast is written seldom.
        Node::IntToFloat { of: inner, .. }
        | Node::FloatToInt { of: inner, .. }
        | Node::FloatConvert(_, _, _, inner) => of(inner),
        ref node => {
            let name = format!("{node:?}");
            let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
            let operands: Vec<String> = node.operands().map(of).collect();
            format!("{}({})", name.to_lowercase(), operands.join(", "))
        }
    }
}

/// What is not so, `part` the words for a term of it.
fn negation(pool: &Pool, a: Term, part: &dyn Fn(Term) -> String) -> String {
    match *pool.node(a) {
        Node::Eq(x, y) if part(x) == part(y) => format!("{} overflows", part(x)),
        Node::Eq(x, y) => format!("{} != {}", part(x), part(y)),
        Node::Slt(x, y) | Node::Ult(x, y) => format!("{} <= {}", part(y), part(x)),
        Node::And(x, y) if pool.is_bool(a) => {
            let denied = |term: Term| match *pool.node(term) {
                Node::Not(inner) => part(inner),
                Node::Eq(x, y) => format!("({} != {})", part(x), part(y)),
                Node::Slt(x, y) | Node::Ult(x, y) => format!("({} <= {})", part(y), part(x)),
                _ => format!("not {}", part(term)),
            };
            format!("{} or {}", denied(x), denied(y))
        }
        _ if pool.is_bool(a) => format!("not {}", part(a)),
        _ => format!("~{}", part(a)),
    }
}

/// A part of a conjunction: parts of conjunctions need no brackets.
fn conjunct(pool: &Pool, term: Term, depth: usize) -> String {
    let text = write(pool, term, depth - 1);
    if text.contains(" or ") { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_terms::{Compare, Sort};

    #[test]
    fn what_is_said_of_one_value_is_put_together() {
        let mut pool = Pool::new();
        let (x, c) = (pool.variable(Sort::BitVec(64), "arg1"), pool.variable(Sort::BitVec(8), "stdin[0]"));
        let short = pool.truncate(x, 32);
        let above = |pool: &mut Pool, low: u128| {
            let low = pool.constant(32, low);
            pool.compare(Compare::Slt, low, short)
        };
        let (two, four, nine) = (above(&mut pool, 2), above(&mut pool, 4), above(&mut pool, 9));
        let at_most_nine = pool.not(nine);
        let minus = pool.constant(8, b'-'.into());
        let is_minus = pool.eq(c, minus);
        let other = pool.not(is_minus);
        let words = |pool: &Pool, demands: &[Term], arg: i64, byte: u8| {
            let values = [(x, arg as u64 as u128), (c, byte.into())].into_iter().collect();
            words(pool, demands, &values, &|_| None)
        };
        let text = words(&pool, &[two, other, four, at_most_nine], 7, b'x');
        assert_eq!(text.as_deref(), Some("arg1 in 5..9 and stdin[0] != '-'"));
        let both = pool.and(nine, other);
        let either = pool.not(both);
        let text = words(&pool, &[either], 12, b'-').expect("a condition");
        assert!(text.contains("(arg1 <= 9)") && text.contains(" or ") && text.contains("stdin[0] == '-'"), "{text}");
        assert_eq!(words(&pool, &[], 0, 0), None);
    }

    #[test]
    fn what_is_told_is_true_of_the_run_as_it_is_written() {
        let mut pool = Pool::new();
        let x = pool.variable(Sort::BitVec(64), "arg1");
        let short = pool.truncate(x, 32);
        let sign = pool.extract(short, 31, 1);
        let one = pool.constant(1, 1);
        let negative = pool.eq(sign, one);
        let of = |pool: &Pool, demands: &[Term], value: i64| {
            words(pool, demands, &[(x, value as u64 as u128)].into_iter().collect(), &|_| None)
        };
        assert_eq!(of(&pool, &[negative], -5).as_deref(), Some("arg1 <= -1"));
        assert_eq!(of(&pool, &[negative], 3_000_000_000).as_deref(), Some("(arg1 cut to 32 bits) <= -1"));
        // Without a sign a negative number is a large one, which nobody reads so.
        let ten = pool.constant(64, 10);
        let above = pool.compare(Compare::Ult, ten, x);
        assert_eq!(of(&pool, &[above], 11).as_deref(), Some("10 < arg1"));
        assert_eq!(of(&pool, &[above], -1), None);
        let some = of(&pool, &[negative, above], -1);
        assert_eq!(some.as_deref(), Some("arg1 <= -1 and more"), "what is left out is said to be");
    }

    #[test]
    fn texts_are_compared_as_texts() {
        let mut pool = Pool::new();
        let bytes: Vec<Term> = (0..3).map(|at| pool.variable(Sort::BitVec(8), format!("arg1[{at}]"))).collect();
        // As strcmp does: the difference of the first bytes that differ.
        let compared = |pool: &mut Pool, text: &[u8]| {
            let equal = pool.constant(32, 0);
            let result = bytes.iter().zip(text).rev().fold(equal, |rest, (&byte, &other)| {
                let other = pool.constant(8, other.into());
                let same = pool.eq(byte, other);
                let (x, y) = (pool.zext(byte, 32), pool.zext(other, 32));
                let difference = pool.bv(BvOp::Sub, x, y);
                pool.ite(same, rest, difference)
            });
            pool.eq(result, equal)
        };
        let (is_new, is_old) = (compared(&mut pool, b"new"), compared(&mut pool, b"old"));
        let not_new = pool.not(is_new);
        let words =
            |pool: &Pool, demands: &[Term]| words(pool, demands, &Assignment::new(), &|_| None).unwrap_or_default();
        assert_eq!(words(&pool, &[not_new]), "arg1 != \"new\"");
        assert_eq!(words(&pool, &[not_new, is_old]), "arg1 == \"old\"");
        let shorter = compared(&mut pool, b"a\0");
        assert_eq!(words(&pool, &[shorter]), "arg1 == \"a\"");
        // A text that only begins so is not it.
        let own = |pool: &Pool, demands: &[Term], text: &str| {
            super::words(pool, demands, &Assignment::new(), &|_| Some(text.into()))
        };
        assert_eq!(own(&pool, &[is_old], "old").as_deref(), Some("arg1 == \"old\""));
        assert_eq!(own(&pool, &[is_old], "older").as_deref(), Some("arg1 begins with \"old\""));
        assert_eq!(own(&pool, &[not_new], "newer").as_deref(), Some("arg1 != \"new\""));
        assert_eq!(own(&pool, &[not_new], "new"), None, "what is not true of the text is not told");
        // Another byte would do as well: that is no text.
        let either = pool.or(is_new, is_old);
        assert!(!words(&pool, &[either]).contains('"'), "{}", words(&pool, &[either]));
    }
}
