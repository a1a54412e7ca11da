//! The components of a model, as one of them sees the others.

use std::any::Any;
use std::sync::Arc;

use crate::Mat3;
use crate::component::{Address, ComponentId, ComponentType, Handle, TransformRefusal};
use crate::constraint::JointFunctions;
use crate::property::{LinkedText, PropertyError, PropertyInfo, Value};

/// Sorts of code that users register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// Forces on points.
    Force,
    /// Constraints of points and bodies.
    Constraint,
    /// Joints.
    Joint,
    /// Controllers.
    Controller,
}

impl CodeKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Force, Self::Constraint, Self::Joint, Self::Controller];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Constraint => "constraint",
            Self::Joint => "joint",
            Self::Controller => "controller",
        }
    }
}

/// Image of a joint of code under a map that scales or mirrors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointImage {
    /// Parameters that change, with their values after; others stay.
    pub parameters: Vec<(String, Value)>,
    /// Factor of each coordinate [-], negative where it counts the other way; 1 for those that are left out.
    pub factors: Vec<f64>,
}

/// The components of a model, as one of them sees the others.
pub trait Components {
    /// A component as a value of its type; `None` when it was deleted.
    fn component(&self, id: ComponentId) -> Option<&dyn Any>;

    /// Path of an address; of a deleted component, the one it had.
    fn path_of(&self, at: Address) -> String;

    /// Children of a component, by rising number.
    fn children_of(&self, id: ComponentId) -> Vec<ComponentId>;

    /// Number of components of all kinds.
    fn count(&self) -> usize;

    /// Description of a property of a component or a part by its name.
    ///
    /// # Errors
    /// [`PropertyError`] where there is none.
    fn property_info(
        &self,
        host: Address,
        name: &str,
    ) -> Result<&'static PropertyInfo, PropertyError>;

    /// Fault of a name that no code is registered under.
    fn code_fault(&self, what: CodeKind, name: &str) -> Option<String>;

    /// Functions of a joint of one's own, those of code by its parameters; `None` where there are none.
    fn joint_functions(&self, joint: ComponentId) -> Option<Arc<JointFunctions>>;

    /// Image of the joint of registered code under a map, given in the axes of its frame D before and after.
    ///
    /// # Errors
    /// [`TransformRefusal`]: code that only moves and turns, or that refuses the map.
    fn joint_image(
        &self,
        joint: ComponentId,
        code: &str,
        linear: &Mat3,
    ) -> Result<JointImage, TransformRefusal>;

    /// Fault of a text that is no formula of properties that are there.
    fn formula_fault(&self, text: &str) -> Option<String>;
}

impl<'m> dyn Components + 'm {
    /// The component of a handle; `None` when it was deleted.
    pub fn get<T: ComponentType>(&self, handle: Handle<T>) -> Option<&T> {
        self.component(handle.id())?.downcast_ref()
    }

    /// True if a component is there.
    pub fn contains(&self, id: impl Into<ComponentId>) -> bool {
        self.component(id.into()).is_some()
    }

    /// A text with the paths that its targets have now.
    pub fn text(&self, linked: &LinkedText) -> String {
        linked.text(|at| self.path_of(at))
    }

    /// Path of a component or a part of a tissue.
    pub fn path(&self, at: impl Into<Address>) -> String {
        self.path_of(at.into())
    }
}
