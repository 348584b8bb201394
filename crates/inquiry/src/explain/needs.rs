//! Which changes cannot be reverted without others, as far as names tell: what uses a name goes with what declares it.
//!
//! Only names count that one of the two versions does not have at all, or not in the same definition. What declares a name is told by its surroundings, without a
//! parser, so that the answer is a guess: it spares builds that would fail, and the build has the last word.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_changes::{ChangeKind, Changes};
use whydunit_delta::Set;

use super::tokens::{Place, Side, Version, is_name};

/// A word before a name that does not make it declared.
const NO_TYPES: &[&str] =
    &["return", "else", "case", "goto", "in", "throw", "delete", "new", "do", "defined", "as", "if"];

/// A name that one of the versions has.
#[derive(Default)]
struct Name {
    declared: BTreeSet<usize>,
    used: BTreeSet<usize>,
}

/// The names of one side of a change.
#[derive(Default)]
pub struct Facts {
    /// The definitions that its lines are in.
    places: BTreeSet<Place>,
    declared: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Facts {
    fn of(side: &Side<'_>) -> Self {
        let mut out = Self { places: side.start.iter().cloned().collect(), ..Self::default() };
        for (place, line) in &side.lines {
            out.places.insert(place.clone());
            for (at, word) in line.iter().enumerate().filter(|(_, word)| is_name(word)) {
                // Messages call a type by its name alone.
                let name = word.rsplit(' ').next().unwrap_or(word).to_string();
                if declares(line, at) {
                    out.declared.insert(name.clone());
                }
                out.all.insert(name);
            }
        }
        out
    }

    /// Whether it declares one of some names.
    pub fn declares(&self, names: &BTreeSet<String>) -> bool {
        !self.declared.is_disjoint(names)
    }

    /// Whether it has one of some names.
    pub fn has(&self, names: &BTreeSet<String>) -> bool {
        !self.all.is_disjoint(names)
    }
}

/// Changes by the names that they bring and take.
pub struct Needs {
    /// The two versions.
    pub old: Version,
    pub new: Version,
    /// Of each change the older side and the newer one.
    facts: Vec<(Facts, Facts)>,
    /// Who cannot be reverted without whom, as builds have shown.
    learned: BTreeSet<(usize, usize)>,
    /// Only in the older version: who uses it again needs who declares it.
    gone: Vec<Name>,
    /// Only in the newer one: without what declares it nobody can use it.
    young: Vec<Name>,
    /// The definition that each change is in.
    places: Vec<Option<Place>>,
}

impl Needs {
    /// Of all changes.
    pub fn of(changes: &Changes) -> Self {
        let (old, new) = (Version::of(&changes.old), Version::of(&changes.new));
        let nothing = String::new();
        let sides: Vec<(Side, Side)> = (0..changes.list.len())
            .map(|number| {
                let change = &changes.list[number];
                let from = changes.older_path(number).unwrap_or(&nothing);
                match &change.kind {
                    ChangeKind::Lines { old: before, new: after } => {
                        (old.side(from, before.start, before.end), new.side(&change.file, after.start, after.end))
                    }
                    ChangeKind::Added => (Side::default(), new.side(&change.file, 0, u32::MAX)),
                    ChangeKind::Deleted => (old.side(from, 0, u32::MAX), Side::default()),
                    ChangeKind::Renamed { .. } | ChangeKind::Mode | ChangeKind::Content => Default::default(),
                }
            })
            .collect();
        let turned = sides.iter().map(|(old, new)| (new, old)).collect();
        let straight = sides.iter().map(|(old, new)| (old, new)).collect();
        let places = sides.iter().map(|(old, new)| new.start.clone().or_else(|| old.start.clone())).collect();
        let facts = sides.iter().map(|(old, new)| (Facts::of(old), Facts::of(new))).collect();
        let (gone, young) = (names(straight, &new), names(turned, &old));
        Self { gone, young, places, facts, old, new, learned: BTreeSet::new() }
    }

    /// Takes in who cannot be reverted without whom; whether that was not known.
    pub fn learn(&mut self, rules: &BTreeSet<(usize, usize)>) -> bool {
        let before = self.learned.len();
        self.learned.extend(rules);
        self.learned.len() > before
    }

    /// Takes in which changes are of files that nobody builds: they go with no others.
    pub fn leave_out(&mut self, apart: &BTreeSet<usize>) {
        for names in [&mut self.gone, &mut self.young] {
            for name in names.iter_mut() {
                name.declared.retain(|change| !apart.contains(change));
                name.used.retain(|change| !apart.contains(change));
            }
            names.retain(|name| !name.declared.is_empty() && !name.used.is_empty());
        }
    }

    /// The older side of a change.
    pub fn older(&self, change: usize) -> &Facts {
        &self.facts[change].0
    }

    /// The newer side of a change.
    pub fn newer(&self, change: usize) -> &Facts {
        &self.facts[change].1
    }

    /// Whether something holds for one of the sides of a change.
    pub fn either_side(&self, change: usize, holds: impl Fn(&Facts) -> bool) -> bool {
        holds(self.older(change)) || holds(self.newer(change))
    }

