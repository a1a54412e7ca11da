//! Pictures of a running Sinew model: snapshots are drawn, on a window or without one. Depends on what
//! is shown and on commands; never reads or changes a model.
#![forbid(unsafe_code)]

pub mod app;
mod bounded;
pub mod camera;
mod checked;
pub mod color;
mod cuts;
mod error;
pub mod export;
mod film;
mod geometry;
mod image;
pub mod panels;
pub mod pick;
mod render;
mod scene_view;
mod studio;
mod titles;
mod view_file;
pub mod window;

pub use bounded::read_text;
pub use camera::{Camera, Projection, Ray};
pub use color::{ColorMap, ColorRange, ColorScale};
pub use error::ViewerError;
pub use film::Film;
pub use geometry::{NO_FIBRES, bounds_of, exaggerated, has_fibres};
pub use image::Image;
pub use pick::{Hit, PickClass, PickClasses, pick, pick_box};
pub use render::{Anchor, Label, Renderer, grid_plane};
pub use scene_view::{
    Background, LineColors, MOST_PLANES, MarkedFaces, PictureStyle, Slice, SliceKind, View,
    ViewOptions, letter_scale,
};
pub use studio::{Studio, fit_view, picture};
pub use titles::Titles;
pub use view_file::{SavedView, VIEW_ENDING, ViewFileError};
