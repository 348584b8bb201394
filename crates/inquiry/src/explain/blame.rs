//! Which changes must be reverted with others so that the rest can be built (AFTER, section IV), by what a failed build says.
//!
//! A complaint is followed to where its line comes from. A line that a reverted change brought back needs what declared its names
//! in the older version; a line of the newer version cannot stay where what declares its names is gone. Where neither tells, changes that
//! have these names are meant: those in the same definition, else those that declare them, else all.

use std::collections::BTreeSet;

use whydunit_changes::{Changes, Origin, Tree};

use super::complaints::Complaint;
use super::needs::Needs;
use super::tokens::Place;

/// What a failed build teaches.
#[derive(Default, PartialEq, Debug)]
pub struct Blamed {
    /// The changes that are to be reverted besides.
    pub more: BTreeSet<usize>,
    /// Of two changes, who cannot be reverted without whom, whatever else is.
    pub rules: BTreeSet<(usize, usize)>,
}

/// A version that could not be built.
struct Failed<'a> {
    changes: &'a Changes,
    needs: &'a Needs,
    reverted: &'a [usize],
    tree: Tree,
}

/// A definition, and whether it is one of the older version.
type Definition = (Place, bool);

/// What has to be reverted with `reverted`, by what is complained of that version.
pub fn blamed(changes: &Changes, needs: &Needs, reverted: &[usize], said: &[Complaint]) -> Blamed {
    followed(changes, needs, reverted, said, |failed, complaint, out| failed.blame(complaint, out))
}

/// Which of the reverted changes had better be kept, by what is complained of that version, when fewer are to be reverted.
pub fn spared(changes: &Changes, needs: &Needs, reverted: &[usize], said: &[Complaint]) -> Blamed {
    followed(changes, needs, reverted, said, |failed, complaint, out| failed.spare(complaint, out))
}

/// Those of the reverted changes that complaints are about: they stand where it is complained, or declare or use what is named.
pub fn about(changes: &Changes, needs: &Needs, reverted: &[usize], said: &[Complaint]) -> Vec<usize> {
    let failed = Failed { changes, needs, reverted, tree: changes.reverted(reverted) };
    let mut out = BTreeSet::new();
    for complaint in said {
        for (file, line) in &complaint.places {
            if let Some(Origin::Old { change, .. }) = failed.origin(file, *line) {
                out.insert(change);
            }
        }
        let declares = |change: &&usize| needs.either_side(**change, |side| side.declares(&complaint.names));
        out.extend(reverted.iter().filter(declares));
    }
    out.into_iter().collect()
}

