//! Links of programs and shared libraries, and `-r`.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{ExitCode, ExitStatus},
};

use crate::{
    Error,
    bitcode::Captured,
    command::{self, Command, Item, Language},
    compile,
    context::Context,
    elf::{self, Elf},
    event::Event,
    flags::Class,
    inputs, linker_args,
    linker_args::Piece,
    probe,
    recipe::{Argument, Code, Input, Kind, Recipe},
    rust, rust_objects, tools,
};

/// Captured units by the source as given.
type Units<'c> = HashMap<&'c str, Result<Captured, String>>;

/// A link by the compiler driver.
pub fn driver(context: &Context, arguments: &[OsString], command: &Command) -> ExitCode {
    // Asking for nothing to be linked: `gcc -shared` without inputs is for the driver to refuse.
    let units = compile::capture_all(context, command);
    let planned = Planner::new(context).driver(command, &units);
    let mut extra: Vec<OsString> = Vec::new();
    if command.forced_language {
        extra.extend(["-x".into(), "none".into()]);
    }
    let code = link(context, arguments, extra, planned);
    for (source, unit) in &units {
        match unit {
            Ok(captured) => compile::log_captured(context, captured),
            Err(reason) => compile::external(context, source, reason),
        }
    }
    code
}

/// A link by the linker itself.
pub fn linker(context: &Context, arguments: &[OsString], text: &[String]) -> ExitCode {
    let Some(words) = command::expand(&context.folder, text, 0) else { return tools::exec(context, arguments) };
    let pieces = linker_args::pieces(&words);
    let probes = pieces.iter().any(|piece| match piece {
        Piece::Input(path) => probe::is_probe_name(Path::new(path)),
        _ => false,
    });
    let inputs = pieces.iter().any(|piece| matches!(piece, Piece::Input(_)));
    if !inputs || probes || probe::in_probe_folder(&context.folder) {
        return tools::exec(context, arguments);
    }
    let planned = Planner::new(context).linker(pieces);
    link(context, arguments, Vec::new(), planned)
}

/// Runs the link with the note of the product, and keeps the recipe.
fn link(context: &Context, arguments: &[OsString], extra: Vec<OsString>, planned: Result<Recipe, Error>) -> ExitCode {
    let recipe = match planned {
        Ok(recipe) => recipe,
        Err(error) => {
            let message = format!("the link was not recorded: {error}");
            Event::Problem { message }.log(context);
            return tools::exec(context, arguments);
        }
    };
    if !has_captured(&recipe) {
        let status = tools::run(context, arguments);
        if status.success() && recipe.kind != Kind::Relocatable {
            Event::Unlinked { output: recipe.output.display().to_string() }.log(context);
        }
        return tools::end_as(context, status);
    }
    let status = if recipe.kind == Kind::Relocatable {
        tools::run(context, arguments)
    } else {
        run_with_note(context, arguments, extra, &recipe)
    };
    if status.success()
        && let Err(error) = keep(context, recipe)
    {
        let message = format!("the link was not recorded: {error}");
        Event::Problem { message }.log(context);
    }
    tools::end_as(context, status)
}

/// Adds the note. Should the link fail so, it is for the plain one to say why.
fn run_with_note(context: &Context, arguments: &[OsString], extra: Vec<OsString>, recipe: &Recipe) -> ExitStatus {
    let note = context.store.temporary(".o");
    if let Err(error) = elf::write_note_object(&note, &recipe.id) {
        Event::Problem { message: format!("{}: {error}", note.display()) }.log(context);
        return tools::run(context, arguments);
    }
    let output = tools::command(context, &context.tool.real).args(arguments).args(extra).arg(&note).output();
    let _ = fs::remove_file(&note);
    match output {
        Ok(output) if output.status.success() => {
            let _ = std::io::stdout().write_all(&output.stdout);
            let _ = std::io::stderr().write_all(&output.stderr);
            output.status
        }
        _ => tools::run(context, arguments),
    }
}

fn has_captured(recipe: &Recipe) -> bool {
    recipe.inputs().any(|input| match input {
        Input::Source { unit, .. } => unit.is_some(),
        Input::Object { object, .. } => object.code.is_captured(),
        Input::Archive { members, .. } => members.iter().any(|member| member.code.is_captured()),
        Input::Library { link, .. } => link.is_some(),
        Input::Other { .. } => false,
    })
}

