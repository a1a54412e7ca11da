//! Derivatives of a compiled model beyond those that steps ask for.

use super::DerivativeTerms;
use super::compiled::{CompiledModel, for_parts};
use crate::Vec3;
use crate::force::{
    ExcitationSource, Fault, ForceNumber, JacobianScale, Kinematics, MemorySlopes, Part,
};
use crate::linalg::BlockMatrix;

impl DerivativeTerms for CompiledModel {
    fn add_jacobian_of_rates(
        &self,
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        self.add_blocks(matrix, &|part: &Part, blocks: &mut [f64]| {
            self.for_batches(|e| e.add_jacobian_of_rates(part, at, scale, blocks))
        })
    }

    fn forces_by(
        &self,
        number: ForceNumber,
        at: &Kinematics,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let add = |part: &Part, forces: &mut [Vec3]| {
            forces.fill(Vec3::zeros());
            self.for_batches(|e| e.add_forces_by(part, at, number, forces))
        };
        let rows = |part: &Part| part.rows.len();
        for_parts(self.parts.partition.parts(), &rows, forces, &add).map_err(|e| e.fault)
    }

    fn memory_slopes(&self, at: &Kinematics) -> MemorySlopes {
        let mut slopes = MemorySlopes::default();
        self.effectors().for_each(|e| e.add_memory_slopes(at, &mut slopes));
        slopes
    }

    fn memory_by_excitation(&self, source: ExcitationSource, at: &Kinematics) -> Vec<f64> {
        let mut memory = vec![0.0; at.motion.memory.len()];
        self.effectors().for_each(|e| e.add_memory_by_excitation(at, source, &mut memory));
        memory
    }
}
