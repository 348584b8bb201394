//! A page in a file, and what a browser must not say of it.

use std::path::PathBuf;

use serde_json::Value;
use whydunit_findings::Report;
use whydunit_render::{Options, Sources, html};

/// A page on disk.
pub struct Page {
    folder: tempfile::TempDir,
}

impl Page {
    /// Of a report.
    pub fn of(report: &Report, sources: &dyn Sources) -> Self {
        let page = Self { folder: tempfile::tempdir().expect("a folder") };
        let text = html(report, &Options { sources, limit: Some(3), ..Options::default() });
        std::fs::write(page.path(), text).expect("a file");
        page
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("report.html")
    }
}

/// What a page must not cause: messages on the console, failures, and requests for anything but itself.
pub fn complaints(events: &[Value]) -> Vec<String> {
    let bad = events.iter().filter(|event| match event["method"].as_str().unwrap_or_default() {
        "Log.entryAdded" | "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" => true,
        "Network.requestWillBeSent" => {
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            !(url.starts_with("file://") && url.ends_with("/report.html"))
        }
        _ => false,
    });
    bad.map(Value::to_string).collect()
}
