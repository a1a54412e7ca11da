//! Surfaces that strings wrap over, in their own frames: normals, curvatures, sizes.

use super::{Mat3, Vec3};

/// Source of the top of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Top {
    /// The point nearest to the middle of the chord.
    Midpoint,
    /// The point nearest to where the line crosses the plane of the two axes that it is the least along, of the section there.
    Axial,
    /// That of `Axial` for lines along an axis, else the mean of the directions to the nearest points along the chord.
    Hybrid,
}

/// An ellipsoid with paths in planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sections {
    /// Half axes along x, y, z [m].
    pub(crate) radii: Vec3,
    /// Source of the top.
    pub(crate) top: Top,
}

/// Sense in which a string turns about the z axis of a cylinder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The way that is shorter; both are as long at half a turn, where the path changes sides.
    #[default]
    Shortest,
    /// Anticlockwise from its first point to its second, seen against the z axis; up to a whole turn.
    Positive,
    /// Clockwise.
    Negative,
}

/// Kind of a surface that has sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// A sphere.
    Sphere,
    /// A cylinder about z without end.
    Cylinder,
}

/// A surface that is passed on one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sided {
    /// Its kind.
    pub(crate) round: Round,
    /// Its radius [m].
    pub(crate) radius: f64,
    /// The point [m]: outside, that on whose side paths go; inside, paths go through the circle.
    pub(crate) side: Vec3,
}

impl Sided {
    /// The same without sides.
    pub(super) fn plain(&self) -> Surface {
        let radius = self.radius;
        match self.round {
            Round::Sphere => Surface::Sphere { radius },
            Round::Cylinder => {
                Surface::Cylinder { radius, half_length: f64::INFINITY, turn: Turn::Shortest }
            }
        }
    }
}

/// A surface in its own frame, centred at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Surface {
    /// A sphere.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A cylinder about z without end.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half its length [m]: a path that would touch it beyond one end alone does not touch it. May be infinite.
        half_length: f64,
        /// Sense of paths about it.
        turn: Turn,
    },
    /// A sphere or a cylinder without end that is passed on one side.
    Sided(Sided),
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes along x, y, z [m].
        radii: Vec3,
    },
    /// An ellipsoid with paths in planes.
    Sections(Sections),
    /// A torus about z.
    Torus {
        /// Radius of the circle that the tube is about [m].
        ring: f64,
        /// Radius of the tube [m], below `ring`.
        tube: f64,
    },
}

impl Surface {
    /// True if the line between two points in its frame stays outside a sphere or a cylinder about it, so that no
    /// shortest path touches it; one that has to turn one way may touch all the same.
    pub(super) fn is_clear_of(&self, [from, to]: [&Vec3; 2]) -> bool {
        let across = Vec3::new(1.0, 1.0, 0.0);
        let (radius, from, to) = match *self {
            Self::Sphere { radius } => (radius, *from, *to),
            Self::Cylinder { radius, turn: Turn::Shortest, .. } => {
                (radius, from.component_mul(&across), to.component_mul(&across))
            }
            Self::Ellipsoid { radii } | Self::Sections(Sections { radii, .. }) => {
                (radii.max(), *from, *to)
            }
            Self::Torus { ring, tube } => (ring + tube, *from, *to),
            Self::Cylinder { turn: Turn::Positive | Turn::Negative, .. } | Self::Sided(_) => {
                return false;
            }
        };
        let along = to - from;
        let share = (-from.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        // Written so that what is not a number is not clear.
        (from + along * share).norm_squared() > radius * radius
    }
}

/// A unit normal out of a surface, and how it turns: its derivative along tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) normal: Vec3,
    /// dn/dp, symmetric, zero along the normal [1/m].
    pub(super) turning: Mat3,
}

/// A point of a surface with a direction of it: the frame of Darboux, and the curvatures along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Darboux {
    pub(super) point: Vec3,
    pub(super) tangent: Vec3,
    pub(super) normal: Vec3,
    /// The normal times the tangent.
    pub(super) binormal: Vec3,
    /// Normal curvatures along the tangent and the binormal, positive where the surface is convex \[1/m\].
    pub(super) curvature: f64,
    pub(super) across: f64,
    /// Turn of the normal towards the binormal along the tangent \[1/m\].
    pub(super) torsion: f64,
}

impl Shape {
    /// Of a level set with this gradient and this matrix of second derivatives.
    fn of_level_set(gradient: &Vec3, second: &Mat3) -> Self {
        let size = gradient.norm();
        let normal = gradient / size;
        let across = Mat3::identity() - normal * normal.transpose();
        Self { normal, turning: across * second * across / size }
    }

