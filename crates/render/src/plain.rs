//! Text from outside that is safe to show.

use std::borrow::Cow;

/// `text` on one line and without what could steer a terminal or turn the order of a line around: control characters and
/// marks of direction become escapes as in C.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x80 && is_steering(c) => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if is_steering(c) => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A line of a difference: [`plain`], but with its tabs, so that it is what stands in the file.
pub fn plain_diff(line: &str) -> String {
    line.split('\t').map(plain).collect::<Vec<_>>().join("\t")
}

/// A sentence in parts, of which some are code.
pub type Words = Vec<(bool, String)>;

/// A sentence with code between backticks.
pub fn words(text: &str) -> Words {
    let text = plain(text);
    if text.matches('`').count() % 2 == 1 {
        return vec![(false, text.into_owned())];
    }
    let parts = text.split('`').enumerate().filter(|(_, part)| !part.is_empty());
    parts.map(|(index, part)| (index % 2 == 1, part.to_string())).collect()
}

/// A source line as [`plain`] text, with its tabs as spaces.
pub fn plain_line(line: &str) -> String {
    plain(&line.trim_end().replace('\t', "    ")).into_owned()
}

fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_escapes() {
        assert_eq!(plain("a\x1b[31mb\n\u{9b}"), "a\\x1b[31mb\\n\\u009b");
        assert_eq!(plain("naïve"), "naïve");
    }

    #[test]
    fn marks_that_turn_a_line_around_become_escapes() {
        assert_eq!(plain("/*\u{202e} } \u{2066}if*/"), "/*\\u202e } \\u2066if*/");
    }
}
