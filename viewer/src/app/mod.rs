//! The user interface of a running model: panes around a picture. It reads snapshots and status of a
//! [`Session`](sinew::schedule::Session) and sends commands; it never waits for either.

mod application;
mod canvas;
mod commands;
mod curves;
mod detail;
mod dialogs;
mod dock;
mod files;
mod films;
mod frame;
mod gestures;
mod interaction;
mod notes;
mod palette;
mod pane;
mod pictures;
mod plane;
mod preferences;
mod pull;
mod reach;
mod tasks;
mod timeline;
mod tools;
mod tour;
mod tracked;
mod view_panel;
mod viewports;
mod views;
mod waypoint_film;
mod whole_file;
mod workspace;
mod worlds;

pub use application::{App, Setup};
pub use curves::{DRAWING_ENDING, ReadDrawing, WriteDrawing};
pub use dialogs::{Library, Parameter, Preview, ReadPreview};
pub use worlds::WORLD_ENDING;

#[cfg(test)]
mod hand;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
