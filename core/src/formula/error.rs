//! Errors of formulas, with their columns.

/// Names of the functions.
const FUNCTIONS: &str = "sqrt, cbrt, exp, ln, log (natural), log2, log10, sin, cos, tan, asin, acos, atan, atan2, \
                         sinh, cosh, tanh, asinh, acosh, atanh, abs, signum, floor, ceil, round, trunc, fract, \
                         hypot, min and max";

/// A formula that cannot be read, or has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct FormulaError {
    /// Column of the text, from 1 on.
    pub column: usize,
    /// The fault.
    pub fault: FormulaFault,
}

/// Faults of formulas.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormulaFault {
    /// A letter that no formula has.
    #[error("'{0}' belongs to no formula; remove it")]
    Letter(char),
    /// A path of a property without its end.
    #[error("a brace is not closed; write '}}' behind the path")]
    Brace,
    /// A comparison in the place of a number.
    #[error(
        "a comparison stands where a number is expected; comparisons are joined by 'and': 0 < z and z < 1"
    )]
    Truth,
    /// A condition that compares nothing.
    #[error("a comparison such as z < 0.05 is missing")]
    NoComparison,
    /// Several outputs, or one with a name, where one without is expected.
    #[error("a formula of one number is expected, without ';' and '='")]
    Outputs,
    /// A name in a formula over properties.
    #[error("'{0}' is no property in braces, as in {{/models/m:energy}}, nor the time t")]
    Variable(String),
    /// A number that cannot be read.
    #[error("'{0}' is no number")]
    Number(String),
    /// A word or sign in the place of another one.
    #[error("found {found} where {expected} is expected")]
    Unexpected {
        /// The word or sign that is there.
        found: String,
        /// A description of those that could be.
        expected: &'static str,
    },
    /// A name that is neither an input nor an earlier output.
    #[error("'{name}' is no input (there are: {known}); name an input, or define it before")]
    Name {
        /// The name.
        name: String,
        /// Inputs and outputs that are known.
        known: String,
    },
    /// A function that there is not.
    #[error("there is no function '{0}'; there are {functions}", functions = FUNCTIONS)]
    Function(String),
    /// A function with another number of arguments.
    #[error("{function} takes {expected} argument(s), got {found}")]
    Arguments {
        /// The function.
        function: String,
        /// Number of arguments that it takes.
        expected: usize,
        /// Number of arguments in the text.
        found: usize,
    },
    /// A name that is defined twice, or as an input and an output.
    #[error("'{0}' is defined already; use another name")]
    Defined(String),
    /// A text beyond the limits.
    #[error("the formula is longer than {longest} bytes or nested deeper than {deepest}; split it")]
    Size {
        /// Longest text \[bytes\].
        longest: usize,
        /// Most nested expressions.
        deepest: usize,
    },
    /// An operation without a value at the inputs.
    #[error("the value is {value} here; keep the inputs where the formula has a value")]
    Value {
        /// The value, infinite or no number.
        value: f64,
    },
}
