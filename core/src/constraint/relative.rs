//! The pose of frame C seen from frame D over a [`Scalar`], and the measures of rotation that the
//! joints share. Each error is an angle, so that it grows up to pi instead of vanishing there.

use super::jet::packed;
use super::scalar::half_angle_over_sine;
use super::slope::Slope;
use super::{Jet, Pose, SINGULAR, Scalar};

/// T_CD over a scalar: origin of C and rotation from C to D.
#[derive(Clone, Copy, Debug)]
pub struct RelativePose<S> {
    /// Origin of C in D [m].
    pub position: [S; 3],
    /// Unit quaternion (w, x, y, z) of the rotation from C to D, w >= 0.
    pub rotation: [S; 4],
}

impl RelativePose<f64> {
    /// The plain numbers of a pose.
    pub fn of(pose: &Pose) -> Self {
        let p = pose.translation.vector;
        Self { position: [p.x, p.y, p.z], rotation: quaternion(pose) }
    }
}

impl RelativePose<Slope> {
    /// The pose with its first derivatives by the six displacements of [`Jet`].
    pub(crate) fn with_slopes(pose: &Pose) -> Self {
        let p = pose.translation.vector;
        let position = std::array::from_fn(|i| Slope::new(p[i], unit(i)));
        let values = quaternion(pose);
        let gradients = quaternion_gradients(&values);
        let rotation = std::array::from_fn(|k| Slope::new(values[k], gradients[k]));
        Self { position, rotation }
    }
}

impl RelativePose<Jet> {
    /// The pose with its derivatives by the six displacements of [`Jet`].
    pub fn with_derivatives(pose: &Pose) -> Self {
        let p = pose.translation.vector;
        let position = std::array::from_fn(|i| Jet::new(p[i], unit(i), [0.0; 21]));
        let values = quaternion(pose);
        let gradients = quaternion_gradients(&values);
        let rotation = std::array::from_fn(|k| {
            let mut hessian = [0.0; 21];
            (3..6).for_each(|i| hessian[packed(i, i)] = -0.25 * values[k]);
            Jet::new(values[k], gradients[k], hessian)
        });
        Self { position, rotation }
    }
}

/// Derivatives of one of the six displacements.
fn unit(i: usize) -> [f64; 6] {
    std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 })
}

/// First derivatives of exp(φ / 2) q = (1 - φ² / 8, φ / 2) q, to second order: the columns are the products of the
/// imaginary units with q, halved.
fn quaternion_gradients(&[w, x, y, z]: &[f64; 4]) -> [[f64; 6]; 4] {
    let columns = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]];
    std::array::from_fn(|k| {
        std::array::from_fn(|i| if i < 3 { 0.0 } else { 0.5 * columns[i - 3][k] })
    })
}

/// (w, x, y, z) with w >= 0, of length 1 to the last digit.
fn quaternion(pose: &Pose) -> [f64; 4] {
    let q = pose.rotation.quaternion();
    let scale = if q.w < 0.0 { -1.0 } else { 1.0 } / q.norm();
    [q.w * scale, q.i * scale, q.j * scale, q.k * scale]
}

impl<S: Scalar> RelativePose<S> {
    /// The rotation seen the other way, from D to C; the position is kept.
    pub fn rotation_reversed(&self) -> Self {
        let [w, x, y, z] = self.rotation;
        Self { position: self.position, rotation: [w, -x, -y, -z] }
    }

    /// The matrix of the rotation from C to D, row after row.
    pub fn matrix(&self) -> [[S; 3]; 3] {
        let [w, x, y, z] = self.rotation;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, yz, xz) = (x * y, y * z, x * z);
        let (wx, wy, wz) = (w * x, w * y, w * z);
        let diagonal = |a: S, b: S| ((a + b) * -2.0).offset(1.0);
        [
            [diagonal(yy, zz), (xy - wz) * 2.0, (xz + wy) * 2.0],
            [(xy + wz) * 2.0, diagonal(xx, zz), (yz - wx) * 2.0],
            [(xz - wy) * 2.0, (yz + wx) * 2.0, diagonal(xx, yy)],
        ]
    }

    /// The rotation vector log(R) [rad], the same in C and D. Its length is the angle, up to pi;
    /// there the sign of the vector jumps.
    pub fn rotation_vector(&self) -> [S; 3] {
        let [w, x, y, z] = self.rotation;
        let sine = hypot([x, y, z].map(S::value));
        let factor = half_angle_over_sine(w, sine) * 2.0;
        [factor * x, factor * y, factor * z]
    }

    /// The rotation vector [rad] that takes the z axis of D to that of C along the shorter arc: its
    /// x and y in axes of D (its z is zero). Its length is the tilt, up to pi; there its direction
    /// is that of a half turn about an axis of C.
    pub fn tilt(&self) -> [S; 2] {
        let [w, x, y, z] = self.rotation;
        let cosine = (w.squared() + z.squared()).root(1.0);
        let sine = hypot([x.value(), y.value(), 0.0]);
        let factor = half_angle_over_sine(cosine, sine) * 2.0;
        // (x + i y) is the swing turned back by half the twist, whose unit number is (w + i z) /
        // cosine.
        let (w, z) = if cosine.value() < SINGULAR * SINGULAR {
            (S::constant(1.0), S::constant(0.0))
        } else if cosine.value() < SINGULAR {
            // Constant direction, of length 1, where its slope would be beyond bounds.
            let inverse = 1.0 / cosine.value();
            (S::constant(w.value() * inverse), S::constant(z.value() * inverse))
        } else {
            let inverse = cosine.bounded_reciprocal(1.0);
            (w * inverse, z * inverse)
        };
        [factor * (x * w - y * z), factor * (x * z + y * w)]
    }

    /// The turn about z [rad], in (-pi, pi]: the twist that is left when the [tilt](Self::tilt) is
    /// taken away. Undefined, and 0 here, at a tilt of pi.
    pub fn twist(&self) -> S {
        let [w, _, _, z] = self.rotation;
        S::angle_of(z, w) * 2.0
    }
}

fn hypot(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}
