//! The solids that can be touched: the one list of them, and all that is known of each. Formulas for the distance of
//! a point: `point.rs`; surfaces to be drawn: `snapshot/solids.rs`.

use nalgebra::UnitQuaternion;
use serde::{Deserialize, Serialize};

use super::bounds::Bounds;
use super::point::{Foot, to_ball, to_box, to_capsule, to_cylinder, to_polytope};
use super::polytope::Polytope;
use super::{ContactError, ConvexHull, MeshSolid};
use crate::Vec3;
use crate::geometry::{SurfaceMesh, cuboid_mesh};

/// Largest size of a shape [m]: beside it, distances have digits down to 1e-9 m; of 1e300 m products overflow.
const LARGEST: f64 = 1e6;

/// A solid that can be touched, in a frame of its own. Hull, points and mesh are given, or stand for those of a
/// body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape<Hull = ConvexHull, Points = Vec<Vec3>, Mesh = MeshSolid> {
    /// Everything at z <= 0.
    HalfSpace,
    /// A ball about the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// All within the radius of a segment along z, centred on the origin.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half the length of the segment [m].
        half_length: f64,
    },
    /// A cylinder along z with flat ends, centred on the origin.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half the distance of the ends [m].
        half_length: f64,
    },
    /// A box along the axes, centred on the origin.
    Box {
        /// Half the lengths of the edges [m].
        half_extents: Vec3,
    },
    /// The convex hull of points.
    #[serde(rename = "hull")]
    Convex(Hull),
    /// Points that move as one, each a ball: the vertices of a mesh.
    #[serde(rename = "vertices")]
    Points {
        /// Centres [m].
        #[serde(skip)]
        points: Points,
        /// Radius of each [m]; may be zero.
        radius: f64,
    },
    /// The solid inside a surface of any shape.
    Mesh(Mesh),
}

/// Stands for the hull, the vertices or the solid of the surface of the body that a collider is on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfBody;

/// The solid of a collider in a model: hull, points and mesh are those of the surface of its body.
pub type ColliderShape = Shape<OfBody, OfBody, OfBody>;

/// Radius, half length and half edges of a shape that was not given them [m].
pub(crate) const DEFAULT_SIZE: f64 = 0.01;

impl ColliderShape {
    /// The convex hull of the surface of the body.
    pub const HULL: Self = Self::Convex(OfBody);
    /// The solid inside the surface of the body.
    pub const MESH: Self = Self::Mesh(OfBody);

    /// Every kind of shape, with sizes by default.
    pub const ALL: [Self; 8] = [
        Self::HalfSpace,
        Self::Sphere { radius: DEFAULT_SIZE },
        Self::Capsule { radius: DEFAULT_SIZE, half_length: DEFAULT_SIZE },
        Self::Cylinder { radius: DEFAULT_SIZE, half_length: DEFAULT_SIZE },
        Self::Box { half_extents: Vec3::new(DEFAULT_SIZE, DEFAULT_SIZE, DEFAULT_SIZE) },
        Self::HULL,
        Self::vertices(0.0),
        Self::MESH,
    ];

    /// Names of the kinds in files and properties, in the order of [`Self::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut k = 0;
        while k < names.len() {
            names[k] = Self::ALL[k].name();
            k += 1;
        }
        names
    };

    /// The vertices of the surface of the body as balls of a radius [m], which may be zero.
    pub const fn vertices(radius: f64) -> Self {
        Self::Points { points: OfBody, radius }
    }

    /// The same made of the surface of a body.
    ///
    /// # Errors
    /// [`ContactError`] where the vertices have no hull, or a mesh no triangles.
    pub fn on_surface(self, surface: &SurfaceMesh) -> Result<Shape, ContactError> {
        Ok(match self {
            Self::HalfSpace => Shape::HalfSpace,
            Self::Sphere { radius } => Shape::Sphere { radius },
            Self::Capsule { radius, half_length } => Shape::Capsule { radius, half_length },
            Self::Cylinder { radius, half_length } => Shape::Cylinder { radius, half_length },
            Self::Box { half_extents } => Shape::Box { half_extents },
            Self::Convex(OfBody) => Shape::Convex(ConvexHull::new(surface.vertices())?),
            Self::Points { points: OfBody, radius } => {
                Shape::Points { points: surface.vertices().to_vec(), radius }
            }
            Self::Mesh(OfBody) => Shape::Mesh(MeshSolid::new(surface)?),
        })
    }

    /// Half the box around it along the axes of the world, turned so [m]; `None` where it has no end, or
    /// is that of a surface.
    pub(crate) fn reach(&self, turn: &UnitQuaternion<f64>) -> Option<Vec3> {
        let turn = turn.to_rotation_matrix().into_inner();
        let along = turn.column(2).abs();
        match *self {
            Self::Sphere { radius } => Some(Vec3::repeat(radius)),
            Self::Capsule { radius, half_length } => {
                Some(along * half_length + Vec3::repeat(radius))
            }
            Self::Cylinder { radius, half_length } => {
                let across = along.map(|a| (1.0 - a * a).max(0.0).sqrt());
                Some(along * half_length + across * radius)
            }
            Self::Box { half_extents } => Some(turn.abs() * half_extents),
            Self::HalfSpace | Self::Convex(_) | Self::Points { .. } | Self::Mesh(_) => None,
        }
    }
}

