//! Terms as SMT-LIB 2: scripts that any solver of bit-vectors, or of bit-vectors and floats, reads.
//!
//! Every term that is not a constant has a name: `v` and its number for a variable, `t` for another, `f` for a float as a
//! value. Each name stands for one operation on names, so that what is shared is written once and nothing nests. Names are
//! abbreviations, which solvers replace by what they stand for; but now and then one is a constant of its own with an
//! equation, since solvers rewrite deep terms slowly.

use std::fmt::Write as _;
use std::io;

use crate::{
    Binding, BvOp, FloatCompare, FloatOp, FloatUnary, Format, Native, Node, Pool, Rounding, Sort, Term, TermMap,
    reachable,
};

/// How deep abbreviations nest. (Z3 4.8.12 takes 15 s for a chain of 300 choices and sums, and 0.4 s with this cut.)
const DEPTH: u8 = 16;

/// Writes a script that asks for the satisfiability of `assertions` under `assumptions`.
pub fn write(pool: &mut Pool, assertions: &[Term], assumptions: &[Term], out: &mut impl io::Write) -> io::Result<()> {
    let mut script = Script::new();
    let terms: Vec<Term> = assertions.iter().chain(assumptions).copied().collect();
    writeln!(out, "(set-logic {})", logic(pool, &terms))?;
    let mut text = String::new();
    let names = script.define(pool, &terms, &mut text);
    out.write_all(text.as_bytes())?;
    for name in &names[..assertions.len()] {
        writeln!(out, "(assert {name})")?;
    }
    if assumptions.is_empty() {
        return writeln!(out, "(check-sat)");
    }
    // What is assumed must be a name of its own.
    for (at, name) in names[assertions.len()..].iter().enumerate() {
        writeln!(out, "(define-fun a{at} () Bool {name})")?;
    }
    let names: Vec<String> = (0..assumptions.len()).map(|at| format!("a{at}")).collect();
    writeln!(out, "(check-sat-assuming ({}))", names.join(" "))
}

/// The smallest logic that has the terms.
pub fn logic(pool: &Pool, terms: &[Term]) -> &'static str {
    let floats = reachable(pool, terms).iter().any(|term| pool.node(*term).is_float());
    if floats { "QF_BVFP" } else { "QF_BV" }
}

/// What a session with a solver has been told: names are defined once, when they are first needed.
#[derive(Clone, Debug, Default)]
pub struct Script {
    native: Native,
    /// Bindings that were told.
    bound: usize,
    /// How deep the abbreviations nest, 0 for a constant.
    bits: TermMap<u8>,
    floats: TermMap<u8>,
    /// The variables that were told.
    variables: Vec<Term>,
}

/// A name in a script: for a term that was prepared by [`Native`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// For a truth value or bits.
    Bits(Term),
    /// For a float of a format.
    Float(Term, Format),
}

impl Script {
    /// A session that was told nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The variables that were declared so far, in the order of their declaration.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// Whether the name of a prepared term is defined.
    pub fn defines(&self, term: Term) -> bool {
        self.bits.contains(term)
    }

    /// Writes what defines `terms` as far as it was not written before, and gives their names.
    pub fn define(&mut self, pool: &mut Pool, terms: &[Term], out: &mut String) -> Vec<String> {
        let prepared: Vec<Term> = terms.iter().map(|term| self.native.prepare(pool, *term)).collect();
        for term in &prepared {
            self.say(pool, Name::Bits(*term), out);
        }
        // A binding can need others that were made before it.
        while self.bound < self.native.bindings().len() {
            let binding = self.native.bindings()[self.bound];
            self.bound += 1;
            self.say(pool, Name::Bits(binding.bits), out);
            self.say(pool, Name::Float(binding.float, binding.format), out);
            let _ = writeln!(out, "(assert {})", self::binding(pool, binding));
        }
        prepared.iter().map(|term| Name::Bits(*term).symbol(pool)).collect()
    }

    /// How deep a name nests that was said.
    fn depth(&self, pool: &Pool, name: Name) -> Option<u8> {
        match name {
            Name::Bits(term) if pool.as_constant(term).is_some() => Some(0),
            Name::Bits(term) => self.bits.get(term),
            Name::Float(term, _) => self.floats.get(term),
        }
    }

    /// Defines a name and those that it is made of.
    fn say(&mut self, pool: &Pool, wanted: Name, out: &mut String) {
        let mut open = vec![wanted];
        while let Some(&next) = open.last() {
            let before = open.len();
            if self.depth(pool, next).is_none() {
                let needs = next.needs(pool);
                let mut deepest = 0;
                for need in needs.into_iter().flatten() {
                    match self.depth(pool, need) {
                        Some(depth) => deepest = deepest.max(depth),
                        None => open.push(need),
                    }
                }
                if open.len() > before {
                    continue;
                }
                let depth = (deepest + 1) % DEPTH;
                match next {
                    Name::Bits(term) if matches!(pool.node(term), Node::Variable(_)) => {
                        self.variables.push(term);
                        self.bits.insert(term, 0);
                    }
                    Name::Bits(term) => {
                        self.bits.insert(term, depth);
                    }
                    Name::Float(term, _) => {
                        self.floats.insert(term, depth);
                    }
                }
                definition(pool, next, depth > 0, out);
            }
            open.pop();
        }
    }
}

