//! Joints and constraints between border bodies and nodes: how velocities respond to impulses on their rows, which the device
//! finds by a solve for each row and keeps nothing of (docs/theory/device.md, "Joints").

use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::StepError;
use sinew_shaders::layout::scalar;
use sinew_shaders::program::ListId;

use super::outcome::Outcome;
use super::plan::SolveLists;
use super::resident::{Resident, Stepped};
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
        let system = self.instances[k].system.clone();
        let mut state = system.initial_state();
        self.read_state(k, &mut state)?;
        let settings =
            SolverSettings { linear_solver: LinearSolver::ConjugateGradients, ..self.settings };
        MechSystemSolver::new(&*system, settings)?.start(&*system, &mut state)?;
        self.write_state(k, &state);
        Ok(())
    }

    /// Has the device find how the border responds to impulses on rows, for instances that ask for it after their solves.
    pub(super) fn find_responses(
        &mut self,
        stepped: &[Stepped],
        outcomes: &mut [Outcome],
        lists: (SolveLists, ListId),
    ) -> Result<(), GpuError> {
        let (mut places, mut open, mut count) = (Vec::new(), Vec::new(), 0);
        for (place, (it, outcome)) in stepped.iter().zip(&*outcomes).enumerate() {
            let border = self.instances[it.instance].host.border();
            let asks = border.filter(|it| outcome.has_solution() && it.asks_for_responses());
            if let Some(border) = asks {
                count = border.row_count();
                places.push(place);
                open.push(*it);
            }
        }
        for row in 0..count {
            let on: Vec<f64> = (open.iter().zip(&places))
                .map(|(it, &place)| self.write_impulse_on(it.instance, row, &outcomes[place]))
                .collect();
            let found = self.solve_on(&open, lists)?;
            for ((&place, impulse), mut found) in places.iter().zip(on).zip(found) {
                let own = &mut self.instances[stepped[place].instance];
                if let Some(border) = own.host.border_mut().filter(|_| found.has_solution()) {
                    border.set_response((row, impulse), &found.border);
                    let outcome = &mut outcomes[place];
                    outcome.add_iterations_of(&found);
                } else {
                    found.add_iterations_of(&outcomes[place]);
                    outcomes[place] = found;
                }
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
