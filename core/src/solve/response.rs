//! A step and its derivatives by impulses, for inverse control and sensitivities.

use crate::Vec3;
use crate::mixed::RowState;
use crate::solve::constrained::{StepContext, respond_constrained, respond_to_rows};
use crate::solve::failure::Failure;
use crate::solve::settings::{ImplicitMode, Integrator, ResponseAccuracy};
use crate::solve::solver::{Extent, MechSystemSolver};
use crate::system::{ContactForce, MechSystem, State, SteadyForces, StepError, StepStats};

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
    /// The unilateral rows at the end of the step: of contacts, of their friction, of the ends of ranges.
    pub(crate) rows: Vec<RowState>,
    /// Changes of the impulses of the unilateral rows, one a row and column [N s].
    pub(crate) pushes: Vec<f64>,
    /// Changes of the velocities of the unilateral rows, one a row and column [m/s], [rad/s].
    pub(crate) rates: Vec<f64>,
}

impl StepResponse {
    /// Zeros for so many columns of block rows, bilateral and unilateral rows; what is appended is empty.
    pub(super) fn resize(&mut self, [blocks, bilateral, unilateral]: [usize; 3], columns: usize) {
        self.positions.clear();
        self.positions.resize(blocks * columns, Vec3::zeros());
        self.multipliers.clear();
        self.multipliers.resize(bilateral * columns, 0.0);
        self.pushes.clear();
        self.pushes.resize(unilateral * columns, 0.0);
        self.contacts.clear();
        self.rows.clear();
        self.rates.clear();
    }
}

/// Responses of a step to unit impulses on some of its unilateral rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowResponse {
    /// The rows that are pushed, rising: those whose velocity stays while sets stay, and those that only push.
    pub(crate) pushed: Vec<usize>,
    /// Responses to a unit impulse [N s] on each of these, with the friction that slides at it.
    pub(crate) response: StepResponse,
    /// Contacts of the step with the changes of their forces, a list for each of these.
    pub(crate) contacts: Vec<Vec<ContactForce>>,
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
        self.equations.set_renewing(true);
        let done = self.advance(system, state, (h, Extent::Equations));
        if self.constrained.is_none() && done.is_ok() {
            self.equations.keep_free_solution();
        }
        self.equations.set_renewing(false);
        done
    }

    /// Has steps look for contacts as far as one of `h` [s] may lead whose mean velocities change by columns of `changes` [m/s],
    /// [rad/s], each times its amount; without any, as far as the velocities of their starts do.
    pub(crate) fn look_for_contacts(
        &mut self,
        system: &dyn MechSystem,
        columns: (&[Vec3], &[f64]),
        h: f64,
    ) {
        if let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) {
            own.look_for_contacts(multibody, columns, h);
        }
    }

    /// Keeps the steady forces of steps that [`Self::linearize`] takes, for others from the same start, and for the step
    /// itself: where it is the next that [`Self::step`] takes, it goes on with the solution and the factor of the
    /// linearization.
    pub fn keep_steady(&mut self, system: &dyn MechSystem, steady: SteadyForces) {
        self.equations.keep_steady(system, steady);
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
        let StepResponse { positions, velocities, multipliers, contacts, rows, pushes, rates } =
            response;
        contacts.clear();
        rows.clear();
        pushes.clear();
        rates.clear();
        positions.clear();
        positions.resize(impulses.len(), Vec3::zeros());
        let bilateral = system.multibody().map_or(0, |multibody| multibody.joints.rows.count());
        multipliers.resize(bilateral * (impulses.len() / size), 0.0);
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

    /// Responses of the step of `h` [s] that [`Self::linearize`] took to unit impulses on its unilateral rows.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub(crate) fn respond_to_rows(
        &mut self,
        system: &dyn MechSystem,
        h: f64,
        found: &mut RowResponse,
    ) -> Result<(), StepError> {
        let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) else {
            *found = RowResponse::default();
            return Ok(());
        };
        let context = StepContext { system, multibody };
        let responded = respond_to_rows(&mut self.equations, own, context, h, found);
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
