//! Code of users by names: forces, constraints, joints and controllers that components name, with the properties that are declared
//! on them for parameters. A program registers the code; a file has the names.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::component::{
    ComponentId, Handle, Invalidates, Kind, ROOT, TransformRefusal, did_you_mean, similar,
};
use crate::constraint::{ConstraintLaw, JointFunctions};
use crate::force::ForceLaw;
use crate::kinds::{CustomConstrainer, CustomForce, CustomJoint, PropertyController};
use crate::model::Model;
use crate::property::{CodeKind, JointImage, Value};
use crate::{Mat3, Vec3};

/// Error of code of users.
pub type CodeFault = Box<dyn Error + Send + Sync>;

/// Errors of making code of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// Nothing is registered under the name.
    #[error("is '{name}', and no {what} of that name is registered{}: register it before the model is loaded", did_you_mean(.near))]
    Unregistered {
        /// Sort of code.
        what: &'static str,
        /// The name.
        name: String,
        /// Names that are spelled like it.
        near: Vec<String>,
    },
    /// A parameter that is not declared, or is of another type.
    #[error("needs the parameter '{name}', a {expected}: declare it on the component")]
    Parameter {
        /// Its name.
        name: String,
        /// Its type.
        expected: &'static str,
    },
    /// The code refuses its parameters.
    #[error("'{name}' is refused by its code: {why}")]
    Refused {
        /// Name of the code.
        name: String,
        /// Its words.
        why: String,
    },
}

/// Parameters of code: the properties that are declared on its component.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeParameters(Vec<(&'static str, Value)>);

impl CodeParameters {
    /// The value of a parameter, where there is one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All parameters, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// True if they are the parameters of the code of a component now.
    pub(crate) fn are_those_of(&self, model: &Model, id: ComponentId) -> bool {
        let mut declared = model.declared_values(id);
        self.0.iter().all(|(name, value)| declared.next() == Some((*name, value)))
            && declared.next().is_none()
    }

    /// A parameter of one number.
    ///
    /// # Errors
    /// [`CodeError::Parameter`].
    pub fn number(&self, name: &str) -> Result<f64, CodeError> {
        match self.get(name) {
            Some(Value::Real(x)) => Ok(*x),
            Some(Value::Int(x)) => Ok(*x as f64),
            _ => Err(CodeError::Parameter { name: name.to_owned(), expected: "number" }),
        }
    }

    /// A parameter that is a vector.
    ///
    /// # Errors
    /// [`CodeError::Parameter`].
    pub fn vector(&self, name: &str) -> Result<Vec3, CodeError> {
        match self.get(name) {
            Some(Value::Vector(it)) => Ok(*it),
            _ => Err(CodeError::Parameter { name: name.to_owned(), expected: "vector" }),
        }
    }
}

/// A controller of code: its output from its input.
pub trait ControlCode: Send {
    /// Output for the step of length `step` [s] that begins at `time` [s].
    ///
    /// # Errors
    /// Whatever ends the run.
    fn output(&mut self, input: f64, time: f64, step: f64) -> Result<f64, CodeFault>;

    /// Appends the numbers that its next outputs depend on; waypoints keep them.
    fn save(&self, numbers: &mut Vec<f64>) {
        let _ = numbers;
    }

    /// Takes back the numbers that [`Self::save`] gave; none for a new start.
    fn restore(&mut self, numbers: &[f64]) {
        let _ = numbers;
    }
}

type Make<T> = Arc<dyn Fn(&CodeParameters) -> Result<T, CodeFault> + Send + Sync>;
type Image = Arc<dyn Fn(&CodeParameters, &Mat3) -> Result<JointImage, CodeFault> + Send + Sync>;

