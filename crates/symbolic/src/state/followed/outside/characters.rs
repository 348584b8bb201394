//! Classes of characters that were given: the tables of `ctype.h`, and its functions.

use whydunit_library::{Character, lookup};
use whydunit_replay::{At, External, character_table};
use whydunit_terms::{Compare, Term, support};

use super::Pointer;
use crate::state::followed::Followed;
use crate::state::{State, fit};

/// The least character of a table.
const FIRST: i64 = -128;
/// Its characters.
const COUNT: u64 = 384;

/// The function that gives the table of classes.
const CLASSES: &str = Character::Upper.table();

impl State<'_> {
    /// A function has given where the pointer to a table lies.
    pub(crate) fn learn_table(&mut self, name: &str, result: u64) {
        let table = [Character::Upper, Character::ToLower, Character::ToUpper].map(Character::table);
        if let (Some(name), Some(Followed { outside, .. })) =
            (table.into_iter().find(|known| *known == name), self.followed.as_deref_mut())
        {
            outside.pointers.insert(result, Pointer::Table(name));
        }
    }

    /// Such a pointer is read.
    pub(crate) fn found_table(&mut self, name: &'static str, middle: u64) {
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        let bytes = character_table(name).map_or(0, <[u8]>::len) as i64 / COUNT as i64;
        let first = middle.wrapping_add((FIRST * bytes) as u64);
        if middle != 0 && outside.tables.iter().all(|known| known.0 != first) {
            outside.tables.push((first, name));
        }
    }

    /// What a table has for a character that was given; none where the pointer does not point into one.
    pub(crate) fn class_in_table(&mut self, at: &At<'_>, pointer: Term, address: u64, size: usize) -> Option<Term> {
        self.learn_table_of_cpp(at, pointer, address, size);
        let outside = &self.followed.as_ref()?.outside;
        let &(first, name) = outside.tables.iter().find(|(first, name)| {
            address.wrapping_sub(*first) < character_table(name).map_or(0, |table| table.len() as u64)
        })?;
        let table = character_table(name)?;
        let step = table.len() as u64 / COUNT;
        if step != size as u64 {
            return None;
        }
        let pointer = fit(&mut self.pool, Some(pointer), 0, 64);
        let offset = self.add(pointer, first.wrapping_neg());
        let last = self.pool.constant(64, (table.len() as u64 - step).into());
        let inside = self.pool.compare(Compare::Ule, offset, last);
        self.require(inside);
        let index = self.pool.extract(offset, step.trailing_zeros(), 9);
        Some(self.chosen(table, step as usize, index))
    }

    /// A facet of C++ has a table of classes that nobody gave out: an element that lies in nothing of the program, and is the one for
    /// the only character on which the pointer depends, is one of it.
    fn learn_table_of_cpp(&mut self, at: &At<'_>, pointer: Term, address: u64, size: usize) {
        let Some((name, table)) = character_table(CLASSES).map(|table| (CLASSES, table)) else { return };
        let step = table.len() / COUNT as usize;
        let is_known = |followed: &Followed| {
            let tables = &followed.outside.tables;
            tables.iter().any(|known| address.wrapping_sub(known.0) < table.len() as u64)
        };
        if size != step || self.followed.as_deref().is_none_or(is_known) || self.object_at(at, address).is_some() {
            return;
        }
        let [variable] = support(&self.pool, &[pointer])[..] else { return };
        let Some(&(_, character)) = self.run.iter().find(|run| run.0 == variable) else { return };
        if self.pool.width(variable) != 8 {
            return;
        }
        let offset = (character as usize + FIRST.unsigned_abs() as usize) * step;
        if table[offset..offset + step] == at.memory().read_vec(address, step)[..]
            && let Some(Followed { outside, .. }) = self.followed.as_deref_mut()
        {
            outside.tables.push((address.wrapping_sub(offset as u64), name));
        }
    }

    /// The element of a table.
    fn chosen(&mut self, table: &[u8], step: usize, index: Term) -> Term {
        let value = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
        let elements: Vec<Term> =
            table.chunks(step).map(|bytes| self.pool.constant(8 * step as u32, value(bytes))).collect();
        let default = elements[0];
        self.pool.choose(index, &elements, default)
    }

    /// What a function gives for a character.
    pub(crate) fn of_character(&mut self, at: &At<'_>, call: &External<'_>) -> Option<Term> {
        let argument = call.call.args.first()?.value;
        let character = lookup(call.name)?.function.character?;
        let bit = character.bit();
        self.followed.as_ref()?;
        self.slot(at, argument)?;
        let table = character_table(character.table())?;
        let step = table.len() / COUNT as usize;
        let character = self.word(at, argument, 32);
        let from_first = self.add(character, FIRST.unsigned_abs());
        let last = self.pool.constant(32, (COUNT - 1).into());
        let inside = self.pool.compare(Compare::Ule, from_first, last);
        self.require(inside);
        let index = self.pool.extract(from_first, 0, 9);
        let found = self.chosen(table, step, index);
        let found = fit(&mut self.pool, Some(found), 0, 32);
        Some(match bit {
            Some(bit) => {
                let bit = self.pool.constant(32, bit.into());
                self.pool.bv(whydunit_terms::BvOp::And, found, bit)
            }
            None => found,
        })
    }
}
