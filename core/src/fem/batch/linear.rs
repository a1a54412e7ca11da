//! Linear elasticity, in a fixed frame or in one that turns with each element (stiffness warping:
//! Mueller and Gross 2004; as ArtiSynth has it, the rotation is that of the polar decomposition at
//! the centre of the element and its derivative is left out of the tangent).
//!
//! f = -R K0 (R^T x - X), K = R K0 R^T. With more than one point K0 is kept; with one point it is
//! made from the turned gradients of an isotropic law, which is cheaper than reading it.

use super::geometry::{ElementMatrix, Geometry, outer_sum};
use super::nonlinear::add_tangent;
use super::{ElementReport, ElementTotals, FemBatch};
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::{AnyLaw, Axes, Deformation, LawFrame, Material, polar_rotation};
use crate::{Mat3, Vec3};

/// Elements of one kind and one linear material.
pub(super) struct LinearBatch<const N: usize, const P: usize> {
    geometry: Geometry<N, P>,
    law: AnyLaw<f64>,
    /// Lamé's constants, of an isotropic law.
    lambda: f64,
    mu: f64,
    turns: bool,
    stiffness_damping: f64,
    /// Upper blocks of K0 of each element, row by row; empty with one point and an isotropic law.
    stiffness: Vec<Mat3>,
}

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    const UPPER: usize = N * (N + 1) / 2;

    pub(super) fn new(geometry: Geometry<N, P>, law: AnyLaw<f64>, stiffness_damping: f64) -> Self {
        let isotropic = geometry.law_kind().axes == Axes::None;
        let (_, c) = law.unturned(&Deformation::new(Mat3::zeros()));
        let (lambda, mu) = (c[(0, 1)], c[(3, 3)]);
        let turns = law.frame() == LawFrame::Element;
        let stiffness = Vec::new();
        let mut batch = Self { geometry, law, lambda, mu, turns, stiffness_damping, stiffness };
        if P > 1 || !isotropic {
            batch.stiffness.reserve_exact(Self::UPPER * batch.geometry.rows.len());
            for e in 0..batch.geometry.rows.len() {
                let mut k = [[Mat3::zeros(); N]; N];
                for p in 0..P {
                    if isotropic {
                        batch.add_point_stiffness(e, p, &Mat3::identity(), &mut k);
                    } else {
                        batch.add_anisotropic_stiffness(e, p, &mut k);
                    }
                }
                for a in 0..N {
                    batch.stiffness.extend_from_slice(&k[a][a..]);
                }
            }
        }
        batch
    }

    /// B_a^T D B_b with the moduli D along the axes of the element.
    fn add_anisotropic_stiffness(&self, e: usize, p: usize, k: &mut ElementMatrix<N>) {
        let point = &self.geometry.points[e][p];
        let rest = Deformation::new(Mat3::zeros()).with_axes(self.geometry.axes_of(e));
        let (_, moduli) = self.law.unturned(&rest);
        let to_space = point.inverse_jacobian.transpose();
        let gradients = self.geometry.gradients[p].map(|dn| to_space * dn);
        add_tangent(k, &gradients, &Mat3::zeros(), &(moduli * point.volume));
    }

    /// lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I, with gradients turned by `r`.
    #[inline(always)]
    fn add_point_stiffness(&self, e: usize, p: usize, r: &Mat3, k: &mut ElementMatrix<N>) {
        let point = &self.geometry.points[e][p];
        let to_space = r * point.inverse_jacobian.transpose();
        let g = self.geometry.gradients[p].map(|dn| to_space * dn);
        let (lambda, mu) = (self.lambda * point.volume, self.mu * point.volume);
        for a in 0..N {
            for b in a..N {
                let shear = mu * g[a].dot(&g[b]);
                let block = &mut k[a][b];
                for j in 0..3 {
                    for i in 0..3 {
                        block[(i, j)] += lambda * g[a][i] * g[b][j] + mu * g[b][i] * g[a][j];
                    }
                    block[(j, j)] += shear;
                }
            }
        }
    }

    /// Rotation of element `e`.
    #[inline(always)]
    fn rotation(&self, e: usize, d: &[Vec3; N]) -> Mat3 {
        if self.turns {
            polar_rotation(&self.geometry.centre_gradient(e, d))
        } else {
            Mat3::identity()
        }
    }

    /// Displacement in the frame of the element, R^T x - X, plus beta R^T u where damping counts.
    #[inline(always)]
    fn local_displacement(
        &self,
        e: usize,
        r: &Mat3,
        kin: &Kinematics,
        velocity: VelocityTerms,
    ) -> [Vec3; N] {
        let back = r.transpose();
        let rest = self.geometry.gather(e, &self.geometry.rest);
        let mut local = self.geometry.gather(e, kin.q);
        for a in 0..N {
            local[a] = back * local[a] - rest[a];
        }
        if velocity == VelocityTerms::Included && self.stiffness_damping > 0.0 {
            let u = self.geometry.gather(e, kin.u);
            for a in 0..N {
                local[a] += back * u[a] * self.stiffness_damping;
            }
        }
        local
    }

    /// K0 d for the local displacement `d`.
    #[inline(always)]
    fn stiffness_product(&self, e: usize, d: &[Vec3; N]) -> [Vec3; N] {
        let mut f = [Vec3::zeros(); N];
        if self.stiffness.is_empty() {
            let point = &self.geometry.points[e][0];
            let h = outer_sum(d, &self.geometry.gradients[0]) * point.inverse_jacobian;
            let to_reference = self.stress(&h) * point.inverse_jacobian.transpose() * point.volume;
            for a in 0..N {
                f[a] = to_reference * self.geometry.gradients[0][a];
            }
            return f;
        }
        let mut blocks = self.stiffness[Self::UPPER * e..Self::UPPER * (e + 1)].iter();
        for a in 0..N {
            for b in a..N {
                let Some(block) = blocks.next() else { return f };
                f[a] += block * d[b];
                if a != b {
                    f[b] += block.tr_mul(&d[a]);
                }
            }
        }
        f
    }

    /// Stress of a local displacement gradient.
    #[inline(always)]
    fn stress(&self, h: &Mat3) -> Mat3 {
        (h + h.transpose()) * self.mu + Mat3::identity() * (self.lambda * h.trace())
    }

    #[inline(always)]
    fn element_stiffness(&self, e: usize, r: &Mat3, k: &mut ElementMatrix<N>) {
        if self.stiffness.is_empty() {
            *k = [[Mat3::zeros(); N]; N];
            return self.add_point_stiffness(e, 0, r, k);
        }
        let back = r.transpose();
        let mut blocks = self.stiffness[Self::UPPER * e..Self::UPPER * (e + 1)].iter();
        for a in 0..N {
            for b in a..N {
                let Some(block) = blocks.next() else { return };
                k[a][b] = if self.turns { r * (block * back) } else { *block };
            }
        }
    }
}

