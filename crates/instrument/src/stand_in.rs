//! Functions that stand in the place of others, which they call.

use whydunit_llvm::{Linkage, Module, Value};

use crate::record::strip::copy_attributes;

/// A new function, without code yet, in the place of one: it has its name, its attributes and its uses. The other one becomes the module's
/// own, and its name ends with `ending`.
pub(crate) fn of(module: &Module, function: Value, ending: &str) -> Value {
    let stand_in = module.add_function("", function.value_type());
    copy_attributes(function, stand_in, 0);
    stand_in.set_calling_convention(function.calling_convention());
    stand_in.set_visibility(function.visibility());
    let section = function.section();
    if !section.is_empty() {
        stand_in.set_section(&section);
    }
    function.replace_all_uses_with(stand_in);
    let name = function.name();
    function.set_name(&format!("{name}{ending}"));
    stand_in.set_name(&name);
    stand_in.set_linkage(function.linkage());
    function.make_default_visible();
    function.set_linkage(Linkage::LLVMInternalLinkage);
    stand_in
}
