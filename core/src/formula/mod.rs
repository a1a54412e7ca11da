//! Formulas over properties: `{PATH:NAME}` is the number of a property, `{PATH:NAME.x}` or
//! `{PATH:NAME[2]}` one of several, `t` the time [s]. Functions and operators are those of exmex.

mod named;
mod number;

use exmex::{Express, FlatEx, FloatOpsFactory};

use crate::property::{PropertyError, PropertyRef, PropertyType};

pub use named::NamedFormula;
pub use number::Number;

/// Longest formula [bytes], and most open brackets in it: the parser calls itself for each.
pub const LONGEST: usize = 10_000;
/// Most open brackets in a formula.
pub const DEEPEST: usize = 100;

/// Errors of a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormulaError {
    /// A text that cannot be read.
    #[error("'{formula}' is no formula: {why}")]
    Text {
        /// The text.
        formula: String,
        /// Its fault.
        why: String,
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

/// A formula, ready to be computed.
#[derive(Clone, Debug)]
pub struct Formula {
    tree: FlatEx<f64, FloatOpsFactory<f64>, Number>,
    /// Operand of each variable of the tree; `None` for the time.
    variables: Vec<Option<usize>>,
    operands: Vec<Operand>,
    values: Vec<f64>,
}

impl Formula {
    /// Reads a formula over the properties that `find` finds.
    ///
    /// # Errors
    /// A property that is not there, a formula that cannot be read.
    pub fn parse(text: &str, find: FindProperty<'_>) -> Result<Self, FormulaError> {
        let wrong = |why: String| FormulaError::Text { formula: text.to_owned(), why };
        if text.len() > LONGEST || depth(text) > DEEPEST {
            return Err(wrong(format!("it is longer than {LONGEST} bytes, or nested too deep")));
        }
        let (plain, names) = without_paths(text).map_err(wrong)?;
        let operands = names.iter().map(|name| operand(find, name)).collect::<Result<_, _>>()?;
        let tree = FlatEx::parse(&plain).map_err(|error| wrong(error.to_string()))?;
        let mut variables = Vec::new();
        for name in tree.var_names() {
            let number = name.strip_prefix(OPERAND).and_then(|k| k.parse::<usize>().ok());
            match (number.filter(|&k| k < names.len()), name.as_str()) {
                (Some(k), _) => variables.push(Some(k)),
                (None, "t") => variables.push(None),
                _ => {
                    return Err(wrong(format!(
                        "'{name}' is no property in braces, as in {{/models/m:energy}}, nor the time t"
                    )));
                }
            }
        }
        let values = vec![0.0; variables.len()];
        Ok(Self { tree, variables, operands, values })
    }

    /// Operands that it reads.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Its value at `time` [s], from the values of its operands; not a number where it has none.
    pub fn eval(&mut self, time: f64, operand: impl Fn(usize) -> f64) -> f64 {
        for (value, variable) in self.values.iter_mut().zip(&self.variables) {
            *value = variable.map_or(time, &operand);
        }
        self.tree.eval(&self.values).unwrap_or(f64::NAN)
    }
}

/// Prefix of the names of the variables of properties.
const OPERAND: &str = "operand_";

/// Most brackets that are open at once.
pub fn depth(text: &str) -> usize {
    let open = text.chars().scan(0_usize, |open, c| {
        *open = match c {
            '(' => *open + 1,
            ')' => open.saturating_sub(1),
            _ => *open,
        };
        Some(*open)
    });
    open.max().unwrap_or(0)
}

/// The text with a variable for each path in braces, and the paths.
fn without_paths(text: &str) -> Result<(String, Vec<String>), String> {
    let (mut plain, mut names, mut rest) = (String::new(), Vec::new(), text);
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else {
            return Err("a brace is not closed".to_owned());
        };
        plain.push_str(&rest[..open]);
        plain.push_str(&format!(" {OPERAND}{} ", names.len()));
        names.push(rest[open + 1..open + length].trim().to_owned());
        rest = &rest[open + length + 1..];
    }
    plain.push_str(rest);
    Ok((plain, names))
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
