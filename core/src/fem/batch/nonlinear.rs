//! Finite-strain elements in the spatial form (Bonet and Wood 2008, ch. 9): with g_a the spatial
//! gradient of shape function a, f_a = -sum_p sigma g_a dv and
//! K_ab = sum_p (B_a^T D B_b + (g_a . sigma g_b) I) dv.

use nalgebra::{Matrix6, Matrix6x3};
use rayon::prelude::*;

use super::geometry::{ElementMatrix, Geometry, outer_sum};
use super::{ElementReport, ElementTotals, FemBatch};
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::{Deformation, Material};
use crate::{Mat3, Vec3};

/// Elements of one kind and one finite-strain material.
pub(super) struct NonlinearBatch<M, const N: usize, const P: usize> {
    geometry: Geometry<N, P>,
    material: M,
    /// Whether the law has no value where the volume is not positive.
    needs_volume: bool,
    stiffness_damping: f64,
}

/// Share of its volume that a point keeps in one step, at least [-]: the derivatives at the start of the step say
/// nothing of forces at a smaller one, and a state that is all but inverted is no better to go on from than one that is.
const LEAST_SHARE: f64 = 0.2;
/// Elements that a task looks at for inverted points at least: some 50 us of work.
const CHECKED_AT_ONCE: usize = 256;

/// One point in space.
struct SpatialPoint {
    /// Takes derivatives by reference coordinates to spatial gradients [1/m].
    to_space: Mat3,
    /// Volume [m³].
    volume: f64,
}

impl<M: Material<f64>, const N: usize, const P: usize> NonlinearBatch<M, N, P> {
    pub(super) fn new(geometry: Geometry<N, P>, material: M, stiffness_damping: f64) -> Self {
        let needs_volume = geometry.law_kind().needs_positive_volume;
        Self { geometry, material, needs_volume, stiffness_damping }
    }

    /// Deformation of a point, refused where the law has no value.
    #[inline(always)]
    fn deformation(&self, e: usize, p: usize, d: &[Vec3; N]) -> Result<Deformation<f64>, Fault> {
        let deformation = self.geometry.deformation(e, p, d);
        if self.needs_volume && deformation.j <= 0.0 {
            return Err(self.inverted(e, deformation.j));
        }
        Ok(deformation)
    }

    #[cold]
    fn inverted(&self, e: usize, volume_ratio: f64) -> Fault {
        Fault::Inverted {
            fem: self.geometry.fem.to_string(),
            element: self.geometry.elements[e] as usize,
            volume_ratio,
            place: e,
        }
    }

    #[inline(always)]
    fn spatial_point(&self, e: usize, p: usize, d: &Deformation<f64>) -> SpatialPoint {
        let point = &self.geometry.points[e][p];
        // A law that survives inversion may meet a singular F; its point then counts for nothing.
        let inverse = d.f.try_inverse().unwrap_or_else(Mat3::zeros);
        SpatialPoint {
            to_space: (point.inverse_jacobian * inverse).transpose(),
            volume: point.volume * d.j,
        }
    }

    /// Stress that the stiffness part of Rayleigh damping adds: beta (D : sym l + l sigma), with l
    /// the spatial velocity gradient, so that its force is beta K u.
    #[inline(always)]
    fn damping_stress(&self, l: &Mat3, law: &(Mat3, Matrix6<f64>)) -> Mat3 {
        let rate = nalgebra::Vector6::new(
            l[(0, 0)],
            l[(1, 1)],
            l[(2, 2)],
            l[(0, 1)] + l[(1, 0)],
            l[(1, 2)] + l[(2, 1)],
            l[(0, 2)] + l[(2, 0)],
        );
        let s = law.1 * rate;
        let stress_rate = Mat3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
        (stress_rate + l * law.0) * self.stiffness_damping
    }

