//! cargo-nextest: the tests that it lists, run as it runs them, a process each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Lister, libraries, libtest};
use crate::error::Error;
use crate::program::ProgramTest;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Listing {
    rust_suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Suite {
    package_name: String,
    binary_path: PathBuf,
    cwd: PathBuf,
    #[serde(default)]
    testcases: BTreeMap<String, Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Case {
    #[serde(default)]
    ignored: bool,
    filter_match: Option<Match>,
}

#[derive(Deserialize)]
struct Match {
    status: String,
    #[serde(default)]
    reason: Option<String>,
}

/// The tests of `cargo nextest run …`, given in words.
pub(crate) fn tests(lister: &Lister<'_>, words: &[String], folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let rest = words.iter().skip(2).filter(|word| !matches!(word.as_str(), "run" | "r" | "list"));
    let mut args = vec!["nextest", "list", "--message-format", "json"];
    args.extend(rest.map(String::as_str));
    let text = lister.answer(Path::new(&words[0]), &args, folder)?;
    let listing: Listing = serde_json::from_str(&text).map_err(|error| {
        Error::at(folder, format!("the tests cannot be listed: `cargo nextest list` gives no such JSON: {error}"))
    })?;
    let rust = libraries::of_rust(lister, folder);
    let mut tests = Vec::new();
    for (id, suite) in listing.rust_suites {
        let beside: Vec<PathBuf> = suite.binary_path.parent().map(Path::to_path_buf).into_iter().collect();
        for (name, case) in &suite.testcases {
            // The user's own filter; what is ignored is listed as skipped.
            let filtered = |found: &Match| found.status != "matches" && found.reason.as_deref() != Some("ignored");
            if case.filter_match.as_ref().is_some_and(filtered) {
                continue;
            }
            let mut test = libtest::test(&id, name, case.ignored, &suite.binary_path, &suite.cwd);
            test.env = vec![
                ("NEXTEST".into(), "1".into()),
                ("NEXTEST_EXECUTION_MODE".into(), "process-per-test".into()),
                ("CARGO_PKG_NAME".into(), suite.package_name.clone()),
                ("CARGO_MANIFEST_DIR".into(), suite.cwd.display().to_string()),
                libraries::search_path(&beside, rust.as_deref()),
            ];
            tests.push(test);
        }
    }
    Ok(tests)
}
