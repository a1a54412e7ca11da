//! Twins of wgsl/solve.
