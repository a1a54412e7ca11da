//! Implicit steps: backward Euler, linearized at the start (docs/theory/interactive.md). With the matrices K = -∂f/∂x
//! and D = -∂f/∂v of the behaviours, brought to velocities by the Jacobians of their ports,
//! (M + h D + h² K) u⁺ = M u + h Q + h D u + Jᵀ λ for objects of second order; for those of first order the metric
//! times h stands for M on the left, and nothing on the right.

use super::accelerations::{Model, Place};
use super::layout::Layout;
use super::mixed_step::MixedStep;
use super::parts::{ConstraintPart, Order};
use super::{Feedback, World, WorldError};
use crate::interactive::behaviours::PortMotion;

/// Memory of the matrices of one behaviour.
#[derive(Default)]
struct Local {
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    /// Velocities that its ports depend on, as object and number.
    velocities: Vec<(usize, usize)>,
    /// Derivatives of ports by these.
    slopes: Vec<f64>,
    product: Vec<f64>,
}

impl World {
    pub(super) fn step_implicitly(&mut self, h: f64) -> Result<(), WorldError> {
        if self.mixed.is_none() {
            self.mixed = Some(MixedStep::new(&self.layout, &self.graph, &self.behaviours)?);
        }
        let Some(mut mixed) = self.mixed.take() else { return Ok(()) };
        let taken = self.take_implicit(h, &mut mixed);
        self.mixed = Some(mixed);
        taken
    }

