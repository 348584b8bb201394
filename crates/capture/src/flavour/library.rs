//! The part of Rust's own library that is recorded: what formats values, and what only computes.
//!
//! `core::fmt` calls the program back for every piece of text that it has made, and the program calls it for each of its own:
//! recorded as code of the program neither is an event of the log. What only computes (searches of texts, characters, vectors that grow) is
//! recorded so that a run with something changed goes on through it. What panics is not among it: failures are known by the
//! calls of it. The rest of the library is external, and goes on calling the compiled functions: what a panic prints is no
//! event either.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use whydunit_face::{elf, recipe::Object};
use whydunit_instrument::{NATIVE, native_name};
use whydunit_llvm::{AttributePlace, Linkage, Module, TypeKind, Value};
use whydunit_model::names;

use super::{Flavour, Maker, kept};
use crate::Error;

/// The model has no integers of more bits.
const LARGEST: u32 = 128;

/// What only computes, and is compiled into the library once for all programs. What every replay computes by definition, or is
/// called for each byte of an input, is not among it.
const COMPUTES: &[&str] = &[
    "core::str::pattern::",
    "core::char::",
    "core::ascii::",
    "core::unicode::printable::",
    "core::time::",
    "alloc::raw_vec::RawVecInner",
    "alloc::string::String>::from_utf8_lossy",
];

/// Leaves what is recorded of a module. The rest is defined elsewhere: in the compiled library.
pub(super) fn keep_recorded(module: &mut Module) -> Result<(), String> {
    let recorded = recorded(module);
    let exported = |value: &Value| !value.is_declaration() && !value.is_local();
    for value in module.functions().chain(module.globals()).filter(exported) {
        if is_plain_table(value) {
            // A copy of it: what replays format may read more of it than the run did.
            module.leave_comdat(value);
            value.set_linkage(Linkage::LLVMInternalLinkage);
        } else if !recorded.contains(&value) || !is_replayed(value) {
            module.leave_comdat(value);
            value.set_linkage(Linkage::LLVMAvailableExternallyLinkage);
        }
    }
    module.run_passes("elim-avail-extern,globaldce").map_err(|error| error.to_string())?;
    if let Some(global) = module.globals().find(|global| global.is_local() && !global.is_global_constant()) {
        return Err(format!("{} would be there twice", global.name()));
    }
    match module.functions().find(|&function| !is_replayed(function)) {
        Some(function) => Err(format!("{} has integers of more than {LARGEST} bits", function.name())),
        None => Ok(()),
    }
}

/// Whether a value is a table of constants that names nothing else.
fn is_plain_table(value: Value) -> bool {
    let Some(initializer) = value.initializer().filter(|_| value.is_global_constant()) else { return false };
    let (mut seen, mut open) = (HashSet::from([initializer]), vec![initializer]);
    while let Some(part) = open.pop() {
        if part.is_global_value() {
            return false;
        }
        open.extend(part.operands().filter(|part| seen.insert(*part)));
    }
    true
}

/// The functions that format or compute, and those that they call, but for what does not return: it panics.
fn recorded(module: &Module) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut open: Vec<Value> = module.functions().filter(|function| formats(&function.name())).collect();
    open.extend(module.functions().filter(|&function| computes(&function.name()) && !changes_globals(function)));
    while let Some(function) = open.pop() {
        let panics = function.has_attribute(AttributePlace::Function, "noreturn");
        if !function.is_declaration() && !panics && found.insert(function) {
            open.extend(instructions(function).filter_map(Value::called_function));
        }
    }
    found
}

/// Whether a function or what it calls of its module names a variable of the module, of which there would be two.
fn changes_globals(function: Value) -> bool {
    let (mut seen, mut open) = (HashSet::from([function]), vec![function]);
    while let Some(value) = open.pop() {
        if value.is_function() {
            // What panics stays in the compiled library.
            if !value.is_local() && value.has_attribute(AttributePlace::Function, "noreturn") {
                continue;
            }
            open.extend(instructions(value).flat_map(Value::operands).filter(|part| seen.insert(*part)));
        } else if value.is_global_value() {
            if !value.is_declaration() && !value.is_global_constant() {
                return true;
            }
            open.extend(value.initializer().filter(|part| seen.insert(*part)));
        } else {
            open.extend(value.operands().filter(|part| part.is_constant() && seen.insert(*part)));
        }
    }
    false
}

fn instructions(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().flat_map(|block| block.instructions())
}

