//! What a failed build says: complaints of compilers, linkers and make, with the places and names they are about.

use std::collections::BTreeSet;

use super::touching::is_common;

/// One complaint.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Complaint {
    /// File and line (from 1), the place of the error first, then those that notes name.
    pub places: Vec<(String, u32)>,
    /// Names in quotes, but for those that every source has.
    pub names: BTreeSet<String>,
    /// Files in quotes.
    pub files: BTreeSet<String>,
    /// A name is not known.
    pub unknown: bool,
    /// A value and what takes it do not agree: both have a place.
    pub mismatch: bool,
}

impl Complaint {
    /// Whether it is about the same names in the same file as another one, on whichever line.
    pub fn is_like(&self, other: &Self) -> bool {
        let file = |one: &Self| one.places.first().map(|place| place.0.clone());
        self.names == other.names && self.files == other.files && file(self) == file(other)
    }
}

/// Words that say that a line complains.
const TELLING: &[&str] = &["error", "undefined", "multiple", "No rule"];
/// An error of syntax.
const SYNTAX: &str = "error: expected ";
/// Errors by which a name is not known.
const UNKNOWN: &[&str] =
    &["undeclared", "unknown type name", "not declared", "no template named", "no member named", "no type named"];
/// Errors by which a value and what takes it do not agree.
const MISMATCH: &[&str] =
    &["error: incompatible ", "error: passing ", "mismatched types", "arguments to this function are incorrect"];
/// So many complaints count.
const MOST: usize = 40;

/// The complaints in what a build printed. What follows an error of syntax in the same file may well follow from it, and does not count.
pub fn complaints(said: &str) -> Vec<Complaint> {
    let mut out: Vec<Complaint> = Vec::new();
    let mut garbled: BTreeSet<String> = BTreeSet::new();
    // Places that follow a warning are not those of the error before it.
    let mut warned = false;
    let mut shown = "";
    // The last error names types only, or nothing.
    let mut nameless = false;
    for line in said.lines() {
        if let Some(source) = shown_source(line) {
            // Where no name is told, or only types, the one that is pointed at is meant.
            let name = pointed_at(shown, source).filter(|name| nameless && !warned && !is_common(name));
            if let (Some(name), Some(last)) = (name, out.last_mut()) {
                last.names = [name.to_owned()].into();
                nameless = false;
            }
            shown = source;
            continue;
        }
        if is_warning(line) {
            warned = true;
            continue;
        }
        let place = place(line);
        let file = place.as_ref().map(|(file, _)| file.clone());
        if file.as_ref().is_some_and(|file| garbled.contains(file)) {
            continue;
        }
        if line.contains(SYNTAX) {
            garbled.extend(file);
        }
        if TELLING.iter().any(|word| line.contains(word)) && pieces(line).next().is_some() {
            warned = false;
            if out.len() == MOST {
                break;
            }
            let mismatch = MISMATCH.iter().any(|words| line.contains(words));
            let unknown = UNKNOWN.iter().any(|words| line.contains(words));
            let places = place.into_iter().collect();
            let mut complaint = Complaint { places, unknown, mismatch, ..Complaint::default() };
            for piece in pieces(line) {
                if piece.contains('.') && !piece.contains(' ') {
                    complaint.files.insert(piece.to_string());
                }
                let names = super::words(piece).filter(|word| !word.is_empty() && !is_common(word));
                complaint
                    .names
                    .extend(names.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).map(String::from));
            }
            nameless = complaint.names.is_empty() || line.contains("error: type '");
            out.push(complaint);
        } else if line.contains("error") && (place.is_some() || line.starts_with("error")) {
            warned = false;
            let mismatch = MISMATCH.iter().any(|words| line.contains(words));
            nameless = true;
            out.push(Complaint { places: place.into_iter().collect(), mismatch, ..Complaint::default() });
        } else if warned {
            continue;
        } else if let (Some(place), Some(last)) = (place, out.last_mut())
            && !last.places.contains(&place)
        {
            last.places.push(place);
        }
    }
    out
}

/// What stands behind the bar of a line that shows a source, or points at something in the one before.
fn shown_source(line: &str) -> Option<&str> {
    let (number, source) = line.split_once('|')?;
    number.trim().chars().all(|digit| digit.is_ascii_digit()).then_some(source)
}