    fn of_directions(normal: Vec3, principal: [(Vec3, f64); 2]) -> Self {
        let [(d, k), (e, l)] = principal;
        Self { normal, turning: d * d.transpose() * k + e * e.transpose() * l }
    }
}

impl Surface {
    /// Normal and curvature at a point on the surface, or near it [m].
    pub(super) fn shape(&self, p: &Vec3) -> Shape {
        match *self {
            Self::Sided(it) => it.plain().shape(p),
            Self::Sections(it) => it.plain().shape(p),
            Self::Sphere { radius } => {
                Shape::of_level_set(p, &(Mat3::identity() * (p.norm() / radius)))
            }
            Self::Cylinder { radius, .. } => {
                let normal = Vec3::new(p.x, p.y, 0.0).normalize();
                let around = Vec3::new(-normal.y, normal.x, 0.0);
                Shape::of_directions(normal, [(around, 1.0 / radius), (Vec3::z(), 0.0)])
            }
            Self::Ellipsoid { radii } => {
                let weights = radii.map(|a| 1.0 / (a * a));
                Shape::of_level_set(&weights.component_mul(p), &Mat3::from_diagonal(&weights))
            }
            Self::Torus { ring, .. } => {
                let (outward, from_ring) = from_ring(p, ring);
                let tube = from_ring.norm();
                let normal = from_ring / tube;
                let along = Vec3::new(-outward.y, outward.x, 0.0);
                let about = outward.dot(&normal) / outward.dot(p);
                Shape::of_directions(normal, [(along, about), (along.cross(&normal), 1.0 / tube)])
            }
        }
    }

    /// The frame at a point of the surface, in the direction that is left of `direction` in its tangent plane.
    pub(super) fn darboux(&self, point: Vec3, direction: &Vec3) -> Darboux {
        let Shape { normal, turning } = self.shape(&point);
        let tangent = (direction - normal * normal.dot(direction)).normalize();
        let binormal = normal.cross(&tangent);
        let turned = turning * tangent;
        Darboux {
            point,
            tangent,
            normal,
            binormal,
            curvature: turned.dot(&tangent),
            across: (turning * binormal).dot(&binormal),
            torsion: turned.dot(&binormal),
        }
    }

    /// A point of the surface near a point that is almost on it [m].
    pub(super) fn project(&self, p: &Vec3) -> Vec3 {
        match *self {
            Self::Sided(it) => it.plain().project(p),
            Self::Sections(it) => it.plain().project(p),
            Self::Sphere { radius } => p * (radius / p.norm()),
            Self::Cylinder { radius, .. } => {
                let scale = radius / p.xy().norm();
                Vec3::new(p.x * scale, p.y * scale, p.z)
            }
            Self::Ellipsoid { radii } => p / p.component_div(&radii).norm(),
            Self::Torus { ring, tube } => {
                let (outward, from_ring) = from_ring(p, ring);
                outward * ring + from_ring * (tube / from_ring.norm())
            }
        }
    }

    /// True if a point [m] is inside by more than rounding.
    pub(super) fn contains(&self, p: &Vec3) -> bool {
        let depth = match *self {
            Self::Sided(it) => return it.plain().contains(p),
            Self::Sections(it) => return it.plain().contains(p),
            Self::Sphere { radius } => p.norm() / radius,
            Self::Cylinder { radius, .. } => p.xy().norm() / radius,
            Self::Ellipsoid { radii } => p.component_div(&radii).norm(),
            Self::Torus { ring, tube } => from_ring(p, ring).1.norm() / tube,
        };
        depth < 1.0 - ON_SURFACE
    }

    /// Length that steps along the surface are measured by [m].
    pub(super) fn size(&self) -> f64 {
        match *self {
            Self::Sided(it) => it.radius,
            Self::Sphere { radius } | Self::Cylinder { radius, .. } => radius,
            Self::Ellipsoid { radii } | Self::Sections(Sections { radii, .. }) => radii.min(),
            Self::Torus { tube, .. } => tube,
        }
    }
}

/// Ends of strings that lie on a surface are outside it: sums of coordinates round to 1e-16 of them, and tangent points
/// that serve as ends for other obstacles are good to 1e-12.
pub(super) const ON_SURFACE: f64 = 1e-9;

/// The unit vector from the axis z to a point, and the point seen from the nearest point of a circle about z [m].
pub(super) fn from_ring(p: &Vec3, ring: f64) -> (Vec3, Vec3) {
    let outward = Vec3::new(p.x, p.y, 0.0).try_normalize(0.0).unwrap_or_else(Vec3::x);
    (outward, p - outward * ring)
}
