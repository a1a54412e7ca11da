//! Rigid bodies, in the plane and in space. The origin of their coordinates is the centre of mass.

use std::sync::Arc;

use super::{PhysicalObject, StateFunction, axes};
use crate::interactive::{Code, Scalar};
use crate::{Mat3, Vec3};

/// A rigid body in the plane: x, y and the angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarBody {
    /// Mass \[kg\].
    pub mass: f64,
    /// Moment of inertia about the centre of mass \[kg m²\].
    pub inertia: f64,
}

/// A rigid body in space: the centre of mass and a quaternion qw, qx, qy, qz; velocities are those of the centre
/// \[m/s\], and the angular velocity in axes of the world \[rad/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody {
    /// Mass \[kg\].
    pub mass: f64,
    /// Moments of inertia about the axes of the body, which are principal ones \[kg m²\].
    pub inertia: [f64; 3],
}

/// A vector of a planar body, with the place of the body where it is a point.
struct PlanarVector {
    local: [f64; 2],
    is_point: bool,
}

impl Code for PlanarVector {
    fn input_count(&self) -> usize {
        3
    }
    fn output_count(&self) -> usize {
        2
    }
    fn eval<S: Scalar>(&self, q: &[S], y: &mut [S]) {
        let [a, b] = self.local.map(S::constant);
        let (s, c) = (q[2].sin(), q[2].cos());
        let turned = [c * a - s * b, s * a + c * b];
        for (k, turned) in turned.into_iter().enumerate() {
            y[k] = if self.is_point { q[k] + turned } else { turned };
        }
    }
}

impl PhysicalObject for PlanarBody {
    fn state_names(&self) -> Vec<String> {
        ["x", "y", "angle"].map(str::to_owned).to_vec()
    }
    fn add_mass(&self, _state: &[f64], mass: &mut [f64]) {
        let diagonal = mass.iter_mut().step_by(4);
        diagonal.zip([self.mass, self.mass, self.inertia]).for_each(|(m, own)| *m += own);
    }
    fn has_constant_mass(&self) -> bool {
        true
    }
    fn add_weight(&self, _state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        (0..2).for_each(|k| forces[k] += self.mass * gravity[k]);
    }
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(PlanarVector { local, is_point: true }))
    }
    fn direction(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(PlanarVector { local, is_point: false }))
    }
}

/// A vector of a body in space.
struct Vector {
    local: [f64; 3],
    is_point: bool,
}

impl Code for Vector {
    fn input_count(&self) -> usize {
        7
    }
    fn output_count(&self) -> usize {
        3
    }
    fn eval<S: Scalar>(&self, q: &[S], y: &mut [S]) {
        let turned = turned([q[3], q[4], q[5], q[6]], self.local.map(S::constant));
        for (k, turned) in turned.into_iter().enumerate() {
            y[k] = if self.is_point { q[k] + turned } else { turned };
        }
    }
}

/// A vector turned by a quaternion of any length: between normalizations lengths differ from 1 a little.
fn turned<S: Scalar>([w, x, y, z]: [S; 4], v: [S; 3]) -> [S; 3] {
    let two = S::constant(2.0) / (w * w + x * x + y * y + z * z);
    let cross = |a: [S; 3], b: [S; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|k| v[k] + two * (w * once[k] + twice[k]))
}

/// The product (0, ω) Q / 2.
fn quaternion_rate(omega: [f64; 3], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    let [a, b, c] = omega.map(|omega| 0.5 * omega);
    [-a * x - b * y - c * z, a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x]
}

impl RigidBody {
    fn world_inertia(&self, q: &[f64]) -> Mat3 {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|axis| Vec3::from(turned([q[3], q[4], q[5], q[6]], axis)));
        let turn = Mat3::from_columns(&columns);
        turn * Mat3::from_diagonal(&Vec3::from(self.inertia)) * turn.transpose()
    }
}

impl PhysicalObject for RigidBody {
    fn state_names(&self) -> Vec<String> {
        let turn = ["qw", "qx", "qy", "qz"].map(str::to_owned);
        axes(3).into_iter().chain(turn).collect()
    }
    fn velocity_count(&self) -> usize {
        6
    }
    fn add_mass(&self, state: &[f64], mass: &mut [f64]) {
        let inertia = self.world_inertia(state);
        for i in 0..3 {
            mass[7 * i] += self.mass;
            (0..3).for_each(|j| mass[6 * (3 + i) + 3 + j] += inertia[(i, j)]);
        }
    }
    fn has_constant_mass(&self) -> bool {
        false
    }

    /// The gyroscopic moment -ω x I ω.
    fn add_velocity_forces(&self, state: &[f64], velocity: &[f64], forces: &mut [f64]) {
        let omega = Vec3::new(velocity[3], velocity[4], velocity[5]);
        let moment = (self.world_inertia(state) * omega).cross(&omega);
        (0..3).for_each(|k| forces[3 + k] += moment[k]);
    }
    fn add_weight(&self, _state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        (0..3).for_each(|k| forces[k] += self.mass * gravity[k]);
    }
    fn write_rates(&self, q: &[f64], u: &[f64], rates: &mut [[f64; 2]]) {
        let omega = [u[3], u[4], u[5]];
        let first = quaternion_rate(omega, [q[3], q[4], q[5], q[6]]);
        let second = quaternion_rate(omega, first);
        (0..3).for_each(|k| rates[k] = [u[k], 0.0]);
        (0..4).for_each(|k| rates[3 + k] = [first[k], second[k]]);
    }
    fn write_velocity_row(&self, q: &[f64], by_state: &[f64], by_velocity: &mut [f64]) {
        by_velocity[..3].copy_from_slice(&by_state[..3]);
        for k in 0..3 {
            let unit = std::array::from_fn(|axis| f64::from(axis == k));
            let rate = quaternion_rate(unit, [q[3], q[4], q[5], q[6]]);
            by_velocity[3 + k] = rate.iter().zip(&by_state[3..]).map(|(r, d)| r * d).sum();
        }
    }
    fn normalize(&self, state: &mut [f64]) {
        let length = state[3..].iter().map(|q| q * q).sum::<f64>().sqrt();
        if length > 0.0 {
            state[3..].iter_mut().for_each(|q| *q /= length);
        }
    }
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(Vector { local, is_point: true }))
    }
    fn direction(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(Vector { local, is_point: false }))
    }
}
