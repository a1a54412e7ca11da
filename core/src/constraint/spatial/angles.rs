//! The three angles of turns about given axes that a rotation is made of: Euler's angles for axes at any
//! angles (Shuster2003), over numbers that carry derivatives.

use crate::Vec3;
use crate::constraint::Scalar;

/// Matrix of a rotation over a scalar, row after row.
pub(super) type Matrix<S> = [[S; 3]; 3];

/// Axes of three turns, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnAxes {
    axes: [Vec3; 3],
    /// -1 if the angle of the second is at most `middle`, 1 if it is at least that.
    side: f64,
    /// Angle of the second where the first and the third axis are as close as they come [rad].
    middle: f64,
    /// First axis by R third axis is `offset` + `size` cos(angle of the second - `middle`).
    offset: f64,
    size: f64,
}

/// Sine of the angle between neighbouring axes below which they are parallel: their angles are then
/// no longer apart.
const PARALLEL: f64 = 1e-6;

impl TurnAxes {
    /// Axes of length 1; of the two triples of angles of a rotation that with a second angle on the
    /// side of `second` is taken. `None` where neighbours are parallel.
    pub(super) fn new(axes: [Vec3; 3], second: f64) -> Option<Self> {
        let [a, b, c] = axes;
        if a.cross(&b).norm() < PARALLEL || b.cross(&c).norm() < PARALLEL {
            return None;
        }
        let offset = a.dot(&b) * b.dot(&c);
        let (cosine, sine) = (a.dot(&c) - offset, a.dot(&b.cross(&c)));
        let (size, middle) = (cosine.hypot(sine), sine.atan2(cosine));
        let behind = (second - middle).rem_euclid(std::f64::consts::TAU);
        let side = if behind > std::f64::consts::PI { -1.0 } else { 1.0 };
        Some(Self { axes, side, middle, offset, size })
    }

    /// The angles [rad]; the first and third in (-pi, pi].
    pub(super) fn angles<S: Scalar>(&self, rotation: &Matrix<S>) -> [S; 3] {
        let [a, b, c] = &self.axes;
        let [from_c, from_a] = [times(rotation, c), transposed_times(rotation, a)];
        let cosine = (dot(a, &from_c).offset(-self.offset)) * (1.0 / self.size);
        let sine = (-cosine.squared()).offset(1.0).root(1.0);
        let second = (S::angle_of(sine, cosine) * self.side).offset(self.middle);
        let first = angle_about(a, &turned(b, c, second), &from_c);
        let third = -angle_about(c, &turned(b, a, -second), &from_a);
        [first, second, third]
    }
}

fn times<S: Scalar>(matrix: &Matrix<S>, v: &Vec3) -> [S; 3] {
    [0, 1, 2].map(|i| matrix[i][0] * v.x + matrix[i][1] * v.y + matrix[i][2] * v.z)
}

fn transposed_times<S: Scalar>(matrix: &Matrix<S>, v: &Vec3) -> [S; 3] {
    [0, 1, 2].map(|i| matrix[0][i] * v.x + matrix[1][i] * v.y + matrix[2][i] * v.z)
}

fn dot<S: Scalar>(a: &Vec3, b: &[S; 3]) -> S {
    b[0] * a.x + b[1] * a.y + b[2] * a.z
}

/// `v` turned about an axis (Rodrigues' formula).
fn turned<S: Scalar>(axis: &Vec3, v: &Vec3, angle: S) -> [S; 3] {
    let (cosine, sine) = (angle.cos(), angle.sin());
    let (along, across) = (axis * axis.dot(v), axis.cross(v));
    [0, 1, 2].map(|k| (cosine * (v[k] - along[k]) + sine * across[k]).offset(along[k]))
}

/// Angle by which a turn about an axis takes `from` to `to`, seen along the axis.
fn angle_about<S: Scalar>(axis: &Vec3, from: &[S; 3], to: &[S; 3]) -> S {
    let cross = [
        from[1] * to[2] - from[2] * to[1],
        from[2] * to[0] - from[0] * to[2],
        from[0] * to[1] - from[1] * to[0],
    ];
    let both = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
    S::angle_of(dot(axis, &cross), both - dot(axis, from) * dot(axis, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::spatial::transform::turn;

    #[test]
    fn angles_of_a_rotation_are_those_that_it_was_made_of() {
        let oblique = Vec3::new(-0.10501355, -0.17402245, 0.97912632).normalize();
        let sets = [
            ([Vec3::z(), Vec3::x(), Vec3::y()], [2.9, -1.2, -3.0]),
            ([Vec3::x(), Vec3::y(), Vec3::z()], [0.4, 1.3, 2.0]),
            ([Vec3::z(), Vec3::x(), Vec3::z()], [0.4, 1.3, 2.0]),
            ([Vec3::z(), Vec3::x(), Vec3::z()], [0.4, -1.3, 2.0]),
            ([oblique, Vec3::x(), Vec3::new(0.6, 0.0, 0.8)], [-1.0, 0.2, 0.7]),
        ];
        for (axes, angles) in sets {
            let turns = [0, 1, 2].map(|k| turn(&axes[k], angles[k]));
            let rotation = (turns[0] * turns[1] * turns[2]).to_rotation_matrix().into_inner();
            let matrix = [0, 1, 2].map(|i| [0, 1, 2].map(|k| rotation[(i, k)]));
            let found = TurnAxes::new(axes, angles[1]).unwrap().angles(&matrix);
            for k in 0..3 {
                // Slopes of the second angle near its ends take some digits.
                assert!((found[k] - angles[k]).abs() < 1e-13, "{axes:?} {found:?} {angles:?}");
            }
        }
    }

    #[test]
    fn parallel_neighbours_have_no_angles_of_their_own() {
        assert!(TurnAxes::new([Vec3::z(), Vec3::z(), Vec3::x()], 0.0).is_none());
    }
}
