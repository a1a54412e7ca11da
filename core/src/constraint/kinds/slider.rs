//! Joints whose frames stay parallel: solid, slider, planar translation. Three rows of the rotation
//! vector hold the orientation.

use super::{Kinematics, Products, Turns, Z};
use crate::constraint::Quantity::{Angle, Length};
use crate::constraint::{CoordinateSpec, Pose, Quantity, RelativePose, Scalar};

/// No motion.
#[derive(Clone, Copy)]
pub(crate) struct Solid;

impl Kinematics for Solid {
    const COORDINATES: &'static [CoordinateSpec] = &[];
    const ROWS: &'static [Quantity] = &[Length, Length, Length, Angle, Angle, Angle];

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1, 2], Turns::None)
    }

    fn pose(&self, _q: &[f64]) -> Pose {
        Pose::identity()
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..3].copy_from_slice(&t.position);
        g[3..].copy_from_slice(&t.rotation_vector());
    }

    fn coordinates<S: Scalar>(&self, _t: &RelativePose<S>, _previous: &[f64], _q: &mut [S]) {}
}

/// z along z.
#[derive(Clone, Copy)]
pub(crate) struct Slider;

impl Kinematics for Slider {
    const COORDINATES: &'static [CoordinateSpec] = &[CoordinateSpec::length("z")];
    const ROWS: &'static [Quantity] = &[Length, Length, Angle, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &Z;

    fn products(&self) -> Option<Products> {
        Products::of(&[0, 1], Turns::None)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::translation(0.0, 0.0, q[0])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[..2].copy_from_slice(&t.position[..2]);
        g[2..].copy_from_slice(&t.rotation_vector());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[0] = t.position[2];
    }
}

/// x and y in the plane z = 0 of D.
#[derive(Clone, Copy)]
pub(crate) struct PlanarTranslation;

impl Kinematics for PlanarTranslation {
    const COORDINATES: &'static [CoordinateSpec] =
        &[CoordinateSpec::length("x"), CoordinateSpec::length("y")];
    const ROWS: &'static [Quantity] = &[Length, Angle, Angle, Angle];
    const AXES: &'static [[f32; 3]] = &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn products(&self) -> Option<Products> {
        Products::of(&[2], Turns::None)
    }

    fn pose(&self, q: &[f64]) -> Pose {
        Pose::translation(q[0], q[1], 0.0)
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        g[0] = t.position[2];
        g[1..].copy_from_slice(&t.rotation_vector());
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        q[..2].copy_from_slice(&t.position[..2]);
    }
}
