//! The input of a case.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_suite::{Case, Content, Error};

/// Everything that can be made smaller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    /// Arguments.
    pub args: Vec<String>,
    /// Standard input; none where there is nothing to read.
    pub stdin: Option<Vec<u8>>,
    /// Files in the working folder.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A part of an input.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// A file, by its name.
    File(String),
    /// Standard input.
    Stdin,
    /// An argument, by its number from 0.
    Arg(usize),
}

/// What stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// The arguments.
    pub args: bool,
    /// Standard input.
    pub stdin: bool,
    /// All files.
    pub files: bool,
    /// These files.
    pub named: BTreeSet<String>,
    /// No file is left out whole.
    pub names: bool,
}

impl Input {
    /// These arguments, and this text on standard input.
    pub fn given(args: &[&str], stdin: &str) -> Self {
        let args = args.iter().map(ToString::to_string).collect();
        Self { args, stdin: Some(stdin.into()), ..Self::default() }
    }

    /// That of a case.
    pub fn of(case: &Case) -> Result<Self, Error> {
        let stdin = case.stdin.as_ref().map(|content| content.read().map(|bytes| bytes.into_owned())).transpose()?;
        let mut files = BTreeMap::new();
        for (name, content) in &case.files {
            files.insert(name.clone(), content.read()?.into_owned());
        }
        Ok(Self { args: case.args.clone(), stdin, files })
    }

    /// `case` with this input. What it should print is not known any more.
    pub fn case(&self, case: &Case) -> Case {
        let inline = |bytes: &Vec<u8>| Content::Inline(bytes.clone());
        Case {
            args: self.args.clone(),
            stdin: self.stdin.as_ref().map(inline),
            files: self.files.iter().map(|(name, bytes)| (name.clone(), inline(bytes))).collect(),
            stdout: None,
            ..case.clone()
        }
    }

    /// Its parts that may change.
    pub fn parts(&self, keep: &Keep) -> Vec<Part> {
        let files = self.files.keys().filter(|name| !keep.files && !keep.named.contains(*name));
        let stdin = (self.stdin.is_some() && !keep.stdin).then_some(Part::Stdin);
        let args = if keep.args { 0 } else { self.args.len() };
        files.cloned().map(Part::File).chain(stdin).chain((0..args).map(Part::Arg)).collect()
    }

    /// What a part holds; empty where it is not there.
    pub fn text(&self, part: &Part) -> &[u8] {
        match part {
            Part::File(name) => self.files.get(name).map_or(&[], Vec::as_slice),
            Part::Stdin => self.stdin.as_deref().unwrap_or_default(),
            Part::Arg(number) => self.args.get(*number).map_or(&[], |arg| arg.as_bytes()),
        }
    }

    /// The same with another text in a part.
    pub fn with(&self, part: &Part, text: Vec<u8>) -> Self {
        let mut other = self.clone();
        match part {
            Part::File(name) => _ = other.files.insert(name.clone(), text),
            Part::Stdin => other.stdin = Some(text),
            Part::Arg(number) => {
                if let Some(arg) = other.args.get_mut(*number) {
                    *arg = String::from_utf8_lossy(&text).into_owned();
                }
            }
        }
        other
    }

    /// The same without some parts.
    pub fn without(&self, parts: &[&Part]) -> Self {
        let gone = |part: Part| parts.contains(&&part);
        let args = self.args.iter().enumerate().filter(|(number, _)| !gone(Part::Arg(*number)));
        let files = self.files.iter().filter(|(name, _)| !gone(Part::File((*name).clone())));
        Self {
            args: args.map(|(_, arg)| arg.clone()).collect(),
            stdin: self.stdin.clone().filter(|_| !gone(Part::Stdin)),
            files: files.map(|(name, text)| (name.clone(), text.clone())).collect(),
        }
    }

    /// A number that two different inputs do not share.
    pub fn digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        put(&(self.args.len() as u64).to_le_bytes());
        self.args.iter().for_each(|arg| put(arg.as_bytes()));
        put(&[u8::from(self.stdin.is_some())]);
        put(self.stdin.as_deref().unwrap_or_default());
        for (name, text) in &self.files {
            put(name.as_bytes());
            put(text);
        }
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> Input {
        let files = [("a".to_string(), b"x".to_vec()), ("b".to_string(), b"y".to_vec())];
        Input { args: vec!["-v".into(), "a".into()], stdin: Some(b"in".to_vec()), files: files.into() }
    }

    #[test]
    fn parts_that_are_kept_are_none() {
        let file = |name: &str| Part::File(name.into());
        let all = [file("a"), file("b"), Part::Stdin, Part::Arg(0), Part::Arg(1)];
        assert_eq!(input().parts(&Keep::default()), all);
        let keep = Keep { args: true, stdin: true, named: ["b".to_string()].into(), ..Keep::default() };
        assert_eq!(input().parts(&keep), [file("a")]);
    }

    #[test]
    fn parts_change_one_by_one_and_go_together() {
        let other = input().with(&Part::Arg(1), b"bc".to_vec()).with(&Part::Stdin, vec![]);
        assert_eq!((other.args[1].as_str(), other.text(&Part::Stdin)), ("bc", &b""[..]));
        let rest = input().without(&[&Part::Arg(0), &Part::Stdin, &Part::File("b".into())]);
        assert_eq!((rest.args, rest.stdin, rest.files.len()), (vec!["a".to_string()], None, 1));
    }

    #[test]
    fn inputs_that_differ_have_digests_that_differ() {
        let mut moved = input();
        moved.args = vec!["-".into(), "va".into()];
        let mut empty = input();
        empty.stdin = Some(vec![]);
        let none = Input { stdin: None, ..empty.clone() };
        let digests = [input(), moved, empty, none].map(|input| input.digest());
        for (index, digest) in digests.iter().enumerate() {
            assert!(!digests[..index].contains(digest));
        }
        assert_eq!(input().digest(), input().digest());
    }
}