impl Name {
    /// The names that its definition uses.
    pub fn needs(self, pool: &Pool) -> [Option<Name>; 3] {
        let mut needs = [None; 3];
        match self {
            Name::Bits(term) => {
                let node = pool.node(term);
                let format = match *node {
                    Node::FloatCompare(_, format, ..) | Node::IsNan(format, _) | Node::FloatToInt { format, .. } => {
                        Some(format)
                    }
                    _ => None,
                };
                for (need, operand) in needs.iter_mut().zip(node.operands()) {
                    *need = Some(format.map_or(Name::Bits(operand), |format| Name::Float(operand, format)));
                }
            }
            Name::Float(term, format) => match *pool.node(term) {
                Node::Ite(c, a, b) => {
                    needs = [Some(Name::Bits(c)), Some(Name::Float(a, format)), Some(Name::Float(b, format))];
                }
                Node::IntToFloat { of, .. } => needs[0] = Some(Name::Bits(of)),
                Node::FloatConvert(from, _, _, a) => needs[0] = Some(Name::Float(a, from)),
                node @ (Node::Float(..) | Node::FloatUnary(..) | Node::Fma(..)) => {
                    for (need, operand) in needs.iter_mut().zip(node.operands()) {
                        *need = Some(Name::Float(operand, format));
                    }
                }
                _ => needs[0] = Some(Name::Bits(term)),
            },
        }
        needs
    }

    /// How it is written; for a constant, that.
    pub fn symbol(self, pool: &Pool) -> String {
        match self {
            Name::Float(term, _) => format!("f{}", term.index()),
            Name::Bits(term) => match *pool.node(term) {
                Node::Bool(value) => value.to_string(),
                Node::Constant(width, value) => literal(width.into(), value.get()),
                Node::Variable(_) => format!("v{}", term.index()),
                _ => format!("t{}", term.index()),
            },
        }
    }

    /// Its sort.
    pub fn sort(self, pool: &Pool) -> String {
        match self {
            Name::Bits(term) => match pool.sort(term) {
                Sort::Bool => "Bool".into(),
                Sort::BitVec(width) => format!("(_ BitVec {width})"),
            },
            Name::Float(_, format) => {
                format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())
            }
        }
    }

    /// What it stands for, over the names that it needs.
    pub fn body(self, pool: &Pool) -> String {
        match self {
            Name::Bits(term) => bits_body(pool, term),
            Name::Float(term, format) => float_body(pool, term, format),
        }
    }
}

/// The equation between the bits of a float and its value.
pub fn binding(pool: &Pool, Binding { bits, float, format }: Binding) -> String {
    format!("(= ({} v{}) {})", to_fp(format), bits.index(), Name::Float(float, format).symbol(pool))
}

/// A constant bit-vector.
fn literal(width: u32, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

fn to_fp(format: Format) -> String {
    format!("(_ to_fp {} {})", format.exponent_bits(), format.significand_bits())
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::Down => "RTN",
        Rounding::Up => "RTP",
        Rounding::Zero => "RTZ",
    }
}

/// Defines a name as an abbreviation, or as a constant with an equation.
fn definition(pool: &Pool, name: Name, abbreviated: bool, out: &mut String) {
    let (symbol, sort) = (name.symbol(pool), name.sort(pool));
    if let Name::Bits(term) = name
        && let Node::Variable(number) = *pool.node(term)
    {
        let comment: String = pool.name(number).chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(out, "(declare-const {symbol} {sort}) ; {comment}");
        return;
    }
    let body = name.body(pool);
    let _ = if abbreviated {
        writeln!(out, "(define-fun {symbol} () {sort} {body})")
    } else {
        writeln!(out, "(declare-const {symbol} {sort})\n(assert (= {symbol} {body}))")
    };
}

/// What the bits of a term are, over names.
fn bits_body(pool: &Pool, term: Term) -> String {
    let of = |term: Term| Name::Bits(term).symbol(pool);
    let truth = pool.is_bool(term);
    match *pool.node(term) {
        Node::Not(a) if truth => format!("(not {})", of(a)),
        Node::Not(a) => format!("(bvnot {})", of(a)),
        Node::And(a, b) => format!("(and {} {})", of(a), of(b)),
        Node::Eq(a, b) => format!("(= {} {})", of(a), of(b)),
        Node::Ite(c, a, b) => format!("(ite {} {} {})", of(c), of(a), of(b)),
        Node::Bv(BvOp::Sub, zero, a) if pool.as_constant(zero) == Some(0) => format!("(bvneg {})", of(a)),
        Node::Bv(op, a, b) => format!("({} {} {})", operator(op), of(a), of(b)),
        Node::Ult(a, b) => format!("(bvult {} {})", of(a), of(b)),
        Node::Slt(a, b) => format!("(bvslt {} {})", of(a), of(b)),
        Node::Extract { low, width, of: a } => {
            let (low, width) = (u32::from(low), u32::from(width));
            format!("((_ extract {} {low}) {})", low + width - 1, of(a))
        }
        Node::Concat(high, low) => format!("(concat {} {})", of(high), of(low)),
        Node::Sext(width, a) => format!("((_ sign_extend {}) {})", u32::from(width) - pool.width(a), of(a)),
        Node::FloatCompare(compare, _, a, b) => {
            let operator = match compare {
                FloatCompare::Eq => "fp.eq",
                FloatCompare::Lt => "fp.lt",
                FloatCompare::Le => "fp.leq",
            };
            format!("({operator} f{} f{})", a.index(), b.index())
        }
        Node::IsNan(_, a) => format!("(fp.isNaN f{})", a.index()),
        Node::FloatToInt { signed, width, of: a, .. } => {
            let operator = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
            format!("((_ {operator} {width}) RTZ f{})", a.index())
        }
        // Constants and variables are names themselves, and prepared terms have no bits of computed floats.
        _ => of(term),
    }
}

