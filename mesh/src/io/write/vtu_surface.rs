//! Writes triangles with fields as VTU, in the form of `vtu_write.rs`: surfaces of bodies beside tissues.

use std::path::Path;

use crate::Vec3;
use crate::io::write::vtu_write::{Cells, FieldRef, Grid, WriteError, write_grid};

/// VTK's number of a triangle.
const TRIANGLE: u8 = 5;

/// Content that is written: triangles where they are now, and named fields with them. Fields are stored as f32.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceFrame<'a> {
    /// Corners of the triangles.
    pub triangles: &'a [[u32; 3]],
    /// Positions of the points [m].
    pub positions: &'a [Vec3],
    /// Fields by point.
    pub point_data: &'a [(&'a str, FieldRef<'a>)],
    /// Fields by triangle.
    pub cell_data: &'a [(&'a str, FieldRef<'a>)],
    /// Lists of texts, such as the names that numbers in a field stand for.
    pub labels: &'a [(&'a str, &'a [String])],
}

/// Writes a frame of surfaces; the file appears under its name only when it is complete.
///
/// # Errors
/// A corner that is no point, an array whose length does not fit, or a file that cannot be written.
pub fn write_surface_vtu(path: &Path, frame: &SurfaceFrame<'_>) -> Result<(), WriteError> {
    let SurfaceFrame { triangles, positions, point_data, cell_data, labels } = *frame;
    let points = positions.len();
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= points) {
            return Err(WriteError::Corner { triangle, corner, points });
        }
    }
    let ends = (1..=triangles.len()).map(|k| 3 * k as i64);
    let cells = Cells {
        count: triangles.len(),
        connectivity: triangles
            .iter()
            .flatten()
            .flat_map(|&corner| i64::from(corner).to_le_bytes())
            .collect(),
        offsets: ends.flat_map(i64::to_le_bytes).collect(),
        types: vec![TRIANGLE; triangles.len()],
    };
    write_grid(path, &Grid { cells, positions, point_data, cell_data, labels })
}
