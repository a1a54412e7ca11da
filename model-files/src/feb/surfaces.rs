//! Surfaces that interfaces of contact speak of: their faces, and what those are of; pairs of surfaces.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::fem::{ElementFace, VolumeMesh, locate};
use sinew::geometry::mesh_integrals;

use super::import::{Import, distinct};
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

/// Least share of the way to a surface that is along the normal where a node is opposite to it [-].
const OPPOSITE: f64 = 0.5;
/// Share of the edge of a face that is rounding of the places of a document [-].
const NEAR: f64 = 1e-3;

/// Tag of the primary surface up to 2.5, beside `master`; in two, as texts of this project have not that word.
const OLD_PRIMARY: &str = concat!("sl", "ave");

/// A surface of an interface.
pub(super) struct Surface {
    faces: Vec<ElementFace>,
    /// Its nodes.
    pub(super) nodes: Vec<u32>,
    /// Number of the material of the rigid body that it is of.
    pub(super) body: Option<usize>,
}

/// Elements under a surface, as a layer.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    /// Stiffness over thickness, the mean over the area [Pa/m].
    pub(super) stiffness: f64,
    /// Volume by area [m].
    pub(super) thickness: f64,
}

impl<'d> Import<'d> {
    /// Both surfaces of the pair that an interface names, the primary one first; none, with a warning, where the mesh has no
    /// solid at one.
    pub(super) fn pair_of(&mut self, at: &'d Element) -> Result<Option<[Surface; 2]>, Diagnostic> {
        let Some(name) = at.attribute("surface_pair") else {
            return Err(at
                .refused(format!("{} names no surface_pair", at.label()))
                .help("name a <SurfacePair> of the mesh: surface_pair=\"NAME\""));
        };
        let pairs = self.meshes().flat_map(|it| it.all("SurfacePair"));
        let Some(pair) = pairs.into_iter().find(|it| it.name() == name.value) else {
            let message = format!("the mesh has no <SurfacePair> '{}'", name.value);
            return Err(Diagnostic::error(name.span, message));
        };
        let primary = self.side(pair, ["primary", OLD_PRIMARY])?;
        let secondary = self.side(pair, ["secondary", "master"])?;
        Ok(primary.zip(secondary).map(|(primary, secondary)| [primary, secondary]))
    }

    fn side(&mut self, pair: &'d Element, tags: [&str; 2]) -> Result<Option<Surface>, Diagnostic> {
        let side = tags.into_iter().find_map(|tag| pair.child(tag));
        let name = side.map_or("", |it| {
            it.attribute("surface").map_or(it.text.trim(), |named| named.value.as_str())
        });
        if name.is_empty() {
            let message = format!("{} has no <{}> surface", pair.label(), tags[0]);
            return Err(pair.refused(message));
        }
        self.surface_named(name, side.unwrap_or(pair))
    }

    /// The surface of a name; none, with a warning, where none of its faces is one of a solid.
    pub(super) fn surface_named(
        &mut self,
        name: &str,
        at: &Element,
    ) -> Result<Option<Surface>, Diagnostic> {
        let plain = name.strip_prefix("@surface:").unwrap_or(name);
        let faces = self.mesh().face_sets.get(plain).filter(|it| !it.is_empty()).cloned();
        if let Some(faces) = faces {
            return Ok(Some(self.surface_of(faces)));
        }
        let is_there = self.meshes().flat_map(|it| it.all("Surface")).any(|it| it.name() == plain);
        if !is_there {
            return Err(at.refused(format!("the mesh has no <Surface> '{plain}'")));
        }
        let message =
            format!("contact at the surface '{plain}' is not read: it has no faces of solids");
        self.findings.warn(at.span, message);
        Ok(None)
    }

    /// Sections of the mesh.
    pub(super) fn meshes(&self) -> impl Iterator<Item = &'d Element> + use<'d> {
        let root: &'d Element = self.root;
        root.children.iter().filter(|it| matches!(it.tag.as_str(), "Geometry" | "Mesh"))
    }

