//! Saddle-point systems against dense algebra.

mod degenerate;
mod helpers;
mod iterative;
mod regular;
