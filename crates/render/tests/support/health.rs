//! What `doctor` finds.

use whydunit_findings::{Health, HealthCheck, HealthState, HealthTopic};

pub fn health() -> Health {
    use HealthState::{Absent, Doubtful, Good, Missing};
    use HealthTopic::{Kept, Project, System, Tools};
    Health {
        version: "1.2.3".into(),
        checks: vec![
            HealthCheck::new(Tools, "clang 22", Missing, "not found").remedy("apt-get install clang-22"),
            HealthCheck::new(Tools, "meson", Absent, "for projects that Meson builds").remedy("apt-get install meson"),
            HealthCheck::new(System, "kernel", Good, "Linux 6.1.0"),
            HealthCheck::new(Kept, "here", Good, "12 MB in .whydunit\x1b[2J"),
            HealthCheck::new(Project, "tests", Doubtful, "none were found").remedy("write cases.jsonl"),
        ],
    }
}