impl<const N: usize, const P: usize> ForceEffector for LinearBatch<N, P> {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.geometry.visit_cliques(visit);
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.geometry.bind(pattern, partition);
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            let r = self.rotation(e, &self.geometry.displacements(e, kin.q));
            let local = self.local_displacement(e, &r, kin, velocity);
            let f = self.stiffness_product(e, &local).map(|f| -(r * f));
            self.geometry.scatter(e, part, &f, forces);
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let factor = scale.position + scale.velocity * self.stiffness_damping;
        let mut k = [[Mat3::zeros(); N]; N];
        for e in self.geometry.elements_of(part) {
            let r = self.rotation(e, &self.geometry.displacements(e, kin.q));
            self.element_stiffness(e, &r, &mut k);
            for a in 0..N {
                k[a][a..].iter_mut().for_each(|block| *block *= factor);
            }
            self.geometry.scatter_matrix(e, part, &k, blocks);
        }
        Ok(())
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        self.totals(q).energy
    }

    fn view(&self) -> EffectorView<'_> {
        self.geometry.view()
    }
}

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    /// Cauchy stress [Pa] and energy density [J/m³] of a point of element `e`.
    fn law(&self, e: usize, d: &[Vec3; N], deformation: &Deformation<f64>) -> (Mat3, f64) {
        let r = self.rotation(e, d);
        let h = r.tr_mul(&deformation.f) - Mat3::identity();
        let strain = (h + h.transpose()) * 0.5;
        let (stress, _) = self.law.unturned(&Deformation::new(strain).with_axes(deformation.axes));
        (r * stress * r.transpose(), 0.5 * stress.dot(&strain))
    }
}

impl<const N: usize, const P: usize> FemBatch for LinearBatch<N, P> {
    fn reports(&self, q: &[Vec3]) -> Vec<ElementReport> {
        self.geometry.reports(q, |e, d, deformation| self.law(e, d, deformation))
    }

    fn totals(&self, q: &[Vec3]) -> ElementTotals {
        self.geometry.totals(|e| {
            let d = self.geometry.displacements(e, q);
            let (r, mut totals) = (self.rotation(e, &d), ElementTotals::default());
            for p in 0..P {
                let deformation = self.geometry.deformation(e, p, &d);
                let h = r.tr_mul(&deformation.f) - Mat3::identity();
                let density = 0.5 * self.stress(&h).dot(&h);
                totals.add_point(self.geometry.points[e][p].volume, deformation.j, density);
            }
            totals
        })
    }

    fn report_of(&self, element: u32, q: &[Vec3]) -> Option<ElementReport> {
        self.geometry.report_of(element, q, |e, d, deformation| self.law(e, d, deformation))
    }

    fn degenerate_at_rest(&self) -> Option<(u32, f64)> {
        self.geometry.flat_at_rest()
    }
}
