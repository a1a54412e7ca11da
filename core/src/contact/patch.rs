//! Pieces of surface that face each other across a normal: faces, ends and sides of cylinders,
//! segments. Where two of them overlap, seen along the normal, they touch.

use super::point::tangents;
use super::polytope::Solid;
use super::segment::Side;
use super::support::{Core, Disk};
use super::touch::{Buffer, CornerOrEdge, Feature, Touch};
use crate::Vec3;

/// Corners of the polygon that stands for the end of a cylinder. They lie on the rim; between them
/// it is at most 0.5 % of the radius outside.
const RIM: u32 = 32;
/// A face that is within 0.6 degrees of edge-on to the normal has no overlap worth the name.
const EDGE_ON: f64 = 0.01;
/// Faces within 8 degrees of each other's plane hold each other as faces do; beyond, the far ends of
/// an overlap are a seventh of its length apart, more than any margin.
const FLUSH: f64 = 0.99;

/// A plane polygon, or a segment (two points, no normal). Arrays are kept from pair to pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Patch {
    points: Vec<Vec3>,
    corners: Vec<u32>,
    edges: Vec<u32>,
    normal: Vec3,
    flat: Vec<[f64; 2]>,
}

/// Two pieces that face each other, and the contacts found so far. Arrays are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlap {
    pub(super) a: Patch,
    pub(super) b: Patch,
    pub(super) found: Buffer,
}

impl Patch {
    fn clear(&mut self, normal: Vec3) {
        self.points.clear();
        self.corners.clear();
        self.edges.clear();
        self.normal = normal;
    }

    /// Takes what of a solid faces a direction.
    pub(super) fn take(&mut self, core: &Core<'_>, direction: &Vec3, tolerance: f64) {
        match core {
            Core::Flat(solid) => self.take_face(solid, direction, tolerance),
            Core::Disk(disk) => self.take_cylinder(disk, direction),
        }
    }

    /// Of the faces that have a farthest corner, the one turned most along the direction.
    pub(super) fn take_face(&mut self, solid: &Solid<'_>, direction: &Vec3, tolerance: f64) {
        let level = solid.support(direction).dot(direction) - tolerance;
        let far = |face: &usize| {
            solid.face(*face).iter().any(|&c| solid.corners[c as usize].dot(direction) >= level)
        };
        let turned = |face: &usize| solid.normals[*face].dot(direction);
        let face = (0..solid.normals.len())
            .filter(far)
            .reduce(|best, face| if turned(&face) > turned(&best) { face } else { best });
        self.clear(face.map_or(Vec3::zeros(), |face| solid.normals[face]));
        match face {
            Some(face) => {
                self.corners.extend_from_slice(solid.face(face));
                self.edges.extend_from_slice(solid.face_edges(face));
            }
            None => {
                self.corners.extend_from_slice(&solid.shape.edges[0].ends);
                self.edges.push(0);
            }
        }
        self.points.extend(self.corners.iter().map(|&c| solid.corners[c as usize]));
    }

    /// The end that faces the direction, or past 45 degrees the line of the side that does.
    fn take_cylinder(&mut self, disk: &Disk, direction: &Vec3) {
        let axial = disk.axes[2].dot(direction);
        if axial.abs() > std::f64::consts::FRAC_1_SQRT_2 {
            let end = u32::from(axial > 0.0);
            self.clear(disk.axes[2] * axial.signum());
            for k in 0..RIM {
                // Counterclockwise seen from outside.
                let k = if end == 1 { k } else { RIM - 1 - k };
                self.points.push(disk.rim(end, k, RIM));
                self.corners.push(end * RIM + k);
                self.edges.push(end * RIM + k);
            }
        } else {
            self.clear(Vec3::zeros());
            self.points.extend([0, 1].map(|end| disk.end_support(end, direction)));
            self.corners.extend([2 * RIM, 2 * RIM + 1]);
            self.edges.push(2 * RIM);
        }
    }

    /// True if it is a polygon that is nearly across a normal.
    pub(super) fn is_flush(&self, normal: &Vec3) -> bool {
        self.normal.dot(normal).abs() > FLUSH
    }

    /// As an edge, if it is a segment.
    pub(super) fn side(&self) -> Option<Side> {
        let [start, end] = self.points[..] else { return None };
        let ends = [self.corners[0], self.corners[1]];
        Some(Side { points: [start, end], ends, edge: self.edges[0] })
    }

