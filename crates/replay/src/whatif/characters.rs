//! Characters in the C locale: what the functions of `ctype.h` give, and the tables that glibc and libstdc++ have of that.

use std::sync::LazyLock;

use whydunit_library::Character;

/// Of a `std::ctype<char>`: the pointer to the table of classes, whether the table of wide characters is made, and the tables
/// of wide and narrow ones.
const CLASSES: u64 = 48;
pub(super) const WIDEN_DONE: u64 = 56;
pub(super) const WIDEN: u64 = 57;
const NARROW: u64 = 313;
/// Where the table of classes of characters lies in what-if runs. No program has memory there.
const MADE_UP_TABLE: u64 = 0x6fff_fff0_0000;

/// What a function of `ctype.h` gives in the C locale.
pub(super) fn of_character(character: Character, c: u64) -> u64 {
    let c = c as u32 as i32;
    let byte = u8::try_from(c).ok();
    let test = |class: fn(&u8) -> bool| u64::from(byte.is_some_and(|byte| class(&byte)));
    match character {
        Character::Alphabetic => test(u8::is_ascii_alphabetic),
        Character::Digit => test(u8::is_ascii_digit),
        Character::Alphanumeric => test(u8::is_ascii_alphanumeric),
        Character::Upper => test(u8::is_ascii_uppercase),
        Character::Lower => test(u8::is_ascii_lowercase),
        Character::Space => u64::from(matches!(c, 9..=13 | 32)),
        Character::Blank => u64::from(matches!(c, 9 | 32)),
        Character::Punctuation => test(u8::is_ascii_punctuation),
        Character::HexDigit => test(u8::is_ascii_hexdigit),
        Character::Control => test(u8::is_ascii_control),
        Character::Printable => u64::from((32..127).contains(&c)),
        Character::Graphic => test(u8::is_ascii_graphic),
        Character::ToUpper => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_uppercase())).into(),
        Character::ToLower => byte.map_or(c as u32, |byte| u32::from(byte.to_ascii_lowercase())).into(),
    }
}

/// The tables behind the macros of `ctype.h` as glibc has them in the C locale, from character -128 on: classes as 16 bits,
/// the other case as 32 bits.
pub(super) static TABLES: LazyLock<[(&str, Vec<u8>); 3]> = LazyLock::new(|| {
    let class = |c: i32| {
        let is = |class: &Character| of_character(*class, u64::from(c as u32)) != 0;
        Character::CLASSES.into_iter().filter(is).filter_map(Character::bit).fold(0, |all, bit| all | bit)
    };
    let case = |of: Character, c: i32| of_character(of, u64::from(c as u32)) as u32;
    let all = -128..256;
    [
        (Character::Upper.table(), all.clone().flat_map(|c| class(c).to_le_bytes()).collect()),
        (Character::ToLower.table(), all.clone().flat_map(|c| case(Character::ToLower, c).to_le_bytes()).collect()),
        (Character::ToUpper.table(), all.flat_map(|c| case(Character::ToUpper, c).to_le_bytes()).collect()),
    ]
});

/// The table that a function of glibc's points into, for characters from -128 on.
pub fn character_table(function: &str) -> Option<&'static [u8]> {
    TABLES.iter().find(|(name, _)| *name == function).map(|(_, table)| &table[..])
}

/// What a facet for characters has in the C locale.
pub(super) fn characters_of(facet: u64) -> Vec<(u64, Vec<u8>)> {
    let all: Vec<u8> = (0..=255).collect();
    let (_, classes) = &TABLES[0];
    let middle = MADE_UP_TABLE + classes.len() as u64 / 3;
    vec![
        (facet + CLASSES, middle.to_le_bytes().to_vec()),
        (facet + WIDEN_DONE, vec![1]),
        (facet + WIDEN, all.clone()),
        (facet + NARROW, all),
        (MADE_UP_TABLE, classes.clone()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_c_locale() {
        assert_eq!(of_character(Character::Space, 11), 1);
        assert_eq!(of_character(Character::ToUpper, u64::from(b'q')), u64::from(b'Q'));
        assert_eq!(of_character(Character::Alphabetic, u64::from(u32::MAX)), 0);
    }
}
