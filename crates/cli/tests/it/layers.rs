//! The layers of the crates: who may depend on whom.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::modules::{Edge, Modules};
use cargo_metadata::MetadataCommand;

/// From the innermost layer outward. A crate may depend on crates of lower layers only; crates of one layer do not know
/// each other. A new crate gets its place here, and in ARCHITECTURE.md.
const LAYERS: &[&[&str]] = &[
    &["whydunit-process", "whydunit-sealed", "whydunit-framing"],
    &["whydunit-model"],
    &[
        "whydunit-numerics",
        "whydunit-library",
        "whydunit-llvm",
        "whydunit-recording",
        "whydunit-face",
        "whydunit-suite",
        "whydunit-spectra",
        "whydunit-delta",
        "whydunit-changes",
        "whydunit-findings",
        "whydunit-terms",
        "whydunit-events",
        "whydunit-unittest",
    ],
    &[
        "whydunit-runtime",
        "whydunit-oracle",
        "whydunit-repair",
        "whydunit-canonical",
        "whydunit-behavior",
        "whydunit-classes",
        "whydunit-dataflow",
        "whydunit-replay",
        "whydunit-render",
        "whydunit-solve",
        "whydunit-inputs",
        "whydunit-variants",
        "whydunit-history",
        "whydunit-coherence",
        "whydunit-observe",
        "whydunit-java",
    ],
    // The catalogue is a tool of development: nothing depends on it.
    &[
        "whydunit-lower",
        "whydunit-memcheck",
        "whydunit-undefined",
        "whydunit-causes",
        "whydunit-misuse",
        "whydunit-symbolic",
        "whydunit-synthesis",
        "whydunit-shrink",
        "whydunit-catalogue",
        "whydunit-typestate",
        "whydunit-anomalies",
    ],
    // Its tests hold the instrumented copy against the model.
    &[
        "whydunit-instrument",
        "whydunit-locate",
        "whydunit-explain",
        "whydunit-review",
        "whydunit-objects",
        "whydunit-debugger",
    ],
    &["whydunit-capture", "whydunit-enrich"],
    &["whydunit-workbench"],
    &["whydunit-desk"],
    &["whydunit-inquiry", "whydunit-reports"],
    &["whydunit-adapter", "whydunit-language"],
    &["whydunit"],
];

/// Libraries, and the only crates of ours that may use them.
const RESERVED: &[(&str, &[&str])] = &[
    // The command line is the outermost crate's, and that of tools which are not installed.
    ("clap", &["whydunit", "whydunit-catalogue"]),
    // One boundary to LLVM.
    ("llvm-sys", &["whydunit-llvm"]),
    // JSON where something outside reads or writes it: answers, cases, recipes of links, a recording's description, a
    // compiler's tree.
    (
        "serde_json",
        &[
            "whydunit",
            "whydunit-adapter",
            "whydunit-events",
            "whydunit-history",
            "whydunit-inquiry",
            "whydunit-language",
            "whydunit-reports",
            "whydunit-render",
            "whydunit-suite",
            "whydunit-observe",
            "whydunit-face",
            "whydunit-capture",
            "whydunit-recording",
            "whydunit-repair",
            "whydunit-catalogue",
        ],
    ),
    ("toml", &["whydunit", "whydunit-suite"]),
    // Formulas are decided behind one trait.
    ("cadical", &["whydunit-solve"]),
    ("z3", &["whydunit-solve"]),
    // The operating system's processes and limits.
    (
        "nix",
        &["whydunit", "whydunit-process", "whydunit-suite", "whydunit-face", "whydunit-capture", "whydunit-observe"],
    ),
];

/// Crates that must work without LLVM, however indirectly: a recording replays where no compiler is, and a compiler's
/// face must start fast.
const WITHOUT_LLVM: &[&str] = &[
    "whydunit-process",
    "whydunit-numerics",
    "whydunit-sealed",
    "whydunit-library",
    "whydunit-model",
    "whydunit-dataflow",
    "whydunit-recording",
    "whydunit-replay",
    "whydunit-memcheck",
    "whydunit-undefined",
    "whydunit-causes",
    "whydunit-misuse",
    "whydunit-symbolic",
    "whydunit-synthesis",
    "whydunit-locate",
    "whydunit-suite",
    "whydunit-spectra",
    "whydunit-oracle",
    "whydunit-findings",
    "whydunit-render",
    "whydunit-face",
    "whydunit-terms",
    "whydunit-solve",
    "whydunit-inputs",
    "whydunit-shrink",
    "whydunit-classes",
    "whydunit-events",
    "whydunit-java",
    "whydunit-behavior",
    "whydunit-anomalies",
    "whydunit-objects",
    "whydunit-debugger",
];

/// Inside a crate, by its root file: a module, and those that it must not name anything of. Modules below both are meant, too.
const MODULES: &[(&str, &str, &[&str])] = &[
    // The machine knows the state of a what-if run; what such a run may do is its client's.
    ("crates/replay/src/lib.rs", "machine", &["whatif", "snapshot", "patch", "verify"]),
    // What is known of functions by their names, and what a run has done, is known without a machine.
    ("crates/replay/src/lib.rs", "role", &["code", "state", "observer", "run", "machine", "whatif"]),
    ("crates/replay/src/lib.rs", "run", &["machine", "whatif"]),
    // Runs that left the recording are a client of the machine's memory, not of how whole recordings are verified.
    ("crates/replay/src/lib.rs", "whatif", &["verify"]),
    // A session and how it fails know no command.
    ("crates/cli/src/lib.rs", "session", &["arguments", "commands"]),
    ("crates/cli/src/lib.rs", "failure", &["arguments", "commands", "session"]),
    ("crates/cli/src/lib.rs", "exit", &["arguments", "commands", "session", "failure"]),
    ("crates/cli/src/lib.rs", "advice", &["arguments", "commands", "session", "failure"]),
    // Each question stands for itself, but for what repair asks of the others.
    ("crates/inquiry/src/lib.rs", "locate", &["explain", "repair", "review", "shrink", "score", "show", "why"]),
    ("crates/inquiry/src/lib.rs", "explain", &["repair", "review", "shrink", "score", "show", "why"]),
    ("crates/inquiry/src/lib.rs", "review", &["repair", "shrink", "score", "show", "why"]),
    ("crates/inquiry/src/lib.rs", "repair", &["shrink", "score", "show", "why"]),
    // What is prepared and opened needs no version of ours.
    ("crates/desk/src/lib.rs", "recordings", &["built_version"]),
    ("crates/desk/src/lib.rs", "prepare", &["recordings", "built_version"]),
];

