//! Units that are left as the product has them, because nothing that is asked about executes them.
//!
//! Their objects have functions and variables of headers, too, as templates, which the linker takes from the first object that has
//! them. What a recorded unit has as well must be that one's: it is taken out of the objects that are left as they are.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_face::elf::{self, Elf};
use whydunit_face::recipe::{Code, Input, Object, Recipe};
use whydunit_face::store;

use super::Maker;
use crate::{Error, program};

/// The units that are an object each wherever links have them: only such can be left out.
pub(super) fn single(maker: &Maker, recipes: &[Recipe]) -> Result<HashSet<String>, Error> {
    let (mut single, mut joined) = (HashSet::new(), HashSet::new());
    for input in recipes.iter().flat_map(Recipe::inputs) {
        let mut add = |object: &Object| -> Result<(), Error> {
            match &object.code {
                Code::Unit(unit) => _ = single.insert(unit.clone()),
                Code::Units(units) => joined.extend(units.iter().cloned()),
                Code::Link(link) => joined.extend(program::recipe(maker.store, link)?.units),
                Code::Partly(_) | Code::External => {}
            }
            Ok(())
        };
        match input {
            Input::Object { object, .. } => add(object)?,
            Input::Archive { members, .. } => members.iter().try_for_each(add)?,
            Input::Source { unit: Some(unit), .. } => _ = joined.insert(unit.clone()),
            _ => {}
        }
    }
    Ok(&single - &joined)
}

/// Which of these units are left out, sorted.
pub(super) fn of<'u>(maker: &Maker, units: &'u [String]) -> Vec<&'u str> {
    let left_out = units.iter().map(String::as_str).filter(|unit| maker.modules.is_left_out(unit));
    let mut left_out: Vec<&str> = left_out.collect();
    left_out.sort_unstable();
    left_out
}

/// What the recorded units of a link define for others.
pub(super) fn defined(maker: &Maker, recipe: &Recipe) -> Result<HashSet<Vec<u8>>, Error> {
    let mut names = HashSet::new();
    for object in recipe.units.iter().filter_map(|unit| maker.modules.object(unit).ok()) {
        let data = fs::read(&object).map_err(Error::io(&object))?;
        let exported = Elf::parse(&data).map(|elf| elf.exported()).unwrap_or_default();
        names.extend(exported.into_iter().map(<[u8]>::to_vec));
    }
    Ok(names)
}

/// A copy of the object of a unit that is left out, without what others define as well.
pub(super) fn object(maker: &Maker, plain: &Path, others: &HashSet<Vec<u8>>) -> Result<PathBuf, Error> {
    let mut data = fs::read(plain).map_err(Error::io(plain))?;
    elf::leave_to_others(&mut data, others);
    let place = maker.modules.place(&format!("l-{}.o", store::hash(&data)));
    maker.store.write(&place, &data)?;
    Ok(place)
}
