//! The configuration that forces are evaluated at.

use super::State;
use crate::Vec3;

/// Time and share of the loads at which a system is evaluated.
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

/// Configuration of a system: positions and velocities of its rows, and the memory of its forces.
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

    /// A state as it is: forces with a memory take it from there.
    pub fn now(state: &'a State) -> Self {
        Self::of(state, INSTANT)
    }

    /// A state, `step` [s] after its memory was brought up to date.
    pub fn of(state: &'a State, step: f64) -> Self {
        let State { q, u, memory, coordinates, .. } = state;
        Self { q, u, memory, coordinates, step }
    }
}
