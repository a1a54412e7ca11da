//! Linear complementarity problems, dense, with bounds: the form of unilateral constraints,
//! friction and quadratic programs. Four algorithms behind [`LcpSolver`]; contacts with friction
//! over one matrix ([`ContactSolver`]); convex quadratic programs ([`QuadraticSolver`]). Which
//! algorithm when: docs/theory/lcp.md. Not here: how the matrix comes about.

mod basis;
mod contact;
mod dantzig;
mod factor;
mod keller;
mod lemke;
mod murty;
mod outcome;
mod principal;
mod problem;
mod quadratic;
mod scaled;
mod solver;
mod standard;
mod symmetric;
mod tableau;
mod vector;

pub use contact::{Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel};
pub use dantzig::Dantzig;
pub use keller::Keller;
pub use lemke::Lemke;
pub use murty::Murty;
pub use outcome::{Outcome, Refusal};
pub use problem::{ActiveSetStatus, Lcp};
pub use quadratic::{QuadraticProgram, QuadraticSolver};
pub use solver::LcpSolver;