    #[inline(always)]
    fn element_force(
        &self,
        e: usize,
        kin: &Kinematics,
        velocity: VelocityTerms,
    ) -> Result<[Vec3; N], Fault> {
        let d = self.geometry.displacements(e, kin.q);
        let damped = velocity == VelocityTerms::Included && self.stiffness_damping > 0.0;
        let mut f = [Vec3::zeros(); N];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.spatial_point(e, p, &deformation);
            let stress = if damped {
                let law = self.material.stress_and_tangent(&deformation);
                let u = self.geometry.gather(e, kin.u);
                let l = outer_sum(&u, &self.geometry.gradients[p]) * at.to_space.transpose();
                law.0 + self.damping_stress(&l, &law)
            } else {
                self.material.stress(&deformation)
            };
            let stress = stress * at.to_space * at.volume;
            for a in 0..N {
                f[a] -= stress * self.geometry.gradients[p][a];
            }
        }
        Ok(f)
    }

    #[inline(always)]
    fn element_stiffness(
        &self,
        e: usize,
        q: &[Vec3],
        (activation, factor): (f64, f64),
    ) -> Result<ElementMatrix<N>, Fault> {
        let d = self.geometry.displacements(e, q);
        let mut k = [[Mat3::zeros(); N]; N];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?.with_activation(activation);
            let at = self.spatial_point(e, p, &deformation);
            let (stress, tangent) = self.material.stress_and_tangent(&deformation);
            let scale = at.volume * factor;
            let gradients = self.geometry.gradients[p].map(|dn| at.to_space * dn);
            add_tangent(&mut k, &gradients, &(stress * scale), &(tangent * scale));
        }
        Ok(k)
    }
}

/// Adds B_a^T D B_b + (g_a . sigma g_b) I to the upper blocks.
#[inline(always)]
pub(super) fn add_tangent<const N: usize>(
    k: &mut ElementMatrix<N>,
    g: &[Vec3; N],
    stress: &Mat3,
    tangent: &Matrix6<f64>,
) {
    for b in 0..N {
        let db = strain_columns(tangent, &g[b]);
        let sg = stress * g[b];
        for a in 0..=b {
            let geometric = g[a].dot(&sg);
            let block = &mut k[a][b];
            for j in 0..3 {
                let c = db.column(j);
                block[(0, j)] += g[a][0] * c[0] + g[a][1] * c[3] + g[a][2] * c[5];
                block[(1, j)] += g[a][1] * c[1] + g[a][0] * c[3] + g[a][2] * c[4];
                block[(2, j)] += g[a][2] * c[2] + g[a][1] * c[4] + g[a][0] * c[5];
                block[(j, j)] += geometric;
            }
        }
    }
}

/// D B_b for the gradient `g` of node b.
#[inline(always)]
fn strain_columns(d: &Matrix6<f64>, g: &Vec3) -> Matrix6x3<f64> {
    Matrix6x3::from_columns(&[
        d.column(0) * g[0] + d.column(3) * g[1] + d.column(5) * g[2],
        d.column(1) * g[1] + d.column(3) * g[0] + d.column(4) * g[2],
        d.column(2) * g[2] + d.column(4) * g[1] + d.column(5) * g[0],
    ])
}

impl<M: Material<f64>, const N: usize, const P: usize> ForceEffector for NonlinearBatch<M, N, P> {
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
            let f = self.element_force(e, kin, velocity)?;
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
        for e in self.geometry.elements_of(part) {
            let k = self.element_stiffness(e, kin.q, (0.0, factor))?;
            self.geometry.scatter_matrix(e, part, &k, blocks);
        }
        Ok(())
    }

    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        if !self.needs_volume {
            return Ok(());
        }
        let fault = |e: usize| {
            let (before, after) =
                (self.geometry.displacements(e, start), self.geometry.displacements(e, end));
            (0..P).find_map(|p| {
                let j = [&before, &after].map(|d| self.geometry.deformation(e, p, d).j);
                let least = LEAST_SHARE * j[0].clamp(0.0, 1.0);
                // Written so that what is not a number is refused.
                let holds = j[1] > least;
                (!holds).then(|| self.inverted(e, j[1]))
            })
        };
        let elements = (0..self.geometry.elements.len()).into_par_iter();
        elements.with_min_len(CHECKED_AT_ONCE).find_map_first(fault).map_or(Ok(()), Err)
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        self.totals(q).energy
    }

    fn view(&self) -> EffectorView<'_> {
        self.geometry.view()
    }
}

