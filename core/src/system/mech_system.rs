//! The interface between what is stepped and the stepper.

use std::sync::Arc;

use super::{Energies, State};
use crate::Vec3;
use crate::force::{Fault, JacobianScale, VelocityTerms};
use crate::linalg::{BlockMatrix, BlockPattern};

/// Where and under which share of the loads a system is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadCase {
    /// Time for schedules [s].
    pub time: f64,
    /// Fraction of loads, weight and prescribed displacement that is applied [-]; 1 in dynamics.
    pub factor: f64,
}

impl LoadCase {
    /// All loads, at this time [s].
    pub fn at(time: f64) -> Self {
        Self { time, factor: 1.0 }
    }
}

/// Where a system is: positions and velocities of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Positions [m].
    pub q: &'a [Vec3],
    /// Velocities [m/s].
    pub u: &'a [Vec3],
}

/// A mechanical system of 3-vectors with lumped masses, forces with symmetric Jacobians, and held
/// scalars. A step sees nothing else of a model.
pub trait MechSystem {
    /// Sparsity of its matrix; its size is the number of rows.
    fn pattern(&self) -> &Arc<BlockPattern>;

    /// Which scalars are held or led, three a row.
    fn held(&self) -> &[[bool; 3]];

    /// Mass of each row [kg].
    fn masses(&self) -> &[f64];

    /// Writes the positions [m] of the held scalars into `q`, under the load case; `true` when any
    /// of them differs from what was there.
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

    /// Energies of a state [J].
    fn energies(&self, state: &State) -> Energies;

    /// What row `row` is, for messages.
    fn describe(&self, row: usize) -> String;
}
