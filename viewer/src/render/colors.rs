//! Colours that several parts of a picture share, sRGB.

use crate::color::linear;
use crate::scene_view::Background;

/// Colour of what is selected.
pub(crate) const SELECTION: [f32; 3] = [1.0, 0.55, 0.05];

/// Colours of the axes x, y, z.
pub(super) const AXES: [[f32; 3]; 3] = [[0.85, 0.15, 0.17], [0.13, 0.60, 0.22], [0.15, 0.35, 0.85]];

/// Colour of the edges of elements that are broken.
pub(super) const FAULT: [f32; 3] = [0.85, 0.0, 0.75];

/// Colour of faces that are marked.
pub(super) const MARKED: [f32; 3] = [0.10, 0.62, 0.90];

/// Linear light and opacity of an sRGB colour.
pub(super) fn with_alpha(color: [f32; 3], alpha: f32) -> [f32; 4] {
    let [r, g, b] = linear(color);
    [r, g, b, alpha.clamp(0.0, 1.0)]
}

/// Colours at the top and the bottom of a picture, sRGB.
pub(super) fn background(background: Background) -> [[f32; 3]; 2] {
    match background {
        Background::Light => [[0.985; 3], [0.86, 0.875, 0.895]],
        Background::Dark => [[0.20, 0.215, 0.24], [0.10, 0.105, 0.115]],
        Background::White | Background::Transparent => [[1.0; 3]; 2],
    }
}

/// Colour of what is written on a background.
pub(crate) fn ink(background: Background) -> [f32; 3] {
    match background {
        Background::Dark => [0.82; 3],
        Background::Light | Background::White | Background::Transparent => [0.22; 3],
    }
}