/// Code by names, from which components are made that a file can have.
///
/// ```
/// use sinew::component::ComponentType;
/// use sinew::model::{CodeRegistry, CustomForce, Edit, Model, Particle};
/// use sinew::property::{Declaration, PropertyType};
///
/// let mut code = CodeRegistry::default();
/// code.add_force("wind", |parameters| {
///     let push = parameters.vector("push")?;
///     Ok(Box::new(move |_, forces: &mut [sinew::Vec3]| forces.iter_mut().for_each(|it| *it += push)))
/// });
/// let mut model = Model::new("kite");
/// model.set_code(code);
/// let kite = model.add(Particle::new(0.1, sinew::Vec3::z()));
/// let wind = model.add(CustomForce::registered("wind", vec![kite.into()]).named("gust"));
/// let push = Declaration::new("push", PropertyType::Vector).default_value(sinew::Vec3::x());
/// model.edit(Edit::declare(wind, push))?;
/// model.compile()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct CodeRegistry {
    forces: BTreeMap<String, Make<Box<ForceLaw>>>,
    constraints: BTreeMap<String, Make<Box<ConstraintLaw>>>,
    joints: BTreeMap<String, Make<JointFunctions>>,
    images: BTreeMap<String, Image>,
    controllers: BTreeMap<String, Make<Box<dyn ControlCode>>>,
}

impl CodeRegistry {
    /// Registers a law of forces under a name; one that has the name goes.
    pub fn add_force(
        &mut self,
        name: impl Into<String>,
        make: impl Fn(&CodeParameters) -> Result<Box<ForceLaw>, CodeFault> + Send + Sync + 'static,
    ) {
        self.forces.insert(name.into(), Arc::new(make));
    }

    /// Registers a law of constraints under a name; one that has the name goes.
    pub fn add_constraint(
        &mut self,
        name: impl Into<String>,
        make: impl Fn(&CodeParameters) -> Result<Box<ConstraintLaw>, CodeFault> + Send + Sync + 'static,
    ) {
        self.constraints.insert(name.into(), Arc::new(make));
    }

    /// Registers the functions of joints under a name; those that have the name go. Such a joint is moved and turned with
    /// its model; for maps that scale or mirror add its [image](Self::add_joint_image).
    pub fn add_joint(
        &mut self,
        name: impl Into<String>,
        make: impl Fn(&CodeParameters) -> Result<JointFunctions, CodeFault> + Send + Sync + 'static,
    ) {
        self.joints.insert(name.into(), Arc::new(make));
    }

    /// Registers what becomes of the joints of a name under maps that scale or mirror: of their parameters and a linear map,
    /// in the axes of frame D before and after. A mirror leaves axis z of the frame opposite to its image: diag(1, 1, -1).
    pub fn add_joint_image(
        &mut self,
        name: impl Into<String>,
        image: impl Fn(&CodeParameters, &Mat3) -> Result<JointImage, CodeFault> + Send + Sync + 'static,
    ) {
        self.images.insert(name.into(), Arc::new(image));
    }

    /// Image of the joint of a name under a map.
    pub(crate) fn joint_image(
        &self,
        name: &str,
        parameters: &CodeParameters,
        linear: &Mat3,
    ) -> Result<JointImage, TransformRefusal> {
        let image = self.images.get(name).ok_or(TransformRefusal::Code)?;
        image(parameters, linear).map_err(|_| TransformRefusal::CodeImage)
    }

    /// Registers a controller under a name; one that has the name goes.
    pub fn add_controller(
        &mut self,
        name: impl Into<String>,
        make: impl Fn(&CodeParameters) -> Result<Box<dyn ControlCode>, CodeFault>
        + Send
        + Sync
        + 'static,
    ) {
        self.controllers.insert(name.into(), Arc::new(make));
    }

    /// Names of the registered code of a sort.
    pub fn names(&self, what: CodeKind) -> Vec<&str> {
        match what {
            CodeKind::Force => self.forces.keys().map(String::as_str).collect(),
            CodeKind::Constraint => self.constraints.keys().map(String::as_str).collect(),
            CodeKind::Joint => self.joints.keys().map(String::as_str).collect(),
            CodeKind::Controller => self.controllers.keys().map(String::as_str).collect(),
        }
    }

    /// Fault of a name that nothing of a sort is registered under.
    pub(crate) fn fault(&self, what: CodeKind, name: &str) -> Option<CodeError> {
        (!self.names(what).contains(&name)).then(|| self.unregistered(what, name))
    }

    fn unregistered(&self, what: CodeKind, name: &str) -> CodeError {
        let near = similar(name, self.names(what).into_iter());
        CodeError::Unregistered { what: what.name(), name: name.to_owned(), near }
    }
}

impl fmt::Debug for CodeRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = f.debug_struct("CodeRegistry");
        for what in CodeKind::ALL {
            names.field(what.name(), &self.names(what));
        }
        names.finish()
    }
}

