//! Signed distance of a point from each shape, in the frame of the shape: closed forms
//! (Ericson2005). Inside, the nearest piece of the surface counts; where several are nearest, the
//! first in a fixed order, so that no point is without a direction.

use super::polytope::Solid;
use super::segment::closest_on_segment;
use crate::Vec3;

/// Nearest point of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// Unit normal, out of the solid.
    pub(super) normal: Vec3,
    /// Signed distance [m], negative inside.
    pub(super) gap: f64,
}

/// Two unit vectors that make a right-handed frame with a unit normal.
pub(super) fn tangents(normal: &Vec3) -> (Vec3, Vec3) {
    let axis = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let u = normal.cross(&axis).normalize();
    (u, normal.cross(&u))
}

/// A ball about the origin; its centre is pushed out along `fallback`.
pub(super) fn to_ball(p: &Vec3, radius: f64, fallback: Vec3) -> Foot {
    let distance = p.norm();
    let normal = if distance > 0.0 { p / distance } else { fallback };
    Foot { normal, gap: distance - radius }
}

/// A capsule along z; its axis is pushed out along x.
pub(super) fn to_capsule(p: &Vec3, radius: f64, half_length: f64) -> Foot {
    let axial = p.z.clamp(-half_length, half_length);
    to_ball(&(p - axial * Vec3::z()), radius, Vec3::x())
}

/// A cylinder along z; its axis is pushed out along x, and ends win over the side.
pub(super) fn to_cylinder(p: &Vec3, radius: f64, half_length: f64) -> Foot {
    let distance = p.x.hypot(p.y);
    let radial = if distance > 0.0 { Vec3::new(p.x, p.y, 0.0) / distance } else { Vec3::x() };
    let axial = Vec3::z() * if p.z < 0.0 { -1.0 } else { 1.0 };
    let (side, end) = (distance - radius, p.z.abs() - half_length);
    if side > 0.0 && end > 0.0 {
        let gap = side.hypot(end);
        return Foot { normal: (radial * side + axial * end) / gap, gap };
    }
    if end >= side { Foot { normal: axial, gap: end } } else { Foot { normal: radial, gap: side } }
}

/// A box along the axes; inside, x wins over y over z, and + over -.
pub(super) fn to_box(p: &Vec3, half: &Vec3) -> Foot {
    let beyond = p - p.zip_map(half, |x, h| x.clamp(-h, h));
    let gap = beyond.norm();
    if gap > 0.0 {
        return Foot { normal: beyond / gap, gap };
    }
    let depth = |axis: usize| p[axis].abs() - half[axis];
    let axis = [1, 2].into_iter().fold(0, |best, a| if depth(a) > depth(best) { a } else { best });
    let mut normal = Vec3::zeros();
    normal[axis] = if p[axis] < 0.0 { -1.0 } else { 1.0 };
    Foot { normal, gap: depth(axis) }
}

/// A polytope with faces; inside, the first of equally near faces wins.
pub(super) fn to_polytope(p: &Vec3, solid: &Solid<'_>, size: f64) -> Foot {
    let height = |face: usize| solid.normals[face].dot(&(p - solid.face_point(face)));
    let mut top = (0, height(0));
    for face in 1..solid.normals.len() {
        let candidate = height(face);
        if candidate > top.1 {
            top = (face, candidate);
        }
    }
    let over_face = Foot { normal: solid.normals[top.0], gap: top.1 };
    // Closer than rounding in the corners the direction to an edge or corner is noise.
    if top.1 <= 1e-14 * size {
        return over_face;
    }
    let nearest = (0..solid.normals.len())
        .filter(|&face| height(face) > 0.0)
        .map(|face| to_polygon(p, solid, face))
        .min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    match nearest {
        Some(arm) if arm.norm() > top.1 => Foot { normal: arm.normalize(), gap: arm.norm() },
        _ => over_face,
    }
}

/// From the nearest point of a face to a point above its plane.
fn to_polygon(p: &Vec3, solid: &Solid<'_>, face: usize) -> Vec3 {
    let (corners, normal) = (solid.face(face), solid.normals[face]);
    let mut best: Option<Vec3> = None;
    for (k, &start) in corners.iter().enumerate() {
        let a = solid.corners[start as usize];
        let b = solid.corners[corners[(k + 1) % corners.len()] as usize];
        if normal.cross(&(b - a)).dot(&(p - a)) < 0.0 {
            let arm = p - closest_on_segment(p, &a, &b);
            if best.is_none_or(|old| arm.norm_squared() < old.norm_squared()) {
                best = Some(arm);
            }
        }
    }
    best.unwrap_or_else(|| normal * normal.dot(&(p - solid.face_point(face))))
}
