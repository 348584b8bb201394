//! Orders, and what they cost.

/// What is sent for nothing from so much on.
pub const FREE_FROM: u32 = 5000;
/// What sending costs else.
pub const POSTAGE: u32 = 490;

/// What an order costs with what it takes to send it: orders of [`FREE_FROM`] and more are sent for nothing.
pub fn total(price: u32) -> u32 {
    if price > FREE_FROM { price } else { price + POSTAGE }
}

/// Packets of so many pieces that an order needs.
pub fn packets(pieces: u32, size: u32) -> u32 {
    (pieces + size) / size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_orders_pay_for_sending() {
        assert_eq!(total(1000), 1490);
        assert_eq!(total(4999), 5489);
    }

    #[test]
    fn large_orders_do_not() {
        assert_eq!(total(5001), 5001);
        assert_eq!(total(9000), 9000);
    }

    #[test]
    fn the_bound_is_a_large_order() {
        assert_eq!(total(FREE_FROM), FREE_FROM);
    }

    #[test]
    fn packets_are_full_where_they_can_be() {
        assert_eq!(packets(10, 5), 2);
        assert_eq!(packets(12, 3), 4);
    }

    #[test]
    fn the_rest_needs_one_more() {
        assert_eq!(packets(11, 5), 3);
        assert_eq!(packets(1, 5), 1);
        assert_eq!(packets(0, 5), 0);
    }
}
