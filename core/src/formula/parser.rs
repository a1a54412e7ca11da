//! Parser of formulas: expressions with the usual precedence, several outputs parted by `;`. Conditions have comparisons
//! over sums, `and` (`&&`) over comparisons, and `or` (`||`) over these.

use super::draft::Draft;
use super::lexer::{Spot, Word, words};
use super::ops::{Binary, Op, Unary};
use super::{FormulaError, FormulaFault};

/// Longest text \[bytes\].
const LONGEST: usize = 10_000;
/// Most nested expressions: the parser calls itself for each.
const DEEPEST: usize = 100;

/// Treatment of names that are not defined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown<'a> {
    Refused,
    /// They are inputs; these names are even where a constant has them.
    Inputs {
        hiding: &'a [&'a str],
    },
}

/// Constants, and their names.
const CONSTANTS: [(&[&str], f64); 3] = [
    (&["pi", "PI", "π"], std::f64::consts::PI),
    (&["e", "E"], std::f64::consts::E),
    (&["tau", "TAU", "τ"], std::f64::consts::TAU),
];

/// Contents of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grammar {
    Numbers,
    Condition,
}

struct Parser<'a> {
    words: &'a [Spot],
    at: usize,
    depth: usize,
    draft: Draft,
    unknown: Unknown<'a>,
    grammar: Grammar,
}

/// Parses a text over inputs of these names.
pub(super) fn parse(
    text: &str,
    inputs: &[&str],
    unknown: Unknown<'_>,
) -> Result<Draft, FormulaError> {
    let words = limited_words(text)?;
    let mut parser = Parser::new(&words, inputs, unknown, Grammar::Numbers);
    parser.statements()?;
    Ok(parser.draft)
}

/// Parses a condition over inputs of these names: its one output is 1 where it is met.
pub(super) fn parse_condition(text: &str, inputs: &[&str]) -> Result<Draft, FormulaError> {
    let words = limited_words(text)?;
    let mut parser = Parser::new(&words, inputs, Unknown::Refused, Grammar::Condition);
    let value = parser.disjunction()?;
    let spot = parser.peek();
    if spot.word != Word::End {
        return Parser::unexpected(
            spot,
            "an operator, a comparison (<, <=, >, >=), 'and', 'or' or the end",
        );
    }
    parser.draft.outputs.push(("0".to_owned(), value));
    parser.check_truths(value)?;
    Ok(parser.draft)
}

fn limited_words(text: &str) -> Result<Vec<Spot>, FormulaError> {
    if text.len() > LONGEST { Err(too_large(1)) } else { words(text) }
}

fn too_large(column: usize) -> FormulaError {
    FormulaError { column, fault: FormulaFault::Size { longest: LONGEST, deepest: DEEPEST } }
}

impl<'a> Parser<'a> {
    fn new(words: &'a [Spot], inputs: &[&str], unknown: Unknown<'a>, grammar: Grammar) -> Self {
        let mut draft = Draft::default();
        for &input in inputs {
            draft.input(input, 1);
        }
        Self { words, at: 0, depth: 0, draft, unknown, grammar }
    }

    fn peek(&self) -> &Spot {
        &self.words[self.at.min(self.words.len() - 1)]
    }

    fn next(&mut self) -> Spot {
        let spot = self.peek().clone();
        self.at += 1;
        spot
    }

    fn takes(&mut self, sign: &'static str) -> bool {
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
            let more = self.takes(";");
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
        if self.words.get(self.at + 1).is_none_or(|spot| spot.word != Word::Sign("=")) {
            return Ok(None);
        }
        if self.draft.find(&name).is_some() || constant(&name).is_some() {
            let fault = FormulaFault::Defined(name);
            return Err(FormulaError { column: self.peek().column, fault });
        }
        self.at += 2;
        Ok(Some(name))
    }

