//! Automata out of texts.

use super::words::{Mistake, Words};
use crate::automaton::{EX, End, Evidence, Kind, Reason, START, State, Transition, Typestate};

/// What stands in the brackets of a transition.
#[derive(Default)]
struct Known {
    evidence: Evidence,
    reason: Option<Reason>,
    left_in: Option<usize>,
    /// The column of what only exceptional ends have.
    exceptional: Option<Mistake>,
}

/// Reads an automaton. The mistake is the first one.
pub fn parse(text: &str) -> Result<Typestate, Mistake> {
    let mut made: Option<Typestate> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = Words::of(number, line)?;
        if words.is_empty() {
            continue;
        }
        let first = words.word("a statement")?;
        match (&mut made, first.as_str()) {
            (None, "typestate") => made = Some(Typestate::new(&words.word("the name of a class")?)),
            (None, _) => return Err(words.wrong("the first statement is `typestate CLASS`")),
            (Some(_), "typestate") => return Err(words.wrong("a text has one automaton")),
            (Some(made), "method") => methods(made, &mut words)?,
            (Some(made), "state") => state(made, &mut words)?,
            (Some(made), _) => transitions(made, &first, &mut words)?,
        }
        words.ends()?;
    }
    let missing = || Mistake { line: 1, column: 1, message: "there is no `typestate CLASS`".into() };
    let mut made = made.ok_or_else(missing)?;
    if made.methods.is_empty() {
        made.methods = made.transitions.iter().map(|it| &it.method).filter(|it| is_method(it)).cloned().collect();
    }
    Ok(made)
}

fn methods(made: &mut Typestate, words: &mut Words) -> Result<(), Mistake> {
    loop {
        made.methods.insert(words.word("the name of a method")?);
        if !words.takes(',') {
            return Ok(());
        }
    }
}

fn state(made: &mut Typestate, words: &mut Words) -> Result<(), Mistake> {
    let name = words.word("the name of a state")?;
    if name == EX || made.state(&name).is_some() {
        return Err(words.wrong(format!("there is a state `{name}` already")));
    }
    let mut state = State { name, ..State::default() };
    while !words.is_empty() {
        let path = words.word("a field or an inspector")?;
        if state.values.contains_key(&path) {
            return Err(words.wrong(format!("`{path}` has values in this state already")));
        }
        words.mark('=')?;
        let values = state.values.entry(path).or_default();
        values.insert(words.word("a value")?);
        while words.takes('|') {
            values.insert(words.word("a value")?);
        }
        if !words.is_empty() {
            words.mark(',')?;
            if words.is_empty() {
                return Err(words.expected("a field or an inspector"));
            }
        }
    }
    made.states.push(state);
    Ok(())
}

/// The state of a name that was read.
fn known(made: &Typestate, name: &str, words: &Words) -> Result<usize, Mistake> {
    made.state(name).ok_or_else(|| {
        let names: Vec<_> = made.states.iter().map(|state| format!("`{}`", state.name)).collect();
        words.wrong(format!("there is no state `{name}`, but {}; tell of it before: `state {name}`", names.join(", ")))
    })
}

fn transitions(made: &mut Typestate, from: &str, words: &mut Words) -> Result<(), Mistake> {
    if from == EX {
        return Err(words.wrong("nothing leads on from `ex`; `[left in STATE]` tells what an object is left in"));
    }
    let from = known(made, from, words)?;
    words.arrow()?;
    let name = words.word("a state")?;
    let to = match name.as_str() {
        EX => None,
        START => return Err(words.wrong("nothing leads to `start`")),
        name => Some(known(made, name, words)?),
    };
    loop {
        let method = words.word("a method")?;
        let at = words.wrong(format!("`{method}` has this transition already"));
        let Known { evidence, reason, left_in, exceptional } = brackets(made, words)?;
        let end = match to {
            Some(to) => exceptional.map_or(Ok(End::To(to)), Err)?,
            None => {
                let unknown = Reason { kind: Kind::Exception, text: String::new() };
                End::Ex { reason: reason.unwrap_or(unknown), left_in }
            }
        };
        if made.of_pair(from, &method).any(|it| it.end == end) {
            return Err(at);
        }
        made.add(Transition { from, method, end, evidence });
        if !words.takes(',') {
            return Ok(());
        }
    }
}

/// Whether a label is a method of the class, not what changes an object otherwise: `(made)`, `field =`, `Other::method`, `part.method`.
fn is_method(label: &str) -> bool {
    let other = label.starts_with('(') || label.ends_with(" =") || label.contains("::") || label.contains('.');
    !other || label.starts_with("operator")
}

