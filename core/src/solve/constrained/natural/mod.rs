//! Natural coordinates of rigid bodies: the centre of mass and three base vectors along the principal axes, twelve numbers
//! a body, whose mass matrix is constant and diagonal, under six rows of rigidity each (GarciaDeJalonBayo1994).
//! Accelerations and projections by the tree of bodies and rows, in a time that grows with their number; rows that close
//! loops stand apart. Rows of joints are those of the other form. Theory: docs/theory/integrators.md.

mod base;
mod equations;
mod motion;
mod solution;
mod structure;
mod unsupported;

use base::Bases;
use equations::NaturalEquations;

use super::parts::Parts;
use crate::Vec3;
use crate::solve::constrained::context::StepContext;
use crate::solve::failure::Failure;
use crate::system::State;

/// Values of a body: of its base vectors, or of their rates.
pub(in crate::solve) const BASE_VALUES: usize = 9;

/// Bodies in natural coordinates, and their equations.
pub(in crate::solve) struct Natural {
    pub(super) bases: Bases,
    pub(super) equations: NaturalEquations,
}

impl Natural {
    /// Of a system, refused where these coordinates cannot say it.
    pub(in crate::solve) fn new(context: StepContext, parts: &Parts) -> Result<Self, Failure> {
        unsupported::ensure_supported(context)?;
        Ok(Self {
            bases: Bases::new(context.multibody.bodies.len()),
            equations: NaturalEquations::new(context, parts)?,
        })
    }

    /// Takes bodies over from a state, with the inertia that they have now.
    pub(in crate::solve) fn take(&mut self, context: StepContext, state: &State) {
        self.bases.take(context.multibody, state);
    }

    /// Takes over the bodies that are prescribed.
    pub(in crate::solve) fn follow(&mut self, context: StepContext, state: &State) {
        for (k, body) in context.multibody.bodies.iter().enumerate() {
            if context.system.fixed()[body.row as usize + 1][0] {
                self.bases.take_body(k, body, state);
            }
        }
    }

    /// Writes the base vectors of a body [-] and their rates [1/s].
    pub(in crate::solve) fn write(&self, body: usize, base: &mut [f64], rates: &mut [f64]) {
        base.copy_from_slice(self.bases.base[body].as_slice());
        rates.copy_from_slice(self.bases.rates[body].as_slice());
    }

    /// Takes the base vectors of a body [-] and their rates [1/s]; returns its rotation vector [rad] and its angular
    /// velocity [rad/s].
    pub(in crate::solve) fn read(&mut self, body: usize, base: &[f64], rates: &[f64]) -> [Vec3; 2] {
        self.bases.base[body].copy_from_slice(base);
        self.bases.rates[body].copy_from_slice(rates);
        self.bases.turn(body)
    }

    /// Writes the accelerations of the base vectors of a body that were found last [1/s²].
    pub(in crate::solve) fn write_accelerations(&self, body: usize, values: &mut [f64]) {
        values.copy_from_slice(self.bases.found[body].as_slice());
    }
}
