//! Implicit steps: backward Euler, linearized at the start (docs/theory/interactive.md). With the matrices K = -∂f/∂x
//! and D = -∂f/∂v of the behaviours, brought to velocities by the Jacobians of their ports,
//! (M + h D + h² K) u⁺ = M u + h Q + h D u + Jᵀ λ for objects of second order; for those of first order the metric
//! times h stands for M on the left, and nothing on the right.

use super::accelerations::{Configuration, Evaluation, Model};
use super::engine::{Engine, Motion};
use super::layout::BehaviourPlaces;
use super::mixed_step::{Local, MixedStep};
use super::parts::{BehaviourPart, Order};
use super::{Feedback, WorldError};
use crate::interactive::behaviours::PortMotion;

impl Engine {
    /// Advances by `h` \[s\]; after an error the motion is as it was.
    pub(super) fn step_implicitly(
        &mut self,
        model: &mut Model<'_>,
        motion: &mut Motion,
        h: f64,
    ) -> Result<(), WorldError> {
        let Self { evaluation, mixed, statistics, .. } = self;
        let mixed = match mixed {
            Some(mixed) => mixed,
            None => mixed.insert(MixedStep::new(model.layout)?),
        };
        evaluation.active.fill(true);
        let mut place = Configuration { time: motion.time, q: &motion.q, u: &mut motion.u };
        evaluation.move_to(model, &place)?;
        for rows in [&mut mixed.bilateral, &mut mixed.unilateral] {
            for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
                *target = evaluation.rows.motion[row][0];
            }
        }
        place.time += h;
        evaluation.move_to(model, &place)?;
        evaluation.update_forces(model, &place)?;
        mixed.clear();
        add_masses(model, motion, (evaluation, h), mixed);
        add_behaviours(model, motion, (evaluation, h), mixed)?;
        set_targets(model, (h, &evaluation.rows.motion), mixed);
        mixed.bilateral.update_values(model.layout, &evaluation.rows.values);
        mixed.unilateral.update_values(model.layout, &evaluation.rows.values);
        mixed.solve(statistics)?;
        accept(model, motion, h, mixed)?;
        let of_rows = [(&mixed.bilateral, &mixed.lambda), (&mixed.unilateral, &mixed.z)];
        for (rows, impulses) in of_rows {
            for (&row, impulse) in rows.rows.iter().zip(impulses) {
                evaluation.lambda[row] = impulse / h;
            }
        }
        Ok(())
    }
}

/// Masses, metrics, forces and momenta.
fn add_masses(
    model: &Model<'_>,
    motion: &Motion,
    (evaluation, h): (&Evaluation, f64),
    mixed: &mut MixedStep,
) {
    for (object, places) in model.layout.objects.iter().enumerate() {
        let mass = evaluation.masses.matrix(object, places);
        let forces = &evaluation.forces[places.velocity()];
        let u = &motion.u[places.velocity()];
        let is_second = places.order == Order::Second;
        let factor = if is_second { 1.0 } else { h };
        for (i, row) in mass.chunks_exact(places.velocities).enumerate() {
            let momentum: f64 = row.iter().zip(u).map(|(m, u)| m * u).sum();
            let momentum = if is_second { momentum } else { 0.0 };
            mixed.add_right((object, i), momentum + h * forces[i]);
            mixed.set_inertia((object, i), factor * row[i]);
            for (j, m) in row.iter().enumerate() {
                mixed.add_entry((object, i), (object, j), factor * m);
            }
        }
    }
}

fn add_behaviours(
    model: &Model<'_>,
    motion: &Motion,
    (evaluation, h): (&Evaluation, f64),
    mixed: &mut MixedStep,
) -> Result<(), WorldError> {
    let (time, ports) = (motion.time + h, &evaluation.ports);
    for (part, places) in model.behaviours.iter().zip(&model.layout.behaviours) {
        let (own, count) = (places.ports.clone(), part.ports.len());
        let at = PortMotion { time, x: &ports.x[own.clone()], v: &ports.v[own] };
        let local = &mut mixed.local;
        local.clear(count);
        part.behaviour.add_stiffness(at, &mut local.stiffness);
        part.behaviour.add_damping(at, &mut local.damping);
        if local.stiffness.iter().chain(&local.damping).any(|entry| *entry != 0.0) {
            find_slopes(model, motion, (part, places), local)?;
            add_local(model, motion, (places, h), mixed);
        }
    }
    Ok(())
}

