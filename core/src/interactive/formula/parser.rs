//! Parser of formulas: expressions with the usual precedence, several outputs parted by `;`.

use super::draft::Draft;
use super::lexer::{Spot, Word, words};
use super::ops::{Binary, Unary};
use super::{FormulaError, FormulaFault};

/// Longest text \[bytes\].
const LONGEST: usize = 10_000;
/// Most nested expressions: the parser calls itself for each.
const DEEPEST: usize = 100;

/// Treatment of names that are not defined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Refused,
    Inputs,
}

struct Parser<'a> {
    words: &'a [Spot],
    at: usize,
    depth: usize,
    draft: Draft,
    unknown: Unknown,
}

/// Parses a text over inputs of these names.
pub(super) fn parse(text: &str, inputs: &[&str], unknown: Unknown) -> Result<Draft, FormulaError> {
    if text.len() > LONGEST {
        return Err(too_large(1));
    }
    let words = words(text)?;
    let mut parser = Parser { words: &words, at: 0, depth: 0, draft: Draft::default(), unknown };
    for &input in inputs {
        parser.draft.input(input, 1);
    }
    parser.statements()?;
    Ok(parser.draft)
}

fn too_large(column: usize) -> FormulaError {
    FormulaError { column, fault: FormulaFault::Size { longest: LONGEST, deepest: DEEPEST } }
}

impl Parser<'_> {
    fn peek(&self) -> &Spot {
        &self.words[self.at.min(self.words.len() - 1)]
    }

    fn next(&mut self) -> Spot {
        let spot = self.peek().clone();
        self.at += 1;
        spot
    }

    fn takes(&mut self, sign: char) -> bool {
        let there = self.peek().word == Word::Sign(sign);
        self.at += usize::from(there);
        there
    }

    fn unexpected<T>(spot: &Spot, expected: &'static str) -> Result<T, FormulaError> {
        let fault = FormulaFault::Unexpected { found: spot.word.spelled(), expected };
        Err(FormulaError { column: spot.column, fault })
    }

    fn statements(&mut self) -> Result<(), FormulaError> {
        loop {
            let name = self.definition()?;
            let value = self.sum()?;
            let name = name.unwrap_or_else(|| format!("{}", self.draft.outputs.len()));
            self.draft.outputs.push((name, value));
            let more = self.takes(';');
            let spot = self.peek();
            match spot.word {
                Word::End => return Ok(()),
                _ if more => {}
                _ => return Self::unexpected(spot, "an operator, ';' or the end"),
            }
        }
    }

    /// The name of an output, where the statement begins with one.
    fn definition(&mut self) -> Result<Option<String>, FormulaError> {
        let Word::Name(name) = self.peek().word.clone() else { return Ok(None) };
        if self.words.get(self.at + 1).is_none_or(|spot| spot.word != Word::Sign('=')) {
            return Ok(None);
        }
        if self.draft.find(&name).is_some() || name == "pi" {
            let fault = FormulaFault::Defined(name);
            return Err(FormulaError { column: self.peek().column, fault });
        }
        self.at += 2;
        Ok(Some(name))
    }

    fn sum(&mut self) -> Result<u32, FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_large(self.peek().column));
        }
        let mut left = self.product()?;
        while let Word::Sign(sign @ ('+' | '-')) = self.peek().word {
            let column = self.next().column;
            let right = self.product()?;
            let op = if sign == '+' { Binary::Add } else { Binary::Sub };
            left = self.draft.binary(op, [left, right], column);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<u32, FormulaError> {
        let mut left = self.signed()?;
        while let Word::Sign(sign @ ('*' | '/')) = self.peek().word {
            let column = self.next().column;
            let right = self.signed()?;
            let op = if sign == '*' { Binary::Mul } else { Binary::Div };
            left = self.draft.binary(op, [left, right], column);
        }
        Ok(left)
    }

    /// Signs stand outside of powers: -x^2 is -(x^2).
    fn signed(&mut self) -> Result<u32, FormulaError> {
        let (mut negative, column) = (false, self.peek().column);
        while let Word::Sign(sign @ ('+' | '-')) = self.peek().word {
            self.at += 1;
            negative ^= sign == '-';
        }
        let value = self.power()?;
        Ok(if negative { self.draft.unary(Unary::Neg, value, column) } else { value })
    }

    fn power(&mut self) -> Result<u32, FormulaError> {
        let base = self.atom()?;
        if self.peek().word != Word::Sign('^') {
            return Ok(base);
        }
        let column = self.next().column;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_large(column));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(self.draft.power(base, exponent, column))
    }

    fn atom(&mut self) -> Result<u32, FormulaError> {
        let spot = self.next();
        match &spot.word {
            Word::Number(number) => Ok(self.draft.constant(*number, spot.column)),
            Word::Sign('(') => {
                let value = self.sum()?;
                self.close()?;
                Ok(value)
            }
            Word::Name(name) if self.takes('(') => self.call(name, spot.column),
            Word::Name(name) => self.name(name, spot.column),
            _ => Self::unexpected(&spot, "a number, a name or '('"),
        }
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        let spot = self.next();
        if spot.word == Word::Sign(')') { Ok(()) } else { Self::unexpected(&spot, "')'") }
    }

    fn name(&mut self, name: &str, column: usize) -> Result<u32, FormulaError> {
        if let Some(value) = self.draft.find(name) {
            return Ok(value);
        }
        if name == "pi" {
            return Ok(self.draft.constant(std::f64::consts::PI, column));
        }
        if self.unknown == Unknown::Inputs {
            return Ok(self.draft.input(name, column));
        }
        let outputs = self.draft.outputs.iter().map(|(name, _)| name.as_str());
        let known: Vec<&str> =
            self.draft.inputs.iter().map(String::as_str).chain(outputs).collect();
        let fault = FormulaFault::Name { name: name.to_owned(), known: known.join(", ") };
        Err(FormulaError { column, fault })
    }

    fn call(&mut self, name: &str, column: usize) -> Result<u32, FormulaError> {
        let mut arguments = vec![self.sum()?];
        while self.takes(',') {
            arguments.push(self.sum()?);
        }
        self.close()?;
        let fault = |fault| FormulaError { column, fault };
        let expects = |expected: usize| match arguments.len() {
            found if found == expected => Ok(()),
            found => {
                let function = name.to_owned();
                Err(fault(FormulaFault::Arguments { function, expected, found }))
            }
        };
        if let Some(unary) = Unary::named(name) {
            expects(1)?;
            return Ok(self.draft.unary(unary, arguments[0], column));
        }
        let binary = Binary::named(name);
        if binary.is_none() && name != "hypot" {
            return Err(fault(FormulaFault::Function(name.to_owned())));
        }
        expects(2)?;
        let pair = [arguments[0], arguments[1]];
        if let Some(binary) = binary {
            return Ok(self.draft.binary(binary, pair, column));
        }
        let squares = pair.map(|a| self.draft.binary(Binary::Mul, [a, a], column));
        let sum = self.draft.binary(Binary::Add, squares, column);
        Ok(self.draft.unary(Unary::Sqrt, sum, column))
    }
}
