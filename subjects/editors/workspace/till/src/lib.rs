//! A till.

/// What a customer pays.
pub fn pays(pieces: u32) -> u32 {
    ledger::due(pieces, 3, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_third_is_free() {
        assert_eq!(pays(3), 20);
    }

    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(pays(0), 0);
    }

    #[test]
    fn two_are_paid() {
        assert_eq!(pays(2), 20);
    }
}
