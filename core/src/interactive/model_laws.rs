//! Formulas that act on models: constraints and forces of particles, nodes of tissues and markers on bodies, through the
//! components for code of users ([`CustomConstrainer`](crate::model::CustomConstrainer),
//! [`CustomForce`](crate::model::CustomForce)).

use std::sync::{Mutex, PoisonError};

use crate::Vec3;
use crate::constraint::{ConstraintInput, RowSheet};
use crate::force::PointMotion;
use crate::formula::{Formula, FormulaError};

/// Numbers of one evaluation.
#[derive(Default)]
struct Work {
    x: Vec<f64>,
    values: Vec<f64>,
    slopes: Vec<f64>,
    space: Vec<f64>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// A formula over the coordinates `a.x`, `a.y`, `a.z` of points of these names, and what else is named.
fn over_points(text: &str, points: &[&str], others: &[&str]) -> Result<Formula, FormulaError> {
    let coordinates = points.iter().flat_map(|point| AXES.map(|axis| format!("{point}.{axis}")));
    let names: Vec<String> =
        coordinates.chain(others.iter().map(|&name| name.to_owned())).collect();
    Formula::parse(text, &names.iter().map(String::as_str).collect::<Vec<&str>>())
}

impl Work {
    fn update(&mut self, formula: &Formula, positions: &[Vec3], others: &[f64]) {
        self.x.clear();
        self.x.extend(positions.iter().flat_map(|at| [at.x, at.y, at.z]));
        self.x.extend_from_slice(others);
        let rows = formula.outputs().len();
        self.values.resize(rows, 0.0);
        self.slopes.resize(rows * self.x.len(), 0.0);
        formula.eval(&self.x, &mut self.values, &mut self.space);
        formula.jacobian(&self.x, &mut self.slopes, &mut self.space);
    }

    /// Derivative of an output by the place of a point.
    fn slope(&self, row: usize, point: usize) -> Vec3 {
        let first = row * self.x.len() + 3 * point;
        Vec3::new(self.slopes[first], self.slopes[first + 1], self.slopes[first + 2])
    }
}

/// The number of rows of a constraint, and its law for a [`CustomConstrainer`](crate::model::CustomConstrainer):
/// each output of the formula is made zero. The formula is over coordinates \[m\] of the points, in the order in which
/// the constrainer names them: `hypot(a.x - b.x, a.y - b.y) - 0.1` for points `a` and `b`.
///
/// # Errors
/// A formula that cannot be read, or names that are no coordinates of the points, with the column.
pub fn constraint_by_formula(
    text: &str,
    points: &[&str],
) -> Result<
    (usize, impl Fn(ConstraintInput<'_>, &mut RowSheet<'_>) + Send + Sync + 'static + use<>),
    FormulaError,
> {
    let formula = over_points(text, points, &[])?;
    let (rows, work) = (formula.outputs().len(), Mutex::<Work>::default());
    let law = move |input: ConstraintInput<'_>, sheet: &mut RowSheet<'_>| {
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        work.update(&formula, input.positions, &[]);
        for row in 0..rows {
            sheet.set_value(row, work.values[row]);
            for point in 0..input.positions.len() {
                sheet.set_point(row, point, work.slope(row, point));
            }
        }
    };
    Ok((rows, law))
}

/// The law of a [`CustomForce`](crate::model::CustomForce) by an energy \[J\], a formula over coordinates \[m\] of its points
/// and the time `t` \[s\]: forces are its negative slopes. Several outputs are summed.
///
/// # Errors
/// As for [`constraint_by_formula`].
pub fn force_by_energy(
    text: &str,
    points: &[&str],
) -> Result<impl Fn(PointMotion<'_>, &mut [Vec3]) + Send + Sync + 'static + use<>, FormulaError> {
    let formula = over_points(text, points, &["t"])?;
    let work = Mutex::<Work>::default();
    Ok(move |motion: PointMotion<'_>, forces: &mut [Vec3]| {
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        work.update(&formula, motion.positions, &[motion.time]);
        for (point, force) in forces.iter_mut().enumerate() {
            for row in 0..work.values.len() {
                *force -= work.slope(row, point);
            }
        }
    })
}
