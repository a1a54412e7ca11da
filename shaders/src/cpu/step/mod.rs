//! Twins of wgsl/step.
