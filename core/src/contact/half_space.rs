//! Contacts of a half-space, the plane z = 0: corners, ends and rims near it, as closed forms.

use super::polytope::Polytope;
use super::shape::Skeleton;
use super::support::Disk;
use super::touch::{Buffer, Feature, Touch};
use crate::Vec3;

/// Points of a rim that support a cylinder that stands on its end.
const RIM: u32 = 4;
/// A deepest point of a rim that is deeper than the fixed ones by less than this part of the radius
/// adds nothing, and its place is noise.
const DEEPER: f64 = 1e-12;

/// Adds the points of a shape, centres of its balls if it is round, against the plane.
pub(super) fn add(
    (skeleton, polytope): (Skeleton<'_>, Option<&Polytope>),
    place: impl Fn(&Vec3) -> Vec3,
    turn: impl Fn(&Vec3) -> Vec3,
    out: &mut Buffer,
) {
    let mut push = |corner: u32, p: Vec3| {
        let foot = Vec3::new(p.x, p.y, 0.0);
        out.push(Touch::between(Feature::CornerOfA(corner), p, foot, Vec3::z()));
    };
    match skeleton {
        Skeleton::Plane => {}
        Skeleton::Point => push(0, place(&Vec3::zeros())),
        Skeleton::Cloud(points) => {
            points.iter().enumerate().for_each(|(i, p)| push(i as u32, place(p)));
        }
        Skeleton::Disk(radius, half_length) => {
            let disk = Disk {
                center: place(&Vec3::zeros()),
                axes: [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| turn(&axis)),
                radius,
                half_length,
            };
            add_rims(&disk, &mut push);
        }
        Skeleton::Mesh(mesh) => {
            let vertices = (0..).zip(mesh.surface().vertices());
            vertices.for_each(|(i, p)| push(i, place(p)));
        }
        Skeleton::Polytope => {
            let corners = polytope.iter().flat_map(|polytope| &polytope.corners);
            corners.enumerate().for_each(|(i, p)| push(i as u32, place(p)));
        }
    }
}

/// The deepest point of each rim, and fixed ones of an end that faces the plane.
fn add_rims(disk: &Disk, push: &mut impl FnMut(u32, Vec3)) {
    for end in 0..2 {
        let outward = disk.axes[2] * [-1.0, 1.0][end as usize];
        let mut lowest = f64::INFINITY;
        // Past 45 degrees it is the side that faces the plane.
        if outward.z < -std::f64::consts::FRAC_1_SQRT_2 {
            for k in 0..RIM {
                let p = disk.rim(end, k, RIM);
                lowest = lowest.min(p.z);
                push(end * (RIM + 1) + k, p);
            }
        }
        let p = disk.end_support(end, &-Vec3::z());
        if p.z < lowest - DEEPER * disk.radius {
            push(end * (RIM + 1) + RIM, p);
        }
    }
}