    fn surface_of(&self, faces: Vec<ElementFace>) -> Surface {
        let nodes = distinct(faces.iter().flat_map(|&face| nodes_of_face(self.mesh(), face)));
        let body = |face: &ElementFace| {
            let material = self.material_of[face.element as usize];
            material.filter(|number| self.bodies.contains_key(number))
        };
        let first = faces.first().and_then(body);
        let body = first.filter(|_| faces.iter().all(|face| body(face) == first));
        Surface { faces, nodes, body }
    }

    /// The layer of soft elements under a surface, as FEBio's automatic penalty takes it: E A / V of each, E Young's modulus
    /// of its law at rest, A its face, V its volume.
    pub(super) fn layer(&self, surface: &Surface) -> Option<Layer> {
        let (mut area, mut volume, mut stiffness) = (0.0, 0.0, 0.0);
        for &face in &surface.faces {
            let material = self.material_of[face.element as usize]?;
            let modulus = self.materials[material].laws.as_ref()?.tissue.youngs_modulus()?;
            let own = self.elements_alone([face.element].into_iter());
            let [a, v] = [area_normal(self.mesh(), face).norm(), mesh_integrals(&own)?.volume];
            (area, volume) = (area + a, volume + v);
            stiffness += a * modulus * a / v;
        }
        let layer = Layer { stiffness: stiffness / area, thickness: volume / area };
        (layer.stiffness > 0.0 && layer.thickness > 0.0).then_some(layer)
    }

    /// Farthest distance of nodes of a surface from another one that they are opposite to [m]; none where no node is.
    pub(super) fn gap(&self, from: &Surface, to: &Surface) -> Option<f64> {
        let mesh = self.mesh();
        let other = self.elements_alone(to.faces.iter().map(|it| it.element));
        let mut normals = BTreeMap::<u32, Vec3>::new();
        let mut area = 0.0;
        for &face in &from.faces {
            let normal = area_normal(mesh, face);
            area += normal.norm();
            for node in nodes_of_face(mesh, face) {
                *normals.entry(node).or_default() += normal;
            }
        }
        let rounding = NEAR * (area / from.faces.len().max(1) as f64).sqrt();
        let points: Vec<Vec3> = normals.keys().map(|&node| mesh.nodes[node as usize]).collect();
        let ways = locate(&other, &points).into_iter().zip(normals.values());
        let opposite = ways.filter_map(|(placed, normal)| {
            let way = placed.offset.norm();
            let along = placed.offset.dot(normal).abs() / normal.norm();
            (way < rounding || along > OPPOSITE * way).then_some(way)
        });
        opposite.reduce(f64::max).map(|way| way + rounding)
    }

    /// A mesh of some elements and their nodes.
    pub(super) fn elements_alone(&self, elements: impl Iterator<Item = u32>) -> VolumeMesh {
        let mesh = self.mesh();
        let elements = distinct(elements);
        let nodes = distinct(elements.iter().flat_map(|&e| mesh.element(e as usize).1.to_vec()));
        let mut own = VolumeMesh::new(nodes.iter().map(|&n| mesh.nodes[n as usize]).collect());
        for &e in &elements {
            let (kind, list) = mesh.element(e as usize);
            let number = |node: &u32| nodes.partition_point(|it| it < node) as u32;
            let list: Vec<u32> = list.iter().map(number).collect();
            own.push_element(kind, &list).expect("it is an element of the mesh");
        }
        own
    }
}

/// Nodes of a face, its corners first.
pub(super) fn nodes_of_face(mesh: &VolumeMesh, face: ElementFace) -> impl Iterator<Item = u32> {
    let (kind, nodes) = mesh.element(face.element as usize);
    kind.faces()[usize::from(face.face)].iter().map(|&k| nodes[usize::from(k)])
}

/// Area of a face along its normal [m²], which points outwards; of a quadratic one that between its corners.
fn area_normal(mesh: &VolumeMesh, face: ElementFace) -> Vec3 {
    let (kind, _) = mesh.element(face.element as usize);
    let count = kind.faces()[usize::from(face.face)].len();
    let count = if kind.is_quadratic() { count / 2 } else { count };
    let corners = nodes_of_face(mesh, face).take(count);
    let corners: Vec<Vec3> = corners.map(|node| mesh.nodes[node as usize]).collect();
    let fan = corners[1..].windows(2);
    fan.map(|pair| (pair[0] - corners[0]).cross(&(pair[1] - corners[0])) * 0.5).sum()
}