/// Reads what the link took, and writes the recipe; `-r` products get their ids.
fn keep(context: &Context, mut recipe: Recipe) -> Result<(), Error> {
    let data = fs::read(&recipe.output).map_err(Error::io(&recipe.output))?;
    let elf = Elf::parse(&data);
    if recipe.kind != Kind::Relocatable && elf.as_ref().and_then(Elf::link_id).as_ref() != Some(&recipe.id) {
        let message = format!("{} is linked, but cannot be recognised again", recipe.output.display());
        Event::Problem { message }.log(context);
        return Ok(());
    }
    let mut units = Vec::new();
    let mut add = |some: Vec<String>| {
        for unit in some {
            if !units.contains(&unit) && context.store.bitcode(&unit).exists() {
                units.push(unit);
            }
        }
    };
    // The product tells which members of archives it took; not where it was stripped to the bones.
    let taken = elf.filter(|elf| elf.section(elf::UNITS).is_some()).map(|elf| elf.ids(elf::UNITS));
    for input in recipe.inputs() {
        match input {
            Input::Source { unit, .. } => add(unit.iter().cloned().collect()),
            Input::Object { object, .. } => add(units_of(context, &object.code)),
            Input::Archive { members, .. } => {
                let mut some: Vec<String> = members.iter().flat_map(|member| units_of(context, &member.code)).collect();
                if let Some(taken) = &taken {
                    some.retain(|unit| taken.contains(unit));
                }
                add(some);
            }
            _ => {}
        }
    }
    recipe.units = units;
    if recipe.kind == Kind::Relocatable {
        elf::mark(&recipe.output, &recipe.units, Some(&recipe.id)).map_err(Error::io(&recipe.output))?;
    }
    context.store.keep_recipe(&recipe)?;
    Event::Linked {
        link: recipe.id.clone(),
        output: recipe.output.display().to_string(),
        units: recipe.units.len(),
        external: recipe.external_objects(),
    }
    .log(context);
    Ok(())
}

fn units_of(context: &Context, code: &Code) -> Vec<String> {
    match code {
        Code::Unit(unit) => vec![unit.clone()],
        Code::Units(units) => units.clone(),
        Code::Link(link) => context.store.recipe(link).map(|recipe| recipe.units).unwrap_or_default(),
        Code::Partly(_) | Code::External => Vec::new(),
    }
}

/// Makes the recipe of a link before it runs.
struct Planner<'c> {
    context: &'c Context,
    arguments: Vec<Argument>,
    folders: Vec<PathBuf>,
    only_static: bool,
    output: Option<String>,
    soname: Option<String>,
    shared: bool,
    relocatable: bool,
}

impl<'c> Planner<'c> {
    fn new(context: &'c Context) -> Self {
        Planner {
            context,
            arguments: Vec::new(),
            folders: Vec::new(),
            only_static: false,
            output: None,
            soname: None,
            shared: false,
            relocatable: false,
        }
    }

    fn driver(mut self, command: &Command, units: &Units) -> Result<Recipe, Error> {
        self.output = command.output.clone();
        for flag in command.flags() {
            match (flag.class, flag.value.as_deref()) {
                (Class::LibraryFolder, Some(folder)) => self.folders.push(self.context.absolute(folder)),
                (Class::Link, _) if flag.name == "-shared" => self.shared = true,
                (Class::Link, _) if flag.name == "-r" => self.relocatable = true,
                (Class::Link, _) if matches!(flag.name.as_str(), "-static" | "-static-pie") => self.only_static = true,
                _ => {}
            }
        }
        let path = std::env::var_os("LIBRARY_PATH").unwrap_or_default();
        self.folders.extend(std::env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty()));

