//! The border of tissue in the steps of instances: what the host has computed there goes up, and is corrected for how bodies
//! turn, which is not linear in their velocities, and for the rows of joints.

use std::sync::Arc;

use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;
use sinew_shaders::layout::flag;
use sinew_shaders::program::ListId;

use super::outcome::Outcome;
use super::plan::SolveLists;
use super::resident::{Resident, Stepped, numbers_of};
use super::submission::Submission;
use crate::GpuError;

impl Resident {
    /// Forces and stiffness at the border of tissue, as an instance has computed them.
    pub(super) fn write_border(&mut self, k: usize) {
        self.write_impulses(k);
        let own = &self.instances[k];
        if let Some(id) = own.plan.border.and_then(|ids| ids.blocks) {
            let blocks = own.host.border_blocks();
            self.write_reals(k, id, &blocks);
        }
    }

    /// The impulses alone.
    fn write_impulses(&mut self, k: usize) {
        let own = &self.instances[k];
        if let Some(ids) = own.plan.border {
            let impulses = own.host.border_impulses();
            self.write_reals(k, ids.impulses, &impulses);
        }
    }

    /// Solves on from where a solve has ended until bodies turn as it was solved for, and rows are met.
    pub(super) fn settle_border(
        &mut self,
        stepped: &[Stepped],
        outcomes: &mut [Outcome],
        lists: (SolveLists, ListId),
    ) -> Result<(), GpuError> {
        let (tolerance, mut expected) = (self.settings.cg_tolerance, TURN_ITERATIONS);
        for _ in 0..MOST_TURNS {
            for (it, outcome) in stepped.iter().zip(&*outcomes) {
                self.instances[it.instance].take_iterate(outcome);
            }
            self.find_responses(stepped, outcomes, lists)?;
            let (mut places, mut open) = (Vec::new(), Vec::new());
            for (place, (it, outcome)) in stepped.iter().zip(&mut *outcomes).enumerate() {
                let own = &mut self.instances[it.instance];
                outcome.is_unsettled = own.is_unsettled(outcome, tolerance);
                if outcome.is_unsettled {
                    places.push(place);
                    open.push(*it);
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            for it in &open {
                self.write_impulses(it.instance);
                self.write_tolerance(it.instance, self.instances[it.instance].next_tolerance);
            }
            let found = self.solve_on(&open, lists, expected)?;
            expected = most_iterations(&found);
            for (place, mut outcome) in places.into_iter().zip(found) {
                outcome.add_iterations_of(&outcomes[place]);
                outcome.is_unsettled = true;
                outcomes[place] = outcome;
            }
        }
        Ok(())
    }

    /// Solves on from where a solve has ended, with impulses that have gone up, and `expected` iterations before the first look.
    pub(super) fn solve_on(
        &mut self,
        stepped: &[Stepped],
        (solve, end): (SolveLists, ListId),
        expected: u32,
    ) -> Result<Vec<Outcome>, GpuError> {
        stepped.iter().for_each(|it| self.write_flags(it.instance));
        let (mut submission, numbers) = (Submission::default(), numbers_of(stepped));
        let iterations = (solve.iteration, expected);
        for run in [(solve.start, 1), iterations, (solve.correct, 1), (end, 1)] {
            submission.push(&numbers, run);
        }
        submission.submit(&mut *self.executor)?;
        let mut outcomes = self.read_outcomes(stepped)?;
        self.go_on(stepped, &mut outcomes, (solve, end))?;
        Ok(outcomes)
    }
}

/// Settings for systems that may have bodies: momenta of these are balanced as on the CPU, lest theirs, which are large, hide those of
/// tissue.
pub(super) fn with_bodies(
    systems: &[Arc<CompiledModel>],
    settings: SolverSettings,
) -> SolverSettings {
    let moving = systems.iter().any(|system| system.device_view().moving_bodies() > 0);
    let most = if moving { MOMENTUM_TOLERANCE } else { f64::INFINITY };
    SolverSettings { cg_tolerance: settings.cg_tolerance.min(most), ..settings }
}

/// Largest residual of a step with bodies that move [-].
const MOMENTUM_TOLERANCE: f64 = 1e-7;

/// Solves of one step at most for how bodies turn and for rows.
const MOST_TURNS: usize = 20;

/// Iterations that are submitted for the first such solve, which begins near its solution; the next ones have as many as the one before took.
pub(super) const TURN_ITERATIONS: u32 = 8;

/// Most iterations that a solve of several instances took.
pub(super) fn most_iterations(found: &[Outcome]) -> u32 {
    let made = found.iter().map(|it| it.flags[flag::ITERATIONS as usize]);
    made.max().unwrap_or(0).max(1)
}
