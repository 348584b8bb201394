//! What a client says of itself.

use std::path::PathBuf;

use lsp_types::InitializeParams;
use serde::Deserialize;
use serde_json::Value;

use crate::paths;
use crate::position::Encoding;

/// What a client can do, and wants.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// How places in lines are counted.
    pub encoding: Encoding,
    /// It shows progress that we begin.
    pub progress: bool,
    /// It opens documents for us.
    pub shows_documents: bool,
    /// What it wants.
    pub options: Options,
}

/// What a client wants (`initializationOptions`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Options {
    /// The project is checked when a file of it is saved.
    pub check_on_save: bool,
    /// So many of the last answer of `locate` are shown.
    pub suspicious: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { check_on_save: true, suspicious: 5 }
    }
}

impl Client {
    /// What it says when it begins. An error says which option cannot be understood.
    pub fn of(parameters: &InitializeParams) -> Result<Self, String> {
        let general = parameters.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let window = parameters.capabilities.window.as_ref();
        let options = parameters.initialization_options.clone().filter(|options| *options != Value::Null);
        let options = options.map_or(Ok(Options::default()), serde_json::from_value);
        Ok(Self {
            encoding: Encoding::agreed(encodings),
            progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            shows_documents: window.and_then(|window| window.show_document.as_ref()).is_some_and(|it| it.support),
            options: options.map_err(|error| format!("initializationOptions: {error}"))?,
        })
    }
}

/// The folders of the workspace, where a client names any.
pub fn folders(parameters: &InitializeParams) -> Vec<PathBuf> {
    let named = parameters.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let mut folders: Vec<PathBuf> = named.filter_map(paths::path).map(|path| paths::real(&path)).collect();
    if folders.is_empty() {
        // How clients did it before there were several folders.
        #[allow(deprecated)]
        let root = parameters.root_uri.as_ref().and_then(paths::path);
        folders.extend(root.map(|path| paths::real(&path)));
    }
    folders
}
