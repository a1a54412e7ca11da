//! Formulas over numbers with names, which whoever evaluates them gives: coordinates, fields of a mesh.

use exmex::{Express, FlatEx, FloatOpsFactory};

use super::{DEEPEST, FormulaError, LONGEST, Number, OPERAND, depth, without_paths};

/// A formula over named numbers, ready to be computed. A name that is no identifier stands in braces: `{set:age}`.
#[derive(Clone, Debug)]
pub struct NamedFormula {
    tree: FlatEx<f64, FloatOpsFactory<f64>, Number>,
    names: Vec<String>,
}

impl NamedFormula {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`FormulaError::Text`] for a text that cannot be read.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let wrong = |why: String| FormulaError::Text { formula: text.to_owned(), why };
        if text.len() > LONGEST || depth(text) > DEEPEST {
            return Err(wrong(format!("it is longer than {LONGEST} bytes, or nested too deep")));
        }
        let (plain, braced) = without_paths(text).map_err(wrong)?;
        let tree = FlatEx::parse(&plain).map_err(|error| wrong(error.to_string()))?;
        let name = |variable: &String| {
            let number = variable.strip_prefix(OPERAND).and_then(|k| k.parse::<usize>().ok());
            number.and_then(|k| braced.get(k)).unwrap_or(variable).clone()
        };
        let names = tree.var_names().iter().map(name).collect();
        Ok(Self { tree, names })
    }

    /// Names of its numbers, in the order in which [`Self::eval`] takes them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its value at these numbers; not a number where it has none.
    pub fn eval(&self, values: &[f64]) -> f64 {
        self.tree.eval(values).unwrap_or(f64::NAN)
    }
}