    fn disjunction(&mut self) -> Result<u32, FormulaError> {
        let mut left = self.conjunction()?;
        while matches!(&self.peek().word, Word::Sign("||")) || self.is_named("or") {
            let column = self.next().column;
            let right = self.conjunction()?;
            left = self.draft.binary(Binary::Or, [left, right], column);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<u32, FormulaError> {
        let mut left = self.comparison()?;
        while matches!(&self.peek().word, Word::Sign("&&")) || self.is_named("and") {
            let column = self.next().column;
            let right = self.comparison()?;
            left = self.draft.binary(Binary::And, [left, right], column);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<u32, FormulaError> {
        let mut left = self.sum()?;
        while let Word::Sign(sign @ ("<" | "<=" | ">" | ">=")) = self.peek().word {
            let column = self.next().column;
            let right = self.sum()?;
            let op = if sign.len() == 1 { Binary::Less } else { Binary::LessOrEqual };
            let pair = if sign.starts_with('<') { [left, right] } else { [right, left] };
            left = self.draft.binary(op, pair, column);
        }
        Ok(left)
    }

    fn is_named(&self, name: &str) -> bool {
        matches!(&self.peek().word, Word::Name(word) if word == name)
    }

    /// Comparisons compare numbers, `and` and `or` join comparisons, and one of these comes last.
    fn check_truths(&self, output: u32) -> Result<(), FormulaError> {
        let is_truth = |register: u32| self.draft.ops[register as usize].is_truth();
        for (op, &column) in self.draft.ops.iter().zip(&self.draft.columns) {
            let joins = matches!(op, Op::Binary(Binary::And | Binary::Or, ..));
            if op.operands().any(|register| is_truth(register) != joins) {
                let fault = match joins {
                    true => FormulaFault::NoComparison,
                    false => FormulaFault::Truth,
                };
                return Err(FormulaError { column: column as usize, fault });
            }
        }
        match is_truth(output) {
            true => Ok(()),
            false => Err(FormulaError { column: 1, fault: FormulaFault::NoComparison }),
        }
    }

    fn sum(&mut self) -> Result<u32, FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_large(self.peek().column));
        }
        let mut left = self.product()?;
        while let Word::Sign(sign @ ("+" | "-")) = self.peek().word {
            let column = self.next().column;
            let right = self.product()?;
            let op = if sign == "+" { Binary::Add } else { Binary::Sub };
            left = self.draft.binary(op, [left, right], column);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<u32, FormulaError> {
        let mut left = self.signed()?;
        while let Word::Sign(sign @ ("*" | "/")) = self.peek().word {
            let column = self.next().column;
            let right = self.signed()?;
            let op = if sign == "*" { Binary::Mul } else { Binary::Div };
            left = self.draft.binary(op, [left, right], column);
        }
        Ok(left)
    }

    /// Signs stand outside of powers: -x^2 is -(x^2).
    fn signed(&mut self) -> Result<u32, FormulaError> {
        let (mut negative, column) = (false, self.peek().column);
        while let Word::Sign(sign @ ("+" | "-")) = self.peek().word {
            self.at += 1;
            negative ^= sign == "-";
        }
        let value = self.power()?;
        Ok(if negative { self.draft.unary(Unary::Neg, value, column) } else { value })
    }

    fn power(&mut self) -> Result<u32, FormulaError> {
        let base = self.atom()?;
        if self.peek().word != Word::Sign("^") {
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
            Word::Sign("(") => {
                let value = match self.grammar {
                    Grammar::Numbers => self.sum()?,
                    Grammar::Condition => self.disjunction()?,
                };
                self.close()?;
                Ok(value)
            }
            Word::Name(name) if self.takes("(") => self.call(name, spot.column),
            Word::Name(name) => self.name(name, spot.column),
            _ => Self::unexpected(&spot, "a number, a name or '('"),
        }
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        let spot = self.next();
        if spot.word == Word::Sign(")") { Ok(()) } else { Self::unexpected(&spot, "')'") }
    }

    fn name(&mut self, name: &str, column: usize) -> Result<u32, FormulaError> {
        if let Some(value) = self.draft.find(name) {
            return Ok(value);
        }
        let hides = |hiding: &[&str]| hiding.contains(&name);
        match (self.unknown, constant(name)) {
            (Unknown::Inputs { hiding }, Some(_)) if hides(hiding) => {
                return Ok(self.draft.input(name, column));
            }
            (_, Some(value)) => return Ok(self.draft.constant(value, column)),
            (Unknown::Inputs { .. }, None) => return Ok(self.draft.input(name, column)),
            (Unknown::Refused, None) => {}
        }
        let outputs = self.draft.outputs.iter().map(|(name, _)| name.as_str());
        let known: Vec<&str> =
            self.draft.inputs.iter().map(String::as_str).chain(outputs).collect();
        let fault = FormulaFault::Name { name: name.to_owned(), known: known.join(", ") };
        Err(FormulaError { column, fault })
    }

    fn call(&mut self, name: &str, column: usize) -> Result<u32, FormulaError> {
        let mut arguments = vec![self.sum()?];
        while self.takes(",") {
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
        if name == "fract" {
            expects(1)?;
            let whole = self.draft.unary(Unary::Trunc, arguments[0], column);
            return Ok(self.draft.binary(Binary::Sub, [arguments[0], whole], column));
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

fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, value)| *value)
}
