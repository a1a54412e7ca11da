//! Rotation of a set of points: the rotation Q of F = Q S, F = sum of q_i g_iᵀ over points q_i with
//! vectors g_i that sum to zero, and its rate as a linear function of their velocities.

use crate::dynamics::skew;
use crate::material::polar_rotation;
use crate::{Mat3, Vec3};

/// Polar factors of a deformation gradient: Q S, S symmetric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// The rotation Q.
    pub rotation: Mat3,
    /// The stretch S.
    pub stretch: Mat3,
}

/// Matrices that make an angular velocity of the velocities of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnRates {
    left: Mat3,
    right: Mat3,
}

impl Turning {
    /// Of F. Where F has no volume the third direction is that which makes Q a rotation.
    pub fn of(f: &Mat3) -> Self {
        let rotation = polar_rotation(f);
        let stretch = rotation.tr_mul(f);
        Self { rotation, stretch: (stretch + stretch.transpose()) * 0.5 }
    }

    /// Rates at these factors: the derivative of Q.
    pub fn rates(&self) -> TurnRates {
        let right = self.rotation.transpose();
        TurnRates { left: self.rotation * inverse_of_spread(&self.stretch), right }
    }

    /// Rates over a step between two sets of factors. Mean velocities of the points that lead from one F to
    /// the other give the mean angular velocity that leads from one Q to the other by the Cayley map, and
    /// a turn of the points about their mean places is one of the frame: both exactly.
    pub fn mean_rates(start: &Self, end: &Self) -> TurnRates {
        let mean = (start.rotation + end.rotation) * 0.5;
        let f = (start.rotation * start.stretch + end.rotation * end.stretch) * 0.5;
        // The mean of two rotations is singular for half a turn only.
        let inverse = mean.try_inverse().unwrap_or_else(|| end.rotation.transpose());
        let spread = inverse_of_spread(&(inverse * f));
        TurnRates { left: mean * spread * inverse.determinant(), right: mean.transpose() }
    }

    /// Derivative by q_j of the force on point i of a moment [N m] on the rotation [N/m], for the
    /// vectors g_i, g_j [1/m]; the symmetric part of all blocks together is the Hessian of the
    /// energy.
    pub fn force_derivative(&self, moment: &Vec3, [g_i, g_j]: [&Vec3; 2]) -> Mat3 {
        let rates = self.rates();
        let spread = inverse_of_spread(&self.stretch);
        let around = rates.left * self.rotation.transpose();
        let (share, arm) = (around * moment, self.rotation * g_i);
        let inner = spread * (self.rotation.tr_mul(moment));
        let column = |axis: usize| {
            let motion = Vec3::ith(axis, 1.0);
            let angular_velocity = rates.weight(g_j) * motion;
            let turned = self.rotation.tr_mul(&motion) * g_j.transpose();
            let change = turned - skew(&self.rotation.tr_mul(&angular_velocity)) * self.stretch;
            let change = (change + change.transpose()) * 0.5;
            let given = inner * change.trace() - change * inner;
            let share_rate = angular_velocity.cross(&share)
                - around * angular_velocity.cross(moment)
                - rates.left * given;
            share_rate.cross(&arm) + share.cross(&angular_velocity.cross(&arm))
        };
        Mat3::from_columns(&[column(0), column(1), column(2)])
    }
}

impl TurnRates {
    /// Nothing turns.
    pub fn zero() -> Self {
        Self { left: Mat3::zeros(), right: Mat3::zeros() }
    }

    /// Weight of a point with vector g [1/m] in the angular velocity [rad/m].
    pub fn weight(&self, g: &Vec3) -> Mat3 {
        self.left * skew(g) * self.right
    }
}

