//! Steps of systems with rigid bodies, attached points and constraint rows: docs/theory/rigid.md. The unknown is
//! the mean velocity y of the step; rows are taken at the mean of start and end, and positions met by
//! the same impulses in iterations of back-solves with one factor.

mod equilibrium;
mod factor;
mod fitted;
mod iterate;
mod iterations;
mod linear_problem;
mod newton;
mod parts;
mod project;
mod reduction;
mod residual;
mod runge_kutta;
mod start;
mod step;
mod substep;
mod trial;
mod tuning;
mod unilateral;
mod unmet;

use nalgebra::Quaternion;

use iterate::Trial;
use reduction::Reduction;
use runge_kutta::QuaternionRates;
use start::StartState;
pub(super) use step::step_constrained;
use substep::{Matrix, Substep};
use unilateral::Unilateral;

use super::failure::Failure;
use super::settings::{ContactMethod, LinearSolver, SolverSettings};
use crate::constraint::Placement;
use crate::mixed::{LinearMethod, MixedSettings, MixedSolver};
use crate::solve::correction_mixing::CorrectionMixing;
use crate::system::{MechSystem, Multibody, State};
use crate::{Mat3, Vec3};

/// What a step sees of its system.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub(super) system: &'a dyn MechSystem,
    /// Its bodies, attached points and constraint rows.
    pub(super) multibody: &'a Multibody,
}

/// What a constrained step needs beside the equations.
pub(super) struct Constrained {
    parts: Parts,
    /// Rows that push and do not pull.
    contacts: Option<Box<Unilateral>>,
}

/// The parts that know nothing of contacts.
struct Parts {
    reduction: Reduction,
    start: StartState,
    trial: Trial,
    mixed: MixedSolver,
    linear: LinearStep,
    /// What is in the matrix beside linear terms: slot, row, column, block.
    terms: Vec<(u32, [u32; 2], Mat3)>,
    mixing: CorrectionMixing,
    fitted: FittedLoads,
    /// Velocities at the end.
    end_u: Vec<Vec3>,
    /// Rates of orientations, for the Runge-Kutta rule.
    quaternion_rates: Vec<QuaternionRates>,
    /// Bodies whose rotation nothing resists in this step.
    free: Vec<bool>,
    /// Whether rows were found to contradict each other.
    conflicting: bool,
}

/// Right sides of the saddle point of an iteration, its compliances, and its solution.
struct LinearStep {
    /// Corrections of velocities and impulses.
    step: Vec<Vec3>,
    row_step: Vec<f64>,
    right: Vec<Vec3>,
    row_right: Vec<f64>,
    /// Compliances as the matrix has them.
    compliance: Vec<f64>,
    /// Vectors of the rows at the end of the step, where the matrix has these in its second line.
    end_values: Vec<Vec3>,
}

/// Loads of bodies that follow points.
struct FittedLoads {
    /// Forces on the way from attached points to masters, and the moments that fitted bodies pass on.
    passed_on: Vec<Vec3>,
    moments: Vec<Vec3>,
    /// Accelerations of attached points whose masters go on evenly.
    bias: Vec<Vec3>,
}

impl Constrained {
    pub(super) fn new(context: StepContext, settings: &SolverSettings) -> Result<Self, Failure> {
        Ok(Self {
            parts: Parts::new(context, settings)?,
            contacts: Unilateral::new(context.multibody, settings)?.map(Box::new),
        })
    }

    /// Takes nothing from the steps before.
    pub(super) fn forget(&mut self) {
        self.parts.conflicting = false;
        self.contacts.iter_mut().for_each(|rows| rows.near.forget());
    }

    /// Whether steps without contacts are solved by conjugate gradients.
    pub(super) fn prefers_iterations(&self) -> bool {
        self.parts.mixed.saddle().prefers_iterations()
    }

    /// Positions before the step [m].
    pub(super) fn start_positions(&self) -> &[Vec3] {
        &self.parts.start.before_q
    }

