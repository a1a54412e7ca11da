//! Coordinates of joints under a transformation, for components that count by them.

use crate::component::TransformRefusal;
use crate::kinds::{Joint, JointCoordinate};
use crate::property::Transformation;

impl Transformation<'_> {
    /// Factor of a coordinate of a joint [-]; 1 where the joint is not there.
    pub(super) fn coordinate_factor(&self, of: &JointCoordinate) -> Result<f64, TransformRefusal> {
        let joint = of.joint.typed::<Joint>().and_then(|joint| self.model.get(joint));
        let (Some(joint), Some(k)) = (joint, of.index(self.model)) else { return Ok(1.0) };
        let seen = Transformation { selected: self.moves(of.joint), id: of.joint, ..*self };
        Ok(joint.coordinate_factors(&seen)?.get(k).copied().unwrap_or(1.0))
    }
}
