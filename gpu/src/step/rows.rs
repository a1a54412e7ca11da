//! Joints, ranges and constraints of border bodies and nodes: how velocities respond to impulses on their rows, which the device
//! finds by a solve for each row and keeps nothing of (docs/theory/device.md, "Joints").

use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::{BorderForces, CompiledModel, State, StepError, StepStats};
use sinew_shaders::layout::scalar;
use sinew_shaders::program::ListId;

use super::outcome::Outcome;
use super::plan::SolveLists;
use super::resident::{Resident, Stepped};
use super::turning::{TURN_ITERATIONS, most_iterations};
use crate::{GpuError, real_bytes};

/// Residual of the solve for a response, over the impulse that it responds to [-].
const RESPONSE_TOLERANCE: f64 = 1e-6;

impl Resident {
    /// Brings a state of an instance in which no step has ended yet onto the rows, by the code of the CPU.
    ///
    /// # Errors
    /// [`StepError`] where rows contradict each other, or the device is lost.
    pub(super) fn start_on_rows(&mut self, k: usize) -> Result<(), StepError> {
        if !self.instances[k].host.is_off_rows() {
            return Ok(());
        }
        self.change_state(k, |solver, system, state| solver.start(system, state))
    }

    /// Takes back what steps of `h` [s] passed their ranges by, by the code of the CPU; a step of which that fails has its error.
    pub(super) fn take_back_overlaps(
        &mut self,
        instances: &[usize],
        results: &mut [Result<StepStats, StepError>],
        h: f64,
    ) {
        for (&k, result) in instances.iter().zip(results) {
            let passes = self.instances[k].host.border().is_some_and(BorderForces::passes_ranges);
            if result.is_err() || !passes {
                continue;
            }
            let changed = self.change_state(k, |solver, system, state| {
                solver.take_back_overlaps(system, state, h)
            });
            if let Err(error) = changed {
                *result = Err(error);
            }
        }
    }

    /// Lets what an instance strikes in the step of `h` [s] that it has begun spring back, by the code of the CPU; the step then begins anew.
    ///
    /// # Errors
    /// [`StepError`] where the CPU finds no impulses, or the device is lost.
    pub(super) fn spring_back(&mut self, k: usize, h: f64) -> Result<(), StepError> {
        if !self.instances[k].host.border().is_some_and(BorderForces::springs_back) {
            return Ok(());
        }
        let (before, impacts) = self.change_state(k, |solver, system, state| {
            let before = state.clone();
            solver.spring_back(system, state, h).map(|impacts| (before, impacts))
        })?;
        let own = &mut self.instances[k];
        own.struck = Some(Box::new(before));
        own.begin(h)?;
        if let Some(border) = own.host.border_mut() {
            border.take_impacts(impacts);
        }
        Ok(())
    }

    /// Brings back the velocities before an impact in steps that failed.
    pub(super) fn undo_impacts(
        &mut self,
        instances: &[usize],
        results: &[Result<StepStats, StepError>],
    ) {
        for (&k, result) in instances.iter().zip(results) {
            let struck = self.instances[k].struck.take();
            if let Some(before) = struck.filter(|_| result.is_err()) {
                self.write_state(k, &before);
            }
        }
    }

    /// Has the CPU change the state of an instance.
    fn change_state<R>(
        &mut self,
        k: usize,
        change: impl FnOnce(&mut MechSystemSolver, &CompiledModel, &mut State) -> Result<R, StepError>,
    ) -> Result<R, StepError> {
        let system = self.instances[k].system.clone();
        let mut state = system.initial_state();
        self.read_state(k, &mut state)?;
        let settings =
            SolverSettings { linear_solver: LinearSolver::ConjugateGradients, ..self.settings };
        let changed = change(&mut MechSystemSolver::new(&*system, settings)?, &system, &mut state)?;
        self.write_state(k, &state);
        Ok(changed)
    }

    /// Has the device find how the border responds to impulses on rows, for instances that ask for it after their solves.
    pub(super) fn find_responses(
        &mut self,
        stepped: &[Stepped],
        outcomes: &mut [Outcome],
        lists: (SolveLists, ListId),
    ) -> Result<(), GpuError> {
        let asked = stepped.iter().zip(&*outcomes).map(|(it, outcome)| {
            let border = self.instances[it.instance].host.border();
            let border = border.filter(|_| outcome.has_solution());
            border.map_or_else(Vec::new, BorderForces::rows_to_find)
        });
        let asked: Vec<Vec<usize>> = asked.collect();
        let most = asked.iter().map(Vec::len).max().unwrap_or(0);
        let mut expected = TURN_ITERATIONS;
        for number in 0..most {
            let asking = |(place, rows): (usize, &Vec<usize>)| Some((place, *rows.get(number)?));
            let asking: Vec<(usize, usize)> = asked.iter().enumerate().filter_map(asking).collect();
            let open: Vec<Stepped> = asking.iter().map(|&(place, _)| stepped[place]).collect();
            let on: Vec<f64> = (asking.iter())
                .map(|&(place, row)| {
                    self.write_impulse_on(stepped[place].instance, row, &outcomes[place])
                })
                .collect();
            let found = self.solve_on(&open, lists, expected)?;
            expected = most_iterations(&found);
            for ((&(place, row), impulse), found) in asking.iter().zip(on).zip(found) {
                let own = &mut self.instances[stepped[place].instance];
                own.take_response((row, impulse), found, &mut outcomes[place]);
            }
        }
        Ok(())
    }

    /// One more impulse on a row, as large as what drives the step, beside the impulses of the border; returns it [N s].
    fn write_impulse_on(&mut self, k: usize, row: usize, outcome: &Outcome) -> f64 {
        let own = &self.instances[k];
        let Some(border) = own.host.border() else { return 0.0 };
        let (scale, norm) = (outcome.scalars[scalar::SCALE as usize], border.norm_of_row(row));
        let impulse = if scale > 0.0 && norm > 0.0 { scale / norm } else { 1.0 };
        let impulses = border.impulses_with(row, impulse);
        let impulses: Vec<f64> = impulses.flat_map(|it| it.data.0[0]).collect();
        if let Some(ids) = own.plan.border {
            self.write_reals(k, ids.impulses, &impulses);
        }
        self.write_tolerance(k, RESPONSE_TOLERANCE);
        impulse
    }

    /// Residual that the next solve of an instance with rows is asked for [-]; that of instances without rows stays what it is.
    pub(super) fn write_tolerance(&mut self, k: usize, tolerance: f64) {
        let has_rows = self.instances[k].host.border().is_some_and(|it| it.row_count() > 0);
        if has_rows {
            let id = self.instances[k].plan.buffers.scalars;
            let bytes = real_bytes(&[tolerance], self.width());
            let start = k as u64 * self.executor.program().stride(id);
            let place = u64::from(scalar::TOLERANCE) * bytes.len() as u64;
            self.executor.write(id, start + place, &bytes);
        }
    }
}