/// The sizes of a shape, which are properties of a collider.
impl<Hull, Points, Mesh> Shape<Hull, Points, Mesh> {
    /// Name of its kind in files and properties.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::HalfSpace => "half_space",
            Self::Sphere { .. } => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Box { .. } => "box",
            Self::Convex(_) => "hull",
            Self::Points { .. } => "vertices",
            Self::Mesh(_) => "mesh",
        }
    }

    /// The radius [m], of a shape that has one.
    pub fn radius_mut(&mut self) -> Option<&mut f64> {
        match self {
            Self::Sphere { radius }
            | Self::Capsule { radius, .. }
            | Self::Cylinder { radius, .. }
            | Self::Points { radius, .. } => Some(radius),
            Self::HalfSpace | Self::Box { .. } | Self::Convex(_) | Self::Mesh(_) => None,
        }
    }

    /// Half the length [m], of a shape that has one.
    pub fn half_length_mut(&mut self) -> Option<&mut f64> {
        match self {
            Self::Capsule { half_length, .. } | Self::Cylinder { half_length, .. } => {
                Some(half_length)
            }
            Self::HalfSpace
            | Self::Sphere { .. }
            | Self::Box { .. }
            | Self::Convex(_)
            | Self::Points { .. }
            | Self::Mesh(_) => None,
        }
    }

    /// Half the edges [m], of a box.
    pub fn half_extents_mut(&mut self) -> Option<&mut Vec3> {
        match self {
            Self::Box { half_extents } => Some(half_extents),
            Self::HalfSpace
            | Self::Sphere { .. }
            | Self::Capsule { .. }
            | Self::Cylinder { .. }
            | Self::Convex(_)
            | Self::Points { .. }
            | Self::Mesh(_) => None,
        }
    }

    /// True for a half-space.
    pub(crate) fn is_plane(&self) -> bool {
        matches!(self, Self::HalfSpace)
    }

    /// True for points alone.
    pub(crate) fn is_cloud(&self) -> bool {
        matches!(self, Self::Points { .. })
    }

    /// True if it is made of points: those of a surface, in a model.
    pub(crate) fn is_of_points(&self) -> bool {
        matches!(self, Self::Convex(_) | Self::Points { .. } | Self::Mesh(_))
    }

    /// Rank in the order of a pair in the narrow phase: clouds before solids, then meshes,
    /// half-spaces last.
    pub(super) fn rank(&self) -> u32 {
        match self {
            Self::Points { .. } => 0,
            Self::Sphere { .. } => 1,
            Self::Capsule { .. } => 2,
            Self::Cylinder { .. } => 3,
            Self::Box { .. } => 4,
            Self::Convex(_) => 5,
            Self::Mesh(_) => 6,
            Self::HalfSpace => 7,
        }
    }
}

