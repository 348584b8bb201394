//! Shelves from outside.

use stock::{Item, Shelf};

#[test]
fn nothing_lies_behind_the_last_place() {
    let mut shelf = Shelf::new(40);
    assert!(shelf.put(Item { name: "rope".into(), price: 2, weight: 2, count: 4 }));
    assert_eq!(shelf.at(1), None);
    assert_eq!(shelf.at(0).map(|item| item.weight), Some(2));
}
