//! Solutions of random mixed problems, each against the conditions that it is to meet and against a dense solver that
//! shares nothing with the solvers here.

mod claims;
mod random;
mod reference;