/// A shape without its rounding.
#[derive(Debug, Clone, Copy)]
pub(super) enum Skeleton<'a> {
    /// The plane z = 0.
    Plane,
    /// The origin.
    Point,
    /// Points.
    Cloud(&'a [Vec3]),
    /// A cylinder along z: radius and half its length [m].
    Disk(f64, f64),
    /// [`Shape::polytope`].
    Polytope,
    /// A mesh.
    Mesh(&'a MeshSolid),
}

impl Shape {
    /// Distance of its furthest point from its origin [m]; zero for a half-space, which has none.
    pub fn extent(&self) -> f64 {
        let furthest = |points: &[Vec3]| points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        match self {
            Self::HalfSpace => 0.0,
            Self::Sphere { radius } => *radius,
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Box { half_extents } => half_extents.norm(),
            Self::Convex(hull) => furthest(hull.corners()),
            Self::Points { points, radius } => furthest(points) + radius,
            Self::Mesh(mesh) => furthest(mesh.surface().vertices()),
        }
    }

    /// Curvature of its surface at a point of contact [1/m]: of balls, of the ends of capsules and of vertices with a
    /// radius; none of what is flat.
    pub fn curvature(&self) -> f64 {
        match self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => 1.0 / radius,
            Self::Points { radius, .. } if *radius > 0.0 => 1.0 / radius,
            Self::HalfSpace
            | Self::Cylinder { .. }
            | Self::Box { .. }
            | Self::Convex(_)
            | Self::Points { .. }
            | Self::Mesh(_) => 0.0,
        }
    }

    /// Its surface of triangles, where it is bounded by one: of a mesh, a box and a hull.
    pub(crate) fn triangles(&self) -> Option<SurfaceMesh> {
        match self {
            Self::Mesh(solid) => Some(solid.surface().clone()),
            Self::Box { half_extents } => cuboid_mesh(&(half_extents * 2.0)).ok(),
            Self::Convex(hull) => SurfaceMesh::new(hull.corners().to_vec(), hull.triangles()).ok(),
            Self::HalfSpace
            | Self::Sphere { .. }
            | Self::Capsule { .. }
            | Self::Cylinder { .. }
            | Self::Points { .. } => None,
        }
    }

    /// The name of its kind, as errors give it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::HalfSpace => "half-space",
            Self::Convex(_) => "convex hull",
            Self::Points { .. } => "cloud of points",
            Self::Mesh(_) => "mesh",
            Self::Sphere { .. }
            | Self::Capsule { .. }
            | Self::Cylinder { .. }
            | Self::Box { .. } => self.name(),
        }
    }

    /// The same without its rounding.
    pub(super) fn skeleton(&self) -> Skeleton<'_> {
        match self {
            Self::HalfSpace => Skeleton::Plane,
            Self::Sphere { .. } => Skeleton::Point,
            Self::Points { points, .. } => Skeleton::Cloud(points),
            Self::Cylinder { radius, half_length } => Skeleton::Disk(*radius, *half_length),
            Self::Capsule { .. } | Self::Box { .. } | Self::Convex(_) => Skeleton::Polytope,
            Self::Mesh(mesh) => Skeleton::Mesh(mesh),
        }
    }

    /// Corners and faces of its skeleton; `None` for what has none.
    pub(super) fn polytope(&self) -> Option<Polytope> {
        match self {
            Self::Box { half_extents } => Some(Polytope::cuboid(half_extents)),
            Self::Capsule { half_length, .. } => Some(Polytope::segment(*half_length)),
            Self::Convex(hull) => Some(hull.polytope.clone()),
            Self::HalfSpace
            | Self::Sphere { .. }
            | Self::Cylinder { .. }
            | Self::Points { .. }
            | Self::Mesh(_) => None,
        }
    }

    /// Radius by which all its points are inflated [m]: that of spheres, capsules and clouds.
    pub(super) fn roundness(&self) -> f64 {
        match *self {
            Self::Sphere { radius }
            | Self::Capsule { radius, .. }
            | Self::Points { radius, .. } => radius,
            Self::HalfSpace
            | Self::Cylinder { .. }
            | Self::Box { .. }
            | Self::Convex(_)
            | Self::Mesh(_) => 0.0,
        }
    }

    /// The box around it in its own frame; `None` for a half-space.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        let centred = |half: Vec3| Some(Bounds { low: -half, high: half });
        match self {
            Self::HalfSpace => None,
            Self::Sphere { radius } => centred(Vec3::repeat(*radius)),
            Self::Capsule { radius, half_length } => {
                centred(Vec3::new(*radius, *radius, half_length + radius))
            }
            Self::Cylinder { radius, half_length } => {
                centred(Vec3::new(*radius, *radius, *half_length))
            }
            Self::Box { half_extents } => centred(*half_extents),
            Self::Convex(hull) => Some(Bounds::around(hull.corners().iter().copied())),
            Self::Points { points, radius } => {
                Some(Bounds::around(points.iter().copied()).grown(*radius))
            }
            Self::Mesh(mesh) => Some(Bounds::around(mesh.surface().vertices().iter().copied())),
        }
    }

    /// The nearest point of its surface to a point of its frame; `size` is its extent [m].
    ///
    /// # Panics
    /// For a cloud, which comes first in a pair.
    pub(super) fn foot(&self, p: &Vec3, size: f64) -> Foot {
        match self {
            Self::HalfSpace => Foot { normal: Vec3::z(), gap: p.z },
            Self::Sphere { radius } => to_ball(p, *radius, Vec3::z()),
            Self::Capsule { radius, half_length } => to_capsule(p, *radius, *half_length),
            Self::Cylinder { radius, half_length } => to_cylinder(p, *radius, *half_length),
            Self::Box { half_extents } => to_box(p, half_extents),
            Self::Convex(hull) => to_polytope(p, &hull.polytope.solid(), size),
            Self::Mesh(mesh) => mesh.foot(p),
            Self::Points { .. } => unreachable!("clouds come first in a pair"),
        }
    }

    /// Refuses sizes that are not positive, and those beyond [`LARGEST`].
    pub(super) fn check(&self, collider: usize) -> Result<(), ContactError> {
        let kind = self.kind();
        let size = |what, value: f64| {
            let fits = value > 0.0 && value <= LARGEST;
            fits.then_some(()).ok_or(ContactError::Size { collider, kind, what, value })
        };
        match self {
            Self::HalfSpace | Self::Convex(_) | Self::Mesh(_) => Ok(()),
            Self::Sphere { radius } => size("radius", *radius),
            Self::Capsule { radius, half_length } | Self::Cylinder { radius, half_length } => {
                size("radius", *radius).and(size("half length", *half_length))
            }
            Self::Box { half_extents } => {
                half_extents.iter().try_for_each(|half| size("half extent", *half))
            }
            Self::Points { points, radius } => check_cloud(points, *radius, collider, kind),
        }
    }
}

