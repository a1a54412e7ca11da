//! Common part of the benches: scenes of stated size, models ready to be stepped, and the time a
//! bench may take. `docs/theory/benchmarks.md` has the figures; peers/ times other programs on the
//! same beams.
#![forbid(unsafe_code)]

mod harness;
mod limbs;
mod prepared;
mod scenes;

pub use harness::{group, label, quick};
pub use limbs::limbs;
pub use prepared::{StepSystem, Stepper, bend, product_bytes};
pub use scenes::{KUHN_SIZES, Kind, Scene, Size, all_scenes, grid_scenes, kuhn_scene, scene};

/// Size of every step [s].
pub const STEP: f64 = 0.01;
