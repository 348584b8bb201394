//! Sums of money.

/// What is due when `pieces` are bought, every `group`th of them free.
pub fn due(pieces: u32, group: u32, price: u32) -> u32 {
    let mut paid = 0;
    let mut number = 1;
    while number <= pieces {
        if number % group != 1 {
            paid += price;
        }
        number += 1;
    }
    paid
}