/// Whether a symbol is of `core::fmt` or `alloc::fmt`, or of what a type has for them.
fn formats(symbol: &str) -> bool {
    is_of(symbol, &["core::fmt::", "alloc::fmt::"])
        || names::complete(symbol).is_some_and(|name| name.starts_with('<') && name.contains(" as core::fmt::"))
}

/// Whether a symbol is of what only computes.
fn computes(symbol: &str) -> bool {
    is_of(symbol, COMPUTES)
}

/// Whether a symbol of Rust, or the type of which it is a method, begins like one of these.
fn is_of(symbol: &str, starts: &[&str]) -> bool {
    let Some(name) = names::complete(symbol).filter(|_| names::is_of_rust(symbol)) else { return false };
    let name = name.strip_prefix('<').unwrap_or(&name);
    starts.iter().any(|start| name.starts_with(start))
}

/// Whether the model has all that a function does, with the functions that are the module's own: integers over 128 bits, with
/// which the largest numbers are cut into digits, it has not.
fn is_replayed(value: Value) -> bool {
    let (mut seen, mut open) = (HashSet::from([value]), vec![value]);
    while let Some(function) = open.pop().filter(|value| value.is_function()) {
        for instruction in instructions(function) {
            let ty = instruction.ty();
            if ty.kind() == TypeKind::LLVMIntegerTypeKind && ty.int_width() > LARGEST {
                return false;
            }
            open.extend(instruction.called_function().filter(|callee| callee.is_local() && seen.insert(*callee)));
        }
    }
    true
}

/// What the model does not have would end a replay that passes it as external code.
pub(super) fn check(model: &whydunit_model::Module) -> Result<(), String> {
    let lacking = model.functions.iter().find(|function| function.is_defined() && !function.unsupported.is_empty());
    match lacking {
        Some(function) => Err(format!("{}: {}", function.name, function.unsupported.join("; "))),
        None => Ok(()),
    }
}

