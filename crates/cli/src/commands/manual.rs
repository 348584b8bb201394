//! `whydunit manual`

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use whydunit_desk::Error;

use super::printed;
use crate::exit::Exit;
use crate::failure::Failure;

/// Print a page of the manual
///
/// The pages are those of the book that comes with the sources, as Markdown. `whydunit help COMMAND` tells the options of a command.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit manual                    which pages there are\n  whydunit manual start              \
                        the first one\n  whydunit manual locate | less\n  whydunit manual --man-pages DIR    write the pages for `man` there"
)]
pub struct Manual {
    /// The page [default: which pages there are]
    #[arg(value_name = "PAGE")]
    pub page: Option<String>,
    /// Write a page for `man` of each command to this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub man_pages: Option<PathBuf>,
}

/// A page: its name, and its text.
type Page = (&'static str, &'static str);

/// Pages by their names.
macro_rules! pages {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../docs/book/src/", $name, ".md")))),*]
    };
}

/// All pages, in the order of the book.
const PAGES: &[Page] = pages![
    "start",
    "doctor",
    "capture",
    "tests",
    "record-and-replay",
    "show-and-why",
    "dap",
    "lsp",
    "locate",
    "explain",
    "repair",
    "review",
    "shrink",
    "mine",
    "enrich",
    "java",
    "check",
    "history",
    "ci",
    "configuration",
    "options",
    "json",
    "exit-status",
    "score",
    "limits",
    "internals",
];

/// Prints a page or their names, or writes the pages for `man` of a command line.
pub fn run(args: &Manual, command: Command) -> Result<Exit, Failure> {
    match (&args.man_pages, args.page.as_deref()) {
        (Some(folder), _) => write(folder, command),
        (None, None) => printed(contents().as_bytes()),
        (None, Some(name)) => match page(name) {
            Some(text) => printed(text.as_bytes()),
            None => Err(Failure::usage("the manual has no such page").at(name).advice(nearest(name))),
        },
    }
}

/// The text of a page, by its name or that of a command that has its part in it.
fn page(name: &str) -> Option<&'static str> {
    let found = |wanted: &str| PAGES.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text);
    let of_command = || {
        let names = |(_, text): &&Page| [' ', '`'].iter().any(|end| text.contains(&format!("`whydunit {name}{end}")));
        PAGES.iter().skip(1).find(names).or_else(|| PAGES.iter().find(names)).map(|(_, text)| *text)
    };
    found(name).or_else(of_command)
}

fn nearest(name: &str) -> String {
    let names: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
    match whydunit_suite::nearest(name, &names) {
        Some(near) => format!("did you mean `{near}`? `whydunit manual` lists all"),
        None => "`whydunit manual` lists all".into(),
    }
}

/// A line for each page: its name and its title.
fn contents() -> String {
    let width = PAGES.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let title = |text: &'static str| text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
    PAGES.iter().map(|(name, text)| format!("{name:<width$}  {}\n", title(text))).collect()
}

fn write(folder: &Path, command: Command) -> Result<Exit, Failure> {
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    clap_mangen::generate_to(command, folder).map_err(Error::io(folder))?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_of_the_book_are_here_in_its_order() {
        let summary = include_str!("../../../../docs/book/src/SUMMARY.md");
        let listed: Vec<&str> =
            summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(".md)")).collect();
        assert_eq!(PAGES.iter().map(|(name, _)| *name).collect::<Vec<_>>(), listed);
    }

    #[test]
    fn a_command_without_a_page_of_its_own_has_one_that_tells_of_it() {
        assert!(page("locate").is_some_and(|text| text.starts_with("# Locate")));
        assert!(page("why").is_some_and(|text| text.contains("`whydunit why")));
        assert_eq!(page("nothing of the kind"), None);
    }
}
