//! Running a recorded link again, with other inputs.

mod inputs;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use whydunit_face::{
    context::INSIDE,
    recipe::{Argument, Kind, Recipe},
};

use super::{Maker, flags, flags::Kept, inline, kept, library_name, wrap};
use crate::Error;

use inputs::{Replaced, all_units, replace};

/// How many lines of a linker go into a message.
const LAST_LINES: usize = 12;

/// Links the copy of a product to `place`; gives notes.
pub(super) fn link(
    maker: &mut Maker,
    recipe: &Recipe,
    libraries: &[PathBuf],
    place: &Path,
) -> Result<Vec<String>, Error> {
    let around = maker.modules.begin_link();
    let linked = wrap::apply(maker, recipe).and_then(|()| link_units(maker, recipe, libraries, place));
    maker.modules.end_link(around);
    linked
}

fn link_units(maker: &mut Maker, recipe: &Recipe, libraries: &[PathBuf], place: &Path) -> Result<Vec<String>, Error> {
    let (mut output, mut replaced) = attempt(maker, recipe, libraries, place, false, &[])?;
    if !output.status.success() && maker.modules.leave_out_nothing() {
        maker.modules.make(&maker.units(std::slice::from_ref(recipe)))?;
        (output, replaced) = attempt(maker, recipe, libraries, place, false, &[])?;
    }
    let mut all_members = false;
    if !output.status.success() && replaced.left_out {
        // Without optimisation some code refers to members that the product did not need.
        maker.modules.make(&all_units(maker, recipe)?)?;
        all_members = true;
        (output, replaced) = attempt(maker, recipe, libraries, place, true, &[])?;
    }
    let mut extra: Vec<String> = Vec::new();
    let mut notes = Vec::new();
    if !output.status.success() && inline::define(maker, recipe, &undefined_symbols(&output))? {
        extra.extend(if recipe.direct {
            vec!["-z".to_owned(), "muldefs".to_owned()]
        } else {
            vec!["-Wl,-z,muldefs".to_owned()]
        });
        (output, replaced) = attempt(maker, recipe, libraries, place, all_members, &extra)?;
    }
    if !output.status.success() {
        let undefined = undefined_symbols(&output);
        if !undefined.is_empty() {
            let traps = traps(maker, recipe, &undefined)?;
            extra.push(traps.display().to_string());
            let again = attempt(maker, recipe, libraries, place, all_members, &extra);
            let _ = fs::remove_file(&traps);
            let again = again?;
            if again.0.status.success() {
                let names: Vec<&str> = undefined.iter().map(String::as_str).take(5).collect();
                notes.push(format!(
                    "defined nowhere, a call traps (the product's compiler optimised the use away): {}",
                    names.join(", ")
                ));
                (output, replaced) = again;
            }
        }
    }
    if !output.status.success() {
        if !replaced.fixed.is_empty() {
            return Err(Error::FixedPlace(replaced.fixed));
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<String> = errors.lines().map(str::to_owned).collect();
        return Err(Error::Link {
            flavour: maker.flavour.name().to_owned(),
            product: recipe.output.clone(),
            lines: lines[lines.len().saturating_sub(LAST_LINES)..].to_vec(),
        });
    }
    notes.extend(replaced.notes);
    Ok(notes)
}

/// One run of the link. The copy comes to its place only when it is whole.
fn attempt(
    maker: &mut Maker,
    recipe: &Recipe,
    libraries: &[PathBuf],
    place: &Path,
    all_members: bool,
    extra: &[String],
) -> Result<(Output, Replaced), Error> {
    let mut replaced = Replaced::default();
    let through = |words: &[String]| if recipe.direct { words.to_vec() } else { flags::through_driver(words) };
    let words = |line: &[&str]| through(&line.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let relocatable = recipe.kind == Kind::Relocatable;
    let temporary = maker.store.temporary(".linked");

    let mut command = Command::new(&recipe.driver);
    let folder = if recipe.folder.is_dir() { &recipe.folder } else { maker.store.root() };
    command.current_dir(folder).env(INSIDE, "1").env("LC_ALL", "C").arg("-o").arg(&temporary);
    if recipe.kind == Kind::Executable {
        command.arg("-pie");
    }
    if !relocatable {
        let folders: BTreeSet<&Path> = libraries.iter().filter_map(|library| library.parent()).collect();
        let runtime = maker.runtime.clone();
        command.args(words(&["--disable-new-dtags"]));
        for folder in folders.into_iter().chain(runtime.as_deref().and_then(Path::parent)) {
            command.args(words(&["-rpath", &folder.display().to_string()]));
        }
        if let Some(runtime) = &runtime {
            command.args(words(&["--push-state"])).args(words(&["--no-as-needed"])).arg(runtime);
            command.args(words(&["--pop-state"]));
        }
        if recipe.kind == Kind::SharedLibrary {
            command.args(words(&["-soname", &library_name(recipe)]));
        }
    }
    for argument in &recipe.arguments {
        match argument {
            Argument::Input(input) => {
                command.args(replace(maker, recipe, input, all_members, &mut replaced)?);
            }
            Argument::LinkerFile { flag, path, hash } => {
                let file = maker.object(hash, path)?.display().to_string();
                command.args(words(&[flag, &file]));
            }
            other => match flags::adapt(recipe, other) {
                Kept::Words(given) if matches!(other, Argument::Linker(_)) => _ = command.args(through(&given)),
                Kept::Words(given) => _ = command.args(given),
                Kept::Noted(note) => replaced.notes.push(note),
                Kept::Dropped => {}
            },
        }
    }
    command.args(extra);
    let output =
        command.output().map_err(|source| Error::Start { command: recipe.driver.display().to_string(), source })?;
    if output.status.success() {
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        maker.store.rename(&temporary, place)?;
    } else {
        let _ = fs::remove_file(&temporary);
    }
    Ok((output, replaced))
}

/// The product of a recorded `-r` link.
fn relocatable(maker: &mut Maker, link: &str, out: &mut Replaced) -> Result<PathBuf, Error> {
    let place = maker.modules.place(&format!("r-{link}.o"));
    let description = kept::beside(&place);
    let notes = match kept::described(&place, &description) {
        Some(notes) => notes,
        None => {
            let recipe = crate::program::recipe(maker.store, link)?;
            maker.modules.make(&all_units(maker, &recipe)?)?;
            let notes = self::link(maker, &recipe, &[], &place)?.join("\n");
            kept::describe(maker.store, &place, &description, &notes)?;
            notes
        }
    };
    out.notes.extend(notes.lines().map(str::to_owned));
    Ok(place)
}

/// Several units in one object.
fn join(maker: &mut Maker, units: &[String], name: &str) -> Result<PathBuf, Error> {
    let place = maker.modules.place(&format!("j-{name}.o"));
    if kept::described(&place, &kept::beside(&place)).is_some() {
        return Ok(place);
    }
    maker.modules.make(units)?;
    let temporary = maker.store.temporary(".o");
    let mut command = Command::new("ld");
    command.arg("-r").arg("-o").arg(&temporary);
    for unit in units {
        command.arg(maker.modules.object(unit).map_err(Error::Module)?);
    }
    let output = command.output().map_err(|source| Error::Start { command: "ld".to_owned(), source })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Tool { tool: "ld -r".to_owned(), message });
    }
    maker.store.rename(&temporary, &place)?;
    kept::describe(maker.store, &place, &kept::beside(&place), "")?;
    Ok(place)
}

