//! The derivatives of one step as matrices and columns, and their products with changes of its start and its unknowns.

use super::bordered::{EquationColumn, reduced_product};
use super::cotangent::StateVector;
use super::layout::{Layout, StateScalar};
use super::touch::TouchColumn;
use crate::Vec3;
use crate::force::MemorySlopes;
use crate::linalg::BlockMatrix;
use crate::solve::{RowVectors, StepAttachments};

/// Factors of central differences of a width and of twice that, whose sum has an error of fourth order.
pub(super) const FOURTH_ORDER: [f64; 2] = [4.0 / 3.0, -1.0 / 3.0];

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
    /// Derivatives of the memory at the end. Ends of columns have none of what follows positions there.
    pub(super) memory: MemorySlopes,
}

impl Linearization {
    /// Scalars of the step.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Derivatives by the memory at the end handed to the positions that it follows too.
    pub(super) fn with_memory(&self, end: &StateVector) -> StateVector {
        let mut whole = end.clone();
        for (of, row, by) in &self.memory.by_position {
            whole.q[*row] += by * end.memory[*of];
        }
        whole
    }

    /// Adds changes of the memory that follow positions at the end.
    pub(super) fn add_memory(&self, end: &mut StateVector) {
        for (of, row, by) in &self.memory.by_position {
            end.memory[*of] += by.dot(&end.q[*row]);
        }
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
        beside: &Column,
    ) -> (StateVector, EquationColumn) {
        let (mut end, mut errors) = self.by_inner_start(start);
        let of_start = self.start.iter().map(|(scalar, column)| (start.at(*scalar), column));
        for (factor, column) in of_start.chain([(1.0, beside)]) {
            end.add(factor, &column.end);
            let EquationColumn { momenta, rows } = &column.equations;
            errors.momenta.iter_mut().zip(momenta).for_each(|(r, by)| *r += by * factor);
            errors.rows.iter_mut().zip(rows).for_each(|(r, by)| *r += by * factor);
        }
        for TouchColumn { scalar, momenta, rows } in &self.touch {
            let factor = start.at(*scalar);
            momenta.iter().for_each(|(row, by)| errors.momenta[*row as usize] += by * factor);
            rows.iter().for_each(|(row, by)| errors.rows[*row] += by * factor);
        }
        (end, errors)
    }

    /// The same by the inner scalars of the start alone.
    fn by_inner_start(&self, start: &StateVector) -> (StateVector, EquationColumn) {
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
        (end, errors)
    }

    /// Derivatives of a scalar by the start, from those by the end, as they are and `reduced`, and the multipliers of the
    /// equations.
    pub(super) fn pulled_to_start(
        &self,
        end: &StateVector,
        reduced: StateVector,
        multipliers: &EquationColumn,
    ) -> StateVector {
        let mean = self.attachments.as_ref().map(|it| &it.mean);
        let by_positions = reduced_product((&self.by_positions, mean), &multipliers.momenta, true);
        let by_velocities =
            reduced_product((&self.by_velocities, mean), &multipliers.momenta, true);
        let mut start = reduced;
        start.memory.fill(0.0);
        for (row, (q, u)) in start.q.iter_mut().zip(&mut start.u).enumerate() {
            *q -= by_positions[row];
            *u = *u * (1.0 - 1.0 / self.w) - by_velocities[row];
        }
        self.layout.keep_inner(&mut start.q);
        self.layout.keep_inner(&mut start.u);
        for (scalar, column) in &self.start {
            *start.at_mut(*scalar) = column.end.dot(end) - product(&column.equations, multipliers);
        }
        for TouchColumn { scalar, momenta, rows } in &self.touch {
            let by_momenta =
                momenta.iter().map(|(row, by)| by.dot(&multipliers.momenta[*row as usize]));
            let by_rows = rows.iter().map(|(row, by)| by * multipliers.rows[*row]);
            *start.at_mut(*scalar) -= by_momenta.sum::<f64>() + by_rows.sum::<f64>();
        }
        start
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

impl Column {
    /// Change of a scalar by the number, with the derivatives of the scalar by the end and the multipliers of the equations;
    /// of the block rows `rows` alone where there are such, as of a number that shares the column with others.
    pub(super) fn pulled(
        &self,
        end: &StateVector,
        multipliers: &EquationColumn,
        rows: Option<&[u32]>,
    ) -> f64 {
        let by_equations = match rows {
            None => product(&self.equations, multipliers),
            Some(rows) => rows.iter().map(|&row| self.balance(row, multipliers)).sum(),
        };
        self.end.dot_on(end, rows) - by_equations
    }

    /// Product with the multipliers of a block row.
    fn balance(&self, row: u32, multipliers: &EquationColumn) -> f64 {
        self.equations.momenta[row as usize].dot(&multipliers.momenta[row as usize])
    }
}

/// Product of a column and multipliers.
pub(super) fn product(column: &EquationColumn, multipliers: &EquationColumn) -> f64 {
    let momenta = column.momenta.iter().zip(&multipliers.momenta).map(|(a, b)| a.dot(b));
    let rows = column.rows.iter().zip(&multipliers.rows).map(|(a, b)| a * b);
    momenta.sum::<f64>() + rows.sum::<f64>()
}
