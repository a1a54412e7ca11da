//! Containers: the root, mechanical models, lists, and groups of components that live elsewhere.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{Address, ComponentId, Handle, Kind, Reference};
use crate::property::{
    CheckError, Components, ModelComponent, Paths, Problem, Put, Refusal, properties, totals,
};

/// Standard gravity as ArtiSynth has it [m/s²].
pub const DEFAULT_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.8);

/// The root of the tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RootModel {
    /// Name of the whole in reports.
    pub name: String,
}

impl ModelComponent for RootModel {
    const HOME: Option<&'static str> = None;

    properties! { RootModel {
        "component_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of components of all kinds, nodes and elements not counted", derived (|model: &dyn Components, _| i64::try_from(model.count()).ok());
        "time": f64 = 0.0, "s", FINITE, NOTHING, "Time", simulated ();
        "dof_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Free components of velocity", simulated ();
        ..totals();
    } }
}

/// Components that are simulated by one set of laws: particles, bodies, springs, tissues, forces, and other
/// mechanical models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MechModel {
    /// Name in paths; may be empty.
    pub name: String,
    /// Acceleration of free fall [m/s²]; `None` is that of the mechanical model above, or else
    /// [`DEFAULT_GRAVITY`].
    #[serde(default)]
    pub gravity: Option<Vec3>,
    /// Viscous drag on every particle and node: force = -point_damping * velocity [N s/m]; `None` is
    /// that of the mechanical model above, or else none.
    #[serde(default)]
    pub point_damping: Option<f64>,
    /// Viscous drag on the velocity of the centre of mass of every rigid body [N s/m]; `None` is that
    /// of the mechanical model above, or else none.
    #[serde(default)]
    pub frame_damping: Option<f64>,
    /// Viscous drag on the angular velocity of every rigid body [N m s/rad]; `None` as before.
    #[serde(default)]
    pub rotary_damping: Option<f64>,
    /// Drag on every rigid body in proportion to its momentum and angular momentum [1/s]; `None` as
    /// before.
    #[serde(default)]
    pub inertial_damping: Option<f64>,
}

impl MechModel {
    /// The list of the root, and of a mechanical model, that holds mechanical models.
    pub(crate) const MODELS: &'static str = "models";

    /// An empty one.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Names of the lists that every mechanical model has, in the order of their numbers.
    pub fn lists() -> Vec<&'static str> {
        let mut lists: Vec<&'static str> = Vec::new();
        for home in Kind::ALL.into_iter().filter_map(Kind::home) {
            if !lists.contains(&home) {
                lists.push(home);
            }
        }
        lists
    }
}

impl ModelComponent for MechModel {
    const HOME: Option<&'static str> = Some(Self::MODELS);

    properties! { MechModel {
        "gravity": Vec3 = DEFAULT_GRAVITY, "m/s²", FINITE, PARAMETER, "Acceleration of free fall", inheritable (gravity);
        "point_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on every particle and node", inheritable (point_damping);
        "frame_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on the velocity of the centre of mass of every rigid body", inheritable (frame_damping);
        "rotary_damping": f64 = 0.0, "N m s/rad", NOT_NEGATIVE, PARAMETER, "Viscous drag on the angular velocity of every rigid body", inheritable (rotary_damping);
        "inertial_damping": f64 = 0.0, "1/s", NOT_NEGATIVE, PARAMETER, "Drag on every rigid body in proportion to its momentum and angular momentum", inheritable (inertial_damping);
        ..totals();
    } }
}

/// A list of components.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComponentList {
    /// Name in paths; may be empty.
    pub name: String,
    /// True if it is one of the lists that every mechanical model has.
    #[serde(default)]
    home: bool,
}

impl ComponentList {
    /// A container of the user's own, for components of any kind.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), home: false }
    }

    pub(crate) fn home(name: &str) -> Self {
        Self { name: name.into(), home: true }
    }

    /// The same as a container of the user's own.
    pub(crate) fn owned(self) -> Self {
        Self { home: false, ..self }
    }

    /// True if it is one of the lists that every mechanical model has.
    pub fn is_home(&self) -> bool {
        self.home
    }

    /// True if components of `kind`, whose list in a mechanical model is called `home`, may be in it.
    pub(crate) fn takes(&self, kind: Kind, home: Option<&str>) -> bool {
        if self.home { home == Some(self.name.as_str()) } else { kind != Kind::RootModel }
    }
}

impl ModelComponent for ComponentList {
    const HOME: Option<&'static str> = None;

    properties! { ComponentList {
        "size": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of components in it", derived (|model: &dyn Components, list: Handle<ComponentList>| i64::try_from(model.children_of(list.id()).len()).ok());
        ..totals();
    } }
}

/// A group of components that live elsewhere: it forgets those that are deleted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReferenceList {
    /// Name in paths; may be empty.
    pub name: String,
    /// Its members.
    pub members: Vec<ComponentId>,
}

impl ReferenceList {
    /// A group of these.
    pub fn new(name: impl Into<String>, members: Vec<ComponentId>) -> Self {
        Self { name: name.into(), members }
    }

    fn put(&mut self, to: &[Address]) -> Put {
        let member = |at: &Address| match at {
            Address::Component(id) => Ok(*id),
            _ => Err(Refusal::Value("its members must be components")),
        };
        self.members = to.iter().map(member).collect::<Result<_, _>>()?;
        Ok(())
    }
}

impl ModelComponent for ReferenceList {
    const HOME: Option<&'static str> = None;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.members.iter().for_each(|&member| visit(Reference::soft(member)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.members = self.members.iter().filter_map(|&member| map(member)).collect();
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        match self.members.iter().find(|&&member| !model.contains(member)) {
            None => Ok(()),
            Some(&gone) => Err(Problem::Missing(model.path(gone)).at("members")),
        }
    }

    properties! { ReferenceList {
        "members": Paths = Paths::default(), "", FINITE, NOTHING, "Its members",
            reference (|list| list.members.iter().map(|&id| id.into()).collect(), |list, to| list.put(to));
        "size": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of members", derived (|model: &dyn Components, list| i64::try_from(model.get(list)?.members.len()).ok());
    } }
}
