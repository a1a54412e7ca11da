//! Accelerations and first-order velocities at a state: forces, the constraint equation, multipliers.
//!
//! Rows that depend on an object of first order hold on the level of velocities, and are solved for first: their
//! multipliers act on objects of second order as forces. The other rows hold on the level of accelerations
//! (Witkin1990, equation 5, and section 2.5).

use super::layout::{Layout, Segment};
use super::masses::Masses;
use super::matrix::RowSet;
use super::parts::{BehaviourPart, ConstraintPart, ObjectPart, Order};
use super::rows::Rows;
use super::{Feedback, Statistics, WorldError};
use crate::interactive::behaviours::PortMotion;
use crate::interactive::graph::Graph;

/// Parts of a world, borrowed.
pub(super) struct Model<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) objects: &'a [ObjectPart],
    pub(super) constraints: &'a [ConstraintPart],
    pub(super) behaviours: &'a [BehaviourPart],
    pub(super) layout: &'a Layout,
    pub(super) gravity: [f64; 3],
}

/// A state, and velocities: those of first order are written.
pub(super) struct Configuration<'a> {
    pub(super) time: f64,
    pub(super) q: &'a [f64],
    pub(super) u: &'a mut [f64],
}

/// Numbers of one evaluation, and memory for the next.
#[derive(Default)]
pub(super) struct Evaluation {
    pub(super) masses: Masses,
    pub(super) rows: Rows,
    pub(super) first: RowSet,
    pub(super) second: RowSet,
    /// Rows that take part: equalities, and inequalities that are met.
    pub(super) active: Vec<bool>,
    /// Multiplier of every row.
    pub(super) lambda: Vec<f64>,
    /// True once rows have been written since the last reset.
    has_rows: bool,
    /// Generalized forces.
    pub(super) forces: Vec<f64>,
    pub(super) ports: PortNumbers,
    by_column: Vec<f64>,
    by_velocity: Vec<f64>,
    rates: Vec<[f64; 2]>,
    motion: Vec<[f64; 3]>,
}

/// Motion of the ports of all behaviours, and forces on them.
#[derive(Clone, Debug, Default)]
pub(super) struct PortNumbers {
    pub(super) x: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) forces: Vec<f64>,
}

impl Evaluation {
    pub(super) fn reset(&mut self, layout: &Layout) {
        self.masses.reset(layout);
        self.rows.reset(layout);
        self.has_rows = false;
        self.first.reset();
        self.second.reset();
        for numbers in [&mut self.ports.x, &mut self.ports.v, &mut self.ports.forces] {
            numbers.clear();
            numbers.resize(layout.ports, 0.0);
        }
        self.lambda.clear();
        self.lambda.resize(layout.rows.len(), 0.0);
        self.active.clear();
        self.active.resize(layout.rows.len(), true);
        self.forces.clear();
        self.forces.resize(layout.velocities, 0.0);
    }

    /// Evaluates graph, masses and rows at a place; factors of other numbers are forgotten.
    pub(super) fn move_to(
        &mut self,
        model: &mut Model<'_>,
        place: &Configuration<'_>,
    ) -> Result<(), WorldError> {
        let layout = model.layout;
        model.graph.set_time(place.time)?;
        for (part, places) in model.objects.iter().zip(&layout.objects) {
            let (q, u) = (&place.q[places.state()], &place.u[places.velocity()]);
            self.rates.clear();
            self.rates.resize(places.states, [0.0; 2]);
            part.object.write_rates(q, u, &mut self.rates);
            self.motion.clear();
            self.motion.extend(q.iter().zip(&self.rates).map(|(&q, &[v, a])| [q, v, a]));
            model.graph.set_motion(part.block, &self.motion)?;
        }
        model.graph.update_rates()?;
        let rows_changed = model.graph.update_rows()? || !self.has_rows;
        let masses_changed = self.masses.update(model.objects, layout, place.q)?;
        // Rows by velocities of turning bodies change with the state, whatever the graph says.
        let turns = model.objects.iter().any(|part| part.states != part.velocities);
        if rows_changed || turns {
            self.rows.update_values(model.graph, model.objects, layout, place.q)?;
            self.has_rows = true;
        }
        if rows_changed || masses_changed || turns {
            self.rows.update_responses(layout, &self.masses);
            self.first.forget_factor();
            self.second.forget_factor();
        }
        self.rows.update_motion(model.graph, layout)
    }

