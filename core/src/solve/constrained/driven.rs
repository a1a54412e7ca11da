//! Locked coordinates of joints that go along paths: where their locks are, and what their rows demand of rates and
//! accelerations. Positions are met as those of all rows; at the end of a step velocities are brought to the rates of the
//! paths by impulses, which belong to the forces of the rows. Theory: docs/theory/rigid.md.

use crate::Vec3;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{
    forget_soft_rows, least_motion, place_on_rows, set_masses,
};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::settings::Integrator;
use crate::system::{Multibody, State};

/// Time after which the paths are looked at for their rates at the start of a run [s]: a power of two, so that dividing by it
/// rounds nothing.
const FIRST_MOMENT: f64 = 1.0 / (1 << 20) as f64;

/// Derivative that a row demands of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Order {
    Rate = 0,
    Acceleration = 1,
}

/// Demands of the constraint rows, by row: of locks along paths, else zero.
pub(in crate::solve) struct DrivenRows {
    /// Rate and second derivative.
    pub(in crate::solve) rates: Vec<[f64; 2]>,
    /// Way of the lock over the substep [m], [rad].
    pub(super) drift: Vec<f64>,
    /// Coordinates of all joints before the step.
    before: Vec<f64>,
}

impl DrivenRows {
    pub(super) fn new(count: usize) -> Self {
        Self { rates: vec![[0.0; 2]; count], drift: vec![0.0; count], before: Vec::new() }
    }

    /// Keeps the coordinates of a state before anything is done.
    pub(super) fn keep(&mut self, state: &State) {
        self.before.clone_from(&state.coordinates);
    }

    /// Brings them back.
    pub(super) fn restore(&self, state: &mut State) {
        state.coordinates.clone_from(&self.before);
    }
}

impl Parts {
    /// Puts locks where their paths have them at a time of a step of this span [s], with their rates.
    pub(in crate::solve) fn drive(
        &mut self,
        multibody: &Multibody,
        (time, span): (f64, [f64; 2]),
        coordinates: &mut [f64],
    ) {
        self.set_rates(multibody, time, span);
        multibody.prescribe_coordinates(time, coordinates);
    }

    fn set_rates(&mut self, multibody: &Multibody, time: f64, span: [f64; 2]) {
        for path in &multibody.joints.paths {
            self.driven.rates[path.row] = path.course.rates(time, span);
        }
    }

    /// The same at the start of a run, with the rates right after it.
    pub(super) fn drive_start(&mut self, multibody: &Multibody, state: &mut State) {
        let span = [state.time, state.time + FIRST_MOMENT];
        self.drive(multibody, (state.time, span), &mut state.coordinates);
        self.start.coordinates.clone_from(&state.coordinates);
    }

    /// Puts the coordinates of the start of a substep of this span [s] where their paths have them at its end.
    pub(super) fn drive_to_end(&mut self, multibody: &Multibody, span: [f64; 2]) {
        self.set_rates(multibody, span[1], span);
        multibody.prescribe_coordinates(span[1], &mut self.start.coordinates);
        for path in &multibody.joints.paths {
            let [before, after] = span.map(|time| path.course.at(time));
            self.driven.drift[path.row] = after - before;
        }
    }

    /// Puts locks where they are at a time [s], at rest there.
    pub(super) fn drive_at_rest(
        &mut self,
        multibody: &Multibody,
        time: f64,
        coordinates: &mut [f64],
    ) {
        self.driven.rates.fill([0.0; 2]);
        multibody.prescribe_coordinates(time, coordinates);
    }

    /// Adds what paths demand of their rows to `linear.row_right`.
    pub(in crate::solve) fn add_demand(&mut self, multibody: &Multibody, order: Order) {
        for path in &multibody.joints.paths {
            self.linear.row_right[path.row] += self.driven.rates[path.row][order as usize];
        }
    }
}

/// Brings the velocities at the end of a step of `h` [s] to the rates of the paths, by impulses of their rows that leave the
/// rates of others as they are.
pub(in crate::solve) fn end_locks_on_paths(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let is_staged = matches!(equations.integrator, Integrator::Static(_) | Integrator::RungeKutta4);
    if multibody.joints.paths.is_empty() || is_staged {
        return Ok(());
    }
    let span = [state.time, state.time + h];
    parts.drive(multibody, (span[1], span), &mut state.coordinates);
    place_on_rows(parts, multibody, state);
    parts.linear.row_right.fill(0.0);
    parts.add_demand(multibody, Order::Rate);
    let pattern = parts.reduction.rows.pattern();
    for path in &multibody.joints.paths {
        let entries = pattern.entries(path.row);
        let blocks = pattern.blocks()[entries.clone()].iter();
        let share = |(&block, by): (&u32, &Vec3)| by.dot(&state.u[block as usize]);
        let rate: f64 = blocks.zip(&parts.trial.reduced[entries]).map(share).sum();
        parts.linear.row_right[path.row] -= rate;
    }
    set_masses(parts, context, &mut equations.matrix, state);
    forget_soft_rows(parts, multibody);
    least_motion(parts, &equations.matrix)?;
    state.u.iter_mut().zip(&parts.linear.step).for_each(|(u, step)| *u += step);
    parts.reduction.attachments.expand_velocity(&mut state.u);
    let impulses = state.multipliers.iter_mut().zip(&parts.linear.row_step);
    impulses.for_each(|(force, impulse)| *force += impulse / h);
    Ok(())
}
