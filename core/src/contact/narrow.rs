//! Contacts of one pair that is near, in the frame of its second member: which method for which
//! kinds.

use super::bounds::Bounds;
use super::mesh::MeshSolid;
use super::mesh_pair::{self, Beside};
use super::patch::Overlap;
use super::polytope::{Polytope, Solid};
use super::reduce::{reduce, reduce_directions};
use super::segment::{Side, add_contacts, crossing_normal, nearest};
use super::shape::Skeleton;
use super::support::{Core, Disk};
use super::touch::{Buffer, Feature, Touch};
use super::{Shape, flat, half_space, round};
use crate::{Mat3, Vec3};

/// A shape with what was computed of it once.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) shape: Shape,
    /// Of boxes and hulls; the segment of a capsule.
    polytope: Option<Polytope>,
    /// In its own frame; `None` for a half-space.
    pub(super) bounds: Option<Bounds>,
}

impl Part {
    pub(super) fn new(shape: Shape) -> Self {
        Part { polytope: shape.polytope(), bounds: shape.bounds(), shape }
    }

    /// Half of the diagonal of its box [m].
    pub(super) fn size(&self) -> f64 {
        self.bounds.map_or(0.0, |bounds| bounds.radius())
    }

    /// Distance from its origin within which it lies [m]; zero for a half-space.
    pub(super) fn reach(&self) -> f64 {
        self.bounds.map_or(0.0, |bounds| bounds.low.abs().sup(&bounds.high.abs()).norm())
    }

    /// As a convex solid without its rounding; arrays hold a polytope where it is placed.
    fn core<'a>(&'a self, at: &Placement, placed: &'a mut PlacedPolytope) -> Option<Core<'a>> {
        match self.shape.skeleton() {
            Skeleton::Disk(radius, half_length) => Some(Core::Disk(Disk {
                center: at.shift,
                axes: [0, 1, 2].map(|k| at.turn.column(k).into_owned()),
                radius,
                half_length,
            })),
            Skeleton::Polytope => {
                let shape = self.polytope.as_ref()?;
                shape.place(&at.turn, &at.shift, &mut placed.corners, &mut placed.normals);
                let (corners, normals) = (&placed.corners, &placed.normals);
                Some(Core::Flat(Solid { corners, normals, shape }))
            }
            Skeleton::Plane | Skeleton::Point | Skeleton::Cloud(_) | Skeleton::Mesh(_) => None,
        }
    }
}

/// Pose of one frame in another: rotation, then shift [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) turn: Mat3,
    pub(super) shift: Vec3,
}

impl Placement {
    /// Of a point.
    pub(super) fn apply(&self, p: &Vec3) -> Vec3 {
        self.turn * p + self.shift
    }

    /// A point of the outer frame, seen from the inner one.
    pub(super) fn inverse(&self, p: &Vec3) -> Vec3 {
        self.turn.tr_mul(&(p - self.shift))
    }

    /// This frame, seen from another.
    pub(super) fn seen_from(&self, other: &Placement) -> Self {
        Placement { turn: other.turn.tr_mul(&self.turn), shift: other.inverse(&self.shift) }
    }
}

/// Corners and normals of a polytope that was placed.
#[derive(Debug, Clone, Default)]
struct PlacedPolytope {
    corners: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Arrays that are kept from pair to pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    placed: [PlacedPolytope; 2],
    overlap: Overlap,
    /// Contacts that are kept.
    pub(super) touches: Buffer,
}

impl Scratch {
    /// Contacts of two parts, the first seen from the second, with gaps up to `margin`. `last` are
    /// the keys of last step.
    pub(super) fn collide(
        &mut self,
        a: &Part,
        b: &Part,
        at: &Placement,
        margin: f64,
        last: &[u64],
    ) {
        self.touches.clear();
        let radii = (a.shape.roundness(), b.shape.roundness());
        match (a.shape.skeleton(), b.shape.skeleton()) {
            (Skeleton::Mesh(_), Skeleton::Plane) => {
                self.against_plane(a, at, margin);
                self.touches.retain(|touch| touch.gap <= margin);
                self.reduce_directions(last, a.size());
            }
            (_, Skeleton::Plane) => self.against_plane(a, at, margin + radii.0),
            (Skeleton::Point, _) => self.add_point(0, &at.shift, radii.0, b, margin),
            (Skeleton::Cloud(points), _) => {
                for (i, p) in points.iter().enumerate() {
                    self.add_point(i as u32, &at.apply(p), radii.0, b, margin);
                }
            }
            (_, Skeleton::Mesh(mesh)) => self.collide_mesh((a, mesh), b, at, margin, last),
            (Skeleton::Plane | Skeleton::Disk(..) | Skeleton::Polytope | Skeleton::Mesh(_), _) => {
                self.collide_solids(a, b, at, margin, last)
            }
        }
        if b.shape.is_plane() {
            self.touches.iter_mut().for_each(|touch| *touch = touch.inflated(radii.0, 0.0));
        }
        self.touches.retain(|touch| touch.gap <= margin);
        self.touches.sort_unstable_by_key(|touch| touch.key);
    }

