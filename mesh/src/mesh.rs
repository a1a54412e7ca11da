//! A volume mesh: nodes, elements of mixed kinds in flat arrays, named sets. No physics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ElementKind;
use crate::Vec3;

/// Errors of an element or a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The node list of an element has the wrong length for its kind.
    #[error("element {element}: {kind:?} takes {expected} nodes, {given} given")]
    NodeCount {
        /// Index of the element, from 0.
        element: usize,
        /// Its kind.
        kind: ElementKind,
        /// Nodes of the kind.
        expected: usize,
        /// Nodes given.
        given: usize,
    },
    /// An element refers to a node that does not exist.
    #[error("element {element} refers to node {node}, but the mesh has {node_count} nodes (0 to {})", .node_count.saturating_sub(1))]
    MissingNode {
        /// Index of the element, from 0.
        element: usize,
        /// The index it names.
        node: u32,
        /// Nodes in the mesh.
        node_count: usize,
    },
}

/// One face of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ElementFace {
    /// Index of the element, from 0.
    pub element: u32,
    /// Its index in [`ElementKind::faces`].
    pub face: u8,
}

/// Numbers at every node or in every element, as a file gave them; their unit is that of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Numbers a node or element: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// `components` numbers a node or element, one after the other.
    pub values: Vec<f64>,
}

/// Nodes and elements of a solid, with named subsets of both, of faces, and named fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MeshDocument", into = "MeshDocument")]
pub struct VolumeMesh {
    /// Node positions [m].
    pub nodes: Vec<Vec3>,
    /// Named sets of node indices.
    pub node_sets: BTreeMap<String, Vec<u32>>,
    /// Named sets of element indices (regions, physical groups).
    pub element_sets: BTreeMap<String, Vec<u32>>,
    /// Named sets of element faces (surfaces that loads act on).
    pub face_sets: BTreeMap<String, Vec<ElementFace>>,
    /// Named fields with a value a node.
    pub node_fields: BTreeMap<String, Field>,
    /// Named fields with a value an element.
    pub element_fields: BTreeMap<String, Field>,
    kinds: Vec<ElementKind>,
    offsets: Vec<u32>,
    connectivity: Vec<u32>,
}

impl VolumeMesh {
    /// A mesh of these nodes [m] and no element yet.
    pub fn new(nodes: Vec<Vec3>) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Appends an element; its nodes are in the order of docs/reference/conventions.md.
    ///
    /// # Errors
    /// A wrong number of nodes, or a node that is not in the mesh; nothing is appended then.
    pub fn push_element(&mut self, kind: ElementKind, nodes: &[u32]) -> Result<(), MeshError> {
        let element = self.kinds.len();
        if nodes.len() != kind.node_count() {
            let expected = kind.node_count();
            return Err(MeshError::NodeCount { element, kind, expected, given: nodes.len() });
        }
        let node_count = self.nodes.len();
        if let Some(&node) = nodes.iter().find(|&&n| n as usize >= node_count) {
            return Err(MeshError::MissingNode { element, node, node_count });
        }
        self.kinds.push(kind);
        self.connectivity.extend_from_slice(nodes);
        self.offsets.push(self.connectivity.len() as u32);
        Ok(())
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.kinds.len()
    }

    /// Kind and nodes of element `e`.
    ///
    /// # Panics
    /// When `e` is not below [`Self::element_count`].
    pub fn element(&self, e: usize) -> (ElementKind, &[u32]) {
        let start = if e == 0 { 0 } else { self.offsets[e - 1] as usize };
        (self.kinds[e], &self.connectivity[start..self.offsets[e] as usize])
    }

    /// All elements, in order: kind and nodes.
    pub fn elements(&self) -> impl Iterator<Item = (ElementKind, &[u32])> {
        (0..self.element_count()).map(|e| self.element(e))
    }

    /// Smallest and largest coordinates [m]; `None` without nodes.
    pub fn bounding_box(&self) -> Option<[Vec3; 2]> {
        let first = *self.nodes.first()?;
        Some(self.nodes.iter().fold([first, first], |[lo, hi], p| [lo.inf(p), hi.sup(p)]))
    }
}

/// A mesh as it is written; what is read is checked.
#[derive(Serialize, Deserialize)]
struct MeshDocument {
    nodes: Vec<Vec3>,
    /// Kind by name, and nodes.
    elements: Vec<(String, Vec<u32>)>,
    node_sets: BTreeMap<String, Vec<u32>>,
    element_sets: BTreeMap<String, Vec<u32>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    face_sets: BTreeMap<String, Vec<ElementFace>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    node_fields: BTreeMap<String, Field>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    element_fields: BTreeMap<String, Field>,
}

impl MeshDocument {
    /// The first face or field that does not fit the mesh.
    fn misfit(&self, mesh: &VolumeMesh) -> Option<String> {
        for (name, faces) in &self.face_sets {
            for &ElementFace { element, face } in faces {
                let there = (element as usize) < mesh.element_count()
                    && usize::from(face) < mesh.element(element as usize).0.faces().len();
                if !there {
                    return Some(format!(
                        "face set '{name}': element {element} has no face {face}"
                    ));
                }
            }
        }
        let of_nodes = self.node_fields.iter().map(|field| (field, mesh.nodes.len()));
        let of_elements = self.element_fields.iter().map(|field| (field, mesh.element_count()));
        for ((name, Field { components, values }), count) in of_nodes.chain(of_elements) {
            if components.checked_mul(count) != Some(values.len()) {
                let found = values.len();
                return Some(format!("field '{name}': {components} x {count} values, not {found}"));
            }
        }
        None
    }
}

impl From<VolumeMesh> for MeshDocument {
    fn from(mesh: VolumeMesh) -> Self {
        let elements = mesh.elements().map(|(kind, nodes)| (kind.name().into(), nodes.to_vec()));
        let elements = elements.collect();
        let VolumeMesh {
            nodes,
            node_sets,
            element_sets,
            face_sets,
            node_fields,
            element_fields,
            ..
        } = mesh;
        Self { nodes, elements, node_sets, element_sets, face_sets, node_fields, element_fields }
    }
}

impl TryFrom<MeshDocument> for VolumeMesh {
    type Error = String;

    fn try_from(mut document: MeshDocument) -> Result<Self, String> {
        let mut mesh = Self::new(std::mem::take(&mut document.nodes));
        for (name, nodes) in std::mem::take(&mut document.elements) {
            let kind = ElementKind::from_name(&name)
                .ok_or_else(|| format!("there is no kind of element '{name}'"))?;
            mesh.push_element(kind, &nodes).map_err(|error| error.to_string())?;
        }
        if let Some(misfit) = document.misfit(&mesh) {
            return Err(misfit);
        }
        mesh.node_sets = document.node_sets;
        mesh.element_sets = document.element_sets;
        mesh.face_sets = document.face_sets;
        mesh.node_fields = document.node_fields;
        mesh.element_fields = document.element_fields;
        Ok(mesh)
    }
}
