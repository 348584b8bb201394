//! Tables over terms: arrays in pages, so that a small query in a large pool costs what the query touches.

use crate::Term;

const PAGE: usize = 128;

/// A table from terms to small values.
#[derive(Clone, Debug)]
pub struct TermMap<T> {
    pages: Vec<Option<Box<[Option<T>; PAGE]>>>,
}

impl<T> Default for TermMap<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T: Copy> TermMap<T> {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// What stands under `term`.
    #[inline]
    pub fn get(&self, term: Term) -> Option<T> {
        let index = term.index() as usize;
        self.pages.get(index / PAGE)?.as_ref()?[index % PAGE]
    }

    /// Whether something does.
    #[inline]
    pub fn contains(&self, term: Term) -> bool {
        self.get(term).is_some()
    }

    /// Puts `value` under `term`; what stood there.
    #[inline]
    pub fn insert(&mut self, term: Term, value: T) -> Option<T> {
        let index = term.index() as usize;
        if index / PAGE >= self.pages.len() {
            self.pages.resize_with(index / PAGE + 1, || None);
        }
        self.pages[index / PAGE].get_or_insert_with(|| Box::new([None; PAGE]))[index % PAGE].replace(value)
    }

    /// Takes away what stands under `term`.
    pub fn remove(&mut self, term: Term) -> Option<T> {
        let index = term.index() as usize;
        self.pages.get_mut(index / PAGE)?.as_mut()?[index % PAGE].take()
    }

    /// Everything, in the order of the terms.
    pub fn iter(&self) -> impl Iterator<Item = (Term, T)> + '_ {
        self.pages.iter().enumerate().filter_map(|(number, page)| Some((number, page.as_ref()?))).flat_map(
            |(number, page)| {
                page.iter()
                    .enumerate()
                    .filter_map(move |(at, value)| Some((Term::from_index((number * PAGE + at) as u32), (*value)?)))
            },
        )
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.pages.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_what_was_put_in() {
        let mut map = TermMap::new();
        let term = Term::from_index;
        assert_eq!(map.insert(term(100_000), 1u8), None);
        assert_eq!(map.insert(term(3), 2), None);
        assert_eq!(map.insert(term(3), 3), Some(2));
        assert_eq!((map.get(term(3)), map.get(term(4)), map.get(term(1 << 30))), (Some(3), None, None));
        assert_eq!(map.iter().collect::<Vec<_>>(), [(term(3), 3), (term(100_000), 1)]);
        assert_eq!(map.remove(term(3)), Some(3));
        assert!(!map.contains(term(3)));
    }
}
