//! Macros and other directives, which are texts: the names in their bodies, whether they are used with arguments, and whether each
//! condition has its end.

use crate::facts::Kind;

/// The names in the body of a macro, with what they are used as; those in texts and comments do not count.
pub(crate) fn names(body: &str) -> Vec<(Kind, String)> {
    let mut out = Vec::new();
    let mut rest = body;
    let mut member = false;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else if rest.starts_with("//") {
            break;
        } else if c == '"' || c == '\'' {
            rest = behind(rest, c);
            member = false;
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if !c.is_ascii_digit() {
                let kind = if member { Kind::Member } else { Kind::Name };
                out.push((kind, rest[..end].to_owned()));
            }
            rest = &rest[end..];
            member = false;
        } else {
            member = c == '.' || rest.starts_with("->") || member && (c == '>' || c.is_whitespace());
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// The members in the body of a macro, each with what is done with it: what follows it.
pub(crate) fn forms(body: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for (at, access) in
        body.match_indices(['.', '>']).filter(|(at, access)| *access == "." || body[..*at].ends_with('-'))
    {
        let name = body[at + access.len()..].trim_start();
        let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            continue;
        }
        let behind = name[end..].trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        let form = [".", "->", "[", "(", "++", "--"].into_iter().find(|form| behind.starts_with(form));
        out.push((name[..end].to_owned(), form.unwrap_or_default().to_owned()));
    }
    out
}

/// A macro used with arguments, and one without.
pub(crate) const WITH: &str = "with arguments";
pub(crate) const WITHOUT: &str = "without arguments";

/// Names in capitals where they are used outside of directives, whether an argument list follows, and the line (from 1).
pub(crate) fn applied(text: &str) -> Vec<(String, &'static str, u32)> {
    let mut out = Vec::new();
    let mut directive = false;
    for (number, line) in text.lines().enumerate() {
        directive = directive || line.trim_start().starts_with('#');
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = if directive { "" } else { line };
        while let Some(start) = rest.find(part) {
            rest = &rest[start..];
            let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            let capitals = name.len() > 2 && name.starts_with(|c: char| c.is_ascii_uppercase());
            if capitals && !name.contains(|c: char| c.is_ascii_lowercase()) {
                let with = if behind.trim_start().starts_with('(') { WITH } else { WITHOUT };
                out.push((name.to_owned(), with, number as u32 + 1));
            }
            rest = behind;
        }
        directive = directive && line.ends_with('\\');
    }
    out
}

/// The lines (from 1) of conditional directives without their other half.
pub(crate) fn unbalanced(text: &str) -> Vec<u32> {
    // Open conditions: their lines, and whether the last part of them was begun.
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut out = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if directive.starts_with("if") {
            open.push((number, false));
        } else if directive.starts_with("endif") {
            if open.pop().is_none() {
                out.push(number);
            }
        } else if directive.starts_with("el") {
            match open.last_mut() {
                Some((_, last)) if !*last => *last = directive.starts_with("else"),
                _ => out.push(number),
            }
        }
    }
    out.extend(open.into_iter().map(|(line, _)| line));
    out
}

/// What follows a text in quotes.
fn behind(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_without_their_other_half() {
        assert_eq!(unbalanced("#ifdef A\n#else\n# if B\n# endif\n#endif\n"), Vec::<u32>::new());
        assert_eq!(unbalanced("#if A\n#endif\n#endif\n#if B\n#else\n#else\n"), [3, 6, 4]);
    }

    #[test]
    fn macros_are_used_with_arguments_or_without() {
        let found = applied("#define DEC(x) x\nDEC (int a);\nAPI int b;\n");
        assert_eq!(found, [("DEC".to_owned(), WITH, 2), ("API".to_owned(), WITHOUT, 3)]);
    }

    #[test]
    fn members_with_what_follows_them() {
        let found = forms("{(L)->top++; x.a.b = 1.5 > y->c[0];}");
        let of = |name: &str, form: &str| (name.to_owned(), form.to_owned());
        assert_eq!(found, [of("top", "++"), of("a", "."), of("b", ""), of("c", "[")]);
    }

    #[test]
    fn members_are_told_from_names_and_texts_have_none() {
        let found: Vec<(Kind, String)> = names(r#" ((p)->len + "no \" one" + q.x /* nor here */ + 0x1f)"#);
        let name = |kind, name: &str| (kind, name.to_owned());
        assert_eq!(
            found,
            [name(Kind::Name, "p"), name(Kind::Member, "len"), name(Kind::Name, "q"), name(Kind::Member, "x")]
        );
    }
}
