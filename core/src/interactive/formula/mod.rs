//! Formulas entered as text: `x = x0 + r*cos(a); y = y0 + r*sin(a)` is parsed once into a tape, a list of
//! operations in the order in which they are computed. The tape is computed over any [`Scalar`](super::Scalar), and
//! backwards for its Jacobian (GriewankWalther2008, section 3.2). The formulas of tables (exmex, in `run-files/`)
//! have symbolic derivatives one variable at a time, no several outputs and no columns in errors, which is why this
//! room has its own parser.

mod derivative;
mod draft;
mod error;
mod lexer;
mod ops;
mod parser;
mod tape;

pub use error::{FormulaError, FormulaFault};
pub use ops::Dependence;
pub use tape::Formula;
