//! Models that are set and edited while they run.

mod callbacks;
mod edits;
mod fixture;
mod muscles;
mod numbers;