    /// Sums generalized forces: of velocities, weight and behaviours.
    pub(super) fn update_forces(
        &mut self,
        model: &mut Model<'_>,
        place: &Configuration<'_>,
    ) -> Result<(), WorldError> {
        let layout = model.layout;
        self.forces.fill(0.0);
        self.update_ports(model, place.time)?;
        self.by_column.clear();
        self.by_column.resize(layout.columns, 0.0);
        let ports = model.behaviours.iter().flat_map(|part| part.ports.iter().copied());
        let forces = self.ports.forces.iter().copied();
        model.graph.add_pullback(ports.zip(forces), &mut self.by_column)?;
        for (part, places) in model.objects.iter().zip(&layout.objects) {
            let (q, u) = (&place.q[places.state()], &place.u[places.velocity()]);
            self.by_velocity.clear();
            self.by_velocity.resize(places.velocities, 0.0);
            let by_state = &self.by_column[places.columns()];
            part.object.write_velocity_row(q, by_state, &mut self.by_velocity);
            let own = &mut self.forces[places.velocity()];
            own.iter_mut().zip(&self.by_velocity).for_each(|(sum, force)| *sum += force);
            if places.order == Order::Second {
                part.object.add_velocity_forces(q, u, own);
                part.object.add_weight(q, model.gravity, own);
            }
        }
        Ok(())
    }

    fn update_ports(&mut self, model: &Model<'_>, time: f64) -> Result<(), WorldError> {
        let PortNumbers { x, v, forces } = &mut self.ports;
        forces.fill(0.0);
        for (part, places) in model.behaviours.iter().zip(&model.layout.behaviours) {
            let own = places.ports.clone();
            for (at, &port) in own.clone().zip(&part.ports) {
                [x[at], v[at], _] = model.graph.kept_motion(port)?;
            }
            let motion = PortMotion { time, x: &x[own.clone()], v: &v[own.clone()] };
            part.behaviour.add_forces(motion, &mut forces[own]);
        }
        Ok(())
    }

    /// Accelerations of second order into `acceleration`, velocities of first order into the place.
    pub(super) fn evaluate(
        &mut self,
        model: &mut Model<'_>,
        place: Configuration<'_>,
        acceleration: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), WorldError> {
        let layout = model.layout;
        for places in layout.objects.iter().filter(|places| places.order == Order::First) {
            // Rows have then the rates that they take without these velocities.
            place.u[places.velocity()].fill(0.0);
        }
        self.move_to(model, &place)?;
        self.update_forces(model, &place)?;
        self.lambda.fill(0.0);
        acceleration.copy_from_slice(&self.forces);
        self.solve_masses(layout, acceleration);
        self.solve_first(model, acceleration, statistics)?;
        self.solve_second(model, acceleration, statistics)?;
        self.add_feedback(model, acceleration);
        statistics.solves += 1;
        for (part, places) in model.objects.iter().zip(&layout.objects) {
            let own = places.velocity();
            if acceleration[own.clone()].iter().any(|a| !a.is_finite()) {
                return Err(WorldError::Diverged(part.name.clone()));
            }
            if places.order == Order::First {
                place.u[own.clone()].copy_from_slice(&acceleration[own.clone()]);
                acceleration[own].fill(0.0);
            }
        }
        Ok(())
    }

