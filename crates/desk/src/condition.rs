//! Conditions in the sense of the source: what a compiler branches on may be the opposite of what stands there (`!a` branches
//! on `a`), and only an operand of it (`a && b`).

use whydunit_causes::condition::{Test, Tested};
use whydunit_findings::Sources;

use crate::ProjectSources;

/// So many lines around one can belong to its condition.
const AROUND: u32 = 6;
/// A condition of more characters is not told in whole.
const LONGEST: usize = 120;

/// How the source says what a branch depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condition {
    /// The source says the opposite.
    pub negated: bool,
    /// It is this operand of a larger condition.
    pub part: Option<String>,
    /// It is known where in the source it stands; else it may be any operand of what stands there.
    pub known: bool,
}

impl Condition {
    /// What is tested at a line and column of a file; as the compiler has it where that is not known.
    pub fn at(sources: &ProjectSources, file: &str, tested: Option<(u32, u32)>) -> Self {
        let found = tested.and_then(|tested| Text::around(sources, file, tested)?.find());
        found
            .map(|found| Self { negated: found.negated, part: found.is_part.then_some(found.text), known: true })
            .unwrap_or_default()
    }

    /// That it is otherwise, as `how` says (`the opposite`, `always true`), with the place of its statement and the code there. Which one
    /// it is of several that are joined is not told where it is not known, nor what it is then.
    pub fn otherwise(&self, (place, code): (&str, &str), how: &str) -> String {
        match !self.known && ["&&", "||", " and ", " or "].iter().any(|join| code.contains(join)) {
            true => format!("one of the conditions of {place} went another way"),
            false => format!("{} were {how}", self.told(place)),
        }
    }

    /// As it is told with the place of its statement.
    pub fn told(&self, place: &str) -> String {
        match &self.part {
            Some(part) => format!("`{part}` in the condition of {place}"),
            None => format!("the condition of {place}"),
        }
    }
}

/// What stands in the source where a branch tests something, and which truth that has where the branch is taken (`taken`) or not.
/// None where it cannot be told for certain: a macro stands there, a check that the compiler made, or the source is not known.
pub fn stated(sources: &ProjectSources, file: &str, tested: &Tested, taken: bool) -> Option<(String, bool)> {
    let text = Text::around(sources, file, tested.place)?;
    let (stated, truth) = match &tested.test {
        Test::Whole => (text.behind_keyword()?, taken),
        test => {
            let found = text.find().filter(|found| found.is_condition && (text.rust || !has_words(&found.text)))?;
            if !says(&found.core, test) || !text.stands(&found.core, tested) {
                return None;
            }
            (found.text, taken ^ tested.negated ^ found.negated)
        }
    };
    (stated.chars().count() <= LONGEST && !stated.is_empty()).then_some((stated, truth))
}

