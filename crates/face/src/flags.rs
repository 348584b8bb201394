//! The flags of gcc and clang: how many arguments each takes, and what capture does with it.

/// What a flag is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Decides what the source means: bitcode is made with it.
    Meaning,
    /// The same, and only gcc knows it: bitcode is made without it, and the report says so.
    Gcc,
    /// Says nothing about the meaning: optimisation, warnings, debug information.
    Plain,
    /// A sanitizer.
    Sanitizer,
    /// Writes dependency files.
    Depend,
    /// `-Wp,`: preprocessor flags in one word.
    Preprocessor,
    /// Where the output goes.
    Output,
    /// `-c`.
    Compile,
    /// `-S`.
    Assembly,
    /// `-E`, `-M`, `-MM`.
    Preprocess,
    /// A question to the compiler; nothing is compiled.
    Query,
    /// `-x`.
    Language,
    /// For links, given to the driver.
    Link,
    /// Only for links: `-l`.
    Library,
    /// Only for links: `-L`.
    LibraryFolder,
    /// `-Wl,` or `-Xlinker`.
    Linker,
}

/// How a flag takes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// The whole word.
    Word,
    /// A prefix; the value follows in the same word (may be empty).
    Joined,
    /// The value is the next word.
    Next,
    /// Joined, or the next word where nothing follows.
    Either,
}

use Class::*;
use Shape::*;

