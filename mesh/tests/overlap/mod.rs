//! Overlap of two surfaces: against closed forms, against an independent clipper, in placements where
//! everything touches, and on surfaces without any order.

mod analytic;
mod clipper;
mod degenerate;
mod random;
mod solids;

/// Asserts that two numbers agree within a tolerance relative to a size.
#[track_caller]
fn assert_near(found: f64, expected: f64, size: f64) {
    let tolerance = 1e-9 * size;
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected} (of {size})");
}
