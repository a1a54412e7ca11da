//! Explicit steps by Runge-Kutta of order 4 (HairerNorsettWanner1993, section II.1), and what inequalities do at their
//! start.

use super::accelerations::{Configuration, Evaluation, Model};
use super::engine::{Engine, Motion, Stages};
use super::parts::{ConstraintKind, Order};
use super::{Statistics, WorldError};

/// Shares of the stages in the step, and their times as shares of it.
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];

impl Engine {
    /// Advances by `h` \[s\]; after an error the motion is as it was.
    pub(super) fn step_explicitly(
        &mut self,
        model: &mut Model<'_>,
        motion: &mut Motion,
        h: f64,
    ) -> Result<(), WorldError> {
        self.update_active(model, motion)?;
        let Self { evaluation, stages, statistics, .. } = self;
        copy(&mut stages.start_u, &motion.u);
        stop_at_limits(evaluation, model, &mut stages.start_u, statistics)?;
        copy(&mut stages.q, &motion.q);
        copy(&mut stages.u, &stages.start_u);
        copy(&mut stages.end_q, &motion.q);
        copy(&mut stages.end_u, &stages.start_u);
        stages.acceleration.resize(motion.u.len(), 0.0);
        for stage in 0..NODES.len() {
            let time = motion.time + NODES[stage] * h;
            let place = Configuration { time, q: &stages.q, u: &mut stages.u };
            evaluation.evaluate(model, place, &mut stages.acceleration, statistics)?;
            let next = NODES.get(stage + 1).map_or(0.0, |node| node * h);
            advance(model, &motion.q, stages, [WEIGHTS[stage] * h, next]);
        }
        finish(model, stages)?;
        motion.q.copy_from_slice(&stages.end_q);
        motion.u.copy_from_slice(&stages.end_u);
        motion.acceleration.copy_from_slice(&stages.acceleration);
        motion.time += h;
        Ok(())
    }
}

/// Adds the rates of a stage to the end, and moves on to the next stage.
fn advance(model: &Model<'_>, start: &[f64], stages: &mut Stages, [weight, next]: [f64; 2]) {
    for (part, places) in model.objects.iter().zip(&model.layout.objects) {
        let (state, velocity) = (places.state(), places.velocity());
        stages.rates.clear();
        stages.rates.resize(places.states, [0.0; 2]);
        let (q, u) = (&stages.q[state.clone()], &stages.u[velocity.clone()]);
        part.object.write_rates(q, u, &mut stages.rates);
        for (k, rate) in state.zip(&stages.rates) {
            stages.end_q[k] += weight * rate[0];
            stages.q[k] = start[k] + next * rate[0];
        }
        for k in velocity {
            match places.order {
                Order::First => stages.end_u[k] = stages.u[k],
                Order::Second => {
                    stages.end_u[k] += weight * stages.acceleration[k];
                    stages.u[k] = stages.start_u[k] + next * stages.acceleration[k];
                }
            }
        }
    }
}

fn finish(model: &Model<'_>, stages: &mut Stages) -> Result<(), WorldError> {
    for (part, places) in model.objects.iter().zip(&model.layout.objects) {
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
fn stop_at_limits(
    evaluation: &mut Evaluation,
    model: &Model<'_>,
    u: &mut [f64],
    statistics: &mut Statistics,
) -> Result<(), WorldError> {
    let (layout, Evaluation { rows, second, active, .. }) = (model.layout, evaluation);
    let takes_part =
        |k: &usize| !layout.rows[*k].is_first && active[*k] && !layout.rows[*k].segments.is_empty();
    let is_limit = |k: usize| layout.rows[k].kind == ConstraintKind::NotNegative;
    let approaches = |k: usize| is_limit(k) && rows.motion[k][1] < 0.0;
    if !(0..layout.rows.len()).filter(takes_part).any(approaches) {
        return Ok(());
    }
    second.set_rows((0..layout.rows.len()).filter(takes_part), layout);
    for (excess, &row) in second.excess.iter_mut().zip(&second.rows) {
        *excess = if is_limit(row) { rows.motion[row][1] } else { 0.0 };
    }
    let solved = second.solve(layout, rows, Some(Order::Second))?;
    statistics.factorizations += usize::from(solved.is_some());
    for (&row, &impulse) in second.rows.iter().zip(&second.lambda) {
        rows.add(layout, (row, impulse), &rows.responses, u, |_| true);
    }
    Ok(())
}

fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}
