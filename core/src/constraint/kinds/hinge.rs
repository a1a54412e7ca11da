//! Joints that turn about the z axis of D: hinge, cylindrical, slotted hinge, planar. The z axes of
//! C and D stay parallel: two rows of tilt.

use super::{Kinematics, Products, Turns, Z};
use crate::Vec3;
use crate::constraint::Quantity::{Angle, Length};
use crate::constraint::{CoordinateSpec, Pose, Quantity, Range, RelativePose, Scalar};

/// A pose with C turned by `theta` [rad] about z and moved to `position` [m].
fn turned(position: Vec3, theta: f64) -> Pose {
    Pose::new(position, Vec3::z() * theta)
}

/// theta about z.
#[derive(Clone, Copy)]
pub(crate) struct Hinge;

impl Kinematics for Hinge {
    const COORDINATES: &'static [CoordinateSpec] = &[CoordinateSpec::angle("theta", Range::FREE)];
    const ROWS: &'static [Quantity] = &[Length, Length, Length, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &Z;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::AboutZ)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        turned(Vec3::zeros(), q[0])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..3].copy_from_slice(&t.position);
        g[3..].copy_from_slice(&t.tilt());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[0] = t.twist();
    }
}

/// z along z, theta about it.
#[derive(Clone, Copy)]
pub(crate) struct Cylindrical;

impl Kinematics for Cylindrical {
    const COORDINATES: &'static [CoordinateSpec] =
        &[CoordinateSpec::length("z"), CoordinateSpec::angle("theta", Range::FREE)];
    const ROWS: &'static [Quantity] = &[Length, Length, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &Z;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1], Turns::AboutZ)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        turned(Vec3::new(0.0, 0.0, q[0]), q[1])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..2].copy_from_slice(&t.position[..2]);
        g[2..].copy_from_slice(&t.tilt());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[0] = t.position[2];
        q[1] = t.twist();
    }
}

/// x along the slot in D, theta about z.
#[derive(Clone, Copy)]
pub(crate) struct SlottedHinge;

impl Kinematics for SlottedHinge {
    const COORDINATES: &'static [CoordinateSpec] =
        &[CoordinateSpec::length("x"), CoordinateSpec::angle("theta", Range::FREE)];
    const ROWS: &'static [Quantity] = &[Length, Length, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

    fn products(&self) -> Option<Products> {
        Products::of(&[1, 2], Turns::AboutZ)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        turned(Vec3::new(q[0], 0.0, 0.0), q[1])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..2].copy_from_slice(&t.position[1..]);
        g[2..].copy_from_slice(&t.tilt());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[0] = t.position[0];
        q[1] = t.twist();
    }
}

/// x and y in the plane z = 0 of D, theta about z.
#[derive(Clone, Copy)]
pub(crate) struct Planar;

impl Kinematics for Planar {
    const COORDINATES: &'static [CoordinateSpec] = &[
        CoordinateSpec::length("x"),
        CoordinateSpec::length("y"),
        CoordinateSpec::angle("theta", Range::FREE),
    ];
    const ROWS: &'static [Quantity] = &[Length, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &Z;

    fn products(&self) -> Option<Products> {
        Products::of(&[2], Turns::AboutZ)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        turned(Vec3::new(q[0], q[1], 0.0), q[2])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[0] = t.position[2];
        g[1..].copy_from_slice(&t.tilt());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[..2].copy_from_slice(&t.position[..2]);
        q[2] = t.twist();
    }
}
