//! Twins of wgsl/multigrid.
