//! The interface between what is stepped and the stepper.

use std::sync::Arc;

use super::{Energies, Multibody, State};
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

/// Where a system is: positions and velocities of its rows, and what its forces remember.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Positions [m].
    pub q: &'a [Vec3],
    /// Velocities [m/s].
    pub u: &'a [Vec3],
    /// Memory of forces at the begin of the step, as in [`State::memory`]; empty where none is known.
    pub memory: &'a [f64],
    /// Coordinates of joints at the begin of the step, as in [`State::coordinates`]; empty where none are
    /// known.
    pub coordinates: &'a [f64],
    /// From the begin of the step to this motion [s]; 0 outside a step.
    pub step: f64,
}

/// A step too short for what forces remember to change [s].
pub(crate) const INSTANT: f64 = 1e-9;

impl<'a> Motion<'a> {
    /// Positions [m] and velocities [m/s] without a memory: forces that have one are at rest.
    pub fn at(q: &'a [Vec3], u: &'a [Vec3]) -> Self {
        Self { q, u, memory: &[], coordinates: &[], step: 0.0 }
    }

    /// A state as it is: forces with a memory are what it says.
    pub fn now(state: &'a State) -> Self {
        Self::of(state, INSTANT)
    }

    /// A state, `step` [s] after its memory was brought up to date.
    pub fn of(state: &'a State, step: f64) -> Self {
        let State { q, u, memory, coordinates, .. } = state;
        Self { q, u, memory, coordinates, step }
    }
}

/// A mechanical system of 3-vectors with lumped masses, forces with symmetric Jacobians, held scalars,
/// and, if it has any, bodies and constraints. A step sees nothing else of a model.
pub trait MechSystem {
    /// Sparsity of its matrix; its size is the number of rows.
    fn pattern(&self) -> &Arc<BlockPattern>;

    /// Which scalars are held or led, three a row.
    fn held(&self) -> &[[bool; 3]];

    /// Inertia of each row [kg]; zero for the rotation of a body, and for what moves with one.
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

    /// Refuses a step between positions [m] whose end forces have no value at, or which deforms too much at once.
    ///
    /// # Errors
    /// The [`Fault`] of the first element that is inverted or collapses where its law has no meaning.
    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        let _ = (start, end);
        Ok(())
    }

    /// Brings the memory of `state` up to date after a step of length `step` [s] that led to its
    /// positions and velocities; after one of length zero only what follows these at once.
    fn advance_memory(&self, step: f64, state: &mut State) {
        let _ = (step, state);
    }

    /// Writes the rates of the memory \[1/s\] at a motion whose memory is that of its time [s], for rules that sum
    /// rates over steps of the length of the motion's step.
    fn memory_rates(&self, time: f64, motion: Motion, rates: &mut [f64]) {
        let _ = (time, motion);
        rates.fill(0.0);
    }

    /// Rigid bodies, followers and constraint rows; `None` for a system without any.
    fn multibody(&self) -> Option<&Multibody> {
        None
    }

    /// Energies of a state [J].
    fn energies(&self, state: &State) -> Energies;

    /// What row `row` is, for messages.
    fn describe(&self, row: usize) -> String;
}
