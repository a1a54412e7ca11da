//! A pressure or a traction on a named surface of a tissue.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use super::tissue_reference::put_tissue;
use crate::Vec3;
use crate::component::{ComponentId, Handle, Reference};
use crate::kinds::{FemModel, Schedule};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Problem, properties, put_schedule,
};

/// A load on the faces of a named surface: a pressure that pushes inwards along the normal, wherever the surface has
/// moved to (a follower load), and a traction that keeps its direction and counts by area at rest (a dead load).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceLoad {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// The tissue.
    pub fem: Handle<FemModel>,
    /// Name of a face set of its mesh.
    pub surface: String,
    /// Pressure at a schedule value of 1 [Pa].
    pub pressure: f64,
    /// Traction at a schedule value of 1 [Pa].
    pub traction: Vec3,
    /// Their time course.
    pub schedule: Schedule,
}

impl SurfaceLoad {
    /// A constant pressure [Pa] on a named surface.
    pub fn pressure(fem: Handle<FemModel>, surface: impl Into<String>, pressure: f64) -> Self {
        Self {
            name: String::new(),
            fem,
            surface: surface.into(),
            pressure,
            traction: Vec3::zeros(),
            schedule: Schedule::default(),
        }
    }

    /// A constant traction [Pa] on a named surface.
    pub fn traction(fem: Handle<FemModel>, surface: impl Into<String>, traction: Vec3) -> Self {
        Self { traction, ..Self::pressure(fem, surface, 0.0) }
    }

    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }

    /// Checks that the mesh has the surface.
    fn check_surface(&self, model: &dyn Components) -> Result<(), CheckError> {
        let mesh = &model.checked_fem("target", self.fem)?.mesh;
        if mesh.face_sets.contains_key(&self.surface) {
            return Ok(());
        }
        let known: Vec<&str> = mesh.face_sets.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Err(Problem::NoSet { surface: self.surface.clone(), known }.at("surface"))
    }
}

impl ModelComponent for SurfaceLoad {
    const HOME: Option<&'static str> = Some("force_effectors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.fem.redirect(map);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_surface(model)?;
        self.check_schedule(model)
    }

    properties! { SurfaceLoad {
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The tissue",
            reference (|l| vec![l.fem.into()], |l, to| put_tissue(&mut l.fem, to)), check SurfaceLoad::check_surface;
        "surface": String = String::new(), "", FINITE, STRUCTURE, "Name of a face set of its mesh", own (surface), check SurfaceLoad::check_surface;
        "pressure": f64 = 0.0, "Pa", FINITE, PARAMETER, "Pressure at a schedule value of 1, inwards along the normal of the surface as it moves", own (pressure);
        "traction": Vec3 = Vec3::zeros(), "Pa", FINITE, PARAMETER, "Traction at a schedule value of 1, by area at rest, of a direction that stays", own (traction);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|l: &SurfaceLoad| Some(l.schedule.to_list()), |l: &mut SurfaceLoad, list: Vec<f64>| put_schedule(&mut l.schedule, &list)), check SurfaceLoad::check_schedule;
    } }
}