/// What all complaints teach, by the way that each is followed.
fn followed(
    changes: &Changes,
    needs: &Needs,
    reverted: &[usize],
    said: &[Complaint],
    follow: impl Fn(&Failed<'_>, &Complaint, &mut Blamed),
) -> Blamed {
    let failed = Failed { changes, needs, reverted, tree: changes.reverted(reverted) };
    let mut out = Blamed::default();
    said.iter().for_each(|complaint| follow(&failed, complaint, &mut out));
    out
}

impl Failed<'_> {
    /// A line that was brought back can be kept away; a line of the newer version needs what declares its names there, or else what
    /// was brought back in its definition kept away.
    fn spare(&self, complaint: &Complaint, out: &mut Blamed) {
        if self.halves(complaint, true, out) {
            return;
        }
        if let Some((old, new)) = self.apart(complaint) {
            out.rules.insert((old, new));
            out.more.insert(old);
            return;
        }
        let (needs, before) = (self.needs, out.more.len());
        for (file, line) in &complaint.places {
            match self.origin(file, *line) {
                None => {}
                Some(Origin::Old { change, .. }) => {
                    out.more.insert(change);
                }
                Some(Origin::New { change, path, line }) => {
                    let place = needs.new.place(&path, line).map(|place| (place, false));
                    let declares = |other: &usize| needs.newer(*other).declares(&complaint.names);
                    let declaring: Vec<usize> = self.reverted.iter().copied().filter(declares).collect();
                    let here = |change: &usize| self.is_in(*change, place.as_ref());
                    let near: Vec<usize> = declaring.iter().copied().filter(here).collect();
                    let meant = if near.is_empty() { &declaring } else { &near };
                    out.rules.extend(change.iter().flat_map(|&change| meant.iter().map(move |&other| (other, change))));
                    out.more.extend(meant);
                    if declaring.is_empty() {
                        let including = self.including(complaint, true);
                        out.rules.extend(
                            change.iter().flat_map(|&change| including.iter().map(move |&other| (other, change))),
                        );
                        out.more.extend(&including);
                        if !including.is_empty() {
                            return;
                        }
                        out.more.extend(self.reverted.iter().copied().filter(here));
                    }
                }
            }
            if out.more.len() > before {
                return;
            }
        }
        let names = |change: &usize| needs.either_side(*change, |side| side.declares(&complaint.names));
        out.more.extend(self.reverted.iter().copied().filter(names));
    }

    /// Of a value that is not taken: the change that was reverted and the one that was kept, where the value is of one and what takes it of
    /// the other.
    fn apart(&self, complaint: &Complaint) -> Option<(usize, usize)> {
        if !complaint.mismatch {
            return None;
        }
        let (mut old, mut new) = (None, None);
        for (file, line) in &complaint.places {
            match self.origin(file, *line) {
                Some(Origin::Old { change, .. }) => old = old.or(Some(change)),
                Some(Origin::New { change: Some(change), .. }) => new = new.or(Some(change)),
                _ => {}
            }
        }
        old.zip(new)
    }

    /// Of a name that is not known, and that no change declares, the changes that bring (`newer`) or took away what may: includes of headers that
    /// are not the project's. Those that were reverted, or those that were kept.
    fn including(&self, complaint: &Complaint, newer: bool) -> Vec<usize> {
        let declares = |change: usize| self.needs.either_side(change, |side| side.declares(&complaint.names));
        if !complaint.unknown || (0..self.changes.list.len()).any(declares) {
            return Vec::new();
        }
        let number = |lines: &[&[u8]]| lines.iter().filter(|line| includes_other(line)).count();
        let is_meant = |change: &usize| {
            let texts = self.changes.texts(*change).filter(|_| self.is_kept(*change) != newer);
            texts
                .is_some_and(|(old, new)| if newer { number(&new) > number(&old) } else { number(&old) > number(&new) })
        };
        (0..self.changes.list.len()).filter(is_meant).collect()
    }

    fn is_kept(&self, change: usize) -> bool {
        self.reverted.binary_search(&change).is_err()
    }

    fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.changes.list.len()).filter(|&change| self.is_kept(change))
    }

    /// Of a directive without its other half: changes of its file that have one half only on one of their sides.
    fn halves(&self, complaint: &Complaint, reverted: bool, out: &mut Blamed) -> bool {
        let is_directive = complaint.names.len() == 1 && complaint.names.contains("#");
        let Some((file, _)) = complaint.places.first().filter(|_| is_directive) else { return false };
        let half = |lines: &[&[u8]]| {
            let directives = lines.iter().filter_map(|line| line.trim_ascii_start().strip_prefix(b"#"));
            let words: Vec<&[u8]> = directives.map(<[u8]>::trim_ascii_start).collect();
            let number = |word: &[u8]| words.iter().filter(|line| line.starts_with(word)).count();
            number(b"if") != number(b"endif") || number(b"el") > 0
        };
        let is_meant = |change: &usize| {
            // Texts are dear: a file is taken apart for each.
            let asked = self.changes.list[*change].file == *file && self.is_kept(*change) != reverted;
            let texts = asked.then(|| self.changes.texts(*change)).flatten();
            texts.is_some_and(|(old, new)| half(&old) || half(&new))
        };
        out.more.extend((0..self.changes.list.len()).filter(is_meant));
        true
    }

    fn blame(&self, complaint: &Complaint, out: &mut Blamed) {
        if self.halves(complaint, false, out) {
            return;
        }
        if let Some((old, new)) = self.apart(complaint) {
            out.rules.insert((old, new));
            out.more.insert(new);
            return;
        }
        let before = out.more.len();
        for (file, line) in &complaint.places {
            if let Some(origin) = self.origin(file, *line) {
                self.at(&origin, complaint, out);
            }
            if out.more.len() > before {
                return;
            }
        }
        self.anywhere(complaint, out);
    }

    fn is_in(&self, change: usize, definition: Option<&Definition>) -> bool {
        definition.is_some_and(|(place, older)| self.needs.is_in(change, place, *older))
    }

    fn origin(&self, file: &str, line: u32) -> Option<Origin> {
        let file = file.trim_start_matches("./").trim_start_matches("../");
        let ends = |path: &&String| path.ends_with(file) && path[..path.len() - file.len()].ends_with('/');
        let path = self.tree.files.keys().find(|path| *path == file).or_else(|| self.tree.files.keys().find(ends))?;
        self.changes.origin(self.reverted, path, line.checked_sub(1)?)
    }

    /// By the line that is complained of.
    fn at(&self, origin: &Origin, complaint: &Complaint, out: &mut Blamed) {
        let needs = self.needs;
        match origin {
            Origin::Old { change, path, line } => {
                let place = needs.old.place(path, *line).map(|place| (place, true));
                let declares = |&other: &usize| needs.older(other).declares(&complaint.names);
                let declaring: Vec<usize> = self.nearest(place.as_ref(), declares);
                let declaring = if declaring.is_empty() { self.including(complaint, false) } else { declaring };
                out.rules.extend(declaring.iter().map(|&other| (*change, other)));
                out.more.extend(&declaring);
                if declaring.is_empty() {
                    self.having(place.as_ref(), complaint, out);
                }
            }
            Origin::New { change: Some(change), path, line } => {
                let place = needs.new.place(path, *line).map(|place| (place, false));
                let declares = |other: &usize| needs.newer(*other).declares(&complaint.names);
                let declaring: Vec<usize> = self.reverted.iter().copied().filter(declares).collect();
                let near: Vec<usize> =
                    declaring.iter().copied().filter(|&other| self.is_in(other, place.as_ref())).collect();
                let meant = if near.is_empty() { declaring } else { near };
                out.rules.extend(meant.into_iter().map(|other| (other, *change)));
                out.more.insert(*change);
            }
            Origin::New { change: None, path, line } => {
                let place = needs.new.place(path, *line).map(|place| (place, false));
                let declares = |&other: &usize| needs.either_side(other, |side| side.declares(&complaint.names));
                let declaring = self.nearest(place.as_ref(), declares);
                out.more.extend(&declaring);
                if declaring.is_empty() {
                    self.having(place.as_ref(), complaint, out);
                }
            }
        }
    }

    /// The kept changes that are meant: those in a definition, where any change there is; else all.
    fn nearest(&self, place: Option<&Definition>, meant: impl Fn(&usize) -> bool) -> Vec<usize> {
        let all: Vec<usize> = (0..self.changes.list.len()).filter(meant).collect();
        let near: Vec<usize> = all.iter().copied().filter(|&change| self.is_in(change, place)).collect();
        let mut out = if near.is_empty() { all } else { near };
        out.retain(|&change| self.is_kept(change));
        out
    }

    /// The kept changes of a definition that have names of a complaint; where it names none, all of the definition.
    fn having(&self, place: Option<&Definition>, complaint: &Complaint, out: &mut Blamed) {
        let near = || self.kept().filter(|&change| self.is_in(change, place));
        let before = out.more.len();
        out.more.extend(near().filter(|&change| self.needs.either_side(change, |side| side.has(&complaint.names))));
        if out.more.len() == before {
            out.more.extend(near());
        }
    }

    /// By names alone: what declared them in the older version, else what uses them in the newer one, else any that has them.
    fn anywhere(&self, complaint: &Complaint, out: &mut Blamed) {
        let names: BTreeSet<String> = complaint.names.iter().filter(|name| name.len() > 1).cloned().collect();
        let needs = self.needs;
        let mut found: Vec<usize> = self.kept().filter(|&change| needs.older(change).declares(&names)).collect();
        if found.is_empty() {
            found.extend(self.kept().filter(|&change| needs.newer(change).has(&names)));
        }
        if found.is_empty() {
            found.extend(self.kept().filter(|&change| needs.either_side(change, |side| side.has(&names))));
        }
        out.more.extend(found);
        if !complaint.files.is_empty() {
            out.more.extend(self.kept().filter(|&change| self.names_a_file(change, complaint)));
        }
    }

    /// Whether a change is of a file that is named, or names it.
    fn names_a_file(&self, change: usize, complaint: &Complaint) -> bool {
        let own = &self.changes.list[change].file;
        let Some((old, new)) = self.changes.texts(change) else {
            let name = own.rsplit('/').next().unwrap_or_default();
            return complaint.files.iter().any(|file| file.rsplit('/').next() == Some(name));
        };
        old.iter().chain(&new).any(|line| {
            let line = String::from_utf8_lossy(line);
            complaint.files.iter().any(|file| line.contains(&file[..]))
        })
    }
}