impl<M: Material<f64>, const N: usize, const P: usize> FemBatch for NonlinearBatch<M, N, P> {
    fn reports(&self, q: &[Vec3]) -> Vec<ElementReport> {
        let law = |_, _: &[Vec3; N], d: &Deformation<f64>| {
            (self.material.stress(d), self.material.energy(d))
        };
        self.geometry.reports(q, law)
    }

    fn totals(&self, q: &[Vec3]) -> ElementTotals {
        self.geometry.totals(|e| {
            let (d, mut totals) = (self.geometry.displacements(e, q), ElementTotals::default());
            for p in 0..P {
                let deformation = self.geometry.deformation(e, p, &d);
                let density = self.material.energy(&deformation);
                totals.add_point(self.geometry.points[e][p].volume, deformation.j, density);
            }
            totals
        })
    }

    fn report_of(&self, element: u32, q: &[Vec3]) -> Option<ElementReport> {
        let law = |_, _: &[Vec3; N], d: &Deformation<f64>| {
            (self.material.stress(d), self.material.energy(d))
        };
        self.geometry.report_of(element, q, law)
    }

    fn degenerate_at_rest(&self) -> Option<(u32, f64)> {
        self.geometry.degenerate_at_rest()
    }
}

/// Fibres that are active: elements of one kind of a bundle, which resist nothing else.
pub(crate) trait FibreBatch: Send + Sync {
    /// Hands every group of coupled rows to `visit`.
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32]));

    /// Looks up, once, the slots of its blocks and the elements of each part.
    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition);

    /// Adds forces [N] at an activation [-].
    fn add_fibre_forces(
        &self,
        part: &Part,
        q: &[Vec3],
        activation: f64,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds `-factor df/dq` at an activation [-].
    fn add_fibre_jacobian(
        &self,
        part: &Part,
        q: &[Vec3],
        at: (f64, f64),
        blocks: &mut [f64],
    ) -> Result<(), Fault>;

    /// Energy of fibres that are not active [J].
    fn passive_energy(&self, q: &[Vec3]) -> f64;

    /// Volume at rest [m³], and the integrals over it of stretch and of Cauchy stress along the fibres.
    fn fibre_sums(&self, q: &[Vec3], activation: f64) -> [f64; 3];
}

impl<M: Material<f64>, const N: usize, const P: usize> FibreBatch for NonlinearBatch<M, N, P> {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.geometry.visit_cliques(visit);
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.geometry.bind(pattern, partition);
    }

    fn add_fibre_forces(
        &self,
        part: &Part,
        q: &[Vec3],
        activation: f64,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            let d = self.geometry.displacements(e, q);
            let mut f = [Vec3::zeros(); N];
            for p in 0..P {
                let deformation = self.deformation(e, p, &d)?.with_activation(activation);
                let at = self.spatial_point(e, p, &deformation);
                let stress = self.material.stress(&deformation) * at.to_space * at.volume;
                for a in 0..N {
                    f[a] -= stress * self.geometry.gradients[p][a];
                }
            }
            self.geometry.scatter(e, part, &f, forces);
        }
        Ok(())
    }

    fn add_fibre_jacobian(
        &self,
        part: &Part,
        q: &[Vec3],
        (activation, factor): (f64, f64),
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            let k = self.element_stiffness(e, q, (activation, factor))?;
            self.geometry.scatter_matrix(e, part, &k, blocks);
        }
        Ok(())
    }

    fn passive_energy(&self, q: &[Vec3]) -> f64 {
        FemBatch::reports(self, q).iter().map(|r| r.energy_density * r.rest_volume).sum()
    }

    fn fibre_sums(&self, q: &[Vec3], activation: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for e in 0..self.geometry.rows.len() {
            let d = self.geometry.displacements(e, q);
            for p in 0..P {
                let at = self.geometry.deformation(e, p, &d).with_activation(activation);
                let (volume, image) = (self.geometry.points[e][p].volume, at.f * at.axes.column(0));
                let along = image.normalize();
                sums[0] += volume;
                sums[1] += volume * image.norm();
                sums[2] += volume * along.dot(&(self.material.stress(&at) * along));
            }
        }
        sums
    }
}
