//! The winding number of a triangle surface about a point: 1 inside a closed surface, 0 outside, between
//! them near holes. Far triangles count by the first moment of their group (Barill2018); near ones by their
//! solid angle (VanOosterom1983).

use std::f64::consts::PI;

use super::SurfaceMesh;
use crate::Vec3;
use crate::tree::{Bounds, BoxTree};

/// A group is far from a point at this many of its radii: the moment is then within some 1e-2.
const FAR: f64 = 2.3;

/// The first moment of a group of triangles.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// Sum of areas times normals [m²].
    area_normal: Vec3,
    /// Middle, weighted by area [m].
    middle: Vec3,
    /// Sum of areas [m²].
    area: f64,
    /// All is within this of the middle [m].
    radius: f64,
}

/// Moments of the nodes of a tree of triangles.
#[derive(Clone, Debug)]
pub(super) struct Winding {
    moments: Vec<Moment>,
}

impl Winding {
    /// Of a surface and the tree of the boxes of its triangles.
    pub(super) fn new(surface: &SurfaceMesh, tree: &BoxTree) -> Self {
        let of_triangle = |t: u32| {
            let (corners, normal) =
                (surface.corners(t as usize), surface.area_normal(t as usize) * 0.5);
            (normal, (corners[0] + corners[1] + corners[2]) / 3.0, normal.norm())
        };
        let moments = tree.summarize(
            &|bounds: &Bounds, group: &[u32]| {
                let parts: Vec<_> = group.iter().map(|&t| of_triangle(t)).collect();
                moment(bounds, &parts)
            },
            &|bounds, a: &Moment, b: &Moment| {
                moment(bounds, &[a, b].map(|m| (m.area_normal, m.middle, m.area)))
            },
        );
        Self { moments }
    }

    /// The winding number about `p` [-].
    pub(super) fn at(&self, p: &Vec3, surface: &SurfaceMesh, tree: &BoxTree) -> f64 {
        let mut angle = 0.0;
        let mut near = 0.0;
        tree.visit_coarse(
            &|node| {
                let moment = &self.moments[node];
                (moment.middle - p).norm_squared() > (FAR * moment.radius).powi(2)
            },
            &mut |node| {
                let arm = self.moments[node].middle - p;
                angle += self.moments[node].area_normal.dot(&arm) / arm.norm().powi(3);
            },
            &mut |t| near += solid_angle(p, &surface.corners(t as usize)),
        );
        (angle + near) / (4.0 * PI)
    }
}

/// The moment of parts, each with area times normal, middle and area.
fn moment(bounds: &Bounds, parts: &[(Vec3, Vec3, f64)]) -> Moment {
    let area_normal = parts.iter().map(|part| part.0).sum();
    let area: f64 = parts.iter().map(|part| part.2).sum();
    let middle = if area > 0.0 {
        parts.iter().map(|part| part.1 * part.2).sum::<Vec3>() / area
    } else {
        (bounds.low + bounds.high) * 0.5
    };
    let reach = (bounds.low - middle).abs().sup(&(bounds.high - middle).abs());
    Moment { area_normal, middle, area, radius: reach.norm() }
}

/// Solid angle of a triangle seen from `p` [sr], positive from behind it.
fn solid_angle(p: &Vec3, corners: &[Vec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - p);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(&b.cross(&c));
    let rest = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * volume.atan2(rest)
}
