//! Pass pipelines.

use std::ffi::CStr;

use llvm_sys::{error, transforms::pass_builder};

use crate::{Error, Module, TargetMachine, Value, module::c_string};

/// Knobs of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct PassOptions {
    /// Vectorise and unroll loops and straight code.
    pub vectorize: bool,
    /// Unroll loops.
    pub unroll: bool,
    /// Threshold of the inliner; none for LLVM's own.
    pub inline_threshold: Option<i32>,
}

impl Default for PassOptions {
    fn default() -> Self {
        Self { vectorize: false, unroll: true, inline_threshold: None }
    }
}

impl Module {
    /// Runs a pipeline, in the syntax of `opt -passes=`.
    pub fn run_passes(&self, pipeline: &str) -> Result<(), Error> {
        self.optimize(pipeline, None, PassOptions::default())
    }

    /// Runs a pipeline for a target.
    pub fn optimize(&self, pipeline: &str, machine: Option<&TargetMachine>, options: PassOptions) -> Result<(), Error> {
        let raw_machine = machine.map_or(std::ptr::null_mut(), |machine| machine.raw);
        let pipeline_c = c_string(pipeline);
        // SAFETY: module and machine live; the options are ours to dispose.
        let failed = unsafe {
            let raw = make(options);
            let failed = pass_builder::LLVMRunPasses(self.raw, pipeline_c.as_ptr(), raw_machine, raw);
            pass_builder::LLVMDisposePassBuilderOptions(raw);
            failed
        };
        check(failed, pipeline)
    }
}

impl Value {
    /// Runs function passes on one function.
    pub fn run_function_passes(self, pipeline: &str) -> Result<(), Error> {
        let pipeline_c = c_string(pipeline);
        // SAFETY: a function with a body.
        let failed = unsafe {
            let raw = make(PassOptions::default());
            let failed = pass_builder::LLVMRunPassesOnFunction(self.0, pipeline_c.as_ptr(), std::ptr::null_mut(), raw);
            pass_builder::LLVMDisposePassBuilderOptions(raw);
            failed
        };
        check(failed, pipeline)
    }
}

/// # Safety
/// The result must be disposed.
unsafe fn make(options: PassOptions) -> pass_builder::LLVMPassBuilderOptionsRef {
    // SAFETY: plain calls.
    unsafe {
        let raw = pass_builder::LLVMCreatePassBuilderOptions();
        pass_builder::LLVMPassBuilderOptionsSetLoopVectorization(raw, options.vectorize.into());
        pass_builder::LLVMPassBuilderOptionsSetSLPVectorization(raw, options.vectorize.into());
        pass_builder::LLVMPassBuilderOptionsSetLoopInterleaving(raw, options.vectorize.into());
        pass_builder::LLVMPassBuilderOptionsSetLoopUnrolling(raw, options.unroll.into());
        if let Some(threshold) = options.inline_threshold {
            pass_builder::LLVMPassBuilderOptionsSetInlinerThreshold(raw, threshold);
        }
        raw
    }
}

fn check(failed: error::LLVMErrorRef, pipeline: &str) -> Result<(), Error> {
    if failed.is_null() {
        return Ok(());
    }
    // SAFETY: taking the message consumes the error; the text is ours to dispose.
    let reason = unsafe {
        let text = error::LLVMGetErrorMessage(failed);
        let reason = CStr::from_ptr(text).to_string_lossy().into_owned();
        error::LLVMDisposeErrorMessage(text);
        reason
    };
    Err(Error::Codegen { step: format!("passes {pipeline}"), reason })
}
