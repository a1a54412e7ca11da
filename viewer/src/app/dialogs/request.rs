//! Requests that dialogs lead to.

use std::path::PathBuf;

use sinew::editing::EditCommand;

/// Request from a dialog.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Request {
    /// Open a model with parameters.
    Open { path: PathBuf, params: Vec<String> },
    /// Ask for the parameters of a mesh.
    Import(PathBuf),
    /// Do an edit.
    Edit(EditCommand),
    /// Save waypoints at even times.
    Waypoints { interval: f64, end: f64 },
    /// Write the model.
    SaveModel(PathBuf),
    /// Write a picture of this size [pixel], with nothing behind the model where it is `transparent`.
    SavePicture { path: PathBuf, size: [u32; 2], transparent: bool },
}