/// The objects to link for a member of the library: the recorded part, and then the member itself, where the functions of the
/// part have their other names.
pub(super) fn objects(
    maker: &Maker,
    library: &Path,
    member: &Object,
    unit: &str,
) -> Result<(Option<PathBuf>, PathBuf), Error> {
    let whole = maker.object(&member.hash, library)?;
    let recorded = (maker.flavour == Flavour::Record).then(|| maker.modules.object(unit).ok()).flatten();
    let Some(recorded) = recorded else { return Ok((None, whole)) };
    let place = maker.modules.place(&format!("{unit}-{}.rest.o", member.hash));
    if kept::described(&place, &kept::beside(&place)).is_none() {
        let read = |path: &Path| fs::read(path).map_err(Error::io(path));
        let (part, mut rest) = (read(&recorded)?, read(&whole)?);
        // What the part wants under such a name is there under the other one.
        let wanted: Vec<&[u8]> = elf::Elf::parse(&part).into_iter().flat_map(|elf| elf.undefined()).collect();
        let exported = elf::Elf::parse(&part).into_iter().flat_map(|elf| elf.exported());
        let native = |name: &&[u8]| {
            let native = str::from_utf8(name).map(native_name).unwrap_or_default();
            wanted.contains(&native.as_bytes())
        };
        let names: HashSet<&[u8]> = exported.filter(native).collect();
        if !elf::rename(&mut rest, &names, NATIVE as u8) {
            return Ok((None, whole));
        }
        maker.store.write(&place, &rest)?;
        kept::describe(maker.store, &place, &kept::beside(&place), "")?;
    }
    Ok((Some(recorded), place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_formats_is_told_by_its_name() {
        for symbol in [
            "_ZN4core3fmt5write17h0123456789abcdefE",
            "_RNvNtCsgEmfK2I1SDS_4core3fmt5write",
            "_RNvMsa_NtCsgEmfK2I1SDS_4core3fmtNtB5_9Formatter3pad",
            "_ZN4core3fmt3num3imp52_$LT$impl$u20$core..fmt..Display$u20$for$u20$u32$GT$3fmt17h0123456789abcdefE",
            "_ZN42_$LT$str$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
        ] {
            assert!(formats(symbol), "{symbol}");
        }
        for symbol in
            ["_ZN4core9panicking9panic_fmt17h0123456789abcdefE", "_ZN4core3str5count17h0123456789abcdefE", "write"]
        {
            assert!(!formats(symbol), "{symbol}");
        }
    }

    #[test]
    fn what_computes_is_kept_unless_it_has_a_variable() {
        let text = "
            @count = internal global i32 0
            @table = private constant [1 x ptr] [ptr @counts]
            define i32 @_RNvNtNtCsgEmfK2I1SDS_4core3str7pattern5plain() { ret i32 1 }
            define i32 @_RNvNtNtCsgEmfK2I1SDS_4core3str7pattern7counted() {
                %a = load ptr, ptr @table
                %b = call i32 %a()
                ret i32 %b
            }
            define internal i32 @counts() {
                %a = load i32, ptr @count
                %b = add i32 %a, 1
                store i32 %b, ptr @count
                ret i32 %a
            }";
        let mut module = Module::parse_text(text, "core").unwrap();
        keep_recorded(&mut module).unwrap();
        let defined = module.functions().filter(|value| !value.is_declaration()).map(|value| value.name());
        assert_eq!(defined.collect::<Vec<_>>(), ["_RNvNtNtCsgEmfK2I1SDS_4core3str7pattern5plain"]);
    }

    #[test]
    fn the_rest_of_a_module_is_only_declared() {
        let text = "
            @table = constant [2 x i8] c\"ab\"
            @own = private constant [2 x i8] c\"cd\"
            @other = private constant [2 x i8] c\"ef\"
            define i8 @_RNvNtCsgEmfK2I1SDS_4core3fmt5write() {
                %a = call i8 @helper()
                %b = call i8 @_RNvNtCsgEmfK2I1SDS_4core3str5count()
                call void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic()
                %c = load i8, ptr @table
                ret i8 %c
            }
            define internal i8 @helper() { %a = load i8, ptr @own ret i8 %a }
            define internal i8 @unused() { %a = load i8, ptr @other ret i8 %a }
            define i8 @_RNvNtCsgEmfK2I1SDS_4core3str5count() { ret i8 1 }
            define i8 @_RNvNtCsgEmfK2I1SDS_4core3str5lines() { %a = call i8 @unused() ret i8 %a }
            define i8 @_RNvNtCsgEmfK2I1SDS_4core3fmt4wide(i128 %a) {
                %b = zext i128 %a to i256
                %c = trunc i256 %b to i8
                ret i8 %c
            }
            define void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic() noreturn { unreachable }";
        let mut module = Module::parse_text(text, "core").unwrap();
        keep_recorded(&mut module).unwrap();
        let mut defined: Vec<String> = module
            .functions()
            .chain(module.globals())
            .filter(|value| !value.is_declaration())
            .map(|value| value.name())
            .collect();
        defined.sort();
        let (write, count) = ("_RNvNtCsgEmfK2I1SDS_4core3fmt5write", "_RNvNtCsgEmfK2I1SDS_4core3str5count");
        assert_eq!(defined, [write, count, "helper", "own", "table"]);
        let panics = module.function("_RNvNtCsgEmfK2I1SDS_4core9panicking5panic");
        assert!(panics.is_some() && module.global("table").is_some_and(|table| table.is_local()));

        let state = text.replace("@own = private constant", "@own = private global");
        let refused = keep_recorded(&mut Module::parse_text(&state, "core").unwrap());
        assert_eq!(refused, Err("own would be there twice".to_owned()));
    }

    #[test]
    fn all_that_formats_in_the_library_at_hand_is_replayed() {
        let output = std::process::Command::new("rustc").args(["--print", "target-libdir"]).output().unwrap();
        let folder = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
        let mut kept = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let wanted = name.starts_with("libcore-") || name.starts_with("liballoc-");
            if !(wanted && name.ends_with(".rlib")) {
                continue;
            }
            let members = whydunit_face::archive::read(&path, &fs::read(&path).unwrap()).unwrap();
            let bitcode = members.iter().find_map(|member| elf::Elf::parse(&member.data)?.section(".llvmbc"));
            let mut module = Module::parse(bitcode.unwrap(), &name).unwrap();
            keep_recorded(&mut module).unwrap();
            whydunit_canonical::canonicalise(&mut module).unwrap();
            let layout = whydunit_canonical::layout::Layout::of(&module);
            let model = whydunit_lower::lower(&module, &layout, "").unwrap();
            assert!(model.optimised);
            assert_eq!(check(&model), Ok(()));
            let defined = model.functions.iter().filter(|function| function.is_defined());
            kept.extend(defined.filter_map(|function| names::readable(&function.name)));
        }
        for name in [
            "core::fmt::write",
            "<u32 as Display>::fmt",
            "<f64 as Debug>::fmt",
            "alloc::fmt::format::format_inner",
            "core::str::pattern::StrSearcher::new",
        ] {
            assert!(kept.iter().any(|kept| kept == name), "{name}");
        }
    }
}
