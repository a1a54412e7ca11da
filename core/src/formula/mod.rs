//! Formulas entered as text: `x = x0 + r*cos(a); y = y0 + r*sin(a)` is parsed once into a tape, a list of
//! operations in the order in which they are computed. The tape is computed over any [`Scalar`], and
//! backwards for its Jacobian (GriewankWalther2008, section 3.2). Over it stand conditions on points (`condition.rs`)
//! and formulas over properties of a model (`property.rs`).

mod condition;
mod derivative;
mod draft;
mod error;
mod lexer;
mod ops;
mod parser;
mod property;
mod scalar;
mod second_order;
mod tape;

pub use condition::{Condition, ConditionError};
pub use error::{FormulaError, FormulaFault};
pub use ops::Dependence;
pub(crate) use property::braced;
pub use property::{FindProperty, Operand, PropertyFormula, PropertyFormulaError, part_names};
pub use scalar::{Dual, Scalar, Taylor};
pub use second_order::SecondOrder;
pub use tape::Formula;
