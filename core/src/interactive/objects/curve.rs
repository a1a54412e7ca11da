//! Parametric curves as objects: parameters of any formula x(s), with a mass or a drag along their length
//! (Witkin1990, section 5.2).

use std::cell::RefCell;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{PhysicalObject, StateFunction};
use crate::formula::{Formula, FormulaError, FormulaFault};
use crate::interactive::graph::{BlockFunction, Workspace};
use crate::interactive::{Dependence, Dual, Scalar, Taylor};

/// Distribution of mass along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The same on each length of the curve as it is: drag. First order alone.
    #[default]
    Length,
    /// The same on each interval of s: matter that moves with the parameter.
    Parameter,
}

/// A curve x(s) in the plane or in space, with parameters that are its state.
#[derive(Debug)]
pub struct Curve {
    formula: Formula,
    range: [f64; 2],
    density: f64,
    weight: Weight,
    work: RefCell<Work>,
}

#[derive(Debug, Default)]
struct Work {
    x: Vec<f64>,
    jacobian: Vec<f64>,
    moving: Vec<Taylor>,
    moved: Vec<Taylor>,
    space: Workspace,
}

/// Points at which integrals along a curve are taken: the trapezoidal rule is exact to rounding for closed smooth
/// curves of few waves, and to 1e-3 for others.
const SAMPLES: usize = 64;

impl Curve {
    /// A curve by a formula of two or three outputs over `s` and `parameters`, for s in `range`.
    ///
    /// # Errors
    /// A formula that cannot be read; other numbers of outputs than two or three.
    pub fn new(formula: &str, parameters: &[&str], range: [f64; 2]) -> Result<Self, FormulaError> {
        let names: Vec<&str> = std::iter::once("s").chain(parameters.iter().copied()).collect();
        let formula = Formula::parse(formula, &names)?;
        if !(2..=3).contains(&formula.outputs().len()) {
            let fault = FormulaFault::Unexpected {
                found: format!("{} output(s)", formula.outputs().len()),
                expected: "a curve, x(s); y(s) or x(s); y(s); z(s),",
            };
            return Err(FormulaError { column: 1, fault });
        }
        if names.len() > FEW {
            let fault = FormulaFault::Unexpected {
                found: format!("{} parameters", parameters.len()),
                expected: "32 at most",
            };
            return Err(FormulaError { column: 1, fault });
        }
        let (density, weight) = (1.0, Weight::Length);
        Ok(Self { formula, range, density, weight, work: RefCell::default() })
    }

    /// The same with another density \[kg/m\], drag \[kg/(m s)\] of first order, or mass an interval of s.
    pub fn with_density(self, density: f64, weight: Weight) -> Self {
        Self { density, weight, ..self }
    }

    /// Computes the Jacobian of the point at a sample by s and the parameters, row by row; its s, and its mass.
    fn sample(&self, k: usize, state: &[f64], work: &mut Work) -> (f64, f64) {
        let Work { x, jacobian, space, .. } = work;
        let (rows, columns) = (self.formula.outputs().len(), state.len() + 1);
        let [from, to] = self.range;
        let s = from + (to - from) * k as f64 / SAMPLES as f64;
        x.clear();
        x.push(s);
        x.extend_from_slice(state);
        jacobian.resize(rows * columns, 0.0);
        BlockFunction::jacobian(&self.formula, x, jacobian, space);
        let speed = match self.weight {
            Weight::Parameter => 1.0,
            Weight::Length => jacobian.iter().step_by(columns).map(|d| d * d).sum::<f64>().sqrt(),
        };
        let end = if k == 0 || k == SAMPLES { 0.5 } else { 1.0 };
        (s, self.density * end * speed * (to - from).abs() / SAMPLES as f64)
    }

    /// Acceleration of the point at s while velocities stay.
    fn acceleration(&self, s: f64, state: &[f64], velocity: &[f64], work: &mut Work) {
        let Work { moving, moved, space, .. } = work;
        moving.clear();
        moving.push(Taylor::constant(s));
        moving.extend(state.iter().zip(velocity).map(|(&q, &u)| Taylor::of_motion([q, u, 0.0])));
        moved.resize(self.formula.outputs().len(), Taylor::default());
        self.formula.taylor(moving, moved, space);
    }
}

/// The point of a curve at a parameter that stays.
struct PointAt {
    formula: Formula,
    s: f64,
}

impl PointAt {
    /// The inputs of the formula.
    fn with<S: Scalar, R>(&self, q: &[S], then: impl FnOnce(&[S]) -> R) -> R {
        // Parameters of curves are few: no memory is taken.
        let mut x = [S::constant(self.s); FEW];
        x[1..=q.len()].copy_from_slice(q);
        then(&x[..=q.len()])
    }