/// Derivatives of the ports of a behaviour by the velocities that they depend on.
fn find_slopes(
    model: &Model<'_>,
    motion: &Motion,
    (part, places): (&BehaviourPart, &BehaviourPlaces),
    local: &mut Local,
) -> Result<(), WorldError> {
    let width = places.velocities.len();
    local.slopes.clear();
    local.slopes.resize(part.ports.len() * width, 0.0);
    for segment in &places.segments {
        let (_, values) = model.graph.kept_row(part.ports[segment.port])?;
        let object = &model.layout.objects[segment.object];
        local.by_state.clear();
        local.by_state.resize(object.states, 0.0);
        let own = &values[segment.in_row.clone()];
        local.by_state[segment.first_state..][..own.len()].copy_from_slice(own);
        let first = segment.port * width + segment.first;
        let by_velocity = &mut local.slopes[first..first + object.velocities];
        let q = &motion.q[object.state()];
        model.objects[segment.object].object.write_velocity_row(q, &local.by_state, by_velocity);
    }
    Ok(())
}

/// Adds h D + h² K of a behaviour to the matrix and h D u to the right side.
fn add_local(
    model: &Model<'_>,
    motion: &Motion,
    (places, h): (&BehaviourPlaces, f64),
    mixed: &mut MixedStep,
) {
    let (velocities, width) = (&places.velocities, places.velocities.len());
    for (factor, is_damping) in [(h * h, false), (h, true)] {
        mixed.local.update_product(width, factor, is_damping);
        for a in 0..width {
            for b in 0..width {
                let entry = mixed.local.entry(width, a, b);
                if entry == 0.0 {
                    continue;
                }
                mixed.add_entry(velocities[a], velocities[b], entry);
                if is_damping {
                    let (object, k) = velocities[b];
                    let u = motion.u[model.layout.objects[object].first_velocity + k];
                    mixed.add_right(velocities[a], entry * u);
                }
            }
        }
    }
}

/// Takes the velocities of the solution, and moves by them.
fn accept(
    model: &Model<'_>,
    motion: &mut Motion,
    h: f64,
    mixed: &mut MixedStep,
) -> Result<(), WorldError> {
    for (object, part) in model.objects.iter().enumerate() {
        if (0..part.velocities).any(|k| !mixed.velocity((object, k)).is_finite()) {
            return Err(WorldError::Diverged(part.name.clone()));
        }
    }
    let objects = model.objects.iter().zip(&model.layout.objects);
    for (object, (part, places)) in objects.enumerate() {
        let velocities = places.velocity();
        for (k, at) in velocities.clone().enumerate() {
            let after = mixed.velocity((object, k));
            let is_second = places.order == Order::Second;
            motion.acceleration[at] = if is_second { (after - motion.u[at]) / h } else { 0.0 };
            motion.u[at] = after;
        }
        let rates = &mut mixed.local.rates;
        rates.clear();
        rates.resize(places.states, [0.0; 2]);
        let q = &mut motion.q[places.state()];
        part.object.write_rates(q, &motion.u[velocities], rates);
        q.iter_mut().zip(&*rates).for_each(|(q, rate)| *q += h * rate[0]);
        part.object.normalize(q);
    }
    motion.time += h;
    Ok(())
}

/// Velocities that rows are to take: they follow their own change in time, and come back to zero. Targets hold the
/// values at the start of the step, `ends` those that the end would have without any motion.
fn set_targets(model: &Model<'_>, (h, ends): (f64, &[[f64; 3]]), mixed: &mut MixedStep) {
    let rate_of = |row: usize| {
        match model.constraints[model.layout.rows[row].constraint].feedback {
            Feedback::Rate(rate) => rate.min(1.0 / h),
            // The rate at which the spring and the damper alone would bring the row back.
            Feedback::Force { stiffness, damping } => (stiffness / damping).min(1.0 / h).max(0.0),
        }
    };
    let rows = &mut mixed.bilateral;
    for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
        let before = *target;
        *target = -(ends[row][0] - before) / h - rate_of(row) * before;
    }
    let rows = &mut mixed.unilateral;
    for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
        // What is not yet at the limit may come to it, and no farther.
        let before = *target;
        let back = if before > 0.0 { before / h } else { rate_of(row) * before };
        *target = -(ends[row][0] - before) / h - back;
    }
}
