//! Forces that come from outside: on a point, and on the mass of a tissue.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use super::tissue_reference::put_tissue;
use crate::Vec3;
use crate::component::{ComponentId, Handle, Reference};
use crate::kinds::{FemModel, PointRef, Schedule};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Problem, properties, put_schedule,
};

/// A force on a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointLoad {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// Point that it acts on.
    pub target: PointRef,
    /// Force at an excitation and a schedule value of 1 [N].
    pub force: Vec3,
    /// Factor of the force [-], which inverse control may look for.
    #[serde(default = "whole")]
    pub excitation: f64,
    /// Its time course.
    pub schedule: Schedule,
}

impl PointLoad {
    /// A constant force [N].
    pub fn new(target: impl Into<PointRef>, force: Vec3) -> Self {
        let (name, target, schedule) = (String::new(), target.into(), Schedule::default());
        Self { name, target, force, excitation: whole(), schedule }
    }
}

/// Excitation of a load that nothing controls [-].
pub(super) fn whole() -> f64 {
    1.0
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

impl PointLoad {
    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }
}

impl BodyLoad {
    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }

    /// No weight, or a finite one for every node.
    fn check_weights(&self, model: &dyn Components) -> Result<(), CheckError> {
        let fem = model.checked_fem("target", self.fem)?;
        let (given, expected) = (self.weights.len(), fem.mesh.nodes.len());
        if given != 0 && given != expected {
            return Err(Problem::Length { given, expected }.at("weights"));
        }
        let (what, must) = ("weight", "finite");
        match self.weights.iter().find(|w| !w.is_finite()) {
            None => Ok(()),
            Some(&value) => Err(Problem::Entry { what, value, must }.at("weights")),
        }
    }
}

impl ModelComponent for PointLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(self.target.reference());
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.target.redirect(map);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_point("target", self.target)?;
        self.check_schedule(model)
    }

    properties! { PointLoad {
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "Point that it acts on: a particle, a frame marker or a node",
            reference (|l| vec![l.target.address()], |l, to| l.target.put(to));
        "force": Vec3 = Vec3::zeros(), "N", FINITE, PARAMETER, "Force at an excitation and a schedule value of 1", own (force);
        "excitation": f64 = 1.0, "-", FINITE, PARAMETER, "Factor of the force, which inverse control may look for", own (excitation);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &PointLoad| Some(l.schedule.to_list()), |l: &mut PointLoad, list: Vec<f64>| put_schedule(&mut l.schedule, &list)), check PointLoad::check_schedule;
    } }
}

impl ModelComponent for BodyLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.fem.redirect(map);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_weights(model)?;
        self.check_schedule(model)
    }

    properties! { BodyLoad {
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The tissue",
            reference (|l| vec![l.fem.into()], |l, to| put_tissue(&mut l.fem, to)), check BodyLoad::check_weights;
        "acceleration": Vec3 = Vec3::zeros(), "m/s²", FINITE, PARAMETER, "Acceleration at a schedule value of 1", own (acceleration);
        "weights": Vec<f64> = Vec::new(), "-", FINITE, PARAMETER, "One factor a node; none for 1 everywhere", own (weights), check BodyLoad::check_weights;
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &BodyLoad| Some(l.schedule.to_list()), |l: &mut BodyLoad, list: Vec<f64>| put_schedule(&mut l.schedule, &list)), check BodyLoad::check_schedule;
    } }
}