    fn cut<S: Scalar>(rows: usize, columns: usize, whole: &[S], j: &mut [S]) {
        for row in 0..rows {
            let from = &whole[row * (columns + 1) + 1..(row + 1) * (columns + 1)];
            j[row * columns..(row + 1) * columns].copy_from_slice(from);
        }
    }
}

/// Most parameters of a curve, and s.
const FEW: usize = 33;

impl BlockFunction for PointAt {
    fn input_count(&self) -> usize {
        self.formula.inputs().len() - 1
    }
    fn output_count(&self) -> usize {
        self.formula.outputs().len()
    }
    fn eval(&self, x: &[f64], y: &mut [f64], work: &mut Workspace) {
        self.with(x, |x| BlockFunction::eval(&self.formula, x, y, work));
    }
    fn taylor(&self, x: &[Taylor], y: &mut [Taylor], work: &mut Workspace) {
        self.with(x, |x| self.formula.taylor(x, y, work));
    }
    fn jacobian(&self, x: &[f64], j: &mut [f64], work: &mut Workspace) {
        let mut whole = [0.0; 3 * FEW];
        let (rows, columns) = (self.output_count(), x.len());
        let whole = &mut whole[..rows * (columns + 1)];
        self.with(x, |x| BlockFunction::jacobian(&self.formula, x, whole, work));
        Self::cut(rows, columns, whole, j);
    }
    fn jacobian_rate(&self, x: &[Dual<f64>], j: &mut [Dual<f64>], work: &mut Workspace) {
        let mut whole = [Dual::default(); 3 * FEW];
        let (rows, columns) = (self.output_count(), x.len());
        let whole = &mut whole[..rows * (columns + 1)];
        self.with(x, |x| self.formula.jacobian_rate(x, whole, work));
        Self::cut(rows, columns, whole, j);
    }
    fn dependence(&self, inputs: &[Dependence], outputs: &mut [Dependence]) {
        let with_s: Vec<Dependence> =
            std::iter::once(Dependence::Fixed).chain(inputs.iter().copied()).collect();
        BlockFunction::dependence(&self.formula, &with_s, outputs);
    }
}

impl PhysicalObject for Curve {
    fn state_names(&self) -> Vec<String> {
        self.formula.inputs()[1..].to_vec()
    }

    /// ∫ (∂x/∂q)ᵀ ∂x/∂q dm.
    fn add_mass(&self, state: &[f64], mass: &mut [f64]) {
        let (count, work) = (state.len(), &mut *self.work.borrow_mut());
        for k in 0..=SAMPLES {
            let (_, dm) = self.sample(k, state, work);
            for row in work.jacobian.chunks_exact(count + 1).map(|row| &row[1..]) {
                for i in 0..count {
                    (0..count).for_each(|j| mass[i * count + j] += dm * row[i] * row[j]);
                }
            }
        }
    }
    fn has_constant_mass(&self) -> bool {
        false
    }
    fn has_inertia(&self) -> bool {
        self.weight == Weight::Parameter
    }

    /// -∫ (∂x/∂q)ᵀ a dm, with the acceleration a that points have while velocities stay.
    fn add_velocity_forces(&self, state: &[f64], velocity: &[f64], forces: &mut [f64]) {
        let (count, work) = (state.len(), &mut *self.work.borrow_mut());
        for k in 0..=SAMPLES {
            let (s, dm) = self.sample(k, state, work);
            self.acceleration(s, state, velocity, work);
            for (row, moved) in work.jacobian.chunks_exact(count + 1).zip(&work.moved) {
                let force = -dm * moved.motion()[2];
                forces.iter_mut().zip(&row[1..]).for_each(|(f, d)| *f += force * d);
            }
        }
    }
    fn add_weight(&self, state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        let (count, work) = (state.len(), &mut *self.work.borrow_mut());
        for k in 0..=SAMPLES {
            let (_, dm) = self.sample(k, state, work);
            for (row, g) in work.jacobian.chunks_exact(count + 1).zip(gravity) {
                forces.iter_mut().zip(&row[1..]).for_each(|(f, d)| *f += dm * d * g);
            }
        }
    }

    /// The tangent dx/ds at s, or the derivative of another order, the second coordinate.
    fn direction(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let (s, order) = match *coordinates {
            [s] => (s, 1.0),
            [s, order] if (0.0..=4.0).contains(&order) && order.fract() == 0.0 => (s, order),
            _ => return None,
        };
        let mut formula = self.formula.clone();
        for _ in 0..order as usize {
            formula = formula.derivative("s")?;
        }
        Some(Arc::new(PointAt { formula, s }))
    }

    /// The point at s, the only coordinate.
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let &[s] = coordinates else { return None };
        Some(Arc::new(PointAt { formula: self.formula.clone(), s }))
    }
}