/// Code of a name with these parameters.
fn made<T>(
    known: Option<&Make<T>>,
    (what, name): (CodeKind, &str),
    model: &Model,
    id: ComponentId,
) -> Result<T, CodeError> {
    let make = known.ok_or_else(|| model.code.unregistered(what, name))?;
    make(&model.code_parameters(id)).map_err(|fault| match fault.downcast::<CodeError>() {
        Ok(own) => *own,
        Err(fault) => CodeError::Refused { name: name.to_owned(), why: fault.to_string() },
    })
}

impl Model {
    /// Registered code that components may name.
    pub fn code(&self) -> &Arc<CodeRegistry> {
        &self.code
    }

    /// Puts other registered code in the place of that so far; what was made of it is made anew.
    pub fn set_code(&mut self, code: impl Into<Arc<CodeRegistry>>) {
        let code = code.into();
        if !Arc::ptr_eq(&code, &self.code) {
            self.code = code;
            self.log.push(ROOT, Invalidates::STRUCTURE);
        }
    }

    /// Parameters of the code of a component.
    pub(crate) fn code_parameters(&self, id: ComponentId) -> CodeParameters {
        CodeParameters(
            self.declared_values(id).map(|(name, value)| (name, value.clone())).collect(),
        )
    }

    /// Names and values of the properties that are declared on a component.
    fn declared_values(&self, id: ComponentId) -> impl Iterator<Item = (&'static str, &Value)> {
        let declared = self.store.meta(id).into_iter().flat_map(|meta| &meta.declared);
        declared.map(|it| (it.info.name, it.value()))
    }

    /// Parts that a setting of a property which is declared on a component makes stale: the law that it is a parameter of.
    pub(crate) fn stale_by_parameter(id: ComponentId) -> Invalidates {
        match id.kind() {
            Kind::CustomForce | Kind::CustomConstrainer | Kind::CustomJoint => {
                Invalidates::STRUCTURE
            }
            _ => Invalidates::NOTHING,
        }
    }

    /// The law of a force.
    pub(crate) fn force_law(
        &self,
        id: ComponentId,
        force: &CustomForce,
    ) -> Result<Arc<ForceLaw>, CodeError> {
        if let Some(law) = &force.law {
            return Ok(law.clone());
        }
        let known = self.code.forces.get(&force.code);
        made(known, (CodeKind::Force, &force.code), self, id).map(Arc::from)
    }

    /// The law of a constraint.
    pub(crate) fn constraint_law(
        &self,
        id: ComponentId,
        it: &CustomConstrainer,
    ) -> Result<Arc<ConstraintLaw>, CodeError> {
        if let Some(law) = &it.law {
            return Ok(law.clone());
        }
        let known = self.code.constraints.get(&it.code);
        made(known, (CodeKind::Constraint, &it.code), self, id).map(Arc::from)
    }

    /// The functions of a custom joint: its own, or those that its code makes; `None` where it is not there.
    pub(crate) fn functions_of(
        &self,
        joint: Handle<CustomJoint>,
    ) -> Option<Result<Arc<JointFunctions>, CodeError>> {
        let it = self.get(joint)?;
        if !it.is_registered() {
            return Some(Ok(it.own_functions().clone()));
        }
        let known = self.code.joints.get(it.code());
        Some(made(known, (CodeKind::Joint, it.code()), self, joint.id()).map(Arc::new))
    }

    /// The code of a controller.
    pub(crate) fn control_code(
        &self,
        id: ComponentId,
        it: &PropertyController,
    ) -> Result<Box<dyn ControlCode>, CodeError> {
        let known = self.code.controllers.get(&it.code);
        made(known, (CodeKind::Controller, &it.code), self, id)
    }

    /// True if a component holds code without a name, which no file has.
    pub fn holds_code(&self, id: ComponentId) -> bool {
        let force = id.typed().and_then(|it| self.get::<CustomForce>(it));
        let constrainer = id.typed().and_then(|it| self.get::<CustomConstrainer>(it));
        let joint = id.typed().and_then(|it| self.get::<CustomJoint>(it));
        force.is_some_and(|it| it.law.is_some())
            || constrainer.is_some_and(|it| it.law.is_some())
            || joint.is_some_and(CustomJoint::is_closure)
    }
}