/// Crate to the names that it depends on, ours and others', those of tests and build scripts included.
type Edges = BTreeMap<String, BTreeSet<String>>;

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// Everything in `edges` that breaks the tables above.
fn violations(edges: &Edges) -> Vec<String> {
    let mut found = Vec::new();
    for (name, dependencies) in edges {
        let Some(own) = layer(name) else {
            found.push(format!("{name} has no layer"));
            continue;
        };
        for dependency in dependencies {
            if edges.contains_key(dependency) && layer(dependency).is_some_and(|other| other >= own) {
                found.push(format!("{name} -> {dependency} does not go down"));
            }
            let reserved = RESERVED.iter().find(|(library, _)| library == dependency);
            if reserved.is_some_and(|(_, users)| !users.contains(&name.as_str())) {
                found.push(format!("{name} -> {dependency} is reserved for others"));
            }
        }
        if WITHOUT_LLVM.contains(&name.as_str()) && reaches(edges, name, "whydunit-llvm") {
            found.push(format!("{name} reaches whydunit-llvm"));
        }
    }
    for name in LAYERS.iter().copied().flatten().filter(|name| !edges.contains_key(**name)) {
        found.push(format!("{name} has a layer but does not exist"));
    }
    found
}

fn reaches(edges: &Edges, from: &str, goal: &str) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        for next in edges.get(name).into_iter().flatten() {
            if next == goal {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

fn edges_of_workspace() -> Edges {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata");
    let edges = |package: &cargo_metadata::Package| package.dependencies.iter().map(|edge| edge.name.clone()).collect();
    metadata.workspace_packages().iter().map(|package| (package.name.to_string(), edges(package))).collect()
}

#[test]
fn no_edge_between_crates_goes_up() {
    assert_eq!(violations(&edges_of_workspace()), Vec::<String>::new());
}

/// The real edges and one more.
fn with_edge(from: &str, to: &str) -> Vec<String> {
    let mut edges = edges_of_workspace();
    edges.entry(from.into()).or_default().insert(to.into());
    violations(&edges)
}

#[test]
fn an_edge_upward_is_named() {
    let found = with_edge("whydunit-model", "whydunit-replay");
    assert!(found.contains(&"whydunit-model -> whydunit-replay does not go down".into()), "{found:?}");
    let found = with_edge("whydunit-spectra", "whydunit-findings");
    assert!(found.contains(&"whydunit-spectra -> whydunit-findings does not go down".into()), "{found:?}");
}

#[test]
fn a_reserved_library_and_a_way_to_llvm_are_named() {
    let found = with_edge("whydunit-findings", "clap");
    assert!(found.contains(&"whydunit-findings -> clap is reserved for others".into()), "{found:?}");
    let found = with_edge("whydunit-memcheck", "whydunit-canonical");
    assert!(found.contains(&"whydunit-memcheck reaches whydunit-llvm".into()), "{found:?}");
}

#[test]
fn a_crate_without_a_layer_is_named() {
    let found = with_edge("whydunit-new", "serde");
    assert!(found.contains(&"whydunit-new has no layer".into()), "{found:?}");
}

/// What breaks a rule for modules.
fn trespasses(edges: &BTreeSet<Edge>, module: &str, never: &[&str]) -> Vec<String> {
    let lies_in = |path: &[String], module: &str| {
        module.split("::").enumerate().all(|(at, name)| path.get(at).is_some_and(|own| own == name))
    };
    let wrong = edges
        .iter()
        .filter(|edge| lies_in(&edge.from.module, module) && never.iter().any(|other| lies_in(&edge.to.module, other)));
    wrong.map(|edge| format!("{}:{} names {}", edge.from.file.display(), edge.line, edge.named)).collect()
}

#[test]
fn no_module_names_what_it_must_not_know() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (root, module, never) in MODULES {
        let edges = Modules::read(&workspace.join(root)).edges();
        let known = |module: &str| {
            edges.iter().any(|edge| edge.from.module.join("::") == module || edge.to.module.join("::") == module)
        };
        let unknown: Vec<&str> = never.iter().copied().chain([*module]).filter(|module| !known(module)).collect();
        assert_eq!(unknown, [""; 0], "{root} has no such module");
        assert_eq!(trespasses(&edges, module, never), Vec::<String>::new(), "{root}");
    }
}

#[test]
fn a_module_that_names_what_it_must_not_know_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod inner;\nmod outer;");
    write("inner.rs", "fn f() {\n    crate::outer::g()\n}");
    write("outer.rs", "pub fn g() {}");
    let edges = Modules::read(&folder.path().join("lib.rs")).edges();
    let found = trespasses(&edges, "inner", &["outer"]);
    assert!(found.len() == 1 && found[0].ends_with("inner.rs:2 names crate::outer::g"), "{found:?}");
    assert_eq!(trespasses(&edges, "outer", &["inner"]), Vec::<String>::new());
}
