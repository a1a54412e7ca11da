//! A model as one of its components sees it.

use std::any::Any;
use std::sync::Arc;

use super::{Model, for_kind};
use crate::Mat3;
use crate::component::{Address, ComponentId, TransformRefusal};
use crate::constraint::JointFunctions;
use crate::formula::PropertyFormula;
use crate::property::{CodeKind, Components, JointImage, PropertyError, PropertyInfo};

impl Components for Model {
    fn component(&self, id: ComponentId) -> Option<&dyn Any> {
        for_kind!(id.kind(), T => Some(self.get(id.typed::<T>()?)? as &dyn Any))
    }

    fn path_of(&self, at: Address) -> String {
        self.path(at)
    }

    fn children_of(&self, id: ComponentId) -> Vec<ComponentId> {
        self.children(id).collect()
    }

    fn count(&self) -> usize {
        self.component_count()
    }

    fn property_info(
        &self,
        host: Address,
        name: &str,
    ) -> Result<&'static PropertyInfo, PropertyError> {
        Ok(self.property_of(host, name)?.info())
    }

    fn code_fault(&self, what: CodeKind, name: &str) -> Option<String> {
        self.code.fault(what, name).map(|fault| fault.to_string())
    }

    fn joint_functions(&self, joint: ComponentId) -> Option<Arc<JointFunctions>> {
        self.functions_of(joint.typed()?)?.ok()
    }

    fn joint_image(
        &self,
        joint: ComponentId,
        code: &str,
        linear: &Mat3,
    ) -> Result<JointImage, TransformRefusal> {
        self.code.joint_image(code, &self.code_parameters(joint), linear)
    }

    fn formula_fault(&self, text: &str) -> Option<String> {
        PropertyFormula::parse(text, &|path| self.property(path))
            .err()
            .map(|error| error.to_string())
    }
}
