//! Calls that are wrong, as the analysis of a function finds them.

use std::sync::Arc;

use crate::protocol::StateId;
use crate::range::Range;
use crate::state::{Seed, Site, Step};
use crate::symbol::Sym;

/// How a model grades a call in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// The model says nothing of it.
    Unseen,
    /// The object could not be made, and the result that says so was not tested.
    MayFail,
    /// It is always wrong.
    Never,
}

impl Grade {
    /// As models and reports have it.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Unseen => "unseen",
            Grade::MayFail => "may-fail",
            Grade::Never => "never",
        }
    }
}

/// A call that is wrong on some paths.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub protocol: usize,
    pub state: StateId,
    pub seed: Seed,
    pub site: Site,
    /// The method, or what else is done.
    pub method: Arc<str>,
    /// It is wrong on all paths that lead there with this object.
    pub must: bool,
    /// How the model grades it.
    pub grade: Grade,
    /// The operation of the function at hand since which the object is followed; `None`: since its entry.
    pub since: Option<u32>,
    pub trail: Option<Arc<Step>>,
    /// Calls that the object was passed through.
    pub calls: usize,
    /// What was known there of values at the function's entry: where they are others, the call is not come to.
    pub conditions: Vec<(Sym, Range)>,
}

/// The steps of a trail, first to last.
pub(crate) fn steps(trail: &Option<Arc<Step>>) -> Vec<(Site, Arc<str>)> {
    let mut out = Vec::new();
    let mut next = trail.as_ref();
    while let Some(step) = next {
        out.push((step.site, Arc::clone(&step.what)));
        next = step.before.as_ref();
    }
    out.reverse();
    out
}

/// A trail with another one after it.
pub(crate) fn joined(first: &Option<Arc<Step>>, then: &Option<Arc<Step>>) -> Option<Arc<Step>> {
    steps(then).into_iter().fold(first.clone(), |before, (site, what)| Some(Arc::new(Step { before, site, what })))
}

/// A trail with one more step.
pub(crate) fn extended(trail: &Option<Arc<Step>>, site: Site, what: impl Into<Arc<str>>) -> Option<Arc<Step>> {
    Some(Arc::new(Step { before: trail.clone(), site, what: what.into() }))
}