    /// Brings back the state before the step.
    pub(super) fn restore(&self, state: &mut State) {
        self.parts.start.restore(state);
    }
}

impl Parts {
    fn new(context: StepContext, settings: &SolverSettings) -> Result<Self, Failure> {
        let StepContext { system, multibody } = context;
        let (size, count) = (system.pattern().size(), multibody.joints.rows.count());
        let reduction = Reduction::new(context);
        let (full, reduced) = (
            multibody.joints.rows.pattern(size).entry_count(),
            reduction.rows.pattern().entry_count(),
        );
        let vectors = || vec![Vec3::zeros(); size];
        let (fixed, rows) = (&reduction.fixed, reduction.rows.pattern());
        let bodies: Vec<u32> = multibody.bodies.iter().map(|body| body.row).collect();
        let mixed = mixed_settings(settings);
        Ok(Self {
            mixed: MixedSolver::new(system.pattern(), fixed, rows, &bodies, &mixed)?,
            start: StartState::new(size, count, multibody),
            trial: Trial::new(size, full, multibody, reduced),
            linear: LinearStep::new(size, count),
            terms: Vec::new(),
            mixing: CorrectionMixing::new(&reduction.masses),
            fitted: FittedLoads {
                passed_on: vectors(),
                moments: vec![Vec3::zeros(); multibody.attachments.fitted.len()],
                bias: vectors(),
            },
            end_u: vectors(),
            quaternion_rates: vec![[Quaternion::identity(); 2]; multibody.bodies.len()],
            free: multibody.bodies.iter().map(|body| body.rotates_freely).collect(),
            conflicting: false,
            reduction,
        })
    }

    /// Orientations and rows at the start `q` of a substep [m].
    fn begin(&mut self, multibody: &Multibody, q: &[Vec3]) {
        let start = &mut self.start;
        for (k, body) in multibody.bodies.iter().enumerate() {
            start.orientations[k] = body.orientation(q);
            start.turns[k] = start.orientations[k].to_rotation_matrix().into_inner();
        }
        for (k, turning) in start.turnings.iter_mut().enumerate() {
            *turning = multibody.turning(k, q);
        }
        let at = Placement { q, turns: &start.turns, coordinates: &start.coordinates };
        for (row, value) in start.values.iter_mut().enumerate() {
            *value = multibody.joints.rows.value(row, at);
        }
    }

    /// Placement `q` [m] with rotations of the iterate and coordinates of the start.
    fn placement<'a>(&'a self, q: &'a [Vec3]) -> Placement<'a> {
        let (turns, coordinates) = (&self.trial.bodies.turns, &self.start.coordinates);
        Placement { q, turns, coordinates }
    }

    /// Asks the rows to take back their errors.
    fn set_row_errors(&mut self) {
        let right = self.linear.row_right.iter_mut();
        right.zip(&self.trial.values).for_each(|(b, value)| *b = -value);
    }
}

impl LinearStep {
    fn new(size: usize, count: usize) -> Self {
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        Self {
            step: vectors(),
            row_step: scalars(),
            right: vectors(),
            row_right: scalars(),
            compliance: scalars(),
            end_values: Vec::new(),
        }
    }
}

/// What a user chose, for the solver of mixed problems; the step measures its own residuals.
fn mixed_settings(settings: &SolverSettings) -> MixedSettings {
    MixedSettings {
        linear: match settings.linear_solver {
            LinearSolver::Auto => LinearMethod::Auto,
            LinearSolver::Direct | LinearSolver::Hybrid => LinearMethod::Factor,
            LinearSolver::ConjugateGradients => LinearMethod::Iterations,
        },
        tolerance: settings.cg_tolerance,
        max_iterations: settings.cg_max_iterations,
        dense_rows: match settings.contact_method {
            ContactMethod::Auto => crate::mixed::MANY,
            ContactMethod::Dense => usize::MAX,
            ContactMethod::Sparse => 0,
        },
        measures: false,
    }
}
