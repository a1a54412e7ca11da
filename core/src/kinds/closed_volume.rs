//! Contents of a closed surface of a tissue: a fluid or a gas, with a pressure by its volume.

use serde::{Deserialize, Serialize};

use super::tissue_reference::put_tissue;
use crate::component::{ComponentId, Handle, Reference};
use crate::constraint::{ClosedSurface, Contents, SurfaceFault, VolumeLaw};
use crate::fem::{ElementFace, VolumeMesh};
use crate::kinds::FemModel;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Problem, choices, properties,
};

/// Contents of a named surface of a tissue, a bladder, a ventricle or an airway, whose pressure pushes the surface: a fluid that
/// keeps its volume, one with a compliance, or a gas. Openings of the surface are closed by lids. One row of the step has the
/// volume, so that its derivative, which couples all nodes of the surface, stays out of the matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosedVolume {
    /// Name in paths and reports; may be empty.
    #[serde(default)]
    pub name: String,
    /// The tissue.
    pub fem: Handle<FemModel>,
    /// Name of a face set or a triangle set of its mesh.
    pub surface: String,
    /// Relation of pressure and volume.
    pub law: VolumeLaw,
    /// Volume of the contents without pressure, over that inside of the surface at rest [-].
    pub filling: f64,
    /// Change of volume by pressure, of the linear law [m³/Pa].
    pub compliance: f64,
    /// Pressure around, of a gas [Pa].
    pub ambient_pressure: f64,
    /// Power of the volume that its pressure changes with, of a gas [-].
    pub exponent: f64,
    /// True if it is in force.
    pub enabled: bool,
}

/// Pressure of the standard atmosphere [Pa].
const ATMOSPHERE: f64 = 101_325.0;
/// Compliance of contents that were not given one [m³/Pa].
const COMPLIANCE: f64 = 1e-9;

choices!(VolumeLaw { Incompressible => "incompressible", Linear => "linear", Gas => "gas" });

impl ClosedVolume {
    /// A fluid that fills a named surface at rest without pressure, and keeps its volume.
    pub fn new(fem: Handle<FemModel>, surface: impl Into<String>) -> Self {
        Self {
            name: String::new(),
            fem,
            surface: surface.into(),
            law: VolumeLaw::Incompressible,
            filling: 1.0,
            compliance: COMPLIANCE,
            ambient_pressure: ATMOSPHERE,
            exponent: 1.0,
            enabled: true,
        }
    }

    /// A gas of constant temperature at the pressure of the atmosphere.
    pub fn gas(fem: Handle<FemModel>, surface: impl Into<String>) -> Self {
        Self { law: VolumeLaw::Gas, ..Self::new(fem, surface) }
    }

    /// A fluid whose volume changes by so much with pressure [m³/Pa].
    pub fn linear(fem: Handle<FemModel>, surface: impl Into<String>, compliance: f64) -> Self {
        Self { law: VolumeLaw::Linear, compliance, ..Self::new(fem, surface) }
    }

    /// The surface between nodes of a mesh.
    ///
    /// # Errors
    /// [`SurfaceFault`]; faces that a mesh has not bound nothing.
    pub fn closed_surface(&self, mesh: &VolumeMesh) -> Result<ClosedSurface, SurfaceFault> {
        let of_element = |at: &ElementFace| -> Vec<u32> {
            let (kind, nodes) = mesh.element(at.element as usize);
            let face = kind.faces()[usize::from(at.face)];
            face.iter().map(|&k| nodes[usize::from(k)]).collect()
        };
        let triangles = mesh.triangle_sets.get(&self.surface).into_iter().flatten();
        let faces = mesh.face_sets.get(&self.surface).into_iter().flatten().map(of_element);
        let faces: Vec<Vec<u32>> = faces.chain(triangles.map(|it| it.to_vec())).collect();
        ClosedSurface::new(&faces, &mesh.nodes)
    }

    /// Contents of a surface.
    pub(crate) fn contents(&self, surface: &ClosedSurface) -> Contents {
        Contents {
            law: self.law,
            volume: surface.rest_volume() * self.filling,
            area: surface.rest_area(),
            compliance: self.compliance,
            ambient: self.ambient_pressure,
            exponent: self.exponent,
        }
    }

    /// Checks that the mesh has the surface, and that it has something inside.
    fn check_surface(&self, model: &dyn Components) -> Result<(), CheckError> {
        let mesh = &model.checked_fem("target", self.fem)?.mesh;
        let sets = || mesh.face_sets.keys().chain(mesh.triangle_sets.keys());
        if !sets().any(|name| *name == self.surface) {
            let known: Vec<&str> = sets().map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(Problem::NoSet { surface: self.surface.clone(), known }.at("surface"));
        }
        let found = self.closed_surface(mesh);
        found.map(|_| ()).map_err(|fault| Problem::ClosedSurface(Box::new(fault)).at("surface"))
    }
}

impl ModelComponent for ClosedVolume {
    const HOME: Option<&'static str> = Some("constrainers");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.fem.redirect(map);
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_surface(model)
    }

    properties! { ClosedVolume {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "target": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The tissue",
            reference (|it| vec![it.fem.into()], |it, to| put_tissue(&mut it.fem, to)), check ClosedVolume::check_surface;
        "surface": String = String::new(), "", FINITE, STRUCTURE, "Name of a face set or a triangle set of its mesh; lids close its openings", own (surface), check ClosedVolume::check_surface;
        "law": VolumeLaw = VolumeLaw::Incompressible, "", FINITE, STRUCTURE, "Relation of pressure and volume: a fluid that keeps its volume, one with a compliance, or a gas", own (law);
        "filling": f64 = 1.0, "-", POSITIVE, PARAMETER, "Volume V0 of the contents without pressure, over that inside of the surface at rest", own (filling);
        "compliance": f64 = COMPLIANCE, "m³/Pa", POSITIVE, PARAMETER, "C of the linear law, p = (V0 - V) / C", own (compliance);
        "ambient_pressure": f64 = ATMOSPHERE, "Pa", POSITIVE, PARAMETER, "Pressure pa around a gas, p = pa ((V0 / V)^n - 1)", own (ambient_pressure);
        "exponent": f64 = 1.0, "-", POSITIVE, PARAMETER, "n of a gas: 1 at constant temperature, 1.4 of air that exchanges no heat", own (exponent);
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume inside of the surface", simulated ();
        "pressure": f64 = 0.0, "Pa", FINITE, NOTHING, "Pressure of the contents over that around; of a fluid that keeps its volume the mean over the last step, zero before the first", simulated ();
    } }
}
