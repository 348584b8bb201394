//! What rustc says, as cargo passes it on.

/// An error.
pub(crate) struct Message {
    /// Its number, as `E0308`; empty where it has none.
    pub code: String,
    /// What it says in one line.
    pub title: String,
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The lines of the same file that it points at.
    pub lines: Vec<u32>,
    /// All of it.
    pub text: String,
}

/// The errors in an output.
pub(crate) fn messages(said: &str) -> Vec<Message> {
    let mut out = Vec::new();
    let mut rest = said.lines().peekable();
    while let Some(head) = rest.next() {
        let Some((code, title)) = title(head) else { continue };
        let mut message = Message {
            code: code.into(),
            title: title.into(),
            file: String::new(),
            line: 0,
            lines: Vec::new(),
            text: format!("{head}\n"),
        };
        let (mut number, mut elsewhere) = (None, false);
        while let Some(line) =
            rest.peek().filter(|line| !line.is_empty() && !line.starts_with("error") && !line.starts_with("warning"))
        {
            message.add(line, &mut number, &mut elsewhere);
            rest.next();
        }
        if !message.file.is_empty() {
            out.push(message);
        }
    }
    out
}

fn title(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("error")?;
    match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]: "),
        None => Some(("", rest.strip_prefix(": ")?)),
    }
}

impl Message {
    fn add(&mut self, line: &str, number: &mut Option<u32>, elsewhere: &mut bool) {
        self.text.push_str(line);
        self.text.push('\n');
        let plain = line.trim_start();
        if let Some(place) = plain.strip_prefix("--> ").filter(|_| self.file.is_empty()) {
            let mut parts = place.rsplitn(3, ':');
            let (_, line) = (parts.next(), parts.next());
            self.line = line.and_then(|line| line.parse().ok()).unwrap_or(0);
            self.file = parts.next().unwrap_or_default().into();
        } else if plain.starts_with("--> ") || plain.starts_with("::: ") {
            *elsewhere = true;
        } else if let Some((before, _)) = plain.split_once('|')
            && let Ok(at) = before.trim().parse()
        {
            *number = Some(at);
        } else if let Some(marks) = plain.strip_prefix('|')
            && marks.trim_start_matches([' ', '|', '_', '/']).starts_with(['^', '-'])
            && !*elsewhere
        {
            self.lines.extend(*number);
        }
    }

    /// Whether it is about a file of the project.
    pub fn is_in(&self, file: &str) -> bool {
        self.file.ends_with(file) || file.ends_with(&self.file)
    }

    /// What is borrowed by a closure while it is borrowed otherwise, or was moved, as the message names it.
    pub fn borrowed(&self) -> Option<String> {
        let is_borrow =
            ["E0382", "E0501", "E0502", "E0503", "E0505", "E0506", "E0507", "E0521"].contains(&self.code.as_str());
        let name = self.title.split('`').nth(1)?.trim_start_matches('*');
        (is_borrow && self.text.contains("closure")).then(|| name.to_string())
    }

    /// The type that was found where ours was expected.
    pub fn found(&self) -> Option<String> {
        if self.code != "E0308" {
            return None;
        }
        // In a note of its own it is whole.
        let note = self.text.lines().map(str::trim_start).find(|line| line.starts_with("found "));
        let label = || self.text.lines().filter_map(|line| line.split_once(", found ")).map(|(_, found)| found).next();
        let found = note.and_then(|line| line.strip_prefix("found ")).or_else(label)?;
        if let Some(ty) = found.split('`').nth(1) {
            return Some(ty.to_string());
        }
        ["integer", "floating-point number"].into_iter().find(|ty| found.starts_with(ty)).map(String::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
   Compiling small v0.1.0
error[E0308]: mismatched types
  --> src/lib.rs:7:24
   |
 7 | let _: Asked = (self.items);
   |        -----   ^^^^^^^^^^^^ expected `Asked`, found `Vec<u32>`
   |        |
   |        expected due to this
   |
   = note: expected struct `Asked`
              found struct `Vec<u32>`

error[E0502]: cannot borrow `*list` as immutable because it is also borrowed as mutable
  --> src/lib.rs:20:20
   |
19 |     let one = &mut list[0];
   |                    ---- mutable borrow occurs here
20 |     let eval = |at| match at {
   |                ^^^^ immutable borrow occurs here
21 | 1 => list.len(),
   |      ---- second borrow occurs due to use of `*list` in closure
...
error: could not compile `small` (lib) due to 2 previous errors
";

    #[test]
    fn errors_are_read_with_their_lines_and_types() {
        let all = messages(SAID);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].line, all[0].found().as_deref()), (7, Some("Vec<u32>")));
        assert!(all[0].is_in("crates/small/src/lib.rs"));
        assert_eq!((&all[1].lines[..], all[1].borrowed().as_deref()), (&[19, 20, 21][..], Some("list")));
    }
}
