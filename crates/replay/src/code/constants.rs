//! Constants of the loaded modules that what-if runs know in full.

use std::collections::BTreeMap;
use std::sync::Arc;

use whydunit_model::Linkage;

use super::Code;
use crate::memory::PAGE;

/// Constants that are defined in several modules, which the recording has as they were read only: tables of virtual functions,
/// descriptions of types. By page; what is no part of a constant is zero.
pub(crate) struct Constants {
    /// So many modules were loaded.
    pub loaded: u32,
    pub pages: Arc<[(u64, Vec<u8>)]>,
}

impl Constants {
    /// Those of the first `loaded` modules.
    pub fn of(code: &Code, loaded: u32) -> Self {
        let mut pages: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for module in &code.modules()[..loaded as usize] {
            for (global, &at) in module.model.globals.iter().zip(&module.globals) {
                if at == 0 || !global.constant || global.thread_local || global.linkage != Linkage::Weak {
                    continue;
                }
                for (address, byte) in (at..).zip(module.image(global)).filter(|(_, byte)| *byte != 0) {
                    let offset = address as usize % PAGE;
                    let page = pages.entry(address - offset as u64).or_insert_with(|| vec![0; PAGE]);
                    page[offset] = byte;
                }
            }
        }
        Self { loaded, pages: pages.into_iter().collect() }
    }
}
