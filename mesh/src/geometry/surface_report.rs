//! Report on a surface: all findings at once, and those among them that a user is told.

use super::{Orientation, SolidIntegrals, SurfaceIntegrals, SurfaceMesh};
use crate::Vec3;

/// Result of [`SurfaceMesh::report`].
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceReport {
    /// Number of vertices, used or not.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Smallest and largest coordinates of the vertices that triangles use [m].
    pub bounding_box: Option<[Vec3; 2]>,
    /// Area and its middle.
    pub shell: SurfaceIntegrals,
    /// Volume inside, negative if inside-out [m³]; `None` unless closed.
    pub volume: Option<f64>,
    /// The sum that is the volume of closed surfaces, about the origin of the coordinates [m³]; about
    /// another point it differs unless closed.
    pub sum_about_origin: f64,
    /// Integrals over the inside of a closed outward surface.
    pub solid: Option<SolidIntegrals>,
    /// Parts that share no vertex.
    pub components: usize,
    /// True if every edge is passed equally often in both directions.
    pub closed: bool,
    /// True if every point has a neighbourhood like a disc or half of one.
    pub manifold: bool,
    /// True if most triangles face the inside.
    pub inside_out: bool,
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Vertices where fans of triangles meet that share no edge there.
    pub non_manifold_vertices: usize,
    /// Edges where neighbours wind against each other.
    pub inconsistent_edges: usize,
    /// Vertices at the place of an earlier one.
    pub duplicate_vertices: usize,
    /// Vertices that no triangle names.
    pub unused_vertices: usize,
    /// Triangles with the vertices of an earlier one.
    pub duplicate_triangles: usize,
    /// Triangles without area.
    pub degenerate_triangles: usize,
    /// Pairs of triangles that pass through each other.
    pub self_intersections: usize,
    /// True if the search ended before all of them were found.
    pub self_intersections_limited: bool,
}

/// Triangles whose height is less than this part of their longest side are flat but for rounding.
const FLAT: f64 = 1e-12;
/// Pairs that are looked for: enough to say that there are many.
const PAIRS: usize = 10_000;

impl SurfaceMesh {
    /// Looks at everything that can be wrong with a surface. n log n in the number of triangles.
    pub fn report(&self) -> SurfaceReport {
        let topology = self.topology();
        let closed = topology.is_closed();
        let crossings = self.self_intersections(PAIRS);
        let inside_out = match topology.orientation {
            Orientation::Outward => false,
            Orientation::Inward => true,
            Orientation::Undefined => self.inward_share().is_some_and(|share| share > 0.5),
        };
        SurfaceReport {
            vertices: self.vertices().len(),
            triangles: self.triangles().len(),
            bounding_box: self.used_bounding_box(),
            shell: self.surface_integrals(),
            volume: closed.then(|| self.signed_volume()),
            sum_about_origin: self.signed_volume_about(&Vec3::zeros()),
            solid: if closed { self.solid_integrals().ok() } else { None },
            components: self.count_parts(),
            closed,
            manifold: topology.is_manifold(),
            inside_out,
            boundary_edges: topology.open_edges,
            non_manifold_edges: topology.non_manifold_edges,
            non_manifold_vertices: topology.non_manifold_vertices,
            inconsistent_edges: topology.inconsistent_edges,
            duplicate_vertices: self.count_duplicate_vertices(),
            unused_vertices: topology.unused_vertices,
            duplicate_triangles: self.duplicate_triangles().len(),
            degenerate_triangles: self.degenerate_triangles(FLAT).len(),
            self_intersections: crossings.pairs.len(),
            self_intersections_limited: crossings.is_limited,
        }
    }

    /// Smallest and largest coordinates of the vertices that triangles use [m].
    pub fn used_bounding_box(&self) -> Option<[Vec3; 2]> {
        let mut used = self.triangles().as_flattened().iter().map(|&v| self.vertices()[v as usize]);
        let first = used.next()?;
        Some(used.fold([first, first], |[lo, hi], p| [lo.inf(&p), hi.sup(&p)]))
    }
}

/// Warnings of counted edges and vertices.
const BOUNDARY: &str = " with one triangle: the surface is not closed";
const NON_MANIFOLD_EDGES: &str = " with more than two triangles (non-manifold)";
const NON_MANIFOLD_VERTICES: &str = " where parts touch that share no edge there (non-manifold)";
const INCONSISTENT: &str = " whose triangles wind against each other (inconsistent orientation)";
const DUPLICATES: &str =
    " at the place of another: triangles there are not connected unless welded";

impl SurfaceReport {
    /// Warnings for a user before the surface becomes a collider or a solid, one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        let more = if self.self_intersections_limited { " or more" } else { "" };
        let what = format!("{more} of triangles that pass through each other (self-intersection)");
        let [edges, vertices] = [["edge", "edges"], ["vertex", "vertices"]];
        let [triangles, pairs] = [["triangle", "triangles"], ["pair", "pairs"]];
        for (n, [singular, plural], what) in [
            (self.boundary_edges, edges, BOUNDARY),
            (self.non_manifold_edges, edges, NON_MANIFOLD_EDGES),
            (self.non_manifold_vertices, vertices, NON_MANIFOLD_VERTICES),
            (self.inconsistent_edges, edges, INCONSISTENT),
            (self.duplicate_vertices, vertices, DUPLICATES),
            (self.unused_vertices, vertices, " that no triangle uses"),
            (self.duplicate_triangles, triangles, " with the vertices of an earlier one"),
            (self.degenerate_triangles, triangles, " without area"),
            (self.self_intersections, pairs, &what),
        ] {
            if n > 0 {
                all.push(format!("{n} {}{what}", if n == 1 { singular } else { plural }));
            }
        }
        if self.components > 1 {
            all.push(format!("{} components that share no vertex", self.components));
        }
        if let Some(note) = self.doubtful_side() {
            all.push(note);
        }
        if self.inside_out {
            all.push("most triangles face the inside: the surface is inside-out".to_owned());
        }
        all
    }

    /// Programs that take the sign of a sum for the side call a surface inside-out whose triangles
    /// face outward, where it is not closed and lies away from the origin.
    fn doubtful_side(&self) -> Option<String> {
        let sum = self.sum_about_origin;
        let is_doubtful = !self.closed && !self.inside_out && sum < 0.0;
        is_doubtful.then(|| {
            format!(
                "its signed volume about the origin is {sum:.4e} m³, as of an inside-out surface, \
                 but it is not closed or winds inconsistently, and most triangles face outward"
            )
        })
    }
}
