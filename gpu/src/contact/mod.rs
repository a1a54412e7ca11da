//! Candidates for contact between surfaces of tissues, found on a device in f32, with room for rounding: the CPU looks
//! at them in f64, so that contacts are the same bits as without it (docs/theory/device.md).

mod finder;
mod morton;
mod points;
mod rounding;
mod search;
mod trees;

pub use finder::{DeviceFinder, Touching};
