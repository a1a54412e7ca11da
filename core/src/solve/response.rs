//! A step and its derivatives by impulses, for inverse control and sensitivities.

use crate::Vec3;
use crate::solve::constrained::{StepContext, respond_constrained};
use crate::solve::failure::Failure;
use crate::solve::settings::{ImplicitMode, Integrator, ResponseAccuracy};
use crate::solve::solver::{Extent, MechSystemSolver};
use crate::system::{MechSystem, State, StepError, StepStats};

/// Responses of a step, column after column of impulses.
#[derive(Clone, Debug, Default)]
pub struct StepResponse {
    /// Changes of positions at the end of the step over its length, one a block row and column [m/s], [rad/s]: of the
    /// rotation of a body in world axes.
    pub positions: Vec<Vec3>,
    /// Changes of velocities at the end of the step, one a block row and column [m/s], [rad/s]; of attached points nothing,
    /// which follow from those of their masters.
    pub velocities: Vec<Vec3>,
    /// Changes of the impulses of the bilateral rows, one a row and column [N s], [N m s].
    pub multipliers: Vec<f64>,
    /// Changes of the forces of the contacts that push, one a contact of [`State::contacts`] at the end of the step, in its
    /// order, and column [N].
    pub contacts: Vec<Vec3>,
}

impl MechSystemSolver {
    /// True if its rule is one that [`Self::respond`] knows the derivative of: backward Euler, linearized.
    pub fn has_response(&self) -> bool {
        self.settings().integrator == Integrator::BackwardEuler(ImplicitMode::Linearized)
    }

    /// Advances `state` by `h` [s] as [`Self::step`] does, but as a whole and without taking back overlaps; the matrix of
    /// the step is then at hand for [`Self::respond`].
    ///
    /// # Errors
    /// As [`Self::step`]; `state` is then as it was.
    ///
    /// # Panics
    /// As [`Self::step`].
    pub fn linearize(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<StepStats, StepError> {
        self.advance(system, state, (h, Extent::Equations))
    }

    /// Mean velocities of the step taken last, one a block row [m/s], [rad/s]; of bodies about which it turns by the
    /// Cayley map.
    pub fn mean_velocities(&self) -> &[Vec3] {
        match &self.constrained {
            Some(own) => own.mean_velocities(),
            None => &self.equations.work.x,
        }
    }

    /// Responses of the step of `h` [s] that [`Self::linearize`] took to `impulses` [N s] on the block rows (those of
    /// bodies are two, of forces on the centre of mass and of moments), column after column: by the matrix of the step, with
    /// rows that hold, and rows that push while each stays in its set. `impulses` are changed.
    ///
    /// # Errors
    /// As [`Self::step`].
    ///
    /// # Panics
    /// When `impulses` are no whole columns.
    pub fn respond(
        &mut self,
        system: &dyn MechSystem,
        (impulses, h, accuracy): (&mut [Vec3], f64, ResponseAccuracy),
        response: &mut StepResponse,
    ) -> Result<(), StepError> {
        let size = system.pattern().size().max(1);
        assert_eq!(impulses.len() % size, 0, "whole columns of {size} block rows");
        let StepResponse { positions, velocities, multipliers, contacts } = response;
        contacts.clear();
        positions.clear();
        positions.resize(impulses.len(), Vec3::zeros());
        let rows = system.multibody().map_or(0, |multibody| multibody.joints.rows.count());
        multipliers.resize(rows * (impulses.len() / size), 0.0);
        let responded = match (&mut self.constrained, system.multibody()) {
            (Some(own), Some(multibody)) => {
                let context = StepContext { system, multibody };
                let asked = (impulses, h, accuracy);
                respond_constrained(&mut self.equations, own, context, asked, response)
            }
            _ => {
                let solved = self.respond_free(system, impulses, positions);
                velocities.clone_from(positions);
                solved
            }
        };
        responded.map_err(|failure| failure.name(system, 0.0))
    }

    /// The same for a system without bodies, attached points and constraint rows.
    fn respond_free(
        &mut self,
        system: &dyn MechSystem,
        impulses: &[Vec3],
        changes: &mut [Vec3],
    ) -> Result<(), Failure> {
        let size = system.pattern().size().max(1);
        let equations = &mut self.equations;
        for (b, x) in impulses.chunks_exact(size).zip(changes.chunks_exact_mut(size)) {
            let matrix = (&equations.matrix, system.fixed());
            equations.linear.respond(matrix, b, x, &mut equations.stats)?;
        }
        Ok(())
    }
}
