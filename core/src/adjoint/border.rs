//! Columns of the border of a step, of bodies, constrained points and rows: in closed form, checked along a direction of all of
//! them, or central differences of the equations where that form has not all of these.

use super::bordered::EquationColumn;
use super::cotangent::StateVector;
use super::error::AdjointError;
use super::layout::{Layout, StateScalar};
use super::linearization::{Column, Linearization};
use super::step::{StepDerivatives, TakenStep};
use crate::Vec3;
use crate::solve::{ForceMatrices, StepColumn, StepScalar, StepUnknowns};
use crate::system::{MechSystem, State};

/// Change of positions of bodies and constrained points for differences [m], [rad].
pub(super) const SHIFT: f64 = 1e-6;
/// Change of impulses of rows [N s]: equations are linear in them.
const IMPULSE: f64 = 1.0;

/// Difference of a sum of columns from a difference along it up to which they are exact, over its size in a block row [-], and
/// over that in all. Rounding leaves some 1e-10 of the latter.
const EXACT: f64 = 1e-7;
const ROUNDING: f64 = 1e-8;

/// Moves an unknown by some amount.
type Change<'a> = &'a dyn Fn(&mut StepUnknowns, f64);

/// A step that is differentiated.
type At<'a> = (&'a dyn MechSystem, &'a TakenStep);

/// Change of velocities in the direction that closed forms are checked along [m/s], [rad/s]: so small that stiffness is not lost
/// beside masses.
const RATE: f64 = 1e-6;

/// Share of that direction that is gone where a kink of forces may be within the whole of it [-]: rounding leaves less than 1e-8 then.
const NEARER: f64 = 0.02;

/// Amount by which a number is moved in that direction, over its largest there [-].
fn share(number: usize) -> f64 {
    (1.7 * number as f64 + 0.3).sin()
}

impl StepDerivatives {
    /// Adds the columns of the unknowns of the border, and of the numbers of the start. The equations of the step were
    /// evaluated last.
    pub(super) fn add_border(
        &mut self,
        at: At,
        forces: &ForceMatrices,
        own: &mut Linearization,
    ) -> Result<(), AdjointError> {
        if self.add_closed(at, forces, own)
            && (self.are_exact(at, own, 1.0)? || self.are_exact(at, own, NEARER)?)
        {
            return Ok(());
        }
        own.columns.clear();
        own.ends.clear();
        own.start.clear();
        self.add_differences(at, own)
    }

    /// Adds columns in closed form; false where there are none.
    fn add_closed(
        &self,
        (system, taken): At,
        forces: &ForceMatrices,
        own: &mut Linearization,
    ) -> bool {
        let Linearization { layout, columns, ends, start, .. } = own;
        if !taken.unknowns.active.is_empty() {
            return false;
        }
        let Some(mut closed) = self.solver.columns(system, forces, taken.h) else { return false };
        let mut put = |column: StepColumn| {
            let Column { equations, end } = Column::of(column, taken);
            columns.push(equations);
            ends.push(end);
        };
        for scalar in &layout.border {
            put(closed.column(StepScalar::MeanVelocity, (scalar.row, scalar.axis)));
        }
        (0..layout.rows).for_each(|row| put(closed.impulse(row)));
        for scalar in layout.start_scalars() {
            let (of, at) = match scalar {
                StateScalar::Position(at) => (StepScalar::StartPosition, at),
                StateScalar::Velocity(at) => (StepScalar::StartVelocity, at),
                StateScalar::Memory(_) => continue,
            };
            start.push((scalar, Column::of(closed.column(of, (at.row, at.axis)), taken)));
        }
        true
    }

    /// True if columns have the derivatives of the equations and the end along a direction of all of them, this share of it gone
    /// each way.
    fn are_exact(
        &mut self,
        (system, taken): At,
        own: &Linearization,
        gone: f64,
    ) -> Result<bool, AdjointError> {
        let (layout, unknowns) = (&own.layout, own.layout.border.len());
        let [low, high] = [-gone, gone].map(|side| {
            let (mut start, mut at) = (taken.start.clone(), taken.unknowns.clone());
            for (k, scalar) in layout.border.iter().enumerate() {
                at.y[scalar.row][scalar.axis] += side * RATE * share(k);
            }
            for (k, impulse) in at.impulses.iter_mut().enumerate() {
                *impulse += side * SHIFT * share(unknowns + k);
            }
            for (k, (scalar, _)) in own.start.iter().enumerate() {
                layout.move_scalar(&mut start, *scalar, side * amount(*scalar) * share(k));
            }
            (start, at)
        });
        let sides = [(system, &low.0, &low.1), (system, &high.0, &high.1)];
        let expected = self.column(sides, (layout, taken.h, 2.0 * gone))?;
        let mut found = Column::zeros(&taken.start, layout.rows);
        for (k, (equations, end)) in own.columns.iter().zip(&own.ends).enumerate() {
            let by = if k < unknowns { RATE } else { SHIFT };
            found.add(by * share(k), (equations, end));
        }
        for (k, (scalar, column)) in own.start.iter().enumerate() {
            found.add(amount(*scalar) * share(k), (&column.equations, &column.end));
        }
        Ok(found.is_near(&expected))
    }

