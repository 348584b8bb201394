//! Calls of a failing test that find an object otherwise than those of passing tests, in pages.

use whydunit_findings as findings;

use crate::plain::plain;

/// Such a call.
pub struct Anomaly {
    pub class: String,
    pub text: String,
    pub places: String,
    pub also: Vec<String>,
}

impl Anomaly {
    /// All of them, as they are shown.
    pub fn all<'a>(anomalies: impl IntoIterator<Item = &'a findings::Anomaly>) -> Vec<Self> {
        anomalies.into_iter().map(Self::of).collect()
    }

    fn of(anomaly: &findings::Anomaly) -> Self {
        Self {
            class: plain(&anomaly.class).into_owned(),
            text: plain(&anomaly.text).into_owned(),
            places: plain(&anomaly.places()).into_owned(),
            also: anomaly.also.iter().map(|words| plain(words).into_owned()).collect(),
        }
    }
}
