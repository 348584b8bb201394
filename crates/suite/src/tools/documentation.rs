//! The examples in a library's documentation.

use std::path::Path;

use cargo_metadata::Package;

use super::{Lister, find_program, libtest};
use crate::error::Error;
use crate::program::{ProgramTest, Reading};

/// The examples in a library's documentation, each run by cargo.
pub(crate) fn tests(
    lister: &Lister<'_>,
    cargo: &Path,
    own: &[&str],
    package: &Package,
    folder: &Path,
) -> Result<Vec<ProgramTest>, Error> {
    let spec = package.id.repr.clone();
    let mut before: Vec<&str> = vec!["test", "--doc", "--package", &spec];
    let mut selects = false;
    // The package is given already.
    for word in own {
        match *word {
            "-p" | "--package" | "--exclude" => selects = true,
            "--workspace" | "--all" => {}
            _ if selects => selects = false,
            word if word.starts_with("--package=") || word.starts_with("--exclude=") => {}
            word => before.push(word),
        }
    }
    let ask = |more: &[&str]| -> Result<Vec<String>, Error> {
        let args: Vec<&str> =
            before.iter().chain(&["--", "--list", "--format", "terse"]).chain(more).copied().collect();
        let text = lister.answer(cargo, &args, folder)?;
        Ok(libtest::examples(&text))
    };
    let names = ask(&[])?;
    let ignored = if names.is_empty() { Vec::new() } else { ask(&["--ignored"])? };
    let Some(program) = find_program(cargo) else { return Ok(Vec::new()) };
    let test = |(name, stable): (String, String)| {
        let left_out = ignored.contains(&name);
        let prefix = format!("{}::doc", package.name);
        let test = libtest::test(&prefix, &name, left_out, &program, folder);
        let mut args: Vec<String> = before.iter().map(|word| (*word).to_owned()).collect();
        // rustdoc takes the words of a filter for filters of their own: what tells most is the line's number.
        let line = name.rsplit_once("(line ").map_or(name.as_str(), |(_, line)| line);
        args.extend(["--", line.split(' ').next().unwrap_or(line)].map(str::to_owned));
        let (name, reading) = (format!("{prefix} {stable}"), Reading::Doctest(name));
        ProgramTest { name, args, env: lister.environment(), reading, ..test }
    };
    let stable = stable_names(&names);
    Ok(names.into_iter().zip(stable).map(test).collect())
}

/// Names of examples that stay as they are where a version has more or fewer lines than another: rustdoc calls them by the lines at which
/// they begin. In place of that several of one item get numbers, in order.
fn stable_names(names: &[String]) -> Vec<String> {
    let parts = |name: &str| -> Option<(String, u32)> {
        let (before, rest) = name.split_once(" (line ")?;
        let (line, after) = rest.split_once(')')?;
        Some((format!("{before}{after}"), line.parse().ok()?))
    };
    let parts: Vec<Option<(String, u32)>> = names.iter().map(|name| parts(name)).collect();
    let stable = |(name, part): (&String, &Option<(String, u32)>)| {
        let Some((item, line)) = part else { return name.clone() };
        let of_item = || parts.iter().flatten().filter(|(other, _)| other == item);
        match of_item().filter(|(_, other)| other < line).count() {
            _ if of_item().count() == 1 => item.clone(),
            before => format!("{item} #{}", before + 1),
        }
    };
    names.iter().zip(&parts).map(stable).collect()
}

#[cfg(test)]
mod tests {
    use super::stable_names;

    #[test]
    fn examples_keep_their_names_where_lines_come_before_them() {
        let stable = |names: &[&str]| stable_names(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        let names = ["src/lib.rs - f (line 12)", "src/lib.rs - g (line 30)", "src/lib.rs - g (line 9)", "t"];
        assert_eq!(stable(&names), ["src/lib.rs - f", "src/lib.rs - g #2", "src/lib.rs - g #1", "t"]);
        assert_eq!(stable(&["f (line 3) - compile fail"]), ["f - compile fail"]);
    }
}
