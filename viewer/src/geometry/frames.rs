//! Frames in f32.

use sinew::snapshot::Frame;

use super::soup::{cross, plus, scaled};

/// A vector of a frame, in the directions of the scene.
pub(crate) fn rotated(frame: &Frame, v: [f32; 3]) -> [f32; 3] {
    let [x, y, z, w] = frame.rotation;
    let q = [x, y, z];
    let twice = scaled(cross(q, v), 2.0);
    plus(plus(v, scaled(twice, w)), cross(q, twice))
}

/// A point of a frame, relative to the origin of the scene [m].
pub(crate) fn placed(frame: &Frame, point: [f32; 3]) -> [f32; 3] {
    plus(frame.position, rotated(frame, point))
}

/// Unit vector along an axis of a frame.
pub(crate) fn axis_of(frame: &Frame, axis: usize) -> [f32; 3] {
    let mut v = [0.0; 3];
    v[axis] = 1.0;
    rotated(frame, v)
}
