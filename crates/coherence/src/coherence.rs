//! What a mixture of two versions lacks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use whydunit_changes::{File, Mode, Tree};

use crate::facts::{Facts, Kind, Use};
use crate::lack::{Lack, Sources};
use crate::reading;
use crate::retyped::Retyped;
use crate::whole::{self, Parts};

/// Facts of so many files are kept.
const CACHED: usize = 2000;
/// So much is told at most.
const MOST: usize = 400;

/// A file's path and what it holds.
type Content = (String, Arc<[u8]>);

/// Two versions, and what is known of mixtures of them.
pub struct Coherence {
    /// Facts by path and content; none of what is no source.
    read: HashMap<Content, Option<Arc<Facts>>>,
    /// What the two versions lack as well.
    calibrated: Gaps,
    /// Members that have another type in the newer version.
    retyped: Retyped,
    with_cpp: bool,
}

/// What is lacking, without lines: names by kind and definition, claims that nothing grants, and how often what may be there once is.
#[derive(Default)]
struct Gaps {
    uses: HashSet<(Kind, String, String)>,
    claims: HashSet<(String, String)>,
    once: HashMap<(String, String), usize>,
    wholes: HashSet<(String, String)>,
}

impl Coherence {
    /// Of an older and a newer version.
    pub fn of(old: &Tree, new: &Tree) -> Self {
        let with_cpp = [old, new].iter().any(|tree| tree.files.keys().any(|path| reading::is_cpp(path)));
        let (read, calibrated) = (HashMap::new(), Gaps::default());
        let mut out = Self { read, calibrated, retyped: Retyped::default(), with_cpp };
        let [before, after] = [old, new].map(|tree| out.sources(tree));
        out.retyped = Retyped::between(&before, &after);
        for sources in [before, after] {
            let gaps = World::of(&sources).gaps(&sources);
            out.calibrated.uses.extend(gaps.uses);
            out.calibrated.claims.extend(gaps.claims);
            out.calibrated.wholes.extend(gaps.wholes);
            for (key, times) in gaps.once {
                let known = out.calibrated.once.entry(key).or_default();
                *known = times.max(*known);
            }
        }
        out
    }

    /// What a mixture of the two versions lacks, file by file.
    pub fn lacks(&mut self, mixture: &Tree) -> Vec<Lack> {
        if self.read.len() > CACHED {
            self.read.clear();
        }
        let sources = self.sources(mixture);
        let world = World::of(&sources);
        let mut out = Vec::new();
        for (path, facts) in &sources {
            let at = |line: u32| (path.clone(), line);
            for one in facts.uses.iter().filter(|one| !world.has(facts, one)) {
                if !self.calibrated.uses.contains(&key(one)) {
                    out.push(lack(vec![at(one.line)], one));
                }
            }
            for claim in facts.claims.iter().filter(|claim| !world.grants(&claim.about, &claim.says)) {
                let known = (claim.about.clone(), claim.says.clone());
                if !self.calibrated.claims.contains(&known) {
                    let says = format!("‘{}’ does not agree with what is said of it elsewhere", claim.name);
                    out.push(Lack { places: vec![at(claim.line)], names: [claim.name.clone()].into(), says });
                }
            }
            let lacking = whole::lacking(facts, &world.parts);
            let lacking = lacking.into_iter().filter(|lack| !self.calibrated.wholes.contains(&lack.key()));
            out.extend(lacking.map(|lack| Lack {
                places: [vec![at(lack.whole.line)], lack.parts.iter().map(|part| part.1.clone()).collect()].concat(),
                names: lack.parts.iter().map(|part| part.0.clone()).collect(),
                says: format!("‘{}’ is not taken in here", lack.parts[0].0),
            }));
            out.extend(self.repeated(path, facts));
        }
        out.extend(self.retyped.lacks(&sources));
        out.truncate(MOST);
        out
    }

    /// What a file has more often than it has in either version.
    fn repeated(&self, path: &str, facts: &Facts) -> Vec<Lack> {
        let mut by: BTreeMap<&str, Vec<(&str, u32)>> = BTreeMap::new();
        for once in &facts.once {
            by.entry(&once.key).or_default().push((&once.name, once.line));
        }
        let most = |key: &str| self.calibrated.once.get(&(path.to_owned(), key.to_owned())).copied().unwrap_or(1);
        let often = by.into_iter().filter(|(key, all)| all.len() > most(key).max(1));
        let told = often.map(|(_, all)| Lack {
            places: all.iter().rev().map(|(_, line)| (path.to_owned(), *line)).collect(),
            names: [all[0].0.to_owned()].into(),
            says: format!("‘{}’ is there twice", all[0].0),
        });
        told.collect()
    }

    fn sources(&mut self, tree: &Tree) -> Sources {
        let mut out = Sources::new();
        for (path, File { bytes, .. }) in tree.files.iter().filter(|(_, file)| file.mode != Mode::Link) {
            let facts = self.read.entry((path.clone(), bytes.clone()));
            let facts = facts.or_insert_with(|| reading::facts(path, bytes, self.with_cpp).map(Arc::new));
            if let Some(facts) = facts {
                out.insert(path.clone(), facts.clone());
            }
        }
        out
    }
}

