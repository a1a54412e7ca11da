//! Fibres of a muscle in elements of one kind: the stress of their law at an activation, beside that of the tissue.

use super::FemBatch;
use super::nonlinear::NonlinearBatch;
use crate::Vec3;
use crate::force::{Fault, Part, RowPartition};
use crate::linalg::BlockPattern;
use crate::material::Material;

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
