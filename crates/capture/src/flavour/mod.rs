//! Flavours: instrumented copies of products, linked as the products were.

mod flags;
mod inline;
mod kept;
mod left;
mod library;
mod module;
mod relink;
pub(crate) mod runtime;
mod wrap;

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use whydunit_face::{
    archive,
    recipe::{Kind, Recipe},
    store::Store,
};

use whydunit_process::Cancel;

use crate::{Error, Watch, program};

pub use module::version;

/// What is added to a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// The recorder.
    Record,
    /// Counters of statements and branches.
    Spectrum,
    /// Nothing: the captured bitcode, compiled and linked. For comparisons.
    Plain,
}

impl Flavour {
    /// All of them.
    pub const ALL: [Flavour; 3] = [Flavour::Record, Flavour::Spectrum, Flavour::Plain];

    /// Name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Flavour::Record => "record",
            Flavour::Spectrum => "spectrum",
            Flavour::Plain => "plain",
        }
    }
}

/// A flavour that was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlavourReport {
    /// The copy.
    pub path: PathBuf,
    /// Link id of the product and of the copy.
    pub link_id: String,
    /// Captured units in it and in its libraries.
    pub modules: usize,
    /// How many of them had to be made; the others were there.
    pub built: usize,
    /// How many of them stay as they were built, because they were left out.
    pub left_out: usize,
    /// What in it stays external.
    pub external: Vec<String>,
    /// What is otherwise than in the product.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// Makes a flavour of a product and of the project's libraries that it is linked with.
pub fn flavour(store: &Store, link_id: &str, flavour: Flavour) -> Result<FlavourReport, Error> {
    let wanted = Wanted::all(vec![link_id.to_owned()]);
    let mut reports = flavours(store, &wanted, flavour, Watch::quietly(&Cancel::new()))?;
    reports.pop().unwrap_or_else(|| Err(Error::UnknownLink(link_id.to_owned())))
}

/// What a flavour is made of.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Link ids of the products.
    pub links: Vec<String>,
    /// Units that may stay as the product has them, because nothing that is asked about executes them: they are external.
    pub left_out: HashSet<String>,
    /// By unit, functions that nothing that is asked about executes: their code is not optimised, which takes long. They are in the copy
    /// as all others are.
    pub cold: HashMap<String, Cold>,
}

/// Functions of a unit that nothing that is asked about executes.
#[derive(Clone, Debug)]
pub enum Cold {
    /// All of them, or it is not known which run.
    All,
    /// Those with these names, as debug information has them.
    Named(HashSet<String>),
}

impl Cold {
    fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(name),
        }
    }
}

impl Wanted {
    /// All units of these products.
    pub fn all(links: Vec<String>) -> Self {
        Wanted { links, ..Wanted::default() }
    }
}

/// Makes a flavour of several products; libraries and plugins that a program opens at run time must be among them. Fails
/// as a whole only where nothing at all can be done.
pub fn flavours(
    store: &Store,
    wanted: &Wanted,
    flavour: Flavour,
    watch: Watch<'_>,
) -> Result<Vec<Result<FlavourReport, Error>>, Error> {
    let _lock = store.lock(watch.waiting)?;
    let mut maker = Maker::new(store, flavour)?;
    let link_ids = &wanted.links;
    // The units of all products side by side first: the links then take what is there.
    let recipes: Vec<Recipe> = link_ids.iter().filter_map(|id| program::closure(store, id).ok()).flatten().collect();
    let units = maker.units(&recipes);
    if !wanted.left_out.is_empty() {
        maker.modules.leave_out(&left::single(&maker, &recipes)? & &wanted.left_out);
    }
    maker.modules.leave_unoptimised(&wanted.cold);
    maker.modules.make_with(&units, watch)?;
    let product = |id: &String| if watch.cancel.is_cancelled() { Err(Error::Cancelled) } else { maker.product(id) };
    Ok(link_ids.iter().map(product).collect())
}

/// Makes a flavour of every product that exists now.
pub fn flavour_all(store: &Store, flavour: Flavour) -> Result<Vec<Result<FlavourReport, Error>>, Error> {
    let ids: Vec<String> = program::products(store)?.into_iter().map(|product| product.link_id).collect();
    flavours(store, &Wanted::all(ids), flavour, Watch::quietly(&Cancel::new()))
}

/// Where a flavour of a product lies once it is made.
pub fn flavour_path(store: &Store, link_id: &str, flavour: Flavour) -> PathBuf {
    store.flavour(flavour.name()).join(link_id)
}

/// Makes flavours of one kind, each product once.
struct Maker<'s> {
    store: &'s Store,
    flavour: Flavour,
    modules: module::Modules<'s>,
    runtime: Option<PathBuf>,
    done: HashMap<String, PathBuf>,
}

impl<'s> Maker<'s> {
    fn new(store: &'s Store, flavour: Flavour) -> Result<Self, Error> {
        let root = store.flavour(flavour.name());
        for folder in ["objects", "archives", "stamps", "lib"] {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(Error::io(path))?;
        }
        let runtime = runtime::runtime_library(store, flavour)?;
        Ok(Maker { store, flavour, modules: module::Modules::new(store, flavour)?, runtime, done: HashMap::new() })
    }

    /// The units in the flavour of products, each once.
    fn units(&self, recipes: &[Recipe]) -> Vec<String> {
        let mut units: Vec<String> = recipes.iter().flat_map(|recipe| recipe.units.iter()).cloned().collect();
        if self.flavour == Flavour::Record {
            units.extend(recipes.iter().flat_map(Recipe::library_units).cloned());
        }
        units.sort();
        units.dedup();
        units
    }

