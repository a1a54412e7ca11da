//! A document being read, and what has become of it so far.

use std::collections::BTreeMap;

use sinew::component::{ComponentId, Handle};
use sinew::fem::VolumeMesh;
use sinew::model::{FemModel, Model, RigidBody, Schedule};

use super::control::{self, Control};
use super::curves::Curves;
use super::materials::Material;
use super::steps::sections;
use super::surfaces::nodes_of_face;
use super::units::{Dimension, Units};
use super::{unread, values};
use crate::diagnostic::{Diagnostic, Findings};
use crate::solver::Solver;
use crate::tree::Span;
use crate::xml_tree::Element;

/// A document being read.
pub(super) struct Import<'d> {
    pub(super) root: &'d Element,
    pub(super) findings: Findings,
    pub(super) units: Units,
    /// Its mesh in metres, until it is that of the tissue.
    pub(super) mesh: VolumeMesh,
    pub(super) curves: Curves,
    pub(super) solver: Solver,
    pub(super) materials: Vec<Material<'d>>,
    /// Number of the material of each element.
    pub(super) material_of: Vec<Option<usize>>,
    pub(super) model: Model,
    pub(super) tissue: Option<Handle<FemModel>>,
    /// Bodies by the numbers of their materials.
    pub(super) bodies: BTreeMap<usize, Handle<RigidBody>>,
    pub(super) places: Vec<(ComponentId, Span)>,
}

impl<'d> Import<'d> {
    pub(super) fn new(root: &'d Element, mesh: VolumeMesh, (units, name): (Units, String)) -> Self {
        Self {
            root,
            findings: Findings::default(),
            units,
            mesh,
            curves: Curves::default(),
            solver: Solver::default(),
            materials: Vec::new(),
            material_of: Vec::new(),
            model: Model::new(name),
            tissue: None,
            bodies: BTreeMap::new(),
            places: Vec::new(),
        }
    }

    /// Remembers where a component stands.
    pub(super) fn put(&mut self, id: ComponentId, span: Span) {
        self.places.push((id, span));
    }

    /// Reads the document.
    pub(super) fn document(&mut self) {
        let root = self.root;
        root.mark();
        self.mesh.nodes.iter_mut().for_each(|p| *p *= self.units.length);
        // FEBio has no gravity but in its loads.
        self.model.set_gravity(sinew::Vec3::zeros());
        let Control { solver, end } = control::read(root, &self.units, &mut self.findings);
        self.solver = solver;
        let end = end * self.units.time;
        self.curves = Curves::read(root, &self.units, end, &mut self.findings);
        self.read_module();
        self.read_materials();
        self.assign_materials();
        if self.findings.error_count == 0 {
            self.add_tissue();
            self.add_shells();
            self.add_bodies();
            self.read_boundary();
            self.read_rigid();
            self.release_attached();
            self.read_loads();
            self.read_contact();
            self.read_connectors();
            self.tell_steps();
        }
        // Behind an error much is not looked at.
        if self.findings.error_count == 0 {
            unread::tell(root, &mut self.findings);
        }
    }

    /// A module other than that of solids has unknowns that the model has not.
    fn read_module(&mut self) {
        let Some(module) = self.root.child("Module") else { return };
        let Some(kind) = module.attribute("type") else { return };
        if kind.value != "solid" {
            let message = format!("of the module '{}' the solid alone is read", kind.value);
            self.findings.warn(module.span, message);
        }
    }

    /// Warns of steps, whose conditions hold from the start on.
    fn tell_steps(&mut self) {
        let tags = ["Boundary", "Loads", "Rigid", "Contact", "Constraints"];
        let steps = tags.into_iter().flat_map(|tag| sections(self.root, tag)).filter_map(|it| it.1);
        if let Some(first) = steps.min_by_key(|span| span.start) {
            let message =
                "conditions and loads of steps hold from the start on, not in their step alone";
            self.findings.warn(first, message);
        }
    }

    /// The number of an element in SI units.
    pub(super) fn scaled(&self, at: &Element, dimension: Dimension) -> Result<f64, Diagnostic> {
        Ok(values::number(at)? * self.units.factor(dimension))
    }

    /// The time course of the attribute `lc` of an element; constant without one.
    pub(super) fn course(&self, at: &Element) -> Result<Schedule, Diagnostic> {
        let Some(lc) = at.attribute("lc") else { return Ok(Schedule::default()) };
        // Curves are numbered from 1; 0 is none.
        if lc.value == "0" {
            return Ok(Schedule::default());
        }
        self.curves.schedule(&lc.value).ok_or_else(|| {
            let message = format!("the document has no load curve '{}'", lc.value);
            Diagnostic::error(lc.span, message)
        })
    }

    /// Nodes that a word of the attribute `node_set` or `surface` means.
    pub(super) fn nodes_of(&self, at: &Element) -> Result<Vec<u32>, Diagnostic> {
        let word = at.attribute("node_set").or_else(|| at.attribute("surface"));
        let Some(word) = word else {
            return Err(at.refused(format!("{} names no node_set", at.label())));
        };
        let name = word.value.as_str();
        let (kind, plain) = match name.strip_prefix('@').and_then(|it| it.split_once(':')) {
            Some((kind, plain)) => (kind, plain),
            None => ("", name),
        };
        let faces = || self.mesh().face_sets.get(plain).map(|_| self.nodes_of_surface(plain));
        let elements =
            || self.mesh().element_sets.get(plain).map(|set| self.nodes_of_elements(set));
        let nodes = || self.mesh().node_sets.get(plain).cloned();
        let found = match kind {
            "" => nodes().or_else(faces).or_else(elements),
            "surface" => faces(),
            "elem_set" | "part" | "domain" | "part_list" => elements(),
            _ => None,
        };
        found.ok_or_else(|| {
            let message =
                format!("{} means '{name}', and no set of the mesh is called so", at.label());
            Diagnostic::error(word.span, message)
        })
    }

    fn nodes_of_surface(&self, name: &str) -> Vec<u32> {
        let faces = self.mesh().face_sets.get(name).into_iter().flatten();
        distinct(faces.flat_map(|&face| nodes_of_face(self.mesh(), face)))
    }

    fn nodes_of_elements(&self, elements: &[u32]) -> Vec<u32> {
        distinct(elements.iter().flat_map(|&e| self.mesh().element(e as usize).1.iter().copied()))
    }

    /// The mesh, wherever it is.
    pub(super) fn mesh(&self) -> &VolumeMesh {
        self.tissue.and_then(|it| self.model.get(it)).map_or(&self.mesh, |fem| &fem.mesh)
    }
}

/// Numbers in order, each once.
pub(super) fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut list: Vec<u32> = numbers.collect();
    list.sort_unstable();
    list.dedup();
    list
}
