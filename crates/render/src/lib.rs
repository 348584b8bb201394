//! Renderers of findings: text and JSON.
