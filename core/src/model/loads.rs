//! Forces that come from outside: on a point, and on the mass of a tissue.

use serde::{Deserialize, Serialize};

use super::{FemModel, PointRef, Schedule};
use crate::Vec3;
use crate::component::{ComponentId, Handle, ModelComponent, Reference};
use crate::property::properties;

/// A force on a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointLoad {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// Where it acts.
    pub target: PointRef,
    /// Force at a schedule value of 1 [N].
    pub force: Vec3,
    /// Its time course.
    pub schedule: Schedule,
}

impl PointLoad {
    /// A constant force [N].
    pub fn new(target: impl Into<PointRef>, force: Vec3) -> Self {
        Self { name: String::new(), target: target.into(), force, schedule: Schedule::default() }
    }
}

/// A force on the lumped mass of a soft tissue: at node i, m_i weight_i acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyLoad {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// The tissue.
    pub fem: Handle<FemModel>,
    /// Acceleration at a schedule value of 1 [m/s²].
    pub acceleration: Vec3,
    /// One factor a node of the mesh [-]; empty means 1 everywhere.
    pub weights: Vec<f64>,
    /// Its time course.
    pub schedule: Schedule,
}

impl BodyLoad {
    /// A constant acceleration [m/s²] of all of a tissue.
    pub fn new(fem: Handle<FemModel>, acceleration: Vec3) -> Self {
        let (weights, schedule) = (Vec::new(), Schedule::default());
        Self { name: String::new(), fem, acceleration, weights, schedule }
    }
}

fn put(schedule: &mut Schedule, list: &[f64]) -> bool {
    Schedule::from_list(list).map(|new| *schedule = new).is_some()
}

impl ModelComponent for PointLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(self.target.reference());
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.target.redirect(map);
    }

    properties! { PointLoad {
        "force": Vec3 = Vec3::zeros(), "N", FINITE, PARAMETER, "Force at a schedule value of 1", own (force);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &PointLoad| Some(l.schedule.to_list()), |l: &mut PointLoad, list: Vec<f64>| put(&mut l.schedule, &list));
    } }
}

impl ModelComponent for BodyLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        if let Some(fem) = map(self.fem.id()).and_then(ComponentId::typed) {
            self.fem = fem;
        }
    }

    properties! { BodyLoad {
        "acceleration": Vec3 = Vec3::zeros(), "m/s²", FINITE, PARAMETER, "Acceleration at a schedule value of 1", own (acceleration);
        "weights": Vec<f64> = Vec::new(), "-", FINITE, PARAMETER, "One factor a node; none for 1 everywhere", own (weights);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &BodyLoad| Some(l.schedule.to_list()), |l: &mut BodyLoad, list: Vec<f64>| put(&mut l.schedule, &list));
    } }
}
