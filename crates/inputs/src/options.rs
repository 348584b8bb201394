//! Options that a program's sources name, and inputs that give them: no test of a suite has to know an option for a change to break it.

use std::collections::HashSet;

use crate::input::Input;

/// So many options are taken of a program.
const MOST: usize = 60;
/// What stands in sources that read arguments: the list of them, a function, and the macro that stands for both.
const READERS: [&str; 3] = ["argv", "getopt", "ARGBEGIN"];

/// Options that sources name, each once, in the order in which they are named: literals like `"-x"` and `"--word"`, the letters of a
/// text for `getopt`, cases of one character where arguments are read, and what is said of them in attributes (`short = 'x'`).
pub fn options<'t>(sources: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in sources {
        found.extend(literals(text).into_iter().filter(|literal| is_option(literal)).map(str::to_string));
        let reads = READERS.iter().any(|reader| text.contains(reader));
        for (at, _) in text.match_indices("getopt") {
            let call = text[at..].split(';').next().unwrap_or_default();
            let letters = literals(call).into_iter().next().unwrap_or_default();
            found.extend(letters.chars().filter(char::is_ascii_alphanumeric).map(|letter| format!("-{letter}")));
        }
        let heads: &[&str] = if reads { &["case '", "short = '"] } else { &["short = '"] };
        for head in heads {
            let of = |(at, _): (usize, &str)| {
                let mut rest = text[at + head.len()..].chars();
                let letter = rest.next().filter(char::is_ascii_alphanumeric)?;
                (rest.next() == Some('\'')).then(|| format!("-{letter}"))
            };
            found.extend(text.match_indices(head).filter_map(of));
        }
        for (at, head) in text.match_indices("long = \"") {
            let word = text[at + head.len()..].split('"').next().unwrap_or_default();
            found.extend(Some(format!("--{word}")).filter(|option| is_option(option)));
        }
    }
    let mut known = HashSet::new();
    found.retain(|option| known.insert(option.clone()));
    found.truncate(MOST);
    found
}

/// Up to `most` inputs that are one of these with one of the options in front: each option with the first input, then with the next.
pub fn with_options(inputs: &[Input], options: &[String], most: usize) -> Vec<Input> {
    let given = |input: &Input, option: &String| {
        let args = [option].into_iter().chain(&input.args).cloned().collect();
        (!input.args.contains(option)).then(|| Input { args, ..input.clone() })
    };
    inputs.iter().flat_map(|input| options.iter().filter_map(move |option| given(input, option))).take(most).collect()
}

/// A dash and a letter or digit, or two dashes and a word.
fn is_option(text: &str) -> bool {
    match text.strip_prefix("--") {
        Some(word) => {
            word.starts_with(|first: char| first.is_ascii_alphabetic())
                && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '-')
        }
        None => {
            text.strip_prefix('-').is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_alphanumeric())
        }
    }
}

/// What stands between marks on one line, without looking at what the marks mean: a mark in a comment costs the rest of its line.
fn literals(text: &str) -> Vec<&str> {
    text.lines().flat_map(|line| line.split('"').skip(1).step_by(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_what_sources_name() {
        let c = "while ((c = getopt(argc, argv, \"ab:\")) != -1)\n    switch (c) {\n    case 'a': all = 1; break;\n    case 'q': quiet();\n    case ':': bad();\n";
        assert_eq!(options([c].into_iter()), ["-a", "-b", "-q"]);
        let rust = "match arg {\n    \"-v\" | \"--very-loud\" => {}\n    \"-\" | \"--\" | \"-long\" | \"a-b\" => {}\n}\n#[arg(short = 'n', long = \"number\")]\n";
        assert_eq!(options([rust].into_iter()), ["-v", "--very-loud", "-n", "--number"]);
        assert_eq!(
            options(["switch (kind) { case 'x': break; }"].into_iter()),
            [""; 0],
            "nothing reads arguments there"
        );
    }

    #[test]
    fn each_option_is_given_to_the_first_input_first() {
        let inputs = [Input::given(&["f"], "a\n"), Input::given(&["-q"], "b\n")];
        let made = with_options(&inputs, &["-q".to_string(), "-n".to_string()], 10);
        let args: Vec<Vec<String>> = made.into_iter().map(|input| input.args).collect();
        assert_eq!(args, [vec!["-q", "f"], vec!["-n", "f"], vec!["-n", "-q"]]);
        assert_eq!(with_options(&inputs, &["-q".to_string(), "-n".to_string()], 1).len(), 1);
    }
}
