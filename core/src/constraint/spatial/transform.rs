//! The motion of a joint of six axes: three turns one after the other, three ways along axes of the parent,
//! each a function of coordinates (Seth2010).

use nalgebra::{Isometry3, Unit, UnitQuaternion};

use super::function::Function;
use crate::constraint::Pose;
use crate::{Mat3, Vec3};

/// An axis with what it turns or moves by.
#[derive(Clone, Debug, PartialEq)]
pub struct SpatialAxis {
    /// Direction, of length 1.
    pub direction: Vec3,
    /// Angle [rad] or way [m].
    pub function: Function,
    /// Numbers of the coordinates of the function among those of the joint.
    pub of: Vec<usize>,
}

impl SpatialAxis {
    /// One that stays at a value.
    pub fn constant(direction: Vec3, value: f64) -> Self {
        Self { direction, function: Function::Constant(value), of: Vec::new() }
    }

    /// One that a coordinate is the value of.
    pub fn plain(direction: Vec3, coordinate: usize) -> Self {
        Self { direction, function: Function::Linear(vec![1.0], 0.0), of: vec![coordinate] }
    }

    /// True if it stays where it is.
    pub fn is_constant(&self) -> bool {
        self.of.is_empty() || self.function.is_constant()
    }

    /// Its angle or way.
    pub fn value(&self, q: &[f64]) -> f64 {
        let arguments: Vec<f64> = self.of.iter().map(|&k| q[k]).collect();
        // The counts of arguments were compared when it was read.
        self.function.of(&arguments).unwrap_or(0.0)
    }

    /// The rate of its angle or way.
    fn rate(&self, q: &[f64], rates: &[f64]) -> f64 {
        match (&self.function, &self.of[..]) {
            (_, [k]) => self.function.at(q[*k])[1] * rates[*k],
            (_, of) => {
                // A line of several arguments: its change over a unit of time.
                let moved: Vec<f64> = of.iter().map(|&k| q[k] + rates[k]).collect();
                self.function.of(&moved).unwrap_or(0.0) - self.value(q)
            }
        }
    }

    /// (c0, c1) of the angle or way c0 + c1 q, where it is one of a coordinate q.
    pub fn line(&self) -> Option<(usize, [f64; 2])> {
        let ([k], Some(list)) = (&self.of[..], self.function.coefficients()) else { return None };
        let at = |power: usize| list.get(power).copied().unwrap_or(0.0);
        let straight = list.iter().skip(2).all(|c| *c == 0.0) && at(1) != 0.0;
        straight.then(|| (*k, [at(0), at(1)]))
    }
}

/// Three axes of turns, then three of ways.
#[derive(Clone, Debug, PartialEq)]
pub struct SpatialTransform {
    /// Axes of the turns, each turned by those before it, and their angles [rad].
    pub turns: [SpatialAxis; 3],
    /// Axes of the ways, and their lengths [m].
    pub ways: [SpatialAxis; 3],
}

/// Velocity of frame C against D, axes of D.
#[derive(Clone, Copy, Debug)]
pub struct FrameVelocity {
    /// Of its origin [m/s].
    pub velocity: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
}

/// The turn about an axis of length 1.
pub fn turn(axis: &Vec3, angle: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_unchecked(*axis), angle)
}

