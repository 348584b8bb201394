//! Arguments as plain data: read from a call, written down apart from any run, and put in another one.

mod boundary;
mod read;

use whydunit_replay::{Machine, Observer};

pub(crate) use boundary::boundaries;
pub(crate) use read::read;

/// Where a pointer in a datum leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Target {
    /// Into the datum itself, so many bytes on.
    Own(u64),
    /// To another one.
    Other(Datum),
}

/// Bytes, and the pointers among them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Datum {
    pub bytes: Vec<u8>,
    /// By their offsets.
    pub pointers: Vec<(usize, Target)>,
}

/// An argument of a call: numbers, enumerators, texts, structures of these, and null.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Argument {
    pub(crate) datum: Datum,
    /// In words.
    pub text: String,
}

/// Blocks that hold data of arguments: where they begin and end.
pub type Blocks = Vec<(u64, u64)>;

impl Datum {
    /// Its bytes at an address of a run; what they point to is put in blocks of their own.
    fn bytes_at<O: Observer>(
        &self,
        address: u64,
        machine: &mut Machine,
        observer: &mut O,
        blocks: &mut Blocks,
    ) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for (offset, target) in &self.pointers {
            let to = match target {
                Target::Own(inside) => address + inside,
                Target::Other(other) => other.put(machine, observer, blocks),
            };
            if let Some(place) = bytes.get_mut(*offset..*offset + 8) {
                place.copy_from_slice(&to.to_le_bytes());
            }
        }
        bytes
    }

    /// Puts it in a block of its own.
    pub fn put<O: Observer>(&self, machine: &mut Machine, observer: &mut O, blocks: &mut Blocks) -> u64 {
        let address = machine.place(&self.bytes, observer);
        blocks.push((address, address + self.bytes.len() as u64));
        if !self.pointers.is_empty() {
            let bytes = self.bytes_at(address, machine, observer, blocks);
            machine.core.memory.write_from(address, &bytes);
        }
        address
    }

    /// Its bytes for registers: no pointer may lead into it.
    pub fn in_registers<O: Observer>(&self, machine: &mut Machine, observer: &mut O, blocks: &mut Blocks) -> Vec<u8> {
        self.bytes_at(0, machine, observer, blocks)
    }
}
