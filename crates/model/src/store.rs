//! Modules as bytes: sealed, zstd-compressed postcard.

use serde::{Serialize, de::DeserializeOwned};
use whydunit_sealed::{Broken, Format};

use crate::Module;

const FORMAT: Format = Format { kind: "model", version: 11 };

/// Why bytes are no module.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Not written by us.
    #[error("this is no program model")]
    NotAModel,
    /// Another version wrote it.
    #[error("the program model has version {0}, this program reads version {ours}: build the program again", ours = FORMAT.version)]
    Version(u32),
    /// Cut or changed.
    #[error("the program model is damaged: build the program again")]
    Damaged,
}

impl From<Broken> for ModelError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Foreign => Self::NotAModel,
            Broken::Version(version) => Self::Version(version),
            Broken::Damaged => Self::Damaged,
        }
    }
}

impl Module {
    /// The module as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        pack(FORMAT, self)
    }

    /// Reads what [`Module::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Module, ModelError> {
        unpack(FORMAT, bytes)
    }

    /// Whether these bytes are those of a module.
    pub fn is_whole(bytes: &[u8]) -> bool {
        FORMAT.open(bytes).is_ok()
    }
}

/// Plain data as the bytes of a sealed file.
pub(crate) fn pack(format: Format, data: &impl Serialize) -> Vec<u8> {
    let plain = postcard::to_stdvec(data).expect("plain data serialises");
    format.seal(&zstd::encode_all(&plain[..], 1).expect("compression in memory does not fail"))
}

/// What [`pack`] packed.
pub(crate) fn unpack<T: DeserializeOwned>(format: Format, bytes: &[u8]) -> Result<T, ModelError> {
    let plain = zstd::decode_all(format.open(bytes)?).map_err(|_| ModelError::Damaged)?;
    postcard::from_bytes(&plain).map_err(|_| ModelError::Damaged)
}