/// The name in a line of source that the line below it points at, or points behind.
fn pointed_at<'a>(source: &'a str, below: &str) -> Option<&'a str> {
    let place = below.find('^').filter(|_| below.trim().chars().all(|mark| "^~-".contains(mark)))?;
    let (before, rest) = (source.get(..place)?, source.get(place..)?);
    let is_other = |c: char| !c.is_alphanumeric() && c != '_';
    let name = match rest.find(is_other).unwrap_or(rest.len()) {
        0 => &before[before.rfind(is_other).map_or(0, |end| end + 1)..],
        end => &rest[..end],
    };
    (name.len() > 1 && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// Whether a line begins a warning.
fn is_warning(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("warning:") || line.contains(": warning: ")
}

/// The file and line that a line of messages begins with, or that an arrow of rustc's points to.
fn place(line: &str) -> Option<(String, u32)> {
    let line = line.trim_start();
    let line = line.strip_prefix("--> ").or(line.strip_prefix("::: ")).unwrap_or(line);
    let mut parts = line.split(':');
    let file = parts.next().filter(|file| file.contains('.') && !file.contains(' '))?;
    Some((file.to_string(), parts.next()?.parse().ok()?))
}

/// What stands in the quotes that compilers and linkers use.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    line.split(['‘', '’', '\'', '`', '"']).skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(places: &[(&str, u32)], names: &[&str]) -> Complaint {
        Complaint {
            places: places.iter().map(|(file, line)| (file.to_string(), *line)).collect(),
            names: names.iter().map(|name| name.to_string()).collect(),
            ..Complaint::default()
        }
    }

    #[test]
    fn compilers() {
        let said = "In file included from a.c:1:\n\
            lib/a.c: In function ‘f’:\n\
            lib/a.c:3:5: error: ‘limit’ undeclared (first use in this function)\n    3 |  limit = 1;\n\
            a.c:7:1: error: conflicting types for ‘struct line’; have ‘int’\n\
            a.h:2:5: note: previous declaration\n\
            a.c:9:1: error: expected ‘;’ before ‘}’ token\na.c:12:1: error: unknown type name ‘big’\n";
        let syntax = complaint(&[("a.c", 9)], &[]);
        let unknown = |complaint: Complaint| Complaint { unknown: true, ..complaint };
        let known = [
            unknown(complaint(&[("lib/a.c", 3)], &["limit"])),
            complaint(&[("a.c", 7), ("a.h", 2)], &["line"]),
            syntax,
        ];
        assert_eq!(complaints(said), known);
    }

    #[test]
    fn the_same_complaint_on_another_line() {
        let one = complaint(&[("a.c", 3)], &["limit"]);
        assert!(one.is_like(&complaint(&[("a.c", 9)], &["limit"])));
        assert!(
            !one.is_like(&complaint(&[("b.c", 3)], &["limit"])) && !one.is_like(&complaint(&[("a.c", 3)], &["most"]))
        );
    }

    #[test]
    fn rustc() {
        let said = "error[E0425]: cannot find value `depth` in this scope\n  --> src/lib.rs:10:5\n   |\n\
            error: expected expression\n --> src/a.rs:4:1\n";
        assert_eq!(
            complaints(said),
            [complaint(&[("src/lib.rs", 10)], &["depth"]), complaint(&[("src/a.rs", 4)], &[])]
        );
    }

    #[test]
    fn places_of_warnings_are_not_those_of_errors() {
        let said = "error[E0425]: cannot find value `depth` in this scope\n  --> src/lib.rs:10:5\n\
            warning: unused variable: `x`\n  --> src/a.rs:1:5\n\
            a.c:3:5: error: ‘limit’ undeclared\na.c:4:5: warning: comparison\na.c:2:1: note: here\n";
        assert_eq!(
            complaints(said),
            [
                complaint(&[("src/lib.rs", 10)], &["depth"]),
                Complaint { unknown: true, ..complaint(&[("a.c", 3)], &["limit"]) }
            ]
        );
    }

    #[test]
    fn names_that_are_only_pointed_at() {
        let said = "s.cpp:6:17: error: reference to non-static member function must be called\n    6 |     return tok->str == \"error\";\n      |            ~~~~~^~~\n";
        assert_eq!(complaints(said), [complaint(&[("s.cpp", 6)], &["str"])]);
        let said = "s.cpp:7:13: error: type 'const T' does not provide a call operator\n    7 |     return tok->str();\n      |            ~~~~~~~~^\n";
        assert_eq!(complaints(said), [complaint(&[("s.cpp", 7)], &["str"])]);
    }

    #[test]
    fn values_that_are_not_taken() {
        let said = "a.c:9:7: error: incompatible pointer to integer conversion passing 'char *' to parameter of type 'size_t'\n    9 |     f(buf);\n\
            a.c:2:10: note: passing argument to parameter 'width' here\n";
        let [told] = &complaints(said)[..] else { panic!("{:?}", complaints(said)) };
        assert!(told.mismatch);
        assert_eq!(told.places, [("a.c".to_owned(), 9), ("a.c".to_owned(), 2)]);
    }

    #[test]
    fn linkers_and_make() {
        let said = "/usr/bin/ld: a.o: in function `f':\na.c:12: undefined reference to `grow'\n\
            make: *** No rule to make target 'b.h', needed by 'a.o'.\n";
        let found = complaints(said);
        assert_eq!(found[0], complaint(&[("a.c", 12)], &["grow"]));
        assert!(found[1].files.contains("b.h"));
    }
}