    /// Whether a change is in a definition of one of the versions.
    pub fn is_in(&self, change: usize, place: &Place, older: bool) -> bool {
        let facts = if older { self.older(change) } else { self.newer(change) };
        facts.places.contains(place)
    }

    /// Changes in an order, those of a definition side by side where the first of them is.
    pub fn gathered(&self, changes: &[usize]) -> Vec<usize> {
        let mut first: BTreeMap<Option<&Place>, usize> = BTreeMap::new();
        for (rank, &change) in changes.iter().enumerate() {
            first.entry(self.places[change].as_ref()).or_insert(rank);
        }
        let mut out = changes.to_vec();
        out.sort_by_key(|&change| (first[&self.places[change].as_ref()], change));
        out
    }

    /// Gathered changes, definition by definition.
    pub fn units(&self, changes: &[usize]) -> Vec<Vec<usize>> {
        let same = |a: &usize, b: &usize| self.places[*a].is_some() && self.places[*a] == self.places[*b];
        changes.chunk_by(same).map(<[usize]>::to_vec).collect()
    }

    /// A set (ascending) with what has to be reverted with it.
    pub fn closure(&self, set: &[usize]) -> Set {
        let mut all = self.named(set);
        loop {
            let rules = self.learned.iter().filter(|(who, whom)| all.contains(who) && !all.contains(whom));
            let more: BTreeSet<usize> = rules.map(|(_, whom)| *whom).collect();
            if more.is_empty() {
                return all.into_iter().collect();
            }
            all = self.named(&Set::from_iter(&all | &more));
        }
    }

    /// The same as far as names tell.
    fn named(&self, set: &[usize]) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = set.iter().copied().collect();
        loop {
            let before = all.len();
            for name in &self.gone {
                if name.declared.is_disjoint(&all) && !name.used.is_disjoint(&all) {
                    all.extend(&name.declared);
                }
            }
            for name in &self.young {
                if name.declared.is_subset(&all) {
                    all.extend(&name.used);
                }
            }
            if all.len() == before {
                return all;
            }
        }
    }

    /// Whether a set cannot be reverted by itself, as far as names tell.
    pub fn lacks(&self, set: &[usize]) -> bool {
        self.named(set).len() > set.len()
    }
}

/// The names on the first sides of changes that the other version does not have: not at all, or not in the same definition.
fn names(sides: Vec<(&Side<'_>, &Side<'_>)>, other: &Version) -> Vec<Name> {
    // What became of a definition is told by the changes in it.
    let mut became: BTreeMap<&Place, BTreeSet<&Place>> = BTreeMap::new();
    for (own, others) in &sides {
        for place in own.lines.iter().map(|line| &line.0).chain(&own.start) {
            became.entry(place).or_default().extend(others.lines.iter().map(|line| &line.0).chain(&others.start));
        }
    }
    // A name that is declared in a definition is that definition's: others of the same name are others.
    let mut own: BTreeSet<(&Place, &str)> = BTreeSet::new();
    for (place, line) in sides.iter().flat_map(|(own, _)| &own.lines) {
        let declared = line.iter().enumerate().filter(|(at, word)| is_name(word) && declares(line, *at));
        own.extend(declared.map(|(_, word)| (place, &word[..])));
    }
    let mut names: BTreeMap<(Option<&Place>, &str), Name> = BTreeMap::new();
    for (number, (side, _)) in sides.iter().enumerate() {
        for (place, line) in &side.lines {
            for (at, word) in line.iter().enumerate().filter(|(_, word)| is_name(word)) {
                let scope = if !other.words.contains(word) {
                    Some(place).filter(|place| own.contains(&(*place, word)))
                } else if became.get(place).into_iter().flatten().all(|place| !other.has(place, word)) {
                    Some(place)
                } else {
                    continue;
                };
                let declared = declares(line, at);
                // A type is called by its name alone, too.
                let short = word.split_once(' ').map(|(_, name)| name).filter(|_| declared);
                for word in [Some(&word[..]), short].into_iter().flatten() {
                    let name = names.entry((scope, word)).or_default();
                    if declared { &mut name.declared } else { &mut name.used }.insert(number);
                    // Other definitions may use it.
                    if declared && scope.is_some() && !other.words.contains(word) {
                        names.entry((None, word)).or_default().declared.insert(number);
                    }
                }
            }
        }
    }
    let known = names.into_values().map(|name| Name { used: &name.used - &name.declared, ..name });
    known.filter(|name| !name.declared.is_empty() && !name.used.is_empty()).collect()
}

