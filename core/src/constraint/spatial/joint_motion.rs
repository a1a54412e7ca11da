//! The motion of a joint with its coordinates: all that its functions are made of.

use std::sync::Arc;

use super::error::MotionError;
use super::motion_law::{MotionLaw, MotionVariable};
use super::transform::SpatialTransform;
use crate::constraint::JointFunctions;

/// The motion of a joint as data.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    /// Coordinates, six at most.
    pub variables: Vec<MotionVariable>,
    /// The pose of frame C in frame D.
    pub transform: SpatialTransform,
}

impl Default for JointMotion {
    fn default() -> Self {
        Self { variables: Vec::new(), transform: SpatialTransform::rest() }
    }
}

impl JointMotion {
    /// The functions of a joint of a name.
    ///
    /// # Errors
    /// [`MotionError`].
    pub fn functions(&self, name: &str) -> Result<JointFunctions, MotionError> {
        Ok(Arc::new(self.law()?).functions(name))
    }

    /// Its law.
    ///
    /// # Errors
    /// [`MotionError`].
    pub fn law(&self) -> Result<MotionLaw, MotionError> {
        let Self { variables, transform } = self;
        let axes = transform.turns.iter().chain(&transform.ways);
        for (k, axis) in axes.enumerate() {
            let known = axis.of.iter().all(|&of| of < variables.len());
            let fits = axis.function.of(&vec![0.0; axis.of.len()]).is_some();
            let moves = !axis.of.is_empty() || axis.function.is_constant();
            if !known || !fits || !moves {
                return Err(MotionError::Arguments { axis: k + 1, given: axis.of.len() });
            }
        }
        MotionLaw::new(transform, variables)
    }
}
