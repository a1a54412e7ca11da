//! Volumes projected in each element on a constant, or on a constant and the three coordinates at rest: with modes q_k
//! that are orthonormal over the points (sum of V_p q_pk q_pl is 1 where k = l, else 0), (Pi x)_p is the sum over k of
//! q_pk times the sum over s of V_s q_sk x_s.

use super::super::geometry::{Geometry, PointGeometry, outer_sum};
use super::super::laws::Each;
use crate::Vec3;
use crate::fem::element::Element;
use crate::material::Bulk;

/// Most modes of an element.
pub(in super::super) const MODES: usize = 4;

/// Pressures at the points of an element, and what Rayleigh damping adds to them [Pa].
pub(in super::super) struct PointPressures<const P: usize> {
    pub(in super::super) pressure: [f64; P],
    pub(in super::super) damping: [f64; P],
    /// U'' at the points.
    pub(in super::super) stiffness: [f64; P],
}

/// Modes of the elements of a batch.
pub(in super::super) struct Projection<const P: usize> {
    pub(in super::super) bulk: Each<Bulk<f64>>,
    /// Modes that count.
    pub(in super::super) count: usize,
    /// Values of the modes at the points of each element [m^(-3/2)].
    pub(in super::super) modes: Vec<[[f64; MODES]; P]>,
}

impl<const P: usize> Projection<P> {
    pub(super) fn new<E: Element, const N: usize>(
        bulk: Each<Bulk<f64>>,
        count: usize,
        geometry: &Geometry<N, P>,
    ) -> Self {
        let shapes = geometry.shapes::<E>();
        let modes = (0..geometry.rows.len())
            .map(|e| {
                let rest = geometry.gather(e, &geometry.rest);
                let at = shapes.map(|n| rest.iter().zip(&n).map(|(x, n)| x * *n).sum::<Vec3>());
                orthonormal(&geometry.points[e], &at, count)
            })
            .collect();
        Self { bulk, count, modes }
    }

    /// The projection of values at the points of element `e`.
    #[inline(always)]
    pub(in super::super) fn project(
        &self,
        e: usize,
        points: &[PointGeometry; P],
        values: &[f64; P],
    ) -> [f64; P] {
        let modes = &self.modes[e];
        let mut projected = [0.0; P];
        for k in 0..self.count {
            let sum: f64 = (0..P).map(|p| points[p].volume * modes[p][k] * values[p]).sum();
            for p in 0..P {
                projected[p] += modes[p][k] * sum;
            }
        }
        projected
    }

    /// Pressures of element `e` whose nodes are displaced by `d`; `damped` are velocities of the nodes and the
    /// coefficient beta [s].
    pub(in super::super) fn pressures<const N: usize>(
        &self,
        geometry: &Geometry<N, P>,
        (e, d): (usize, &[Vec3; N]),
        damped: Option<(&[Vec3; N], f64)>,
    ) -> PointPressures<P> {
        let points = &geometry.points[e];
        let deformations: [_; P] = std::array::from_fn(|p| geometry.deformation(e, p, d));
        let changes = self.project(e, points, &deformations.map(|d| d.volume_change()));
        let slopes = changes.map(|change| self.bulk.of(e).slopes(change));
        let pressure = self.project(e, points, &slopes.map(|(p, _)| p));
        let stiffness = slopes.map(|(_, stiffness)| stiffness);
        let Some((u, beta)) = damped else {
            return PointPressures { pressure, damping: [0.0; P], stiffness };
        };
        let rates = std::array::from_fn(|p| {
            let slope = outer_sum(u, &geometry.gradients[p]) * points[p].inverse_jacobian;
            let inverse = deformations[p].f.try_inverse().unwrap_or_else(crate::Mat3::zeros);
            deformations[p].j * (slope * inverse).trace()
        });
        let rates = self.project(e, points, &rates);
        let rates = std::array::from_fn(|p| stiffness[p] * rates[p] * beta);
        PointPressures { pressure, damping: self.project(e, points, &rates), stiffness }
    }

    /// Energy density of the volume at the points of element `e` [J/m³].
    pub(in super::super) fn energies(
        &self,
        e: usize,
        points: &[PointGeometry; P],
        changes: &[f64; P],
    ) -> [f64; P] {
        self.project(e, points, changes).map(|change| self.bulk.of(e).energy(change))
    }

    /// Sum of V_p U''_p q_pk q_pl.
    #[inline(always)]
    pub(in super::super) fn moduli(
        &self,
        e: usize,
        points: &[PointGeometry; P],
        stiffness: &[f64; P],
    ) -> [[f64; MODES]; MODES] {
        let mut sum = [[0.0; MODES]; MODES];
        for (p, mode) in self.modes[e].iter().enumerate() {
            let weight = points[p].volume * stiffness[p];
            for k in 0..self.count {
                for l in 0..self.count {
                    sum[k][l] += weight * mode[k] * mode[l];
                }
            }
        }
        sum
    }
}

/// The first `count` of 1, x, y, z made orthonormal over the points, one after the other.
fn orthonormal<const P: usize>(
    points: &[PointGeometry; P],
    at: &[Vec3; P],
    count: usize,
) -> [[f64; MODES]; P] {
    let product = |a: &[f64; P], b: &[f64; P]| -> f64 {
        (0..P).map(|p| points[p].volume * a[p] * b[p]).sum()
    };
    let mut modes: Vec<[f64; P]> = Vec::new();
    for k in 0..count {
        let mut mode =
            std::array::from_fn(|p| if k == 0 { 1.0 } else { at[p][k - 1] - at[0][k - 1] });
        // Twice, for what rounding leaves of the first time.
        for _ in 0..2 {
            for other in &modes {
                let along = product(&mode, other);
                (0..P).for_each(|p| mode[p] -= along * other[p]);
            }
        }
        let norm = product(&mode, &mode).sqrt();
        // Of an element without a volume nothing is left; it is refused by others.
        let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
        modes.push(mode.map(|x| x * scale));
    }
    std::array::from_fn(|p| std::array::from_fn(|k| modes.get(k).map_or(0.0, |mode| mode[p])))
}
