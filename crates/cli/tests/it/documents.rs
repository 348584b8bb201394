//! The documents say what is there: paths, crates, pages, options, exit statuses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::MetadataCommand;
use whydunit::Exit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// The pages of the manual, by their files; pictures lie beside them.
fn pages() -> BTreeSet<String> {
    names_in(&root().join("docs/book/src")).into_iter().filter(|name| name.ends_with(".md")).collect()
}

/// The documents: those at the root, and all below docs.
fn documents() -> Vec<PathBuf> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for name in names_in(folder) {
            let path = folder.join(name);
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let mut found = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name)).to_vec();
    collect(&root().join("docs"), &mut found);
    found
}

/// What the text of a document refers to.
#[derive(Default)]
struct References {
    /// Inline code.
    code: Vec<String>,
    /// Targets of links.
    links: Vec<String>,
    /// Words like `whydunit-model`.
    crates: Vec<String>,
}

fn references(text: &str) -> References {
    let mut found = References::default();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.code.extend(line.split('`').skip(1).step_by(2).map(String::from));
            found.links.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(String::from));
            let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || "-_/.".contains(c)));
            found.crates.extend(words.filter(|word| word.starts_with("whydunit-")).map(String::from));
        }
    }
    found
}

/// Whether a piece of inline code names a file or folder of this repository.
fn is_path(code: &str, top: &BTreeSet<String>) -> bool {
    let plain = code.chars().all(|c| c.is_ascii_alphanumeric() || "/._-*".contains(c));
    let Some((first, _)) = code.split_once('/') else { return top.contains(code) || code.ends_with(".md") };
    let source = [".rs", ".md", ".sh"].iter().any(|end| code.ends_with(end));
    plain && !first.is_empty() && (top.contains(first) || source)
}

/// Whether the path exists, seen from the root or from the document; a star stands for anything.
fn exists(path: &str, document: &Path) -> bool {
    let folder = document.parent().expect("a document has a folder");
    let below = |start: &Path| match path.split_once('*') {
        None => start.join(path).exists(),
        Some((before, _)) => start.join(before.rsplit_once('/').map_or("", |(folder, _)| folder)).is_dir(),
    };
    below(&root()) || below(folder)
}

#[test]
fn every_path_and_crate_that_a_document_names_exists() {
    let top = names_in(&root());
    let crates = names_in(&root().join("crates"));
    let mut missing = Vec::new();
    for document in documents() {
        let found = references(&read(&document));
        let mut miss = |what: &str| missing.push(format!("{}: {what}", document.display()));
        for code in found.code.iter().filter(|code| is_path(code, &top)) {
            if !exists(code, &document) {
                miss(code);
            }
        }
        for link in found.links.iter().filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let target = link.split('#').next().unwrap_or_default();
            if !document.parent().expect("a folder").join(target).exists() {
                miss(link);
            }
        }
        for name in &found.crates {
            if !crates.contains(name.trim_start_matches("whydunit-").trim_end_matches('.')) {
                miss(name);
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_architecture_names_every_crate() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let unnamed: Vec<_> = names_in(&root().join("crates"))
        .into_iter()
        .filter(|name| !text.contains(&format!("`crates/{name}`")))
        .collect();
    assert_eq!(unnamed, Vec::<String>::new());
}

#[test]
fn no_document_names_a_path_of_some_machine() {
    for document in documents() {
        let text = read(&document);
        for path in ["/home/", "/root/", "/Users/", "/work/", "/var/folders/"] {
            assert!(!text.contains(path), "{} names a path below {path}", document.display());
        }
    }
}

#[test]
fn the_check_of_paths_tells_ours_from_the_users() {
    let top = BTreeSet::from(["crates".to_string(), "Makefile".to_string()]);
    for ours in ["crates/model", "crates/*/src", "Makefile", "tools/gone.sh", "gone.md"] {
        assert!(is_path(ours, &top), "{ours}");
    }
    for not in ["src/inflate.c", "cases.jsonl", "make -j4", "crates/x y", "a/b", "/proc", "0/77/99"] {
        assert!(!is_path(not, &top), "{not}");
    }
    let found = references("see `a/b.rs` and [c](d.md#e), whydunit-model.\n```\n`no/no.rs`\n```\n");
    assert_eq!((found.code, found.links), (vec!["a/b.rs".to_string()], vec!["d.md#e".to_string()]));
    assert_eq!(found.crates, ["whydunit-model."]);
}

#[test]
fn the_book_lists_its_pages() {
    let summary = references(&read(&root().join("docs/book/src/SUMMARY.md")));
    let listed: BTreeSet<_> = summary.links.into_iter().collect();
    let mut there = pages();
    there.remove("SUMMARY.md");
    assert_eq!(listed, there);
}

#[test]
fn the_manual_has_the_exit_statuses_of_the_program() {
    let page = read(&root().join("docs/book/src/exit-status.md"));
    let rows: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    let rows: Vec<_> = rows.iter().filter(|row| row.starts_with(|c: char| c.is_ascii_digit())).collect();
    let expected: Vec<_> = Exit::ALL.iter().map(|exit| format!("{} | {} |", exit.code(), exit.meaning())).collect();
    assert_eq!(rows, expected.iter().collect::<Vec<_>>());
}

#[test]
fn the_manual_names_every_command_and_option() {
    let book: String = pages().into_iter().map(|name| read(&root().join("docs/book/src").join(name))).collect();
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_whydunit")).args(arguments).output().expect("whydunit runs");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("help is text")
    };
    let overview = help(&["-h"]);
    let commands = overview.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut missing = BTreeSet::new();
    let mut number = 0;
    // What goes on in the next line stands further in.
    let commands = commands.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    for command in commands.filter_map(|line| line.split_whitespace().next()).filter(|command| *command != "help") {
        number += 1;
        if !book.contains(&format!("`whydunit {command}")) {
            missing.insert(format!("whydunit {command}"));
        }
        let text = help(&[command, "--help"]);
        let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).filter(|word| word.starts_with("--"));
        let known = |option: &str| option.len() > 3 && !["--help", "--version"].contains(&option);
        missing.extend(words.filter(|word| known(word) && !book.contains(word)).map(String::from));
    }
    assert!(number >= 9, "{overview}");
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn the_oldest_rust_is_the_same_everywhere_and_no_library_needs_a_newer() {
    let platform = ["--filter-platform".to_string(), "x86_64-unknown-linux-gnu".to_string()];
    let manifest = root().join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).other_options(platform).exec().expect("metadata");
    let ours = metadata.workspace_packages();
    let needed = ours[0].rust_version.clone().expect("a version of Rust");
    for package in ours {
        assert_eq!(package.rust_version.as_ref(), Some(&needed), "{}", package.name);
    }
    let newer = metadata.packages.iter().filter(|package| package.rust_version.as_ref() > Some(&needed));
    let newer: Vec<_> = newer.map(|package| format!("{} {:?}", package.name, package.rust_version)).collect();
    assert_eq!(newer, Vec::<String>::new(), "we promise {needed}");
    let short = format!("{}.{}", needed.major, needed.minor);
    let setup = read(&root().join("scripts/setup.sh"));
    assert!(setup.lines().any(|line| line == format!("rust_needed={short}")), "scripts/setup.sh asks for {short}");
    let readme = read(&root().join("README.md"));
    let told: Vec<&str> =
        readme.split("Rust 1.").skip(1).filter_map(|rest| rest.split([' ', '.', ',']).next()).collect();
    assert_eq!(told, [needed.minor.to_string()], "README.md tells it once");
}
