//! Forces of a compiled model in two shares: what stays while excitations change, and all else.

use super::CompiledModel;
use super::compiled::{Located, for_parts, numbered};
use crate::Vec3;
use crate::force::{Fault, ForceEffector, JacobianScale, Kinematics, Part, VelocityTerms};
use crate::linalg::BlockMatrix;

/// Forces that stay while excitations change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyForces {
    /// Those of tissues.
    Tissues,
    /// Those of tissues, and of bundles of muscle in them, which other muscles are excited beside.
    TissuesAndBundles,
}

/// One of the two shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceShare {
    /// The steady forces.
    Steady,
    /// All others.
    Rest,
}

/// A system that adds its forces in two shares, so that one of them can be kept.
pub trait DividedForces {
    /// Adds the forces [N] of a share.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn add_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds `-scale.position df/dq - scale.velocity df/du` of a share to `matrix`.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn add_jacobian_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault>;

    /// Numbers that the steady forces depend on beside the motion: they are the same forces while these are the same.
    fn update_drives(&self, steady: SteadyForces, at: &Kinematics, drives: &mut Vec<f64>);
}

impl CompiledModel {
    /// Runs `work` on every batch of a share, in order; a fault comes with the number of its batch in it.
    fn for_share(
        &self,
        (share, steady): (ForceShare, SteadyForces),
        work: impl FnMut(&dyn ForceEffector) -> Result<(), Fault>,
    ) -> Result<(), Located> {
        let parts = &self.parts;
        let with_bundles = steady == SteadyForces::TissuesAndBundles;
        let batches = parts.tissues.batches.iter().map(|batch| &**batch as &dyn ForceEffector);
        let bundles = parts.forces.bundles().filter(|_| with_bundles).into_iter();
        match share {
            ForceShare::Steady => numbered(batches.chain(bundles), work),
            ForceShare::Rest => numbered(parts.forces.effectors_beside(with_bundles), work),
        }
    }
}

impl DividedForces for CompiledModel {
    fn add_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let add = |part: &Part, forces: &mut [Vec3]| {
            self.for_share(share, |e| e.add_forces(part, at, velocity, forces))
        };
        let rows = |part: &Part| part.rows.len();
        for_parts(self.parts.partition.parts(), &rows, forces, &add).map_err(|e| e.fault)
    }

    fn add_jacobian_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        self.add_blocks(matrix, &|part: &Part, blocks: &mut [f64]| {
            self.for_share(share, |e| e.add_jacobian(part, at, scale, blocks))
        })
    }

    fn update_drives(&self, steady: SteadyForces, at: &Kinematics, drives: &mut Vec<f64>) {
        drives.clear();
        // Numbers of tissues are replaced with all others: `update.rs`.
        drives.push(self.revision as f64);
        if let (SteadyForces::TissuesAndBundles, Some(muscles)) =
            (steady, &self.parts.forces.muscles)
        {
            muscles.add_drives(at, drives);
        }
    }
}
