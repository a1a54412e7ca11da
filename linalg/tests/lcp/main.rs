//! Complementarity problems: every algorithm on published, degenerate, redundant and random ones.

mod contacts;
mod problems;
mod programs;
mod random;
mod special;
