//! A transformation as one component sees it: the map, the choices, and the others as they were before. What it makes of
//! points, frames and lines stands in `kinds/images.rs`.

use std::collections::BTreeSet;

use super::{Components, JointImage};
use crate::Mat3;
use crate::component::{ComponentId, SpatialMap, TransformOptions, TransformRefusal};

/// A map that is applied to components of a model, which is as it was before.
#[derive(Clone, Copy)]
pub struct Transformation<'a> {
    /// The map.
    pub map: &'a SpatialMap,
    /// Choices.
    pub options: TransformOptions,
    /// The model before.
    pub(crate) model: &'a dyn Components,
    /// All components that the map is applied to.
    pub(crate) moved: &'a BTreeSet<ComponentId>,
    /// The component itself.
    pub(crate) id: ComponentId,
    /// False for one that only goes along with the body or the tissue that it is on.
    pub(crate) selected: bool,
}

impl Transformation<'_> {
    /// True if the map is applied to a component.
    pub(crate) fn moves(&self, id: impl Into<ComponentId>) -> bool {
        self.moved.contains(&id.into())
    }

    /// Image of the joint, which is of registered code, under a map in the axes of its frame D.
    pub(crate) fn joint_image(
        &self,
        code: &str,
        linear: &Mat3,
    ) -> Result<JointImage, TransformRefusal> {
        self.model.joint_image(self.id, code, linear)
    }
}
