//! Models that are set and edited while they run.

mod bodies;
mod callbacks;
mod edits;
mod fixture;
mod motion;
mod muscles;
mod numbers;
