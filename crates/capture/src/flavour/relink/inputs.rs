//! Inputs of the product's link in the flavour's link.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use whydunit_face::{
    archive, elf,
    recipe::{Code, Input, Object, Recipe},
    store,
};

use super::super::{Maker, left, library};
use super::{join, relocatable};
use crate::{Error, program};

/// What inputs became.
#[derive(Default)]
pub(super) struct Replaced {
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Objects that can only be linked at a fixed place.
    pub fixed: Vec<String>,
    /// Members of archives that the product did not take were left out.
    pub left_out: bool,
    /// Units of Rust's own library whose recorded part is among the inputs: an archive may be named twice.
    recorded: HashSet<String>,
    /// What the recorded units define for others, once that was asked.
    defined: Option<HashSet<Vec<u8>>>,
}

/// Ids of all units that the inputs of a recipe hold, also those that the product did not take.
pub(super) fn all_units(maker: &Maker, recipe: &Recipe) -> Result<Vec<String>, Error> {
    let mut units = Vec::new();
    let mut add = |object: &Object| -> Result<(), Error> {
        match &object.code {
            Code::Unit(unit) => units.push(unit.clone()),
            Code::Units(some) => units.extend(some.iter().cloned()),
            Code::Link(link) => units.extend(program::recipe(maker.store, link)?.units),
            Code::Partly(_) | Code::External => {}
        }
        Ok(())
    };
    for input in recipe.inputs() {
        match input {
            Input::Object { object, .. } => add(object)?,
            Input::Archive { members, .. } => members.iter().try_for_each(&mut add)?,
            _ => {}
        }
    }
    Ok(units)
}

/// The files to link in the place of an input; none where it is left out.
pub(super) fn replace(
    maker: &mut Maker,
    recipe: &Recipe,
    input: &Input,
    all_members: bool,
    out: &mut Replaced,
) -> Result<Vec<PathBuf>, Error> {
    let one = match input {
        Input::Source { unit: Some(unit), path, .. } => match maker.modules.object(unit) {
            Ok(object) => Some(object),
            Err(reason) => {
                let message = format!("{} cannot be instrumented: {reason}", path.display());
                return Err(Error::Module(message));
            }
        },
        Input::Source { object: Some(hash), path, .. } => {
            Some(external(maker, hash, &path.display().to_string(), path, out)?)
        }
        Input::Source { .. } => None,
        Input::Object { object, path } => {
            Some(replace_object(maker, recipe, object, (&path.display().to_string(), path), out)?)
        }
        Input::Archive { path, members } => return replace_archive(maker, recipe, path, members, all_members, out),
        Input::Library { link: Some(recorded), path, .. } => {
            let link = elf::link_id_of(path).unwrap_or_else(|| recorded.clone());
            match maker.done.get(&link) {
                Some(copy) => Some(copy.clone()),
                None => return Err(Error::UnknownLink(link)),
            }
        }
        Input::Library { path, .. } => Some(path.clone()),
        Input::Other { path, hash: Some(hash), .. } if !path.exists() => Some(maker.object(hash, path)?),
        Input::Other { path, .. } => Some(path.clone()),
    };
    Ok(one.into_iter().collect())
}

/// What is recorded of a library of Rust's own, and the archive of what the product took.
fn replace_archive(
    maker: &mut Maker,
    recipe: &Recipe,
    path: &Path,
    members: &[Object],
    all_members: bool,
    out: &mut Replaced,
) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut objects) = (Vec::new(), Vec::new());
    for member in members {
        if !all_members && !taken(maker, recipe, member)? {
            out.left_out = true;
            continue;
        }
        if let Code::Partly(unit) = &member.code {
            let (recorded, rest) = library::objects(maker, path, member, unit)?;
            files.extend(recorded.filter(|_| out.recorded.insert(unit.clone())));
            objects.push(rest);
            continue;
        }
        let name = format!("{}({})", path.display(), member.name);
        objects.push(replace_object(maker, recipe, member, (&name, path), out)?);
    }
    let content = archive::thin(&objects).map_err(Error::io(path))?;
    let place = maker.root().join("archives").join(format!("{}.a", store::hash(&content)));
    maker.store.write(&place, &content)?;
    files.push(place);
    Ok(files)
}

/// Whether the product took a member, as far as its ids tell. One that is not captured may have been.
fn taken(maker: &Maker, recipe: &Recipe, member: &Object) -> Result<bool, Error> {
    let in_product = |units: &[String]| units.iter().any(|unit| recipe.units.contains(unit));
    Ok(match &member.code {
        Code::Unit(unit) => recipe.units.contains(unit),
        Code::Units(units) => in_product(units),
        Code::Link(link) => in_product(&program::recipe(maker.store, link)?.units),
        Code::Partly(_) | Code::External => true,
    })
}

/// The file to link in the place of an object, which is or was `origin` or a member of that.
fn replace_object(
    maker: &mut Maker,
    recipe: &Recipe,
    object: &Object,
    (name, origin): (&str, &Path),
    out: &mut Replaced,
) -> Result<PathBuf, Error> {
    match &object.code {
        Code::Unit(unit) => match maker.modules.object(unit) {
            Ok(made) => Ok(made),
            Err(_) if maker.modules.is_left_out(unit) => {
                let plain = external(maker, &object.hash, name, origin, out)?;
                if out.defined.is_none() {
                    out.defined = Some(left::defined(maker, recipe)?);
                }
                left::object(maker, &plain, out.defined.as_ref().unwrap_or(&HashSet::new()))
            }
            Err(_) => external(maker, &object.hash, name, origin, out),
        },
        Code::Units(units) => {
            out.notes.push(format!(
                "{name}: put together by a tool that was not seen; what is not captured in it is missing"
            ));
            join(maker, units, &object.hash)
        }
        Code::Link(link) => relocatable(maker, link, out),
        Code::Partly(_) | Code::External => external(maker, &object.hash, name, origin, out),
    }
}

/// An object that stays as it is.
fn external(maker: &Maker, hash: &str, name: &str, origin: &Path, out: &mut Replaced) -> Result<PathBuf, Error> {
    let path = maker.object(hash, origin)?;
    let data = fs::read(&path).map_err(Error::io(&path))?;
    if elf::Elf::parse(&data).is_some_and(|elf| elf.needs_fixed_place()) {
        out.fixed.push(name.to_owned());
    }
    Ok(path)
}
