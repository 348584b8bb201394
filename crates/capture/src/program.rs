//! Products: the programs and shared libraries that captured builds linked.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use whydunit_face::{
    bitcode, context, depend, elf,
    recipe::{Kind, Recipe, Unit},
    store::Store,
};
use whydunit_model::paths;

use crate::{Error, clang, templates};

/// A product.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// Link id: what its note says.
    pub link_id: String,
    /// Where it lies.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// Ids of the captured units in it.
    pub modules: Vec<String>,
    /// Inputs that are not captured.
    pub external_objects: Vec<String>,
    /// Link ids of the project's shared libraries that it is linked with.
    pub libraries: Vec<String>,
}

/// A recipe of the store.
pub fn recipe(store: &Store, link_id: &str) -> Result<Recipe, Error> {
    // Ids come from files that anybody can make: they must not lead out of the store.
    let plain = link_id.len() == 64 && link_id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if plain { Ok(store.recipe(link_id)?) } else { Err(Error::UnknownLink(link_id.to_owned())) }
}

/// Units of these products that are code of crates that cargo has got, or of other libraries' sources outside the project, and how large their
/// bitcode is, in bytes.
pub fn library_units(store: &Store, products: &[Product]) -> HashMap<String, u64> {
    let ids: HashSet<&String> = products.iter().flat_map(|product| &product.modules).collect();
    let of_library =
        |id: &&&String| unit(store, id).is_ok_and(|unit| paths::is_library(&unit.source.to_string_lossy()));
    let size = |id: &String| fs::metadata(store.bitcode(id)).map_or(0, |file| file.len());
    ids.iter().filter(of_library).map(|id| ((*id).clone(), size(id))).collect()
}

/// A captured unit of the store.
pub fn unit(store: &Store, id: &str) -> Result<Unit, Error> {
    Ok(store.described_unit(id)?)
}

/// The bitcode of a unit. What is damaged or gone is made again, where the unit is of C or C++ and its sources are as they
/// were.
pub(crate) fn bitcode(store: &Store, id: &str) -> Result<Vec<u8>, Error> {
    let lost = match store.content(&store.bitcode(id), id) {
        Ok(bitcode) => return Ok(bitcode),
        Err(lost) => lost,
    };
    let known = unit(store, id)?;
    let as_it_was = !known.rust && !known.dependencies.is_empty() && known.dependencies.iter().all(depend::is_current);
    if let Some(clang) = clang::find().filter(|_| as_it_was) {
        templates::install(store, &clang)?;
        // Of a unit that was made with more flags this is not the bitcode; its own is not asked for before it is made.
        bitcode::remake(store, &clang, &known, &[]).ok();
    }
    store.content(&store.bitcode(id), id).map_err(|_| lost.into())
}

fn recipes(store: &Store) -> Result<Vec<Recipe>, Error> {
    let folder = store.links();
    let mut out = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = entry.map_err(Error::io(&folder))?.path();
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        out.push(store.recipe(&id)?);
    }
    Ok(out)
}

fn product(recipe: &Recipe, path: PathBuf) -> Product {
    Product {
        link_id: recipe.id.clone(),
        path,
        kind: recipe.kind,
        modules: recipe.units.clone(),
        external_objects: recipe.external_objects(),
        libraries: current_libraries(recipe),
    }
}

