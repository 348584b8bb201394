//! What the inputs of a suite hold: what new ones are made of.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::{Input, Keep, Part};
use crate::tokens::{Kind, tokens};

/// Everything that stands in some inputs, each thing once.
#[derive(Clone, Debug, Default)]
pub struct Stock {
    /// Numbers, without signs.
    pub numbers: Vec<Vec<u8>>,
    /// Words.
    pub words: Vec<Vec<u8>>,
    /// Characters.
    pub characters: Vec<char>,
    /// Arguments.
    pub args: Vec<String>,
    /// Lines of standard input and of each file, without their ends.
    pub lines: BTreeMap<Part, Vec<Vec<u8>>>,
    /// Standard inputs and files, whole.
    pub texts: BTreeMap<Part, Vec<Vec<u8>>>,
    /// The arguments of each input.
    pub rows: Vec<Vec<String>>,
}

impl Stock {
    /// That of these inputs.
    pub fn of(inputs: &[Input]) -> Self {
        let (mut numbers, mut words, mut characters) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let (mut args, mut rows) = (BTreeSet::new(), BTreeSet::new());
        let mut lines: BTreeMap<Part, BTreeSet<&[u8]>> = BTreeMap::new();
        let mut texts: BTreeMap<Part, BTreeSet<&[u8]>> = BTreeMap::new();
        for input in inputs {
            args.extend(&input.args);
            rows.insert(&input.args);
            for part in input.parts(&Keep::default()) {
                let text = input.text(&part);
                for token in tokens(text) {
                    match token.kind {
                        Kind::Number => _ = numbers.insert(&text[token.range]),
                        Kind::Word => _ = words.insert(&text[token.range]),
                        Kind::Blank | Kind::Mark => {}
                    }
                }
                // A zero byte cannot stand in an argument.
                let of_text = std::str::from_utf8(text).unwrap_or_default().chars();
                characters.extend(of_text.filter(|&character| character != '\0'));
                if !matches!(part, Part::Arg(_)) && !text.is_empty() {
                    lines.entry(part.clone()).or_default().extend(crate::text::split(text).0);
                    texts.entry(part).or_default().insert(text);
                }
            }
        }
        let owned = |all: BTreeSet<&[u8]>| all.into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
        let by_part = |all: BTreeMap<Part, BTreeSet<&[u8]>>| {
            all.into_iter().map(|(part, all)| (part, all.into_iter().map(<[u8]>::to_vec).collect())).collect()
        };
        Self {
            numbers: owned(numbers),
            words: owned(words),
            characters: characters.into_iter().collect(),
            args: args.into_iter().cloned().collect(),
            lines: by_part(lines),
            texts: by_part(texts),
            rows: rows.into_iter().cloned().collect(),
        }
    }
}
