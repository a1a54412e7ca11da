//! The tape of a formula: evaluation over any scalar, Jacobian by the reverse mode, and the dependence of outputs on
//! inputs.

use std::sync::Arc;

use super::Scalar;
use super::draft::Draft;
use super::ops::{Dependence, Op, Unary};
use super::parser::{Unknown, parse, parse_condition};
use super::{FormulaError, FormulaFault};

#[derive(Debug)]
struct Tape {
    ops: Vec<Op>,
    columns: Vec<u32>,
    inputs: Vec<String>,
    names: Vec<String>,
    outputs: Vec<u32>,
    text: String,
}

/// A formula, compiled. Copies share the tape.
#[derive(Clone, Debug)]
pub struct Formula(Arc<Tape>);

impl Formula {
    /// Reads a formula over inputs of these names.
    ///
    /// # Errors
    /// The first fault with its column; names that are not among the inputs.
    pub fn parse(text: &str, inputs: &[&str]) -> Result<Self, FormulaError> {
        let twice = inputs.iter().enumerate().find(|(k, name)| inputs[..*k].contains(name));
        if let Some((_, name)) = twice {
            let fault = FormulaFault::Defined((*name).to_owned());
            return Err(FormulaError { column: 1, fault });
        }
        Ok(Self::of(parse(text, inputs, Unknown::Refused)?, text))
    }

    /// Reads a formula whose names are its inputs, in the order in which they stand there.
    ///
    /// # Errors
    /// The first fault with its column.
    pub fn parse_open(text: &str) -> Result<Self, FormulaError> {
        Self::parse_hiding(text, &[])
    }

    /// Reads a formula of one number, whose names are its inputs as in [`Self::parse_open`]; names of `hiding` are even where a
    /// constant has them.
    ///
    /// # Errors
    /// The first fault with its column; [`FormulaFault::Outputs`] for several outputs, or one with a name.
    pub(crate) fn parse_number(text: &str, hiding: &[&str]) -> Result<Self, FormulaError> {
        let formula = Self::parse_hiding(text, hiding)?;
        match formula.outputs() {
            [only] if only == "0" => Ok(formula),
            _ => Err(FormulaError { column: 1, fault: FormulaFault::Outputs }),
        }
    }

    fn parse_hiding(text: &str, hiding: &[&str]) -> Result<Self, FormulaError> {
        Ok(Self::of(parse(text, &[], Unknown::Inputs { hiding })?, text))
    }

    /// Reads a condition over inputs of these names: its one output is 1 where it is met, 0 elsewhere.
    pub(super) fn parse_condition(text: &str, inputs: &[&str]) -> Result<Self, FormulaError> {
        Ok(Self::of(parse_condition(text, inputs)?, text))
    }

    /// Keeps the operations that outputs need, inputs first.
    pub(super) fn of(draft: Draft, text: &str) -> Self {
        let mut needed = vec![false; draft.ops.len()];
        draft.outputs.iter().for_each(|&(_, output)| needed[output as usize] = true);
        for (k, op) in draft.ops.iter().enumerate().rev() {
            needed[k] |= matches!(op, Op::Input(_));
            if needed[k] {
                op.operands().for_each(|a| needed[a as usize] = true);
            }
        }
        let mut moved = vec![0; draft.ops.len()];
        let (mut ops, mut columns) = (Vec::new(), Vec::new());
        for (k, op) in draft.ops.iter().enumerate().filter(|(k, _)| needed[*k]) {
            moved[k] = ops.len() as u32;
            ops.push(op.renumbered(&moved));
            columns.push(draft.columns[k]);
        }
        let outputs = draft.outputs.iter().map(|&(_, output)| moved[output as usize]).collect();
        let names = draft.outputs.into_iter().map(|(name, _)| name).collect();
        let (inputs, text) = (draft.inputs, text.to_owned());
        Self(Arc::new(Tape { ops, columns, inputs, names, outputs, text }))
    }

