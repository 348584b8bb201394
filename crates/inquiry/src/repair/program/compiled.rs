//! What of a crate can be rewritten so that it still compiles: its files are compiled together, by the project's own build.

use std::collections::HashMap;

use whydunit_changes::Tree;
use whydunit_findings::Problem;
use whydunit_repair::rust::refused;
use whydunit_repair::{Candidates, Schemata, Slot};
use whydunit_suite::Suite;
use whydunit_variants::Workshop;

use super::{Rewritten, unbuilt, written};
use crate::Error;
use crate::repair::crates::with_texts;
use crate::repair::places::Places;

/// So often what has errors is left out: names and types are looked at first, then moves and borrows.
const MOST: usize = 8;

/// A site is left out of which there were errors in more builds than that, so that the others are looked at.
const PATIENCE: u32 = 4;

/// A program of Rust with candidates in it.
pub struct Compiled {
    /// None where nothing could be rewritten.
    pub suite: Option<Suite>,
    pub sites: Vec<Rewritten>,
    /// Where entries of a survey go on.
    pub base: usize,
    pub problems: Vec<Problem>,
}

/// A file, and candidates of places in it.
type Part<'a> = (&'a str, Vec<(usize, Candidates)>);

/// Builds a project with candidates of some files; sites have numbers from `first` on, and entries of a survey from `base` on.
pub fn compiled(
    shop: &mut Workshop<'_>,
    tree: &Tree,
    places: &Places,
    mut parts: Vec<Part<'_>>,
    first: usize,
    base: usize,
) -> Result<Result<Compiled, Problem>, Error> {
    let mut problems = Vec::new();
    let mut left_out = 0;
    let mut refusals: HashMap<usize, u32> = HashMap::new();
    for _ in 0..MOST {
        parts.retain(|(_, list)| !list.is_empty());
        let (mut next, mut at) = (first, base);
        let mut made: Vec<Schemata> = Vec::new();
        for (_, list) in &parts {
            let schemata = written(places, list, next, at);
            next += list.len();
            at += schemata.slots.iter().map(Slot::entries).sum::<usize>();
            made.push(schemata);
        }
        if made.is_empty() {
            return Ok(Ok(Compiled { suite: None, sites: Vec::new(), base, problems }));
        }
        let texts = parts.iter().zip(&made).map(|((file, _), schemata)| (*file, schemata.text.clone()));
        let said = match shop.make(&with_texts(tree, texts))? {
            Err(said) => said,
            Ok(suite) => {
                if left_out > 0 {
                    problems.push(Problem::new(format!("{left_out} expressions could not be rewritten")));
                }
                let lists = parts.into_iter().flat_map(|(_, list)| list);
                let slots = made.into_iter().flat_map(|schemata| schemata.slots);
                let sites =
                    lists.zip(slots).map(|((place, of), slot)| Rewritten::of(places, place, of, slot)).collect();
                return Ok(Ok(Compiled { suite: Some(suite), sites, base: at, problems }));
            }
        };
        let mut changed = false;
        for ((file, list), schemata) in parts.iter_mut().zip(&made) {
            let candidates: Vec<&Candidates> = list.iter().map(|(_, of)| of).collect();
            let refused = refused(&schemata.text, &schemata.slots, &candidates, file, &said);
            for &(site, candidate) in refused.candidates.iter().rev() {
                list[site].1.remove(candidate);
                changed = true;
            }
            refused.unequal.iter().for_each(|site| list[*site].1.strict = true);
            let mut sites = refused.sites.clone();
            let mut had: Vec<usize> = refused.candidates.iter().map(|(site, _)| *site).collect();
            had.dedup();
            for site in had {
                let times = refusals.entry(list[site].0).or_default();
                *times += 1;
                if *times > PATIENCE {
                    sites.push(site);
                }
            }
            sites.sort_unstable();
            sites.dedup();
            for site in sites.into_iter().rev() {
                list.remove(site);
                left_out += 1;
                changed = true;
            }
        }
        if !changed {
            return Ok(Err(unbuilt(&said)));
        }
    }
    Ok(Err(Problem::new("the expressions of some suspicious statements could not be rewritten")))
}