    fn take_implicit(&mut self, h: f64, mixed: &mut MixedStep) -> Result<(), WorldError> {
        let mut model = Model {
            graph: &mut self.graph,
            objects: &self.objects,
            constraints: &self.constraints,
            behaviours: &self.behaviours,
            layout: &self.layout,
            gravity: self.settings.gravity,
        };
        let evaluation = &mut self.evaluation;
        evaluation.active.fill(true);
        let mut place = Place { time: self.time, q: &self.q, u: &mut self.u };
        evaluation.move_to(&mut model, &place)?;
        for rows in [&mut mixed.bilateral, &mut mixed.unilateral] {
            for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
                *target = evaluation.rows.motion[row][0];
            }
        }
        place.time += h;
        evaluation.move_to(&mut model, &place)?;
        evaluation.update_forces(&mut model, &place)?;
        mixed.clear();
        self.add_masses(h, mixed);
        self.add_behaviours(h, mixed)?;
        set_targets(h, mixed, (&self.layout, &self.constraints), &self.evaluation.rows.motion);
        mixed.bilateral.update_values(&self.layout, &self.evaluation.rows.values);
        mixed.unilateral.update_values(&self.layout, &self.evaluation.rows.values);
        mixed.solve(&mut self.statistics)?;
        self.accept(h, mixed)
    }

    /// Masses, metrics, forces and momenta.
    fn add_masses(&self, h: f64, mixed: &mut MixedStep) {
        for (object, places) in self.layout.objects.iter().enumerate() {
            let n = places.velocities;
            let mass = self.evaluation.masses.matrix(object, places);
            let (forces, u) =
                (&self.evaluation.forces[places.velocity()], &self.u[places.velocity()]);
            let is_second = places.order == Order::Second;
            let factor = if is_second { 1.0 } else { h };
            for i in 0..n {
                let row = &mass[i * n..(i + 1) * n];
                let momentum: f64 = row.iter().zip(u).map(|(m, u)| m * u).sum();
                let momentum = if is_second { momentum } else { 0.0 };
                mixed.add_right(object, i, momentum + h * forces[i]);
                mixed.set_inertia(object, i, factor * row[i]);
                for (j, m) in row.iter().enumerate() {
                    mixed.add_entry((object, i), (object, j), factor * m);
                }
            }
        }
    }

    fn add_behaviours(&self, h: f64, mixed: &mut MixedStep) -> Result<(), WorldError> {
        let mut local = Local::default();
        let (time, ports) = (self.time + h, &self.evaluation.ports);
        for (part, places) in self.behaviours.iter().zip(&self.layout.behaviours) {
            let (own, count) = (places.ports.clone(), part.ports.len());
            let motion = PortMotion { time, x: &ports.x[own.clone()], v: &ports.v[own] };
            local.stiffness.clear();
            local.stiffness.resize(count * count, 0.0);
            local.damping.clear();
            local.damping.resize(count * count, 0.0);
            part.behaviour.add_stiffness(motion, &mut local.stiffness);
            part.behaviour.add_damping(motion, &mut local.damping);
            if local.stiffness.iter().chain(&local.damping).all(|entry| *entry == 0.0) {
                continue;
            }
            self.find_slopes(part, &mut local)?;
            self.add_local(h, &mut local, count, mixed);
        }
        Ok(())
    }

    /// Derivatives of the ports of a behaviour by the velocities that they depend on.
    fn find_slopes(
        &self,
        part: &super::parts::BehaviourPart,
        local: &mut Local,
    ) -> Result<(), WorldError> {
        let mut objects = Vec::new();
        for &port in &part.ports {
            self.layout.visit_support(&self.graph, port, |object, _, _| objects.push(object))?;
        }
        objects.sort_unstable();
        objects.dedup();
        local.velocities.clear();
        let mut first = vec![0; self.layout.objects.len()];
        for &object in &objects {
            first[object] = local.velocities.len();
            let count = self.layout.objects[object].velocities;
            local.velocities.extend((0..count).map(|velocity| (object, velocity)));
        }
        let width = local.velocities.len();
        local.slopes.clear();
        local.slopes.resize(part.ports.len() * width, 0.0);
        for (k, &port) in part.ports.iter().enumerate() {
            let (_, values) = self.graph.kept_row(port)?;
            let slopes = &mut local.slopes[k * width..(k + 1) * width];
            self.layout.visit_support(&self.graph, port, |object, in_row, state| {
                let places = &self.layout.objects[object];
                let mut by_state = vec![0.0; places.states];
                by_state[state..][..in_row.len()].copy_from_slice(&values[in_row]);
                let by_velocity = &mut slopes[first[object]..][..places.velocities];
                let q = &self.q[places.state()];
                self.objects[object].object.write_velocity_row(q, &by_state, by_velocity);
            })?;
        }
        Ok(())
    }

    /// Adds h D + h² K of a behaviour to the matrix and h D u to the right side.
    fn add_local(&self, h: f64, local: &mut Local, ports: usize, mixed: &mut MixedStep) {
        let Local { stiffness, damping, velocities, slopes, product } = local;
        let width = velocities.len();
        let slope = |port: usize, k: usize| slopes[port * width + k];
        let u =
            |&(object, k): &(usize, usize)| self.u[self.layout.objects[object].first_velocity + k];
        for (matrix, factor, is_damping) in [(&*stiffness, h * h, false), (&*damping, h, true)] {
            // The product of the matrix and the slopes, then of the slopes and it.
            product.clear();
            product.resize(ports * width, 0.0);
            for i in 0..ports {
                for j in (0..ports).filter(|j| matrix[i * ports + j] != 0.0) {
                    let entry = factor * matrix[i * ports + j];
                    (0..width).for_each(|k| product[i * width + k] += entry * slope(j, k));
                }
            }
            for a in 0..width {
                for b in 0..width {
                    let sum: f64 = (0..ports).map(|i| slope(i, a) * product[i * width + b]).sum();
                    if sum == 0.0 {
                        continue;
                    }
                    mixed.add_entry(velocities[a], velocities[b], sum);
                    if is_damping {
                        let (object, velocity) = velocities[a];
                        mixed.add_right(object, velocity, sum * u(&velocities[b]));
                    }
                }
            }
        }
    }

    /// Takes the velocities of the solution, and moves by them.
    fn accept(&mut self, h: f64, mixed: &MixedStep) -> Result<(), WorldError> {
        for (object, part) in self.objects.iter().enumerate() {
            if (0..part.velocities).any(|k| !mixed.velocity(object, k).is_finite()) {
                return Err(WorldError::Diverged(part.name.clone()));
            }
        }
        let mut rates = Vec::new();
        for (object, (part, places)) in self.objects.iter().zip(&self.layout.objects).enumerate() {
            let velocities = places.velocity();
            for (k, at) in velocities.clone().enumerate() {
                let after = mixed.velocity(object, k);
                let is_second = places.order == Order::Second;
                self.acceleration[at] = if is_second { (after - self.u[at]) / h } else { 0.0 };
                self.u[at] = after;
            }
            rates.clear();
            rates.resize(places.states, [0.0; 2]);
            let q = &mut self.q[places.state()];
            part.object.write_rates(q, &self.u[velocities], &mut rates);
            q.iter_mut().zip(&rates).for_each(|(q, rate)| *q += h * rate[0]);
            part.object.normalize(q);
        }
        for rows in [&mixed.bilateral, &mixed.unilateral] {
            for (&row, impulse) in rows.rows.iter().zip(&rows.lambda) {
                self.evaluation.lambda[row] = impulse / h;
            }
        }
        self.time += h;
        Ok(())
    }
}

/// Velocities that rows are to take: they follow their own change in time, and come back to zero. Targets hold the
/// values at the start of the step, `motion` those that the end would have without any motion.
fn set_targets(
    h: f64,
    mixed: &mut MixedStep,
    (layout, constraints): (&Layout, &[ConstraintPart]),
    motion: &[[f64; 3]],
) {
    let rate_of = |row: usize| match constraints[layout.rows[row].constraint].feedback {
        Feedback::Rate(rate) => rate.min(1.0 / h),
        // The rate at which the spring and the damper alone would bring the row back.
        Feedback::Force { stiffness, damping } => (stiffness / damping).min(1.0 / h).max(0.0),
    };
    let rows = &mut mixed.bilateral;
    for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
        let before = *target;
        *target = -(motion[row][0] - before) / h - rate_of(row) * before;
    }
    let rows = &mut mixed.unilateral;
    for (target, &row) in rows.target.iter_mut().zip(&rows.rows) {
        // What is not yet at the limit may come to it, and no farther.
        let before = *target;
        let back = if before > 0.0 { before / h } else { rate_of(row) * before };
        *target = -(motion[row][0] - before) / h - back;
    }
}
