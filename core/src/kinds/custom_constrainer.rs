//! Constraints that the user's own code defines.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::component::{ComponentId, Handle, Reference};
use crate::constraint::{Compliance, ConstraintInput, ConstraintLaw, RowSheet};
use crate::kinds::{PointRef, RigidBody};
use crate::property::{CheckError, Components, ModelComponent, Paths, Problem, properties};

/// A constraint of some points and bodies, by code: a law that writes the values of its rows, which the
/// constraint makes zero, and their derivatives, which are compared with differences when a model is
/// compiled. It must depend on nothing but its arguments, and is computed many times a step. It cannot
/// be written to a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct CustomConstrainer {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The points that it sees and pushes.
    pub points: Vec<PointRef>,
    /// The bodies that it sees and pushes.
    pub bodies: Vec<Handle<RigidBody>>,
    /// Compliance of each of its rows.
    pub rows: Vec<Compliance>,
    /// True if it holds.
    pub enabled: bool,
    #[serde(skip, default = "nothing")]
    pub(crate) law: Arc<ConstraintLaw>,
}

fn nothing() -> Arc<ConstraintLaw> {
    Arc::new(|_, _| {})
}

impl CustomConstrainer {
    /// The `rows` rigid rows that `law` writes for `points` and `bodies`.
    pub fn new(
        points: Vec<PointRef>,
        bodies: Vec<Handle<RigidBody>>,
        rows: usize,
        law: impl Fn(ConstraintInput<'_>, &mut RowSheet<'_>) + Send + Sync + 'static,
    ) -> Self {
        let (name, rows) = (String::new(), vec![Compliance::default(); rows]);
        Self { name, points, bodies, rows, enabled: true, law: Arc::new(law) }
    }

    /// Points and bodies are there, each once.
    fn check_targets(&self, model: &dyn Components) -> Result<(), CheckError> {
        for (k, &point) in self.points.iter().enumerate() {
            model.check_point("points", point)?;
            if self.points[..k].contains(&point) {
                return Err(Problem::Twice(model.path(point.address())).at("points"));
            }
        }
        for (k, &body) in self.bodies.iter().enumerate() {
            model.check_body("bodies", Some(body))?;
            if self.bodies[..k].contains(&body) {
                return Err(Problem::Twice(model.path(body)).at("bodies"));
            }
        }
        if self.points.is_empty() && self.bodies.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("points"));
        }
        Ok(())
    }
}

impl fmt::Debug for CustomConstrainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CustomConstrainer");
        text.field("name", &self.name).field("points", &self.points);
        text.field("bodies", &self.bodies).finish_non_exhaustive()
    }
}

impl ModelComponent for CustomConstrainer {
    const HOME: Option<&'static str> = Some("constrainers");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
        self.bodies.iter().for_each(|&body| visit(Reference::hard(body)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
        for body in &mut self.bodies {
            body.redirect(map);
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_targets(model)
    }

    properties! { CustomConstrainer {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, NOTHING, "The points that its law sees", derived (|model: &dyn Components, it| {
            Some(Paths(model.get(it)?.points.iter().map(|p| model.path(p.address())).collect()))
        });
        "bodies": Paths = Paths::default(), "", FINITE, NOTHING, "The bodies that its law sees", derived (|model: &dyn Components, it| {
            Some(Paths(model.get(it)?.bodies.iter().map(|&body| model.path(body)).collect()))
        });
        "errors": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Values of its rows", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, mean over the last step", simulated ();
    } }
}