/// Whether an operand without its negations says what is tested.
fn says(core: &str, test: &Test) -> bool {
    let signs = relations(core);
    let call = call_of(core);
    // Without a call it is a variable, which can hold what a function gave.
    let is_call = |called: &Option<String>| call.is_none() || call == called.as_deref().map(last_name);
    match (&signs[..], test) {
        ([sign], Test::Compared { sign: tested, .. }) => sign == tested,
        // Operators that are functions.
        ([sign], Test::Truth(Some(called))) => {
            let named = [("==", "eq"), ("!=", "ne"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")];
            let of_rust = named.iter().any(|(known, name)| known == sign && name == called);
            of_rust || called.strip_prefix("operator") == Some(sign)
        }
        ([], Test::Compared { sign: "!=", with_zero: true, called } | Test::Truth(called)) => {
            is_call(called) && !is_constant(core)
        }
        _ => false,
    }
}

/// Whether a condition of C++ has operators that are words.
fn has_words(text: &str) -> bool {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.into_iter().any(|word| matches!(word, "not" | "and" | "or" | "xor" | "not_eq" | "bitand" | "bitor" | "compl"))
}

/// A name that is written as those of macros are.
fn is_constant(core: &str) -> bool {
    !core.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// A function's name without what it belongs to and what it was made for.
fn last_name(name: &str) -> &str {
    let name = name.split(['<', '(']).next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// The name of the function that an operand calls as a whole.
fn call_of(core: &str) -> Option<&str> {
    let bytes = core.as_bytes();
    let mut depth = 0_usize;
    let open = (0..bytes.len()).rev().find(|&at| {
        match bytes[at] {
            b')' => depth += 1,
            b'(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let before = core.get(..open.filter(|_| core.ends_with(')'))?)?.trim_end();
    let start = before.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!'))).map_or(0, |at| at + 1);
    before.get(start..).filter(|name| !name.is_empty())
}

/// The comparisons of an operand's own level.
fn relations(core: &str) -> Vec<&'static str> {
    const ALL: [&str; 14] = ["<<=", ">>=", "<<", ">>", "->", "=>", "<=", ">=", "==", "!=", "<", ">", "=", "::<"];
    let (mut rest, mut depth, mut found) = (core, 0_usize, Vec::new());
    while let Some(first) = rest.chars().next() {
        let sign = ALL.iter().find(|sign| rest.starts_with(**sign));
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(sign) = sign.filter(|sign| depth == 0 && !matches!(**sign, "->" | "<<" | ">>")) {
            found.push(*sign);
        }
        rest = &rest[sign.map_or(first.len_utf8(), |sign| sign.len())..];
    }
    found
}

/// Lines around a place.
struct Text {
    /// As they are.
    own: String,
    /// As long, without comments and what stands in quotes.
    code: Vec<u8>,
    place: usize,
    rust: bool,
}

/// What is tested at a place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    negated: bool,
    /// With its negations.
    text: String,
    /// Without them.
    core: String,
    /// It is an operand of a larger condition.
    is_part: bool,
    /// It stands where a condition stands.
    is_condition: bool,
}

/// What ends an operand on one of its sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edge {
    Parenthesis,
    Connector,
    Keyword,
    Question,
    Brace,
    Other,
}

impl Text {
    fn around(sources: &ProjectSources, file: &str, (line, column): (u32, u32)) -> Option<Self> {
        let first = line.saturating_sub(AROUND).max(1);
        let (mut own, mut place) = (String::new(), None);
        for number in first..=line + AROUND {
            let Some(text) = sources.line(file, number) else { continue };
            if number == line {
                place = Some(own.len() + (column as usize).saturating_sub(1).min(text.len()));
            }
            own += &text;
            own.push('\n');
        }
        Some(Self::new(own, place?, file.ends_with(".rs")))
    }

    fn new(own: String, place: usize, rust: bool) -> Self {
        let code = masked(own.as_bytes());
        Self { own, code, place, rust }
    }

    /// The left side of the operand around `from`: where it begins, and what stands before.
    fn left(&self, from: usize) -> (usize, Edge) {
        let text = &self.code;
        let (mut at, mut depth) = (from, 0_usize);
        while at > 0 {
            at -= 1;
            match text[at] {
                b')' | b']' => depth += 1,
                b'(' | b'[' if depth == 0 => {
                    return (at + 1, if text[at] == b'(' { Edge::Parenthesis } else { Edge::Other });
                }
                b'(' | b'[' => depth -= 1,
                _ if depth > 0 => {}
                b'&' | b'|' if at > 0 && text[at - 1] == text[at] => return (at + 1, Edge::Connector),
                b':' if at > 0 && text[at - 1] == b':' => at -= 1,
                b';' | b'{' | b'}' | b',' | b'?' | b':' => return (at + 1, Edge::Other),
                b'=' => {
                    let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
                    if text.get(at + 1) != Some(&b'=') && !matches!(before, b'=' | b'!' | b'<' | b'>') {
                        return (at + 1, Edge::Other);
                    }
                }
                b' ' | b'\n' | b'\t' => {
                    let word = text[..at].rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
                    match word {
                        b"if" | b"while" if self.rust => return (at + 1, Edge::Keyword),
                        b"return" | b"match" | b"in" | b"else" => return (at + 1, Edge::Other),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        (0, Edge::Other)
    }

    /// The right side of the operand around `from`.
    fn right(&self, from: usize) -> (usize, Edge) {
        let text = &self.code;
        let (mut depth, mut at) = (0_usize, from);
        while at < text.len() {
            match text[at] {
                b'(' | b'[' => depth += 1,
                b')' | b']' if depth == 0 => {
                    return (at, if text[at] == b')' { Edge::Parenthesis } else { Edge::Other });
                }
                b')' | b']' => depth -= 1,
                _ if depth > 0 => {}
                b'&' | b'|' if text.get(at + 1) == Some(&text[at]) => return (at, Edge::Connector),
                b':' if text.get(at + 1) == Some(&b':') => at += 1,
                b'?' => return (at, Edge::Question),
                b'{' => return (at, Edge::Brace),
                b';' | b'}' | b',' | b':' => return (at, Edge::Other),
                _ => {}
            }
            at += 1;
        }
        (text.len(), Edge::Other)
    }

    /// Whether what is tested stands there itself, and not in a macro: in C a comparison is where its sign is, and a name is the
    /// value's; in Rust macros are told by their mark.
    fn stands(&self, core: &str, tested: &Tested) -> bool {
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        if self.rust {
            let is_macro =
                |three: &[u8]| is_word(three[0]) && three[1] == b'!' && matches!(three[2], b'(' | b'[' | b'{');
            return !core.as_bytes().windows(3).any(is_macro);
        }
        let rest = &self.code[self.place.min(self.code.len())..];
        if let [sign] = relations(core)[..] {
            return rest.starts_with(sign.as_bytes());
        }
        let [own] = &words(core)[..] else { return true };
        tested.named.as_ref().is_some_and(|named| words(named).contains(own))
    }

    /// Some of the source in one line.
    fn words(&self, begin: usize, end: usize) -> Option<String> {
        let text = String::from_utf8_lossy(self.own.as_bytes().get(begin..end)?).into_owned();
        let plain = self.code.get(begin..end)?.iter().zip(text.bytes()).all(|(code, own)| *code != b' ' || own != b'/');
        plain.then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// What is tested at the place. None in an argument of a call.
    fn find(&self) -> Option<Found> {
        let (mut negated, mut inside, mut first) = (false, self.place, None);
        loop {
            let (begin, before) = self.left(inside);
            let (end, behind) = self.right(inside);
            let operand = self.code.get(begin..end)?;
            let count = negations(operand.trim_ascii());
            negated ^= count % 2 == 1;
            if first.is_none() {
                let own = self.words(begin, end)?;
                first = Some(if count > 0 { own.trim_start_matches(['!', ' ']).to_owned() } else { own });
            }
            let text = self.words(begin, end)?;
            let found = |is_part, is_condition| {
                let core = first.clone().unwrap_or_default();
                Some(Found { negated, text: text.clone(), core, is_part, is_condition })
            };
            if before == Edge::Connector || behind == Edge::Connector {
                return found(true, true);
            }
            if before != Edge::Parenthesis || behind != Edge::Parenthesis {
                let is_condition =
                    before == Edge::Keyword && behind == Edge::Brace || behind == Edge::Question && !self.rust;
                return found(false, is_condition || before == Edge::Other && self.is_middle_of_for(begin, end));
            }
            let word = self.code[..begin - 1].trim_ascii_end().rsplit(|byte| !is_word(*byte)).next()?;
            match word {
                b"" => inside = begin - 1,
                b"if" | b"while" if self.rust => inside = begin - 1,
                b"if" | b"while" => return found(false, true),
                b"for" | b"switch" => return found(false, false),
                // An argument of a call is not what is tested.
                _ => return None,
            }
        }
    }

    /// Whether an operand is the condition of a `for` of C.
    fn is_middle_of_for(&self, begin: usize, end: usize) -> bool {
        if self.rust || self.code.get(end) != Some(&b';') || begin == 0 || self.code[begin - 1] != b';' {
            return false;
        }
        let mut at = begin - 1;
        let mut depth = 0_usize;
        while at > 0 {
            at -= 1;
            match self.code[at] {
                b')' => depth += 1,
                b'(' if depth == 0 => return self.code[..at].trim_ascii_end().ends_with(b"for"),
                b'(' => depth -= 1,
                b';' | b'{' | b'}' if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// The whole condition of the statement of C that begins at the place.
    fn behind_keyword(&self) -> Option<String> {
        let rest = self.code.get(self.place..).filter(|_| !self.rust)?;
        let keyword = ["while", "for"].into_iter().find(|word| {
            rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(|byte| is_word(*byte))
        })?;
        let open =
            self.place + keyword.len() + rest[keyword.len()..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        if self.code[open] != b'(' {
            return None;
        }
        let (mut depth, mut parts) = (1_usize, vec![open + 1]);
        for at in open + 1..self.code.len() {
            match self.code[at] {
                b'(' | b'{' | b'[' => depth += 1,
                b')' | b'}' | b']' => depth -= 1,
                b';' if depth == 1 => parts.push(at + 1),
                _ => {}
            }
            if depth == 0 {
                parts.push(at + 1);
                break;
            }
        }
        match (keyword, &parts[..]) {
            ("while", [begin, end]) if depth == 0 => self.words(*begin, end - 1),
            ("for", [_, begin, end, _]) if depth == 0 => self.words(*begin, end - 1),
            _ => None,
        }
    }
}

/// A text without what stands in comments and quotes, as long as it was.
fn masked(text: &[u8]) -> Vec<u8> {
    let mut code = text.to_vec();
    let mut at = 0;
    while at < code.len() {
        let rest = &text[at..];
        let end = |length: usize| (at + length).min(text.len());
        if rest.starts_with(b"//") {
            let end = end(rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()));
            code[at..end].fill(b' ');
            at = end;
        } else if rest.starts_with(b"/*") {
            let end = end(rest.windows(2).position(|two| two == b"*/").map_or(rest.len(), |at| at + 2));
            code[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            at = end;
        } else if let Some(length) = quoted(rest) {
            code[at + 1..at + length - 1].fill(b'_');
            at += length;
        } else {
            at += 1;
        }
    }
    code
}

/// The length of the literal in quotes at the beginning of a text; none of a lifetime of Rust.
fn quoted(text: &[u8]) -> Option<usize> {
    let quote = *text.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return (quote == b'"' || at <= 8).then_some(at + 1),
            _ => at += 1,
        }
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many negations stand before an operand that is negated as a whole.
fn negations(operand: &[u8]) -> usize {
    let mut rest = operand;
    let mut count = 0;
    while let [b'!', behind @ ..] = rest {
        count += 1;
        rest = behind.trim_ascii_start();
    }
    let mut depth = 0_usize;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            // `->` is no operator of two values; what begins with `*`, `&` or `-` is one value.
            b'>' if at > 0 && rest[at - 1] == b'-' => {}
            b'-' if rest.get(at + 1) == Some(&b'>') => {}
            b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' if at > 0 => return 0,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is tested at the first `#` of a text, which stands before it.
    fn tested(text: &str) -> (bool, Option<String>) {
        let place = text.find('#').expect("a place");
        let found = Text::new(text.replacen('#', "", 1), place, false).find();
        found.map_or((false, None), |found| (found.negated, found.is_part.then_some(found.text)))
    }

    #[test]
    fn negations_are_seen() {
        for text in
            ["if (!#a)", "if (!#strcmp(a, b))", "while (!(n #> 3)) {", "for (; !#p->next; )", "x = !#a ? 1 : 2;"]
        {
            assert_eq!(tested(text), (true, None), "{text}");
        }
        for text in
            ["if (#a)", "if (!!#a)", "if (!a #== b)", "while (n #> 3)", "for (i = 0; i #< n; i++)", "if (f(!#a))"]
        {
            assert_eq!(tested(text), (false, None), "{text}");
        }
    }

    #[test]
    fn operands_of_larger_conditions_are_told() {
        let part = |text: &str| Some(text.to_string());
        assert_eq!(tested("if (a && !#b)"), (true, part("!b")));
        assert_eq!(tested("if (!(#a || b))"), (false, part("a")));
        assert_eq!(tested("if (!(x #< 3) &&\n    b)"), (true, part("!(x < 3)")));
        assert_eq!(tested("while (*#p && (*p)->value < v)"), (false, part("*p")));
    }

    /// What is said of a text whose mark is where a test stands.
    fn stated(text: &str, rust: bool, test: Test) -> Option<(String, bool)> {
        let place = text.find('#').expect("a place");
        let project = tempfile::tempdir().expect("a folder");
        let file = if rust { "a.rs" } else { "a.c" };
        std::fs::write(project.path().join(file), text.replacen('#', "", 1)).expect("a file");
        let named = Some("p a b done s".to_string());
        let tested = Tested { place: (1, place as u32 + 1), negated: false, test, named };
        super::stated(&ProjectSources::new(project.path()), file, &tested, true)
    }

    fn compared(sign: &'static str, with_zero: bool) -> Test {
        Test::Compared { sign, with_zero, called: None }
    }

    fn says(text: &str, truth: bool) -> Option<(String, bool)> {
        Some((text.to_string(), truth))
    }

    #[test]
    fn conditions_are_told_as_they_stand_there_with_their_own_truth() {
        let truth = || compared("!=", true);
        assert_eq!(stated("if (!#p)", false, truth()), says("!p", false));
        assert_eq!(stated("if (#p->next)", false, truth()), says("p->next", true));
        assert_eq!(stated("if (!(at #>= 0))", false, compared(">=", true)), says("!(at >= 0)", false));
        assert_eq!(stated("if (!s || !#*s)", false, truth()), says("!*s", false));
        assert_eq!(stated("for (i = 0; i #< n; i++)", false, compared("<", false)), says("i < n", true));
        assert_eq!(stated("x = !#a ? 1 : 2;", false, truth()), says("!a", false));
        assert_eq!(stated("if (c #== '(') {", false, compared("==", false)), says("c == '('", true));
        assert_eq!(stated("#while (a || b) {", false, Test::Whole), says("a || b", true));
        assert_eq!(stated("#for (; a && b; i++) {", false, Test::Whole), says("a && b", true));
        assert_eq!(stated("if !#done {", true, Test::Truth(None)), says("!done", false));
        assert_eq!(stated("} else if #a.len > 3 && b {", true, compared(">", false)), says("a.len > 3", true));
        let call = |name: &str| Test::Truth(Some(name.into()));
        assert_eq!(stated("while !#list.is_empty() {", true, call("is_empty")), says("!list.is_empty()", false));
    }

    #[test]
    fn what_is_not_certain_is_not_told() {
        // A macro, a check that the compiler made, an argument, a comparison that stands there otherwise.
        let truth = || compared("!=", true);
        assert_eq!(stated("if (#EMPTY(p))", false, truth()), None);
        assert_eq!(stated("if (#DEBUG)", false, truth()), None);
        assert_eq!(stated("if (not #a)", false, truth()), None);
        assert_eq!(stated("if (#none)", false, truth()), None);
        assert_eq!(stated("if (#max(a, b) > 3)", false, compared(">", false)), None);
        assert_eq!(stated("if #max!(a, b) > 3 {", true, compared(">", false)), None);
        assert_eq!(stated("#assert(!p);", false, truth()), None);
        assert_eq!(stated("if #v[i] > 3 {", true, compared("<", false)), None);
        assert_eq!(stated("if (f(!#p))", false, truth()), None);
        assert_eq!(stated("if (a #<= b)", false, compared("<", false)), None);
        assert_eq!(stated("if let Some(x) = #next {", true, Test::Truth(None)), None);
        assert_eq!(stated("if #matches!(x, 3) {", true, Test::Truth(None)), None);
    }
}
