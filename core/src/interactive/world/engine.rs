//! The engine of a world: what steps compute with, beside the parts and the motion that they advance.

use super::Statistics;
use super::accelerations::{Configuration, Evaluation, Model};
use super::mixed_step::MixedStep;
use super::{ConstraintKind, WorldError};

/// State, velocities, accelerations at the last evaluation, and the time \[s\].
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    pub(super) q: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) acceleration: Vec<f64>,
    pub(super) time: f64,
}

/// Memory of the stages of an explicit step.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    pub(super) q: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) start_u: Vec<f64>,
    pub(super) end_q: Vec<f64>,
    pub(super) end_u: Vec<f64>,
    pub(super) acceleration: Vec<f64>,
    pub(super) rates: Vec<[f64; 2]>,
}

#[derive(Default)]
pub(super) struct Engine {
    pub(super) evaluation: Evaluation,
    pub(super) stages: Stages,
    pub(super) mixed: Option<MixedStep>,
    pub(super) statistics: Statistics,
}

impl Engine {
    /// Moves graph, masses and rows to where the world is.
    pub(super) fn sync(
        &mut self,
        model: &mut Model<'_>,
        motion: &mut Motion,
    ) -> Result<(), WorldError> {
        let place = Configuration { time: motion.time, q: &motion.q, u: &mut motion.u };
        self.evaluation.move_to(model, &place)
    }

    /// Inequalities take part where they are at their limit or beyond.
    pub(super) fn update_active(
        &mut self,
        model: &mut Model<'_>,
        motion: &mut Motion,
    ) -> Result<(), WorldError> {
        let rows = &model.layout.rows;
        if rows.iter().all(|row| row.kind == ConstraintKind::Equal) {
            return Ok(());
        }
        self.sync(model, motion)?;
        let Evaluation { active, rows: numbers, .. } = &mut self.evaluation;
        for ((active, row), [value, ..]) in active.iter_mut().zip(rows).zip(&numbers.motion) {
            *active = row.kind == ConstraintKind::Equal || *value <= 0.0;
        }
        Ok(())
    }

    /// Accelerations, first-order velocities and multipliers where the world is.
    pub(super) fn evaluate_here(
        &mut self,
        model: &mut Model<'_>,
        motion: &mut Motion,
    ) -> Result<(), WorldError> {
        self.update_active(model, motion)?;
        let place = Configuration { time: motion.time, q: &motion.q, u: &mut motion.u };
        let statistics = &mut self.statistics;
        self.evaluation.evaluate(model, place, &mut motion.acceleration, statistics)
    }
}
