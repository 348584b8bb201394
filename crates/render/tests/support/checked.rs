//! What `check` finds.

use whydunit_findings::{Checked, Location, Misuse, MisuseStep};

pub fn checked() -> Checked {
    let step = |line, what: &str| MisuseStep { location: Location::point("triangle.c", line, 5), what: what.into() };
    let misuse = Misuse {
        location: Location::point("triangle.c", 5, 9),
        function: "area".into(),
        class: "FILE".into(),
        method: "fgetc".into(),
        state: "closed".into(),
        must: true,
        grade: "never",
        confidence: 0.95,
        message: "fgetc of FILE that is closed".into(),
        path: vec![step(3, "fopen is called"), step(4, "fclose is called")],
    };
    Checked {
        misuses: vec![
            misuse.clone(),
            Misuse { must: false, grade: "may-fail", confidence: 0.5, path: Vec::new(), ..misuse },
        ],
        classes: vec!["FILE".into(), "memory".into()],
        functions: 12,
        allowed: 1,
        known: 2,
    }
}
