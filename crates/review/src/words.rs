//! Formulas over what a program is given, as people write them.

use whydunit_terms::{BvOp, Node, Pool, Term};

/// Longer ones are cut short.
const LONGEST: usize = 400;
/// So deep they are written out.
const DEEPEST: usize = 12;

/// A formula in words, cut short where it is long.
pub fn words(pool: &Pool, term: Term) -> String {
    let text = write(pool, term, DEEPEST);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
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
        Node::Not(a) => match *pool.node(a) {
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
        },
        Node::And(a, b) => format!("{} and {}", conjunct(pool, a, depth), conjunct(pool, b, depth)),
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
        Node::FloatCompare(_, _, a, b) => format!("{} ~ {}", part(a), part(b)),
        ref node => {
            let name = format!("{node:?}");
            let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
            let operands: Vec<String> = node.operands().map(of).collect();
            format!("{}({})", name.to_lowercase(), operands.join(", "))
        }
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
    fn formulas_read_as_they_are_written() {
        let mut pool = Pool::new();
        let (x, c) = (pool.variable(Sort::BitVec(64), "arg1"), pool.variable(Sort::BitVec(8), "stdin[0]"));
        let short = pool.truncate(x, 32);
        let four = pool.constant(32, 4);
        let above = pool.compare(Compare::Slt, four, short);
        let minus = pool.constant(8, b'-'.into());
        let is_minus = pool.eq(c, minus);
        let other = pool.not(is_minus);
        let both = pool.and(above, other);
        let text = words(&pool, both);
        assert!(text == "4 < arg1 and stdin[0] != '-'" || text == "stdin[0] != '-' and 4 < arg1", "{text}");
        let either = pool.not(both);
        let text = words(&pool, either);
        assert!(text.contains("(arg1 <= 4)") && text.contains(" or ") && text.contains("stdin[0] == '-'"), "{text}");
    }
}
