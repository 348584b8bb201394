//! What the tracer notes beside the events, a line each.

/// A method that can be called on objects of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Callable {
    /// The class, in full.
    pub class: String,
    /// The method, as the stream calls it.
    pub method: String,
    /// It takes arguments.
    pub takes: bool,
}

/// What the tracer notes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// Classes that have no hooks, and why.
    pub left: Vec<(String, String)>,
    /// Runs of tests that fail, by their names.
    pub failed: Vec<String>,
    /// The public methods of traced classes.
    pub methods: Vec<Callable>,
    /// Numbers of calls that were left out.
    pub suppressed: Vec<u32>,
    /// The stream has reached the limit of its size.
    pub full: bool,
    /// Other things that should be known.
    pub others: Vec<String>,
}

impl Notes {
    pub(crate) fn read(text: &str) -> Self {
        let mut notes = Self::default();
        for line in text.lines() {
            notes.line(line);
        }
        notes.methods.sort();
        notes.methods.dedup();
        notes
    }

    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "left" => {
                let (class, why) = rest.split_once(' ').unwrap_or((rest, ""));
                self.left.push((class.into(), why.into()));
            }
            "failed" => self.failed.push(rest.into()),
            "suppressed" => self.suppressed.extend(rest.parse::<u32>()),
            "limit" => self.full = true,
            "method" => {
                let mut words = rest.splitn(3, ' ');
                if let (Some(class), Some(takes), Some(method)) = (words.next(), words.next(), words.next()) {
                    self.methods.push(Callable { class: class.into(), method: method.into(), takes: takes != "0" });
                }
            }
            _ => self.others.push(line.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_by_their_first_words() {
        let notes = Notes::read(
            "left a.B class file version 65 is too new\nfailed twice(PortTest)\nmethod a.Port 1 write(byte[], int, int)\nlimit\n\
             suppressed 3\ncannot call x\n",
        );
        assert_eq!(notes.left, [("a.B".into(), "class file version 65 is too new".into())]);
        assert_eq!(notes.failed, ["twice(PortTest)"]);
        let method = Callable { class: "a.Port".into(), method: "write(byte[], int, int)".into(), takes: true };
        assert_eq!(notes.methods, [method]);
        assert_eq!((notes.suppressed, notes.full), (vec![3], true));
        assert_eq!(notes.others, ["cannot call x"]);
    }
}
