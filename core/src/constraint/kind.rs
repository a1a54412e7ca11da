//! The list of the kinds of joint, and their functions that need no bodies: coordinates, poses,
//! errors.

use super::kinds::ellipsoid::{Ellipsoid, Ellipsoid3d};
use super::kinds::{Kinematics, Products, gimbal, hinge, slider, universal};
use super::scalar::nearest_turn;
use super::{CoordinateSpec, JointError, Pose, Quantity, RelativePose, Scalar};

/// A kind of joint with its parameters: which poses T_CD of frame C (on body A) seen from frame D
/// (on body B or the ground) are assembled. docs/reference/joints.md has frames, coordinates and signs of
/// each.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JointKind {
    /// C and D coincide.
    Solid,
    /// C turns by theta about z.
    Hinge,
    /// C slides by z along z.
    Slider,
    /// C slides by z along z and turns by theta about it.
    Cylindrical,
    /// C slides by x along x of D and turns by theta about z.
    SlottedHinge,
    /// C rolls about z of D, then pitches about its own y.
    Universal,
    /// Universal with an angle other than 90 degrees between the axes.
    SkewedUniversal(Skew),
    /// D rolls about z of C, then pitches about its own y.
    RollPitch,
    /// Common origin, with roll, pitch, yaw of C seen from D.
    Gimbal,
    /// Common origin, without coordinates.
    Spherical,
    /// Common origin, with roll, pitch, yaw of D seen from C.
    SphericalRpy,
    /// C slides by x and y in the plane z = 0 of D and turns by theta about z.
    Planar,
    /// C slides by x and y in the plane z = 0 of D.
    PlanarTranslation,
    /// No constraint, with position and roll, pitch, yaw of C seen from D.
    Free,
    /// The rotation of a universal joint with a free position.
    FixedAxis,
    /// The origin of C slides on an ellipsoid of D, C turns by theta about the normal and by phi.
    Ellipsoid(EllipsoidShape),
    /// Ellipsoid without phi.
    #[serde(rename = "ellipsoid_3d")]
    Ellipsoid3d(EllipsoidShape),
}

/// Angle by which the axes of a skewed universal joint miss 90 degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Skew {
    /// The pitch axis is (0, cos, sin) of this angle in C [rad], in (-pi/2, pi/2).
    pub skew_angle: f64,
}

/// The surface of an ellipsoid joint.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EllipsoidShape {
    /// Semi-axes along x, y, z of D [m].
    pub semi_axes: [f64; 3],
    /// Angle about z from the x axis of C to the axis of phi [rad] (the winging axis of a scapula).
    #[serde(default)]
    pub wing_angle: f64,
    /// Direction that the z axis of C follows.
    #[serde(default)]
    pub normal: EllipsoidNormal,
}

/// Direction that an ellipsoid joint holds the z axis of C to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EllipsoidNormal {
    /// The normal of the surface.
    #[default]
    Surface,
    /// The direction (x/a, y/b, z/c), which OpenSim takes in place of the normal (Seth2016); the
    /// rotation is then that of turns about x, y, z.
    Scaled,
}

impl Skew {
    /// Axes at 90 degrees.
    const NONE: Self = Self { skew_angle: 0.0 };
}

impl EllipsoidShape {
    /// A sphere of 1 m.
    pub(super) const SPHERE: Self =
        Self { semi_axes: [1.0; 3], wing_angle: 0.0, normal: EllipsoidNormal::Surface };
}

impl Default for EllipsoidShape {
    /// A sphere of 1 m.
    fn default() -> Self {
        Self::SPHERE
    }
}

