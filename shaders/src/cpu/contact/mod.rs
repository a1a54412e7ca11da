//! Twins of wgsl/contact.
pub mod count_candidates;
pub mod feature_boxes;
pub mod list_candidates;
pub mod near_points;
pub mod place_candidates;
pub mod refit_boxes;