/// (tr(S) I - S)⁻¹ of a stretch, or of what stands for one over a step; zero where two stretches cancel, and
/// the rotation is not known.
fn inverse_of_spread(stretch: &Mat3) -> Mat3 {
    let spread = Mat3::identity() * stretch.trace() - stretch;
    spread.try_inverse().unwrap_or_else(Mat3::zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{advanced_by_cayley, cayley_turn};
    use nalgebra::{Rotation3, UnitQuaternion};

    /// Five points, and vectors that sum to zero.
    fn points() -> (Vec<Vec3>, Vec<Vec3>) {
        let at =
            [[0.1, 0.0, 0.2], [1.0, 0.1, 0.0], [0.0, 1.2, 0.1], [0.2, 0.1, 0.9], [0.6, 0.5, 0.7]];
        let at: Vec<Vec3> = at.map(Vec3::from).to_vec();
        let center = at.iter().sum::<Vec3>() / 5.0;
        let vectors = at.iter().map(|x| x - center).collect();
        (at, vectors)
    }

    fn velocities() -> Vec<Vec3> {
        let v = [
            [0.3, -1.0, 0.2],
            [0.5, 0.4, -0.6],
            [-0.2, 0.1, 0.8],
            [0.9, -0.3, 0.1],
            [-0.5, 0.6, 0.4],
        ];
        v.map(Vec3::from).to_vec()
    }

    fn gradient(at: &[Vec3], vectors: &[Vec3]) -> Mat3 {
        at.iter().zip(vectors).map(|(x, g)| x * g.transpose()).sum()
    }

    fn moved(at: &[Vec3], by: &[Vec3], share: f64) -> Vec<Vec3> {
        at.iter().zip(by).map(|(x, v)| x + v * share).collect()
    }

    fn quaternion(turn: &Mat3) -> UnitQuaternion<f64> {
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*turn))
    }

    fn angular_velocity_of(rates: &TurnRates, vectors: &[Vec3], velocities: &[Vec3]) -> Vec3 {
        vectors.iter().zip(velocities).map(|(g, v)| rates.weight(g) * v).sum()
    }

    /// Somewhere turned and strained.
    fn strained() -> (Vec<Vec3>, Vec<Vec3>) {
        let (at, vectors) = points();
        (moved(&at, &velocities(), 0.4), vectors)
    }

    #[test]
    fn rates_are_the_derivative_of_the_rotation() {
        let (at, vectors) = strained();
        let turn = |share: f64| {
            let at = moved(&at, &velocities(), share);
            quaternion(&Turning::of(&gradient(&at, &vectors)).rotation)
        };
        let step = 1e-5;
        let expected = cayley_turn(&turn(-step), &turn(step)) / (2.0 * step);
        let rates = Turning::of(&gradient(&at, &vectors)).rates();
        let angular_velocity = angular_velocity_of(&rates, &vectors, &velocities());
        assert!(
            (angular_velocity - expected).norm() < 1e-8 * expected.norm(),
            "{angular_velocity} {expected}"
        );
    }

    #[test]
    fn mean_rates_lead_from_one_rotation_to_the_other_by_the_cayley_map() {
        let (at, vectors) = strained();
        for h in [0.01, 0.3, 1.0] {
            let ends = [0.0, h].map(|share| moved(&at, &velocities(), share));
            let [start, end] = ends.map(|at| Turning::of(&gradient(&at, &vectors)));
            let rates = Turning::mean_rates(&start, &end);
            let angular_velocity = angular_velocity_of(&rates, &vectors, &velocities());
            let reached = advanced_by_cayley(&quaternion(&start.rotation), &(angular_velocity * h));
            let error = reached.angle_to(&quaternion(&end.rotation));
            assert!(error < 1e-14, "{h}: {error}");
        }
    }

    #[test]
    fn mean_rates_take_a_turn_about_the_mean_places_for_a_turn_of_the_frame() {
        let (at, vectors) = strained();
        for h in [0.01, 0.3, 1.0] {
            let ends = [0.0, h].map(|share| moved(&at, &velocities(), share));
            let [start, end] = ends.map(|at| Turning::of(&gradient(&at, &vectors)));
            let rates = Turning::mean_rates(&start, &end);
            let mean = moved(&at, &velocities(), 0.5 * h);
            let angular_velocity = Vec3::new(0.4, -0.7, 1.1);
            let turning: Vec<Vec3> = mean.iter().map(|x| angular_velocity.cross(x)).collect();
            let error = angular_velocity_of(&rates, &vectors, &turning) - angular_velocity;
            assert!(error.norm() < 1e-14, "{h}: {error}");
        }
    }

    #[test]
    fn points_that_turn_as_one_turn_the_frame_and_a_shift_does_not() {
        let (at, vectors) = strained();
        let rates = Turning::of(&gradient(&at, &vectors)).rates();
        let angular_velocity = Vec3::new(0.4, -0.7, 1.1);
        let turning: Vec<Vec3> = at.iter().map(|x| angular_velocity.cross(x)).collect();
        assert!(
            (angular_velocity_of(&rates, &vectors, &turning) - angular_velocity).norm() < 1e-14
        );
        assert!(
            angular_velocity_of(&rates, &vectors, &vec![angular_velocity; at.len()]).norm() < 1e-14
        );
    }

    #[test]
    fn the_force_derivative_is_that_of_finite_differences() {
        let (at, vectors) = strained();
        let moment = Vec3::new(0.5, 1.2, -0.8);
        let force = |at: &[Vec3], i: usize| {
            let rates = Turning::of(&gradient(at, &vectors)).rates();
            rates.weight(&vectors[i]).tr_mul(&moment)
        };
        let turning = Turning::of(&gradient(&at, &vectors));
        let step = 1e-5;
        for (i, j) in [(0, 0), (1, 3), (4, 2)] {
            let exact = turning.force_derivative(&moment, [&vectors[i], &vectors[j]]);
            for axis in 0..3 {
                let [low, high] = [-step, step].map(|step| {
                    let mut at = at.clone();
                    at[j][axis] += step;
                    force(&at, i)
                });
                let error = (high - low) / (2.0 * step) - exact.column(axis);
                assert!(error.norm() < 1e-8 * exact.norm(), "{i} {j} {axis}: {error}");
            }
        }
    }

    #[test]
    fn points_in_a_plane_turn_too() {
        let at = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.7, 0.9, 0.0]].map(Vec3::from);
        let center = at.iter().sum::<Vec3>() / 4.0;
        let vectors: Vec<Vec3> = at.iter().map(|x| x - center).collect();
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.8, 1.9);
        let turned: Vec<Vec3> = at.iter().map(|x| turn * x).collect();
        let turning = Turning::of(&gradient(&turned, &vectors));
        assert!((turning.rotation - turn.to_rotation_matrix().matrix()).norm() < 1e-14);
        let angular_velocity = Vec3::new(0.4, -0.7, 1.1);
        let velocities: Vec<Vec3> = turned.iter().map(|x| angular_velocity.cross(x)).collect();
        assert!(
            (angular_velocity_of(&turning.rates(), &vectors, &velocities) - angular_velocity)
                .norm()
                < 1e-13
        );
    }
}