/// The parameters of a joint, to change.
pub(crate) enum JointParameters<'a> {
    /// It has none.
    None,
    /// Of a skewed universal joint.
    Skew(&'a mut Skew),
    /// Of an ellipsoid joint.
    Ellipsoid(&'a mut EllipsoidShape),
}

/// `with_kinematics!(kind, k => expression)` evaluates the expression with `k` bound to the
/// [`Kinematics`] of the kind: the one place where they are listed.
macro_rules! with_kinematics {
    ($kind:expr, $k:ident => $body:expr) => {{
        macro_rules! with {
            ($kinematics:expr) => {{
                let $k = $kinematics;
                $body
            }};
        }
        match $kind {
            JointKind::Solid => with!(slider::Solid),
            JointKind::Hinge => with!(hinge::Hinge),
            JointKind::Slider => with!(slider::Slider),
            JointKind::Cylindrical => with!(hinge::Cylindrical),
            JointKind::SlottedHinge => with!(hinge::SlottedHinge),
            JointKind::Universal => with!(universal::Universal { skew: 0.0 }),
            JointKind::SkewedUniversal(s) => with!(universal::Universal { skew: s.skew_angle }),
            JointKind::RollPitch => with!(universal::RollPitch),
            JointKind::Gimbal => with!(gimbal::Gimbal),
            JointKind::Spherical => with!(gimbal::Spherical),
            JointKind::SphericalRpy => with!(gimbal::SphericalRpy),
            JointKind::Planar => with!(hinge::Planar),
            JointKind::PlanarTranslation => with!(slider::PlanarTranslation),
            JointKind::Free => with!(gimbal::Free),
            JointKind::FixedAxis => with!(universal::FixedAxis),
            JointKind::Ellipsoid(shape) => with!(ellipsoid(shape)),
            JointKind::Ellipsoid3d(shape) => with!(Ellipsoid3d(ellipsoid(shape))),
        }
    }};
}

fn ellipsoid(shape: &EllipsoidShape) -> Ellipsoid {
    let EllipsoidShape { semi_axes, wing_angle, normal } = *shape;
    Ellipsoid { semi_axes, wing: wing_angle, normal }
}

fn coordinates_of<K: Kinematics>(_: K) -> &'static [CoordinateSpec] {
    K::COORDINATES
}

fn axes_of<K: Kinematics>(_: K) -> &'static [[f32; 3]] {
    K::AXES
}

fn rows_of<K: Kinematics>(_: K) -> &'static [Quantity] {
    K::ROWS
}

impl JointKind {
    /// Every kind, those with parameters at their defaults.
    pub const ALL: [Self; 17] = [
        Self::Solid,
        Self::Hinge,
        Self::Slider,
        Self::Cylindrical,
        Self::SlottedHinge,
        Self::Universal,
        Self::SkewedUniversal(Skew::NONE),
        Self::RollPitch,
        Self::Gimbal,
        Self::Spherical,
        Self::SphericalRpy,
        Self::Planar,
        Self::PlanarTranslation,
        Self::Free,
        Self::FixedAxis,
        Self::Ellipsoid(EllipsoidShape::SPHERE),
        Self::Ellipsoid3d(EllipsoidShape::SPHERE),
    ];

