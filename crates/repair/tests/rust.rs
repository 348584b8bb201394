//! What may be another expression in Rust, with the types that rustc names, and all of it in one program.

use std::path::Path;
use std::process::Command;

use whydunit_repair::rust::{Declared, Source, Types, asking, questions, refused, sites};
use whydunit_repair::{Candidate, Candidates, Class, Expression, Language, Role, Schemata, Site};

const SHELF: &str = r#"
#[derive(Clone, Copy, PartialEq)]
pub enum Kind { Small, Large, Flat }
pub struct Item { pub price: u32, pub weight: u32, pub kind: Kind }
pub struct Shelf<'a> { items: Vec<Item>, limit: u32, name: &'a str }

impl<'a> Shelf<'a> {
    pub fn load(&self, times: u32) -> u32 {
        let mut load = 0;
        for item in &self.items {
            load += item.price * times;
        }
        if load > self.limit && self.name.starts_with("small") {
            return self.limit;
        }
        load
    }

    pub fn sorted(&mut self, from: usize) -> Option<&Item> {
        let last = self.items.len() - 1;
        self.items.retain(|item| item.kind == Kind::Small || item.weight < 7);
        for at in from..last {
            self.items.swap(at, at + 1);
        }
        self.items[from..].iter().min_by_key(|item| item.weight)
    }
}

pub mod inner {
    pub fn largest<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
        let mut largest = *values.first()?;
        for &value in values {
            if value < largest {
                largest = value;
            }
        }
        Some(largest)
    }

    pub fn alone(text: &str) -> bool {
        let mut letters = text.chars();
        letters.next().is_some() && letters.next().is_some()
    }
}

#[cfg(test)]
mod tests {
    fn helper(a: u32) -> u32 {
        a + 1
    }
}
"#;

/// What rustc says of a library; none where it compiles.
fn compiled(folder: &Path, text: &str) -> Option<String> {
    std::fs::write(folder.join("lib.rs"), text).expect("a file");
    let mut command = Command::new("rustc");
    command.args(["--edition", "2021", "--crate-type", "lib", "--emit", "metadata", "lib.rs"]).current_dir(folder);
    let output = command.output().expect("rustc");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

fn read(folder: &Path, lines: &[u32]) -> Vec<Site> {
    let source = Source::parse(SHELF.into()).expect("a source");
    let mut around = Declared::default();
    around.add(&source);
    let asked = questions(&source, lines);
    let text = asking(SHELF, &asked);
    let said = compiled(folder, &text).expect("errors");
    let mut types = Types::default();
    types.read(&text, &asked, "lib.rs", &said);
    sites(&source, lines, &around, &mut types)
}

fn line(of: &str) -> u32 {
    let at = SHELF.find(of).expect("it is there");
    SHELF[..at].matches('\n').count() as u32 + 1
}

fn written(sites: &[Site], of: &str) -> Vec<String> {
    let mut expressions = sites.iter().filter(|site| !site.role.is_statement());
    let site = expressions.find(|site| &SHELF[site.range.clone()] == of).unwrap_or_else(|| panic!("no {of}"));
    Candidates::of(site, &[]).list.iter().map(|candidate| site.edit(SHELF, &candidate.expression).1).collect()
}

#[test]
fn expressions_have_candidates_of_their_types() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = ["load +=", "let last", "if value <", "a + 1\n    }\n}"].map(line);
    let sites = read(folder.path(), &lines);
    for (of, wanted) in [
        ("item.price * times", "item.weight * times"),
        (
            "load > self.limit && self.name.starts_with(\"small\")",
            "load >= self.limit && self.name.starts_with(\"small\")",
        ),
        ("self.items.len() - 1", "self.items.len()"),
        ("item.kind == Kind::Small || item.weight < 7", "item.kind == Kind::Flat || item.weight < 7"),
        ("from..last", "from..=last"),
        ("from..last", "from..last + 1"),
        (
            "self.items[from..].iter().min_by_key(|item| item.weight)",
            "self.items[from..].iter().max_by_key(|item| item.weight)",
        ),
        ("value < largest", "value > largest"),
    ] {
        let list = written(&sites, of);
        assert!(list.iter().any(|one| one == wanted), "{of}: {list:#?}");
    }
    // Of other types is nothing.
    let list = written(&sites, "item.price * times");
    let plain = list.iter().filter(|one| !one.starts_with("if "));
    let others = plain.filter(|one| one.contains("self.items.len()") || one.contains("-1"));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new());
    // Tests are not changed.
    assert!(sites.iter().all(|site| site.line < line("#[cfg(test)]")));
    // A bound is looked at before what stands there.
    let left = sites.iter().filter(|site| site.role == Role::Left && site.leave == "return None;");
    let guards: Vec<String> = left
        .flat_map(|site| {
            Candidates::of(site, &[]).list.iter().map(|one| site.edit(SHELF, &one.expression).1).collect::<Vec<_>>()
        })
        .collect();
    let wanted = "if from >= self.items.len() {\n            return None;\n        }\n        ";
    assert!(guards.iter().any(|one| one == wanted), "{guards:#?}");
}