/// Flags; the longest name that fits counts.
const FLAGS: &[(&str, Shape, Class)] = &[
    // modes
    ("-c", Word, Compile),
    ("-S", Word, Assembly),
    ("-E", Word, Preprocess),
    ("-M", Word, Preprocess),
    ("-MM", Word, Preprocess),
    ("-fsyntax-only", Word, Query),
    ("-###", Word, Query),
    ("--version", Word, Query),
    ("--help", Joined, Query),
    ("-print-", Joined, Query),
    ("--print-", Joined, Query),
    ("-dumpversion", Word, Query),
    ("-dumpfullversion", Word, Query),
    ("-dumpmachine", Word, Query),
    ("-dumpspecs", Word, Query),
    ("-emit-llvm", Word, Query),
    ("-o", Either, Output),
    ("-x", Either, Language),
    // dependencies
    ("-MD", Word, Depend),
    ("-MMD", Word, Depend),
    ("-MP", Word, Depend),
    ("-MG", Word, Depend),
    ("-MF", Either, Depend),
    ("-MT", Either, Depend),
    ("-MQ", Either, Depend),
    ("-MJ", Next, Depend),
    // preprocessor
    ("-D", Either, Meaning),
    ("-U", Either, Meaning),
    ("-I", Either, Meaning),
    ("-include", Next, Meaning),
    ("-imacros", Next, Meaning),
    ("-isystem", Either, Meaning),
    ("-iquote", Either, Meaning),
    ("-idirafter", Either, Meaning),
    ("-iprefix", Next, Meaning),
    ("-iwithprefix", Next, Meaning),
    ("-iwithprefixbefore", Next, Meaning),
    ("-isysroot", Next, Meaning),
    ("--sysroot", Next, Meaning),
    ("--sysroot=", Joined, Meaning),
    ("-imultilib", Next, Gcc),
    ("-nostdinc", Word, Meaning),
    ("-undef", Word, Meaning),
    ("-trigraphs", Word, Meaning),
    ("-C", Word, Plain),
    ("-CC", Word, Plain),
    ("-P", Word, Plain),
    ("-H", Word, Plain),
    ("-Wp,", Joined, Preprocessor),
    ("-Xpreprocessor", Next, Gcc),
    // language
    ("-std=", Joined, Meaning),
    ("--std=", Joined, Meaning),
    ("-ansi", Word, Meaning),
    ("-pthread", Word, Meaning),
    ("-fcommon", Word, Meaning),
    ("-fno-common", Word, Meaning),
    ("-funsigned-char", Word, Meaning),
    ("-fno-unsigned-char", Word, Meaning),
    ("-fsigned-char", Word, Meaning),
    ("-fno-signed-char", Word, Meaning),
    ("-funsigned-bitfields", Word, Gcc),
    ("-fno-signed-bitfields", Word, Gcc),
    ("-fshort-enums", Word, Meaning),
    ("-fno-short-enums", Word, Meaning),
    ("-fshort-wchar", Word, Meaning),
    ("-fno-short-wchar", Word, Meaning),
    ("-fpack-struct", Joined, Meaning),
    ("-fwrapv", Joined, Meaning),
    ("-fno-wrapv", Joined, Meaning),
    ("-ftrapv", Word, Meaning),
    ("-fstrict-overflow", Word, Meaning),
    ("-fno-strict-overflow", Word, Meaning),
    ("-fdelete-null-pointer-checks", Word, Meaning),
    ("-fno-delete-null-pointer-checks", Word, Meaning),
    ("-fms-extensions", Word, Meaning),
    ("-fno-ms-extensions", Word, Meaning),
    ("-fplan9-extensions", Word, Gcc),
    ("-ffreestanding", Word, Meaning),
    ("-fhosted", Word, Meaning),
    ("-fbuiltin", Joined, Meaning),
    ("-fno-builtin", Joined, Meaning),
    ("-fgnu89-inline", Word, Meaning),
    ("-fno-gnu89-inline", Word, Meaning),
    ("-fasm", Word, Meaning),
    ("-fno-asm", Word, Meaning),
    ("-fdollars-in-identifiers", Word, Meaning),
    ("-fno-dollars-in-identifiers", Word, Meaning),
    ("-finput-charset=", Joined, Meaning),
    ("-fexec-charset=", Joined, Meaning),
    ("-fwide-exec-charset=", Joined, Gcc),
    ("-fblocks", Word, Meaning),
    ("-fexceptions", Word, Meaning),
    ("-fno-exceptions", Word, Meaning),
    ("-fvisibility=", Joined, Meaning),
    ("-ftls-model=", Joined, Meaning),
    ("-frounding-math", Word, Meaning),
    ("-fno-rounding-math", Word, Meaning),
    ("-ffast-math", Word, Meaning),
    ("-fno-fast-math", Word, Meaning),
    ("-ffinite-math-only", Word, Meaning),
    ("-fno-finite-math-only", Word, Meaning),
    ("-fmath-errno", Word, Meaning),
    ("-fno-math-errno", Word, Meaning),
    ("-ffp-contract=", Joined, Meaning),
    ("-fsingle-precision-constant", Word, Gcc),
    ("-ftrivial-auto-var-init=", Joined, Meaning),
    ("-fmacro-prefix-map=", Joined, Meaning),
    ("-PIC", Word, Plain),
    ("-fPIC", Word, Meaning),
    ("-fpic", Word, Meaning),
    ("-fPIE", Word, Meaning),
    ("-fpie", Word, Meaning),
    ("-fno-PIC", Word, Meaning),
    ("-fno-pic", Word, Meaning),
    ("-fno-PIE", Word, Meaning),
    ("-fno-pie", Word, Meaning),
    // what changes code, not meaning
    ("-O", Joined, Plain),
    ("-g", Joined, Plain),
    ("-W", Joined, Plain),
    ("-w", Word, Plain),
    ("-pedantic", Joined, Plain),
    ("-pipe", Word, Plain),
    ("-v", Word, Plain),
    ("-q", Word, Plain),
    ("-Q", Word, Plain),
    ("-p", Word, Plain),
    ("-pg", Word, Plain),
    ("-time", Joined, Plain),
    ("-save-temps", Joined, Plain),
    ("--save-temps", Joined, Plain),
    ("-dumpbase", Next, Plain),
    ("-dumpbase-ext", Next, Plain),
    ("-dumpdir", Next, Plain),
    ("-auxbase", Next, Plain),
    ("--param", Next, Plain),
    ("--param=", Joined, Plain),
    ("-param", Next, Plain),
    ("--coverage", Word, Plain),
    ("-coverage", Word, Plain),
    ("-d", Joined, Plain),
    ("-no-canonical-prefixes", Word, Plain),
    ("-Wa,", Joined, Plain),
    ("-Xassembler", Next, Plain),
    ("-Xclang", Next, Plain),
    ("-mllvm", Next, Plain),
    ("-Qunused-arguments", Word, Plain),
    ("-B", Either, Plain),
    ("-specs=", Joined, Plain),
    ("-specs", Next, Plain),
    ("-wrapper", Next, Plain),
    ("-fplugin", Joined, Gcc),
    ("-fsanitize=", Joined, Sanitizer),
    ("-fno-sanitize", Joined, Plain),
    ("-fsanitize", Joined, Plain),
    ("-fopenmp", Joined, Gcc),
    ("-fopenacc", Joined, Gcc),
    ("-fgnu-tm", Word, Gcc),
    ("-fnested-functions", Word, Gcc),
    ("-f", Joined, Gcc),
    ("-fno-", Joined, Plain),
    // machine
    ("-m", Joined, Gcc),
    ("-m64", Word, Meaning),
    ("-m32", Word, Meaning),
    ("-mx32", Word, Meaning),
    ("-march=", Joined, Meaning),
    ("-mtune=", Joined, Plain),
    ("-mcpu=", Joined, Plain),
    ("-mcmodel=", Joined, Plain),
    ("-mno-red-zone", Word, Plain),
    ("-mred-zone", Word, Plain),
    ("-momit-leaf-frame-pointer", Word, Plain),
    ("-mno-omit-leaf-frame-pointer", Word, Plain),
    ("-mlong-double-", Joined, Meaning),
    ("-mms-bitfields", Word, Meaning),
    ("-mfpmath=", Joined, Plain),
    ("-mbranch-protection", Joined, Plain),
    ("-mindirect-branch", Joined, Plain),
    ("-mfunction-return", Joined, Plain),
    ("-mretpoline", Joined, Plain),
    ("-mshstk", Word, Plain),
    ("-mtls-dialect", Joined, Plain),
    ("-mgeneral-regs-only", Word, Meaning),
    // links
    ("-l", Either, Library),
    ("-L", Either, LibraryFolder),
    ("-Wl,", Joined, Linker),
    ("-Xlinker", Next, Linker),
    ("-shared", Word, Link),
    ("-static", Word, Link),
    ("-static-pie", Word, Link),
    ("-static-lib", Joined, Link),
    ("-shared-libgcc", Word, Link),
    ("-r", Word, Link),
    ("-pie", Word, Link),
    ("-no-pie", Word, Link),
    ("-nopie", Word, Link),
    ("-rdynamic", Word, Link),
    ("-s", Word, Link),
    ("-nostdlib", Joined, Link),
    ("-nodefaultlibs", Word, Link),
    ("-nostartfiles", Word, Link),
    ("-nolibc", Word, Link),
    ("-symbolic", Word, Link),
    ("-T", Either, Link),
    ("-u", Either, Link),
    ("-z", Either, Link),
    ("-e", Next, Link),
    ("--entry=", Joined, Link),
    ("-R", Either, Link),
    ("-h", Next, Link),
    ("-rpath", Next, Link),
    ("-fuse-ld=", Joined, Link),
    ("-target", Next, Plain),
    ("--target=", Joined, Plain),
    ("--gcc-toolchain=", Joined, Plain),
];

