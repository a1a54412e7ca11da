//! Triangles that are made anew for each picture, and arithmetic of three numbers in f32.

use std::ops::Range;

/// Triangles without shared vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soup {
    /// Place of each vertex [m], and its number on the colour map.
    pub(crate) positions: Vec<[f32; 4]>,
    /// Normal of each, and 1 where no plane cuts it.
    pub(crate) normals: Vec<[f32; 4]>,
    /// Item and vertices of each part.
    pub(crate) parts: Vec<(u32, Range<u32>)>,
}

impl Soup {
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.parts.clear();
    }

    /// Adds a triangle with one normal.
    pub(crate) fn push(&mut self, corners: [[f32; 4]; 3], normal: [f32; 3], uncut: bool) {
        let [x, y, z] = normal;
        self.positions.extend(corners);
        self.normals.extend([[x, y, z, f32::from(u8::from(uncut))]; 3]);
    }

    /// Ends a part: all triangles since `begin` belong to `item`.
    pub(crate) fn end_part(&mut self, item: usize, begin: usize) {
        if self.positions.len() > begin {
            self.parts.push((item as u32, begin as u32..self.positions.len() as u32));
        }
    }
}

pub(crate) fn plus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(a: [f32; 3], s: f32) -> [f32; 3] {
    a.map(|x| s * x)
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

/// The unit vector along `a`; that along z where it has no direction.
pub(crate) fn unit(a: [f32; 3]) -> [f32; 3] {
    let norm = length(a);
    if norm > 0.0 && norm.is_finite() { scaled(a, 1.0 / norm) } else { [0.0, 0.0, 1.0] }
}

/// A unit vector across the unit vector `axis`.
pub(crate) fn across(axis: [f32; 3]) -> [f32; 3] {
    let other = if axis[2].abs() > 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    unit(cross(axis, other))
}

/// The point between two, and the number there.
pub(crate) fn blend(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|k| a[k] + part * (b[k] - a[k]))
}
