//! Objects: anything with a state, velocities, and a mass matrix, which is a metric of drag in first-order motion
//! (Witkin1990, sections 2.5 and 3.1). Points and directions that move with them are functions of their states.

mod curve;
mod particle;
mod rigid;
mod troid;

use std::sync::Arc;

use super::graph::BlockFunction;

pub use curve::{Curve, Weight};
pub use particle::{Particle, Variables};
pub use rigid::{PlanarBody, RigidBody};
pub use troid::Troid;

/// Function of a state, as a block.
pub type StateFunction = Arc<dyn BlockFunction>;

/// An object of a [`World`](super::World). Matrices are flat, row by row.
pub trait PhysicalObject: Send {
    /// Names of the numbers of the state.
    fn state_names(&self) -> Vec<String>;

    /// Number of velocities.
    fn velocity_count(&self) -> usize {
        self.state_names().len()
    }

    /// Adds the mass matrix, velocities x velocities, symmetric and positive definite.
    fn add_mass(&self, state: &[f64], mass: &mut [f64]);

    /// True if the mass matrix does not depend on the state.
    fn has_constant_mass(&self) -> bool;

    /// True if the object has an inertia of its own; others move in first order alone.
    fn has_inertia(&self) -> bool {
        true
    }

    /// Adds the forces that come with velocities, -dM/dt u + ∂(uᵀ M u / 2)/∂q.
    fn add_velocity_forces(&self, state: &[f64], velocity: &[f64], forces: &mut [f64]) {
        let _ = (state, velocity, forces);
    }

    /// Adds the generalized forces of a field of accelerations that is the same everywhere \[m/s²\].
    fn add_weight(&self, state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        let _ = (state, gravity, forces);
    }

    /// Rates of the state, and the rates of those while velocities stay.
    fn write_rates(&self, state: &[f64], velocity: &[f64], rates: &mut [[f64; 2]]) {
        let _ = state;
        rates.iter_mut().zip(velocity).for_each(|(rate, u)| *rate = [*u, 0.0]);
    }

    /// A row of derivatives by velocities from one by the state.
    fn write_velocity_row(&self, state: &[f64], by_state: &[f64], by_velocity: &mut [f64]) {
        let _ = state;
        by_velocity.copy_from_slice(by_state);
    }

    /// Brings the state back to where it has a meaning: unit quaternions.
    fn normalize(&self, state: &mut [f64]) {
        let _ = state;
    }

    /// The place of a point of the object, as a function of its state; none, where it has no such points or
    /// `coordinates` do not fit.
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let _ = coordinates;
        None
    }

    /// A direction that turns with the object, as a function of its state.
    fn direction(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let _ = coordinates;
        None
    }
}

/// Names of coordinates.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// The first of these names.
pub(super) fn axes(count: usize) -> Vec<String> {
    AXES.iter().take(count).map(|&axis| axis.to_owned()).collect()
}
