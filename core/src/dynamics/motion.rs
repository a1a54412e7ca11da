//! Momentum, kinetic energy and the gyroscopic torque of a body, all in world axes and about its
//! centre of mass (Goldstein2002, ch. 5), with the derivatives of the torque.

use nalgebra::UnitQuaternion;

use super::{SpatialInertia, skew};
use crate::{Mat3, Vec3};

/// Velocity of the centre of mass and angular velocity of a body, in world axes: the two block rows
/// of a body in a compiled system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistOfCenter {
    /// Velocity of the centre of mass [m/s].
    pub linear: Vec3,
    /// Angular velocity [rad/s].
    pub angular: Vec3,
}

/// Rotational inertia about the centre of mass in world axes, R J Rᵀ [kg m²].
pub fn world_inertia(inertia: &SpatialInertia, orientation: &UnitQuaternion<f64>) -> Mat3 {
    let r = orientation.to_rotation_matrix().into_inner();
    r * inertia.rotational() * r.transpose()
}

/// Linear momentum m v [kg m/s].
pub fn momentum(inertia: &SpatialInertia, twist: &TwistOfCenter) -> Vec3 {
    twist.linear * inertia.mass()
}

/// Angular momentum about the centre of mass, I w [kg m²/s].
pub fn angular_momentum(
    inertia: &SpatialInertia,
    orientation: &UnitQuaternion<f64>,
    twist: &TwistOfCenter,
) -> Vec3 {
    orientation * (inertia.rotational() * (orientation.inverse() * twist.angular))
}

/// Kinetic energy (m v.v + w.I w) / 2 [J].
pub fn kinetic_energy(
    inertia: &SpatialInertia,
    orientation: &UnitQuaternion<f64>,
    twist: &TwistOfCenter,
) -> f64 {
    let rotational = twist.angular.dot(&angular_momentum(inertia, orientation, twist));
    0.5 * (inertia.mass() * twist.linear.norm_squared() + rotational)
}

/// Gyroscopic torque -w x I w [N m] of the inertia I [kg m²] in world axes:
/// I dw/dt = torque - w x I w.
pub fn gyroscopic_torque(world_inertia: &Mat3, angular_velocity: &Vec3) -> Vec3 {
    (world_inertia * angular_velocity).cross(angular_velocity)
}

/// Derivative of [`gyroscopic_torque`] by the angular velocity, [I w] - \[w\] I [N m s]. Neither
/// symmetric nor dissipative: w . (derivative) w = 0.
pub fn gyroscopic_torque_by_velocity(world_inertia: &Mat3, angular_velocity: &Vec3) -> Mat3 {
    skew(&(world_inertia * angular_velocity)) - skew(angular_velocity) * world_inertia
}

/// Derivative of [`gyroscopic_torque`] by a turn of the body about world axes at constant angular
/// velocity, \[w\] ([I w] - I \[w\]) [N m].
pub fn gyroscopic_torque_by_orientation(world_inertia: &Mat3, angular_velocity: &Vec3) -> Mat3 {
    let w = skew(angular_velocity);
    w * (skew(&(world_inertia * angular_velocity)) - world_inertia * w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::advanced;

    fn body() -> (SpatialInertia, UnitQuaternion<f64>, TwistOfCenter) {
        let rotational = Mat3::new(2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 4.0);
        let inertia = SpatialInertia::new(1.5, Vec3::new(0.1, 0.0, 0.2), rotational).unwrap();
        let angular = Vec3::new(0.7, -1.1, 0.4);
        let twist = TwistOfCenter { linear: Vec3::new(1.0, 2.0, -3.0), angular };
        (inertia, UnitQuaternion::from_euler_angles(0.2, 0.5, -0.9), twist)
    }

    #[test]
    fn momentum_is_the_derivative_of_kinetic_energy() {
        let (inertia, orientation, twist) = body();
        let rotational = angular_momentum(&inertia, &orientation, &twist);
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let energy = |linear: f64, angular: f64| {
                let moved = TwistOfCenter {
                    linear: twist.linear + axis * linear,
                    angular: twist.angular + axis * angular,
                };
                kinetic_energy(&inertia, &orientation, &moved)
            };
            // Quadratic: central differences are exact but for rounding.
            let linear =
                (energy(0.5, 0.0) - energy(-0.5, 0.0)) - momentum(&inertia, &twist).dot(&axis);
            let angular = (energy(0.0, 0.5) - energy(0.0, -0.5)) - rotational.dot(&axis);
            assert!(linear.abs() < 1e-13 && angular.abs() < 1e-13, "{linear} {angular}");
        }
    }

    #[test]
    fn the_gyroscopic_torque_does_no_work_and_keeps_the_angular_momentum() {
        let (inertia, orientation, twist) = body();
        let world = world_inertia(&inertia, &orientation);
        let torque = gyroscopic_torque(&world, &twist.angular);
        assert!(torque.dot(&twist.angular).abs() < 1e-14);
        // d(I w)/dt = w x I w + I dw/dt = 0.
        let acceleration = world.try_inverse().unwrap() * torque;
        let step = 1e-6;
        let after = |s: f64| {
            let angular = twist.angular + acceleration * s;
            let turned = advanced(&orientation, &(twist.angular * s));
            angular_momentum(&inertia, &turned, &TwistOfCenter { angular, ..twist })
        };
        let rate = (after(step) - after(-step)) / (2.0 * step);
        assert!(rate.norm() < 1e-9 * torque.norm(), "{rate}");
    }

    #[test]
    fn derivatives_of_the_gyroscopic_torque_are_those_of_finite_differences() {
        let (inertia, orientation, twist) = body();
        let world = world_inertia(&inertia, &orientation);
        let by_velocity = gyroscopic_torque_by_velocity(&world, &twist.angular);
        let by_turn = gyroscopic_torque_by_orientation(&world, &twist.angular);
        let step = 1e-6;
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let at = |dw: f64, turn: f64| {
                let turned = advanced(&orientation, &(axis * turn));
                gyroscopic_torque(&world_inertia(&inertia, &turned), &(twist.angular + axis * dw))
            };
            let velocity = (at(step, 0.0) - at(-step, 0.0)) / (2.0 * step);
            let turn = (at(0.0, step) - at(0.0, -step)) / (2.0 * step);
            assert!((velocity - by_velocity * axis).norm() < 1e-9 * by_velocity.norm());
            assert!((turn - by_turn * axis).norm() < 1e-9 * by_turn.norm());
        }
    }
}
