//! A store's shelves: what lies where, and what of it can be given out.

pub mod orders;
pub mod window;

/// Something that is sold.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub name: String,
    pub price: u32,
    pub weight: u32,
    pub count: u32,
}

/// What lies on a shelf.
#[derive(Default)]
pub struct Shelf {
    items: Vec<Item>,
    limit: u32,
}

impl Shelf {
    /// A shelf that carries so much.
    pub fn new(limit: u32) -> Self {
        Shelf { items: Vec::new(), limit }
    }

    /// All that lies there weighs so much.
    pub fn load(&self) -> u32 {
        let mut load = 0;
        for item in &self.items {
            load += item.price * item.count;
        }
        load
    }

    /// Puts something there, if the shelf carries it.
    pub fn put(&mut self, item: Item) -> bool {
        if self.load() + item.weight * item.count > self.limit {
            return false;
        }
        self.items.push(item);
        true
    }

    /// What lies at a place.
    pub fn at(&self, place: usize) -> Option<&Item> {
        Some(&self.items[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, price: u32, weight: u32, count: u32) -> Item {
        Item { name: name.into(), price, weight, count }
    }

    #[test]
    fn a_shelf_weighs_what_lies_there() {
        let mut shelf = Shelf::new(100);
        assert_eq!(shelf.load(), 0);
        assert!(shelf.put(item("nail", 1, 2, 10)));
        assert!(shelf.put(item("rope", 7, 5, 3)));
        assert_eq!(shelf.load(), 35);
    }

    #[test]
    fn what_is_too_heavy_is_not_put_there() {
        let mut shelf = Shelf::new(10);
        assert!(!shelf.put(item("anvil", 90, 11, 1)));
        assert_eq!(shelf.at(0), None);
    }

    #[test]
    fn what_lies_there_is_found() {
        let mut shelf = Shelf::new(10);
        assert!(shelf.put(item("nail", 1, 1, 5)));
        assert!(shelf.put(item("screw", 1, 1, 4)));
        assert_eq!(shelf.at(0).map(|item| item.count), Some(5));
        assert_eq!(shelf.at(1).map(|item| item.count), Some(4));
    }
}
