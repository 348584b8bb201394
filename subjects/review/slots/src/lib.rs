//! A table of slots.
#![forbid(unsafe_code)]

/// Where something lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub row: i32,
    pub column: i32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Small,
    Large,
    Huge,
}

/// The slot for a place in a table of this width.
pub fn slot(place: Place, width: i32, kind: Kind, name: &str) -> usize {
    if name.is_empty() {
        return 0;
    }
    let step = match kind {
        Kind::Small => 1,
        Kind::Large => 2,
        Kind::Huge => 0,
    };
    let at = place.row * width + place.column;
    let table = [7usize; 64];
    table[(at / step) as usize] + name.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small() {
        assert_eq!(slot(Place { row: 1, column: 2 }, 8, Kind::Small, "a"), 8);
    }

    #[test]
    fn large() {
        assert_eq!(slot(Place { row: 1, column: 2 }, 8, Kind::Large, "ab"), 9);
    }

    #[test]
    fn huge() {
        assert_eq!(slot(Place { row: 0, column: 0 }, 8, Kind::Huge, "a"), 8);
    }
}
