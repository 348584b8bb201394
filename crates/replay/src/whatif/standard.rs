//! What the precompiled part of Rust's standard library does in what-if runs: its allocator, and functions of texts that generic
//! and inline code calls. A `Vec` and a `String` are three words as `rustc` lays them out: capacity, pointer, length.

use whydunit_library::RustHeap;

use crate::machine::Machine;
use crate::observer::Observer;
use crate::role::{HeapCall, Standard};
use crate::run::WhatIfStop;

/// Blocks are aligned to so many bytes.
const ALIGNED: u64 = 16;
/// No text is longer.
const LONGEST: u64 = 1 << 24;
/// So much of a recorded block may be written before the program has.
const KNOWN_OF_BLOCK: u64 = 1 << 20;
/// Where a `Vec` has its words.
const CAPACITY: u64 = 0;
const POINTER: u64 = 8;
const LENGTH: u64 = 16;

type Words = Result<Vec<u64>, WhatIfStop>;

impl Machine {
    /// What a call gives, its writes done; why the run stops where it cannot be computed.
    pub(super) fn standard_call<O: Observer>(&mut self, observer: &mut O, call: Standard, args: &[u64]) -> Words {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match call {
            Standard::Heap(RustHeap::Allocate { size, alignment, zeroed }) => {
                self.block(observer, arg(size), arg(alignment), zeroed).map(|block| vec![block])
            }
            Standard::Heap(RustHeap::Free { block }) => self.give_back(observer, arg(block)).map(|()| vec![]),
            Standard::Heap(RustHeap::Reallocate { block, size, alignment, new_size }) => {
                let block = self.resize(observer, arg(block), arg(size), arg(alignment), arg(new_size))?;
                Ok(vec![block])
            }
            Standard::GrowOne { element } => {
                let (capacity, pointer) =
                    (self.word(arg(0).wrapping_add(CAPACITY))?, self.word(arg(0).wrapping_add(POINTER))?);
                let least = if element == 1 { 8 } else { 4 };
                let grown = capacity.saturating_add(1).max(capacity.saturating_mul(2)).max(least);
                let (old, new) = (capacity.saturating_mul(element), grown.saturating_mul(element));
                let block = match capacity {
                    0 => self.block(observer, new, 1, false)?,
                    _ => self.resize(observer, pointer, old, 1, new)?,
                };
                self.put(observer, arg(0).wrapping_add(CAPACITY), &grown.to_le_bytes());
                self.put(observer, arg(0).wrapping_add(POINTER), &block.to_le_bytes());
                Ok(vec![])
            }
            Standard::CloneString => {
                let (pointer, length) = (self.word(arg(1).wrapping_add(8))?, self.word(arg(1).wrapping_add(16))?);
                let block = if length == 0 { 1 } else { self.block(observer, length, 1, false)? };
                if length > 0 {
                    self.bytes(pointer, length)?;
                    self.copy_block(observer, block, pointer, length);
                }
                self.put_words(observer, arg(0), &[length, block, length]);
                Ok(vec![])
            }
            Standard::OtherCase { upper } => {
                let text = self.text(arg(1), arg(2))?;
                let other = if upper { text.to_uppercase() } else { text.to_lowercase() };
                let length = other.len() as u64;
                let block = if length == 0 { 1 } else { self.block(observer, length, 1, false)? };
                self.put(observer, block, other.as_bytes());
                self.put_words(observer, arg(0), &[length, block, length]);
                Ok(vec![])
            }
            Standard::Count => {
                let bytes = self.bytes(arg(0), arg(1))?;
                Ok(vec![bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64])
            }
            Standard::FromUtf8 => {
                let bytes = self.bytes(arg(1), arg(2))?;
                match std::str::from_utf8(&bytes) {
                    Ok(_) => self.put_words(observer, arg(0), &[0, arg(1), arg(2)]),
                    Err(error) => {
                        let length = error.error_len().map_or(0, |length| 1 | (length as u64) << 8);
                        self.put_words(observer, arg(0), &[1, error.valid_up_to() as u64, length]);
                    }
                }
                Ok(vec![])
            }
            Standard::Find { last } => {
                let (bytes, wanted) = (self.bytes(arg(1), arg(2))?, arg(0) as u8);
                let mut all = bytes.iter();
                let found =
                    if last { all.rposition(|byte| *byte == wanted) } else { all.position(|byte| *byte == wanted) };
                Ok(found.map_or(vec![0, 0], |at| vec![1, at as u64]))
            }
            Standard::Is(class) => Ok(vec![u64::from(char::from_u32(arg(0) as u32).is_some_and(|c| class.has(c)))]),
            Standard::ParseFloat => {
                let text = self.text(arg(1), arg(2))?;
                match text.parse::<f64>() {
                    Ok(value) => self.put_words(observer, arg(0), &[0, value.to_bits()]),
                    Err(_) => self.put(observer, arg(0), &[1, u8::from(!text.is_empty())]),
                }
                Ok(vec![])
            }
            Standard::Digits { bits } => {
                let number = arg(0) & whydunit_numerics::arith::mask(bits) as u64;
                let digits = number.to_string();
                let length = digits.len() as u64;
                let Some(before) = arg(2).checked_sub(length) else {
                    return Err(WhatIfStop::UnknownMemory { address: arg(1) });
                };
                let start = arg(1).wrapping_add(before);
                self.put(observer, start, digits.as_bytes());
                Ok(vec![start, length])
            }
        }
    }

