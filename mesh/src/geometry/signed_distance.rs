//! Signed distance of points from a triangle surface of any shape: closed or open, inside-out, with edges
//! that more than two triangles share.
//!
//! The nearest point is found in a tree of boxes. Inside or outside is told by angle-weighted normals
//! (Baerentzen2005) where the surface is closed and its triangles agree; by the winding number
//! (Barill2018) where it bounds a solid but for flaws; a surface that bounds nothing has two sides.

mod smooth;

use super::triangle_point::{OnTriangle, TrianglePart, nearest_on_triangle};
use super::winding::Winding;
use super::{Orientation, SurfaceMesh, VertexFaces};
use crate::Vec3;
use crate::tree::{Bounds, BoxTree};

/// Triangles below whose middles the winding number is sampled to tell a solid from a sheet.
const SAMPLES: usize = 200;
/// A solid has the winding number 1 below its surface, a sheet one half: the middle parts them.
const SOLID: f64 = 0.75;
/// Triangles at most that are inside-out by count in a surface whose normals point out.
const INWARD: f64 = 0.5;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Signed distance [m]: negative inside, or behind a sheet.
    pub distance: f64,
    /// Gradient of the signed distance: a unit vector that points out.
    pub normal: Vec3,
    /// Number of the triangle.
    pub triangle: u32,
    /// Position on the triangle.
    pub on: OnTriangle,
}

/// Below this share of a side of the nearest triangle a distance says nothing of its direction [-].
const NOISE: f64 = 1e-9;

/// Share by which a height over a triangle may be less than the distance from it: beyond a side the two differ.
const OVER: f64 = 1e-9;

/// Side of a surface that is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceSide {
    /// A solid; the surface is closed and its triangles agree.
    Closed,
    /// A solid, but for holes, triangles that disagree, or edges of more than two triangles.
    Solid,
    /// Nothing: each point has the side that the nearest triangle gives it.
    Sheet,
}

/// A surface, prepared to be asked for distances.
#[derive(Clone, Debug)]
pub struct SignedDistance {
    surface: SurfaceMesh,
    tree: BoxTree,
    /// Unit normals of triangles; zero where a triangle has no area.
    face_normals: Vec<Vec3>,
    /// Angle-weighted normals at vertices, not of unit length.
    vertex_normals: Vec<Vec3>,
    /// For the smooth surface.
    vertex_faces: VertexFaces,
    /// Sums of the normals of the triangles at the three sides of each triangle.
    edge_normals: Vec<[Vec3; 3]>,
    side: SurfaceSide,
    winding: Option<Winding>,
}

impl SignedDistance {
    /// Prepares a surface; one that is inside-out is turned. `None` without triangles.
    pub fn new(surface: &SurfaceMesh) -> Option<Self> {
        if surface.triangles().is_empty() {
            return None;
        }
        let topology = surface.topology();
        let closed = topology.is_closed() && topology.is_manifold();
        let inward = match topology.orientation {
            Orientation::Inward => true,
            Orientation::Outward => false,
            Orientation::Undefined => surface.inward_share().is_some_and(|share| share > INWARD),
        };
        let surface = if inward { surface.clone().flipped() } else { surface.clone() };
        let tree = surface.triangle_tree();
        let normal = |t: usize| surface.area_normal(t).try_normalize(0.0).unwrap_or_default();
        let face_normals: Vec<Vec3> = (0..surface.triangles().len()).map(normal).collect();
        let mut prepared = Self {
            vertex_normals: vertex_normals(&surface, &face_normals),
            vertex_faces: VertexFaces::new(surface.triangles(), surface.vertices().len()),
            edge_normals: edge_normals(&surface, &face_normals),
            face_normals,
            tree,
            surface,
            side: SurfaceSide::Closed,
            winding: None,
        };
        if !closed {
            let winding = Winding::new(&prepared.surface, &prepared.tree);
            prepared.side = prepared.kind_by(&winding);
            prepared.winding = (prepared.side == SurfaceSide::Solid).then_some(winding);
        }
        Some(prepared)
    }

    /// The same with the winding number to tell inside from outside of every surface that bounds a solid: of parts of a
    /// closed surface that pass through each other, all of the inside counts.
    pub fn by_winding(surface: &SurfaceMesh) -> Option<Self> {
        let mut prepared = Self::new(surface)?;
        if prepared.side == SurfaceSide::Closed {
            prepared.winding = Some(Winding::new(&prepared.surface, &prepared.tree));
        }
        Some(prepared)
    }

