//! The window on a running model: draws snapshots, sends commands, never touches a model.
//!
//! There is no window yet, and nothing here opens one. Until there is, `sinew run` writes frames
//! that ParaView shows.
#![forbid(unsafe_code)]

/// Why a window could not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// This version has no window.
    #[error(
        "this version has no window yet; run the model with --frames vtu and open the .pvd file in ParaView"
    )]
    NotBuilt,
}

pub mod window;
