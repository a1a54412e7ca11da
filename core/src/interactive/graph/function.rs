//! Functions of blocks: formulas, and code over any scalar, which dual numbers differentiate.

use std::sync::Arc;

use crate::formula::{Dependence, Formula, FormulaError};
use crate::interactive::{Dual, Scalar, Taylor};

/// Memory that functions work in.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    plain: Vec<f64>,
    dual: Vec<Dual<f64>>,
    taylor: Vec<Taylor>,
    taylor_out: Vec<Taylor>,
    dual_out: Vec<Dual<f64>>,
}

/// A function of numbers, written once over any scalar: values, rates and derivatives follow.
///
/// ```
/// use sinew::interactive::{Code, Scalar};
///
/// struct Distance;
///
/// impl Code for Distance {
///     fn input_count(&self) -> usize {
///         4
///     }
///     fn output_count(&self) -> usize {
///         1
///     }
///     fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
///         let [dx, dy] = [x[2] - x[0], x[3] - x[1]];
///         y[0] = (dx * dx + dy * dy).sqrt();
///     }
/// }
/// ```
pub trait Code: Send + Sync + 'static {
    /// Number of inputs.
    fn input_count(&self) -> usize;
    /// Number of outputs.
    fn output_count(&self) -> usize;
    /// Computes the outputs.
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]);
    /// True if the function is affine.
    fn is_affine(&self) -> bool {
        false
    }
}

/// A function of a block, as the graph calls it. [`Code`] and [`Formula`] implement it.
pub trait BlockFunction: Send + Sync {
    /// Number of inputs.
    fn input_count(&self) -> usize;
    /// Number of outputs.
    fn output_count(&self) -> usize;
    /// Computes the outputs.
    fn eval(&self, x: &[f64], y: &mut [f64], work: &mut Workspace);
    /// Computes the outputs with first and second rates.
    fn taylor(&self, x: &[Taylor], y: &mut [Taylor], work: &mut Workspace);
    /// Computes the Jacobian, outputs x inputs row by row.
    fn jacobian(&self, x: &[f64], j: &mut [f64], work: &mut Workspace);
    /// Computes the Jacobian and its rate.
    fn jacobian_rate(&self, x: &[Dual<f64>], j: &mut [Dual<f64>], work: &mut Workspace);
    /// Dependence of the outputs.
    fn dependence(&self, inputs: &[Dependence], outputs: &mut [Dependence]);
}

/// Function of a block.
#[derive(Clone)]
pub enum Function {
    /// A formula.
    Formula(Formula),
    /// Rust code.
    Code(Arc<dyn BlockFunction>),
}

impl Function {
    pub(super) fn as_dyn(&self) -> &dyn BlockFunction {
        match self {
            Self::Formula(formula) => formula,
            Self::Code(code) => code.as_ref(),
        }
    }

    /// The place of a value that is none, where the function knows it.
    pub(super) fn fault(&self, x: &[f64]) -> Option<FormulaError> {
        match self {
            Self::Formula(formula) => formula.fault(x),
            Self::Code(_) => None,
        }
    }
}

impl BlockFunction for Formula {
    fn input_count(&self) -> usize {
        self.inputs().len()
    }
    fn output_count(&self) -> usize {
        self.outputs().len()
    }
    fn eval(&self, x: &[f64], y: &mut [f64], work: &mut Workspace) {
        self.eval(x, y, &mut work.plain);
    }
    fn taylor(&self, x: &[Taylor], y: &mut [Taylor], work: &mut Workspace) {
        self.eval(x, y, &mut work.taylor);
    }
    fn jacobian(&self, x: &[f64], j: &mut [f64], work: &mut Workspace) {
        self.jacobian(x, j, &mut work.plain);
    }
    fn jacobian_rate(&self, x: &[Dual<f64>], j: &mut [Dual<f64>], work: &mut Workspace) {
        self.jacobian(x, j, &mut work.dual);
    }
    fn dependence(&self, inputs: &[Dependence], outputs: &mut [Dependence]) {
        self.dependence(inputs, outputs);
    }
}

impl<C: Code> BlockFunction for C {
    fn input_count(&self) -> usize {
        Code::input_count(self)
    }
    fn output_count(&self) -> usize {
        Code::output_count(self)
    }
    fn eval(&self, x: &[f64], y: &mut [f64], _work: &mut Workspace) {
        Code::eval(self, x, y);
    }
    fn taylor(&self, x: &[Taylor], y: &mut [Taylor], _work: &mut Workspace) {
        Code::eval(self, x, y);
    }

    /// One column at a time.
    fn jacobian(&self, x: &[f64], j: &mut [f64], work: &mut Workspace) {
        let columns = x.len();
        work.dual.clear();
        work.dual.extend(x.iter().map(|&x| Dual::constant(x)));
        work.dual_out.resize(Code::output_count(self), Dual::constant(0.0));
        for column in 0..columns {
            work.dual[column].du = 1.0;
            Code::eval(self, &work.dual, &mut work.dual_out);
            work.dual[column].du = 0.0;
            for (row, out) in work.dual_out.iter().enumerate() {
                j[row * columns + column] = out.du;
            }
        }
    }

    fn jacobian_rate(&self, x: &[Dual<f64>], j: &mut [Dual<f64>], work: &mut Workspace) {
        let columns = x.len();
        work.taylor.clear();
        work.taylor.extend(x.iter().map(|&x| Dual { re: x, du: Dual::constant(0.0) }));
        work.taylor_out.resize(Code::output_count(self), Taylor::constant(0.0));
        for column in 0..columns {
            work.taylor[column].du.re = 1.0;
            Code::eval(self, &work.taylor, &mut work.taylor_out);
            work.taylor[column].du.re = 0.0;
            for (row, out) in work.taylor_out.iter().enumerate() {
                j[row * columns + column] = out.du;
            }
        }
    }

    fn dependence(&self, inputs: &[Dependence], outputs: &mut [Dependence]) {
        let most = inputs.iter().copied().max().unwrap_or_default();
        outputs.fill(if self.is_affine() { most } else { most.bent() });
    }
}
