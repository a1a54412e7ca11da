//! The solid inside a triangle surface of any shape: distances of points, and the convex edges that can meet
//! those of another solid.

use std::collections::BTreeMap;
use std::sync::Arc;

use sinew_mesh::tree::{Bounds, BoxTree};

use super::ContactError;
use super::point::Foot;
use crate::Vec3;
use crate::geometry::{self, SignedDistance, SurfaceMesh, SurfaceSide};

/// Faces that turn by less than 0.8 degrees at an edge meet others as one face does [-].
const FLAT: f64 = 1e-4;

/// An edge where a solid is convex.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConvexEdge {
    /// Its ends [m], and their numbers among the vertices.
    pub(super) ends: [Vec3; 2],
    pub(super) vertices: [u32; 2],
    /// Outward unit normals of its faces.
    pub(super) normals: [Vec3; 2],
}

/// A solid of triangles in the frame of its collider. Copies share it.
#[derive(Debug, Clone)]
pub struct MeshSolid(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    distance: SignedDistance,
    edges: Vec<ConvexEdge>,
    /// Of the boxes of `edges`.
    tree: BoxTree,
    /// Greatest distance of the smooth surface from the triangles [m].
    sag: f64,
}

impl MeshSolid {
    /// The solid inside a surface, which may be open, inside-out or tangled.
    ///
    /// # Errors
    /// [`ContactError::NoTriangles`] for a surface without triangles.
    pub fn new(surface: &SurfaceMesh) -> Result<Self, ContactError> {
        let distance = SignedDistance::new(surface).ok_or(ContactError::NoTriangles)?;
        let edges = convex_edges(distance.surface());
        let bounds = |edge: &ConvexEdge| Bounds::of(edge.ends.into_iter(), Vec3::zeros());
        let tree = BoxTree::new(edges.iter().map(bounds).collect());
        let sag = distance.sag();
        Ok(Self(Arc::new(Inner { distance, edges, tree, sag })))
    }

    /// Its surface, turned so that normals point out.
    pub fn surface(&self) -> &SurfaceMesh {
        self.0.distance.surface()
    }

    /// Side of its surface that is solid.
    pub fn side(&self) -> SurfaceSide {
        self.0.distance.side()
    }

    /// The nearest point of its surface; far outside for a point that is not finite.
    pub(super) fn foot(&self, p: &Vec3) -> Foot {
        foot_of(self.0.distance.foot(p))
    }

    /// The same of the smooth surface through its corners.
    pub(super) fn smooth_foot(&self, p: &Vec3) -> Foot {
        foot_of(self.0.distance.smooth_foot(p))
    }

    /// Greatest distance of the smooth surface from the triangles [m].
    pub(super) fn sag(&self) -> f64 {
        self.0.sag
    }

    /// Visits the faces that a point outside is right over, up to a distance [m], by their numbers and the points below it.
    pub(super) fn visit_faces_below(&self, p: &Vec3, reach: f64, visit: &mut dyn FnMut(u32, Vec3)) {
        self.0.distance.visit_faces_below(p, reach, visit);
    }

    /// Its convex edges.
    pub(super) fn edges(&self) -> &[ConvexEdge] {
        &self.0.edges
    }

    /// Visits the numbers of its convex edges near a segment, up to a distance [m].
    pub(super) fn visit_edges_near(
        &self,
        segment: &[Vec3; 2],
        limit: f64,
        visit: &mut dyn FnMut(u32),
    ) {
        let bounds = Bounds::of(segment.iter().copied(), Vec3::repeat(limit));
        self.0.tree.visit_overlapping(&bounds, visit);
    }
}

fn foot_of(foot: Option<geometry::Foot>) -> Foot {
    let far = Foot { normal: Vec3::z(), gap: f64::INFINITY };
    foot.map_or(far, |foot| Foot { normal: foot.normal, gap: foot.distance })
}

impl PartialEq for MeshSolid {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.surface() == other.surface()
    }
}

/// Edges of two faces that turn away from each other, by rising numbers of their ends.
fn convex_edges(surface: &SurfaceMesh) -> Vec<ConvexEdge> {
    let mut sides: BTreeMap<[u32; 2], Vec<(u32, u32)>> = BTreeMap::new();
    for (t, triangle) in (0..).zip(surface.triangles()) {
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            sides.entry([a.min(b), a.max(b)]).or_default().push((t, triangle[(k + 2) % 3]));
        }
    }
    let at = |v: u32| surface.vertices()[v as usize];
    let normal = |t: u32| surface.area_normal(t as usize).try_normalize(0.0);
    let edge = |(ends, faces): (&[u32; 2], &Vec<(u32, u32)>)| {
        let [(first, _), (second, opposite)] = faces[..] else { return None };
        let normals = [normal(first)?, normal(second)?];
        let turns_away = (at(opposite) - at(ends[0])).dot(&normals[0]) < 0.0;
        let is_feature = turns_away && normals[0].dot(&normals[1]) < 1.0 - FLAT;
        is_feature.then(|| ConvexEdge { ends: ends.map(at), vertices: *ends, normals })
    };
    sides.iter().filter_map(edge).collect()
}
