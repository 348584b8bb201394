//! The executor of pre-decoded code.

use crate::divergence::Result;
use crate::machine::{Flow, Machine};
use crate::observer::Observer;

impl Machine {
    pub(crate) fn enter_fast(&mut self) -> Result<bool> {
        Ok(false)
    }
    pub(crate) fn run_fast<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        self.run_ops(observer)
    }
}