/// Whether a line, as tokens, declares the name at a place.
fn declares(line: &[String], place: usize) -> bool {
    let token = |at: usize| line.get(at).map_or("", String::as_str);
    let next = token(place + 1);
    // What Rust brings in from elsewhere.
    if line.iter().take(6).any(|token| token == "use") && line.iter().any(|token| token == ":") {
        return [",", ";", "}", ""].contains(&next);
    }
    if token(place).contains(' ') {
        return ["{", ";", ""].contains(&next);
    }
    // What comes before another name or a star is a type, or a macro, but for functions whose parameters stand in a macro of old.
    let opens_twice = |at: usize| token(at) == "(" && token(at + 1) == "(";
    if ["*", "&"].contains(&next) || is_name(next) && !opens_twice(place + 2) || opens_twice(place + 1) {
        return false;
    }
    let mut at = place;
    while at > 0 && ["*", "&"].contains(&token(at - 1)) {
        at -= 1;
    }
    let Some(before) = at.checked_sub(1).map(token) else {
        // Enumerators stand alone at the start of a line.
        return next == "," && line.len() == 2 || place == 0 && line.len() == 1;
    };
    if at < place {
        let start = at.checked_sub(2).map_or("", token);
        return is_name(before) && (at == 1 || ["(", ",", "const", "static"].contains(&start));
    }
    let enumerates = line.iter().position(|token| token.starts_with("enum")).is_some_and(|start| {
        line[start..].iter().position(|token| token == "{").is_some_and(|brace| start + brace < place)
    });
    enumerates && ["{", ","].contains(&before) || is_name(before) && !NO_TYPES.contains(&before)
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode, Tree};

    use super::*;

    fn needs(old: &str, new: &str) -> (Needs, usize) {
        let tree = |text: &str| {
            let file = File { bytes: text.as_bytes().into(), mode: Mode::Plain };
            Tree { files: [("a.c".to_string(), file)].into() }
        };
        let changes = Changes::between(tree(old), tree(new), &|_| false);
        (Needs::of(&changes), changes.list.len())
    }

    #[test]
    fn who_uses_a_name_goes_with_who_declares_it() {
        let (needs, number) = needs(
            "int before;\n\nint f(int level)\n{\n    return level;\n}\n",
            "int before;\n\nint f(int depth)\n{\n    return depth;\n}\n",
        );
        assert_eq!(number, 2);
        // The old use needs the old declaration, and without the new declaration there can be no new use.
        assert_eq!((needs.closure(&[0]), needs.closure(&[1])), (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn who_only_uses_a_new_name_can_go_alone() {
        let (needs, number) = needs(
            "int a;\n\nint f(int x)\n{\n    x = 1 / x;\n\n    return 2 * x;\n}\n",
            "int a;\n#define HALF(x) x / 2\n\nint f(int x)\n{\n    x = HALF(x);\n\n    return HALF(x);\n}\n",
        );
        assert_eq!(number, 3);
        assert_eq!((needs.closure(&[1]), needs.closure(&[0])), (vec![1], vec![0, 1, 2]));
        assert!(needs.lacks(&[0, 2]) && !needs.lacks(&[0, 1, 2]));
    }

    #[test]
    fn a_name_that_two_definitions_declare_is_two_names() {
        let text = |name: &str| {
            let one = |f: &str| format!("int {f}(void)\n{{\n    int {name} = 1;\n\n    return {name};\n}}\n\n");
            one("f") + &one("g")
        };
        let (needs, number) = needs(&text("value"), &text("amount"));
        assert_eq!(number, 4);
        assert_eq!((needs.closure(&[1]), needs.closure(&[2])), (vec![0, 1], vec![2, 3]));
    }

    #[test]
    fn names_that_others_have_count_in_their_definition() {
        let old = "int line;\n\nint f(int queue)\n{\n    queue++;\n\n    return queue;\n}\nint g(int queue)\n{\n    return queue;\n}\n";
        let new = "int line;\n\nint f(int line)\n{\n    line++;\n\n    return line;\n}\nint g(int queue)\n{\n    return 1 * queue;\n}\n";
        let (needs, number) = needs(old, new);
        assert_eq!(number, 4);
        assert_eq!((needs.closure(&[1]), needs.closure(&[3])), (vec![0, 1, 2], vec![3]));
    }

    #[test]
    fn what_is_declared() {
        let declared = |line: &str| -> Vec<String> {
            let line: Vec<String> = line.split(' ').map(|token| token.replace('\u{a0}', " ")).collect();
            (0..line.len()).filter(|&at| is_name(&line[at]) && declares(&line, at)).map(|at| line[at].clone()).collect()
        };
        for (line, names) in [
            ("static const size width ;", &["width"][..]),
            ("EXTERN size EXPORT grow ( const size by ) ;", &["grow", "by"]),
            ("local int fill OF ( ( state * s ) ) ;", &["fill", "s"]),
            ("size * from , * to ;", &["from"]),
            ("return width ;", &[]),
            ("pub use std : : convert : : { TryFrom , Into as Other } ;", &["TryFrom", "Other"]),
            ("struct line {", &["struct line"]),
            ("# define HALF ( x ) x / 2", &["HALF"]),
        ] {
            let line = line.replace("struct line", "struct\u{a0}line");
            assert_eq!(declared(&line), names, "{line}");
        }
    }

    #[test]
    fn comments_and_texts_have_no_names() {
        let (needs, number) = needs("int a;\n\nint b;\n", "int a; /* the width\n of it */\n\nint b = \"int width\";\n");
        assert_eq!(number, 2);
        assert_eq!((needs.gone.len(), needs.young.len()), (0, 0));
    }
}
