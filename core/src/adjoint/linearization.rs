//! The derivatives of one step as matrices and columns, and their products with changes of its start and its unknowns.

use super::bordered::{EquationColumn, reduced_product};
use super::cotangent::StateVector;
use super::layout::{Layout, StateScalar};
use super::touch::TouchColumn;
use crate::Vec3;
use crate::linalg::BlockMatrix;
use crate::solve::{RowVectors, StepAttachments};

/// Derivatives of the equations of a step, and of its end, by one number.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) equations: EquationColumn,
    pub(super) end: StateVector,
}

/// The derivatives of one step.
pub(super) struct Linearization {
    pub(super) w: f64,
    pub(super) h: f64,
    pub(super) layout: Layout,
    pub(super) attachments: Option<StepAttachments>,
    /// Derivatives of momenta by mean velocities, and by positions and velocities at the start.
    pub(super) by_unknowns: BlockMatrix,
    pub(super) by_positions: BlockMatrix,
    pub(super) by_velocities: BlockMatrix,
    /// Columns of scalars of the border, then of impulses; and what they do to the end.
    pub(super) columns: Vec<EquationColumn>,
    pub(super) ends: Vec<StateVector>,
    /// Columns of the start.
    pub(super) start: Vec<(StateScalar, Column)>,
    pub(super) time: f64,
    /// Adds the share of active unilateral rows to the columns of the start.
    pub(super) touch: Vec<TouchColumn>,
    /// Derivatives of these rows by mean velocities.
    pub(super) active: Vec<RowVectors>,
}

impl Linearization {
    /// Scalars of the step.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Derivatives by attached points handed to what they follow.
    pub(super) fn reduced_at_end(&self, end: &StateVector) -> StateVector {
        let mut reduced = end.clone();
        if let Some(StepAttachments { end, .. }) = &self.attachments {
            end.reduce_force(&mut reduced.q);
            end.reduce_force(&mut reduced.u);
        }
        reduced
    }

    /// Changes of the end, and errors of the equations, by changes of the start and a number while the unknowns stay.
    pub(super) fn with_unknowns_fixed(
        &self,
        start: &StateVector,
        beside: Option<&Column>,
    ) -> (StateVector, EquationColumn) {
        let mean = self.attachments.as_ref().map(|it| &it.mean);
        let mut end = StateVector {
            q: start.q.clone(),
            u: start.u.clone(),
            memory: vec![0.0; start.memory.len()],
        };
        self.layout.keep_inner(&mut end.q);
        self.layout.keep_inner(&mut end.u);
        let mut errors = EquationColumn {
            momenta: reduced_product((&self.by_positions, mean), &end.q, false),
            rows: vec![0.0; self.layout.rows],
        };
        let by_velocities = reduced_product((&self.by_velocities, mean), &end.u, false);
        errors.momenta.iter_mut().zip(&by_velocities).for_each(|(r, by)| *r += by);
        end.u.iter_mut().for_each(|u| *u *= 1.0 - 1.0 / self.w);
        self.expand_at_end(&mut end);
        let factor = |scalar: &StateScalar| match *scalar {
            StateScalar::Position(at) => start.q[at.row][at.axis],
            StateScalar::Velocity(at) => start.u[at.row][at.axis],
            StateScalar::Memory(k) => start.memory[k],
        };
        let of_start = self.start.iter().map(|(scalar, column)| (factor(scalar), column));
        for (factor, column) in of_start.chain(beside.map(|column| (1.0, column))) {
            end.add(factor, &column.end);
            let EquationColumn { momenta, rows } = &column.equations;
            errors.momenta.iter_mut().zip(momenta).for_each(|(r, by)| *r += by * factor);
            errors.rows.iter_mut().zip(rows).for_each(|(r, by)| *r += by * factor);
        }
        for column in &self.touch {
            let factor = match column.scalar {
                StateScalar::Position(at) => start.q[at.row][at.axis],
                StateScalar::Velocity(at) => start.u[at.row][at.axis],
                StateScalar::Memory(_) => 0.0,
            };
            column
                .momenta
                .iter()
                .for_each(|(row, by)| errors.momenta[*row as usize] += by * factor);
            column.rows.iter().for_each(|(row, by)| errors.rows[*row] += by * factor);
        }
        (end, errors)
    }

    /// Adds the changes of the end by those of the unknowns, times `factor`.
    pub(super) fn add_unknowns(
        &self,
        factor: f64,
        (mut y, impulses): (Vec<Vec3>, Vec<f64>),
        end: &mut StateVector,
    ) {
        let border = self.layout.border.iter().map(|it| y[it.row][it.axis]);
        for (x, column) in border.chain(impulses).zip(&self.ends) {
            end.add(factor * x, column);
        }
        self.layout.keep_inner(&mut y);
        let mut inner = StateVector {
            q: y.iter().map(|y| y * self.h).collect(),
            u: y.iter().map(|y| y / self.w).collect(),
            memory: vec![0.0; end.memory.len()],
        };
        self.expand_at_end(&mut inner);
        end.add(factor, &inner);
    }

    /// Gives attached points the changes of what they follow.
    fn expand_at_end(&self, end: &mut StateVector) {
        if let Some(StepAttachments { end: attachments, .. }) = &self.attachments {
            attachments.expand_velocity(&mut end.q);
            attachments.expand_velocity(&mut end.u);
        }
    }
}

/// Product of a column and multipliers.
pub(super) fn product(column: &EquationColumn, multipliers: &EquationColumn) -> f64 {
    let momenta = column.momenta.iter().zip(&multipliers.momenta).map(|(a, b)| a.dot(b));
    let rows = column.rows.iter().zip(&multipliers.rows).map(|(a, b)| a * b);
    momenta.sum::<f64>() + rows.sum::<f64>()
}
