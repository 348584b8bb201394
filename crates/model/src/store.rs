//! Modules as bytes: a magic, a version, then zstd-compressed postcard.

use serde::{Serialize, de::DeserializeOwned};

use crate::Module;

const MAGIC: &[u8; 8] = b"whymodel";
const VERSION: u32 = 9;

/// Why bytes are no module.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Not written by us.
    #[error("this is no program model")]
    NotAModel,
    /// Another version wrote it.
    #[error("the program model has version {0}, this program reads version {VERSION}: build the program again")]
    Version(u32),
    /// Cut or changed.
    #[error("the program model is damaged: build the program again")]
    Damaged,
}

impl Module {
    /// The module as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        pack(MAGIC, VERSION, self)
    }

    /// Reads what [`Module::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Module, ModelError> {
        unpack(MAGIC, VERSION, bytes)
    }
}

/// Plain data behind a magic and a version.
pub(crate) fn pack(magic: &[u8; 8], version: u32, data: &impl Serialize) -> Vec<u8> {
    let plain = postcard::to_stdvec(data).expect("plain data serialises");
    let mut out = magic.to_vec();
    out.extend(version.to_le_bytes());
    out.extend(zstd::encode_all(&plain[..], 1).expect("compression in memory does not fail"));
    out
}

/// What [`pack`] packed.
pub(crate) fn unpack<T: DeserializeOwned>(magic: &[u8; 8], version: u32, bytes: &[u8]) -> Result<T, ModelError> {
    let rest = bytes.strip_prefix(magic).ok_or(ModelError::NotAModel)?;
    let (found, body) = rest.split_first_chunk::<4>().ok_or(ModelError::Damaged)?;
    let found = u32::from_le_bytes(*found);
    if found != version {
        return Err(ModelError::Version(found));
    }
    let plain = zstd::decode_all(body).map_err(|_| ModelError::Damaged)?;
    postcard::from_bytes(&plain).map_err(|_| ModelError::Damaged)
}