#[test]
fn all_candidates_are_one_program_without_those_that_rustc_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let sites = read(folder.path(), &["load +=", "let last", "if value <"].map(line));
    let mut list: Vec<(&Site, Candidates)> = sites.iter().map(|site| (site, Candidates::of(site, &[]))).collect();
    // Places come in the order of suspicion, not of the source.
    list.reverse();
    list.iter_mut().for_each(|(_, candidates)| drop(candidates.split_off(150)));
    let before: usize = list.iter().map(|(_, candidates)| candidates.list.len()).sum();
    for round in 0.. {
        let pairs: Vec<(&Site, &Candidates)> = list.iter().map(|(site, candidates)| (*site, candidates)).collect();
        let schemata = Schemata::of(SHELF, &pairs, 1, 0);
        let Some(said) = compiled(folder.path(), &schemata.text) else { break };
        let candidates: Vec<&Candidates> = list.iter().map(|(_, candidates)| candidates).collect();
        let refused = refused(&schemata.text, &schemata.slots, &candidates, "lib.rs", &said);
        assert!(round < 6 && !refused.candidates.is_empty(), "{refused:?}\n{said}");
        assert!(refused.sites.len() < 3, "{refused:?}\n{said}");
        refused.candidates.iter().rev().for_each(|&(site, number)| list[site].1.remove(number));
        refused.sites.iter().rev().for_each(|&site| drop(list.remove(site)));
    }
    let after: usize = list.iter().map(|(_, candidates)| candidates.list.len()).sum();
    assert!(after * 3 > before * 2, "{after} of {before}");
}

/// A place of a source at which these could stand, of a type that nobody knows.
fn place(source: &str, written: &str, class: Class, others: &[&str]) -> (Site, Candidates) {
    let at = source.find(written).expect("it is there");
    let atom = |text: &str| Expression::Atom { text: text.into(), class, pure: true, constant: false };
    let site = Site {
        language: Language::Rust,
        way: "self".into(),
        range: at..at + written.len(),
        line: 1,
        lines: 1..2,
        role: Role::Assigned,
        expression: atom(written),
        target: None,
        leave: String::new(),
        ty: String::new(),
        result: class,
        variables: Vec::new(),
        enumerators: Vec::new(),
        bases: Vec::new(),
        constants: Vec::new(),
        texts: Vec::new(),
        statements: Vec::new(),
    };
    let list = others.iter().map(|text| Candidate { expression: atom(text), level: 1, cost: 1 }).collect();
    (site, Candidates { list, ..Candidates::default() })
}

fn refused_in(folder: &Path, source: &str, of: &(Site, Candidates)) -> whydunit_repair::rust::Refused {
    let schemata = Schemata::of(source, &[(&of.0, &of.1)], 1, 0);
    let said = compiled(folder, &schemata.text).unwrap_or_default();
    refused(&schemata.text, &schemata.slots, &[&of.1], "lib.rs", &said)
}

#[test]
fn all_that_have_another_type_are_named_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // Of numbers at once.
    let numbers = "pub fn f(a: i64, b: usize, c: i64) -> i64 { a * 2 }";
    let one = place(numbers, "a ", Class::Int, &["b", "c", "b + 1", "b - 1"]);
    assert_eq!(refused_in(folder.path(), numbers, &one).candidates, [(0, 0), (0, 2), (0, 3)]);
    // Of others once it is known that one has another type.
    let others = "pub fn f(a: String, b: Vec<u8>, c: &[u8]) -> usize { a.len() }";
    let mut one = place(others, "a.", Class::Record(7), &["b", "c", "a.clone()", "b.clone()"]);
    one.0.range.end -= 1;
    let first = refused_in(folder.path(), others, &one);
    assert_eq!((&first.candidates[..], &first.unequal[..]), (&[(0, 0)][..], &[0][..]), "{first:?}");
    one.1.strict = true;
    assert_eq!(refused_in(folder.path(), others, &one).candidates, [(0, 0), (0, 1), (0, 3)]);
}

#[test]
fn a_place_whose_rewriting_breaks_what_is_around_it_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    // A loop with a value cannot be left without one.
    let source =
        "pub fn f(mut a: u32) -> u32 {\n    loop {\n        a += 1;\n        if a > 9 { return a; }\n    }\n}\n";
    let mut one = place(source, "a += 1;", Class::Bool, &["a > 3"]);
    (one.0.role, one.0.leave) = (Role::Left, "break;".into());
    let refused = refused_in(folder.path(), source, &one);
    assert_eq!((&refused.candidates[..], &refused.sites[..]), (&[][..], &[0][..]), "{refused:?}");
}

/// What has effects stays; whether it gave something or nothing may be meant either way.
#[test]
fn the_opposite_may_be_asked_of_what_has_effects() {
    let folder = tempfile::tempdir().expect("a folder");
    let sites = read(folder.path(), &[line("letters.next().is_some()")]);
    let of = written(&sites, "letters.next().is_some() && letters.next().is_some()");
    assert!(of.contains(&"letters.next().is_some() && letters.next().is_none()".into()), "{of:?}");
    assert!(!of.iter().any(|text| text.matches("letters.next()").count() != 2), "{of:?}");
}

/// Of `sum` the source says later that it is one of `u32`: what takes it for another number before that is left out, and nothing else.
#[test]
fn what_settles_a_type_that_the_source_settles_later_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "pub fn f(b: &[u8], at: usize, last: usize) -> u32 {\n    let mut sum = 0;\n    let more = b.len() > 20;\n    \
                  if more { sum += u32::from(b[at]); }\n    sum\n}\n";
    let length = Class::Sized(whydunit_repair::Width { bits: None, signed: false });
    let one = place(source, "20", length, &["19", "20 + sum", "last", "last - sum"]);
    let refused = refused_in(folder.path(), source, &one);
    assert_eq!((refused.candidates, refused.sites), (vec![(0, 1), (0, 3)], vec![]));
}
