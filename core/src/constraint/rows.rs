//! Rows of joints between two moving bodies: wrenches about the centres of mass in world axes,
//! errors, and the terms of the right side from the changing rows. No system, no solver.

use super::{Jet, JointKind, Pose, RelativePose, Scalar};
use crate::{Mat3, Vec3};

/// A joint frame with the motion of the body that carries it, all in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// Pose of the frame, frame to world [m].
    pub pose: Pose,
    /// Centre of mass of the body [m].
    pub centre: Vec3,
    /// Velocity of the centre of mass [m/s].
    pub velocity: Vec3,
    /// Angular velocity of the body [rad/s].
    pub angular_velocity: Vec3,
}

impl FrameMotion {
    /// A frame fixed to the ground; the wrenches of its side are about the origin of the world.
    pub fn ground(pose: Pose) -> Self {
        let zero = Vec3::zeros();
        Self { pose, centre: zero, velocity: zero, angular_velocity: zero }
    }
}

/// A force with a moment about the centre of mass of the body it acts on, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench {
    /// Force a unit of the multiplier [-, or 1/m for a row of angle].
    pub force: Vec3,
    /// Moment about the centre of mass a unit of the multiplier [m, or - for a row of angle].
    pub moment: Vec3,
}

impl Wrench {
    /// No force, no moment.
    pub const ZERO: Self =
        Self { force: Vec3::new(0.0, 0.0, 0.0), moment: Vec3::new(0.0, 0.0, 0.0) };

    /// force · velocity + moment · angular velocity: the share of one body in the rate of a row.
    pub fn rate(&self, velocity: &Vec3, angular_velocity: &Vec3) -> f64 {
        self.force.dot(velocity) + self.moment.dot(angular_velocity)
    }
}

/// A row of G (or of a coordinate): with u the velocities of both bodies,
/// d(value)/dt = `on_a` · u_A + `on_b` · u_B, and the force of a multiplier on a body is its wrench
/// times the multiplier. The two wrenches are equal and opposite about any common point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRow {
    /// Wrench on the body of frame C.
    pub on_a: Wrench,
    /// Wrench on the body of frame D; not used when that is the ground.
    pub on_b: Wrench,
    /// Error of the constraint, or the coordinate [m or rad].
    pub value: f64,
    /// (dG/dt) u [m/s² or rad/s²]: d²(value)/dt² at constant velocities u.
    pub velocity_term: f64,
}

impl JointRow {
    /// A row without coefficients, to fill.
    pub const ZERO: Self =
        Self { on_a: Wrench::ZERO, on_b: Wrench::ZERO, value: 0.0, velocity_term: 0.0 };

    /// G u, the rate of the value [m/s or rad/s].
    pub fn rate(&self, a: &FrameMotion, b: &FrameMotion) -> f64 {
        self.on_a.rate(&a.velocity, &a.angular_velocity)
            + self.on_b.rate(&b.velocity, &b.angular_velocity)
    }
}

/// Pose of frame C in the axes of frame D: T_CD.
pub fn calc_relative_pose(c: &FrameMotion, d: &FrameMotion) -> Pose {
    d.pose.inverse() * c.pose
}

/// Pose and motion of C seen from D, and the arms from the centres of mass to the origin of C.
pub(crate) struct RelativeMotion {
    pub(crate) pose: Pose,
    /// Axes of D in the world.
    pub(crate) axes: Mat3,
    pub(crate) arm_a: Vec3,
    pub(crate) arm_b: Vec3,
    /// Velocity of the origin of C and angular velocity of C, both seen from D, in axes of D.
    twist: [f64; 6],
    /// Their rates at constant velocities of the bodies, in axes of D.
    acceleration: Vec3,
    angular_acceleration: Vec3,
}

