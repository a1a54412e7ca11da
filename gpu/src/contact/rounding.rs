//! Room for rounding of the kernels, in units of the largest coordinate.

/// Rounding of everything that the kernels compute, over the largest coordinate: some forty roundings of 2^-24 (three
/// products and two sums of lengths up to 3.5, twice; places and ways; the length of a normal) are below 2^-18. Twice that.
pub(super) const SLACK: f64 = 1.0 / (1 << 17) as f64;

/// Rounding of positions in f64, over the largest, with room.
pub(super) const ROUNDING: f64 = 1.0 / (1_u64 << 48) as f64;

/// Boxes whose border is wider than this share of the surfaces part nothing.
pub(super) const WIDEST: f64 = 0.25;
