//! Smooth surfaces on bodies and on the ground that springs and muscles wrap over.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::kinds::FrameSite;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Range, Transformation, choices,
    properties,
};

/// Kind of a wrap surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapShape {
    /// A sphere of `radius`.
    Sphere,
    /// A cylinder of `radius` about z, as long as `half_length` says.
    Cylinder,
    /// An ellipsoid with half axes `radii`.
    Ellipsoid,
    /// A torus about z: a tube of `radius` about a circle of `ring_radius`.
    Torus,
}

choices!(WrapShape {
    Sphere => "sphere", Cylinder => "cylinder", Ellipsoid => "ellipsoid", Torus => "torus",
});

/// Side on which paths pass a cylinder or a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapTurn {
    /// The shorter way.
    Shortest,
    /// Anticlockwise from the first point of a path to the last, seen against z.
    Positive,
    /// Clockwise.
    Negative,
    /// On the side of a point outside, also of a sphere; through the ring if the point is inside.
    Side,
}

choices!(WrapTurn {
    Shortest => "shortest", Positive => "positive", Negative => "negative", Side => "side",
});

/// Half of a surface that paths go round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapSide {
    /// Either: the shorter way.
    #[default]
    Any,
    /// That where x is positive in its frame.
    PositiveX,
    /// That where x is negative.
    NegativeX,
    /// That where y is positive.
    PositiveY,
    /// That where y is negative.
    NegativeY,
    /// That where z is positive; of a torus its hole.
    PositiveZ,
    /// That where z is negative; of a torus its hole.
    NegativeZ,
}

choices!(WrapSide {
    Any => "any", PositiveX => "+x", NegativeX => "-x", PositiveY => "+y", NegativeY => "-y",
    PositiveZ => "+z", NegativeZ => "-z",
});

/// Kind of the paths over an ellipsoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapMethod {
    /// The shortest.
    #[default]
    Geodesic,
    /// In a plane through a top beside the line (Delp1995, Seth2018), as in OpenSim: that of `Axial` for lines along an axis, else
    /// the mean of the directions to the nearest points of the surface.
    Hybrid,
    /// The same with the point nearest to the middle of the chord.
    Midpoint,
    /// The same with the point nearest to the chord in the plane of the two axes that it is the least along.
    Axial,
}

choices!(WrapMethod {
    Geodesic => "geodesic", Hybrid => "hybrid", Midpoint => "midpoint", Axial => "axial",
});

/// A surface that springs and muscles through several points wrap over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrapSurface {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its shape.
    pub shape: WrapShape,
    /// Radius of a sphere, a cylinder, or the tube of a torus [m].
    pub radius: f64,
    /// Half axes of an ellipsoid along x, y, z [m].
    pub radii: Vec3,
    /// Radius of the circle that the tube of a torus is about [m].
    pub ring_radius: f64,
    /// Half the length of a cylinder [m]; 0 for one without end.
    pub half_length: f64,
    /// Sense of paths about a cylinder, or their side of it.
    pub turn: WrapTurn,
    /// Half that paths go round.
    #[serde(default)]
    pub side: WrapSide,
    /// The point that says which side paths take, in its frame [m].
    #[serde(default)]
    pub side_point: Vec3,
    /// Kind of the paths over an ellipsoid.
    #[serde(default)]
    pub method: WrapMethod,
    /// Its frame: on a body, in the axes of which it stays, or on the ground.
    pub site: FrameSite,
    /// True if anything wraps over it.
    pub enabled: bool,
}

/// Size of a surface that was not given one [m].
const DEFAULT_SIZE: f64 = 0.01;

/// Radius of the ring of a torus that was not given one [m].
const DEFAULT_RING: f64 = 0.03;

impl WrapSurface {
    fn new(shape: WrapShape, site: FrameSite) -> Self {
        Self {
            name: String::new(),
            shape,
            radius: DEFAULT_SIZE,
            radii: Vec3::repeat(DEFAULT_SIZE),
            ring_radius: DEFAULT_RING,
            half_length: 0.0,
            turn: WrapTurn::Shortest,
            side: WrapSide::Any,
            side_point: Vec3::zeros(),
            method: WrapMethod::Geodesic,
            site,
            enabled: true,
        }
    }

    /// A sphere about the origin of a frame, from its radius [m].
    pub fn sphere(site: FrameSite, radius: f64) -> Self {
        Self { radius, ..Self::new(WrapShape::Sphere, site) }
    }

    /// A cylinder without end about the z axis of a frame, from its radius [m].
    pub fn cylinder(site: FrameSite, radius: f64) -> Self {
        Self { radius, ..Self::new(WrapShape::Cylinder, site) }
    }

    /// The same passed on the side of a point in its frame [m]; a path goes through the ring of a point inside.
    pub fn on_side(self, point: Vec3) -> Self {
        Self { turn: WrapTurn::Side, side_point: point, ..self }
    }

