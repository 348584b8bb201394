//! How the sources of the whole workspace are laid out: files and functions of a size that can be read at once, and no circles
//! between files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::functions::{self, Function};
use crate::support::modules::{Edge, Modules};

/// A file has one subject; longer ones usually have two.
const LONGEST_FILE: usize = 600;
/// A function can be seen at once, but for dispatch tables.
const LONGEST_FUNCTION: usize = 80;

/// Functions that are longer, by their files and names, and why. A name that is not needed any more is an error.
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[
    ("crates/replay/src/machine/fast.rs", "run_frame", INTERPRETER),
    ("crates/replay/src/machine/ops.rs", "run_ops_inner", INTERPRETER),
];
const INTERPRETER: &str = "the interpreter's loop: a call for an operation, or state in memory instead of registers, costs a quarter of its speed";

/// Folders below which files make circles, how many files in all, and why. A number may only become less.
const CIRCLES: &[(&str, usize, &str)] = &[];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// All files of Rust below a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(workspace()).unwrap_or(path).display().to_string()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parsed(path: &Path, text: &str) -> syn::File {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The functions of a file that are too long.
fn too_long(path: &Path, text: &str) -> Vec<Function> {
    let mut functions = functions::functions(path, &parsed(path, text));
    functions.retain(|function| function.lines > LONGEST_FUNCTION && !function.dispatches);
    functions
}

/// The roots of the libraries and programs of the workspace.
fn roots() -> Vec<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(workspace().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata");
    let targets = metadata.packages.iter().flat_map(|package| &package.targets);
    targets.filter(|target| target.is_lib() || target.is_bin()).map(|target| target.src_path.clone().into()).collect()
}

/// The circles among the files that edges lead from and to, each as its edges. A file and those of the modules inside of its
/// module are whole and parts: what they name of each other is not counted.
fn circles(edges: &BTreeSet<Edge>) -> Vec<Vec<&Edge>> {
    let mut own: BTreeMap<&Path, &[String]> = BTreeMap::new();
    for place in edges.iter().flat_map(|edge| [&edge.from, &edge.to]) {
        let module = own.entry(&place.file).or_insert(&place.module);
        if place.module.len() < module.len() {
            *module = &place.module;
        }
    }
    let is_part = |edge: &&Edge| {
        let (from, to) = (own[edge.from.file.as_path()], own[edge.to.file.as_path()]);
        from.starts_with(to) || to.starts_with(from)
    };
    let edges: Vec<&Edge> = edges.iter().filter(|edge| !is_part(edge)).collect();
    let mut next: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for edge in &edges {
        next.entry(&edge.from.file).or_default().insert(&edge.to.file);
    }
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = next.keys().map(|file| (*file, reachable(&next, file))).collect();
    let reaches = |from: &Path, to: &Path| reached.get(from).is_some_and(|found| found.contains(to));
    let mut circles: BTreeMap<BTreeSet<&Path>, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        let (from, to) = (edge.from.file.as_path(), edge.to.file.as_path());
        if reaches(to, from) {
            let members = reached[from].iter().copied().filter(|file| reaches(file, from)).collect();
            circles.entry(members).or_default().push(edge);
        }
    }
    circles.into_values().collect()
}

fn reachable<'a>(next: &BTreeMap<&'a Path, BTreeSet<&'a Path>>, from: &Path) -> BTreeSet<&'a Path> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in next.get(file).into_iter().flatten() {
            if found.insert(*next) {
                open.push(next);
            }
        }
    }
    found
}

/// A circle in words: which file names what of which other one, and in which line first.
fn told(circle: &[&Edge]) -> String {
    let mut names: BTreeMap<(String, String), Vec<&Edge>> = BTreeMap::new();
    for edge in circle {
        names.entry((shown(&edge.from.file), shown(&edge.to.file))).or_default().push(edge);
    }
    let files: BTreeSet<&String> = names.keys().map(|(from, _)| from).collect();
    let mut text = format!("a circle of {} files\n", files.len());
    for ((from, to), edges) in &names {
        let first = edges.iter().map(|edge| edge.line).min().unwrap_or_default();
        let named: BTreeSet<String> = edges.iter().map(|edge| format!("`{}`", edge.named)).collect();
        let named: Vec<String> = named.into_iter().collect();
        text += &format!("  {from}:{first} names of {to}: {}\n", named.join(", "));
    }
    text
}