    /// Names of all kinds, in the order of [`Self::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut k = 0;
        while k < names.len() {
            names[k] = Self::ALL[k].name();
            k += 1;
        }
        names
    };

    /// Name of the kind in files and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Cylindrical => "cylindrical",
            Self::SlottedHinge => "slotted_hinge",
            Self::Universal => "universal",
            Self::SkewedUniversal(_) => "skewed_universal",
            Self::RollPitch => "roll_pitch",
            Self::Gimbal => "gimbal",
            Self::Spherical => "spherical",
            Self::SphericalRpy => "spherical_rpy",
            Self::Planar => "planar",
            Self::PlanarTranslation => "planar_translation",
            Self::Free => "free",
            Self::FixedAxis => "fixed_axis",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::Ellipsoid3d(_) => "ellipsoid_3d",
        }
    }

    /// The kind of that [name](Self::name) with default parameters, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its coordinates, in order.
    pub fn coordinate_specs(&self) -> &'static [CoordinateSpec] {
        with_kinematics!(self, k => coordinates_of(k))
    }

    /// Axes that it turns about or slides along, in frame D, as they are drawn.
    pub fn axes(&self) -> &'static [[f32; 3]] {
        with_kinematics!(self, k => axes_of(k))
    }

    /// Its rows as products of vectors; `None` where they are functions of the relative pose alone.
    pub(crate) fn products(&self) -> Option<Products> {
        with_kinematics!(self, k => k.products())
    }

    /// Its parameters.
    pub(crate) fn parameters_mut(&mut self) -> JointParameters<'_> {
        match self {
            Self::SkewedUniversal(skew) => JointParameters::Skew(skew),
            Self::Ellipsoid(shape) | Self::Ellipsoid3d(shape) => JointParameters::Ellipsoid(shape),
            Self::Solid
            | Self::Hinge
            | Self::Slider
            | Self::Cylindrical
            | Self::SlottedHinge
            | Self::Universal
            | Self::RollPitch
            | Self::Gimbal
            | Self::Spherical
            | Self::SphericalRpy
            | Self::Planar
            | Self::PlanarTranslation
            | Self::Free
            | Self::FixedAxis => JointParameters::None,
        }
    }

    /// Quantities that its constraint rows measure, in order: positions before angles.
    pub fn row_quantities(&self) -> &'static [Quantity] {
        with_kinematics!(self, k => rows_of(k))
    }

    /// Number of coordinates: the degrees of freedom, but for the spherical joint, which has none.
    pub fn coordinate_count(&self) -> usize {
        self.coordinate_specs().len()
    }

    /// Number of constraint rows, 0 to 6.
    pub fn row_count(&self) -> usize {
        self.row_quantities().len()
    }

    /// Degrees of freedom that the joint leaves, 0 to 6.
    pub fn freedom(&self) -> usize {
        6 - self.row_count()
    }

    /// T_CD of coordinates [m and rad]; for the spherical joint the identity.
    ///
    /// # Panics
    /// When `q` does not have one value a coordinate.
    pub fn pose(&self, q: &[f64]) -> Pose {
        assert_eq!(q.len(), self.coordinate_count(), "coordinates of a {} joint", self.name());
        with_kinematics!(self, k => k.pose(q))
    }

    /// Coordinates [m and rad] of T_CD, into `q`: where several describe the same pose (whole
    /// turns, the two triples of roll, pitch and yaw), the ones nearest to `previous`. T_CD need
    /// not be assembled.
    ///
    /// # Panics
    /// When `previous` or `q` does not have one value a coordinate.
    pub fn calc_coordinates(&self, t_cd: &Pose, previous: &[f64], q: &mut [f64]) {
        self.coordinates(&RelativePose::of(t_cd), previous, q);
    }

    /// Errors [m or rad] of the constraint rows at T_CD, into `g`; all zero exactly when it is
    /// assembled.
    ///
    /// # Panics
    /// When `g` does not have one value a row.
    pub fn calc_errors(&self, t_cd: &Pose, g: &mut [f64]) {
        assert_eq!(g.len(), self.row_count(), "rows of a {} joint", self.name());
        self.errors(&RelativePose::of(t_cd), g);
    }

    /// Checks the parameters of the kind.
    ///
    /// # Errors
    /// [`JointError::Skew`] for parallel axes, [`JointError::Ellipsoid`] for a surface that is
    /// none.
    pub fn check(&self) -> Result<(), JointError> {
        let mut kind = *self;
        match kind.parameters_mut() {
            JointParameters::None => Ok(()),
            JointParameters::Skew(Skew { skew_angle: angle }) => {
                // Beyond a quarter turn the axis is the same one reversed; at it the axes are parallel.
                let parallel = angle.is_nan() || angle.abs() >= std::f64::consts::FRAC_PI_2;
                if parallel { Err(JointError::Skew { angle: *angle }) } else { Ok(()) }
            }
            JointParameters::Ellipsoid(&mut shape) => {
                let positive = shape.semi_axes.iter().all(|a| a.is_finite() && *a > 0.0);
                let valid = positive && shape.wing_angle.is_finite();
                if valid { Ok(()) } else { Err(JointError::Ellipsoid { shape }) }
            }
        }
    }

    /// The errors, with the derivatives that the scalar has.
    pub(crate) fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        with_kinematics!(self, k => k.errors(t, g));
    }

    /// The coordinates nearest to `previous`, with the derivatives that the scalar has.
    pub(crate) fn coordinates<S: Scalar>(
        &self,
        t: &RelativePose<S>,
        previous: &[f64],
        q: &mut [S],
    ) {
        self.check_coordinate_count(previous.len(), q.len());
        with_kinematics!(self, k => k.coordinates(t, previous, q));
        add_turns(self.coordinate_specs(), previous, q);
    }

    fn check_coordinate_count(&self, previous: usize, q: usize) {
        let count = self.coordinate_count();
        assert_eq!(previous, count, "previous coordinates of a {} joint", self.name());
        assert_eq!(q, count, "coordinates of a {} joint", self.name());
    }
}

/// Moves every angle by whole turns to the value nearest to its previous one.
pub(crate) fn add_turns<S: Scalar>(specs: &[CoordinateSpec], previous: &[f64], q: &mut [S]) {
    for (k, spec) in specs.iter().enumerate() {
        if spec.quantity == Quantity::Angle {
            let angle = q[k].value();
            q[k] = q[k].offset(nearest_turn(angle, previous[k]) - angle);
        }
    }
}