/// Names that a linker says it misses.
fn undefined_symbols(output: &Output) -> BTreeSet<String> {
    missing_names(&String::from_utf8_lossy(&output.stderr))
}

fn missing_names(errors: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in errors.lines() {
        // GNU: undefined reference to `name'; LLVM: undefined symbol: name
        let name = line
            .split_once("undefined reference to `")
            .and_then(|(_, rest)| rest.split('\'').next())
            .or_else(|| line.split_once("undefined symbol: ").map(|(_, rest)| rest.trim()));
        names.extend(name.filter(|name| !name.is_empty() && !name.starts_with("__wd_")).map(str::to_owned));
    }
    names
}

/// An object that defines names as functions which trap.
fn traps(maker: &Maker, recipe: &Recipe, names: &BTreeSet<String>) -> Result<PathBuf, Error> {
    let (source, object) = (maker.store.temporary(".s"), maker.store.temporary(".o"));
    let mut text = String::from(".section .note.GNU-stack,\"\",@progbits\n.text\n");
    for name in names {
        text += &format!(".weak \"{name}\"\n.hidden \"{name}\"\n.type \"{name}\",@function\n\"{name}\": ud2\n");
    }
    maker.store.write(&source, text.as_bytes())?;
    let assembler = if recipe.direct { Path::new("cc") } else { &recipe.driver };
    let output = Command::new(assembler).env(INSIDE, "1").arg("-c").arg(&source).arg("-o").arg(&object).output();
    let _ = fs::remove_file(&source);
    let output = output.map_err(|source| Error::Start { command: assembler.display().to_string(), source })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Tool { tool: assembler.display().to_string(), message });
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_names_are_read_from_gnu_and_llvm_linkers() {
        let gnu = "/usr/bin/ld: a.o: in function `main':\na.c:1: undefined reference to `gone'\n";
        let llvm = "ld.lld: error: undefined symbol: lost\n>>> referenced by a.c\n";
        assert_eq!(Vec::from_iter(missing_names(&format!("{gnu}{llvm}"))), ["gone", "lost"]);
    }
}
