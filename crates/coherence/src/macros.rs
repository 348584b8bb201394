//! Bodies of macros, which are texts: the names in them.

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
    fn members_are_told_from_names_and_texts_have_none() {
        let found: Vec<(Kind, String)> = names(r#" ((p)->len + "no \" one" + q.x /* nor here */ + 0x1f)"#);
        let name = |kind, name: &str| (kind, name.to_owned());
        assert_eq!(
            found,
            [
                name(Kind::Name, "p"),
                name(Kind::Member, "len"),
                name(Kind::Name, "q"),
                name(Kind::Member, "x")
            ]
        );
    }
}
