//! Assembly: parts are brought to where constraints are met, by Newton's method in the metric of the masses.

use super::layout::Layout;
use super::matrix::RowSet;
use super::parts::{ConstraintKind, Order};
use super::{World, WorldError};

/// Iterations at most, and halvings of one of them.
const ITERATIONS: usize = 50;
const HALVINGS: usize = 12;

impl World {
    /// Moves the objects, all as little as they can in the metric of their masses, until equalities are met to
    /// `tolerance`, and takes away velocities that would leave them. Useful after parts were put together by hand;
    /// the feedback of steps does the same in time.
    ///
    /// # Errors
    /// [`WorldError::Assembly`]: the world stays as it was.
    pub fn assemble(&mut self, tolerance: f64) -> Result<(), WorldError> {
        self.lay_out()?;
        let start = self.motion.q.clone();
        let assembled = self.find_assembly(tolerance);
        if assembled.is_err() {
            self.motion.q = start;
        }
        assembled
    }

    fn find_assembly(&mut self, tolerance: f64) -> Result<(), WorldError> {
        let mut set = RowSet::default();
        self.sync_graph()?;
        let mut error = self.constraint_error();
        for _ in 0..ITERATIONS {
            if error.1 <= tolerance {
                return self.match_velocities(&mut set);
            }
            let step = self.newton_step(&mut set)?;
            let from = self.motion.q.clone();
            let mut factor = 1.0;
            for _ in 0..HALVINGS {
                self.motion.q.copy_from_slice(&from);
                self.displace(&step, factor);
                if self.sync_graph().is_ok() && self.constraint_error().1 < error.1 {
                    break;
                }
                factor *= 0.5;
            }
            self.sync_graph()?;
            error = self.constraint_error();
        }
        let constraint = &self.constraints[self.layout.rows[error.0].constraint];
        let (constraint, iterations) = (constraint.name.clone(), ITERATIONS);
        Err(WorldError::Assembly { constraint, error: error.1, iterations })
    }

    /// The equality that is missed most, and by how much.
    fn constraint_error(&self) -> (usize, f64) {
        let rows = self.layout.rows.iter().zip(&self.engine.evaluation.rows.motion).enumerate();
        let equal = rows.filter(|(_, (row, _))| row.kind == ConstraintKind::Equal);
        let errors = equal.map(|(k, (_, motion))| (k, motion[0].abs()));
        errors.fold((0, 0.0), |most, error| if error.1 > most.1 { error } else { most })
    }

    /// -W Jᵀ (J W Jᵀ)⁺ c over all equalities.
    fn newton_step(&mut self, set: &mut RowSet) -> Result<Vec<f64>, WorldError> {
        let of_error = |motion: [f64; 3]| motion[0];
        self.solve_equalities(set, of_error)
    }

    fn solve_equalities(
        &mut self,
        set: &mut RowSet,
        excess: impl Fn([f64; 3]) -> f64,
    ) -> Result<Vec<f64>, WorldError> {
        let (layout, rows) = (&self.layout, &self.engine.evaluation.rows);
        set.set_rows(equalities(layout), layout);
        set.forget_factor();
        for (k, &row) in set.rows.iter().enumerate() {
            set.excess[k] = excess(rows.motion[row]);
        }
        set.solve(layout, rows, None)?;
        let mut change = vec![0.0; layout.velocities];
        for (&row, &lambda) in set.rows.iter().zip(&set.lambda) {
            rows.add(layout, (row, lambda), &rows.responses, &mut change, |_| true);
        }
        Ok(change)
    }

    /// Moves states by displacements in velocities.
    fn displace(&mut self, change: &[f64], factor: f64) {
        for (part, places) in self.objects.iter().zip(&self.layout.objects) {
            let step: Vec<f64> = change[places.velocity()].iter().map(|x| factor * x).collect();
            let mut rates = vec![[0.0; 2]; places.states];
            let q = &mut self.motion.q[places.state()];
            part.object.write_rates(q, &step, &mut rates);
            q.iter_mut().zip(&rates).for_each(|(q, rate)| *q += rate[0]);
            part.object.normalize(q);
        }
    }

    /// Takes the rates of equalities away.
    fn match_velocities(&mut self, set: &mut RowSet) -> Result<(), WorldError> {
        let change = self.solve_equalities(set, |motion| motion[1])?;
        for places in &self.layout.objects {
            let own = places.velocity();
            if places.order == Order::Second {
                let change = &change[own.clone()];
                self.motion.u[own].iter_mut().zip(change).for_each(|(u, change)| *u += change);
            }
        }
        Ok(())
    }
}

fn equalities(layout: &Layout) -> impl Iterator<Item = usize> {
    let rows = layout.rows.iter().enumerate();
    rows.filter(|(_, row)| row.kind == ConstraintKind::Equal && !row.segments.is_empty())
        .map(|(k, _)| k)
}