/// All that the sources of a version declare.
#[derive(Default)]
struct World<'a> {
    declared: HashSet<&'a str>,
    defined: HashSet<&'a str>,
    members: HashSet<&'a str>,
    /// What is granted, by what it is about.
    grants: HashMap<&'a str, HashSet<&'a str>>,
    parts: Parts<'a>,
}

impl<'a> World<'a> {
    fn of(sources: &'a Sources) -> Self {
        let mut out = Self { parts: Parts::of(sources), ..Self::default() };
        for facts in sources.values() {
            out.declared.extend(facts.declared.iter().map(String::as_str));
            out.defined.extend(facts.defined.iter().map(String::as_str));
            out.members.extend(facts.members.iter().map(String::as_str));
            for (about, says) in &facts.grants {
                out.grants.entry(about).or_default().insert(says);
            }
        }
        out
    }

    /// Whether a name is declared where it is used.
    fn has(&self, facts: &Facts, one: &Use) -> bool {
        let name = &one.name[..];
        match one.kind {
            Kind::Broken | Kind::Directive => false,
            Kind::Definition => self.defined.contains(name),
            Kind::Member => self.members.contains(name) || self.declared.contains(name),
            Kind::Name => {
                let by_glob = || {
                    facts
                        .globs
                        .iter()
                        .any(|of| self.grants.get(&format!("in {of}")[..]).is_some_and(|in_it| in_it.contains(name)))
                };
                let open = || self.declared.contains(name) || facts.members_are_names && self.members.contains(name);
                facts.declared.contains(name) || facts.open && open() || by_glob()
            }
        }
    }

    fn grants(&self, about: &str, says: &str) -> bool {
        self.grants.get(about).is_none_or(|granted| granted.contains("*") || granted.contains(says))
    }

    fn gaps(&self, sources: &Sources) -> Gaps {
        let mut out = Gaps::default();
        for (path, facts) in sources {
            out.uses.extend(facts.uses.iter().filter(|one| !self.has(facts, one)).map(key));
            let claims = facts.claims.iter().filter(|claim| !self.grants(&claim.about, &claim.says));
            out.claims.extend(claims.map(|claim| (claim.about.clone(), claim.says.clone())));
            out.wholes.extend(whole::lacking(facts, &self.parts).iter().map(whole::Lacking::key));
            for once in &facts.once {
                *out.once.entry((path.clone(), once.key.clone())).or_default() += 1;
            }
        }
        out
    }
}

fn key(one: &Use) -> (Kind, String, String) {
    (one.kind, one.place.clone(), one.name.clone())
}

