//! The six rigid-body modes of each aggregate, orthonormal over its rows: the columns of the
//! tentative prolongator of Vanek1996.

use crate::{Mat3, Vec3};

/// The three rows that a block row has in the prolongator, as its six columns.
pub(super) type Modes = [Vec3; 6];

/// A 6 x 6 matrix as its columns.
pub(super) type Block6 = [[f64; 6]; 6];

/// A rigid motion on one block row: `modes` times (translation at `point`, rotation).
#[derive(Clone, Copy, Debug)]
pub(super) struct RowModes {
    pub(super) modes: Modes,
    pub(super) point: Vec3,
}

/// A column that keeps less than this share of the norm of its kind after what the columns before
/// it explain is taken off is no direction of its own: collinear nodes, fixed scalars. The square
/// of it is far above rounding, and a coarse scalar less costs iterations at most.
const DEPENDENT: f64 = 1e-4;

impl RowModes {
    /// The modes of a point at `point`, without the scalars that are fixed.
    pub(super) fn of_point(point: Vec3, fixed: [bool; 3]) -> Self {
        let mut modes = [Vec3::zeros(); 6];
        for axis in (0..3).filter(|&a| !fixed[a]) {
            modes[axis][axis] = 1.0;
        }
        Self { modes, point }
    }

    /// The modes of one of the two block rows of a body at `point`, its rotation or its centre, without the scalars
    /// that are fixed: a body carries its own six motions to the next level.
    pub(super) fn of_body(point: Vec3, is_rotation: bool, fixed: [bool; 3]) -> Self {
        let mut modes = [Vec3::zeros(); 6];
        for axis in (0..3).filter(|&a| !fixed[a]) {
            modes[3 * usize::from(is_rotation) + axis][axis] = 1.0;
        }
        Self { modes, point }
    }

    /// The same without what `projection` takes off.
    pub(super) fn projected(&self, projection: &Mat3) -> Self {
        Self { modes: self.modes.map(|mode| projection * mode), point: self.point }
    }

    /// The same with the translation taken at `center`: a rotation w about it moves `point` by
    /// w x (point - center).
    pub(super) fn about(&self, center: Vec3) -> Modes {
        let d = self.point - center;
        let m = &self.modes;
        // Column w = e_k of the rotation: e_k x d, through the translations, and the rotation.
        [
            m[0],
            m[1],
            m[2],
            m[3] + m[2] * d.y - m[1] * d.z,
            m[4] + m[0] * d.z - m[2] * d.x,
            m[5] + m[1] * d.x - m[0] * d.y,
        ]
    }
}

/// Makes the columns of `rows` orthonormal, in place, and returns the upper triangle R with
/// old = new R. Dependent columns become zero, with a zero row in R. (Gram-Schmidt, twice.)
pub(super) fn orthonormalize(rows: &mut [Modes]) -> Block6 {
    let norms: [f64; 6] = std::array::from_fn(|k| product(rows, k, k).sqrt());
    let largest = |range: &[f64]| range.iter().copied().fold(0.0, f64::max);
    let scales = [largest(&norms[..3]), largest(&norms[3..])];
    let mut r = [[0.0; 6]; 6];
    for k in 0..6 {
        for _ in 0..2 {
            for p in 0..k {
                if r[p][p] != 0.0 {
                    let share = product(rows, p, k);
                    r[k][p] += share;
                    rows.iter_mut().for_each(|m| m[k] -= m[p] * share);
                }
            }
        }
        let norm = product(rows, k, k).sqrt();
        if norm > DEPENDENT * scales[k / 3] {
            r[k][k] = norm;
            rows.iter_mut().for_each(|m| m[k] /= norm);
        } else {
            rows.iter_mut().for_each(|m| m[k] = Vec3::zeros());
        }
    }
    r
}

/// Inner product of two columns.
fn product(rows: &[Modes], a: usize, b: usize) -> f64 {
    rows.iter().map(|m| m[a].dot(&m[b])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(points: &[Vec3], fixed: [bool; 3]) -> Vec<Modes> {
        let center = points.iter().sum::<Vec3>() / points.len() as f64;
        points.iter().map(|&p| RowModes::of_point(p, fixed).about(center)).collect()
    }

    fn rank(r: &Block6) -> usize {
        (0..6).filter(|&k| r[k][k] != 0.0).count()
    }

    #[test]
    fn rigid_motions_are_reproduced_by_orthonormal_columns() {
        let points = [[0.1, 0.0, 0.0], [0.0, 0.2, 0.1], [0.3, 0.1, 0.0], [0.0, 0.0, 0.4]];
        let before = modes(&points.map(Vec3::from), [false; 3]);
        let mut after = before.clone();
        let r = orthonormalize(&mut after);
        assert_eq!(rank(&r), 6);
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            let expected = if a == b { 1.0 } else { 0.0 };
            assert!((product(&after, a, b) - expected).abs() < 1e-14, "columns {a}, {b}");
        }
        for (old, new) in before.iter().zip(&after) {
            for k in 0..6 {
                let again: Vec3 = (0..6).map(|p| new[p] * r[k][p]).sum();
                assert!((again - old[k]).norm() < 1e-15, "column {k}");
            }
        }
    }

    #[test]
    fn columns_without_a_direction_of_their_own_are_dropped() {
        let line = [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-2.0, -4.0, -6.0]].map(Vec3::from);
        assert_eq!(rank(&orthonormalize(&mut modes(&line, [false; 3]))), 5);
        assert_eq!(rank(&orthonormalize(&mut modes(&line[..1], [false; 3]))), 3);
        assert_eq!(rank(&orthonormalize(&mut modes(&line, [false, true, true]))), 2);
    }
}
