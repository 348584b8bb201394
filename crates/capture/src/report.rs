//! What a build gave.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    time::Duration,
};

use serde::Serialize;
use whydunit_face::{event::Event, store::Store};

use crate::Error;

/// A source that is not captured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct External {
    /// Absolute path.
    pub source: String,
    /// Why.
    pub reason: String,
}

/// A product that the build linked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// Absolute path.
    pub path: PathBuf,
    /// Link id.
    pub link: String,
    /// Captured units in it.
    pub units: usize,
    /// Inputs that are not captured.
    pub external: Vec<String>,
}

/// What a build gave.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BuildReport {
    /// Number of the build in the store.
    pub build: String,
    /// Compiles that were captured.
    pub captured: usize,
    /// Those of them whose bitcode was there from an earlier build.
    pub reused: usize,
    /// Sources that are not captured.
    pub external: Vec<External>,
    /// Products, the last link of each.
    pub products: Vec<Linked>,
    /// Products with nothing captured in them.
    pub uncaptured_products: Vec<PathBuf>,
    /// Flags that only gcc knows and that bitcode was made without, with how many units had them.
    pub dropped_flags: BTreeMap<String, usize>,
    /// Sanitizers asked for; captured code is without them.
    pub sanitizers: BTreeSet<String>,
    /// Compiles and links by which the build system tried out what the compiler can.
    pub probes: usize,
    /// Compiles and links that failed, by the tools' names.
    #[serde(skip)]
    pub failed: BTreeSet<String>,
    /// In a sentence and the build's last lines: that its command ended with an error though everything was made, as that of
    /// a build that runs its tests.
    pub unsuccessful: Option<String>,
    /// What went wrong on our side.
    pub problems: Vec<String>,
    /// How long the build took.
    pub seconds: f64,
    /// Its output.
    pub log: PathBuf,
}

impl BuildReport {
    pub(crate) fn read(store: &Store, build: &str, duration: Duration) -> Result<BuildReport, Error> {
        let path = store.build_events(build);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other.map_err(Error::io(&path))?,
        };
        let mut report = BuildReport {
            build: build.to_owned(),
            seconds: duration.as_secs_f64(),
            log: store.build_log(build),
            ..BuildReport::default()
        };
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(event) => report.add(event),
                Err(_) => {
                    report.problems.push(format!("{}: line {} is damaged: build again", path.display(), number + 1));
                }
            }
        }
        report.external.sort();
        report.external.dedup();
        Ok(report)
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Captured { reused, dropped, sanitizers, .. } => {
                self.captured += 1;
                self.reused += usize::from(reused);
                for flag in dropped {
                    *self.dropped_flags.entry(flag).or_default() += 1;
                }
                self.sanitizers.extend(sanitizers.iter().flat_map(|list| list.split(',')).map(str::to_owned));
            }
            Event::External { source, reason } => self.external.push(External { source, reason }),
            Event::Linked { link, output, units, external } => {
                let path = PathBuf::from(output);
                self.products.retain(|product| product.path != path);
                self.products.push(Linked { path, link, units, external });
            }
            Event::Unlinked { output } => self.uncaptured_products.push(output.into()),
            Event::Probe => self.probes += 1,
            Event::Failed { tool } => {
                self.failed.insert(tool);
            }
            Event::Problem { message } => self.problems.push(message),
        }
    }
}
