//! Models of common interfaces of C, that come with the tool.

use crate::protocol::Protocol;
use crate::text::{Mistake, parse};

/// Name and text of each file.
pub const SHIPPED: &[(&str, &str)] = &[
    ("streams.model", include_str!("../models/streams.model")),
    ("descriptors.model", include_str!("../models/descriptors.model")),
    ("memory.model", include_str!("../models/memory.model")),
    ("threads.model", include_str!("../models/threads.model")),
    ("zlib.model", include_str!("../models/zlib.model")),
    ("sqlite.model", include_str!("../models/sqlite.model")),
];

/// The protocols of all of them; a mistake in one is told with the name of its file.
pub fn shipped() -> Result<Vec<Protocol>, (&'static str, Mistake)> {
    let mut protocols = Vec::new();
    for (name, text) in SHIPPED {
        protocols.extend(parse(text).map_err(|mistake| (*name, mistake))?);
    }
    Ok(protocols)
}