    /// An ellipsoid with half axes along those of a frame [m].
    pub fn ellipsoid(site: FrameSite, radii: Vec3) -> Self {
        Self { radii, ..Self::new(WrapShape::Ellipsoid, site) }
    }

    /// A torus about the z axis of a frame, from the radii of its ring and of its tube [m].
    pub fn torus(site: FrameSite, ring_radius: f64, radius: f64) -> Self {
        Self { ring_radius, radius, ..Self::new(WrapShape::Torus, site) }
    }

    /// Sizes are positive, and a torus has a hole.
    fn check_sizes(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("body", self.site.body)?;
        let positive = |at: &'static str, value: f64| match Range::POSITIVE.contains(value) {
            true => Ok(()),
            false => Err(Problem::OutOfRange { value, range: Range::POSITIVE }.at(at)),
        };
        match self.shape {
            WrapShape::Sphere | WrapShape::Cylinder => positive("radius", self.radius),
            WrapShape::Ellipsoid => self.radii.iter().try_for_each(|&r| positive("radii", r)),
            WrapShape::Torus => {
                positive("radius", self.radius)?;
                if self.ring_radius > self.radius {
                    return Ok(());
                }
                let (value, must) = (self.ring_radius, "more than the radius of the tube");
                Err(Problem::Entry { what: "radius", value, must }.at("ring_radius"))
            }
        }
    }
}

impl Default for WrapSurface {
    fn default() -> Self {
        Self::new(WrapShape::Sphere, FrameSite::ground(Pose::identity()))
    }
}

impl ModelComponent for WrapSurface {
    const HOME: Option<&'static str> = Some("wrap_surfaces");
    const MOVED: Invalidates = Invalidates::GEOMETRY.and(Invalidates::RENDER);

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.site.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.site.redirect(map);
    }

    /// Its frame moves, and its sizes change along the axes of that.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if let Some(image) = transformation.put_site(&mut self.site, 2)? {
            let along = Vec3::from_fn(|k, _| image.along(k));
            self.radii.component_mul_assign(&along);
            self.side_point.component_mul_assign(&along);
            self.radius *= match self.shape {
                WrapShape::Cylinder => image.across(),
                WrapShape::Sphere | WrapShape::Ellipsoid | WrapShape::Torus => image.mean(),
            };
            self.ring_radius *= image.across();
            self.half_length *= image.along(2);
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sizes(model)
    }

    properties! { WrapSurface {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if anything wraps over it", own (enabled);
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that it is on; empty for the ground",
            reference (|it| it.site.addresses(), |it, to| it.site.put(to)), check WrapSurface::check_sizes;
        "pose": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Its frame, in that of its body or of the world: position, then the quaternion i j k w", own (site.pose);
        "shape": WrapShape = WrapShape::Sphere, "", FINITE, STRUCTURE, "What it is: a sphere, a cylinder about z, an ellipsoid, or a torus about z", own (shape), check WrapSurface::check_sizes;
        "radius": f64 = DEFAULT_SIZE, "m", POSITIVE, GEOMETRY, "Radius of a sphere, a cylinder, or the tube of a torus", own (radius), check WrapSurface::check_sizes;
        "radii": Vec3 = Vec3::repeat(DEFAULT_SIZE), "m", POSITIVE, GEOMETRY, "Half axes of an ellipsoid along x, y, z", own (radii);
        "ring_radius": f64 = DEFAULT_RING, "m", POSITIVE, GEOMETRY, "Radius of the circle that the tube of a torus is about; more than that of the tube", own (ring_radius), check WrapSurface::check_sizes;
        "half_length": f64 = 0.0, "m", NOT_NEGATIVE, GEOMETRY, "Half the length of a cylinder, beyond the ends of which paths do not wrap; 0 for one without end", own (half_length);
        "turn": WrapTurn = WrapTurn::Shortest, "", FINITE, STRUCTURE, "Sense of paths about a cylinder, from their first point to their last, seen against z: the shorter way, or always anticlockwise (positive) or clockwise (negative); of a sphere and of a cylinder without end too, on the side of a point (side_point)", own (turn);
        "side": WrapSide = WrapSide::Any, "", FINITE, STRUCTURE, "Half of it that paths go round, by an axis of its frame: a cylinder leads paths back that pass it on the other side, spheres and ellipsoids those that are in their way; a torus leads paths through its hole. A surface with a side bends one segment of a path", own (side);
        "side_point": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "With turn side, the point in its frame on whose side paths go; where it is nearer than the radius, they go through the circle, not round it", own (side_point);
        "method": WrapMethod = WrapMethod::Geodesic, "", FINITE, STRUCTURE, "Kind of the paths over an ellipsoid: geodesic, the shortest; or in a plane as OpenSim finds it (hybrid, midpoint, axial), longer by up to some mm, where the pull is along the straight parts and is not the derivative of the length", own (method);
    } }
}
