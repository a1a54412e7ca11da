//! Joints of two turns, roll about z of D and pitch about an axis of C: universal, skewed
//! universal, roll-pitch, fixed axis. One row holds the angle between the two axes.

use nalgebra::UnitQuaternion;

use super::{Kinematics, Products, Turns, Z};
use crate::Vec3;
use crate::constraint::Quantity::{Angle, Length};
use crate::constraint::{CoordinateSpec, Pose, Quantity, Range, RelativePose, Scalar};

const ROLL: CoordinateSpec = CoordinateSpec::angle("roll", Range::FREE);
const PITCH: CoordinateSpec = CoordinateSpec::angle("pitch", Range::FREE);

/// Roll about z, then pitch about (0, cos skew, sin skew).
fn roll_pitch(roll: f64, pitch: f64, skew: f64) -> UnitQuaternion<f64> {
    let axis = Vec3::new(0.0, skew.cos(), skew.sin());
    UnitQuaternion::new(Vec3::z() * roll) * UnitQuaternion::new(axis * pitch)
}

/// The pitch axis of C in D, and the z row of the rotation in axes whose y is the pitch axis.
struct Axes<S> {
    pitch_axis: [S; 3],
    z_row: [S; 3],
}

impl<S: Scalar> Axes<S> {
    /// Columns of R Rx(skew): x stays, y goes to the pitch axis.
    fn new(t: &RelativePose<S>, skew: f64) -> Self {
        let (s, c) = skew.sin_cos();
        let r = t.matrix();
        let pitch_axis = r.map(|row| row[1] * c + row[2] * s);
        Self { pitch_axis, z_row: [r[2][0], pitch_axis[2], r[2][2] * c - r[2][1] * s] }
    }

    /// Elevation of the pitch axis over the xy plane of D [rad], in [-pi/2, pi/2].
    fn elevation(&self) -> S {
        let [x, y, z] = self.pitch_axis;
        S::angle_of(z, (x.squared() + y.squared()).root(1.0))
    }

    fn roll(&self) -> S {
        S::angle_of(-self.pitch_axis[0], self.pitch_axis[1])
    }

    fn pitch(&self) -> S {
        S::angle_of(-self.z_row[0], self.z_row[2])
    }
}

/// Roll and pitch with an angle of pi/2 - `skew` between their axes.
#[derive(Clone, Copy)]
pub(crate) struct Universal {
    /// [rad], in (-pi/2, pi/2).
    pub skew: f64,
}

impl Kinematics for Universal {
    const COORDINATES: &'static [CoordinateSpec] = &[ROLL, PITCH];
    const ROWS: &'static [Quantity] = &[Length, Length, Length, Angle];
    const AXES: &'static [[f32; 3]] = &Z;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::Skew(self.skew))
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::zeros().into(), roll_pitch(q[0], q[1], self.skew))
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..3].copy_from_slice(&t.position);
        g[3] = Axes::new(t, self.skew).elevation().offset(-self.skew);
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        let axes = Axes::new(t, self.skew);
        q[0] = axes.roll();
        q[1] = axes.pitch();
    }
}

/// Universal with the angles of D seen from C: D rolls about z of C, then pitches about its own y.
#[derive(Clone, Copy)]
pub(crate) struct RollPitch;

impl Kinematics for RollPitch {
    const COORDINATES: &'static [CoordinateSpec] = &[ROLL, PITCH];
    const ROWS: &'static [Quantity] = &[Length, Length, Length, Angle];

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::Reversed)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::zeros().into(), roll_pitch(q[0], q[1], 0.0).inverse())
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..3].copy_from_slice(&t.position);
        g[3] = Axes::new(&t.rotation_reversed(), 0.0).elevation();
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        let axes = Axes::new(&t.rotation_reversed(), 0.0);
        q[0] = axes.roll();
        q[1] = axes.pitch();
    }
}

/// The rotation of a universal joint, the position free.
#[derive(Clone, Copy)]
pub(crate) struct FixedAxis;

impl Kinematics for FixedAxis {
    const COORDINATES: &'static [CoordinateSpec] = &[
        CoordinateSpec::length("x"),
        CoordinateSpec::length("y"),
        CoordinateSpec::length("z"),
        ROLL,
        PITCH,
    ];
    const ROWS: &'static [Quantity] = &[Angle];

    fn products(&self) -> Option<Products> {
        Products::of(&[], Turns::Skew(0.0))
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::new(q[0], q[1], q[2]).into(), roll_pitch(q[3], q[4], 0.0))
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[0] = Axes::new(t, 0.0).elevation();
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        let axes = Axes::new(t, 0.0);
        q[..3].copy_from_slice(&t.position);
        q[3] = axes.roll();
        q[4] = axes.pitch();
    }
}
