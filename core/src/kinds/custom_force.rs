//! Forces that the user's own code computes.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{ComponentId, Reference};
use crate::force::{ForceLaw, PointMotion};
use crate::kinds::PointRef;
use crate::property::{CheckError, Components, ModelComponent, Paths, properties};

/// A force on some points, by code. It is taken at the start of a step, without derivatives: a stiff
/// one needs small steps. It must depend on nothing but its arguments, as it may be computed more
/// than once a step. It cannot be written to a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct CustomForce {
    /// Name in paths; may be empty.
    pub name: String,
    /// The points that it acts on, and sees.
    pub points: Vec<PointRef>,
    /// True if it acts.
    pub enabled: bool,
    #[serde(skip, default = "nothing")]
    pub(crate) law: Arc<ForceLaw>,
}

fn nothing() -> Arc<ForceLaw> {
    Arc::new(|_, _| {})
}

impl CustomForce {
    /// The force that `law` computes for `points`.
    pub fn new(
        points: Vec<PointRef>,
        law: impl Fn(PointMotion<'_>, &mut [Vec3]) + Send + Sync + 'static,
    ) -> Self {
        Self { name: String::new(), points, enabled: true, law: Arc::new(law) }
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
        self.points.iter().try_for_each(|&point| model.check_point("points", point))
    }

    properties! { CustomForce {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it acts", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, NOTHING, "The points that its law sees", derived (|model: &dyn Components, force| {
            Some(Paths(model.get(force)?.points.iter().map(|p| model.path(p.address())).collect()))
        });
    } }
}
