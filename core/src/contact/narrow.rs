//! Contacts of one pair that is near, in the frame of its second member: which method for which
//! kinds.

use super::bounds::Bounds;
use super::mesh::MeshSolid;
use super::mesh_pair::{self, Beside};
use super::patch::Overlap;
use super::point::Foot;
use super::polytope::{Polytope, Solid};
use super::reduce::{MOST, reduce, reduce_directions, reduce_pair};
use super::segment::{Side, add_contacts, crossing_normal, nearest};
use super::shape::Skeleton;
use super::support::{Core, Disk};
use super::touch::{Buffer, Feature, Touch};
use super::{PairSearch, Shape, flat, half_space, round};
use crate::{Mat3, Vec3};

/// Normals of faces that hold a point apart: they differ by more than 8 degrees. Those of a finely faceted hollow do not.
const PARTED: f64 = 0.99;

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

    /// Greatest distance of its smooth surface from its triangles [m]; zero for all but meshes.
    pub(super) fn sag(&self) -> f64 {
        if let Shape::Mesh(mesh) = &self.shape { mesh.sag() } else { 0.0 }
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
            self.add_foot((i, p, radius), b.shape.foot(p, b.size()), margin);
        }
    }

    fn add_foot(&mut self, (i, p, radius): (u32, &Vec3, f64), foot: Foot, margin: f64) {
        if foot.gap - radius <= margin {
            let surface = p - foot.normal * foot.gap;
            let mut touch = Touch::between(Feature::CornerOfA(i), *p, surface, foot.normal);
            touch.gap = foot.gap;
            self.touches.push(touch.inflated(radius, 0.0));
        }
    }

    /// Leaves and adds contacts of two parts, the first at a place in the frame of the second, as their pair asks for; `last` are the
    /// keys of last step.
    pub(super) fn finish(
        &mut self,
        [a, b]: [&Part; 2],
        (place, last): (&Vec3, &[u64]),
        margins: [f64; 2],
        search: PairSearch,
    ) {
        match (&a.shape, &b.shape, search.most) {
            (Shape::Sphere { radius }, _, _) => {
                self.finish_point(((0, place, *radius), 0), b, margins, search);
            }
            (_, Shape::Mesh(_), Some(most)) => self.keep_few(last, most, margins[0]),
            _ => {}
        }
    }

    /// Finds the contacts of a ball beside a mesh, whose first may be number `first`, as their pair asks for: one with the smooth
    /// surface, or one with each of the faces that it lies between. Distances [m]: up to which contacts are looked for, and by
    /// which the ball is lifted at least.
    pub(super) fn finish_point(
        &mut self,
        (ball, first): ((u32, &Vec3, f64), usize),
        b: &Part,
        [margin, lift]: [f64; 2],
        search: PairSearch,
    ) {
        let Shape::Mesh(mesh) = &b.shape else { return };
        if search.is_smooth {
            self.touches.truncate(first);
            self.add_foot(ball, mesh.smooth_foot(ball.1), margin);
        }
        if let (true, Some(nearest)) = (search.is_between, self.touches.get(first).copied()) {
            self.add_faces_beside((ball, first), (mesh, &nearest), [margin, lift]);
        }
    }

    /// Adds contacts with faces that the centre of a ball is right over once it is lifted off its nearest contact, number `first`,
    /// and whose normals differ.
    fn add_faces_beside(
        &mut self,
        ((i, p, radius), first): ((u32, &Vec3, f64), usize),
        (mesh, nearest): (&MeshSolid, &Touch),
        [margin, lift]: [f64; 2],
    ) {
        let found = &mut self.overlap.found;
        found.clear();
        let lifted = nearest.b + nearest.normal * (nearest.gap + radius).max(lift);
        mesh.visit_faces_below(&lifted, margin + radius + lift, &mut |face, below| {
            let normal = (lifted - below).normalize();
            let height = (p - below).dot(&normal);
            let key = u64::from(face + 1) << 32 | u64::from(i);
            let touch = Touch { key, a: *p, b: p - normal * height, normal, gap: height };
            found.extend(Some(touch.inflated(radius, 0.0)).filter(|it| it.gap <= margin));
        });
        found.sort_unstable_by(|a, b| a.gap.total_cmp(&b.gap).then(a.key.cmp(&b.key)));
        for touch in found {
            let kept = &self.touches[first..];
            if kept.len() < MOST && kept.iter().all(|it| it.normal.dot(&touch.normal) < PARTED) {
                self.touches.push(*touch);
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

    /// Leaves some contacts of a pair of rigid meshes where there are more, and last step's of them as far as they serve.
    fn keep_few(&mut self, last: &[u64], most: usize, reach: f64) {
        if self.touches.len() > most {
            let found = &mut self.overlap.found;
            std::mem::swap(found, &mut self.touches);
            reduce_pair(found, last, (most, reach), &mut self.touches);
        }
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
