//! An instance of a model that steps on a device, as the host keeps it.

use std::sync::Arc;

use sinew::Vec3;
use sinew::system::{CompiledModel, MechSystem, State, StepError, StepStats};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{flag, outcome, scalar, status};
use sinew_shaders::source::Precision;

use super::host::{BesideMotion, HostPart};
use super::outcome::Outcome;
use super::plan::Plan;
use super::stresses;
use super::submission::Solving;
use crate::{GpuError, ReadTicket, numbers};

/// An instance of a model.
pub(super) struct Instance {
    pub(super) system: Arc<CompiledModel>,
    pub(super) plan: Arc<Plan>,
    /// Places that displacements count from [m].
    rest: Arc<[Vec3]>,
    /// True if its latest state is in the buffers of the end of a step.
    pub(super) pending: bool,
    pub(super) solving: Solving,
    pub(super) host: HostPart,
    /// Residual that the next solve for joints is asked for [-].
    pub(super) next_tolerance: f64,
    /// State before the impact that the step under way starts with.
    pub(super) struck: Option<Box<State>>,
}

/// Share of a change of impulses that the solve for it leaves [-]: rows are quadratic, so that what they miss then falls by a thousand as well.
const SHARE_OF_CHANGE: f64 = 1e-3;

/// Least residual that a solve is asked for, and change of impulses that none is made for [-]: rounding leaves little less.
const FINEST_TOLERANCE: f64 = 1e-12;

/// A state that is being copied.
pub(super) struct PendingRead {
    pub(super) ticket: ReadTicket,
    /// Its time [s].
    time: f64,
    /// Its parts that are on the host.
    beside: BesideMotion,
}

impl Instance {
    /// At its start.
    pub(super) fn new(system: Arc<CompiledModel>, plan: Arc<Plan>) -> Self {
        let state = system.initial_state();
        Self {
            rest: state.q.as_slice().into(),
            pending: false,
            solving: Solving::new(),
            host: HostPart::of(&system, &state),
            next_tolerance: FINEST_TOLERANCE,
            struck: None,
            system,
            plan,
        }
    }

    /// Displacements from rest and velocities of a state in the order of the device [m, m/s].
    pub(super) fn vectors(&self, state: &State) -> [Vec<f64>; 2] {
        assert_eq!([state.q.len(), state.u.len()], [self.rest.len(); 2], "rows");
        let model = &self.plan.numbering.model;
        let mut d: Vec<Vec3> = state.q.iter().zip(&*self.rest).map(|(q, rest)| q - rest).collect();
        let mut u = state.u.clone();
        // A body turns about where its centre is.
        for &(row, scale) in self.host.scales() {
            let row = row as usize;
            (d[row], u[row]) = (d[row - 1], u[row] / scale);
        }
        [d, u].map(|of| model.iter().flat_map(|&row| of[row as usize].data.0[0]).collect())
    }

    /// The read of its state of now that `ticket` stands for.
    pub(super) fn pending_read(&self, ticket: ReadTicket) -> PendingRead {
        PendingRead { ticket, time: self.time(), beside: self.host.beside_motion() }
    }

