//! A force and a moment on a rigid body from outside.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use super::loads::whole;
use super::rigid_body::put_body;
use crate::Vec3;
use crate::component::{ComponentId, Handle, Reference};
use crate::kinds::{RigidBody, Schedule};
use crate::property::{CheckError, Components, ModelComponent, OnePath, properties, put_schedule};

/// A force and a moment on a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameLoad {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// The body.
    pub body: Handle<RigidBody>,
    /// Force at its centre of mass at an excitation and a schedule value of 1, world axes [N].
    pub force: Vec3,
    /// Moment then, world axes [N m].
    pub moment: Vec3,
    /// Factor of both [-], which inverse control may look for.
    #[serde(default = "whole")]
    pub excitation: f64,
    /// Their time course.
    pub schedule: Schedule,
}

impl FrameLoad {
    /// A constant force [N] at the centre of mass, and a moment [N m].
    pub fn new(body: Handle<RigidBody>, force: Vec3, moment: Vec3) -> Self {
        let (name, schedule) = (String::new(), Schedule::default());
        Self { name, body, force, moment, excitation: whole(), schedule }
    }

    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }
}

impl ModelComponent for FrameLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.body));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.body.redirect(map);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("target", Some(self.body))?;
        self.check_schedule(model)
    }

    properties! { FrameLoad {
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body",
            reference (|l| vec![l.body.into()], |l, to| put_body(&mut l.body, to));
        "force": Vec3 = Vec3::zeros(), "N", FINITE, PARAMETER, "Force at the centre of mass at an excitation and a schedule value of 1", own (force);
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, PARAMETER, "Moment at an excitation and a schedule value of 1", own (moment);
        "excitation": f64 = 1.0, "-", FINITE, PARAMETER, "Factor of force and moment, which inverse control may look for", own (excitation);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &FrameLoad| Some(l.schedule.to_list()), |l: &mut FrameLoad, list: Vec<f64>| put_schedule(&mut l.schedule, &list)), check FrameLoad::check_schedule;
    } }
}