/// Optimisations and the like behind `-f`: nothing about the meaning, and both compilers may or may not know them.
const PLAIN_F: &[&str] = &[
    "align", "asynchronous-unwind-tables", "branch", "caller-saves", "cf-protection", "code-hoisting", "color-diagnostics",
    "compare-elim", "conserve-stack", "crossjumping", "cse", "data-sections", "dce", "debug-", "defer-pop", "devirtualize",
    "diagnostics", "dse", "dump", "eliminate", "emit-", "excess-precision", "expensive-optimizations", "fat-lto-objects", "file-prefix-map=",
    "float-store", "forward-propagate", "function-sections", "gcse", "graphite", "guess-branch", "hoist", "if-conversion", "inline", "integrated-as",
    "instrument-functions", "ipa", "ira", "isolate-erroneous", "ivopts", "jump-tables", "keep", "leading-underscore", "limit-debug-info", "live-", "loop", "lra",
    "lto", "max-errors", "merge", "message-length", "modulo-sched", "move-loop", "non-call-exceptions", "omit-frame-pointer", "optimi", "partial-inlining",
    "patchable-function-entry", "peel", "peephole", "plt", "plugin-", "predictive", "prefetch", "printf-return-value", "profile", "pcc-struct",
    "random-seed", "record-gcc-switches", "reciprocal-math", "rename-registers", "reorder", "rerun", "rounding", "sched", "section", "sel-sched", "semantic-interposition",
    "associative-math", "shrink-wrap", "signaling-nans", "signed-zeros", "split", "ssa", "stack", "standalone-debug", "stdarg-opt", "store-merging", "strict-aliasing", "strict-flex-arrays", "strict-volatile",
    "tabstop", "test-coverage", "thread-jumps", "threadsafe-statics", "time-", "toplevel-reorder", "track-macro-expansion", "tracer", "trapping-math", "tree", "unit-at-a-time", "unroll",
    "unsafe-math-optimizations", "unswitch", "unwind-tables", "use-linker-plugin", "use-cxa", "var-tracking", "variable-expansion", "vect", "verbose-asm", "vpt", "web", "whole-program", "working-directory",
    "zero-call-used-regs", "zero-initialized-in-bss", "analyzer", "checking", "compare-debug", "bounds-check", "cx-", "early-inlining", "extended-identifiers", "preprocessed", "directives-only", "pch", "show-", "spell", "allow-store", "delayed-branch",
];