    /// Puts what was read of displacements, velocities and remembered stresses into a state.
    pub(super) fn take_read(
        &mut self,
        PendingRead { time, beside, .. }: PendingRead,
        (read, width): (&[Vec<u8>], Precision),
        state: &mut State,
    ) {
        let [d, u] = [0, 1].map(|k| numbers(&read[k], Scalar::Real, width));
        let vector = |v: &[f64], k: usize| Vec3::new(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
        for (k, &row) in self.plan.numbering.model.iter().enumerate() {
            state.q[row as usize] = self.rest[row as usize] + vector(&d, k);
            state.u[row as usize] = vector(&u, k);
        }
        let BesideMotion { mut memory, multipliers, range_forces, coordinates, bodies } = beside;
        for (row, motion) in bodies {
            [state.q[row], state.u[row]] = motion;
        }
        stresses::put(&self.plan.remembered, (&read[2..], width), &mut memory);
        state.time = time;
        (state.memory, state.coordinates) = (memory, coordinates);
        (state.multipliers, state.range_forces) = (multipliers, range_forces);
        self.host.place_attached(&self.system, state);
    }

    /// Drops what is remembered from step to step.
    pub(super) fn forget(&mut self) {
        self.solving.renewal.request();
        self.host.border_mut().into_iter().for_each(|border| border.forget_responses());
    }

    /// Computes what the host does of a step of `h` [s].
    ///
    /// # Errors
    /// A shell that is degenerate where the step begins.
    pub(super) fn begin(&mut self, h: f64) -> Result<(), StepError> {
        let time = self.time();
        let border = self.host.update_border(&self.system, (self.plan.rule, h));
        border.map_err(|fault| StepError::of_fault(fault, time))
    }

    /// Takes the border of a solve for an iterate.
    pub(super) fn take_iterate(&mut self, outcome: &Outcome) {
        if outcome.has_solution() {
            self.host.take_iterate((&self.system, &self.rest), &outcome.border);
        }
    }

    /// Takes what a solve has found of the response to an impulse on a row, after one with this outcome; one that failed takes its place.
    pub(super) fn take_response(
        &mut self,
        on: (usize, f64),
        mut found: Outcome,
        outcome: &mut Outcome,
    ) {
        match self.host.border_mut().filter(|_| found.has_solution()) {
            Some(border) => {
                border.set_response(on, &found.border);
                outcome.add_iterations_of(&found);
            }
            None => {
                found.add_iterations_of(outcome);
                *outcome = found;
            }
        }
    }

    /// Corrects the impulses at the border about the iterate of a solve to `tolerance`; true if they change by more than its residual, or if
    /// rows were not met.
    pub(super) fn is_unsettled(&mut self, outcome: &Outcome, tolerance: f64) -> bool {
        if !outcome.has_solution() {
            return false;
        }
        let correction = self.host.correct(&self.system);
        let scale = outcome.scalars[scalar::SCALE as usize];
        let change = correction.change / scale.max(f64::MIN_POSITIVE);
        self.next_tolerance = (SHARE_OF_CHANGE * change).max(FINEST_TOLERANCE).min(tolerance);
        change > tolerance || !(correction.meets_rows() || change <= FINEST_TOLERANCE)
    }

    /// Time of its state [s].
    pub(super) fn time(&self) -> f64 {
        self.host.time()
    }

    /// Takes an accepted step of `h` [s].
    pub(super) fn advance(&mut self, h: f64, outcome: &Outcome) {
        self.pending = true;
        self.host.advance((&self.system, &self.rest), h, &outcome.border);
    }

    /// True if a step ended because an element is inverted.
    pub(super) fn met_inversion(outcome: &Outcome) -> bool {
        outcome.status[status::INVERTED as usize] != u32::MAX
    }

    /// Error of a step to `tolerance` in which no element was inverted, if it failed.
    pub(super) fn failure(&self, outcome: &Outcome, tolerance: f64) -> Option<StepError> {
        let time = self.time();
        let residual = outcome.scalars[scalar::RESIDUAL as usize]
            / outcome.scalars[scalar::SCALE as usize].max(f64::MIN_POSITIVE);
        let solved = self.plan.lists.solve.is_none()
            || outcome.flags[flag::OUTCOME as usize] == outcome::CONVERGED;
        let row = outcome.status[status::NOT_FINITE as usize];
        if row != u32::MAX && (solved || !residual.is_finite()) {
            let row = self.plan.numbering.model[row as usize] as usize;
            return Some(StepError::NotFinite { point: self.system.describe(row), time });
        }
        if solved && outcome.is_unsettled {
            let method = "iterations of bodies and joints";
            let iterations = outcome.flags[flag::ITERATIONS as usize] as usize;
            return Some(StepError::NotConverged { method, iterations, residual, tolerance, time });
        }
        if solved {
            return None;
        }
        if outcome.flags[flag::OUTCOME as usize] == outcome::INDEFINITE {
            let detail = "conjugate gradients met a direction of negative curvature".to_owned();
            return Some(StepError::Singular { detail, time });
        }
        Some(StepError::NotConverged {
            method: "conjugate gradients",
            iterations: outcome.flags[flag::ITERATIONS as usize] as usize,
            residual,
            tolerance,
            time,
        })
    }

    /// Counts of an accepted step.
    pub(super) fn stats(&self, outcome: &Outcome) -> StepStats {
        let mut stats = StepStats {
            matrix_blocks: self.system.pattern().block_count(),
            ..StepStats::default()
        };
        if self.plan.lists.solve.is_some() {
            let scale = outcome.scalars[scalar::SCALE as usize];
            let residual = outcome.scalars[scalar::RESIDUAL as usize];
            stats.linear_solves = 1;
            stats.cg_iterations = outcome.flags[flag::ITERATIONS as usize] as usize;
            stats.corrections =
                (outcome.flags[flag::CORRECTIONS as usize] as usize).saturating_sub(1);
            stats.residual = if scale > 0.0 { residual / scale } else { 0.0 };
        }
        stats
    }

    /// A device's error, at its time.
    pub(super) fn device_error(&self, error: &GpuError) -> StepError {
        StepError::Device { detail: error.to_string(), time: self.time() }
    }
}
