//! Formulas over properties: `{PATH:NAME}` is the number of a property, `{PATH:NAME.x}` or
//! `{PATH:NAME[2]}` one of several, `t` the time [s].

use super::{Formula, FormulaError, FormulaFault};
use crate::property::{PropertyError, PropertyRef, PropertyType, Value};

/// Errors of a formula over properties.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropertyFormulaError {
    /// A text that cannot be read.
    #[error("'{formula}' is no formula: {fault}")]
    Text {
        /// The text.
        formula: String,
        /// Its fault.
        fault: FormulaError,
    },
    /// A property that is not there, or is no number.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// Finds the property at a path.
pub type FindProperty<'a> = &'a dyn Fn(&str) -> Result<PropertyRef, PropertyError>;

/// One number of a property.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The property.
    pub property: PropertyRef,
    /// Index among its numbers.
    pub part: usize,
}

/// A formula over properties, ready to be computed.
#[derive(Clone, Debug)]
pub struct PropertyFormula {
    formula: Formula,
    /// Operand of each input of the formula; `None` for the time.
    inputs: Vec<Option<usize>>,
    operands: Vec<Operand>,
    values: Vec<f64>,
    work: Vec<f64>,
}

impl PropertyFormula {
    /// Reads a formula over the properties that `find` finds.
    ///
    /// # Errors
    /// A property that is not there, a formula that cannot be read.
    pub fn parse(text: &str, find: FindProperty<'_>) -> Result<Self, PropertyFormulaError> {
        let wrong = |fault| PropertyFormulaError::Text { formula: text.to_owned(), fault };
        let formula = Formula::parse_number(text, &[]).map_err(wrong)?;
        let (mut inputs, mut operands) = (Vec::new(), Vec::new());
        for (k, name) in formula.inputs().iter().enumerate() {
            match braced(name) {
                Some(path) => {
                    inputs.push(Some(operands.len()));
                    operands.push(operand(find, path)?);
                }
                None if name == "t" => inputs.push(None),
                None => {
                    let (column, fault) =
                        (formula.input_column(k), FormulaFault::Variable(name.clone()));
                    return Err(wrong(FormulaError { column, fault }));
                }
            }
        }
        let values = vec![0.0; inputs.len()];
        Ok(Self { formula, inputs, operands, values, work: Vec::new() })
    }

    /// Operands that it reads.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Its value at `time` [s], with its operands as `read` has them; not a number where it has none.
    ///
    /// # Errors
    /// That of `read`.
    pub fn eval_with<E>(
        &mut self,
        time: f64,
        mut read: impl FnMut(&PropertyRef) -> Result<Value, E>,
    ) -> Result<f64, E> {
        for (value, input) in self.values.iter_mut().zip(&self.inputs) {
            *value = match input.map(|k| &self.operands[k]) {
                Some(Operand { property, part }) => {
                    read(property)?.numbers().nth(*part).unwrap_or(f64::NAN)
                }
                None => time,
            };
        }
        Ok(self.value())
    }

    /// Its value at `time` [s], from the values of its operands; not a number where it has none.
    pub fn eval(&mut self, time: f64, operand: impl Fn(usize) -> f64) -> f64 {
        for (value, input) in self.values.iter_mut().zip(&self.inputs) {
            *value = input.map_or(time, &operand);
        }
        self.value()
    }

    /// Its value with the inputs as they are.
    fn value(&mut self) -> f64 {
        let mut value = [f64::NAN];
        self.formula.eval(&self.values, &mut value, &mut self.work);
        value[0]
    }
}

/// Text between the braces of a name `{..}`.
pub(crate) fn braced(name: &str) -> Option<&str> {
    Some(name.strip_prefix('{')?.strip_suffix('}')?.trim())
}

/// One number of a property by its path and the name or number of the part.
fn operand(find: FindProperty<'_>, name: &str) -> Result<Operand, PropertyError> {
    let whole = find(name);
    let (property, part) = match &whole {
        Ok(property) => (*property, None),
        Err(error) => match split_part(name) {
            Some((path, part)) => match find(path) {
                Ok(property) => (property, Some(part)),
                Err(_) => return Err(error.clone()),
            },
            None => return Err(error.clone()),
        },
    };
    let ty = property.info().value_type;
    let names = part_names(ty);
    let count = ty.numeric_size().unwrap_or(0);
    let at = match part {
        None if count == 1 => Some(0),
        None => None,
        Some(part) => names
            .iter()
            .position(|known| *known == part)
            .or_else(|| part.parse().ok().filter(|&at: &usize| at < count)),
    };
    at.map(|part| Operand { property, part }).ok_or_else(|| {
        let expected = match count {
            0 => "property of a fixed count of numbers".to_owned(),
            _ => format!("part of {count} numbers: .{}", names.join(" .")),
        };
        let given = part.map_or_else(|| "all of it".to_owned(), |part| format!("'{part}'"));
        PropertyError::Type { property: name.to_owned(), expected, given }
    })
}

fn split_part(name: &str) -> Option<(&str, &str)> {
    if let Some(inner) = name.strip_suffix(']') {
        return inner.rsplit_once('[');
    }
    name.rsplit_once('.')
}

/// Names of the numbers of a value; empty where it is one number.
pub fn part_names(ty: PropertyType) -> &'static [&'static str] {
    match ty {
        PropertyType::Vector => &["x", "y", "z"],
        PropertyType::Colour => &["r", "g", "b"],
        PropertyType::Pose => &["x", "y", "z", "qi", "qj", "qk", "qw"],
        PropertyType::Matrix => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
        _ => &[],
    }
}
