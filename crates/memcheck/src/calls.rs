//! The calls under way where blocks are allocated and freed, each kept once.

use std::collections::HashMap;

use whydunit_replay::{At, Position};

use crate::object::{Chain, Place};
use crate::wrappers::Wrappers;

/// So many calls are kept of a stack, the innermost.
const DEEPEST: usize = 24;

/// All chains of calls under way. Each is one place more than another.
#[derive(Clone, Default)]
pub struct Calls {
    links: Vec<(Chain, Place)>,
    known: HashMap<(Chain, Place), Chain>,
}

impl Calls {
    /// The calls under way, from the innermost function of the program's own on.
    pub fn here(&mut self, at: &At<'_>) -> Chain {
        let own = |frame: &At<'_>| frame.code.function(frame.function).library == Some(false);
        let outside = at.frames().take(DEEPEST).position(|frame| own(&frame)).unwrap_or(0);
        let mut places = [None; DEEPEST];
        for (place, frame) in places.iter_mut().zip(at.frames().skip(outside)) {
            *place = Some(Place { function: frame.function, pc: frame.pc });
        }
        places.iter().rev().flatten().fold(Chain::default(), |outer, place| self.chain(outer, *place))
    }

    fn chain(&mut self, outer: Chain, place: Place) -> Chain {
        *self.known.entry((outer, place)).or_insert_with(|| {
            self.links.push((outer, place));
            Chain::new(self.links.len() - 1)
        })
    }

    /// The same without the calls of the innermost functions that only hand out what an allocator gave them, where others are
    /// under way; and the names of those, innermost first.
    pub fn folded(&self, at: &At<'_>, chain: Chain, wrappers: &Wrappers) -> (Vec<Position>, Vec<String>) {
        let (mut rest, mut names) = (chain, Vec::new());
        while let Some((outer, place)) = rest.index().and_then(|index| self.links.get(index)) {
            if !wrappers.holds(place.function) {
                break;
            }
            names.extend(at.code.positions(place.function, place.pc).map(|position| position.function));
            rest = *outer;
        }
        let positions = self.positions(at, rest);
        if positions.is_empty() { (self.positions(at, chain), Vec::new()) } else { (positions, names) }
    }

    /// The innermost place; `None` of no calls.
    pub fn innermost(&self, chain: Chain) -> Option<Place> {
        Some(self.links.get(chain.index()?)?.1)
    }

    /// Where they stand in the program's own code, innermost first; of what is only a library's the innermost place.
    pub fn positions(&self, at: &At<'_>, mut chain: Chain) -> Vec<Position> {
        let (mut own, mut innermost) = (Vec::new(), None);
        while let Some((outer, place)) = chain.index().and_then(|index| self.links.get(index)) {
            let positions = at.code.positions(place.function, place.pc);
            own.extend(positions.filter(|position| position.loc.line > 0 && !position.in_library()));
            innermost = innermost.or_else(|| Some(at.code.position(place.function, place.pc)));
            chain = *outer;
        }
        if own.is_empty() { innermost.into_iter().collect() } else { own }
    }
}