impl SpatialTransform {
    /// One that moves nothing, to change: turns about and ways along x, y, z.
    pub fn rest() -> Self {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| SpatialAxis::constant(axis, 0.0));
        Self { turns: axes.clone(), ways: axes }
    }

    /// Pose of frame C, of the child, in D, of the parent.
    pub fn pose(&self, q: &[f64]) -> Pose {
        let turns = self.turns.iter().map(|axis| turn(&axis.direction, axis.value(q)));
        let rotation = turns.fold(UnitQuaternion::identity(), |all, next| all * next);
        let way: Vec3 = self.ways.iter().map(|axis| axis.direction * axis.value(q)).sum();
        Isometry3::from_parts(way.into(), rotation)
    }

    /// Its velocity at rates of the coordinates.
    pub fn motion(&self, q: &[f64], rates: &[f64]) -> FrameVelocity {
        let (mut angular_velocity, mut before) = (Vec3::zeros(), UnitQuaternion::identity());
        for axis in &self.turns {
            angular_velocity += before * axis.direction * axis.rate(q, rates);
            before *= turn(&axis.direction, axis.value(q));
        }
        let velocity = self.ways.iter().map(|axis| axis.direction * axis.rate(q, rates)).sum();
        FrameVelocity { velocity, angular_velocity }
    }

    /// The motion where what is about the joint goes by a linear map, seen from the axes of the parent before and after: ways go with it; axes
    /// of turns too, which turn the other way in a mirror.
    #[must_use]
    pub fn mapped(&self, linear: &Mat3) -> Self {
        let sense = linear.determinant().signum();
        let image = |axis: &SpatialAxis| (linear * axis.direction).normalize();
        let turn =
            |axis: &SpatialAxis| SpatialAxis { direction: image(axis) * sense, ..axis.clone() };
        let way = |axis: &SpatialAxis| SpatialAxis {
            direction: image(axis),
            function: axis.function.clone().times((linear * axis.direction).norm()),
            of: axis.of.clone(),
        };
        Self {
            turns: [0, 1, 2].map(|k| turn(&self.turns[k])),
            ways: [0, 1, 2].map(|k| way(&self.ways[k])),
        }
    }

    /// The axes of its ways as columns.
    pub fn way_axes(&self) -> Mat3 {
        Mat3::from_columns(&[0, 1, 2].map(|k| self.ways[k].direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> SpatialTransform {
        let mut it = SpatialTransform::rest();
        it.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
        it.turns[1] = SpatialAxis { of: vec![1], ..SpatialAxis::plain(Vec3::x(), 1) };
        it.turns[2].direction = Vec3::z();
        it.turns[2].function = Function::Linear(vec![0.5, -0.2], 0.1);
        it.turns[2].of = vec![0, 1];
        it.ways[0].function = Function::Polynomial(vec![0.1, 0.2, -0.3]);
        it.ways[0].of = vec![1];
        it
    }

    #[test]
    fn turns_follow_each_other_about_turned_axes() {
        let pose = example().pose(&[0.3, -0.4]);
        let z = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.3);
        let x = nalgebra::Rotation3::from_axis_angle(&Vec3::x_axis(), -0.4);
        let third = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.15 + 0.08 + 0.1);
        let expected = (z * x * third).into_inner();
        let found = pose.rotation.to_rotation_matrix().into_inner();
        assert!((found - expected).amax() < 1e-15, "{found} {expected}");
        let way = 0.1 - 0.4 * 0.2 - 0.3 * 0.16;
        assert!((pose.translation.vector - Vec3::new(way, 0.0, 0.0)).norm() < 1e-16);
    }

    #[test]
    fn a_mapped_motion_is_the_image_of_the_motion() {
        let (transform, q) = (example(), [0.3, -0.4]);
        let turn = nalgebra::Rotation3::from_scaled_axis(Vec3::new(0.4, -0.2, 0.9)).into_inner();
        let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0));
        for linear in [turn, mirror, turn * mirror * 0.7] {
            let image = transform.mapped(&linear).pose(&q);
            let pose = transform.pose(&q);
            let axes = |pose: &Pose| pose.rotation.to_rotation_matrix().into_inner();
            let expected = linear * axes(&pose) * linear.try_inverse().unwrap();
            assert!((axes(&image) - expected).amax() < 1e-14, "{linear}");
            let way = linear * pose.translation.vector;
            assert!((image.translation.vector - way).norm() < 1e-15, "{linear}");
        }
    }

    #[test]
    fn velocities_are_rates_of_poses() {
        let (transform, q, rates) = (example(), [0.3, -0.4], [1.2, 0.7]);
        let motion = transform.motion(&q, &rates);
        let h = 1e-6;
        let [low, high] =
            [-h, h].map(|h| transform.pose(&[q[0] + h * rates[0], q[1] + h * rates[1]]));
        let turn = (high.rotation * low.rotation.inverse()).scaled_axis() / (2.0 * h);
        let way = (high.translation.vector - low.translation.vector) / (2.0 * h);
        assert!((turn - motion.angular_velocity).norm() < 1e-9, "{turn}");
        assert!((way - motion.velocity).norm() < 1e-9, "{way}");
    }
}
