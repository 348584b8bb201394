//! Optimisation and code generation.

use whydunit_llvm::{CodegenLevel, Module, PassOptions, TargetMachine};

use crate::Error;

/// What an object is optimised for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimization {
    /// The record flavour: quick to compile, checks folded where they repeat.
    Record,
    /// The spectrum flavour: nearly as fast as `-O2`, in two thirds of its time.
    Spectrum,
}

/// Optimises the module and emits an x86-64, position-independent object.
pub fn emit_object(module: &mut Module, optimization: Optimization) -> Result<Vec<u8>, Error> {
    let failed = |step| move |source| Error::Llvm { step, module: String::new(), source };
    let machine = TargetMachine::new(&module.triple(), CodegenLevel::Default).map_err(failed("code generation"))?;
    let (pipeline, options) = match optimization {
        Optimization::Record => ("default<O1>", PassOptions::default()),
        // The flags' stores count in the inliner's estimates: a higher threshold (of 225) makes up for them.
        Optimization::Spectrum => {
            ("default<O1>", PassOptions { inline_threshold: Some(325), ..PassOptions::default() })
        }
    };
    module.optimize(pipeline, Some(&machine), options).map_err(failed("optimisation"))?;
    match optimization {
        Optimization::Record => {
            crate::record::descriptor::resolve(module);
            crate::safepoints::merge(module);
            // What stood between safepoints stands together now: one check of a place is enough.
            let tidy = "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)";
            module.optimize(tidy, Some(&machine), PassOptions::default()).map_err(failed("optimisation"))?;
        }
        Optimization::Spectrum => crate::spectrum::register(module),
    }
    crate::hooks::to_arrays(module);
    machine.emit_object(module).map_err(failed("code generation"))
}
