//! A tape under construction: equal operations are made once, operations on constants at once.

use std::collections::HashMap;

use super::ops::{Binary, Op, Unary};

/// A list of operations under construction.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) ops: Vec<Op>,
    pub(super) columns: Vec<u32>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<(String, u32)>,
    known: HashMap<(u8, u64, u64), u32>,
}

impl Draft {
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let input = self.inputs.iter().position(|input| input == name);
        let output = || self.outputs.iter().find(|(output, _)| output == name).map(|o| o.1);
        match input {
            Some(input) => self.known.get(&(0, input as u64, 0)).copied(),
            None => output(),
        }
    }

    pub(super) fn push(&mut self, key: (u8, u64, u64), op: Op, column: usize) -> u32 {
        let (ops, columns) = (&mut self.ops, &mut self.columns);
        *self.known.entry(key).or_insert_with(|| {
            ops.push(op);
            columns.push(column as u32);
            ops.len() as u32 - 1
        })
    }

    pub(super) fn input(&mut self, name: &str, column: usize) -> u32 {
        let input = self.inputs.len() as u32;
        self.inputs.push(name.to_owned());
        self.push((0, u64::from(input), 0), Op::Input(input), column)
    }

    /// The register of an input that is there.
    pub(super) fn input_register(&mut self, input: u32) -> u32 {
        self.push((0, u64::from(input), 0), Op::Input(input), 1)
    }

    pub(super) fn constant(&mut self, value: f64, column: usize) -> u32 {
        self.push((1, value.to_bits(), 0), Op::Constant(value), column)
    }

    pub(super) fn number(&self, register: u32) -> Option<f64> {
        match self.ops[register as usize] {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn unary(&mut self, unary: Unary, a: u32, column: usize) -> u32 {
        if let Some(value) = self.number(a).map(|x| unary.apply(x)).filter(|x| x.is_finite()) {
            return self.constant(value, column);
        }
        self.push((2 + unary as u8, u64::from(a), 0), Op::Unary(unary, a), column)
    }

    pub(super) fn binary(&mut self, binary: Binary, [a, b]: [u32; 2], column: usize) -> u32 {
        let numbers = [a, b].map(|register| self.number(register));
        if let [Some(x), Some(y)] = numbers
            && !binary.is_truth()
            && let Some(value) = Some(binary.apply(x, y)).filter(|value| value.is_finite())
        {
            return self.constant(value, column);
        }
        match (binary, numbers) {
            (Binary::Add, [Some(0.0), _]) | (Binary::Mul, [Some(1.0), _]) => return b,
            (Binary::Add | Binary::Sub, [_, Some(0.0)]) => return a,
            (Binary::Mul | Binary::Div, [_, Some(1.0)]) => return a,
            _ => {}
        }
        let key = (64 + binary as u8, u64::from(a), u64::from(b));
        self.push(key, Op::Binary(binary, a, b), column)
    }

    pub(super) fn power(&mut self, base: u32, exponent: u32, column: usize) -> u32 {
        let Some(number) = self.number(exponent) else {
            return self.binary(Binary::Power, [base, exponent], column);
        };
        if let Some(value) = self.number(base).map(|x| x.powf(number)).filter(|x| x.is_finite()) {
            return self.constant(value, column);
        }
        let key = (128, u64::from(base), number.to_bits());
        match number {
            1.0 => base,
            2.0 => self.binary(Binary::Mul, [base, base], column),
            _ if number.fract() == 0.0 && number.abs() < 1e6 => {
                self.push(key, Op::WholePower(base, number as i32), column)
            }
            _ => self.push(key, Op::ConstantPower(base, number), column),
        }
    }
}
