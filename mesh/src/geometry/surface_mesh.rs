//! The triangle surface itself: vertices, triangles, and measures of each alone.

use serde::{Deserialize, Serialize};

use crate::{Mat3, Vec3};

/// Errors of a surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, but the surface has {vertex_count} vertices (0 to {})", .vertex_count.saturating_sub(1))]
    MissingVertex {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// Vertices in the surface.
        vertex_count: usize,
    },
    /// A coordinate is not a finite number.
    #[error("vertex {vertex} lies at ({}, {}, {}); coordinates must be finite", .at.x, .at.y, .at.z)]
    NotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// Its coordinates [m].
        at: Vec3,
    },
    /// Other positions than a surface has vertices.
    #[error("{given} positions for {expected} vertices; give one for each, in their order")]
    VertexCount {
        /// Positions that were given.
        given: usize,
        /// Vertices of the surface.
        expected: usize,
    },
    /// The map of a transform has an entry that is not finite, or no volume.
    #[error("the transform has determinant {determinant}; it must be finite and not zero")]
    Transform {
        /// Determinant of its linear part [-].
        determinant: f64,
    },
    /// The surface does not bound a solid.
    #[error(
        "the surface does not bound a solid: {triangle_count} triangles, {open_edges} open edges, \
         {inconsistent_edges} edges where neighbours wind against each other; close the holes and \
         orient all triangles outward"
    )]
    NotClosed {
        /// Triangles of the surface.
        triangle_count: usize,
        /// Edges with a triangle on one side only.
        open_edges: usize,
        /// Other edges that are not passed equally often in both directions.
        inconsistent_edges: usize,
    },
    /// The volume inside is not positive.
    #[error("the volume inside the surface is {volume} m³; turn the triangles outward (flipped())")]
    NotPositive {
        /// Signed volume [m³].
        volume: f64,
    },
    /// A parameter of a solid is out of range.
    #[error("{name} of the {solid} is {given}; it must be {expected}")]
    Parameter {
        /// Name of the solid.
        solid: &'static str,
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        given: f64,
        /// Permitted values.
        expected: &'static str,
    },
}

/// A surface of triangles that wind counterclockwise seen from outside. Indices are in range and
/// coordinates finite; whether it is closed, and which way round, is [`SurfaceMesh::topology`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct SurfaceMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// A surface as a file has it.
#[derive(Deserialize)]
#[serde(rename = "SurfaceMesh")]
struct Unchecked {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl TryFrom<Unchecked> for SurfaceMesh {
    type Error = GeometryError;

    fn try_from(read: Unchecked) -> Result<Self, GeometryError> {
        Self::new(read.vertices, read.triangles)
    }
}

impl SurfaceMesh {
    /// A surface of these vertices [m] and triangles.
    ///
    /// # Errors
    /// A vertex that is not finite, or a triangle that names a vertex that is not there.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        let is_finite = |p: &Vec3| p.iter().all(|c| c.is_finite());
        if let Some(vertex) = vertices.iter().position(|p| !is_finite(p)) {
            return Err(GeometryError::NotFinite { vertex, at: vertices[vertex] });
        }
        let vertex_count = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertex_count) {
                return Err(GeometryError::MissingVertex { triangle, vertex, vertex_count });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// Positions of the vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Corners of the triangles, counterclockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Positions of the corners of triangle `t` [m].
    ///
    /// # Panics
    /// When `t` is not below the number of triangles.
    pub fn corners(&self, t: usize) -> [Vec3; 3] {
        self.triangles[t].map(|v| self.vertices[v as usize])
    }

    /// Normal of triangle `t` with the length of twice its area [m²].
    ///
    /// # Panics
    /// When `t` is not below the number of triangles.
    pub fn area_normal(&self, t: usize) -> Vec3 {
        let [a, b, c] = self.corners(t);
        (b - a).cross(&(c - a))
    }

    /// Triangles that name a vertex twice, or whose height over the longest side is at most
    /// `flatness` [-] times that side: they have no usable normal. 1e-12 finds those that are flat
    /// but for rounding.
    pub fn degenerate_triangles(&self, flatness: f64) -> Vec<usize> {
        let is_degenerate = |&t: &usize| {
            let [i, j, k] = self.triangles[t];
            let [a, b, c] = self.corners(t);
            let longest = (b - a).norm_squared().max((c - b).norm_squared());
            let longest = longest.max((a - c).norm_squared());
            let twice_area = self.area_normal(t).norm();
            i == j || j == k || k == i || twice_area <= flatness * longest
        };
        (0..self.triangles.len()).filter(is_degenerate).collect()
    }

    /// Smallest and largest coordinates of the vertices [m]; `None` without vertices.
    pub fn bounding_box(&self) -> Option<[Vec3; 2]> {
        let first = *self.vertices.first()?;
        Some(self.vertices.iter().fold([first, first], |[lo, hi], p| [lo.inf(p), hi.sup(p)]))
    }

    /// The same surface with every triangle wound the other way.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// The surface under x -> `linear` x + `translation` [m]; a reflection turns the winding too, so
    /// that outside stays outside.
    ///
    /// # Errors
    /// A `linear` that is singular or not finite, or a vertex that leaves the finite numbers.
    pub fn transformed(&self, linear: &Mat3, translation: &Vec3) -> Result<Self, GeometryError> {
        let determinant = linear.determinant();
        if !(determinant.is_finite() && determinant != 0.0) {
            return Err(GeometryError::Transform { determinant });
        }
        let vertices = self.vertices.iter().map(|p| linear * p + translation).collect();
        let moved = Self::new(vertices, self.triangles.clone())?;
        Ok(if determinant < 0.0 { moved.flipped() } else { moved })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Orientation, cuboid_mesh};

    fn triangle() -> Vec<Vec3> {
        vec![Vec3::zeros(), Vec3::x(), Vec3::y()]
    }

    #[test]
    fn a_vertex_out_of_range_and_a_coordinate_that_is_not_finite_are_refused() {
        let missing = SurfaceMesh::new(triangle(), vec![[0, 1, 2], [0, 3, 1]]);
        let expected = GeometryError::MissingVertex { triangle: 1, vertex: 3, vertex_count: 3 };
        assert_eq!(missing, Err(expected));
        let mut vertices = triangle();
        vertices[2].y = f64::NAN;
        let error = SurfaceMesh::new(vertices, vec![[0, 1, 2]]).unwrap_err();
        assert!(error.to_string().contains("vertex 2"), "{error}");
    }

    #[test]
    fn flat_triangles_are_found_whatever_their_size() {
        let size = 1e-9;
        let mut vertices: Vec<Vec3> = triangle().iter().map(|p| p * size).collect();
        vertices.push(Vec3::new(0.5 * size, 0.0, 0.0));
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 0, 2]];
        let mesh = SurfaceMesh::new(vertices, triangles).unwrap();
        assert_eq!(mesh.degenerate_triangles(1e-12), [1, 2]);
    }

    #[test]
    fn a_reflection_keeps_the_outside_outside() {
        let mesh = cuboid_mesh(&Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let mirror = Mat3::from_diagonal(&Vec3::new(-2.0, 1.0, 1.0));
        let mirrored = mesh.transformed(&mirror, &Vec3::x()).unwrap();
        assert_eq!(mirrored.topology().orientation, Orientation::Outward);
        assert!((mirrored.signed_volume() - 12.0).abs() < 1e-14 * 12.0);
        assert_eq!(mirrored.bounding_box().unwrap()[0], Vec3::new(0.0, -1.0, -1.5));
        let flat = Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0));
        assert!(mesh.transformed(&flat, &Vec3::zeros()).is_err());
    }
}
