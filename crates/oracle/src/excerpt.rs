//! Printed text, as people are shown it.

/// The most that is shown of one text, in characters.
const LONGEST: usize = 60;

/// In quotes, on one line, shortened; what is no text shows as escapes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut shown = String::from("\"");
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().chars().map(|character| match character {
            '"' | '\\' | '\n' | '\t' | '\r' | '\0' => character.escape_debug().to_string(),
            _ if character.is_control() => character.escape_debug().to_string(),
            _ => character.to_string(),
        });
        for part in valid.chain(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"))) {
            if count == LONGEST {
                shown.push_str("…\"");
                return shown;
            }
            shown.push_str(&part);
            count += 1;
        }
    }
    shown.push('"');
    shown
}

/// The first line of a text, with its newline.
pub(crate) fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_can_be_shown() {
        assert_eq!(quoted(b"a\"b\n"), r#""a\"b\n""#);
        assert_eq!(quoted("grün\u{1b}".as_bytes()), "\"grün\\u{1b}\"");
        assert_eq!(quoted(b"\xff\x00"), r#""\xff\0""#);
        assert_eq!(quoted(&[b'x'; 61]).chars().count(), 63);
        assert_eq!(quoted(&[b'x'; 60]), format!("\"{}\"", "x".repeat(60)));
    }

    #[test]
    fn a_line_has_its_newline() {
        assert_eq!(first_line(b"a\nb\n"), b"a\n");
        assert_eq!(first_line(b"a"), b"a");
        assert_eq!(first_line(b""), b"");
    }
}
