//! A surface as a file has it: points, triangles, polylines, named sets and fields. What can be said
//! of its shape is found by `geometry::SurfaceMesh`, which it converts to.

use std::collections::BTreeMap;

use crate::Field;
use crate::Vec3;
use crate::geometry::{GeometryError, SurfaceMesh};

/// A surface as read, with notes for the user.
#[derive(Clone, Debug)]
pub struct SurfaceFile {
    /// The surface [m].
    pub surface: SurfaceData,
    /// The format that was recognized.
    pub format: &'static str,
    /// Notes on entries that were passed over or changed: one sentence each.
    pub notes: Vec<String>,
}

/// Points, triangles and lines of a file, with named subsets. Indices are in range and coordinates
/// finite; points at the same place are not merged, points that nothing uses are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceData {
    /// Positions of the points [m].
    pub points: Vec<Vec3>,
    /// Corners of the triangles, in the winding of the file.
    pub triangles: Vec<[u32; 3]>,
    /// Lines through points, such as muscle fibres; two points or more each.
    pub polylines: Vec<Vec<u32>>,
    /// Named sets of triangle indices (groups, objects, materials, solids), rising.
    pub triangle_sets: BTreeMap<String, Vec<u32>>,
    /// Named sets of polyline indices, rising.
    pub polyline_sets: BTreeMap<String, Vec<u32>>,
    /// Fields by point.
    pub point_fields: BTreeMap<String, Field>,
    /// Fields by triangle.
    pub triangle_fields: BTreeMap<String, Field>,
}

impl SurfaceData {
    /// The triangles alone, as the surface that bodies are drawn and collide by.
    ///
    /// # Errors
    /// A point that is not finite or an index out of range, which no file that was read has.
    pub fn mesh(&self) -> Result<SurfaceMesh, GeometryError> {
        SurfaceMesh::new(self.points.clone(), self.triangles.clone())
    }

    /// The triangles of a mesh without sets and fields.
    pub fn from_mesh(mesh: &SurfaceMesh) -> Self {
        let (points, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
        Self { points, triangles, ..Self::default() }
    }

    /// Smallest and largest coordinates of the points that a triangle or a polyline uses [m];
    /// `None` without any.
    pub fn bounding_box(&self) -> Option<[Vec3; 2]> {
        let corners = self.triangles.as_flattened().iter();
        let mut used = corners.chain(self.polylines.iter().flatten());
        let at = |&i: &u32| self.points[i as usize];
        let first = used.next().map(at)?;
        Some(used.map(at).fold([first, first], |[lo, hi], p| [lo.inf(&p), hi.sup(&p)]))
    }
}