/// Whether a line includes a header that is not the project's.
fn includes_other(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    rest.and_then(|rest| rest.strip_prefix(b"include")).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"<"))
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode};

    use super::*;

    fn tree(text: &str) -> Tree {
        let file = File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: [("a.c".to_string(), file)].into() }
    }

    #[test]
    fn a_name_of_no_change_goes_with_what_is_included() {
        let old = "#include <stdio.h>\n\nint g;\n\nint f(void)\n{\n    return 1;\n}\n";
        let new = "#include <stdbool.h>\n#include <stdio.h>\n\nint g;\n\nint f(void)\n{\n    return true;\n}\n";
        let changes = Changes::between(tree(old), tree(new), &|_| false);
        let needs = Needs::of(&changes);
        let said = |line: u32| {
            let names = ["true".to_owned()].into();
            [Complaint { places: vec![("a.c".into(), line)], names, unknown: true, ..Complaint::default() }]
        };
        // The include was reverted: it had better be kept, or what uses it is reverted, too.
        assert_eq!(spared(&changes, &needs, &[0], &said(7)).more, [0].into());
        assert_eq!(blamed(&changes, &needs, &[0], &said(7)).more, [1].into());
        // The other way round what includes it is brought back.
        let changes = Changes::between(tree(new), tree(old), &|_| false);
        let needs = Needs::of(&changes);
        assert_eq!(blamed(&changes, &needs, &[1], &said(7)).more, [0].into());
    }

    #[test]
    fn a_value_goes_with_what_takes_it() {
        let of = |parameter: &str, value: &str| {
            format!("int f({parameter})\n{{\n    return 1;\n}}\n\nint g(void)\n{{\n    return f({value});\n}}\n")
        };
        let changes = Changes::between(tree(&of("int a", "1")), tree(&of("char *a", "\"1\"")), &|_| false);
        let needs = Needs::of(&changes);
        let said =
            [Complaint { places: vec![("a.c".into(), 8), ("a.c".into(), 1)], mismatch: true, ..Complaint::default() }];
        let told = blamed(&changes, &needs, &[1], &said);
        assert_eq!((told.more, told.rules), ([0].into(), [(1, 0)].into()));
        let told = spared(&changes, &needs, &[1], &said);
        assert_eq!((told.more, told.rules), ([1].into(), [(1, 0)].into()));
    }
}
