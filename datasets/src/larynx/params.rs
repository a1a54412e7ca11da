//! Parameters of the larynx.

use super::Task;
use crate::bones::CELL_SCALES;
use crate::{ParamError, Params, Range};

/// Largest resolution.
pub(super) const MOST_RESOLUTION: usize = 3;

/// The larynx.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LarynxParams {
    /// Task in the first second.
    pub task: Task,
    /// Resolution, 0 to 3.
    pub resolution: usize,
    /// Factor of the excitations of the task [-], 0 to 4.
    pub effort: f64,
    /// Edges of the surfaces of cartilages over the default ones [-], [`CELL_SCALES`].
    pub cell: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for LarynxParams {
    fn default() -> Self {
        Self { task: Task::Adduct, resolution: 0, effort: 1.0, cell: 1.0, gravity: 0.0 }
    }
}

impl LarynxParams {
    /// Reads the parameters of [`BUILTIN`](super::BUILTIN).
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let [least, most] = CELL_SCALES;
        let larynx = Self {
            task: params.choice("task", default.task, &Task::NAMED)?,
            resolution: params.usize("resolution", default.resolution, [0, MOST_RESOLUTION])?,
            effort: params.f64("effort", default.effort, Range::Closed(0.0, 4.0))?,
            cell: params.f64("cell", default.cell, Range::Closed(least, most))?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(larynx)
    }
}