    /// Side of the surface by the winding numbers below its triangles, in the middle of a sample: a
    /// solid or a sheet.
    fn kind_by(&self, winding: &Winding) -> SurfaceSide {
        let count = self.surface.triangles().len();
        let below = |t: usize| {
            let corners = self.surface.corners(t);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let depth = 1e-3 * (corners[1] - corners[0]).norm();
            winding.at(&(middle - self.face_normals[t] * depth), &self.surface, &self.tree)
        };
        let step = count.div_ceil(SAMPLES);
        let mut sample: Vec<f64> = (0..count).step_by(step).map(below).collect();
        sample.sort_unstable_by(f64::total_cmp);
        let middle = sample[sample.len() / 2];
        if middle > SOLID { SurfaceSide::Solid } else { SurfaceSide::Sheet }
    }

    /// The surface, turned so that its normals point out.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.surface
    }

    /// Side of the surface that is solid.
    pub fn side(&self) -> SurfaceSide {
        self.side
    }

    /// The point of the surface that is nearest to `p` [m]; of several, one that only `p` and the surface
    /// decide. `None` for a point that is not finite.
    pub fn foot(&self, p: &Vec3) -> Option<Foot> {
        let (triangle, on) = self.surface.nearest_triangle(&self.tree, p, |_| true)?;
        let part = self.normal_of(triangle, on.part);
        let arm = p - on.point;
        let far = arm.norm_squared();
        let inside = match &self.winding {
            Some(winding) => winding.at(p, &self.surface, &self.tree) > 0.5,
            None => arm.dot(&part) < 0.0,
        };
        let distance = if inside { -far.sqrt() } else { far.sqrt() };
        // Next to the surface the direction of the arm is noise.
        let [a, b, _] = self.surface.corners(triangle as usize);
        let is_clear = far > (NOISE * (b - a).norm()).powi(2) && far > 0.0;
        let by_arm = is_clear.then(|| (arm / distance).normalize());
        let normal = by_arm.or_else(|| part.try_normalize(0.0)).unwrap_or_else(Vec3::z);
        Some(Foot { distance, normal, triangle, on })
    }

    /// Visits the triangles that `p` [m], a point outside, is right over: in front of them, between their sides, and no
    /// farther than `reach` [m]; with the point of each below `p`.
    pub fn visit_faces_below(&self, p: &Vec3, reach: f64, visit: &mut dyn FnMut(u32, Vec3)) {
        let around = Bounds::of(std::iter::once(*p), Vec3::repeat(reach));
        self.tree.visit_overlapping(&around, &mut |triangle| {
            let on = nearest_on_triangle(p, &self.surface.corners(triangle as usize));
            let arm = p - on.point;
            let (distance, height) = (arm.norm(), arm.dot(&self.face_normals[triangle as usize]));
            if height > 0.0 && height >= (1.0 - OVER) * distance && distance <= reach {
                visit(triangle, on.point);
            }
        });
    }

    /// The normal of a part of a triangle, not of unit length.
    fn normal_of(&self, triangle: u32, part: TrianglePart) -> Vec3 {
        let t = triangle as usize;
        match part {
            TrianglePart::Face => self.face_normals[t],
            TrianglePart::Edge(k) => self.edge_normals[t][k],
            TrianglePart::Corner(k) => self.vertex_normals[self.surface.triangles()[t][k] as usize],
        }
    }
}

/// Sums over the triangles at each vertex of normal times angle.
fn vertex_normals(surface: &SurfaceMesh, faces: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::zeros(); surface.vertices().len()];
    for (t, triangle) in surface.triangles().iter().enumerate() {
        let corners = surface.corners(t);
        for k in 0..3 {
            let (to_next, to_last) =
                (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            normals[triangle[k] as usize] += faces[t] * to_next.angle(&to_last);
        }
    }
    normals
}

/// Sums over the triangles at each side of their normals.
fn edge_normals(surface: &SurfaceMesh, faces: &[Vec3]) -> Vec<[Vec3; 3]> {
    let mut normals = vec![[Vec3::zeros(); 3]; faces.len()];
    for edge in surface.sorted_sides().chunk_by(|a, b| a.ends == b.ends) {
        let places = || edge.iter().map(|side| (side.start as usize / 3, side.start as usize % 3));
        let sum: Vec3 = places().map(|(t, _)| faces[t]).sum();
        places().for_each(|(t, k)| normals[t][k] = sum);
    }
    normals
}
