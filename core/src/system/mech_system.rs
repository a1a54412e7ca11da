//! The interface between a system and its stepper.

use std::sync::Arc;

use super::{DerivativeTerms, DividedForces, Energies, Multibody};
use crate::Vec3;
use crate::force::{Fault, JacobianScale, VelocityTerms};
use crate::linalg::{BlockMatrix, BlockPattern};
use crate::state::{LoadCase, Motion, State};

/// A mechanical system of 3-vectors with lumped masses, forces with symmetric Jacobians, fixed scalars,
/// and, if it has any, bodies and constraints. A step sees nothing else of a model.
pub trait MechSystem {
    /// Sparsity of its matrix; its size is the number of rows.
    fn pattern(&self) -> &Arc<BlockPattern>;

    /// True for scalars that are fixed or prescribed, three a row.
    fn fixed(&self) -> &[[bool; 3]];

    /// Inertia of each row [kg]; zero for the rotation of a body, and for points that move with
    /// one.
    fn masses(&self) -> &[f64];

    /// Writes the positions [m] of the fixed scalars into `q`, under the load case; `true` when any
    /// of them changes.
    fn prescribe(&self, load: LoadCase, q: &mut [Vec3]) -> bool;

    /// Sets `forces` [N] to the sum of all forces.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn forces(
        &self,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds `-scale.position df/dq - scale.velocity df/du` to `matrix`.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn add_jacobian(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault>;

    /// Adds the symmetric part of what [`add_jacobian`](Self::add_jacobian) leaves out of the turns of elements.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    fn add_jacobian_of_turns(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        let _ = (load, motion, scale, matrix);
        Ok(())
    }

    /// Refuses a step between positions [m] whose end forces have no value at, or which deforms too much at once.
    ///
    /// # Errors
    /// The [`Fault`] of the first element that is inverted or collapses where its law has no meaning.
    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        let _ = (start, end);
        Ok(())
    }

    /// True if Jacobians leave out the rotation of forces with the elements or bodies they act on,
    /// so that a linearized step is of first order.
    fn leaves_out_turns(&self) -> bool {
        false
    }

    /// Brings the memory of `state` up to date after a step of length `step` [s] that led to its
    /// positions and velocities; after one of length zero only what follows these at once.
    fn advance_memory(&self, step: f64, state: &mut State) {
        let _ = (step, state);
    }

    /// Lets stresses that are remembered relax at the positions of `state`: it is an equilibrium that lasts.
    fn relax_memory(&self, state: &mut State) {
        let _ = state;
    }

    /// Name of the first tissue whose stress relaxes; `None` where all are elastic.
    fn viscoelastic_tissue(&self) -> Option<&str> {
        None
    }

    /// Writes the rates of the memory \[1/s\] at a motion whose memory is that of its time [s], for rules that sum
    /// rates over steps of the length of the motion's step.
    fn memory_rates(&self, time: f64, motion: Motion, rates: &mut [f64]) {
        let _ = (time, motion);
        rates.fill(0.0);
    }

    /// Rigid bodies, attached points and constraint rows; `None` for a system without any.
    fn multibody(&self) -> Option<&Multibody> {
        None
    }

    /// The system as one that adds its forces in shares; `None` for a system that does not.
    fn divided(&self) -> Option<&dyn DividedForces> {
        None
    }

    /// The system as one that knows what derivatives of steps need beside Jacobians; `None` for a system that does not.
    fn derivative_terms(&self) -> Option<&dyn DerivativeTerms> {
        None
    }

    /// Name of the bundle of muscle with the largest active stress in an element of a tissue, in the shape of a state and at the
    /// activations a step [s] later; `None` where none is active.
    fn strongest_muscle(&self, fem: &str, element: usize, from: (&State, f64)) -> Option<String> {
        let _ = (fem, element, from);
        None
    }

    /// Energies of a state [J].
    fn energies(&self, state: &State) -> Energies;

    /// True if nothing works on it but supports that move, [`energies`](Self::energies) counts all that its forces
    /// store, and linearized steps may create energy all the same.
    fn may_create_energy(&self) -> bool {
        false
    }

    /// Description of the part whose energy grew most from the positions [m] and velocities [m/s] of the start of a step to its
    /// end, for messages.
    fn describe_gain(&self, start: (&[Vec3], &[Vec3]), end: &State) -> String {
        let _ = (start, end);
        self.describe(0)
    }

    /// Description of row `row`, for messages.
    fn describe(&self, row: usize) -> String;
}
