//! Complementarity problems: every algorithm on published, degenerate, redundant and random ones.

mod problems;
mod random;
mod special;