fn brackets(made: &Typestate, words: &mut Words) -> Result<Known, Mistake> {
    let mut known_by = Known::default();
    if !words.takes('[') {
        return Ok(known_by);
    }
    loop {
        let first = words.word("what the transition is known by")?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == first);
        if kind.is_some() || first == "left" {
            known_by.exceptional = Some(words.wrong(format!("only a transition to `ex` has `{first}`")));
        }
        match (first.as_str(), kind) {
            (_, Some(_)) if known_by.reason.is_some() => return Err(words.wrong("a transition has one reason")),
            (_, Some(kind)) => {
                let text = match words.is_before(&[';', ']']) {
                    true => String::new(),
                    false => words.word("the reason")?,
                };
                known_by.reason = Some(Reason { kind, text });
            }
            ("left", _) => {
                if words.word("`in`")? != "in" {
                    return Err(words.wrong("`left in STATE` is expected here"));
                }
                let name = words.word("a state")?;
                known_by.left_in = Some(known(made, &name, words)?);
            }
            ("seen", _) => known_by.evidence.seen = count(words)?,
            ("tried", _) => known_by.evidence.tried = count(words)?,
            ("with", _) => _ = known_by.evidence.arguments.insert(words.word("arguments")?),
            ("misuse", _) => known_by.evidence.misuse = true,
            _ => {
                let kinds = Kind::ALL.map(Kind::name).join(", ");
                let all = format!("{kinds}, left in, seen, tried, with and misuse are known here, not `{first}`");
                return Err(words.wrong(all));
            }
        }
        if !words.takes(';') {
            words.mark(']')?;
            return Ok(known_by);
        }
    }
}

fn count(words: &mut Words) -> Result<u64, Mistake> {
    let word = words.word("a number of executions")?;
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| words.wrong(format!("a number of executions from 1 on is expected here, not `{word}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRICKY: &str = r##"typestate "Vec<a, b>"
method "operator->"
method "operator[]", "un seen"
state closed  "size = 1" = "> 0" | "a \"b\" \\ \n", x = y
state "two words"
start -> closed  (made) [seen 1]
start -> "two words"  "operator=="
closed -> closed  "operator->" [tried 1; with ""; with "[1; 2], \"#\""]
closed -> ex  "operator[]" [memory "read of freed memory"; left in "two words"; misuse; seen 2; tried 3]
"two words" -> ex  "operator[]"
"two words" -> ex  a [hang]
"##;

    #[test]
    fn what_was_printed_and_is_parsed_again_is_the_same() {
        let made = parse(TRICKY).expect("a text without mistakes");
        let again = parse(&made.to_string()).expect("a printed text has no mistakes");
        assert_eq!(made, again);
        assert_eq!(made.transitions.len(), 6);
        assert!(made.methods.contains("un seen") && !made.methods.contains("(made)"));
        let with: Vec<_> = made.of_pair(1, "operator->").flat_map(|it| &it.evidence.arguments).collect();
        assert_eq!(with, ["", "[1; 2], \"#\""]);
    }

    #[test]
    fn a_person_writes_several_methods_a_line_and_comments() {
        let text = "# of a port\ntypestate Port # here\nstate 1 is_open()=false\n\nstart->1 Port, \"(made)\"\n1->ex send, quit [exception std::logic_error]\n";
        let made = parse(text).expect("a text without mistakes");
        assert_eq!(made.methods.iter().collect::<Vec<_>>(), ["Port", "quit", "send"]);
        assert!(made.states[1].values["is_open()"].contains("false"));
        assert_eq!(made.transitions.len(), 4);
    }

    fn mistake(text: &str) -> String {
        parse(text).expect_err("a text with a mistake").to_string()
    }

    #[test]
    fn a_mistake_tells_line_column_and_what_is_expected() {
        let cases = [
            ("", "1:1: there is no `typestate CLASS`"),
            ("state 1", "1:1: the first statement is `typestate CLASS`"),
            ("typestate A B", "1:13: the end of the line is expected here, not `B`"),
            ("typestate A\ntypestate B", "2:1: a text has one automaton"),
            ("typestate A\nstate 1\nstate 1", "3:7: there is a state `1` already"),
            ("typestate A\nstate ex", "2:7: there is a state `ex` already"),
            ("typestate A\nstate 1 x", "2:10: `=` is expected here, not the end of the line"),
            ("typestate A\nstate 1 x = 1,", "2:15: a field or an inspector is expected here, not the end of the line"),
            ("typestate A\nstate ä x = 1, x = 2", "2:16: `x` has values in this state already"),
            ("typestate A\nstart m", "2:7: `->` is expected here, not `m`"),
            ("typestate A\nstart -> 1 A", "2:10: there is no state `1`, but `start`; tell of it before: `state 1`"),
            ("typestate A\nstart -> start A", "2:10: nothing leads to `start`"),
            (
                "typestate A\nex -> start A",
                "2:1: nothing leads on from `ex`; `[left in STATE]` tells what an object is left in",
            ),
            ("typestate A\nstart -> ex A, A", "2:16: `A` has this transition already"),
            ("typestate A\nstart -> ex A [seen 0]", "2:21: a number of executions from 1 on is expected here, not `0`"),
            ("typestate A\nstart -> ex A [seen 1", "2:22: `]` is expected here, not the end of the line"),
            ("typestate A\nstart -> ex \"A", "2:13: the quotes that start here do not end in this line"),
            ("typestate A\nstart -> ex \"\\x\"", "2:14: only `\\n`, `\\r`, `\\\"` and `\\\\` are known in quotes"),
            ("typestate A\nstate 1\n1 -> 1 m [panic]", "3:11: only a transition to `ex` has `panic`"),
            ("typestate A\nstart -> ex A [hang; hang]", "2:22: a transition has one reason"),
        ];
        for (text, expected) in cases {
            assert_eq!(mistake(text), expected, "of {text:?}");
        }
        let unknown = mistake("typestate A\nstart -> ex A [sometimes]");
        assert!(unknown.starts_with("2:16: exception, panic,") && unknown.ends_with("not `sometimes`"), "{unknown}");
    }
}
