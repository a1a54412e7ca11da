//! Finite rotations: the exponential and the Cayley map from a turn (a rotation vector in world axes,
//! [rad]) to a rotation, their inverses, and the tangent maps of the exponential (Bottasso1998).

use nalgebra::{Quaternion, UnitQuaternion};

use crate::{Mat3, Vec3};

/// Squared angle [rad²] below which closed forms divided by powers of the angle give way to series:
/// the first neglected term is then below 1e-16 of the sum.
const SMALL: f64 = 1e-4;

/// The matrix of the cross product: `skew(a)` b = a x b.
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// A unit vector at a right angle to the unit vector `v`.
pub fn any_perpendicular(v: &Vec3) -> Vec3 {
    v.cross(&Vec3::ith(v.iamin(), 1.0)).normalize()
}

/// `orientation` (body to world) after the turn `turn` [rad] about world axes: exp(turn)
/// orientation, normalized. An angular velocity w kept up for the time h turns by h w.
pub fn advanced(orientation: &UnitQuaternion<f64>, turn: &Vec3) -> UnitQuaternion<f64> {
    let square = turn.norm_squared();
    // sin(a/2)/a and cos(a/2); by series for small angles, where the quotient loses digits.
    let (scale, scalar) = if square < SMALL {
        let s = square / 4.0;
        (0.5 * (1.0 - s / 6.0 * (1.0 - s / 20.0)), 1.0 - s / 2.0 * (1.0 - s / 12.0))
    } else {
        let angle = square.sqrt();
        ((0.5 * angle).sin() / angle, (0.5 * angle).cos())
    };
    composed(scalar, &(turn * scale), orientation)
}

/// `orientation` after the Cayley rotation of `turn`: about its direction by 2 atan(|turn| / 2). The
/// difference of the rotation matrices is then exactly `skew(turn)` times their mean (Austin1993),
/// which is what conservation laws of midpoint rules rest on.
pub fn advanced_by_cayley(orientation: &UnitQuaternion<f64>, turn: &Vec3) -> UnitQuaternion<f64> {
    composed(1.0, &(turn * 0.5), orientation)
}

fn composed(scalar: f64, vector: &Vec3, first: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let second = Quaternion::from_parts(scalar, *vector);
    UnitQuaternion::new_normalize(second * first.quaternion())
}

/// The turn [rad], at most half a revolution, whose exponential leads from `from` to `to`: the
/// inverse of [`advanced`].
pub fn turn_between(from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> Vec3 {
    let (scalar, vector) = relative(from, to);
    let sine = vector.norm();
    // atan2 keeps its digits near half a revolution, where acos of the scalar part would not.
    let factor = if sine > 0.0 { 2.0 * sine.atan2(scalar) / sine } else { 2.0 };
    vector * factor
}

/// The turn [rad] whose Cayley rotation leads from `from` to `to`: the inverse of
/// [`advanced_by_cayley`]. Not finite for half a revolution.
pub fn cayley_turn(from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> Vec3 {
    let (scalar, vector) = relative(from, to);
    vector * (2.0 / scalar)
}

/// Scalar and vector part of to * from^-1, of the two quaternions the one that turns less.
fn relative(from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> (f64, Vec3) {
    let q = (to * from.inverse()).into_inner();
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    (sign * q.w, q.vector() * sign)
}

/// T with exp(turn + d) = exp(T d) exp(turn) to first order in d: turns the rate of a turn into an
/// angular velocity in world axes. T = I + (1 - cos a)/a² \[t\] + (a - sin a)/a³ \[t\]², a = |t|.
pub fn tangent_map(turn: &Vec3) -> Mat3 {
    let square = turn.norm_squared();
    let (first, second) = if square < SMALL {
        let s = square;
        (0.5 - s / 24.0 * (1.0 - s / 30.0), (1.0 - s / 20.0 * (1.0 - s / 42.0)) / 6.0)
    } else {
        let angle = square.sqrt();
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let t = skew(turn);
    Mat3::identity() + t * first + t * t * second
}

/// The inverse of [`tangent_map`], I - \[t\]/2 + (1 - (a/2) cot(a/2))/a² \[t\]²; not finite at full
/// revolutions, where the map is singular.
pub fn tangent_map_inverse(turn: &Vec3) -> Mat3 {
    let square = turn.norm_squared();
    let second = if square < SMALL {
        (1.0 + square / 60.0 * (1.0 + square / 42.0)) / 12.0
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let t = skew(turn);
    Mat3::identity() - t * 0.5 + t * t * second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> UnitQuaternion<f64> {
        UnitQuaternion::from_euler_angles(0.4, -1.2, 2.0)
    }

    fn turns() -> Vec<Vec3> {
        let direction = Vec3::new(0.6, -0.48, 0.64);
        [0.0, 1e-9, 1e-4, 0.009, 0.011, 0.5, 2.0, 3.1].map(|a| direction * a).to_vec()
    }

    #[test]
    fn a_turn_advances_by_its_angle_about_its_direction() {
        for turn in turns() {
            let expected = UnitQuaternion::new(turn) * start();
            let error = advanced(&start(), &turn).angle_to(&expected);
            assert!(error < 1e-15, "{turn}: {error}");
        }
    }

    #[test]
    fn logarithms_invert_both_maps() {
        for turn in turns() {
            let back = turn_between(&start(), &advanced(&start(), &turn));
            assert!((back - turn).norm() < 2e-15 * (1.0 + turn.norm()), "{turn} {back}");
            let back = cayley_turn(&start(), &advanced_by_cayley(&start(), &turn));
            assert!((back - turn).norm() < 1e-14 * (1.0 + turn.norm()), "{turn} {back}");
        }
    }

    #[test]
    fn a_cayley_rotation_is_the_skew_matrix_times_the_mean() {
        for turn in turns() {
            let first = start().to_rotation_matrix().into_inner();
            let second = advanced_by_cayley(&start(), &turn).to_rotation_matrix().into_inner();
            let mean = (first + second) * 0.5;
            assert!((second - first - skew(&turn) * mean).norm() < 3e-15, "{turn}");
        }
    }

    #[test]
    fn the_tangent_map_is_the_derivative_of_the_exponential() {
        let delta = Vec3::new(0.3, 0.8, -0.5);
        for turn in turns() {
            let step = 1e-6;
            let ends = [-step, step].map(|s| advanced(&start(), &(turn + delta * s)));
            let rate = turn_between(&ends[0], &ends[1]) / (2.0 * step);
            let error = (rate - tangent_map(&turn) * delta).norm();
            assert!(error < 1e-9, "{turn}: {error}");
        }
    }

    #[test]
    fn the_inverse_tangent_map_inverts_it() {
        for turn in turns() {
            let product = tangent_map(&turn) * tangent_map_inverse(&turn);
            assert!((product - Mat3::identity()).norm() < 1e-13, "{turn}");
        }
    }

    #[test]
    fn a_million_turns_leave_the_quaternion_a_unit_one() {
        let mut orientation = start();
        for _ in 0..1_000_000 {
            orientation = advanced(&orientation, &Vec3::new(0.01, 0.02, -0.03));
        }
        assert!((orientation.norm() - 1.0).abs() < 1e-15);
    }
}
