//! What the files are that go into a link.

use std::{fs, path::Path};

use crate::{
    Error, archive,
    context::Context,
    elf::{self, Elf, FileType},
    event::Event,
    recipe::{Code, Input, Object},
    standard,
};

/// Folders of the system's libraries and of Rust's own; what lies there stays where it is.
fn is_system(path: &Path) -> bool {
    let local = Path::new("/usr/local");
    standard::is_of_rust(path)
        || ["/usr", "/lib", "/lib64", "/opt"].iter().any(|folder| path.starts_with(folder)) && !path.starts_with(local)
}

fn in_project(context: &Context, path: &Path) -> bool {
    path.starts_with(context.store.project()) || !is_system(path)
}

/// What an object is made of. Units whose bitcode is not in the store (another project's) are external.
fn code(context: &Context, name: &str, data: &[u8]) -> Code {
    let Some(elf) = Elf::parse(data) else { return Code::External };
    let mut units = elf.ids(elf::UNITS);
    if units.is_empty() {
        return Code::External;
    }
    if units.iter().any(|unit| !context.store.bitcode(unit).exists()) {
        let message = format!(
            "{name}: compiled under another capture, whose bitcode is not here; it stays external: remove it and build again"
        );
        Event::Problem { message }.log(context);
        return Code::External;
    }
    // Renamed or bound otherwise since: objects from bitcode would have the old names.
    if let [names] = &elf.ids(elf::NAMES)[..]
        && *names != elf.names_hash()
    {
        let message = format!("{name}: a tool has changed its symbols since it was compiled; it stays external");
        Event::Problem { message }.log(context);
        return Code::External;
    }
    if let [link] = &elf.ids(elf::RELINK)[..] {
        let known = context.store.recipe(link);
        if known.is_ok_and(|recipe| units.iter().all(|unit| recipe.units.contains(unit))) {
            return Code::Link(link.clone());
        }
    }
    match units.len() {
        1 => Code::Unit(units.remove(0)),
        _ => Code::Units(units),
    }
}

/// Keeps an object's content and says what it is.
pub fn object(context: &Context, name: &str, data: &[u8]) -> Result<Object, Error> {
    Ok(Object { name: name.to_owned(), hash: context.store.keep(data)?, code: code(context, name, data) })
}

/// What a file is that a link names, directly or by `-l`; `None` for those that can stay as they are given.
pub fn classify(context: &Context, given: &str, path: &Path) -> Result<Option<Input>, Error> {
    // Directories, missing files: the linker will say so.
    let Ok(data) = fs::read(path) else { return Ok(None) };
    let (given, owned) = (given.to_owned(), path.to_owned());
    let file_type = Elf::parse(&data).map(|elf| elf.file_type);
    if file_type == Some(FileType::Shared) {
        let link = Elf::parse(&data).and_then(|elf| elf.link_id());
        return Ok((link.is_some() || in_project(context, path)).then_some(Input::Library {
            given,
            path: owned,
            link,
        }));
    }
    if archive::is_archive(&data) {
        let read = archive::read(path, &data).map_err(Error::io(path))?;
        if standard::is_recorded(path, &read) {
            let members = read.iter().map(|member| standard::object(context, path, member));
            return Ok(Some(Input::Archive { path: owned, members: members.collect::<Result<_, Error>>()? }));
        }
        let captured = |data: &[u8]| Elf::parse(data).is_some_and(|elf| elf.has_section(elf::UNITS));
        if !in_project(context, path) && !read.iter().any(|member| captured(&member.data)) {
            return Ok(None);
        }
        let members: Result<Vec<Object>, Error> =
            read.iter().map(|member| object(context, &member.name, &member.data)).collect();
        return Ok(Some(Input::Archive { path: owned, members: members? }));
    }
    if !in_project(context, path) {
        return Ok(None);
    }
    if file_type == Some(FileType::Relocatable) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(Some(Input::Object { path: owned, object: object(context, &name, &data)? }));
    }
    Ok(Some(Input::Other { given, path: owned, hash: Some(context.store.keep(&data)?) }))
}