/// Link ids of the libraries that a recipe names, as they are now: a library may have been linked again since.
pub(crate) fn current_libraries(recipe: &Recipe) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (path, recorded) in recipe.libraries() {
        let id = elf::link_id_of(path).unwrap_or_else(|| recorded.clone());
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The products that exist now, in the order of their paths.
pub fn products(store: &Store) -> Result<Vec<Product>, Error> {
    let mut found = Vec::new();
    let mut moved = HashMap::new();
    for recipe in recipes(store)? {
        if recipe.kind == Kind::Relocatable {
            continue;
        }
        match elf::link_id_of(&recipe.output) {
            Some(id) if id == recipe.id => found.push(product(&recipe, recipe.output.clone())),
            _ => _ = moved.insert(recipe.id.clone(), recipe),
        }
    }
    // Linked under one name and renamed: the note tells.
    if !moved.is_empty() {
        search(store.project(), &mut |path| {
            if let Some(recipe) = elf::link_id_of(path).and_then(|id| moved.remove(&id)) {
                found.push(product(&recipe, path.to_owned()));
            }
        });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Calls `see` with each file below `folder` that may be a program or a shared library.
fn search(folder: &Path, see: &mut impl FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() {
            let name = entry.file_name();
            if name != ".git" && name != whydunit_face::store::FOLDER {
                search(&path, see);
            }
        } else if kind.is_file() {
            let mut start = [0; 18];
            let read = File::open(&path).and_then(|mut file| file.read_exact(&mut start));
            // Programs and libraries, not objects.
            if read.is_ok() && elf::is_elf(&start) && start[16] != 1 {
                see(&path);
            }
        }
    }
}

/// Why a program or library of the project is no product, although a captured build linked it: its recipe is gone. `None`
/// where there is no such file.
pub(crate) fn undescribed(store: &Store) -> Option<Error> {
    let mut lost = None;
    search(store.project(), &mut |path| {
        if lost.is_none() {
            lost = elf::link_id_of(path).and_then(|id| recipe(store, &id).err());
        }
    });
    lost
}

/// The product that a file is: by its note, through libtool's wrapper scripts.
pub fn product_of(store: &Store, path: &Path) -> Result<Product, Error> {
    let (link_id, path) = link_id_of(path)?;
    let recipe = recipe(store, &link_id).map_err(|error| match error {
        Error::UnknownLink(_) => Error::NotCaptured(path.clone()),
        other => other,
    })?;
    Ok(product(&recipe, path))
}

/// Link id of a file, and the file that really runs.
pub fn link_id_of(path: &Path) -> Result<(String, PathBuf), Error> {
    let path = fs::canonicalize(path).map_err(Error::io(path))?;
    if let Some(id) = elf::link_id_of(&path) {
        return Ok((id, path));
    }
    let text = fs::read(&path).unwrap_or_default();
    let wrapper = text.starts_with(b"#!") && find(&text, b"libtool wrapper") || find(&text, b"generated by libtool");
    if let (true, Some(folder), Some(name)) = (wrapper, path.parent(), path.file_name()) {
        let inner = folder.join(".libs");
        let names = [name.to_owned(), format!("lt-{}", name.to_string_lossy()).into()];
        for candidate in names.map(|name| inner.join(name)) {
            if let Some(id) = elf::link_id_of(&candidate) {
                return Ok((id, context::normalise(&candidate)));
            }
        }
    }
    Err(Error::NotCaptured(path))
}

fn find(text: &[u8], part: &[u8]) -> bool {
    text[..text.len().min(4096)].windows(part.len()).any(|window| window == part)
}

/// A program with all project libraries that it is linked with, transitively; the program first.
pub fn closure(store: &Store, link_id: &str) -> Result<Vec<Recipe>, Error> {
    let mut out = vec![recipe(store, link_id)?];
    let mut seen: HashSet<String> = [link_id.to_owned()].into();
    let mut at = 0;
    while at < out.len() {
        for id in current_libraries(&out[at]) {
            if seen.insert(id.clone()) {
                out.push(recipe(store, &id)?);
            }
        }
        at += 1;
    }
    Ok(out)
}

/// Sources and headers that have changed since the program's units were compiled.
pub fn stale_sources(store: &Store, link_id: &str) -> Result<Vec<PathBuf>, Error> {
    let mut stale: Vec<PathBuf> = Vec::new();
    let mut checked: HashMap<PathBuf, whydunit_face::recipe::Dependency> = HashMap::new();
    for id in closure(store, link_id)?.iter().flat_map(|recipe| &recipe.units) {
        for dependency in unit(store, id)?.dependencies {
            if checked.get(&dependency.path) == Some(&dependency) {
                continue;
            }
            if !depend::is_current(&dependency) && !stale.contains(&dependency.path) {
                stale.push(dependency.path.clone());
            }
            checked.insert(dependency.path.clone(), dependency);
        }
    }
    stale.sort();
    Ok(stale)
}