    fn root(&self) -> PathBuf {
        self.store.flavour(self.flavour.name())
    }

    /// An object of the store, as it was when it was kept. One that is damaged or gone is kept again, where it still is what
    /// `origin` is or has as a member.
    fn object(&self, hash: &str, origin: &Path) -> Result<PathBuf, Error> {
        let path = self.store.object(hash);
        if let Err(lost) = self.store.content(&path, hash) {
            let again = original(origin, hash).ok_or(lost)?;
            self.store.write(&path, &again)?;
        }
        Ok(path)
    }

    fn product(&mut self, link_id: &str) -> Result<FlavourReport, Error> {
        let started = Instant::now();
        let recipes = program::closure(self.store, link_id)?;
        let mut report = FlavourReport { link_id: link_id.to_owned(), ..FlavourReport::default() };
        let units = self.units(&recipes);
        let own: Vec<String> =
            units.iter().filter(|unit| recipes.iter().any(|recipe| recipe.units.contains(unit))).cloned().collect();
        report.modules = own.len();
        self.modules.make(&units)?;
        report.built = self.modules.count_new(&own);
        report.path = self.link(&recipes[0], &mut report)?;
        for unit in &units {
            if self.modules.is_left_out(unit) {
                report.left_out += 1;
            } else if let Err(reason) = self.modules.object(unit) {
                let source = program::unit(self.store, unit)
                    .map_or_else(|_| unit.clone(), |unit| unit.source.display().to_string());
                report.external.push(format!("{source}: {reason}"));
            }
            report.notes.extend(self.modules.notes(unit));
        }
        report.external.extend(recipes.iter().flat_map(Recipe::external_objects));
        report.external.sort();
        report.external.dedup();
        report.notes.sort();
        report.notes.dedup();
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Links a product, its libraries before it; gives the copy.
    fn link(&mut self, recipe: &Recipe, report: &mut FlavourReport) -> Result<PathBuf, Error> {
        if let Some(path) = self.done.get(&recipe.id) {
            return Ok(path.clone());
        }
        let path = self.place(recipe);
        // Libraries that need each other in a circle: the other one finds this place.
        self.done.insert(recipe.id.clone(), path.clone());
        let closure = program::closure(self.store, &recipe.id)?;
        let mut libraries = Vec::new();
        for library in &closure[1..] {
            libraries.push(self.link(library, report)?);
        }
        if recipe.kind == Kind::SharedLibrary {
            self.point(&path, &recipe.id)?;
        }
        let stamp_path = self.root().join("stamps").join(&recipe.id);
        let kept = kept::described(&path, &stamp_path).unwrap_or_default();
        if let Some(notes) = kept.strip_prefix(&self.stamp(recipe, &closure)) {
            report.notes.extend(notes.lines().map(str::to_owned));
            return Ok(path);
        }
        let notes = relink::link(self, recipe, &libraries, &path)?;
        // What could not be left out was made for the link.
        let stamp = self.stamp(recipe, &closure);
        kept::describe(self.store, &path, &stamp_path, &format!("{stamp}{}", notes.join("\n")))?;
        report.notes.extend(notes);
        Ok(path)
    }

    /// What decides whether a linked copy is still good.
    fn stamp(&self, recipe: &Recipe, closure: &[Recipe]) -> String {
        let ids: Vec<&str> = closure.iter().map(|recipe| recipe.id.as_str()).collect();
        let runtime = self.runtime.as_deref().and_then(|path| fs::read(path).ok()).unwrap_or_default();
        let left_out = left::of(self, &recipe.units);
        let text = format!("{} {} {ids:?} {} {left_out:?}", version(), recipe.id, whydunit_face::store::hash(&runtime));
        format!("{}\n", whydunit_face::store::hash(text.as_bytes()))
    }

    /// Where the copy of a product goes: libraries under their own name, for the dynamic linker.
    fn place(&self, recipe: &Recipe) -> PathBuf {
        match recipe.kind {
            Kind::SharedLibrary => self.root().join("lib").join(&recipe.id).join(library_name(recipe)),
            _ => self.root().join(&recipe.id),
        }
    }

    /// `flavours/NAME/LINK` for a library: a link to it.
    fn point(&self, path: &Path, link_id: &str) -> Result<(), Error> {
        let temporary = self.store.temporary("");
        std::os::unix::fs::symlink(path, &temporary).map_err(Error::io(&temporary))?;
        Ok(self.store.rename(&temporary, &self.root().join(link_id))?)
    }
}

/// The content with this hash of a file, or of a member of an archive.
fn original(origin: &Path, hash: &str) -> Option<Vec<u8>> {
    let data = fs::read(origin).ok()?;
    if whydunit_face::store::hash(&data) == hash {
        return Some(data);
    }
    let members = archive::is_archive(&data).then(|| archive::read(origin, &data).ok()).flatten()?;
    members.into_iter().map(|member| member.data).find(|data| whydunit_face::store::hash(data) == hash)
}

/// Makes the program model of a unit again, where the store still has its bitcode.
pub fn remake_model(store: &Store, unit: &str) -> Result<(), Error> {
    let _lock = store.lock(|| ())?;
    let mut modules = module::Modules::new(store, Flavour::Record)?;
    modules.make(&[unit.to_owned()])?;
    modules.object(unit).map(drop).map_err(Error::Module)
}

/// The name by which a library is asked for.
fn library_name(recipe: &Recipe) -> String {
    let file = || recipe.output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = recipe.soname.clone().or_else(file).unwrap_or_default();
    Path::new(&name).file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned())
}