    fn against_plane(&mut self, a: &Part, at: &Placement, limit: f64) {
        let near = a.bounds.is_some_and(|own| own.placed(&at.turn, &at.shift).low.z <= limit);
        if near {
            let (place, turn) = (|p: &Vec3| at.apply(p), |d: &Vec3| at.turn * d);
            half_space::add(
                (a.shape.skeleton(), a.polytope.as_ref()),
                place,
                turn,
                &mut self.touches,
            );
        }
    }

    /// Adds a ball, given by its centre in the frame of the solid.
    pub(super) fn add_point(&mut self, i: u32, p: &Vec3, radius: f64, b: &Part, margin: f64) {
        if b.bounds.is_none_or(|bounds| bounds.near_point(p, margin + radius)) {
            let foot = b.shape.foot(p, b.size());
            if foot.gap - radius <= margin {
                let surface = p - foot.normal * foot.gap;
                let mut touch = Touch::between(Feature::CornerOfA(i), *p, surface, foot.normal);
                touch.gap = foot.gap;
                self.touches.push(touch.inflated(radius, 0.0));
            }
        }
    }

    /// A solid, or a mesh, against a mesh: at most eight contacts for each direction.
    fn collide_mesh(
        &mut self,
        (a, mesh): (&Part, &MeshSolid),
        b: &Part,
        at: &Placement,
        margin: f64,
        last: &[u64],
    ) {
        let radius = a.shape.roundness();
        let (Some(bounds), Some(of_mesh)) = (a.bounds, b.bounds) else { return };
        let beside = Beside {
            shape: &a.shape,
            at,
            core: a.core(at, &mut self.placed[0]),
            bounds: bounds.placed(&at.turn, &at.shift),
            of_mesh,
            sizes: [a.size(), b.size()],
        };
        mesh_pair::add(&beside, mesh, margin + radius, &mut self.touches);
        self.touches.iter_mut().for_each(|touch| *touch = touch.inflated(radius, 0.0));
        self.reduce_directions(last, a.size().min(b.size()));
    }

    /// Leaves at most eight contacts for each direction of a pair of some size [m].
    fn reduce_directions(&mut self, last: &[u64], size: f64) {
        let found = &mut self.overlap.found;
        std::mem::swap(found, &mut self.touches);
        reduce_directions(found, last, size, &mut self.touches);
    }

    /// Two solids with at most four contacts.
    fn collide_solids(&mut self, a: &Part, b: &Part, at: &Placement, margin: f64, last: &[u64]) {
        let radii = (a.shape.roundness(), b.shape.roundness());
        let limit = margin + radii.0 + radii.1;
        let size = a.size() + b.size();
        let [placed_a, placed_b] = &mut self.placed;
        let origin = Placement { turn: Mat3::identity(), shift: Vec3::zeros() };
        let (Some(core_a), Some(core_b)) = (a.core(at, placed_a), b.core(&origin, placed_b)) else {
            return;
        };
        let overlap = &mut self.overlap;
        overlap.found.clear();
        match (&core_a, &core_b) {
            (Core::Flat(s), Core::Flat(t)) if s.normals.is_empty() && t.normals.is_empty() => {
                add_capsules(s, t, &mut overlap.found);
            }
            (Core::Flat(s), Core::Flat(t)) => {
                flat::add(s, t, limit, size, overlap);
            }
            _ => round::add(&core_a, &core_b, limit, size, overlap),
        }
        overlap.found.retain(|touch| touch.gap <= limit);
        reduce(&mut overlap.found, last, size, &mut self.touches);
        self.touches.iter_mut().for_each(|touch| *touch = touch.inflated(radii.0, radii.1));
    }
}

/// Two segments.
fn add_capsules(a: &Solid<'_>, b: &Solid<'_>, out: &mut Buffer) {
    let side = |solid: &Solid<'_>| Side { points: solid.segment(0), ends: [0, 1], edge: 0 };
    let (a, b) = (side(a), side(b));
    let at = nearest(&a.points, &b.points);
    let arm = at.a - at.b;
    let distance = arm.norm();
    let scale = (a.points[1] - a.points[0]).norm() + (b.points[1] - b.points[0]).norm();
    let normal = if distance > 1e-12 * scale {
        arm / distance
    } else {
        crossing_normal(&a.points, &b.points)
    };
    add_contacts(&a, &b, &at, &normal, out);
}
