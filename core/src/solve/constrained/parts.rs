//! The parts of a constrained step that know nothing of contacts.

use nalgebra::Quaternion;

use super::context::StepContext;
use super::driven::DrivenRows;
use super::iterate::Trial;
use super::mixed_settings::mixed_settings;
use super::reduction::Reduction;
use super::start::StartState;
use super::work::{FittedLoads, LinearStep, QuaternionRates};
use crate::constraint::Placement;
use crate::linalg::Corrector;
use crate::mixed::MixedSolver;
use crate::solve::correction_mixing::CorrectionMixing;
use crate::solve::failure::Failure;
use crate::solve::settings::SolverSettings;
use crate::system::Multibody;
use crate::{Mat3, Vec3};

/// The parts that know nothing of contacts.
pub(in crate::solve) struct Parts {
    pub(in crate::solve) reduction: Reduction,
    pub(in crate::solve) start: StartState,
    pub(in crate::solve) trial: Trial,
    pub(in crate::solve) mixed: MixedSolver,
    pub(in crate::solve) linear: LinearStep,
    /// Blocks of the matrix beyond those linear in the step: slot, row, column, block.
    pub(in crate::solve) terms: Vec<(u32, [u32; 2], Mat3)>,
    pub(in crate::solve) mixing: CorrectionMixing,
    pub(in crate::solve) fitted: FittedLoads,
    /// Velocities at the end.
    pub(in crate::solve) end_u: Vec<Vec3>,
    /// Rates of orientations, for the Runge-Kutta rule.
    pub(in crate::solve) quaternion_rates: Vec<QuaternionRates>,
    /// Bodies whose rotation nothing resists in this step.
    pub(in crate::solve) free: Vec<bool>,
    /// True if the step under way begins with the factor of its linearization.
    pub(in crate::solve) keeps_factor: bool,
    /// True if rows were found to contradict each other.
    pub(in crate::solve) conflicting: bool,
    /// Demands of locks along paths.
    pub(in crate::solve) driven: DrivenRows,
}

impl Parts {
    pub(in crate::solve) fn new(
        context: StepContext,
        settings: &SolverSettings,
    ) -> Result<Self, Failure> {
        let reduction = Reduction::new(context);
        let (fixed, rows) = (&reduction.fixed, reduction.rows.pattern());
        let bodies: Vec<u32> = context.multibody.bodies.iter().map(|body| body.row).collect();
        let (pattern, mixed) = (context.system.pattern(), mixed_settings(settings));
        let mixed = MixedSolver::new(pattern, fixed, rows, &bodies, &mixed)?;
        Ok(Self::of(context, reduction, mixed))
    }

    /// The same with S solved for by `corrector` where conjugate gradients serve.
    pub(in crate::solve) fn with_corrector(
        context: StepContext,
        settings: &SolverSettings,
        corrector: Box<dyn Corrector>,
    ) -> Self {
        let reduction = Reduction::new(context);
        let (fixed, rows) = (&reduction.fixed, reduction.rows.pattern());
        let (pattern, mixed) = (context.system.pattern(), mixed_settings(settings));
        let mixed = MixedSolver::with_corrector(pattern, fixed, rows, corrector, &mixed);
        Self::of(context, reduction, mixed)
    }

    fn of(context: StepContext, reduction: Reduction, mixed: MixedSolver) -> Self {
        let StepContext { system, multibody } = context;
        let (size, count) = (system.pattern().size(), multibody.joints.rows.count());
        let (full, reduced) = (
            multibody.joints.rows.pattern(size).entry_count(),
            reduction.rows.pattern().entry_count(),
        );
        Self {
            mixed,
            start: StartState::new(size, count, multibody),
            trial: Trial::new(size, full, multibody, reduced),
            linear: LinearStep::new(size, count),
            terms: Vec::new(),
            mixing: CorrectionMixing::new(&reduction.masses),
            fitted: FittedLoads::new(size, multibody.attachments.fitted.len()),
            end_u: vec![Vec3::zeros(); size],
            quaternion_rates: vec![[Quaternion::identity(); 2]; multibody.bodies.len()],
            free: multibody.bodies.iter().map(|body| body.rotates_freely).collect(),
            keeps_factor: false,
            conflicting: false,
            driven: DrivenRows::new(count),
            reduction,
        }
    }

    /// Orientations and rows at the start of a substep, from positions `q` [m] and velocities `u`.
    pub(in crate::solve) fn begin(&mut self, multibody: &Multibody, (q, u): (&[Vec3], &[Vec3])) {
        let Self { start, trial, reduction: Reduction { offsets, .. }, .. } = self;
        for (k, body) in multibody.bodies.iter().enumerate() {
            start.orientations[k] = body.orientation(q);
            start.turns[k] = start.orientations[k].to_rotation_matrix().into_inner();
        }
        for (k, turning) in start.turnings.iter_mut().enumerate() {
            *turning = multibody.turning(k, q);
        }
        let at = Placement { q, turns: &start.turns, coordinates: &start.coordinates };
        let mut reader = multibody.joints.rows.at(at);
        for (row, value) in start.values.iter_mut().enumerate() {
            *value = reader.value(row);
            if multibody.joints.inertia[row] == 0.0 {
                continue;
            }
            let coefficients =
                &mut trial.coefficients[offsets[row] as usize..offsets[row + 1] as usize];
            reader.coefficients(row, coefficients);
            let blocks = multibody.joints.rows.lists()[row].iter();
            let rate = |(&block, by): (&u32, &Vec3)| by.dot(&u[block as usize]);
            start.rates[row] = blocks.zip(&*coefficients).map(rate).sum();
        }
    }

    /// Placement `q` [m] with rotations of the iterate and coordinates of the start.
    pub(in crate::solve) fn placement<'a>(&'a self, q: &'a [Vec3]) -> Placement<'a> {
        let (turns, coordinates) = (&self.trial.bodies.turns, &self.start.coordinates);
        Placement { q, turns, coordinates }
    }

    /// Takes from `linear.row_right` what attached points whose masters go on evenly make of the rows on them.
    pub(in crate::solve) fn add_bias_of_rows(&mut self, multibody: &Multibody) {
        if !self.reduction.rows_on_attached {
            return;
        }
        for (row, list) in multibody.joints.rows.lists().iter().enumerate() {
            let vectors = &self.trial.coefficients[self.reduction.entries(row)];
            let share = |(&block, by): (&u32, &Vec3)| by.dot(&self.fitted.bias[block as usize]);
            self.linear.row_right[row] -= list.iter().zip(vectors).map(share).sum::<f64>();
        }
    }

    /// Asks the rows to take back their errors.
    pub(in crate::solve) fn set_row_errors(&mut self) {
        let right = self.linear.row_right.iter_mut();
        right.zip(&self.trial.values).for_each(|(b, value)| *b = -value);
    }
}
