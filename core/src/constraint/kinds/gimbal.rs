//! Joints that turn freely about a point, or move freely: spherical, gimbal, spherical with the
//! angles of D seen from C, free. Angles are roll about z, pitch about the turned y, yaw about the
//! turned x.

use std::f64::consts::PI;

use nalgebra::UnitQuaternion;

use super::{Kinematics, POINT, Products, Turns};
use crate::Vec3;
use crate::constraint::scalar::nearest_turn;
use crate::constraint::{CoordinateSpec, Pose, Quantity, Range, RelativePose, Scalar};

/// Below this cosine of the pitch the roll is noise of more than 1e-6 rad and keeps its last value;
/// the yaw makes up for it.
const LOCKED: f64 = 1e-10;

/// Rz(roll) Ry(pitch) Rx(yaw).
fn rotation(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(q[2], q[1], q[0])
}

/// Roll, pitch, yaw of a rotation. Of the two triples that give it, (r, p, y) and
/// (r + pi, pi - p, y + pi), the one nearer to `previous`.
fn angles<S: Scalar>(t: &RelativePose<S>, previous: &[f64], q: &mut [S]) {
    let r = t.matrix();
    let roll = roll(&r, previous);
    q.copy_from_slice(&[roll, pitch(&r, roll), yaw(&r, roll)]);
}

fn roll<S: Scalar>(r: &[[S; 3]; 3], previous: &[f64]) -> S {
    let (x, y) = (r[0][0].value(), r[1][0].value());
    if x.abs() + y.abs() < LOCKED {
        let kept = if previous[0].is_finite() { previous[0] } else { 0.0 };
        return S::constant(kept);
    }
    let roll = S::angle_of(r[1][0], r[0][0]);
    let values = r.map(|row| row.map(S::value));
    let distance = |roll: f64| -> f64 {
        [roll, pitch(&values, roll), yaw(&values, roll)]
            .iter()
            .zip(previous)
            .map(|(&angle, &last)| (nearest_turn(angle, last) - last).abs())
            .sum()
    };
    let half_turn = if roll.value() > 0.0 { -PI } else { PI };
    let other = roll.value() + half_turn;
    if distance(other) < distance(roll.value()) { roll.offset(half_turn) } else { roll }
}

/// With the roll undone, the first column is (cos pitch, 0, -sin pitch).
fn pitch<S: Scalar>(r: &[[S; 3]; 3], roll: S) -> S {
    S::angle_of(-r[2][0], roll.cos() * r[0][0] + roll.sin() * r[1][0])
}

/// With the roll undone, the second row is (0, cos yaw, -sin yaw). Taken after the roll, so that
/// the three angles give back the rotation near the gimbal lock too.
fn yaw<S: Scalar>(r: &[[S; 3]; 3], roll: S) -> S {
    let (s, c) = (roll.sin(), roll.cos());
    S::angle_of(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1])
}

/// Point on point, without coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Spherical;

impl Kinematics for Spherical {
    const COORDINATES: &'static [CoordinateSpec] = &[];
    const ROWS: &'static [Quantity] = &POINT;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::All)
    }

    fn pose(&self, _q: &[f64]) -> Pose {
        Pose::identity()
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g.copy_from_slice(&t.position);
    }

    fn coordinates<S: Scalar>(&self, _t: &RelativePose<S>, _previous: &[f64], _q: &mut [S]) {}
}

const RANGED: [CoordinateSpec; 3] = [
    CoordinateSpec::angle("roll", Range::HALF_TURN),
    CoordinateSpec::angle("pitch", Range::QUARTER_TURN),
    CoordinateSpec::angle("yaw", Range::HALF_TURN),
];

/// Point on point, with the angles of C seen from D.
#[derive(Clone, Copy)]
pub(crate) struct Gimbal;

impl Kinematics for Gimbal {
    const COORDINATES: &'static [CoordinateSpec] = &RANGED;
    const ROWS: &'static [Quantity] = &POINT;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::All)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::zeros().into(), rotation(q))
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g.copy_from_slice(&t.position);
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, previous: &[f64], q: &mut [S]) {
        angles(t, previous, q);
    }
}

/// Point on point, with the angles of D seen from C.
#[derive(Clone, Copy)]
pub(crate) struct SphericalRpy;

impl Kinematics for SphericalRpy {
    const COORDINATES: &'static [CoordinateSpec] = &RANGED;
    const ROWS: &'static [Quantity] = &POINT;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::All)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::zeros().into(), rotation(q).inverse())
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g.copy_from_slice(&t.position);
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, previous: &[f64], q: &mut [S]) {
        angles(&t.rotation_reversed(), previous, q);
    }
}

/// No constraint; position and angles of C seen from D.
#[derive(Clone, Copy)]
pub(crate) struct Free;

impl Kinematics for Free {
    const COORDINATES: &'static [CoordinateSpec] = &[
        CoordinateSpec::length("x"),
        CoordinateSpec::length("y"),
        CoordinateSpec::length("z"),
        CoordinateSpec::angle("roll", Range::FREE),
        CoordinateSpec::angle("pitch", Range::FREE),
        CoordinateSpec::angle("yaw", Range::FREE),
    ];
    const ROWS: &'static [Quantity] = &[];

    fn products(&self) -> Option<Products> {
        Products::of(&[], Turns::All)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::from_parts(Vec3::new(q[0], q[1], q[2]).into(), rotation(&q[3..]))
    }

    fn errors<S: Scalar>(&self, _t: &RelativePose<S>, _g: &mut [S]) {}

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, previous: &[f64], q: &mut [S]) {
        q[..3].copy_from_slice(&t.position);
        angles(t, &previous[3..], &mut q[3..]);
    }
}