impl RelativeMotion {
    pub(crate) fn new(c: &FrameMotion, d: &FrameMotion) -> Self {
        let origin = c.pose.translation.vector;
        let (arm_a, arm_b) = (origin - c.centre, origin - d.centre);
        let (omega_a, omega_b) = (c.angular_velocity, d.angular_velocity);
        // Velocity of the origin of C against the point of body B that is there, and its rate.
        let sweep = omega_a.cross(&arm_a);
        let velocity = c.velocity + sweep - d.velocity - omega_b.cross(&arm_b);
        let arm_b_rate = c.velocity + sweep - d.velocity;
        let velocity_rate = omega_a.cross(&sweep) - omega_b.cross(&arm_b_rate);
        let omega = omega_a - omega_b;
        let axes = d.pose.rotation.to_rotation_matrix().into_inner();
        let seen = |v: Vec3| axes.tr_mul(&v);
        let (v, w) = (seen(velocity), seen(omega));
        Self {
            pose: calc_relative_pose(c, d),
            axes,
            arm_a,
            arm_b,
            twist: [v.x, v.y, v.z, w.x, w.y, w.z],
            acceleration: seen(velocity_rate - omega_b.cross(&velocity)),
            angular_acceleration: seen(-omega_b.cross(&omega)),
        }
    }

    /// The row of a scalar function of T_CD.
    pub(crate) fn row(&self, jet: &Jet) -> JointRow {
        let (force, moment) = (self.axes * jet.force(), self.axes * jet.moment());
        // In exponential coordinates the rotation vector of C has the rate and the second rate of
        // the angular velocity, so the Hessian of the jet is all that is missing.
        let velocity_term = jet.second_derivative_along(&self.twist)
            + jet.force().dot(&self.acceleration)
            + jet.moment().dot(&self.angular_acceleration);
        JointRow {
            on_a: Wrench { force, moment: self.arm_a.cross(&force) + moment },
            on_b: Wrench { force: -force, moment: -(self.arm_b.cross(&force) + moment) },
            value: jet.value(),
            velocity_term,
        }
    }
}

/// Fills rows from functions of the relative pose.
pub(crate) fn fill_rows(motion: &RelativeMotion, jets: &[Jet], rows: &mut [JointRow]) {
    rows.iter_mut().zip(jets).for_each(|(row, jet)| *row = motion.row(jet));
}

impl JointKind {
    /// The constraint rows of a joint between frame C of body A and frame D of body B (or the
    /// ground), in the order of [`row_quantities`](Self::row_quantities). G is the exact derivative
    /// of the errors, off the assembled poses too.
    ///
    /// # Panics
    /// When `rows` does not have [`row_count`](Self::row_count) entries.
    pub fn calc_rows(&self, c: &FrameMotion, d: &FrameMotion, rows: &mut [JointRow]) {
        assert_eq!(rows.len(), self.row_count(), "rows of a {} joint", self.name());
        let motion = RelativeMotion::new(c, d);
        let mut jets = [Jet::constant(0.0); 6];
        let jets = &mut jets[..rows.len()];
        self.errors(&RelativePose::with_derivatives(&motion.pose), jets);
        fill_rows(&motion, jets, rows);
    }

    /// A row a coordinate: its value, the one nearest to `previous`, and the wrenches whose power
    /// is its rate. They serve limits, locks, actuators and the read-out of rates. Wrenches are
    /// bounded at singularities, see docs/reference/joints.md.
    ///
    /// # Panics
    /// When `previous` or `rows` does not have one entry a coordinate.
    pub fn calc_coordinate_rows(
        &self,
        c: &FrameMotion,
        d: &FrameMotion,
        previous: &[f64],
        rows: &mut [JointRow],
    ) {
        assert_eq!(rows.len(), self.coordinate_count(), "coordinates of a {} joint", self.name());
        let motion = RelativeMotion::new(c, d);
        let mut jets = [Jet::constant(0.0); 6];
        let jets = &mut jets[..rows.len()];
        self.coordinates(&RelativePose::with_derivatives(&motion.pose), previous, jets);
        fill_rows(&motion, jets, rows);
    }
}
