//! Members that have another type in the newer version, told by what is done with them: `a->top` where it was a pointer, `a->top.p` where it
//! became a structure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::facts::Typed;
use crate::lack::{Lack, Sources};

/// The forms of a name, each with a place of it.
type Forms<'a> = HashMap<&'a str, BTreeMap<&'a str, Vec<(&'a str, u32)>>>;

/// A member in both versions.
#[derive(Debug)]
struct Member {
    /// Its types in the older version and in the newer one.
    types: [BTreeSet<String>; 2],
    /// What is done with it.
    uses: [BTreeSet<String>; 2],
}

/// All members whose type changed, and with it what is done with them.
#[derive(Default, Debug)]
pub(crate) struct Retyped(HashMap<String, Member>);

impl Retyped {
    /// Those of two versions.
    pub fn between(old: &Sources, new: &Sources) -> Self {
        let types = [old, new].map(|sources| forms(sources, |facts| &facts.types));
        let uses = [old, new].map(|sources| forms(sources, |facts| &facts.forms));
        let mut out = HashMap::new();
        for name in types[0].keys() {
            let set = |forms: &Forms<'_>| -> BTreeSet<String> {
                forms.get(name).into_iter().flat_map(|by| by.keys().map(|form| (*form).to_owned())).collect()
            };
            let member = Member { types: [set(&types[0]), set(&types[1])], uses: [set(&uses[0]), set(&uses[1])] };
            let both = |sets: &[BTreeSet<String>; 2]| sets.iter().all(|set| !set.is_empty());
            if both(&member.types)
                && both(&member.uses)
                && member.types[0] != member.types[1]
                && member.uses[0] != member.uses[1]
            {
                out.insert((*name).to_owned(), member);
            }
        }
        Self(out)
    }

    /// What does not agree in a mixture: a member is declared in the ways of both versions, although nothing can be done with both; or what is
    /// done with it is done in the other version only.
    pub fn lacks(&self, mixture: &Sources) -> Vec<Lack> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let (types, uses) = (forms(mixture, |facts| &facts.types), forms(mixture, |facts| &facts.forms));
        let mut out = Vec::new();
        for (name, declared) in types {
            let Some(member) = self.0.get(name) else { continue };
            let now: BTreeSet<&str> = declared.keys().copied().collect();
            let is = |version: usize| member.types[version].iter().map(String::as_str).eq(now.iter().copied());
            let places = |form: &str| declared[form].iter().map(|(path, line)| ((*path).to_owned(), *line));
            let names: BTreeSet<String> = [name.to_owned()].into();
            let version = match (is(0), is(1)) {
                (true, _) => 0,
                (_, true) => 1,
                _ => {
                    let only = |version: usize| &member.types[version] - &member.types[1 - version];
                    let both = [0, 1].map(|version| only(version).iter().any(|form| now.contains(&form[..])));
                    if both == [true, true] && member.uses[0].is_disjoint(&member.uses[1]) {
                        let older = only(0).into_iter().filter(|form| now.contains(&form[..]));
                        let newer = only(1).into_iter().filter(|form| now.contains(&form[..]));
                        for form in older.chain(newer) {
                            let says = format!("member ‘{name}’ has the types of both versions");
                            out.extend(places(&form).map(|place| Lack {
                                places: vec![place],
                                names: names.clone(),
                                says: says.clone(),
                            }));
                        }
                    }
                    continue;
                }
            };
            for (form, at) in
                uses.get(name).into_iter().flatten().filter(|(form, _)| !member.uses[version].contains(**form))
            {
                let says = format!("member ‘{name}’ has another type: ‘{form}’");
                let lack = |(path, line): &(&str, u32)| Lack {
                    places: vec![((*path).to_owned(), *line)],
                    names: names.clone(),
                    says: says.clone(),
                };
                out.extend(at.iter().map(lack));
            }
        }
        out.sort_by(|a, b| (&a.places, &a.says).cmp(&(&b.places, &b.says)));
        out
    }
}

fn forms<'a>(sources: &'a Sources, of: impl Fn(&'a crate::facts::Facts) -> &'a Vec<Typed>) -> Forms<'a> {
    let mut out = Forms::new();
    for (path, facts) in sources {
        for Typed { name, form, line } in of(facts) {
            out.entry(name).or_default().entry(form).or_default().push((path, *line));
        }
    }
    out
}