/// Machine extensions that both compilers know and that decide which macros and intrinsics there are.
const MACHINE: &[&str] = &[
    "mmx", "sse", "ssse3", "avx", "aes", "pclmul", "popcnt", "bmi", "lzcnt", "abm", "fma", "f16c", "rdrnd", "rdseed", "adx", "sha", "vaes", "vpclmulqdq", "gfni",
    "movbe", "cx16", "fxsr", "xsave", "prfchw", "fsgsbase", "clflushopt", "clwb", "rtm", "sahf", "tbm", "xop", "lwp", "3dnow", "80387", "x87", "soft-float", "stackrealign",
    "amx", "crc32", "waitpkg", "serialize", "movdir", "pku", "ptwrite", "rdpid", "mwaitx", "clzero", "wbnoinvd", "enqcmd", "uintr", "hreset", "kl", "widekl",
];

/// A flag as it stands on a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// What it is for.
    pub class: Class,
    /// Its name as in the table.
    pub name: String,
    /// Its value, joined or from the next word.
    pub value: Option<String>,
    /// How many words it takes: 1 or 2.
    pub words: usize,
}

impl Flag {
    /// The flag as it stood on the command line.
    pub fn given(&self) -> Vec<String> {
        let value = self.value.clone().unwrap_or_default();
        match self.words {
            2 => vec![self.name.clone(), value],
            _ => vec![format!("{}{value}", self.name)],
        }
    }
}

/// Reads the flag at the start of `words`.
pub fn read(words: &[String]) -> Option<Flag> {
    let word = words.first()?;
    let fits = |&&(name, shape, _): &&(&str, Shape, Class)| match shape {
        Word | Next => word == name,
        Joined | Either => word.starts_with(name),
    };
    let &(name, shape, class) = FLAGS.iter().filter(fits).max_by_key(|(name, ..)| name.len())?;
    let rest = &word[name.len()..];
    let class = refine(name, rest, class);
    let next = || words.get(1).cloned();
    let (value, count) = match shape {
        Word => (None, 1),
        Joined => ((!rest.is_empty()).then(|| rest.to_owned()), 1),
        Next => (next(), 2),
        Either if rest.is_empty() => (next(), 2),
        Either => (Some(rest.to_owned()), 1),
    };
    Some(Flag { class, name: name.to_owned(), value, words: count.min(words.len()) })
}

fn refine(name: &str, rest: &str, class: Class) -> Class {
    let listed = |list: &[&str]| list.iter().any(|prefix| rest.strip_prefix("no-").unwrap_or(rest).starts_with(prefix));
    match name {
        "-f" if listed(PLAIN_F) => Plain,
        "-m" if listed(MACHINE) => Meaning,
        _ => class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(words: &str) -> (Class, usize) {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let flag = read(&words).unwrap();
        (flag.class, flag.words)
    }

    #[test]
    fn each_flag_has_its_class_and_takes_its_words() {
        let table = [
            ("-DX=1 a.c", Meaning, 1),
            ("-D X=1", Meaning, 2),
            ("-Iinc", Meaning, 1),
            ("-include config.h", Meaning, 2),
            ("-std=gnu99", Meaning, 1),
            ("-funsigned-char", Meaning, 1),
            ("-fcommon", Meaning, 1),
            ("-O2", Plain, 1),
            ("-ggdb3", Plain, 1),
            ("-Werror=format", Plain, 1),
            ("-Wl,-rpath,/x", Linker, 1),
            ("-Wp,-MD,x.d", Preprocessor, 1),
            ("-fno-strict-aliasing", Plain, 1),
            ("-fstack-protector-strong", Plain, 1),
            ("-fsanitize=address", Sanitizer, 1),
            ("-fplan9-extensions", Gcc, 1),
            ("-fsome-new-thing", Gcc, 1),
            ("-fno-some-new-thing", Plain, 1),
            ("-mavx2", Meaning, 1),
            ("-mno-sse", Meaning, 1),
            ("-mpreferred-stack-boundary=4", Gcc, 1),
            ("-MF x.d", Depend, 2),
            ("-MMD", Depend, 1),
            ("-M", Preprocess, 1),
            ("-E", Preprocess, 1),
            ("-o x.o", Output, 2),
            ("-ox.o", Output, 1),
            ("-c", Compile, 1),
            ("-lm", Library, 1),
            ("-L lib", LibraryFolder, 2),
            ("-shared", Link, 1),
            ("-dumpversion", Query, 1),
            ("-print-prog-name=ld", Query, 1),
            ("-fno-wrapv", Meaning, 1),
            ("-fwrapv-pointer", Meaning, 1),
            ("-fprofile-arcs", Plain, 1),
            ("-pthread", Meaning, 1),
            ("-isystem dir", Meaning, 2),
            ("-T script.ld", Link, 2),
            ("-static-libgcc", Link, 1),
        ];
        for (words, expected, count) in table {
            assert_eq!(class(words), (expected, count), "{words}");
        }
    }
}