    fn project(&mut self, u: &Vec3, v: &Vec3) {
        self.flat.clear();
        self.flat.extend(self.points.iter().map(|p| [p.dot(u), p.dot(v)]));
    }

    /// A point of an edge, from 0 to 1.
    fn along(&self, edge: usize, at: f64) -> Vec3 {
        self.points[edge].lerp(&self.points[(edge + 1) % self.points.len()], at)
    }

    /// Start and end of an edge, seen along the normal.
    fn flat_edge(&self, edge: usize) -> [[f64; 2]; 2] {
        [self.flat[edge], self.flat[(edge + 1) % self.flat.len()]]
    }

    /// Distance along `normal` from a point over the polygon to its plane [m]; `None` beside the
    /// polygon.
    fn height_over(&self, p: &Vec3, at: [f64; 2], normal: &Vec3, tolerance: f64) -> Option<f64> {
        let slope = self.normal.dot(normal);
        if slope.abs() < EDGE_ON {
            return None;
        }
        let inside = (0..self.edges.len()).all(|edge| {
            let [start, end] = self.flat_edge(edge);
            let run = [end[0] - start[0], end[1] - start[1]];
            let off = run[0] * (at[1] - start[1]) - run[1] * (at[0] - start[0]);
            off * slope.signum() >= -tolerance * run[0].hypot(run[1])
        });
        inside.then(|| self.normal.dot(&(self.points[0] - p)) / slope)
    }
}

impl Overlap {
    /// Adds where the pieces overlap, seen along a normal from B into A: corners of one over the
    /// other, and crossings of edges. What is outside by `tolerance` counts as over.
    pub(super) fn clip(&mut self, normal: &Vec3, tolerance: f64) {
        let Overlap { a, b, found } = self;
        let (u, v) = tangents(normal);
        a.project(&u, &v);
        b.project(&u, &v);
        for (k, p) in a.points.iter().enumerate() {
            if let Some(height) = b.height_over(p, a.flat[k], normal, tolerance) {
                let foot = p + normal * height;
                found.push(Touch::on_a(Feature::CornerOfA(a.corners[k]), *p, &foot, *normal));
            }
        }
        for (k, p) in b.points.iter().enumerate() {
            if let Some(height) = a.height_over(p, b.flat[k], normal, tolerance) {
                let foot = p + normal * height;
                found.push(Touch::on_b(Feature::CornerOfB(b.corners[k]), *p, &foot, *normal));
            }
        }
        add_crossings(a, b, normal, found);
    }

    /// True if a contact was found whose gap is at most `gap`.
    pub(super) fn reaches(&self, gap: f64) -> bool {
        self.found.iter().any(|touch| touch.gap <= gap)
    }
}

/// Adds where edges of two projected pieces cross.
fn add_crossings(a: &Patch, b: &Patch, normal: &Vec3, found: &mut Buffer) {
    for i in 0..a.edges.len() {
        for j in 0..b.edges.len() {
            if let Some((s, t)) = crossing(a.flat_edge(i), b.flat_edge(j)) {
                let feature =
                    Feature::Across(CornerOrEdge::Edge(a.edges[i]), CornerOrEdge::Edge(b.edges[j]));
                let (p, q) = (a.along(i, s), b.along(j, t));
                found.push(Touch::on_b(feature, q, &p, *normal));
            }
        }
    }
}

/// Crossing of two segments in a plane, as parts of their lengths.
fn crossing(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> Option<(f64, f64)> {
    let da = [a[1][0] - a[0][0], a[1][1] - a[0][1]];
    let db = [b[1][0] - b[0][0], b[1][1] - b[0][1]];
    let r = [b[0][0] - a[0][0], b[0][1] - a[0][1]];
    let cross = da[0] * db[1] - da[1] * db[0];
    // Of parallel edges the corners tell all.
    if cross.abs() <= 1e-9 * da[0].hypot(da[1]) * db[0].hypot(db[1]) {
        return None;
    }
    let s = (r[0] * db[1] - r[1] * db[0]) / cross;
    let t = (r[0] * da[1] - r[1] * da[0]) / cross;
    let within = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
    (within(s) && within(t)).then_some((s, t))
}