fn check_cloud(
    points: &[Vec3],
    radius: f64,
    collider: usize,
    kind: &'static str,
) -> Result<(), ContactError> {
    if points.is_empty() {
        return Err(ContactError::NoPoints { what: "collider", index: collider });
    }
    if let Some(point) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(ContactError::PointNotFinite { collider, point });
    }
    if !(0.0..=LARGEST).contains(&radius) {
        return Err(ContactError::Size { collider, kind, what: "radius", value: radius });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_around_a_turned_shape_holds_it_and_is_touched_by_it() {
        let (radius, half_length) = (0.2, 0.5);
        let turn = UnitQuaternion::new(Vec3::new(0.4, 1.0, -0.3));
        // Points of the surfaces, dense enough to come within 1e-3 of the ends.
        let ring = |k: u32| (f64::from(k) * std::f64::consts::TAU / 720.0).sin_cos();
        let corners =
            (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { 0.5 } else { -0.5 }));
        let rim = (0..720).map(ring).flat_map(|(y, x)| {
            [1.0, -1.0].map(|end| Vec3::new(radius * x, radius * y, end * half_length))
        });
        let ball = (0..720 * 360).map(|k| {
            let ((y, x), (s, c)) = (ring(k % 720), ring(k / 720));
            Vec3::new(s * x, s * y, c) * radius + Vec3::z() * (half_length * c.signum())
        });
        let half_extents = Vec3::repeat(0.5);
        for (shape, points) in [
            (ColliderShape::Box { half_extents }, corners.collect::<Vec<_>>()),
            (ColliderShape::Cylinder { radius, half_length }, rim.collect()),
            (ColliderShape::Capsule { radius, half_length }, ball.collect()),
        ] {
            let reach = shape.reach(&turn).unwrap();
            let most = points.iter().fold(Vec3::zeros(), |most, p| most.sup(&(turn * p).abs()));
            let short = reach - most;
            assert!(short.min() > -1e-15 && short.max() < 1e-3, "{shape:?}: {reach} {most}");
        }
        assert_eq!(ColliderShape::HalfSpace.reach(&turn), None);
    }
}
