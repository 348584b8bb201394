//! A ring of numbers with room for three.

/// It.
pub struct Ring {
    values: Vec<u32>,
    sealed: bool,
}

/// Why a number is not taken.
#[derive(Debug, PartialEq)]
pub enum Refused {
    /// There is no room.
    Full,
    /// It is sealed.
    Sealed,
}

impl Ring {
    /// An empty one.
    pub fn new() -> Self {
        Ring { values: Vec::new(), sealed: false }
    }

    /// Puts a number in.
    pub fn push(&mut self, value: u32) -> Result<(), Refused> {
        if self.sealed {
            return Err(Refused::Sealed);
        }
        if self.values.len() == 3 {
            return Err(Refused::Full);
        }
        self.values.push(value);
        Ok(())
    }

    /// Takes the oldest out.
    pub fn pop(&mut self) -> Option<u32> {
        if self.values.is_empty() { None } else { Some(self.values.remove(0)) }
    }

    /// Brings the oldest to the end.
    pub fn turn(&mut self) -> u32 {
        assert!(!self.values.is_empty(), "the ring is empty");
        self.values.rotate_left(1);
        self.values[0]
    }

    /// Nothing can be put in any more.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_in_their_order() {
        let mut ring = Ring::new();
        ring.push(1).unwrap();
        ring.push(2).unwrap();
        assert_eq!(ring.turn(), 2);
        assert_eq!(ring.pop(), Some(2));
        assert!(!ring.is_empty());
    }

    #[test]
    fn what_is_sealed_is_full() -> Result<(), Refused> {
        let mut ring = Ring::new();
        ring.push(7)?;
        ring.seal();
        assert_eq!(ring.push(8), Err(Refused::Sealed));
        Ok(())
    }
}