        // `-Wl,-rpath -Wl,/x`: the words of neighbouring flags belong together.
        let mut words: Vec<String> = Vec::new();
        for item in &command.items {
            if let Item::Flag(flag) = item
                && flag.class == Class::Linker
            {
                let value = flag.value.clone().unwrap_or_default();
                match flag.name.as_str() {
                    "-Wl," => words.extend(value.split(',').map(str::to_owned)),
                    _ => words.push(value),
                }
                continue;
            }
            self.linker_pieces(linker_args::pieces(&std::mem::take(&mut words)))?;
            match item {
                Item::Input(name, Language::Linked) => self.input(name)?,
                Item::Input(name, _) => self.source(command, name, units)?,
                Item::Flag(flag) => match flag.class {
                    Class::Library => self.library(flag.value.as_deref().unwrap_or_default(), false)?,
                    Class::LibraryFolder => {
                        let folder = self.context.absolute(flag.value.as_deref().unwrap_or_default());
                        self.arguments.push(Argument::Driver(vec![format!("-L{}", folder.display())]));
                    }
                    Class::Link if flag.name == "-T" => {
                        self.linker_file("-T", flag.value.as_deref().unwrap_or_default())?;
                    }
                    // Of no use for a link of objects, or its own affair.
                    Class::Output | Class::Language | Class::Depend | Class::Preprocessor => {}
                    _ => self.arguments.push(Argument::Driver(flag.given())),
                },
            }
        }
        self.linker_pieces(linker_args::pieces(&words))?;
        Ok(self.finish(false))
    }

    fn linker(mut self, pieces: Vec<Piece>) -> Result<Recipe, Error> {
        for piece in &pieces {
            if let Piece::LibraryFolder(folder) = piece {
                self.folders.push(self.context.absolute(folder));
            }
        }
        self.linker_pieces(pieces)?;
        Ok(self.finish(true))
    }

    fn finish(self, direct: bool) -> Recipe {
        let output = self.context.absolute(self.output.as_deref().unwrap_or("a.out"));
        let kind = match (self.relocatable, self.shared) {
            (true, _) => Kind::Relocatable,
            (_, true) => Kind::SharedLibrary,
            _ => Kind::Executable,
        };
        let mut recipe = Recipe {
            id: String::new(),
            kind,
            driver: self.context.tool.real.clone(),
            direct,
            folder: self.context.folder.clone(),
            arguments: self.arguments,
            output,
            soname: self.soname,
            units: Vec::new(),
        };
        recipe.id = recipe.identity();
        recipe
    }

    fn linker_pieces(&mut self, pieces: Vec<Piece>) -> Result<(), Error> {
        for piece in pieces {
            match piece {
                Piece::Input(name) => self.input(&name)?,
                Piece::Library(name) => self.library(&name, true)?,
                Piece::LibraryFolder(folder) => {
                    let folder = self.context.absolute(folder).display().to_string();
                    self.arguments.push(Argument::Linker(vec![format!("-L{folder}")]));
                }
                Piece::File(flag, path) => self.linker_file(&flag, &path)?,
                Piece::Flag(words) => {
                    let name = words[0].trim_start_matches('-');
                    match name {
                        "o" | "output" => {
                            self.output = words.get(1).cloned();
                            continue;
                        }
                        "soname" | "h" => self.soname = words.get(1).cloned(),
                        "shared" | "Bshareable" => self.shared = true,
                        "r" | "i" | "relocatable" => self.relocatable = true,
                        "Bstatic" | "static" | "dn" | "non_shared" => self.only_static = true,
                        "Bdynamic" | "dy" | "call_shared" => self.only_static = false,
                        _ => {}
                    }
                    self.arguments.push(Argument::Linker(words));
                }
            }
        }
        Ok(())
    }

    fn linker_file(&mut self, flag: &str, path: &str) -> Result<(), Error> {
        let path = self.context.absolute(path);
        match fs::read(&path) {
            Ok(data) => {
                let hash = self.context.store.keep(&data)?;
                self.arguments.push(Argument::LinkerFile { flag: flag.to_owned(), path, hash });
            }
            // Linkers look for scripts in their own folders too.
            Err(_) => self.arguments.push(Argument::Linker(vec![flag.to_owned(), path.display().to_string()])),
        }
        Ok(())
    }

    fn input(&mut self, given: &str) -> Result<(), Error> {
        let path = self.context.absolute(given);
        if rust_objects::is_object_name(given) {
            rust::mark_object(self.context, &path);
        }
        let input = inputs::classify(self.context, given, &path)?;
        self.arguments.push(Argument::Input(input.unwrap_or(Input::Other {
            given: given.to_owned(),
            path,
            hash: None,
        })));
        Ok(())
    }

    fn library(&mut self, name: &str, linker: bool) -> Result<(), Error> {
        let given = format!("-l{name}");
        let found = linker_args::find_library(name, &self.folders, self.only_static);
        let input = match found {
            Some(path) => inputs::classify(self.context, &given, &path)?,
            None => None,
        };
        self.arguments.push(match input {
            Some(input) => Argument::Input(input),
            None if linker => Argument::Linker(vec![given]),
            None => Argument::Driver(vec![given]),
        });
        Ok(())
    }

    /// A source on the line of a link. One that is not captured is compiled once more, so that there is an object.
    fn source(&mut self, command: &Command, given: &str, units: &Units) -> Result<(), Error> {
        let path = self.context.absolute(given);
        let unit = units.get(given).and_then(|unit| unit.as_ref().ok()).map(|captured| captured.unit.id.clone());
        let object = match unit {
            Some(_) => None,
            None => self.compile_alone(command, given)?,
        };
        self.arguments.push(Argument::Input(Input::Source { given: given.to_owned(), path, unit, object }));
        Ok(())
    }

    fn compile_alone(&self, command: &Command, given: &str) -> Result<Option<String>, Error> {
        let object = self.context.store.temporary(".o");
        let flags = command.flags().filter(|flag| {
            !matches!(
                flag.class,
                Class::Output | Class::Depend | Class::Link | Class::Library | Class::LibraryFolder | Class::Linker
            )
        });
        let done = tools::command(self.context, &self.context.tool.real)
            .args(flags.flat_map(|flag| flag.given()))
            .args(["-c", given, "-o"])
            .arg(&object)
            .output()
            .map_err(|error| Error::Start(self.context.tool.real.clone(), error))?;
        // Where this fails, the link itself does, and says why.
        let kept = match done.status.success() {
            true => Some(self.context.store.keep(&fs::read(&object).map_err(Error::io(&object))?)?),
            false => None,
        };
        let _ = fs::remove_file(&object);
        Ok(kept)
    }
}
