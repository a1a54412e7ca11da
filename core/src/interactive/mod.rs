//! Interactive Dynamics (Witkin1990): models that are built while they move. Layers, each over the one before:
//! numbers with derivatives (`scalar.rs`), formulas (`formula/`), graphs of function blocks (`graph/`).

pub mod formula;
mod graph;
mod scalar;

pub use formula::{Dependence, Formula, FormulaError, FormulaFault};
pub use graph::{BlockFunction, BlockId, Code, Function, Graph, GraphError, Port, Role, Workspace};
pub use scalar::{Dual, Scalar, Taylor};
