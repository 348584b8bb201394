//! Expected and real output: where they part.

/// The first place where an output is not the expected one. Lines and columns (bytes) count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputDifference {
    /// The line.
    pub line: usize,
    /// The byte in it.
    pub column: usize,
    /// The expected line, shortened around the place; none where the output should have ended.
    pub expected: Option<String>,
    /// The line that came, shortened likewise; none where the output ended.
    pub got: Option<String>,
}

/// The first difference; none where both are equal.
pub fn first_difference(expected: &[u8], got: &[u8]) -> Option<OutputDifference> {
    let at = expected.iter().zip(got).position(|(a, b)| a != b).unwrap_or(expected.len().min(got.len()));
    if at == expected.len() && at == got.len() {
        return None;
    }
    let start = got[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = 1 + got[..start].iter().filter(|byte| **byte == b'\n').count();
    Some(OutputDifference {
        line,
        column: 1 + at - start,
        expected: excerpt(expected, start, at),
        got: excerpt(got, start, at),
    })
}

/// The line that starts at `start`, shortened around `at`, with its newline made visible; none at the end of the bytes.
fn excerpt(bytes: &[u8], start: usize, at: usize) -> Option<String> {
    const BEFORE: usize = 30;
    const AFTER: usize = 50;
    if at >= bytes.len() {
        if start >= bytes.len() {
            return None;
        }
        return Some(format!("{}<end>", shown(bytes, start.max(at.saturating_sub(BEFORE)), bytes.len(), start)));
    }
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |newline| at + newline + 1);
    let cut = end.min(at + AFTER);
    let mut text = shown(bytes, start.max(at.saturating_sub(BEFORE)), cut, start);
    if cut < end {
        text.push('…');
    }
    Some(text)
}

fn shown(bytes: &[u8], from: usize, to: usize, start: usize) -> String {
    let mut text = String::new();
    if from > start {
        text.push('…');
    }
    for part in bytes[from..to].utf8_chunks() {
        for c in part.valid().chars() {
            match c {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                c if c.is_control() => text.push_str(&format!("\\x{:02x}", c as u32)),
                c => text.push(c),
            }
        }
        for byte in part.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

impl std::fmt::Display for OutputDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "stdout differs at line {}, column {}: ", self.line, self.column)?;
        match &self.expected {
            Some(text) => write!(f, "expected `{text}`, ")?,
            None => write!(f, "expected its end, ")?,
        }
        match &self.got {
            Some(text) => write!(f, "got `{text}`"),
            None => write!(f, "got its end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(expected: &str, got: &str) -> String {
        first_difference(expected.as_bytes(), got.as_bytes()).map_or(String::new(), |difference| difference.to_string())
    }

    #[test]
    fn the_first_difference_is_shown_with_its_line() {
        assert_eq!(text("a\nb\n", "a\nb\n"), "");
        assert_eq!(text("1\n", "0\n"), r"stdout differs at line 1, column 1: expected `1\n`, got `0\n`");
        assert_eq!(
            text("one\ntwo\nthree\n", "one\ntwi\n"),
            r"stdout differs at line 2, column 3: expected `two\n`, got `twi\n`"
        );
        assert_eq!(text("a\n", "a\nb\n"), r"stdout differs at line 2, column 1: expected its end, got `b\n`");
        assert_eq!(text("a\nb\n", "a\n"), r"stdout differs at line 2, column 1: expected `b\n`, got its end");
        assert_eq!(text("a\n", "a"), r"stdout differs at line 1, column 2: expected `a\n`, got `a<end>`");
        assert_eq!(text("", "x"), r"stdout differs at line 1, column 1: expected its end, got `x`");
        assert_eq!(text("x", ""), r"stdout differs at line 1, column 1: expected `x`, got its end");
    }

    #[test]
    fn long_lines_and_odd_bytes_are_shortened_and_escaped() {
        let long = "y".repeat(200);
        let shown = text(&format!("{long}a{long}\n"), &format!("{long}b{long}\n"));
        let (y30, y49) = ("y".repeat(30), "y".repeat(49));
        assert!(shown.ends_with(&format!("column 201: expected `…{y30}a{y49}…`, got `…{y30}b{y49}…`")), "{shown}");
        let difference = first_difference(b"\xff\t\r\x01", b"\xffx").unwrap();
        assert_eq!(difference.expected.unwrap(), r"\xff\t\r\x01");
        assert_eq!(difference.got.unwrap(), r"\xffx");
    }
}
