//! Two fixes, compared on the same inputs.

use std::time::{Duration, Instant};

use whydunit_findings::{Better, Compared};
use whydunit_inputs::Input;
use whydunit_review::Version;

use super::disruption::{BATCH, disrupts, is_over};
use super::programs::{Pair, Plain};
use crate::Error;
use whydunit_desk::BuiltVersion;

/// Compares the fix of a pair with another one, on inputs, within a time; how many runs that took.
pub fn compare<'a>(
    pair: &Pair<'a>,
    other: &'a BuiltVersion,
    name: &str,
    inputs: &[Input],
    limit: Duration,
) -> Result<(Compared, u64), Error> {
    let plain: Plain<'_> = pair.plain;
    let against = pair.against(other);
    // The input that shows the bug is one of them.
    let first = Input::of(plain.case).ok();
    let inputs: Vec<Input> = first.into_iter().chain(inputs.iter().cloned()).collect();
    let deadline = Instant::now() + limit;
    let mut runs = 0;
    let mut compared = Compared { other: name.into(), ..Compared::default() };
    for batch in inputs.chunks(BATCH) {
        if is_over(&pair.laid[0].desk, deadline) {
            break;
        }
        runs += 3 * batch.len() as u64;
        let before = plain.results(Version::Broken, batch);
        let (this, that) = (plain.results(Version::Mended, batch), against.results(Version::Mended, batch));
        for ((before, this), that) in before.iter().zip(&this).zip(&that) {
            let count = |counts: &mut [u64; 3], this: bool, that: bool| {
                counts[0] += u64::from(this);
                counts[1] += u64::from(that);
                counts[2] += u64::from(this && that);
            };
            let fails = |result| plain.bug.violation.of_run(result).is_some();
            if fails(before) {
                compared.failing += 1;
                count(&mut compared.covered, !fails(this), !fails(that));
            } else {
                let worse = |after| fails(after) || disrupts(plain, before, after);
                count(&mut compared.disrupted, worse(this), worse(that));
            }
        }
    }
    compared.better = Better::of(compared.covered, compared.disrupted);
    Ok((compared, runs))
}
