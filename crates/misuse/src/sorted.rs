//! A map kept as a sorted list: states are copied all the time, and a list of plain entries is copied in one go.

/// Keys in order, each with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord + Copy, V> Sorted<K, V> {
    /// Entries that are in order already.
    pub fn of_ordered(entries: Vec<(K, V)>) -> Self {
        debug_assert!(entries.is_sorted_by(|a, b| a.0 < b.0));
        Self(entries)
    }

    fn place(&self, key: &K) -> Result<usize, usize> {
        // Most keys that are put in are larger than all before.
        match self.0.last() {
            Some((last, _)) if last < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|entry| entry.0.cmp(key)),
        }
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|index| &self.0[index].1)
    }

    pub fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (key, value)),
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|index| self.0.remove(index).1)
    }

    pub fn entry_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let index = self.place(&key).unwrap_or_else(|index| {
            self.0.insert(index, (key, V::default()));
            index
        });
        &mut self.0[index].1
    }

    pub fn extend(&mut self, entries: impl IntoIterator<Item = (K, V)>) {
        entries.into_iter().for_each(|(key, value)| self.insert(key, value));
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|entry| &entry.0)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|entry| &entry.1)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|entry| &mut entry.1)
    }

    fn bounds(&self, from: &K, to: &K) -> std::ops::Range<usize> {
        let start = self.0.partition_point(|entry| entry.0 < *from);
        start..start + self.0[start..].partition_point(|entry| entry.0 < *to)
    }

    /// Entries from a key on, before another one.
    pub fn span(&self, from: K, to: K) -> impl Iterator<Item = (&K, &V)> {
        self.0[self.bounds(&from, &to)].iter().map(|(key, value)| (key, value))
    }

    /// The same, to be changed.
    pub fn span_mut(&mut self, from: K, to: K) -> impl Iterator<Item = (&K, &mut V)> {
        let bounds = self.bounds(&from, &to);
        self.0[bounds].iter_mut().map(|(key, value)| (&*key, value))
    }
}

/// The entries of two maps side by side, in order of their keys.
pub(crate) fn both<'m, K: Ord + Copy, V>(
    one: &'m Sorted<K, V>,
    two: &'m Sorted<K, V>,
) -> impl Iterator<Item = (K, Option<&'m V>, Option<&'m V>)> {
    let (mut a, mut b) = (one.0.iter().peekable(), two.0.iter().peekable());
    std::iter::from_fn(move || {
        let key = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.0.min(y.0),
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (None, None) => return None,
        };
        let take = |it: &mut std::iter::Peekable<std::slice::Iter<'m, (K, V)>>| {
            it.next_if(|entry| entry.0 == key).map(|entry| &entry.1)
        };
        Some((key, take(&mut a), take(&mut b)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map() {
        let mut map = Sorted::default();
        map.extend([(5, 'a'), (1, 'b'), (3, 'c'), (5, 'd')]);
        assert_eq!((map.get(&5), map.get(&2), map.len()), (Some(&'d'), None, 3));
        assert_eq!(map.span(1, 5).map(|(key, _)| *key).collect::<Vec<_>>(), [1, 3]);
        assert_eq!((map.remove(&1), map.remove(&1)), (Some('b'), None));
        *map.entry_or_default(4) = 'e';
        let other = Sorted::of_ordered(vec![(0, 'x'), (4, 'y')]);
        let pairs: Vec<_> = both(&map, &other).map(|(key, a, b)| (key, a.copied(), b.copied())).collect();
        assert_eq!(
            pairs,
            [(0, None, Some('x')), (3, Some('c'), None), (4, Some('e'), Some('y')), (5, Some('d'), None)]
        );
    }
}
