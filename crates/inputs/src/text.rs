//! Texts as lines.

/// The lines of a text, and whether the last one is ended.
pub fn split(text: &[u8]) -> (Vec<&[u8]>, bool) {
    if text.is_empty() {
        return (Vec::new(), false);
    }
    let (text, ended) = text.strip_suffix(b"\n").map_or((text, false), |rest| (rest, true));
    (text.split(|&byte| byte == b'\n').collect(), ended)
}

/// The text of lines, the last one ended or not.
pub fn join(lines: &[&[u8]], ended: bool) -> Vec<u8> {
    let mut text = lines.join(&b'\n');
    if ended && !lines.is_empty() {
        text.push(b'\n');
    }
    text
}