fn operator(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::UDiv => "bvudiv",
        BvOp::SDiv => "bvsdiv",
        BvOp::URem => "bvurem",
        BvOp::SRem => "bvsrem",
        BvOp::Shl => "bvshl",
        BvOp::LShr => "bvlshr",
        BvOp::AShr => "bvashr",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
    }
}

/// What a term is as a float, over names.
fn float_body(pool: &Pool, term: Term, format: Format) -> String {
    let of = |term: Term| format!("f{}", term.index());
    match *pool.node(term) {
        Node::Ite(c, a, b) => format!("(ite {} {} {})", Name::Bits(c).symbol(pool), of(a), of(b)),
        Node::Float(FloatOp::Rem, _, _, a, b) => remainder(&of(a), &of(b), format),
        Node::Float(op, _, rounding, a, b) => {
            let operator = match op {
                FloatOp::Add => "fp.add",
                FloatOp::Sub => "fp.sub",
                FloatOp::Mul => "fp.mul",
                _ => "fp.div",
            };
            format!("({operator} {} {} {})", mode(rounding), of(a), of(b))
        }
        Node::FloatUnary(op, _, rounding, a) => match op {
            FloatUnary::Neg => format!("(fp.neg {})", of(a)),
            FloatUnary::Abs => format!("(fp.abs {})", of(a)),
            FloatUnary::Sqrt => format!("(fp.sqrt {} {})", mode(rounding), of(a)),
            FloatUnary::Floor => format!("(fp.roundToIntegral RTN {})", of(a)),
            FloatUnary::Ceil => format!("(fp.roundToIntegral RTP {})", of(a)),
            FloatUnary::Trunc => format!("(fp.roundToIntegral RTZ {})", of(a)),
            FloatUnary::Rint => format!("(fp.roundToIntegral RNE {})", of(a)),
            FloatUnary::Round => format!("(fp.roundToIntegral RNA {})", of(a)),
        },
        Node::Fma(_, rounding, [a, b, c]) => format!("(fp.fma {} {} {} {})", mode(rounding), of(a), of(b), of(c)),
        Node::FloatConvert(_, to, rounding, a) => format!("({} {} {})", to_fp(to), mode(rounding), of(a)),
        Node::IntToFloat { signed, rounding, of: a, .. } => {
            let operator = if signed { "to_fp" } else { "to_fp_unsigned" };
            let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
            let a = Name::Bits(a).symbol(pool);
            format!("((_ {operator} {exponent} {significand}) {} {a})", mode(rounding))
        }
        _ => from_bits(&Name::Bits(term).symbol(pool), format),
    }
}

/// C's remainder of the IEEE one, whose quotient is rounded to nearest: of magnitudes it is one divisor short at most.
fn remainder(a: &str, b: &str, format: Format) -> String {
    let zero = format!("(_ +zero {} {})", format.exponent_bits(), format.significand_bits());
    format!(
        "(let ((b (fp.abs {b}))) (let ((r (fp.rem (fp.abs {a}) b))) \
         (let ((m (fp.abs (ite (fp.lt r {zero}) (fp.add RNE r b) r)))) (ite (fp.isNegative {a}) (fp.neg m) m))))"
    )
}

/// A float of its bits.
fn from_bits(bits: &str, format: Format) -> String {
    if format != Format::Extended {
        return format!("({} {bits})", to_fp(format));
    }
    // Without the integer bit; over the exponent 0 that bit counts as the exponent 1, elsewhere it must be there.
    format!(
        "(let ((s ((_ extract 79 79) {bits})) (e ((_ extract 78 64) {bits})) (i ((_ extract 63 63) {bits})) \
         (m ((_ extract 62 0) {bits}))) (ite (= e #b{zeros}) ({to_fp} (concat s (concat #b{short} (concat i m)))) \
         (ite (= i #b1) ({to_fp} (concat s (concat e m))) (_ NaN 15 64))))",
        zeros = "0".repeat(15),
        short = "0".repeat(14),
        to_fp = to_fp(format)
    )
}