#[test]
fn no_file_has_more_lines_than_one_subject_needs() {
    let lines = |path: &PathBuf| (path.clone(), read(path).lines().count());
    let files = sources(&workspace().join("crates"));
    assert!(files.len() > 500, "{} files", files.len());
    let long: Vec<String> = files
        .iter()
        .map(lines)
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(path, lines)| format!("{} has {lines} lines", shown(&path)))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn no_function_is_longer_than_a_page_but_for_dispatch_tables() {
    let mut known: Vec<(&str, &str)> = LONG_FUNCTIONS.iter().map(|(file, name, _)| (*file, *name)).collect();
    let mut wrong = Vec::new();
    for path in sources(&workspace().join("crates")) {
        let file = shown(&path);
        for Function { name, line, lines, .. } in too_long(&path, &read(&path)) {
            match known.iter().position(|known| *known == (&file, &name)) {
                Some(at) => _ = known.remove(at),
                None => wrong.push(format!("{file}:{line}: {name} has {lines} lines")),
            }
        }
    }
    wrong.extend(known.iter().map(|(file, name)| format!("{name} in {file} is not too long any more: take it out")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_files_know_each_other_but_a_whole_and_its_parts() {
    let mut counts: BTreeMap<&str, usize> = CIRCLES.iter().map(|(folder, ..)| (*folder, 0)).collect();
    let mut wrong = Vec::new();
    for root in roots() {
        let edges = Modules::read(&root).edges();
        for circle in circles(&edges) {
            let files: BTreeSet<String> = circle.iter().map(|edge| shown(&edge.from.file)).collect();
            let folder = CIRCLES.iter().find(|(folder, ..)| files.iter().all(|file| file.starts_with(folder)));
            match folder.and_then(|(folder, ..)| counts.get_mut(folder)) {
                Some(count) => *count += files.len(),
                None => wrong.push(told(&circle)),
            }
        }
    }
    for (folder, most, _) in CIRCLES {
        if counts[folder] != *most {
            wrong.push(format!("{} files below {folder} are in circles, and {most} are said to be", counts[folder]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A function of 100 lines around these lines, which stand in it `times` times.
fn function(before: &str, line: &str, times: usize, after: &str) -> String {
    format!("fn long() {{\n{before}\n{}{after}\n}}\n", format!("{line}\n").repeat(times))
}

#[test]
fn a_long_function_is_named_and_a_dispatch_table_is_none() {
    let path = Path::new("long.rs");
    let names = |text: &str| too_long(path, text).into_iter().map(|function| function.name).collect::<Vec<_>>();
    assert_eq!(names(&function("", "call();", 90, "")), ["long"]);
    assert_eq!(names(&function("", "call();", 70, "")), [""; 0]);
    assert_eq!(names(&function("match x {", "1 => call(),", 90, "_ => {} }")), [""; 0]);
    assert_eq!(names(&function("loop { match x {", "1 => call(),", 90, "_ => {} } }")), [""; 0]);
    let arm = format!("1 => {{\n{}}}", "call();\n".repeat(20));
    assert_eq!(names(&function("match x {", &arm, 5, "_ => {} }")), ["long"]);
    let around = "call();\n".repeat(20);
    assert_eq!(names(&function(&format!("{around}match x {{"), "1 => call(),", 70, "_ => {} }")), ["long"]);
    assert_eq!(names(&format!("impl X {{\n{}}}", function("", "call();", 90, ""))), ["long"]);
}

/// The circles in a library of these files, each by its files.
fn circles_in(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let edges = Modules::read(&folder.path().join("lib.rs")).edges();
    let name = |edge: &&Edge| edge.from.file.strip_prefix(folder.path()).expect("a file").display().to_string();
    let files = |circle: Vec<&Edge>| circle.iter().map(name).collect::<BTreeSet<_>>().into_iter().collect();
    circles(&edges).into_iter().map(files).collect()
}

#[test]
fn a_circle_is_named_however_it_is_written() {
    let root = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;");
    for b in [
        "use crate::a::A;",
        "use super::a;",
        "fn f() { crate::a::f() }",
        "use crate::A;",
        "use crate::*;\nfn f() { A::f() }",
    ] {
        let files =
            [root, ("a.rs", "use crate::b::B;\npub struct A;"), ("b.rs", b), ("c.rs", "use crate::{a::A, b::B};")];
        assert_eq!(circles_in(&files), [["a.rs", "b.rs"]], "{b}");
    }
    let around =
        [("a.rs", "use crate::b::B;"), ("b.rs", "macro_rules! m { () => { crate::c::C } }"), ("c.rs", "use crate::a;")];
    assert_eq!(circles_in(&[&[root][..], &around].concat()), [["a.rs", "b.rs", "c.rs"]]);
}

#[test]
fn a_whole_and_its_parts_are_no_circle_nor_are_tests() {
    let parts = [
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b;\nuse b::B;\npub struct A;"),
        ("a/b.rs", "use super::A;\nuse crate::a::A as B;"),
    ];
    assert_eq!(circles_in(&parts), Vec::<Vec<String>>::new());
    let tests = [
        ("lib.rs", "mod a;\nmod b;"),
        ("a.rs", "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }"),
        ("b.rs", "use crate::a::A;\npub struct B;"),
    ];
    assert_eq!(circles_in(&tests), Vec::<Vec<String>>::new());
}
