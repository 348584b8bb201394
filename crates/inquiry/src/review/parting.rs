//! Where the runs of two versions part.

use whydunit_changes::Tree;
use whydunit_findings::{Executed, Location, Parting};
use whydunit_inputs::Input;
use whydunit_review::Version;

use super::programs::Pair;
use super::versions::Fix;
use crate::Error;

/// Statements that are told of each side.
const TOLD: usize = 8;

/// Where the runs on an input part, by the texts of the lines that they execute.
pub fn parting(pair: &Pair<'_>, fix: &Fix, input: &Input) -> Result<Option<Parting>, Error> {
    let before = steps(&fix.broken, pair.lines(Version::Broken, input)?);
    let after = steps(&fix.mended, pair.lines(Version::Mended, input)?);
    let same = before
        .iter()
        .zip(&after)
        .take_while(|(one, two)| one.location.file == two.location.file && one.code == two.code)
        .count();
    if same == before.len() && same == after.len() {
        return Ok(None);
    }
    let told = |steps: &[Executed]| steps.iter().skip(same).take(TOLD).cloned().collect();
    Ok(Some(Parting {
        common: same.checked_sub(1).map(|last| after[last].clone()),
        before: told(&before),
        after: told(&after),
    }))
}

/// Lines of the project with their texts.
fn steps(tree: &Tree, lines: Vec<(String, u32)>) -> Vec<Executed> {
    let mut texts = std::collections::HashMap::new();
    let steps = lines.into_iter().filter_map(|(file, line)| {
        let known = texts.entry(file.clone()).or_insert_with(|| {
            let file = tree.files.get(&file)?;
            let text = String::from_utf8_lossy(&file.bytes).into_owned();
            Some(text.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>())
        });
        let code = known.as_ref()?.get(line as usize - 1)?.clone();
        Some(Executed { location: Location { file, line, ..Location::default() }, code })
    });
    let mut steps: Vec<Executed> = steps.collect();
    // A library's lines were between.
    steps.dedup();
    steps
}
