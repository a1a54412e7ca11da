//! Explicit steps by Runge-Kutta of order 4 (HairerNorsettWanner1993, section II.1), and what inequalities do at their
//! start.

use super::accelerations::{Model, Place};
use super::parts::{ConstraintKind, Order};
use super::{Integrator, World, WorldError};

/// Memory of the stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    q: Vec<f64>,
    u: Vec<f64>,
    start_u: Vec<f64>,
    end_q: Vec<f64>,
    end_u: Vec<f64>,
    acceleration: Vec<f64>,
    rates: Vec<[f64; 2]>,
}

impl World {
    /// Advances the world by `h` \[s\].
    ///
    /// # Errors
    /// A length that is not positive, a block without a value, forces that do not exist: the world stays where it was.
    pub fn step(&mut self, h: f64) -> Result<(), WorldError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(WorldError::Number { name: "step", range: "> 0", value: h });
        }
        self.lay_out()?;
        match self.settings.integrator {
            Integrator::RungeKutta4 => self.step_explicitly(h)?,
            Integrator::Implicit => self.step_implicitly(h)?,
        }
        self.statistics.steps += 1;
        Ok(())
    }

    /// Evaluates accelerations, first-order velocities and multipliers where the world is.
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn update_forces(&mut self) -> Result<(), WorldError> {
        self.lay_out()?;
        self.update_active()?;
        let (q, mut u) = (std::mem::take(&mut self.q), std::mem::take(&mut self.u));
        let mut acceleration = std::mem::take(&mut self.acceleration);
        let evaluated = self.evaluate(self.time, (&q, &mut u), &mut acceleration);
        (self.q, self.u, self.acceleration) = (q, u, acceleration);
        evaluated
    }

    fn evaluate(
        &mut self,
        time: f64,
        (q, u): (&[f64], &mut [f64]),
        acceleration: &mut [f64],
    ) -> Result<(), WorldError> {
        let mut model = Model {
            graph: &mut self.graph,
            objects: &self.objects,
            constraints: &self.constraints,
            behaviours: &self.behaviours,
            layout: &self.layout,
            gravity: self.settings.gravity,
        };
        let place = Place { time, q, u };
        self.evaluation.evaluate(&mut model, place, acceleration, &mut self.statistics)
    }

    /// Inequalities take part where they are at their limit or beyond.
    fn update_active(&mut self) -> Result<(), WorldError> {
        let rows = &self.layout.rows;
        if rows.iter().all(|row| row.kind == ConstraintKind::Equal) {
            return Ok(());
        }
        self.sync_graph()?;
        let rows = &self.layout.rows;
        for (k, row) in rows.iter().enumerate() {
            let at_limit = self.evaluation.rows.motion[k][0] <= 0.0;
            self.evaluation.active[k] = row.kind == ConstraintKind::Equal || at_limit;
        }
        Ok(())
    }

    fn step_explicitly(&mut self, h: f64) -> Result<(), WorldError> {
        self.update_active()?;
        let mut stages = std::mem::take(&mut self.stages);
        let taken = self.take_stages(h, &mut stages);
        if taken.is_ok() {
            self.q.copy_from_slice(&stages.end_q);
            self.u.copy_from_slice(&stages.end_u);
            self.acceleration.copy_from_slice(&stages.acceleration);
            self.time += h;
        }
        self.stages = stages;
        taken
    }

    fn take_stages(&mut self, h: f64, stages: &mut Stages) -> Result<(), WorldError> {
        const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
        const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
        copy(&mut stages.start_u, &self.u);
        self.stop_at_limits(&mut stages.start_u)?;
        copy(&mut stages.q, &self.q);
        copy(&mut stages.u, &stages.start_u);
        copy(&mut stages.end_q, &self.q);
        copy(&mut stages.end_u, &stages.start_u);
        stages.acceleration.resize(self.u.len(), 0.0);
        for stage in 0..4 {
            let time = self.time + NODES[stage] * h;
            let place = (&stages.q[..], &mut stages.u[..]);
            self.evaluate(time, place, &mut stages.acceleration)?;
            let next = NODES.get(stage + 1).map_or(0.0, |node| node * h);
            self.advance(stages, WEIGHTS[stage] * h, next);
        }
        self.finish(stages)
    }

    /// Adds the rates of a stage to the end, and moves on to the next stage.
    fn advance(&self, stages: &mut Stages, weight: f64, next: f64) {
        for (part, places) in self.objects.iter().zip(&self.layout.objects) {
            let (state, velocity) = (places.state(), places.velocity());
            stages.rates.clear();
            stages.rates.resize(places.states, [0.0; 2]);
            let (q, u) = (&stages.q[state.clone()], &stages.u[velocity.clone()]);
            part.object.write_rates(q, u, &mut stages.rates);
            for (k, rate) in state.zip(&stages.rates) {
                stages.end_q[k] += weight * rate[0];
                stages.q[k] = self.q[k] + next * rate[0];
            }
            for k in velocity {
                stages.end_u[k] += weight * stages.acceleration[k];
                if places.order == Order::First {
                    stages.end_u[k] = stages.u[k];
                } else {
                    stages.u[k] = stages.start_u[k] + next * stages.acceleration[k];
                }
            }
        }
    }

    fn finish(&self, stages: &mut Stages) -> Result<(), WorldError> {
        for (part, places) in self.objects.iter().zip(&self.layout.objects) {
            let q = &mut stages.end_q[places.state()];
            part.object.normalize(q);
            let u = &stages.end_u[places.velocity()];
            if q.iter().chain(u).any(|number| !number.is_finite()) {
                return Err(WorldError::Diverged(part.name.clone()));
            }
        }
        Ok(())
    }

    /// Impulses of inequalities at their limit: velocities beyond it end, those of equalities stay.
    fn stop_at_limits(&mut self, u: &mut [f64]) -> Result<(), WorldError> {
        let Self { evaluation, layout, .. } = self;
        let limits = |k: &usize| {
            let row = &layout.rows[*k];
            row.kind == ConstraintKind::NotNegative && evaluation.active[*k] && !row.is_first
        };
        let approaches = |k: usize| evaluation.rows.motion[k][1] < 0.0;
        if !(0..layout.rows.len()).filter(limits).any(approaches) {
            return Ok(());
        }
        let active = &evaluation.active;
        let takes_part = |k: &usize| {
            !layout.rows[*k].is_first && active[*k] && !layout.rows[*k].segments.is_empty()
        };
        evaluation.second.set_rows((0..layout.rows.len()).filter(takes_part), layout);
        let set = &mut evaluation.second;
        for (k, &row) in set.rows.iter().enumerate() {
            let is_limit = layout.rows[row].kind == ConstraintKind::NotNegative;
            set.excess[k] = if is_limit { evaluation.rows.motion[row][1] } else { 0.0 };
        }
        set.solve(layout, &evaluation.rows, Some(Order::Second))?;
        for (&row, &impulse) in set.rows.iter().zip(&set.lambda) {
            let rows = &evaluation.rows;
            rows.add(layout, (row, impulse), &rows.responses, u, |_| true);
        }
        Ok(())
    }
}

fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}
