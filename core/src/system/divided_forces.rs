//! Forces of a system in two shares: what stays while excitations change, and all else.

use crate::Vec3;
use crate::force::{Fault, JacobianScale, Kinematics, VelocityTerms};
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