    fn block<O: Observer>(
        &mut self,
        observer: &mut O,
        size: u64,
        alignment: u64,
        zeroed: bool,
    ) -> Result<u64, WhatIfStop> {
        if alignment > ALIGNED {
            return Err(WhatIfStop::External { name: "__rust_alloc".into() });
        }
        let call = if zeroed { HeapCall::Calloc } else { HeapCall::Malloc };
        self.what_if_heap(observer, call, &[size, 1])
    }

    /// A block is given back. Those that the recorded run had are not known.
    fn give_back<O: Observer>(&mut self, observer: &mut O, block: u64) -> Result<(), WhatIfStop> {
        if self.is_live(block) {
            return self.what_if_heap(observer, HeapCall::Free, &[block]).map(drop);
        }
        if self.is_private(block) {
            return Err(self.no_block(block));
        }
        Ok(())
    }

    fn resize<O: Observer>(
        &mut self,
        observer: &mut O,
        old: u64,
        size: u64,
        alignment: u64,
        new: u64,
    ) -> Result<u64, WhatIfStop> {
        let block = self.block(observer, new, alignment, false)?;
        let kept = size.min(new);
        if let Some(stopped) = self.charge([kept].into_iter()) {
            return Err(stopped);
        }
        if kept > 0 && block != 0 {
            self.copy_block(observer, block, old, kept);
        }
        self.give_back(observer, old).map(|()| block)
    }

    /// A recorded call gave a block: what-if runs may write there. It is no block of the heap that the replay predicts, since the
    /// library frees as well what the program has allocated.
    pub(crate) fn know_block(&mut self, call: Standard, args: &[u64], result: u64) {
        let size = match call {
            Standard::Heap(RustHeap::Allocate { size, .. } | RustHeap::Reallocate { new_size: size, .. }) => {
                args.get(size)
            }
            _ => None,
        };
        if let Some(&size) = size.filter(|_| result != 0) {
            self.core.memory.know(result, size.min(KNOWN_OF_BLOCK));
        }
    }

    /// Whether a block of the heap starts here.
    fn is_live(&self, block: u64) -> bool {
        self.core.heap.get(block).is_some() || self.core.heap.foreign(block).is_some()
    }

    /// Appends to a `String`.
    pub(super) fn append<O: Observer>(&mut self, observer: &mut O, string: u64, text: &[u8]) -> Result<(), WhatIfStop> {
        let words = [CAPACITY, POINTER, LENGTH].map(|word| self.word(string.wrapping_add(word)));
        let [capacity, pointer, length] = words;
        let (capacity, pointer, length) = (capacity?, pointer?, length?);
        let grown = length.saturating_add(text.len() as u64);
        let (mut capacity, mut pointer) = (capacity, pointer);
        if grown > capacity {
            let most = grown.max(capacity.saturating_mul(2)).max(8);
            pointer = match capacity {
                0 => self.block(observer, most, 1, false)?,
                _ => self.resize(observer, pointer, length, 1, most)?,
            };
            capacity = most;
        }
        self.put(observer, pointer.wrapping_add(length), text);
        self.put_words(observer, string, &[capacity, pointer, grown]);
        Ok(())
    }

    fn word(&self, address: u64) -> Result<u64, WhatIfStop> {
        match self.what_if_lacks(address, 8) {
            None => Ok(self.core.memory.read_word(address)),
            Some(address) => Err(WhatIfStop::UnknownMemory { address }),
        }
    }

    fn bytes(&mut self, address: u64, length: u64) -> Result<Vec<u8>, WhatIfStop> {
        if length == 0 {
            return Ok(Vec::new());
        }
        if length > LONGEST {
            return Err(WhatIfStop::UnknownMemory { address });
        }
        if let Some(address) = self.what_if_lacks(address, length) {
            return Err(WhatIfStop::UnknownMemory { address });
        }
        if let Some(stopped) = self.charge([length].into_iter()) {
            return Err(stopped);
        }
        Ok(self.core.memory.read_vec(address, length as usize))
    }

    fn text(&mut self, address: u64, length: u64) -> Result<String, WhatIfStop> {
        let bytes = self.bytes(address, length)?;
        String::from_utf8(bytes).map_err(|_| WhatIfStop::UnknownMemory { address })
    }

    fn put<O: Observer>(&mut self, observer: &mut O, address: u64, bytes: &[u8]) {
        self.written(observer, &[(address, bytes.to_vec())]);
    }

    fn put_words<O: Observer>(&mut self, observer: &mut O, address: u64, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(observer, address, &bytes);
    }
}
