//! What a failing run says of its failure.

/// The line by which assertions, sanitizers, panics and the checks of the C library tell what was wrong.
pub fn reported(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = |is: &dyn Fn(&str) -> bool| text.lines().map(str::trim).find(|line| is(line)).map(String::from);
    // The summary has kind, file and function.
    line(&|line| line.starts_with("SUMMARY: ") && line.contains("Sanitizer"))
        .or_else(|| line(&|line| line.contains("runtime error: ")))
        .or_else(|| line(&|line| line.contains("Assertion") && line.contains("failed")))
        // Panics may be caught: what was said last counts.
        .or_else(|| {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let last = lines.iter().rposition(|line| line.contains("panicked at ") || is_of_library(line))?;
            Some(panic(&lines[last..]).unwrap_or_else(|| lines[last].to_string()))
        })
}

/// Where a panic was, and what it said, which stands on the next line; without the thread's number, which is another one each time.
fn panic(lines: &[&str]) -> Option<String> {
    let (_, place) = lines.first()?.split_once("panicked at ")?;
    let message = lines.get(1).filter(|line| !line.is_empty() && !line.starts_with("note: ") && place.ends_with(':'));
    Some(format!("panicked at {place}{}", message.map(|message| format!(" {message}")).unwrap_or_default()))
}

/// The checks of the libraries of C and C++.
fn is_of_library(line: &str) -> bool {
    line.starts_with("*** ")
        || line.starts_with("terminate called ")
        || line.starts_with("double free or corruption")
        || is_heap_check(line)
}

/// `free(): invalid pointer` and its like.
fn is_heap_check(line: &str) -> bool {
    ["free(): ", "malloc(): ", "realloc(): ", "malloc_consolidate(): "].iter().any(|head| line.starts_with(head))
}

/// A message without numbers, texts in quotes, and the names of working folders.
pub fn skeleton(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let folder = rest.starts_with('/').then(|| rest.split(char::is_whitespace).next().unwrap_or_default());
        if let Some(path) = folder.filter(|path| path.contains("/whydunit-")) {
            rest = &rest[path.len()..];
            out.push('/');
            continue;
        }
        let closing = match first {
            '"' => Some('"'),
            '`' | '\'' => Some('\''),
            '‘' => Some('’'),
            _ => None,
        };
        // An assertion's own text is what tells it from others.
        let quoted = closing.filter(|_| !message.contains("Assertion"));
        if let Some(end) = quoted.and_then(|closing| rest[first.len_utf8()..].find(closing).map(|end| (end, closing))) {
            rest = &rest[first.len_utf8() + end.0 + end.1.len_utf8()..];
            out.push_str("\"\"");
        } else if let Some(digits) = number(rest) {
            rest = &rest[digits..];
            out.push('#');
        } else {
            rest = &rest[first.len_utf8()..];
            out.push(first);
        }
    }
    out
}

/// How long the number is that begins here.
fn number(text: &str) -> Option<usize> {
    let run = |text: &str, digit: fn(&u8) -> bool| text.bytes().take_while(digit).count();
    let hex = text.strip_prefix("0x").map(|rest| run(rest, u8::is_ascii_hexdigit)).filter(|&length| length > 0);
    hex.map(|length| length + 2).or(Some(run(text, u8::is_ascii_digit))).filter(|&length| length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_quotes_and_working_folders_do_not_count() {
        let same = |a: &str, b: &str| assert_eq!(skeleton(a), skeleton(b));
        same("in.c:12: unknown `abc' at 0x7f3a", "in.c:7: unknown `x' at 0x1");
        same("cannot open /tmp/whydunit-ab12cd34/work/x y", "cannot open /tmp/whydunit-zz/work/z y");
        same("got \"1\" not \"2\"", "got \"\" not \"\"");
        assert_ne!(skeleton("unknown word"), skeleton("unknown number"));
        assert_ne!(
            skeleton("p: a.c:1: f: Assertion `x > 1' failed."),
            skeleton("p: a.c:1: f: Assertion `y > 1' failed.")
        );
        assert_eq!(skeleton("it's 5"), "it's #");
    }

    #[test]
    fn what_was_wrong_is_found_among_what_was_said() {
        let asan = "==1==ERROR: AddressSanitizer: heap-buffer-overflow\n #0 f\nSUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f\n";
        assert_eq!(
            reported(asan.as_bytes()).as_deref(),
            Some("SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f")
        );
        let assertion = "reading\nprog: a.c:5: main: Assertion `n < 3' failed.\nAborted\n";
        assert_eq!(reported(assertion.as_bytes()).as_deref(), Some("prog: a.c:5: main: Assertion `n < 3' failed."));
        assert_eq!(reported(b"free(): invalid pointer\n").as_deref(), Some("free(): invalid pointer"));
        assert_eq!(reported(b"all went well\n"), None);
    }
}
