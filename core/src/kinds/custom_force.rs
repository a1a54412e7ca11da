//! Forces that the user's own code computes.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{Address, ComponentId, Reference};
use crate::force::{ForceLaw, PointMotion};
use crate::kinds::PointRef;
use crate::property::{
    CheckError, CodeKind, Components, ModelComponent, Paths, Put, Refusal, properties,
};

/// A force on some points, by code. It is taken at the start of a step, without derivatives: a stiff
/// one needs small steps. It must depend on nothing but its arguments, as it may be computed more
/// than once a step. A file has it where its code goes by a registered name, and not where it is a closure.
#[derive(Clone, Serialize, Deserialize)]
pub struct CustomForce {
    /// Name in paths; may be empty.
    pub name: String,
    /// The points that it acts on, and sees.
    pub points: Vec<PointRef>,
    /// True if it acts.
    pub enabled: bool,
    /// Name that its code is registered under; empty for a closure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// The closure, where it is one.
    #[serde(skip)]
    pub(crate) law: Option<Arc<ForceLaw>>,
}

impl CustomForce {
    /// The force that `law` computes for `points`.
    pub fn new(
        points: Vec<PointRef>,
        law: impl Fn(PointMotion<'_>, &mut [Vec3]) + Send + Sync + 'static,
    ) -> Self {
        Self { law: Some(Arc::new(law)), ..Self::registered("", points) }
    }

    /// The force that the code of this name computes for `points`; properties that are declared on it are the parameters
    /// of the code ([`CodeRegistry`](crate::model::CodeRegistry)).
    pub fn registered(code: impl Into<String>, points: Vec<PointRef>) -> Self {
        Self { name: String::new(), points, enabled: true, code: code.into(), law: None }
    }

    fn put_points(&mut self, to: &[Address]) -> Put {
        if self.law.is_some() && to.len() != self.points.len() {
            return Err(Refusal::Value("as many points as its closure was made for"));
        }
        PointRef::put_all(&mut self.points, to)
    }

    fn put_code(&mut self, code: String) -> Put {
        if self.law.is_some() && !code.is_empty() {
            return Err(Refusal::Value("left alone: its code is a closure"));
        }
        self.code = code;
        Ok(())
    }

    fn check_points(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.points.iter().try_for_each(|&point| model.check_point("points", point))
    }

    fn check_code(&self, model: &dyn Components) -> Result<(), CheckError> {
        match self.law {
            Some(_) => Ok(()),
            None => model.check_code(CodeKind::Force, &self.code),
        }
    }
}

impl fmt::Debug for CustomForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CustomForce");
        text.field("name", &self.name).field("points", &self.points).finish_non_exhaustive()
    }
}

impl ModelComponent for CustomForce {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_points(model)?;
        self.check_code(model)
    }

    properties! { CustomForce {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it acts", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, STRUCTURE, "The points that its law sees and acts on",
            reference (|it| it.points.iter().map(|point| point.address()).collect(), |it, to| it.put_points(to)), check CustomForce::check_points;
        "code": String = String::new(), "", FINITE, STRUCTURE, "Name that its code is registered under; declared properties are the parameters of the code",
            via (|it: &CustomForce| Some(it.code.clone()), |it: &mut CustomForce, code| it.put_code(code)), check CustomForce::check_code;
    } }
}