fn lack(places: Vec<(String, u32)>, one: &Use) -> Lack {
    let name = &one.name;
    let (names, says) = match one.kind {
        Kind::Broken => (BTreeSet::new(), "this is no syntax".to_owned()),
        Kind::Directive => ([name.clone()].into(), "this directive has no other half".to_owned()),
        Kind::Definition => ([name.clone()].into(), format!("‘{name}’ is not defined")),
        Kind::Member => ([name.clone()].into(), format!("there is no member ‘{name}’")),
        Kind::Name => ([name.clone()].into(), format!("‘{name}’ is not declared")),
    };
    Lack { places, names, says }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(path: &str, text: &str) -> Tree {
        let file = File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: [(path.to_string(), file)].into() }
    }

    /// What a mixture lacks, in words with the line; and that neither version lacks anything.
    fn lacks(path: &str, old: &str, new: &str, mixture: &str) -> Vec<String> {
        let (old, new) = (tree(path, old), tree(path, new));
        let mut coherence = Coherence::of(&old, &new);
        assert_eq!((coherence.lacks(&old), coherence.lacks(&new)), (vec![], vec![]));
        let told = coherence.lacks(&tree(path, mixture));
        told.into_iter().map(|lack| format!("{}: {}", lack.places[0].1, lack.says)).collect()
    }

    #[test]
    fn names_that_the_mixture_does_not_declare() {
        let old = "#include <stdio.h>\nint f(int level)\n{\n    printf(\"%d\", level);\n    return level;\n}\n";
        let new = "#include <stdio.h>\nint f(int depth)\n{\n    printf(\"%d\", depth);\n    return depth;\n}\n";
        let mixed = "#include <stdio.h>\nint f(int depth)\n{\n    printf(\"%d\", level);\n    return depth;\n}\n";
        assert_eq!(lacks("a.c", old, new, mixed), ["4: ‘level’ is not declared"]);
        assert_eq!(lacks("a.cpp", old, new, mixed), ["4: ‘level’ is not declared"]);
    }

    #[test]
    fn members_macros_labels_and_types() {
        let old = "struct s { int a; };\n#define N 1\nint f(struct s *p)\n{\n    if (p->a == N) goto out;\nout:\n    return 0;\n}\n";
        let new = "struct s { int b; };\n#define M 1\nint f(struct s *p)\n{\n    if (p->b == M) goto end;\nend:\n    return 0;\n}\n";
        let mixed = "struct s { int b; };\n#define M 1\nint f(struct s *p)\n{\n    if (p->a == N) goto out;\nend:\n    return 0;\n}\n";
        let told = lacks("a.c", old, new, mixed);
        assert_eq!(told, ["5: there is no member ‘a’", "5: ‘N’ is not declared", "5: ‘out’ is not declared"]);
    }

    #[test]
    fn calls_and_declarations_agree_with_definitions() {
        let old = "int g(int a, int b);\nint g(int a, int b)\n{\n    return a + b;\n}\nint f(void)\n{\n    return g(1, 2);\n}\n";
        let new = "int g(int a);\nint g(int a)\n{\n    return a;\n}\nint f(void)\n{\n    return g(1);\n}\n";
        let mixed = "int g(int a, int b);\nint g(int a)\n{\n    return a;\n}\nint f(void)\n{\n    return g(1, 2);\n}\n";
        let told = lacks("a.c", old, new, mixed);
        assert_eq!(told, ["1: ‘g’ does not agree with what is said of it elsewhere"]);
        let calls = "int g(int a);\nint g(int a)\n{\n    return a;\n}\nint f(void)\n{\n    return g(1, 2);\n}\n";
        assert_eq!(lacks("a.c", old, new, calls), ["8: ‘g’ does not agree with what is said of it elsewhere"]);
    }

    #[test]
    fn what_is_there_twice_and_what_is_no_syntax() {
        let old = "int f(int x)\n{\n    switch (x) {\n    case 1: return 2;\n    }\n    return 0;\n}\n";
        let new = "int f(int x)\n{\n    int y = x;\n    switch (x) {\n    case 2: return y;\n    case 1: return 2;\n    }\n    return 0;\n}\n";
        let twice = "int f(int x)\n{\n    int y = x;\n    int y = x;\n    switch (x) {\n    case 1: return y;\n    case 1: return 2;\n    }\n    return 0;\n}\n";
        assert_eq!(lacks("a.c", old, new, twice), ["7: ‘1’ is there twice", "4: ‘y’ is there twice"]);
        let broken = "int f(int x)\n{\n    switch (x) {\n    case 1: return 2;\n    return 0;\n}\n";
        assert!(!lacks("a.c", old, new, broken).is_empty());
    }

    #[test]
    fn functions_are_defined_directives_have_two_halves_and_macros_their_form() {
        let old = "int g(void);\n#define DEC extern\nDEC int a;\nint g(void)\n{\n    return 1;\n}\nint f(void)\n{\n    return g();\n}\n";
        let new = "int h(void);\n#define DEC(x) extern x\nDEC(int a);\nint h(void)\n{\n    return 1;\n}\nint f(void)\n{\n    return h();\n}\n";
        let mixed = "int g(void);\n#define DEC(x) extern x\nDEC int a;\nint h(void)\n{\n    return 1;\n}\nint f(void)\n{\n    return g();\n}\n#endif\n";
        let told = lacks("a.c", old, new, mixed);
        for one in ["10: ‘g’ is not defined", "12: this directive has no other half", "3: ‘DEC’ does not agree"]
        {
            assert!(told.iter().any(|told| told.starts_with(one)), "{one}: {told:?}");
        }
    }

    #[test]
    fn what_macros_hide_is_known_from_the_versions() {
        let old = "#define API extern\nAPI int (f) (int x) {\n    EACH(y) use(y);\n    return x;\n}\n";
        let new = "#define API extern\nAPI int (f) (int x) {\n    EACH(y) use(y);\n    return 1 + x;\n}\n";
        assert_eq!(lacks("a.c", old, new, old), Vec::<String>::new());
    }

    #[test]
    fn rust() {
        let old = "use std::fmt::Debug;\nstruct S { a: u32 }\nimpl S {\n    fn get(&self) -> u32 { self.a }\n}\nfn f(x: &S) -> u32 {\n    let y = x.get();\n    y\n}\n";
        let new = "use std::fmt::Debug;\nstruct S { b: u32 }\nimpl S {\n    fn value(&self, by: u32) -> u32 { self.b * by }\n}\nfn f(x: &S) -> u32 {\n    let z = x.value(2);\n    z\n}\n";
        let mixed = "use std::fmt::Debug;\nstruct S { b: u32 }\nimpl S {\n    fn value(&self, by: u32) -> u32 { self.a * by }\n}\nfn f(x: &S) -> u32 {\n    let z = x.get();\n    y\n}\n";
        assert_eq!(
            lacks("a.rs", old, new, mixed),
            ["4: there is no member ‘a’", "7: there is no member ‘get’", "8: ‘y’ is not declared"]
        );
        let call = "use std::fmt::Debug;\nstruct S { b: u32 }\nimpl S {\n    fn value(&self, by: u32) -> u32 { self.b * by }\n}\nfn f(x: &S) -> u32 {\n    let z = x.value();\n    z\n}\n";
        assert_eq!(lacks("a.rs", old, new, call), ["7: ‘value’ does not agree with what is said of it elsewhere"]);
    }
}
