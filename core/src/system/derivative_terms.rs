//! Derivatives of forces and of their memory that steps do not ask for, but derivatives of steps do.

use crate::Vec3;
use crate::force::{ExcitationSource, Fault, ForceNumber, JacobianScale, Kinematics, MemorySlopes};
use crate::linalg::BlockMatrix;

/// A system that knows these in closed form.
pub trait DerivativeTerms {
    /// Adds what the Jacobians of steps leave out of rates and moments, which is not symmetric.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn add_jacobian_of_rates(
        &self,
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault>;

    /// Sets `forces` to the derivative of all forces by a number that they depend on beside the motion.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn forces_by(
        &self,
        number: ForceNumber,
        at: &Kinematics,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Derivatives of the memory at the end of a step.
    fn memory_slopes(&self, at: &Kinematics) -> MemorySlopes;

    /// Derivatives of the memory at the end of a step by what `source` excites over it.
    fn memory_by_excitation(&self, source: ExcitationSource, at: &Kinematics) -> Vec<f64>;
}