    /// Adds differences of the equations.
    fn add_differences(&mut self, at: At, own: &mut Linearization) -> Result<(), AdjointError> {
        let rate = SHIFT / at.1.h;
        let layout = &own.layout;
        for scalar in &layout.border {
            let move_rate = |unknowns: &mut StepUnknowns, by: f64| {
                unknowns.y[scalar.row][scalar.axis] += by;
            };
            let Column { equations, end } = self.by_unknown(at, layout, (rate, &move_rate))?;
            own.columns.push(equations);
            own.ends.push(end);
        }
        for row in 0..layout.rows {
            let push = |unknowns: &mut StepUnknowns, by: f64| match row.checked_sub(layout.joints) {
                Some(active) => unknowns.pushes[active] += by,
                None => unknowns.impulses[row] += by,
            };
            let Column { equations, end } = self.by_unknown(at, layout, (IMPULSE, &push))?;
            own.columns.push(equations);
            own.ends.push(end);
        }
        let scalars = own.layout.start_scalars();
        self.add_start_differences(at, own, scalars)
    }

    /// Adds differences of the equations by numbers of the start.
    fn add_start_differences(
        &mut self,
        (system, taken): At,
        own: &mut Linearization,
        scalars: Vec<StateScalar>,
    ) -> Result<(), AdjointError> {
        let layout = &own.layout;
        for scalar in scalars {
            let by = width(scalar, taken.h);
            let column = self.by_start((system, taken), layout, (scalar, by))?;
            own.start.push((scalar, column));
        }
        Ok(())
    }

    /// Column of a number of the start that is moved by a width.
    fn by_start(
        &mut self,
        (system, taken): At,
        layout: &Layout,
        (scalar, by): (StateScalar, f64),
    ) -> Result<Column, AdjointError> {
        let [low, high] = [-by, by].map(|by| {
            let mut moved = taken.start.clone();
            layout.move_scalar(&mut moved, scalar, by);
            moved
        });
        let sides = [(system, &low, &taken.unknowns), (system, &high, &taken.unknowns)];
        self.column(sides, (layout, taken.h, 2.0 * by))
    }

    /// Column of an unknown of a step that `change` moves by a width.
    fn by_unknown(
        &mut self,
        (system, taken): At,
        layout: &Layout,
        (by, change): (f64, Change),
    ) -> Result<Column, AdjointError> {
        let [low, high] = [-by, by].map(|by| {
            let mut moved = taken.unknowns.clone();
            change(&mut moved, by);
            moved
        });
        let sides = [(system, &taken.start, &low), (system, &taken.start, &high)];
        self.column(sides, (layout, taken.h, 2.0 * by))
    }
}

/// Largest change of a number of the start in the direction that closed forms are checked along.
fn amount(scalar: StateScalar) -> f64 {
    match scalar {
        StateScalar::Position(_) => SHIFT,
        StateScalar::Velocity(_) | StateScalar::Memory(_) => RATE,
    }
}

/// Change of a number of the start for differences.
fn width(scalar: StateScalar, h: f64) -> f64 {
    match scalar {
        StateScalar::Position(_) => SHIFT,
        StateScalar::Velocity(_) | StateScalar::Memory(_) => SHIFT / h,
    }
}

impl Column {
    fn of(StepColumn { momenta, rows, q, u }: StepColumn, taken: &TakenStep) -> Self {
        let end = StateVector { q, u, memory: vec![0.0; taken.start.memory.len()] };
        Self { equations: EquationColumn { momenta, rows }, end }
    }

    /// Zeros for a state and so many rows.
    pub(super) fn zeros(state: &State, rows: usize) -> Self {
        let momenta = vec![Vec3::zeros(); state.q.len()];
        let equations = EquationColumn { momenta, rows: vec![0.0; rows] };
        Self { equations, end: StateVector::zeros(state) }
    }

    /// Adds `factor` times another.
    pub(super) fn add(&mut self, factor: f64, (equations, end): (&EquationColumn, &StateVector)) {
        let momenta = self.equations.momenta.iter_mut().zip(&equations.momenta);
        momenta.for_each(|(a, b)| *a += b * factor);
        let rows = self.equations.rows.iter_mut().zip(&equations.rows);
        rows.for_each(|(a, b)| *a += b * factor);
        self.end.add(factor, end);
    }

    /// True if it is another but for rounding, in every block row.
    fn is_near(&self, other: &Self) -> bool {
        let scalars =
            |rows: &[f64]| -> Vec<Vec3> { rows.iter().map(|it| Vec3::x() * *it).collect() };
        let rows = [&self.equations.rows, &other.equations.rows].map(|rows| scalars(rows));
        let momenta = [&self.equations.momenta, &other.equations.momenta];
        let (q, u) = ([&self.end.q, &other.end.q], [&self.end.u, &other.end.u]);
        [momenta, [&rows[0], &rows[1]], q, u].iter().all(|[a, b]| are_near(a, b))
    }
}

/// True if vectors are others but for rounding.
fn are_near(found: &[Vec3], expected: &[Vec3]) -> bool {
    let largest = expected.iter().fold(0.0, |most, it| f64::max(most, it.norm()));
    let near = |(a, b): (&Vec3, &Vec3)| (a - b).norm() <= EXACT * b.norm() + ROUNDING * largest;
    found.iter().zip(expected).all(near)
}
