//! One program with all candidates of all places in it.

mod compiled;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use whydunit_changes::Tree;
use whydunit_findings::Problem;
use whydunit_repair::{Candidate, Candidates, Role, Schemata, Site, Slot, Survey};
use whydunit_suite::Suite;
use whydunit_variants::{Workshop, complaint};

use super::compiling::compiling;
use super::error::RepairError;
use super::places::{Place, Places};
use crate::Error;

/// Executions of a site that a survey looks at in one test.
const SURVEYED: u64 = 200;

/// The program, built.
pub struct Program {
    pub suite: Suite,
    /// Its sites, in the order of the places that could be rewritten.
    pub sites: Vec<Rewritten>,
    pub survey: Survey,
    /// Entries of the survey.
    pub entries: usize,
    /// What should be known.
    pub problems: Vec<Problem>,
}

/// A candidate of a program: its site and number.
pub type Chosen = (usize, usize);

/// A site of the program.
pub struct Rewritten {
    /// Number of its place.
    pub place: usize,
    pub candidates: Candidates,
    pub slot: Slot,
    /// What its expression is for.
    pub role: Role,
    /// A survey tells what its candidates come to.
    pub surveyed: bool,
    /// It decides if a loop goes on.
    pub of_loop: bool,
}

impl Rewritten {
    pub fn of(places: &Places, place: usize, candidates: Candidates, slot: Slot) -> Self {
        let Place { site, source, .. } = &places.list[place];
        let of_loop = site.is_of_loop(source);
        Self { place, candidates, slot, role: site.role, surveyed: site.is_surveyed(), of_loop }
    }
}

impl Program {
    /// Builds it with the candidates of some places; why not, where it cannot be built.
    pub fn make(
        shop: &mut Workshop<'_>,
        tree: &Tree,
        places: &Places,
        some: Vec<(usize, Candidates)>,
        survey: &Path,
    ) -> Result<Result<Self, Problem>, Error> {
        let mut by_file: BTreeMap<&str, Vec<(usize, Candidates)>> = BTreeMap::new();
        for one in some {
            by_file.entry(&places.list[one.0].file).or_default().push(one);
        }
        let (mut tree, mut sites, mut problems) = (tree.clone(), Vec::new(), Vec::new());
        let (mut next, mut base) = (1, 0);
        let mut crates = Vec::new();
        for (file, list) in by_file {
            let Some(compile) = &places.list[list[0].0].compile else {
                crates.push((file, list));
                continue;
            };
            let before = list.len();
            let mend = |list: &mut [(usize, Candidates)], errors: &[(u32, u32)]| {
                let refused = written(places, list, next, base).refused(errors);
                for &(site, candidate) in refused.iter().rev() {
                    list[site].1.remove(candidate);
                }
                !refused.is_empty()
            };
            let kept = compiling(compile, list, &|list| written(places, list, next, base).text, &mend)?;
            let left_out = before - kept.as_ref().map_or(0, |(kept, _)| kept.len());
            if left_out > 0 {
                problems.push(Problem::new(format!("{left_out} expressions of {file} could not be rewritten")));
            }
            let Some((list, text)) = kept else { continue };
            let Schemata { slots, .. } = written(places, &list, next, base);
            let bytes = places.written(file, &text);
            if let Some(file) = tree.files.get_mut(file) {
                file.bytes = bytes.into();
            }
            next += list.len();
            base += slots.iter().map(Slot::entries).sum::<usize>();
            let rewritten = list.into_iter().zip(slots);
            sites.extend(rewritten.map(|((place, candidates), slot)| Rewritten::of(places, place, candidates, slot)));
        }
        let built = match crates.is_empty() {
            true => None,
            false => {
                let built = compiled::compiled(shop, &tree, places, crates, next, base)?;
                match built {
                    Ok(built) => {
                        problems.extend(built.problems);
                        base = built.base;
                        sites.extend(built.sites);
                        built.suite
                    }
                    Err(problem) => return Ok(Err(problem)),
                }
            }
        };
        if sites.is_empty() {
            return Ok(Err(Problem::new("the expressions of some suspicious statements could not be rewritten")));
        }
        let suite = match built {
            Some(suite) => suite,
            None => match shop.make(&tree)? {
                Ok(suite) => suite,
                // Among many candidates one may be warned of; by itself each is built as the project is.
                Err(said) => match shop.make_leniently(&tree)? {
                    Ok(suite) => suite,
                    Err(_) => return Ok(Err(unbuilt(&said))),
                },
            },
        };
        sites.sort_by_key(|site| site.place);
        let survey = Survey::create(&PathBuf::from(survey), base, SURVEYED).map_err(RepairError::Survey)?;
        Ok(Ok(Self { suite, sites, survey, entries: base, problems }))
    }

    /// The place of a site.
    pub fn place(&self, site: usize) -> usize {
        self.sites[site].place
    }

    /// A candidate of a site.
    pub fn candidate(&self, site: usize, number: usize) -> &Candidate {
        &self.sites[site].candidates.list[number]
    }
}

/// Why nothing can be run.
pub fn unbuilt(said: &str) -> Problem {
    let last = || said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let line = complaint(said).or_else(last).unwrap_or("it says nothing");
    Problem::new(format!("the project does not build with candidates in it: {line}"))
        .help("see that it builds by its own command in a folder of its own")
}

pub fn written(places: &Places, list: &[(usize, Candidates)], site: usize, base: usize) -> Schemata {
    let sites: Vec<(&Site, &Candidates)> =
        list.iter().map(|(number, candidates)| (&places.list[*number].site, candidates)).collect();
    let source = list.first().map_or("", |(number, _)| &*places.list[*number].source);
    Schemata::of(source, &sites, site, base)
}
