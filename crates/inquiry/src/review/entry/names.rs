//! What a driver's arguments are called: `arg1` is a parameter, or a part of what it points to.

use super::given::{Given, Kind};

/// Words of domains, which parameters may be called, too.
const WORDS: [&str; 4] = ["in", "and", "or", "not"];

/// Names of arguments, in order.
pub struct Names {
    names: Vec<String>,
    /// Enumerators, with their values.
    enumerators: Vec<(String, String)>,
}

impl Names {
    pub fn new(given: &Given) -> Self {
        let kinds = given.leaves.iter().filter_map(|leaf| match &leaf.kind {
            Kind::Enum(_, values) => Some(values),
            _ => None,
        });
        let enumerators = kinds.flatten().map(|(name, value)| (name.clone(), value.to_string()));
        Self { names: given.leaves.iter().map(|leaf| leaf.name.clone()).collect(), enumerators: enumerators.collect() }
    }

    /// A text that speaks of parameters and enumerators, with arguments and numbers.
    pub fn numbered(&self, text: &str) -> String {
        let pairs = self.names.iter().enumerate().map(|(at, name)| (name.clone(), format!("arg{}", at + 1)));
        let pairs = pairs.filter(|(name, _)| !WORDS.contains(&&name[..]));
        replaced(text, pairs.chain(self.enumerators.iter().cloned()).collect())
    }

    /// A text that speaks of arguments, with parameters.
    pub fn named(&self, text: &str) -> String {
        let pairs = self.names.iter().enumerate().map(|(at, name)| (format!("arg{}", at + 1), name.clone()));
        replaced(text, pairs.collect())
    }
}

/// A text with names replaced where they stand alone, the longest ones first.
fn replaced(text: &str, mut pairs: Vec<(String, String)>) -> String {
    pairs.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut rest, mut before) = (String::new(), text, ' ');
    while let Some(first) = rest.chars().next() {
        let here = pairs.iter().find(|(name, _)| {
            let behind = rest.strip_prefix(&name[..]).map(|behind| behind.chars().next());
            // `len(…)` is of domains.
            let ends = |next: Option<char>| !(next.is_some_and(is_part) || name == "len" && next == Some('('));
            !(is_part(before) && name.starts_with(is_part)) && behind.is_some_and(ends)
        });
        let (taken, new) = match here {
            Some((name, new)) => (name.len(), &new[..]),
            None => (first.len_utf8(), &rest[..first.len_utf8()]),
        };
        out.push_str(new);
        before = rest[..taken].chars().next_back().unwrap_or(' ');
        rest = &rest[taken..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_arguments_where_they_stand_alone() {
        let names = ["fun", "p.x", "a[0]", "x", "len"].map(String::from).to_vec();
        let names = Names { names, enumerators: vec![("SHIM".into(), "3".into())] };
        let text = "fun in 1..3 and funny != 2 and p.x < x and a[0] == 1";
        let numbered = names.numbered(text);
        assert_eq!(numbered, "arg1 in 1..3 and funny != 2 and arg2 < arg4 and arg3 == 1");
        assert_eq!(names.named(&numbered), text);
        assert_eq!(names.numbered("fun in {SHIM} and len(fun) < len"), "arg1 in {3} and len(arg1) < arg5");
        assert_eq!(names.named("arg11 == 1 and arg1[0] == 'x'"), "arg11 == 1 and fun[0] == 'x'");
    }
}
