//! Sets of entities out of a table that they share: a suite of a thousand tests executes the same hundred thousand statements.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Entity;

/// So many entities belong to a word of a set.
const BITS: usize = u64::BITS as usize;

/// The entities that a test executed.
#[derive(Clone, Default)]
pub struct Hits {
    table: Arc<[Entity]>,
    /// A bit for each entity of the table, the lowest first.
    words: Vec<u64>,
}

impl Hits {
    /// The entities of a table with these numbers.
    pub fn of(table: &Arc<[Entity]>, numbers: &Numbers) -> Self {
        Self { table: Arc::clone(table), words: numbers.words.clone() }
    }

    /// The table that the entities are from.
    pub fn table(&self) -> &Arc<[Entity]> {
        &self.table
    }

    /// The numbers of the entities in their table.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        let in_word = |word: u64| (0..BITS).filter(move |bit| word >> bit & 1 != 0);
        self.words.iter().enumerate().flat_map(move |(at, &word)| in_word(word).map(move |bit| at * BITS + bit))
    }

    /// The entities, in the order of their table.
    pub fn iter(&self) -> impl Iterator<Item = &Entity> {
        self.numbers().map(|number| &self.table[number])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Takes what `keeps` denies out of all of these sets; it is asked once about each entity of a table.
    pub fn retain_in_all<'a>(sets: impl Iterator<Item = &'a mut Hits>, keeps: impl Fn(&Entity) -> bool) {
        let mut known: HashMap<*const Entity, Numbers> = HashMap::new();
        for set in sets {
            let kept = known.entry(set.table.as_ptr()).or_insert_with(|| {
                let mut kept = Numbers::default();
                set.table.iter().enumerate().filter(|(_, entity)| keeps(entity)).for_each(|(at, _)| kept.insert(at));
                kept
            });
            for (at, word) in set.words.iter_mut().enumerate() {
                *word &= kept.words.get(at).copied().unwrap_or(0);
            }
        }
    }
}

impl FromIterator<Entity> for Hits {
    fn from_iter<T: IntoIterator<Item = Entity>>(entities: T) -> Self {
        let mut table: Vec<Entity> = entities.into_iter().collect();
        table.sort();
        table.dedup();
        let mut numbers = Numbers::default();
        (0..table.len()).for_each(|number| numbers.insert(number));
        Self { table: table.into(), words: numbers.words }
    }
}

impl PartialEq for Hits {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |hits: &Hits| {
            let mut entities: Vec<Entity> = hits.iter().cloned().collect();
            entities.sort();
            entities
        };
        sorted(self) == sorted(other)
    }
}

impl Eq for Hits {}

impl std::fmt::Debug for Hits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Numbers of entities, before their table is whole.
#[derive(Clone, Default, Debug)]
pub struct Numbers {
    words: Vec<u64>,
}

impl Numbers {
    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let at = number / BITS;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= 1 << (number % BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(function: &str) -> Entity {
        Entity { function: function.into(), ..Entity::default() }
    }

    #[test]
    fn sets_of_one_table_are_told_apart_by_numbers() {
        let table: Arc<[Entity]> = (0..130).map(|number| entity(&number.to_string())).collect();
        let set = |numbers: &[usize]| {
            let mut of = Numbers::default();
            numbers.iter().for_each(|&number| of.insert(number));
            Hits::of(&table, &of)
        };
        let mut sets = [set(&[129, 3, 64]), set(&[]), set(&[5])];
        assert_eq!(sets[0].numbers().collect::<Vec<_>>(), [3, 64, 129]);
        assert_eq!((sets[0].len(), sets[1].is_empty(), sets[2].is_empty()), (3, true, false));
        Hits::retain_in_all(sets.iter_mut(), |entity| entity.function.len() > 1);
        assert_eq!(sets[0], [entity("64"), entity("129")].into_iter().collect());
        assert!(sets[2].is_empty() && sets[0] != sets[2]);
    }
}
