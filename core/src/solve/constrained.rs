//! Steps of systems with rigid bodies, attached points and constraint rows: docs/theory/rigid.md. The unknown is
//! the mean velocity y of the step; rows are taken at the mean of start and end, and positions met by
//! the same impulses in iterations of back-solves with one factor.

mod acceleration;
mod columns;
mod context;
mod derivative;
mod driven;
mod equilibrium;
mod factor;
mod fitted;
mod geometric;
mod halving;
mod iterate;
mod iterations;
mod linear_problem;
mod mixed_settings;
mod natural;
mod newton;
mod parts;
mod project;
mod reduction;
mod residual;
mod response;
mod runge_kutta;
mod settle;
mod start;
mod step;
mod substep;
mod tangents;
mod trial;
mod tuning;
mod unilateral;
mod unmet;
mod work;

pub(super) use acceleration::accelerations;
pub(super) use columns::are_closed;
pub(crate) use columns::{ForceMatrices, StepColumn, StepColumns, StepScalar};
pub(super) use context::StepContext;
pub(super) use derivative::eval_constrained;
pub(super) use driven::end_locks_on_paths;
pub(super) use halving::start_on_rows;
pub(super) use natural::{BASE_VALUES, Natural};
use parts::Parts;
pub(super) use project::{bring_stage_onto_rows, project};
pub(super) use response::{linearize_constrained, respond_constrained, respond_to_rows};
pub(super) use runge_kutta::runge_kutta_in_parts;
pub(super) use step::{spring_back, step_constrained};
use unilateral::Unilateral;
pub(super) use unilateral::instants::{TOUCHING, Touch, are_met, gaps, settle, switch_count};
pub(super) use unilateral::stabilize::stabilize;

use super::failure::Failure;
use super::settings::SolverSettings;
use crate::Vec3;
use crate::contact::CandidateFinder;
use crate::linalg::Corrector;
use crate::system::{Multibody, State};

/// Data of constrained steps beside the equations: parts common to all, and those of contacts.
pub(super) struct Constrained {
    pub(super) parts: Parts,
    /// Rows that push and do not pull.
    contacts: Option<Box<Unilateral>>,
}

impl Constrained {
    pub(super) fn new(context: StepContext, settings: &SolverSettings) -> Result<Self, Failure> {
        Self::of(Parts::new(context, settings)?, context, settings)
    }

    /// The same with S solved for by `corrector` where conjugate gradients serve.
    pub(super) fn with_corrector(
        context: StepContext,
        settings: &SolverSettings,
        corrector: Box<dyn Corrector>,
    ) -> Result<Self, Failure> {
        Self::of(Parts::with_corrector(context, settings, corrector), context, settings)
    }

    fn of(parts: Parts, context: StepContext, settings: &SolverSettings) -> Result<Self, Failure> {
        let contacts = Unilateral::new(context.multibody, settings)?.map(Box::new);
        Ok(Self { parts, contacts })
    }

    /// True if there is something that may strike or touch.
    pub(super) fn may_touch(&self) -> bool {
        self.contacts.is_some()
    }

    /// Has `finder` list candidates for contact between surfaces.
    pub(super) fn set_finder(&mut self, finder: Box<dyn CandidateFinder>) {
        if let Some(rows) = &mut self.contacts {
            rows.near.set_finder(Some(finder));
        }
    }

    /// Looks for contacts as far as a step of `h` [s] may lead whose mean velocities change by columns of `changes` [m/s],
    /// [rad/s], each times its amount; without any, as far as the velocities of the start do.
    pub(super) fn look_for_contacts(
        &mut self,
        multibody: &Multibody,
        (changes, amounts): (&[Vec3], &[f64]),
        h: f64,
    ) {
        let Some(Unilateral { near, .. }) = self.contacts.as_deref_mut() else { return };
        match amounts.is_empty() {
            true => near.narrow(),
            false => near.widen(multibody, (changes, amounts), h),
        }
    }

    /// Keeps contacts of what passes by, or leaves them out again.
    fn keep_passing(&mut self, keeps: bool) {
        self.contacts.iter_mut().for_each(|rows| rows.near.keep_passing(keeps));
    }

    /// At the start of a step.
    pub(super) fn begin_step(&mut self) {
        self.contacts.iter_mut().for_each(|rows| rows.near.begin_step());
    }

    /// Takes nothing from the steps before.
    pub(super) fn forget(&mut self) {
        self.parts.conflicting = false;
        self.parts.mixed.forget();
        self.contacts.iter_mut().for_each(|rows| rows.near.forget());
    }

    /// True if steps without contacts are solved by conjugate gradients.
    pub(super) fn prefers_iterations(&self) -> bool {
        self.parts.mixed.saddle().prefers_iterations()
    }

    /// Positions before the step [m].
    pub(super) fn start_positions(&self) -> &[Vec3] {
        &self.parts.start.before_q
    }

    /// Mean velocities of the last step [m/s], [rad/s].
    pub(super) fn mean_velocities(&self) -> &[Vec3] {
        &self.parts.trial.y
    }

    /// Brings back the state before the step.
    pub(super) fn restore(&self, state: &mut State) {
        self.parts.start.restore(state);
        self.parts.driven.restore(state);
    }
}
