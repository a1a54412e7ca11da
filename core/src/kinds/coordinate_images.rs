//! Coordinates of joints under a transformation, for components that count by them.

use crate::component::TransformRefusal;
use crate::kinds::{CustomJoint, Joint, JointCoordinate};
use crate::property::Transformation;

impl Transformation<'_> {
    /// Factor of a coordinate of a joint [-]; 1 where the joint is not there.
    pub(super) fn coordinate_factor(&self, of: &JointCoordinate) -> Result<f64, TransformRefusal> {
        let Some(k) = of.index(self.model) else { return Ok(1.0) };
        let seen = Transformation { selected: self.moves(of.joint), id: of.joint, ..*self };
        let of_kind = of.joint.typed::<Joint>().and_then(|joint| self.model.get(joint));
        let custom = of.joint.typed::<CustomJoint>().and_then(|joint| self.model.get(joint));
        let factors = match (of_kind, custom) {
            (Some(joint), _) => joint.coordinate_factors(&seen)?,
            (_, Some(joint)) => joint.code_image(&seen)?.unwrap_or_default().factors,
            _ => Vec::new(),
        };
        Ok(factors.get(k).copied().unwrap_or(1.0))
    }
}