    fn solve_masses(&self, layout: &Layout, x: &mut [f64]) {
        for (object, places) in layout.objects.iter().enumerate() {
            self.masses.solve(object, places, &mut x[places.velocity()]);
        }
    }

    /// Rows on the level of velocities: J W Jᵀ λ over objects of first order.
    fn solve_first(
        &mut self,
        model: &Model<'_>,
        acceleration: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), WorldError> {
        let layout = model.layout;
        let of =
            |wanted: Order| move |segment: &Segment| layout.objects[segment.object].order == wanted;
        let takes_part = |k: &usize| {
            layout.rows[*k].is_first && self.active[*k] && !layout.rows[*k].segments.is_empty()
        };
        self.first.set_rows((0..layout.rows.len()).filter(takes_part), layout);
        for (k, &row) in self.first.rows.iter().enumerate() {
            let [c, rate, _] = self.rows.motion[row];
            let pull = match model.constraints[layout.rows[row].constraint].feedback {
                Feedback::Rate(rate) => rate * c,
                Feedback::Force { .. } => 0.0,
            };
            let free = self.rows.product(layout, row, acceleration, of(Order::First));
            self.first.excess[k] = rate + free + pull;
        }
        let solved = self.first.solve(layout, &self.rows, Some(Order::First))?;
        count(statistics, solved);
        self.apply(layout, acceleration, |evaluation| &evaluation.first);
        Ok(())
    }

    /// Rows on the level of accelerations.
    fn solve_second(
        &mut self,
        model: &Model<'_>,
        acceleration: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), WorldError> {
        let layout = model.layout;
        let takes_part = |k: &usize| {
            !layout.rows[*k].is_first && self.active[*k] && !layout.rows[*k].segments.is_empty()
        };
        self.second.set_rows((0..layout.rows.len()).filter(takes_part), layout);
        for (k, &row) in self.second.rows.iter().enumerate() {
            let [c, rate, second] = self.rows.motion[row];
            let pull = match model.constraints[layout.rows[row].constraint].feedback {
                Feedback::Rate(omega) => 2.0 * omega * rate + omega * omega * c,
                Feedback::Force { .. } => 0.0,
            };
            let free = self.rows.product(layout, row, acceleration, |_| true);
            self.second.excess[k] = second + free + pull;
        }
        let solved = self.second.solve(layout, &self.rows, Some(Order::Second))?;
        count(statistics, solved);
        self.apply(layout, acceleration, |evaluation| &evaluation.second);
        Ok(())
    }

    /// Feedback by forces comes after the multipliers, which would cancel it (Witkin1990, section 2.4).
    fn add_feedback(&self, model: &Model<'_>, acceleration: &mut [f64]) {
        let layout = model.layout;
        for (k, row) in layout.rows.iter().enumerate().filter(|(k, _)| self.active[*k]) {
            let feedback = model.constraints[row.constraint].feedback;
            if let Feedback::Force { stiffness, damping } = feedback {
                let [c, rate, _] = self.rows.motion[k];
                let damping = if row.is_first { 0.0 } else { damping };
                let force = -stiffness * c - damping * rate;
                self.rows.add(layout, (k, force), &self.rows.responses, acceleration, |_| true);
            }
        }
    }

    /// Adds W Jᵀ λ of a set of rows, and keeps λ.
    fn apply(&mut self, layout: &Layout, acceleration: &mut [f64], set: impl Fn(&Self) -> &RowSet) {
        for k in 0..set(self).rows.len() {
            let (row, lambda) = (set(self).rows[k], set(self).lambda[k]);
            self.lambda[row] = lambda;
            let responses = &self.rows.responses;
            self.rows.add(layout, (row, lambda), responses, acceleration, |_| true);
        }
    }
}

fn count(statistics: &mut Statistics, solved: Option<usize>) {
    if let Some(redundant) = solved {
        statistics.factorizations += 1;
        statistics.redundant_rows = redundant;
    }
}