    /// Its operations, and the registers of its outputs.
    pub(super) fn tape(&self) -> (&[Op], &[u32]) {
        (&self.0.ops, &self.0.outputs)
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Names of its inputs.
    pub fn inputs(&self) -> &[String] {
        &self.0.inputs
    }

    /// Column at which an input first stands.
    pub fn input_column(&self, input: usize) -> usize {
        let is_input = |op: &Op| *op == Op::Input(input as u32);
        self.0.ops.iter().position(is_input).map_or(1, |k| self.0.columns[k] as usize)
    }

    /// Names of its outputs: numbers from 0 on, where the text gives none.
    pub fn outputs(&self) -> &[String] {
        &self.0.names
    }

    /// Number of operations.
    pub fn operation_count(&self) -> usize {
        self.0.ops.len()
    }

    /// Computes the outputs; `work` keeps every result.
    pub fn eval<S: Scalar>(&self, inputs: &[S], outputs: &mut [S], work: &mut Vec<S>) {
        self.forward(inputs, work);
        for (output, &register) in outputs.iter_mut().zip(&self.0.outputs) {
            *output = work[register as usize];
        }
    }

    fn forward<S: Scalar>(&self, inputs: &[S], work: &mut Vec<S>) {
        work.clear();
        for op in &self.0.ops {
            let value = match *op {
                Op::Input(input) => inputs[input as usize],
                Op::Constant(value) => S::constant(value),
                Op::Unary(unary, a) => unary.apply(work[a as usize]),
                Op::Binary(binary, a, b) => binary.apply(work[a as usize], work[b as usize]),
                Op::WholePower(a, exponent) => work[a as usize].powi(exponent),
                Op::ConstantPower(a, exponent) => work[a as usize].powc(exponent),
            };
            work.push(value);
        }
    }

    /// Computes the Jacobian, outputs x inputs row by row, backwards once for each output.
    pub fn jacobian<S: Scalar>(&self, inputs: &[S], jacobian: &mut [S], work: &mut Vec<S>) {
        self.forward(inputs, work);
        let count = self.0.ops.len();
        work.resize(2 * count, S::constant(0.0));
        let (values, adjoints) = work.split_at_mut(count);
        let rows = jacobian.chunks_exact_mut(self.0.inputs.len().max(1));
        for (row, &output) in rows.zip(&self.0.outputs) {
            row.fill(S::constant(0.0));
            adjoints.fill(S::constant(0.0));
            adjoints[output as usize] = S::constant(1.0);
            self.backward(output as usize, values, adjoints, row);
        }
    }

    fn backward<S: Scalar>(&self, from: usize, values: &[S], adjoints: &mut [S], row: &mut [S]) {
        for (k, op) in self.0.ops[..=from].iter().enumerate().rev() {
            let adjoint = adjoints[k];
            if adjoint.is_zero() {
                continue;
            }
            let mut add = |a: u32, slope: S| {
                adjoints[a as usize] = adjoints[a as usize] + adjoint * slope;
            };
            match *op {
                Op::Input(input) => row[input as usize] = adjoint,
                Op::Constant(_) => {}
                Op::Unary(unary, a) => add(a, unary.slope(values[a as usize], values[k])),
                Op::Binary(binary, a, b) => {
                    let slopes = binary.slopes(values[a as usize], values[b as usize], values[k]);
                    add(a, slopes[0]);
                    add(b, slopes[1]);
                }
                Op::WholePower(a, exponent) => {
                    let below = values[a as usize].powi(exponent.saturating_sub(1));
                    add(a, S::constant(f64::from(exponent)) * below);
                }
                Op::ConstantPower(a, exponent) => {
                    add(a, S::constant(exponent) * values[a as usize].powc(exponent - 1.0));
                }
            }
        }
    }

    /// Dependence of the outputs, from that of the inputs.
    pub fn dependence(&self, inputs: &[Dependence], outputs: &mut [Dependence]) {
        let mut work: Vec<Dependence> = Vec::with_capacity(self.0.ops.len());
        for op in &self.0.ops {
            let value = match *op {
                Op::Input(input) => inputs[input as usize],
                Op::Constant(_) => Dependence::Fixed,
                Op::Unary(Unary::Neg, a) => work[a as usize],
                Op::Unary(_, a) | Op::WholePower(a, _) | Op::ConstantPower(a, _) => {
                    work[a as usize].bent()
                }
                Op::Binary(binary, a, b) => binary.dependence(work[a as usize], work[b as usize]),
            };
            work.push(value);
        }
        for (output, &register) in outputs.iter_mut().zip(&self.0.outputs) {
            *output = work[register as usize];
        }
    }

    /// The first operation that has no finite value at these inputs, or no finite slope.
    pub fn fault(&self, inputs: &[f64]) -> Option<FormulaError> {
        let mut work = Vec::new();
        self.forward(inputs, &mut work);
        let slopes = |k: usize| match self.0.ops[k] {
            Op::Unary(unary, a) => [unary.slope(work[a as usize], work[k]), 0.0],
            Op::Binary(binary, a, b) => binary.slopes(work[a as usize], work[b as usize], work[k]),
            _ => [0.0; 2],
        };
        (0..work.len()).find_map(|k| {
            let all = [work[k], slopes(k)[0], slopes(k)[1]];
            let value = all.into_iter().find(|value| !value.is_finite())?;
            let column = self.0.columns[k] as usize;
            Some(FormulaError { column, fault: FormulaFault::Value { value } })
        })
    }
}
